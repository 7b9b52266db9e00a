// SPDX-License-Identifier: Apache-2.0
//
// The chip's configuration, for the whole of it: a module that an option concerns includes this file, and nothing is
// handed down. As it stands it is the simulated chip; the 85F's has smaller caches. A smaller chip sets an option to 0
// for the tool that reads its RTL: -DCONFIG_MAPS=0. Sizes of memories are parameters of gpu.v.
//
// What a chip lacks MEMORY.FEATURES tells the host, and the firmware refuses it (UNSUPPORTED).
/* verilator lint_off UNUSED */

// FORMATS: all pixel formats and modes. Without: RGB565, ARGB8888 and BYTES; COPY, KEY, BLEND and ROP without flags.
`ifndef CONFIG_FORMATS
`define CONFIG_FORMATS 1
`endif
localparam FORMATS = `CONFIG_FORMATS;

// MAPS: BLIT_AFFINE, with REPEAT and BILINEAR, on the render node.
`ifndef CONFIG_MAPS
`define CONFIG_MAPS 1
`endif
localparam MAPS = `CONFIG_MAPS;

// PALETTE: sources of INDEX8, and PALETTE, which loads their colours. Two block RAMs. Needs FORMATS.
`ifndef CONFIG_PALETTE
`define CONFIG_PALETTE `CONFIG_FORMATS
`endif
localparam PALETTE = `CONFIG_PALETTE;

// MASKS: sources of A4, A2 and A1. Needs FORMATS.
`ifndef CONFIG_MASKS
`define CONFIG_MASKS `CONFIG_FORMATS
`endif
localparam MASKS = `CONFIG_MASKS;

// EXAMINER: packets are examined beside the firmware (rtl/examiner.v). Without it the firmware examines them itself,
// with the same result, slower.
`ifndef CONFIG_EXAMINER
`define CONFIG_EXAMINER 1
`endif
localparam EXAMINER = `CONFIG_EXAMINER;

// LISTS: lists are read beside the firmware, too (rtl/lists.v). Needs EXAMINER. Without it the firmware reads them.
`ifndef CONFIG_LISTS
`define CONFIG_LISTS `CONFIG_EXAMINER
`endif
localparam LISTS = `CONFIG_LISTS;

// DEBUG: the core's debug unit, which the host's debugger uses (tessera gdb).
`ifndef CONFIG_DEBUG
`define CONFIG_DEBUG 1
`endif
localparam DEBUG = `CONFIG_DEBUG;

// DISPLAY: the display unit (rtl/display). Without it the pins d_* rest.
`ifndef CONFIG_DISPLAY
`define CONFIG_DISPLAY 1
`endif
localparam DISPLAY = `CONFIG_DISPLAY;

// CACHE_BYTES: each of the two caches of the firmware's region, a power of two. Two block RAMs for 4 KB, which boards
// have: with 4096 the default scene takes 0.5 % more cycles when `make profile-record` has been run with them.
`ifndef CONFIG_CACHE_BYTES
`define CONFIG_CACHE_BYTES 16384
`endif
localparam CACHE_BYTES = `CONFIG_CACHE_BYTES;
/* verilator lint_on UNUSED */
