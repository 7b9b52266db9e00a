# SPDX-License-Identifier: Apache-2.0
# Tests of the virtio GPU (host/virtio, host/virtio.mk).

VIRTIO_TEST      := $(BUILD)/virtio
VIRTIO_CORE      := $(patsubst %,host/virtio/%.c,queue gpu gpu_commands edid)
VIRTIO_FAKE      := tests/host/virtio/fake.c tests/host/virtio/fake.h $(wildcard host/virtio/*.h)

$(VIRTIO_TEST)/test_queue $(VIRTIO_TEST)/test_gpu: $(VIRTIO_TEST)/%: tests/host/virtio/%.c $(VIRTIO_CORE) $(VIRTIO_FAKE)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) -lcmocka

.PHONY: test-virtio
TESTS += test-virtio
test-virtio: $(addprefix $(VIRTIO_TEST)/test_,queue gpu)
	@tests/run virtio-queue $(VIRTIO_TEST)/test_queue
	@tests/run virtio-gpu $(VIRTIO_TEST)/test_gpu
