// SPDX-License-Identifier: Apache-2.0
//
// The units of the target that a burst of it counts.
//
// Conversions count whole units; a unit that straddles two bursts of a row belongs to the first. With units of 2 and 4
// bytes only a row's first burst can end inside a unit that began before it. All others begin at multiples of 256
// bytes. With 3 bytes any burst can, so the place in the unit is handed from burst to burst.
`default_nettype none

module mover_units (
    input  wire [8:0]  bytes,       // of the burst, 1..256
    input  wire        head,        // first burst of its row
    input  wire [1:0]  size,        // bytes of a unit, minus one; 0 also where nothing is converted
    input  wire [1:0]  place,       // units of 3: bytes of the unit that earlier bursts of the row hold (head: any)
    output wire [1:0]  place_next,
    output reg  [8:0]  units
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
        /* verilator lint_on UNUSEDSIGNAL */
        assign threes     = {1'b0, product[16:9]} - {8'd0, begun != 2'd0};

        // The place needs no quotient: of a number of bits, every second counts 1 modulo 3, the others 2.
        function [1:0] modulo(input [3:0] value);
            modulo = value == 4'd15 ? 2'd0 : value >= 4'd12 ? value[1:0] : value >= 4'd9 ? value[1:0] - 2'd1
                   : value >= 4'd6 ? value[1:0] - 2'd2 : value >= 4'd3 ? value[1:0] - 2'd3 : value[1:0];
        endfunction
        wire [1:0]  low   = modulo(bytes[3:0]), high = modulo(bytes[7:4]);
        wire [1:0]  both  = modulo({low, high});        // 4 * low + high
        assign place_next = modulo({both, bytes[8] ? (begun == 2'd2 ? 2'd0 : begun + 2'd1) : begun});
    end else begin : no_threes
        assign threes     = bytes;
        assign place_next = 2'd0;
        wire unused = &{1'b0, place, 1'b0};
    end endgenerate

    always @(*)
        case (size)
            2'd1:    units = twos;
            2'd2:    units = threes;
            2'd3:    units = fours;
            default: units = bytes;
        endcase
endmodule

`default_nettype wire
