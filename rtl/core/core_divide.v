// SPDX-License-Identifier: Apache-2.0
//
// Iterative divider, and multiplier where there is no fast one: one bit a cycle on magnitudes, signs set at the end.
// `high`:`low` is one shift register of 64 bits.
//
//   divide    high = remainder so far, low = dividend bits to come, then quotient bits; shifts left
//   multiply  high = product so far,   low = multiplier bits to come, then product bits; shifts right
//
// Division by zero needs no special case. Every trial subtraction of zero succeeds, so the quotient is all ones and
// the remainder is the dividend; only the quotient's sign correction is skipped. Timing: `start`, 32 steps, then
// `done` with the result until the next `start` or `kill`. That is 33 cycles before the cycle that takes the result.
`default_nettype none

module core_divide #(
    parameter MULTIPLY = 0              // 1: funct3 0..3 multiply
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,           // operands and funct3 are valid; only while idle or done
    input  wire        kill,            // forget the operation (also the end of `done`); wins over start
    input  wire [2:0]  funct3,          // MUL MULH MULHSU MULHU DIV DIVU REM REMU; stable until done
    input  wire [31:0] a,
    input  wire [31:0] b,
    output wire        idle,
    output wire        done,
    output wire [31:0] result
);
    reg        busy, ended;
    reg [4:0]  count;
    reg [31:0] high, low, operand;
    reg        negate_low, negate_high;

    assign idle = !busy && !ended;
    assign done = ended;

    wire is_multiply = MULTIPLY != 0 && !funct3[2];

    // Magnitudes of the operands, one negation each.
    wire a_signed = is_multiply ? funct3[1:0] != 2'd3 : !funct3[0];
    wire b_signed = is_multiply ? !funct3[1]          : !funct3[0];
    wire a_negative = a_signed && a[31];
    wire b_negative = b_signed && b[31];
    wire [31:0] a_magnitude = (a ^ {32{a_negative}}) + {31'd0, a_negative};
    wire [31:0] b_magnitude = (b ^ {32{b_negative}}) + {31'd0, b_negative};

    // One step. Divide: does the operand fit into the remainder shifted by one? Multiply: add and halve.
    wire [32:0] shifted    = {high, low[31]};
    wire [33:0] difference = {1'b0, shifted} - {2'b00, operand};
    wire        fits       = !difference[33];
    wire [32:0] sum        = {1'b0, high} + (low[0] ? {1'b0, operand} : 33'd0);

    wire [31:0] high_next = is_multiply ? sum[32:1] : fits ? difference[31:0] : shifted[31:0];
    wire [31:0] low_next  = is_multiply ? {sum[0], low[31:1]} : {low[30:0], fits};

    always @(posedge clk) begin
        if (rst || kill) begin
            busy  <= 1'b0;
            ended <= 1'b0;
        end else if (start) begin
`ifdef CORE_ALTOPS
            busy  <= 1'b0;
            ended <= 1'b1;
`else
            busy  <= 1'b1;
            ended <= 1'b0;
`endif
        end else if (busy && count == 5'd31) begin
            busy  <= 1'b0;
            ended <= 1'b1;
        end
        if (start) begin
            count       <= 5'd0;
            high        <= 32'd0;
            low         <= a_magnitude;
            operand     <= b_magnitude;
            negate_high <= a_negative;
            negate_low  <= (a_negative ^ b_negative) && (is_multiply || b != 32'd0);
        end else if (busy) begin
            count <= count + 5'd1;
            high  <= high_next;
            low   <= low_next;
        end
    end

    // Results: a product is negated as 64 bits, of which the high half's carry is "low half is zero".
    wire        take_high = is_multiply ? funct3[1:0] != 2'd0 : funct3[1];
    wire        negate    = (take_high && !is_multiply) ? negate_high : negate_low;
    wire        carry     = !(take_high && is_multiply && low != 32'd0);
    wire [31:0] half      = take_high ? high : low;
`ifdef CORE_ALTOPS
    // For proofs: riscv-formal's stand-ins, in two cycles (core_multiply.v says why). They are made of the operands
    // at the end, so that a proof finds them beside the record's; that the operands have not moved since the start,
    // which is when the divider itself takes them, is asserted.
    wire [31:0] mask = (funct3 == 3'd4) ? 32'h7f8529ec : (funct3 == 3'd5) ? 32'h10e8fd70 :
                       (funct3 == 3'd6) ? 32'h8da68fa5 : 32'h3138d0e1;
    assign result = (a - b) ^ mask;
`ifdef GPU_ASSERT
    reg [31:0] started_a, started_b;
    always @(posedge clk) begin
        if (start) {started_a, started_b} <= {a, b};
        if (!rst && done) assert (a == started_a && b == started_b);
    end
`endif
    wire unused_altops = &{1'b0, half, negate, carry};
`else
    assign result = (half ^ {32{negate}}) + {31'd0, negate && carry};
`endif

    wire unused = &{1'b0, difference[32]};
endmodule

`default_nettype wire
