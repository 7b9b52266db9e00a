// SPDX-License-Identifier: Apache-2.0
//
// RISC-V Formal Interface: one record an instruction, in program order, with riscv-formal's names. Observes only;
// exists under the macro RVFI.
//
// A record is opened when an instruction leaves execute (`open`). It is given out when the memory stage is done with
// it (`done`) or faults (`fault`), or in the next cycle if the instruction trapped in execute. A trapped instruction
// has trap = 1, no rd, and the handler's address as pc_wdata. intr marks the first instruction after an interrupt.
`default_nettype none

module core_rvfi (
    input  wire        clk,
    input  wire        rst,

    // Execute stage: an instruction ends there.
    input  wire        open,
    input  wire        open_trap,           // by a trap of its own
    input  wire        open_fault,          // because it could not be fetched
    input  wire        interrupted,         // an interrupt is taken
    input  wire        executing,           // the execute stage holds an instruction, the one at pc
    input  wire        redirected,          // fetch starts again at next_pc; otherwise next_pc is where it stands
    input  wire [31:0] instruction,
    input  wire [31:0] pc,
    input  wire [31:0] next_pc,
    input  wire [4:0]  rs1,
    input  wire [4:0]  rs2,
    input  wire [31:0] rs1_value,
    input  wire [31:0] rs2_value,
    input  wire        uses_rs1,
    input  wire        uses_rs2,
    input  wire [31:0] memory_address,
    input  wire [3:0]  read_mask,
    input  wire [3:0]  write_mask,
    input  wire [31:0] write_lanes,
    input  wire        is_csr,              // it completes, and this is what it finds and leaves in its CSR
    input  wire        csr_writes,
    input  wire [31:0] csr_value,
    input  wire [31:0] csr_written,

    // Memory stage.
    input  wire        done,
    input  wire        fault,
    input  wire [31:0] fault_target,
    input  wire        writes,
    input  wire [4:0]  rd,
    input  wire [31:0] rd_value,
    input  wire [31:0] read_lanes,

    output wire        rvfi_valid,
    output reg  [63:0] rvfi_order,
    output reg  [31:0] rvfi_insn,
    output wire        rvfi_trap,
    output wire        rvfi_halt,
    output reg         rvfi_intr,
    output wire [1:0]  rvfi_mode,
    output wire [1:0]  rvfi_ixl,
    output reg  [4:0]  rvfi_rs1_addr,
    output reg  [4:0]  rvfi_rs2_addr,
    output reg  [31:0] rvfi_rs1_rdata,
    output reg  [31:0] rvfi_rs2_rdata,
    output wire [4:0]  rvfi_rd_addr,
    output wire [31:0] rvfi_rd_wdata,
    output reg  [31:0] rvfi_pc_rdata,
    output wire [31:0] rvfi_pc_wdata,
    output reg  [31:0] rvfi_mem_addr,
    output reg  [3:0]  rvfi_mem_rmask,
    output reg  [3:0]  rvfi_mem_wmask,
    output wire [31:0] rvfi_mem_rdata,
    output reg  [31:0] rvfi_mem_wdata,
    output reg         rvfi_fetch_fault,
    output reg         rvfi_csr_read,
    output reg         rvfi_csr_write,
    output reg  [31:0] rvfi_csr_rdata,
    output reg  [31:0] rvfi_csr_wdata
);
    reg        trapped, after_interrupt;
    reg [31:0] pc_after;

    assign rvfi_valid = !rst && (done || fault || trapped);
    assign rvfi_trap  = fault || trapped;
    assign rvfi_halt  = 1'b0;
    assign rvfi_mode  = 2'd3;
    assign rvfi_ixl   = 2'd1;
    assign rvfi_rd_addr   = (done && writes) ? rd : 5'd0;
    assign rvfi_rd_wdata  = (done && writes) ? rd_value : 32'd0;
    assign rvfi_pc_wdata  = fault ? fault_target : pc_after;
    assign rvfi_mem_rdata = read_lanes;

    always @(posedge clk) begin
        trapped          <= open && open_trap;
        rvfi_fetch_fault <= open_fault;
        if (open) begin
            rvfi_insn      <= instruction;
            rvfi_intr      <= after_interrupt;
            rvfi_rs1_addr  <= uses_rs1 ? rs1 : 5'd0;
            rvfi_rs2_addr  <= uses_rs2 ? rs2 : 5'd0;
            rvfi_rs1_rdata <= uses_rs1 ? rs1_value : 32'd0;
            rvfi_rs2_rdata <= uses_rs2 ? rs2_value : 32'd0;
            rvfi_pc_rdata  <= pc;
            pc_after       <= next_pc;
            rvfi_mem_addr  <= memory_address;
            rvfi_mem_rmask <= open_trap ? 4'd0 : read_mask;
            rvfi_mem_wmask <= open_trap ? 4'd0 : write_mask;
            rvfi_mem_wdata <= write_lanes;
            rvfi_csr_read  <= is_csr && !open_trap;
            rvfi_csr_write <= is_csr && !open_trap && csr_writes;
            rvfi_csr_rdata <= csr_value;
            rvfi_csr_wdata <= csr_written;
        end
        if (open || interrupted)
            after_interrupt <= interrupted;
        if (rvfi_valid)
            rvfi_order <= rvfi_order + 64'd1;
        if (rst) begin
            trapped         <= 1'b0;
            after_interrupt <= 1'b0;
            rvfi_order      <= 64'd0;
        end
    end

`ifdef RVFI_ORDER
    // Step by step what makes records follow each other, so that a proof over many cycles finds the way (pc_fwd of
    // riscv-formal: tests/core/riscv_formal/checks.cfg).
    reg [31:0] follows, named;      // the next instruction's address; what the last record named as such
    reg        waiting, is_named;   // a record is open; there was one
    always @(posedge clk) begin
        if (open || redirected) follows <= next_pc;
        if (rvfi_valid) {is_named, named} <= {1'b1, rvfi_pc_wdata};
        waiting <= open || (waiting && !rvfi_valid);
        if (rst) {waiting, is_named} <= 2'b00;
        if (!rst && is_named) begin
            assert (executing ? pc == follows : redirected || next_pc == follows);
            assert (waiting || !rvfi_valid);
            assert (!waiting || fault || rvfi_pc_wdata == follows || after_interrupt);
            assert (waiting || named == follows || after_interrupt);
            assert (!waiting || rvfi_intr || rvfi_pc_rdata == named);
        end
    end
`else
    wire unused = &{1'b0, executing, redirected};
`endif
endmodule

`default_nettype wire
