// SPDX-License-Identifier: Apache-2.0
//
// rtl/core/core_registers.v for FPGAs without distributed RAM: the same words in block RAM, read at the falling
// edge. The instruction stands in a register, so its register numbers are there early in the cycle, and what is read
// is there for the second half of it; to the core it looks like the combinational read of the original.
`default_nettype none

module core_registers (
    input  wire        clk,
    input  wire [4:0]  rs1,
    output reg  [31:0] rs1_value,
    input  wire [4:0]  rs2,
    output reg  [31:0] rs2_value,
    input  wire        write,
    input  wire [4:0]  rd,
    input  wire [31:0] rd_value
);
    reg [31:0] registers [0:31];

    always @(posedge clk)
        if (write) registers[rd] <= rd_value;

    always @(negedge clk) begin
        rs1_value <= registers[rs1];
        rs2_value <= registers[rs2];
    end
endmodule

`default_nettype wire
