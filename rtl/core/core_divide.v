// SPDX-License-Identifier: Apache-2.0
//
// Iterative divider: two bits per cycle on magnitudes. Signs are put right at the end. `high`:`low` is one 64-bit
// register that shifts left. high is the remainder so far. low has dividend bits to come, then quotient bits. Leading
// zeros of the dividend are passed over eight at a time.
//
// Division by zero needs no case of its own. Every trial subtraction of zero succeeds, so the quotient is all ones and
// the remainder the dividend. Only the sign correction of the quotient is left out.
//
// Timing: `start` in one cycle, then 16 steps, then `done` with the result until the next start or kill. These are 17
// cycles before the one that takes the result. Each zero among the dividend's first three bytes takes off three.
`default_nettype none

module core_divide (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,           // operands and funct3 are valid; only while idle or done
    input  wire        kill,            // forget the operation (also the end of `done`); wins over start
    input  wire [2:0]  funct3,          // DIV DIVU REM REMU; stable until done
    input  wire [31:0] a,
    input  wire [31:0] b,
    output wire        idle,
    output wire        done,
    output wire [31:0] result
);
    reg        busy, ended, leading;
    reg [3:0]  count;
    reg [31:0] high, low, operand;
    reg        negate_low, negate_high;

    assign idle = !busy && !ended;
    assign done = ended;

    // Magnitudes of the operands, one negation each.
    wire is_signed  = !funct3[0];
    wire a_negative = is_signed && a[31];
    wire b_negative = is_signed && b[31];
    wire [31:0] a_magnitude = (a ^ {32{a_negative}}) + {31'd0, a_negative};
    wire [31:0] b_magnitude = (b ^ {32{b_negative}}) + {31'd0, b_negative};

    // Two steps: does the operand fit into the remainder shifted by one?
    wire [32:0] shifted_1    = {high, low[31]};
    wire [33:0] difference_1 = {1'b0, shifted_1} - {2'b00, operand};
    wire        fits_1       = !difference_1[33];
    wire [32:0] shifted_2    = {fits_1 ? difference_1[31:0] : shifted_1[31:0], low[30]};
    wire [33:0] difference_2 = {1'b0, shifted_2} - {2'b00, operand};
    wire        fits_2       = !difference_2[33];
    wire        passes       = leading && low[31:24] == 8'd0 && count < 4'd12;

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
        end else if (busy && count == 4'd15) begin
            busy  <= 1'b0;
            ended <= 1'b1;
        end
        if (start) begin
            count       <= 4'd0;
            leading     <= b != 32'd0;
            high        <= 32'd0;
            low         <= a_magnitude;
            operand     <= b_magnitude;
            negate_high <= a_negative;
            negate_low  <= (a_negative ^ b_negative) && b != 32'd0;
        end else if (busy) begin
            leading <= passes;
            count   <= count + (passes ? 4'd4 : 4'd1);
            low     <= passes ? {low[23:0], 8'd0} : {low[29:0], fits_1, fits_2};
            if (!passes) high <= fits_2 ? difference_2[31:0] : shifted_2[31:0];
        end
    end

    wire        negate = funct3[1] ? negate_high : negate_low;
    wire [31:0] half   = funct3[1] ? high : low;
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
    wire unused_altops = &{1'b0, half, negate};
`else
    assign result = (half ^ {32{negate}}) + {31'd0, negate};
`endif

    wire unused = &{1'b0, difference_1[32], difference_2[32], funct3[2]};
endmodule

`default_nettype wire
