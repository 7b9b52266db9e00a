// SPDX-License-Identifier: Apache-2.0
//
// The integer registers: two combinational reads, and one write that is visible from the next cycle.
//
// x0 is an ordinary word that the core sets to zero once, after reset. A comparison with zero at every read would cost
// more. The other registers survive reset, and are random before their first write.
`default_nettype none

module core_registers (
    input  wire        clk,
    input  wire [4:0]  rs1,
    output wire [31:0] rs1_value,
    input  wire [4:0]  rs2,
    output wire [31:0] rs2_value,
    input  wire        write,
    input  wire [4:0]  rd,
    input  wire [31:0] rd_value
);
    // No reset and no port that reads and writes at once: this maps to distributed RAM.
    reg [31:0] registers [0:31];

    always @(posedge clk)
        if (write) registers[rd] <= rd_value;

    assign rs1_value = registers[rs1];
    assign rs2_value = registers[rs2];
endmodule

`default_nettype wire
