// SPDX-License-Identifier: Apache-2.0
//
// Block DEBUG of gpu.def: the host's registers of the core's debug unit (rtl/core/core_debug.v). Only the host reaches
// them (reg_bus.v).
`default_nettype none
module debug_regs #(
    parameter PRESENT = 1                   // 0: no unit; every register reads zero and nothing is stored
) (
    input  wire         clk,
    input  wire         rst,

    // Register port: write is a pulse with offset and data; rdata is combinational from offset.
    input  wire         reg_write,
    input  wire [7:0]   reg_offset,
    input  wire [31:0]  reg_wdata,
    output wire [31:0]  reg_rdata,

    // The debug unit's host side.
    output reg          halt,
    output reg          on_ebreak,
    output wire         resume,
    output wire         step,
    output wire         write_pc,
    output wire         run,
    output wire [31:0]  data,
    output wire [127:0] breaks,
    output wire [63:0]  watches,
    input  wire         stopped,
    input  wire         busy,
    input  wire         failed,
    input  wire [2:0]   reason,
    input  wire [1:0]   index,
    input  wire [31:0]  pc,
    input  wire [31:0]  result
);
`include "gpu_spec.vh"
    wire write = reg_write && PRESENT != 0;
    // The unit hears of them a cycle after the write: what it puts into the core stands in a register then. The host's
    // next access is three cycles later at least (reg_bus_axi.v), so STATUS tells of it.
    reg        resumes, steps, writes_pc, runs;
    reg [31:0] written;
    assign {resume, step, write_pc, run, data} = {resumes, steps, writes_pc, runs, written};
    always @(posedge clk) begin
        resumes   <= write && !rst && reg_offset == DEBUG_RESUME_OFFSET;
        writes_pc <= write && !rst && reg_offset == DEBUG_PC_OFFSET;
        runs      <= write && !rst && reg_offset == DEBUG_INSTRUCTION_OFFSET;
        steps     <= reg_wdata[DEBUG_RESUME_STEP_LSB];
        written   <= reg_wdata;
    end

    reg [31:0] break0, break1, break2, break3, watch0, watch1;
    assign breaks  = {break3, break2, break1, break0};
    assign watches = {watch1, watch0};

    always @(posedge clk) begin
        if (write)
            case (reg_offset)
                DEBUG_CONTROL_OFFSET: begin
                    halt      <= reg_wdata[DEBUG_CONTROL_HALT_LSB];
                    on_ebreak <= reg_wdata[DEBUG_CONTROL_EBREAK_LSB];
                end
                DEBUG_BREAK0_OFFSET: break0 <= reg_wdata;
                DEBUG_BREAK1_OFFSET: break1 <= reg_wdata;
                DEBUG_BREAK2_OFFSET: break2 <= reg_wdata;
                DEBUG_BREAK3_OFFSET: break3 <= reg_wdata;
                DEBUG_WATCH0_OFFSET: watch0 <= reg_wdata;
                DEBUG_WATCH1_OFFSET: watch1 <= reg_wdata;
                default: ;
            endcase
        if (stopped) halt <= 1'b0;
        if (rst) begin
            {halt, on_ebreak} <= 2'b00;
            {break3, break2, break1, break0} <= 128'd0;
            {watch1, watch0} <= 64'd0;
        end
    end

    wire [31:0] present = PRESENT != 0 ? 32'd1 : 32'd0;
    wire [31:0] status  = present << DEBUG_STATUS_PRESENT_LSB | {31'd0, stopped} << DEBUG_STATUS_STOPPED_LSB
                          | {31'd0, busy && stopped} << DEBUG_STATUS_BUSY_LSB
                          | {31'd0, failed} << DEBUG_STATUS_FAILED_LSB
                          | {29'd0, reason} << DEBUG_STATUS_REASON_LSB | {30'd0, index} << DEBUG_STATUS_INDEX_LSB;
    reg [31:0] value;
    assign reg_rdata = PRESENT != 0 ? value : 32'd0;
    always @(*)
        case (reg_offset)
            DEBUG_CONTROL_OFFSET: value = {31'd0, halt} << DEBUG_CONTROL_HALT_LSB
                                          | {31'd0, on_ebreak} << DEBUG_CONTROL_EBREAK_LSB;
            DEBUG_STATUS_OFFSET:  value = status;
            DEBUG_PC_OFFSET:      value = pc;
            DEBUG_RESULT_OFFSET:  value = result;
            DEBUG_BREAK0_OFFSET:  value = break0;
            DEBUG_BREAK1_OFFSET:  value = break1;
            DEBUG_BREAK2_OFFSET:  value = break2;
            DEBUG_BREAK3_OFFSET:  value = break3;
            DEBUG_WATCH0_OFFSET:  value = watch0;
            DEBUG_WATCH1_OFFSET:  value = watch1;
            default:              value = 32'd0;
        endcase
endmodule
`default_nettype wire
