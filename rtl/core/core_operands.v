// SPDX-License-Identifier: Apache-2.0
//
// Operands of the instruction in execute: the register file, and the bypass.
//
// The bypass brings the result of the instruction ahead, which is not written yet. AHEAD: register numbers are
// compared one cycle early. That takes the comparison out of the operands' critical path.
`default_nettype none

module core_operands #(
    parameter AHEAD = 0
) (
    input  wire        clk,
    input  wire        rst,

    // Execute: the instruction there, and with `take` the one that comes next. `fire`: it leaves for the memory stage;
    // `flush`: it and the one ahead go.
    input  wire        take,
    input  wire [9:0]  next_numbers,    // rs2, rs1
    input  wire [9:0]  numbers,         // rs2, rs1
    input  wire [4:0]  destination,
    input  wire        destined,        // and it writes
    input  wire        fire,
    input  wire        flush,

    // Memory stage: its instruction writes m_value to m_rd with m_done; until then `forwarded` is what is known of it.
    // Reset leaves zero in m_rd and m_value, which the cycle after it writes to x0.
    input  wire        m_valid,
    input  wire        m_clear,         // it is empty, or its instruction leaves
    input  wire        m_done,
    input  wire        m_writes,
    input  wire [4:0]  m_rd,
    input  wire [31:0] m_value,
    input  wire [31:0] forwarded,

    // rs1_value and rs2_value are without meaning while the load they are taken from waits.
    output wire        from_ahead1,     // rs1 is written by the instruction ahead
    output wire        from_ahead2,
    output wire [31:0] rs1_value,
    output wire [31:0] rs2_value
);
    reg clear_x0;
    always @(posedge clk) clear_x0 <= rst;

    wire [4:0]  rs1 = numbers[4:0], rs2 = numbers[9:5];
    wire [31:0] rs1_stored, rs2_stored;
    core_registers register_file (
        .clk(clk), .rs1(rs1), .rs1_value(rs1_stored), .rs2(rs2), .rs2_value(rs2_stored),
        .write((m_done && m_writes) || clear_x0), .rd(m_rd), .rd_value(m_value)
    );

    generate
        if (AHEAD != 0) begin : ahead
            reg  [1:0] same;
            wire [1:0] same_executed = {destination == next_numbers[9:5], destination == next_numbers[4:0]};
            wire [1:0] same_stays    = {m_rd == next_numbers[9:5], m_rd == next_numbers[4:0]};
            wire       stays         = m_valid && !m_clear;
            always @(posedge clk)
                if (rst || flush) same <= 2'b00;
                else if (!take)   same <= same & {2{stays}};
                else if (fire)    same <= same_executed & {2{destined}};
                else              same <= same_stays & {2{stays && m_writes}};
            assign {from_ahead2, from_ahead1} = same;
        end else begin : at_once
            assign from_ahead1 = m_valid && m_writes && m_rd == rs1;
            assign from_ahead2 = m_valid && m_writes && m_rd == rs2;
            wire unused = &{1'b0, take, next_numbers, destination, destined, fire, flush, m_clear};
        end
    endgenerate
    assign rs1_value = from_ahead1 ? forwarded : rs1_stored;
    assign rs2_value = from_ahead2 ? forwarded : rs2_stored;
endmodule

`default_nettype wire
