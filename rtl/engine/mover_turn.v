// SPDX-License-Identifier: Apache-2.0
//
// One stage of a rotation: `in` moved up by BY bits, with the top bits coming in at the bottom, or `in` itself.
//
// Synthesis keeps the stage whole. Three stages cost 3 LUT4 a bit. A mapper that minimises depth would build a
// multiplexer of eight from them, which costs 7.5.
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
