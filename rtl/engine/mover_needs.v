// SPDX-License-Identifier: Apache-2.0
//
// The bytes of the source that the units of a burst need. Units may be parts of bytes: a byte that two bursts need is
// the first one's.
`default_nettype none

module mover_needs (
    input  wire [8:0]  units,
    input  wire        head,        // first burst of its row
    input  wire [1:0]  size,        // bytes of a unit, minus one
    input  wire [1:0]  depth,       // see mover.v
    input  wire [2:0]  bit_first,   // head: where the row begins in its first byte
    input  wire [2:0]  bit_place,   // else: bits of the byte that earlier bursts of the row hold
    output wire [2:0]  bit_next,
    output wire [10:0] bytes
);
`include "config.vh"
    wire [10:0] twice = {1'b0, units, 1'b0};
    wire [10:0] whole  = (size[1] ? twice : 11'd0) + (size[0] ? twice : {2'd0, units}); // u, 2u, 2u + u, 2u + 2u
    generate if (MASKS != 0) begin : parts
        wire [10:0] bits  = depth == 2'd1 ? {units, 2'd0} : depth == 2'd2 ? {1'b0, units, 1'b0} : {2'd0, units};
        wire [2:0]  begun = head ? bit_first : bit_place;
        wire [10:0] up_to = bits + {8'd0, begun};
        wire [7:0]  bytes_up_to = up_to[10:3] + {7'd0, up_to[2:0] != 3'd0};
        assign bit_next = up_to[2:0];
        assign bytes    = depth == 2'd0 ? whole : {3'd0, bytes_up_to - {7'd0, !head && begun != 3'd0}};
    end else begin : all_whole
        assign bit_next = 3'd0;
        assign bytes    = whole;
        wire unused = &{1'b0, head, depth, bit_first, bit_place, 1'b0};
    end endgenerate
endmodule

`default_nettype wire
