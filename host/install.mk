# SPDX-License-Identifier: Apache-2.0
# Installing: program, recorder, library, headers, manual pages, firmware.
#   make install [PREFIX=/usr/local] [DESTDIR=] [LIBDIR=...]     below DESTDIR, for a life at PREFIX
#   make uninstall                                               with the same PREFIX, DESTDIR, LIBDIR
# The installed library is the whole of libtessera with what it can open: the simulated chip and the golden model. (What
# the programs of this tree link, build/host/libtessera.a, is the part of it that knows no device.) VERSION is the
# version of everything; the library's name at run time has its first number.

PREFIX     ?= /usr/local
DESTDIR    ?=
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man
DATADIR    := $(PREFIX)/share/tessera
PKGLIBDIR  := $(LIBDIR)/tessera

VERSION_TEXT := $(shell cat VERSION)
SONAME       := libtessera.so.$(firstword $(subst ., ,$(VERSION_TEXT)))
PUBLIC_HEADERS := $(wildcard host/include/*.h) spec/gpu_spec.h spec/gpu.def
# As they are installed: what the tree makes of gpu.def by macros is written out.
INSTALLED_HEADERS = $(wildcard host/include/*.h) $(LIBRARY_DIR)/gpu_spec.h

# ------------------------------------------------------------------ the library
# Position-independent, and every name hidden that no public header declares (these say so themselves). The programs
# have the same objects: hidden names are called as directly as in a program.
SHARED_FLAGS    := -fPIC -fvisibility=hidden
LIBRARY_DIR     := $(BUILD)/library
LIBRARY_OBJECTS := $(patsubst %,$(BUILD)/host/%.o,$(filter-out %/installation,$(TESSERA_FILES) \
                     $(call host_files,lib/device))) $(DEVICE_OBJECTS) \
                   $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(DEVICE_SOURCES),$(wildcard model/*.c))) \
                   $(LIBRARY_DIR)/installation.o
LIBRARY_FLAGS    = $(HOST_CFLAGS) $(SHARED_FLAGS)
$(DEVICE_OBJECTS): CFLAGS += $(SHARED_FLAGS)
$(DEVICE_OBJECTS): host/install.mk
# What knows where it is going to live.
.PHONY: install-place
install-place:
$(LIBRARY_DIR)/place: install-place
	@mkdir -p $(@D)
	@echo '$(PREFIX) $(LIBDIR) $(INCLUDEDIR) $(MANDIR)' | cmp -s - $@ || \
	    echo '$(PREFIX) $(LIBDIR) $(INCLUDEDIR) $(MANDIR)' >$@
$(LIBRARY_DIR)/installation.o: host/lib/device/installation.c $(HOST_HEADERS) VERSION $(LIBRARY_DIR)/place | spec
	$(call say,CC,$<)$(CC) $(LIBRARY_FLAGS) -DTESSERA_FIRMWARE_PATH=$(DATADIR)/gpu.elf -DTESSERA_VERSION=$(VERSION_TEXT) \
	    -c -o $@ $<

# One object, in which the library's own names are no longer anybody's.
$(LIBRARY_DIR)/tessera.o: $(LIBRARY_OBJECTS) $(BUILD)/sim/libsimulator.a
	$(call say,LINK,$@)ld -r --force-group-allocation -o $@.tmp $(LIBRARY_OBJECTS) --whole-archive \
	    $(BUILD)/sim/libsimulator.a
	$(call say,HIDE,$@)objcopy --localize-hidden --wildcard --keep-global-symbol='tessera_*' $@.tmp $@
	@rm -f $@.tmp
$(LIBRARY_DIR)/libtessera.a: $(LIBRARY_DIR)/tessera.o
	$(call say,AR,$@)rm -f $@ && ar rcs $@ $<
$(LIBRARY_DIR)/libtessera.so: $(LIBRARY_DIR)/tessera.o
	@echo '$(subst libtessera.so.,TESSERA_,$(SONAME)) { global: tessera_*; local: *; };' >$@.map
	$(call say,LINK,$@)$(CXX) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=$@.map -Wl,-z,defs -o $@ $< -lz -lm \
	    -lpthread

# ------------------------------------------------------------------ the rest
$(LIBRARY_DIR)/bin/tessera: $(BUILD)/tessera $(LIBRARY_DIR)/installation.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(call link_program,$(filter-out %/installation.o,$(PROGRAM_OBJECTS)) $(LIBRARY_DIR)/installation.o)
$(LIBRARY_DIR)/bin/tessera-live: $(BUILD)/tessera-live $(LIBRARY_DIR)/installation.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(call link_program,$(filter-out %/installation.o,$(LIVE_OTHERS)) $(LIBRARY_DIR)/installation.o)
$(LIBRARY_DIR)/bin/tessera-gpu: $(BUILD)/tessera-gpu $(LIBRARY_DIR)/installation.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(call link_program,$(filter-out %/installation.o,$(VIRTIO_OTHERS)) \
	    $(LIBRARY_DIR)/installation.o)
$(LIBRARY_DIR)/gpu_spec.h: spec/gpu_spec.h $(BUILD)/gen
	@mkdir -p $(@D)
	$(call say,GEN,$@)$(BUILD)/gen header <$< >$@.tmp && mv $@.tmp $@
# Texts with the places and the version in them.
FILL_IN = sed -e 's,@PREFIX@,$(PREFIX),g' -e 's,@LIBDIR@,$(LIBDIR),g' -e 's,@INCLUDEDIR@,$(INCLUDEDIR),g' \
              -e 's,@PKGLIBDIR@,$(PKGLIBDIR),g' -e 's,@VERSION@,$(VERSION_TEXT),g'
$(LIBRARY_DIR)/tessera.pc: host/tessera.pc.in VERSION $(LIBRARY_DIR)/place
	$(call say,FILL,$@)$(FILL_IN) $< >$@
# A long path may be broken after each slash.
$(LIBRARY_DIR)/tessera-record.1: host/clients/sdl/record/tessera-record.1.in
$(LIBRARY_DIR)/tessera-live.1: host/clients/sdl/live/tessera-live.1.in
$(LIBRARY_DIR)/tessera-gpu.1: host/virtio/tessera-gpu.1.in
$(addprefix $(LIBRARY_DIR)/,tessera-record.1 tessera-live.1 tessera-gpu.1): VERSION $(LIBRARY_DIR)/place
	$(call say,FILL,$@)sed -e 's,@PKGLIBDIR@/,$(subst /,/\\:,$(PKGLIBDIR)/),g' $(filter %.in,$^) | $(FILL_IN) >$@
$(LIBRARY_DIR)/tessera.1: host/manual.sh $(BUILD)/tessera VERSION $(LIBRARY_DIR)/place
	$(call say,FILL,$@)host/manual.sh $(BUILD)/tessera $(VERSION_TEXT) $(DATADIR) >$@.tmp && mv $@.tmp $@

INSTALLED := $(addprefix $(LIBRARY_DIR)/,libtessera.a libtessera.so tessera.pc tessera.1 tessera-record.1 \
             tessera-live.1 tessera-gpu.1 bin/tessera bin/tessera-live bin/tessera-gpu gpu_spec.h) \
             $(RECORDER) $(FIRMWARE_IMAGE) $(FIRMWARE_TCM)
AT := $(DESTDIR)
.PHONY: install uninstall
install: $(INSTALLED)
	install -d $(AT)$(BINDIR) $(AT)$(PKGLIBDIR) $(AT)$(LIBDIR)/pkgconfig $(AT)$(INCLUDEDIR)/tessera $(AT)$(MANDIR)/man1 \
	    $(AT)$(DATADIR)/doc
	install -m 755 $(addprefix $(LIBRARY_DIR)/bin/,tessera tessera-gpu) $(AT)$(BINDIR)
	install -m 755 $(RECORDER) $(AT)$(PKGLIBDIR) # side by side: the programs find the library so
	install -m 755 $(LIBRARY_DIR)/bin/tessera-live $(AT)$(PKGLIBDIR)
	ln -srf $(AT)$(PKGLIBDIR)/tessera-record $(AT)$(BINDIR)/tessera-record
	ln -srf $(AT)$(PKGLIBDIR)/tessera-live $(AT)$(BINDIR)/tessera-live
	install -m 644 $(LIBRARY_DIR)/libtessera.a $(AT)$(LIBDIR)
	install -m 755 $(LIBRARY_DIR)/libtessera.so $(AT)$(LIBDIR)/libtessera.so.$(VERSION_TEXT)
	ln -sf libtessera.so.$(VERSION_TEXT) $(AT)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(AT)$(LIBDIR)/libtessera.so
	install -m 644 $(LIBRARY_DIR)/tessera.pc $(AT)$(LIBDIR)/pkgconfig
	install -m 644 $(INSTALLED_HEADERS) $(AT)$(INCLUDEDIR)/tessera
	install -m 644 $(addprefix $(LIBRARY_DIR)/,tessera.1 tessera-record.1 tessera-live.1 tessera-gpu.1) $(AT)$(MANDIR)/man1
	install -m 644 $(FIRMWARE_IMAGE) $(FIRMWARE_TCM) $(AT)$(DATADIR)
	install -m 644 $(wildcard docs/*.md docs/*.png) $(wildcard docs/example/*.c) $(AT)$(DATADIR)/doc
# What is ours alone goes whole; elsewhere only our files.
uninstall:
	rm -rf $(AT)$(DATADIR) $(AT)$(PKGLIBDIR) $(AT)$(INCLUDEDIR)/tessera
	rm -f $(addprefix $(AT)$(BINDIR)/,tessera tessera-record tessera-live tessera-gpu) \
	    $(AT)$(LIBDIR)/pkgconfig/tessera.pc \
	    $(addprefix $(AT)$(LIBDIR)/,libtessera.a libtessera.so $(SONAME) libtessera.so.$(VERSION_TEXT)) \
	    $(addprefix $(AT)$(MANDIR)/man1/,tessera.1 tessera-record.1 tessera-live.1 tessera-gpu.1)
