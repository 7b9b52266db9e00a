// SPDX-License-Identifier: Apache-2.0
//
// One stage of a rotation: `in` moved up by BY bits, what leaves at the top coming in at the bottom, or `in` itself.
//
// Synthesis keeps the stage whole. Three of them are 3 LUT4 per bit; a mapper that minimises depth would build one
// multiplexer of eight from them, which is 7.5.
`default_nettype none

(* keep_hierarchy *)
module mover_turn #(
    parameter WIDTH = 64, // bits
    parameter BY    = 8   // 1 .. WIDTH - 1
) (
    input  wire             turn,
    input  wire [WIDTH-1:0] in,
    output wire [WIDTH-1:0] out
);
    assign out = turn ? {in[WIDTH-BY-1:0], in[WIDTH-1:WIDTH-BY]} : in;
endmodule

`default_nettype wire
