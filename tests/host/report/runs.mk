# SPDX-License-Identifier: Apache-2.0
# Runs that several tests judge, made once for all of them: three frames on the simulated chip, shown by flips, over
# before the cycle at which it was to end; 300 frames of a recording on the golden model, compared with SDL and with
# their draws kept.
$(BUILD)/runs/chip/done: $(BUILD)/tessera $(BUILD)/firmware/gpu.elf
	@mkdir -p $(@D)
	$(call say,RUN,$(@D))$(BUILD)/tessera run --frames 3 --copy-only --flips --no-compare --until 50000000 --out $(@D) \
	    >$(@D)/log 2>&1 && touch $@
$(BUILD)/runs/play/done: $(BUILD)/tessera $(BUILD)/firmware/gpu.elf $(BUILD)/play/blends
	@mkdir -p $(@D)
	@rm -f $(@D)/blends.tsdl && $(BUILD)/play/blends $(@D)/blends.tsdl
	$(call say,RUN,$(@D))$(BUILD)/tessera play $(@D)/blends.tsdl --frames 300..599 --report-frames 300..599 --model \
	    --check --out $(@D) >$(@D)/log 2>&1 && touch $@
