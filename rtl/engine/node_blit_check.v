// SPDX-License-Identifier: Apache-2.0
//
// The draws that this node executes, by mode, flags and formats. docs/pixels.md has them as a table.
`default_nettype none

module node_blit_check #(
    parameter NODE    = 0 // the paging node (1) only copies and fills
) (
    input  wire       is_blit,       // else FILL_RECT: no source
    input  wire [2:0] mode,          // BLIT group
    input  wire       is_reverse,
    input  wire       is_keyed,
    input  wire       is_coloured,
    input  wire       is_mapped,     // BLIT_AFFINE: formats with colours, no ROP
    input  wire       is_rounded,    // TRUNCATED or BY_256
    input  wire [4:0] source_format, // FORMAT group
    input  wire [4:0] target_format,
    output wire       is_illegal
);
`include "gpu_spec.vh"
`include "config.vh"
    wire from_small  = MASKS != 0 && source_format[4:3] != 2'd0;
    wire to_small    = MASKS != 0 && target_format[4:3] != 2'd0;
    wire same_format = source_format[2:0] == target_format[2:0] && !from_small;
    wire has_flags   = is_keyed || is_coloured;
    wire is_plain    = mode == BLIT_COPY[2:0] && same_format && !has_flags;
    wire is_rop      = mode == BLIT_ROP[2:0];
    wire is_key      = mode == BLIT_KEY[2:0];
    wire from_mask   = source_format[2:0] == FORMAT_A8[2:0]; // of any depth
    wire no_colours  = source_format[2:0] == FORMAT_BYTES[2:0] || target_format[2:0] == FORMAT_BYTES[2:0]
                    || target_format[2:0] == FORMAT_A8[2:0] || (is_mapped && from_small)
                    || (PALETTE != 0 && target_format[2:0] == FORMAT_INDEX8[2:0]);
    wire not_built   = FORMATS == 0 && (mode > BLIT_ROP[2:0] || has_flags || is_rounded);
    wire rop_legal   = same_format && source_format[2:0] != FORMAT_RGB888[2:0] && !has_flags;
    wire other_legal = !no_colours && mode <= BLIT_MOD[2:0] && !(is_key && has_flags)
                    && !(from_mask && (is_key || is_keyed));
    wire rest_legal  = is_rop ? rop_legal && !is_mapped : other_legal;
    wire blit_legal  = (is_plain && !is_mapped) || (NODE == 0 && !is_reverse && !not_built && rest_legal);
    wire fill_legal  = NODE == 0 || target_format[2:0] != FORMAT_RGB888[2:0];
    assign is_illegal = (is_blit ? !blit_legal : !fill_legal) || to_small;

    wire unused = &{1'b0, source_format[4:3], target_format[4:3], 1'b0};
endmodule

`default_nettype wire
