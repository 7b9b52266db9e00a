// SPDX-License-Identifier: Apache-2.0
//
// Products, of four products of half words: four DSP blocks on an ECP5. The factors stand in registers from the cycle
// after `take` on. The low word follows from them in that cycle; for the high word the four products stand in registers
// first, so it is there with the next `take`.
`default_nettype none

module core_multiply (
    input  wire        clk,
    input  wire        take,            // a step: the memory stage moves on
    input  wire [1:0]  operation,       // MUL MULH MULHSU MULHU
    input  wire [31:0] a,
    input  wire [31:0] b,
    output wire [31:0] low,             // of the operands a step ago
    output wire [31:0] high             // of the operands two steps ago
);
`ifdef CORE_ALTOPS
    // Proofs cannot look into a multiplier. As in riscv-formal, every product is replaced by an expression
    // that keeps operands and operations apart; the real thing is tested by itself (docs/core.md).
    wire [31:0] mask = (operation == 2'd0) ? 32'h5876063e : (operation == 2'd1) ? 32'hf6583fb7 :
                       (operation == 2'd2) ? 32'hecfbe137 : 32'h949ce5e8;
    reg  [31:0] product, product_before;
    always @(posedge clk)
        if (take) begin
            product        <= (operation == 2'd2 ? a - b : a + b) ^ mask;
            product_before <= product;
        end
    assign low  = product;
    assign high = product_before;
`else
    reg signed [16:0] a_low, a_high, b_low, b_high;
    always @(posedge clk)
        if (take) begin
            a_low  <= {1'b0, a[15:0]};
            b_low  <= {1'b0, b[15:0]};
            a_high <= {operation != 2'd3 && a[31], a[31:16]};
            b_high <= {!operation[1] && b[31], b[31:16]};
        end
    wire signed [33:0] ll = a_low * b_low, lh = a_low * b_high, hl = a_high * b_low, hh = a_high * b_high;
    wire [15:0] middle = ll[31:16] + lh[15:0] + hl[15:0];
    assign low = {middle, ll[15:0]};

    reg [47:0] outer, inner_1, inner_2;
    always @(posedge clk)
        if (take) begin
            outer   <= {hh[31:0], ll[31:16]};
            inner_1 <= {{14{lh[33]}}, lh};
            inner_2 <= {{14{hl[33]}}, hl};
        end
    wire [47:0] sum = outer + inner_1 + inner_2;
    assign high = sum[47:16];

    wire unused = &{1'b0, ll[33:32], hh[33:32], sum[15:0]};
`endif
endmodule

`default_nettype wire
