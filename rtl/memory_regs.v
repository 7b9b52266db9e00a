// SPDX-License-Identifier: Apache-2.0
//
// Block MEMORY of gpu.def: sizes and features of this build, and the fabric's counts of data beats at each memory.
// Read-only for both sides.
`default_nettype none
module memory_regs #(
    parameter [31:0] TCM_BYTES      = 65536,
    parameter [31:0] COMMAND_BYTES  = 65536,
    parameter [31:0] SEGMENT1_BYTES = 262144,
    parameter [31:0] SEGMENT2_BYTES = 2097152,
    parameter [31:0] FIRMWARE_BYTES = 262144,
    parameter        WITH_DISPLAY   = 1
) (
    input  wire [7:0]  reg_offset,
    output reg  [31:0] reg_rdata,           // combinational from reg_offset
    input  wire [31:0] segment1_beats,
    input  wire [31:0] segment2_beats,
    input  wire [31:0] system_beats
);
`include "gpu_spec.vh"
`include "config.vh"
    localparam HAS_FORMATS = FORMATS != 0 ? 1 : 0, HAS_MAPS = MAPS != 0 ? 1 : 0;
    localparam [31:0] FEATURES = HAS_FORMATS << MEMORY_FEATURES_FORMATS_LSB
                               | HAS_MAPS << MEMORY_FEATURES_MAPS_LSB
                               | (MAPS != 0 ? 1 : 0) << MEMORY_FEATURES_REPEAT_LSB
                               | (MAPS != 0 ? 1 : 0) << MEMORY_FEATURES_BILINEAR_LSB
                               | (PALETTE != 0 ? 1 : 0) << MEMORY_FEATURES_PALETTE_LSB
                               | (MASKS != 0 ? 1 : 0) << MEMORY_FEATURES_MASKS_LSB
                               | (DISPLAY != 0 && WITH_DISPLAY != 0 ? 1 : 0) << MEMORY_FEATURES_DISPLAY_LSB;

    always @(*)
        case (reg_offset)
            MEMORY_TCM_BYTES_OFFSET:      reg_rdata = TCM_BYTES;
            MEMORY_COMMAND_BYTES_OFFSET:  reg_rdata = COMMAND_BYTES;
            MEMORY_SEGMENT1_BYTES_OFFSET: reg_rdata = SEGMENT1_BYTES;
            MEMORY_SEGMENT2_BYTES_OFFSET: reg_rdata = SEGMENT2_BYTES;
            MEMORY_SEGMENT1_BEATS_OFFSET: reg_rdata = segment1_beats;
            MEMORY_SEGMENT2_BEATS_OFFSET: reg_rdata = segment2_beats;
            MEMORY_SYSTEM_BEATS_OFFSET:   reg_rdata = system_beats;
            MEMORY_FIRMWARE_BYTES_OFFSET: reg_rdata = FIRMWARE_BYTES;
            MEMORY_FEATURES_OFFSET:       reg_rdata = FEATURES;
            default:                      reg_rdata = 32'd0;
        endcase
endmodule
`default_nettype wire
