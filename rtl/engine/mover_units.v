// SPDX-License-Identifier: Apache-2.0
//
// The bytes of the source that a burst of the target needs.
//
// Conversions count whole units; a unit that straddles two bursts of a row belongs to the first. With units of 2 and 4
// bytes only a row's first burst can end inside a unit that began before it. All others begin at multiples of 256
// bytes. With 3 bytes any burst can, so the place in the unit is handed from burst to burst.
`default_nettype none

module mover_units (
    input  wire [8:0]  bytes,       // of the burst, 1..256
    input  wire        head,        // first burst of its row
    input  wire [1:0]  target_size, // bytes of a unit, minus one; 0 also where nothing is converted
    input  wire [1:0]  source_size,
    input  wire [1:0]  place,       // units of 3: bytes of the unit that earlier bursts of the row hold (head: any)
    output wire [1:0]  place_next,
    // Parts of bytes: a byte that two bursts need is the first one's.
    input  wire [1:0]  depth,       // see mover.v
    input  wire [2:0]  bit_first,   // head: where the row begins in its first byte
    input  wire [2:0]  bit_place,   // else: bits of the byte that earlier bursts of the row hold
    output wire [2:0]  bit_next,
    output wire [10:0] needs
);
`include "config.vh"
    wire [8:0] twos  = {1'b0, bytes[8:1]} + {8'd0, head && bytes[0]};
    wire [8:0] fours = {2'd0, bytes[8:2]} + {8'd0, head && bytes[1:0] != 2'd0};
    wire [8:0] threes;
    generate if (FORMATS != 0) begin : divide
        // (place + bytes + 2) / 3, rounded down: * 171 / 512 is exact up to 511.
        wire [1:0]  begun    = head ? 2'd0 : place;
        wire [8:0]  sum      = bytes + {7'd0, begun} + 9'd2;
        /* verilator lint_off UNUSEDSIGNAL */ // the fraction
        wire [16:0] wide     = {8'd0, sum};
        wire [16:0] product  = (wide << 7) + (wide << 5) + (wide << 3) + (wide << 1) + wide;
        wire [8:0]  rest     = sum - {1'b0, product[16:9]} - {product[16:9], 1'b0};
        /* verilator lint_on UNUSEDSIGNAL */
        assign threes     = {1'b0, product[16:9]} - {8'd0, begun != 2'd0};
        assign place_next = rest[1:0] == 2'd2 ? 2'd0 : rest[1:0] + 2'd1;
    end else begin : no_threes
        assign threes     = bytes;
        assign place_next = 2'd0;
        wire unused = &{1'b0, place, 1'b0};
    end endgenerate

    reg [8:0] units;
    always @(*)
        case (target_size)
            2'd1:    units = twos;
            2'd2:    units = threes;
            2'd3:    units = fours;
            default: units = bytes;
        endcase
    wire [10:0] once  = source_size[1] ? {1'b0, units, 1'b0} : 11'd0;
    wire [10:0] twice = source_size == 2'd1 ? {1'b0, units, 1'b0} : source_size == 2'd3 ? {1'b0, units, 1'b0}
                      : {2'd0, units};
    wire [10:0] whole = once + twice; // size 1: u, 2: 2u, 3: 2u + u, 4: 2u + 2u
    generate if (MASKS != 0) begin : parts
        wire [10:0] bits  = depth == 2'd1 ? {units, 2'd0} : depth == 2'd2 ? {1'b0, units, 1'b0} : {2'd0, units};
        wire [2:0]  begun = head ? bit_first : bit_place;
        wire [10:0] up_to = bits + {8'd0, begun};
        wire [7:0]  bytes_up_to = up_to[10:3] + {7'd0, up_to[2:0] != 3'd0};
        assign bit_next = up_to[2:0];
        assign needs    = depth == 2'd0 ? whole : {3'd0, bytes_up_to - {7'd0, !head && begun != 3'd0}};
    end else begin : all_whole
        assign bit_next = 3'd0;
        assign needs    = whole;
        wire unused = &{1'b0, depth, bit_first, bit_place, 1'b0};
    end endgenerate
endmodule

`default_nettype wire
