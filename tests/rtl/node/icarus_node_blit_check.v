// SPDX-License-Identifier: Apache-2.0
//
// Which draws a node executes: every mode, flag and pair of formats, by both nodes, against the table of
// docs/pixels.md, written here mode by mode. Built with all formats, and with the few of CONFIG_FORMATS 0
// (rtl/config.vh).
`default_nettype none
module icarus_node_blit_check;
`include "gpu_spec.vh"
`include "config.vh"
    localparam [4:0] BYTES = FORMAT_BYTES[4:0], A8 = FORMAT_A8[4:0], INDEX8 = FORMAT_INDEX8[4:0],
                     RGB888 = FORMAT_RGB888[4:0], A4 = FORMAT_A4[4:0], A2 = FORMAT_A2[4:0], A1 = FORMAT_A1[4:0];
    reg        is_blit, is_reverse, is_keyed, is_coloured, is_rounded, is_mapped;
    reg  [2:0] mode;
    reg  [3:0] from, to;
    // The eight formats of whole bytes, and 8 to 10, those of parts.
    function [4:0] format_of(input [3:0] number);
        format_of = !number[3] ? {1'b0, number} : number == 4'd8 ? A4 : number == 4'd9 ? A2 : A1;
    endfunction
    // As many as a BIND lets through.
    localparam [3:0] FORMAT_COUNT = FORMATS != 0 ? 4'd11 : FORMAT_ARGB8888[3:0] + 4'd1;
    wire [4:0] source = format_of(from), target = format_of(to);
    wire [1:0] is_illegal; // by node
    genvar node;
    generate for (node = 0; node < 2; node = node + 1) begin : built
        node_blit_check #(.NODE(node)) check (
            .is_blit(is_blit), .mode(mode), .is_reverse(is_reverse), .is_keyed(is_keyed), .is_coloured(is_coloured),
            .is_rounded(is_rounded), .is_mapped(is_mapped), .source_format(source), .target_format(target),
            .is_illegal(is_illegal[node])
        );
    end endgenerate

    // Without flags a copy between equal formats is moved as bytes, by both nodes, also backwards.
    wire from_parts = from >= 4'd8, to_parts = to >= 4'd8, from_mask = source == A8 || from_parts;
    wire is_moved = mode == BLIT_COPY[2:0] && source == target && !is_keyed && !is_coloured && !to_parts;
    wire has_colours = source != BYTES && target != BYTES && target != A8 && target != INDEX8 && !to_parts;
    reg  is_drawn;
    always @(*)
        case ({29'd0, mode})
            BLIT_COPY, BLIT_BLEND, BLIT_ADD, BLIT_MOD: is_drawn = has_colours && !(is_keyed && from_mask);
            BLIT_KEY: is_drawn = has_colours && !is_keyed && !is_coloured && !from_mask;
            BLIT_ROP: is_drawn = source == target && source != RGB888 && !is_keyed && !is_coloured && !to_parts;
            default:  is_drawn = 1'b0;
        endcase
    // What a build without FORMATS has.
    wire is_small = mode <= BLIT_ROP[2:0] && !is_keyed && !is_coloured && !is_rounded;
    integer    i, b, passed, failed;
    reg        wanted;
    initial begin
        passed = 0;
        failed = 0;
        for (i = 0; i < 131072; i = i + 1) begin
            {is_mapped, is_blit, is_reverse, is_keyed, is_coloured, is_rounded, mode, from, to} = i[16:0];
            #1;
            if (from < FORMAT_COUNT && to < FORMAT_COUNT) for (b = 0; b < 2; b = b + 1) begin
                if (!is_blit) wanted = (b == 0 || target != RGB888) && !to_parts;
                else wanted = (is_moved && !is_mapped) || (b == 0 && !is_reverse && is_drawn
                                                           && !(is_mapped && (mode == BLIT_ROP[2:0] || !has_colours
                                                                              || from_parts))
                                                           && (FORMATS != 0 || is_small));
                if (is_illegal[b] == !wanted) passed = passed + 1;
                else begin
                    if (failed < 5) $display("node %0d, input %h: illegal is %b", b, i[16:0], is_illegal[b]);
                    failed = failed + 1;
                end
            end
        end
        $display("%0d passed, %0d failed", passed, failed);
        if (failed != 0 || passed == 0) $fatal;
    end
endmodule
`default_nettype wire
