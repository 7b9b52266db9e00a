// SPDX-License-Identifier: Apache-2.0
//
// RISC-V Formal Interface: one record an instruction, in program order, with riscv-formal's names. Observes only;
// exists under the macro RVFI.
//
// A record is made when an instruction leaves execute and travels with it. It is handed out in the write stage. An
// instruction that traps is reported with trap = 1, no rd, and the address of the handler as pc_wdata. intr marks the
// first instruction after an interrupt.
`default_nettype none

module core_rvfi (
    input  wire        clk,
    input  wire        rst,

    // Execute: an instruction leaves it.
    input  wire        open,
    input  wire        open_fault,          // it could not be fetched
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
    input  wire        is_csr,              // this is what it finds and leaves in its CSR
    input  wire        csr_writes,
    input  wire [31:0] csr_value,
    input  wire [31:0] csr_written,

    // Memory: what is there goes on.
    input  wire        m_take,
    input  wire [31:0] read_lanes,

    // Write: what is there goes, done or trapped.
    input  wire        w_take,
    input  wire        done,
    input  wire        trap,
    input  wire        trap_interrupt,      // it is an interrupt
    input  wire [31:0] trap_target,
    input  wire        writes,
    input  wire [4:0]  rd,
    input  wire [31:0] rd_value,

    output wire        rvfi_valid,
    output reg  [63:0] rvfi_order,
    output wire [31:0] rvfi_insn,
    output wire        rvfi_trap,
    output wire        rvfi_halt,
    output wire        rvfi_intr,
    output wire [1:0]  rvfi_mode,
    output wire [1:0]  rvfi_ixl,
    output wire [4:0]  rvfi_rs1_addr,
    output wire [4:0]  rvfi_rs2_addr,
    output wire [31:0] rvfi_rs1_rdata,
    output wire [31:0] rvfi_rs2_rdata,
    output wire [4:0]  rvfi_rd_addr,
    output wire [31:0] rvfi_rd_wdata,
    output wire [31:0] rvfi_pc_rdata,
    output wire [31:0] rvfi_pc_wdata,
    output wire [31:0] rvfi_mem_addr,
    output wire [3:0]  rvfi_mem_rmask,
    output wire [3:0]  rvfi_mem_wmask,
    output wire [31:0] rvfi_mem_rdata,
    output wire [31:0] rvfi_mem_wdata,
    output wire        rvfi_fetch_fault,
    output wire        rvfi_csr_read,
    output wire        rvfi_csr_write,
    output wire [31:0] rvfi_csr_rdata,
    output wire [31:0] rvfi_csr_wdata
);
    localparam W = 3 + 2 * 5 + 2 * 4 + 9 * 32;
    reg  [W-1:0]  m_record, w_record;
    reg  [31:0]   w_lanes;
    reg           after_interrupt;
    wire [31:0]   next;
    wire          csr_read, csr_write, fault;
    wire [3:0]    rmask, wmask;
    always @(posedge clk) begin
        if (m_take)
            m_record <= {open_fault, is_csr && open, is_csr && csr_writes, instruction, uses_rs1 ? rs1 : 5'd0,
                         uses_rs2 ? rs2 : 5'd0, uses_rs1 ? rs1_value : 32'd0, uses_rs2 ? rs2_value : 32'd0, pc, next_pc,
                         memory_address, read_mask, write_mask, write_lanes, csr_value, csr_written};
        if (w_take) {w_record, w_lanes} <= {m_record, read_lanes};
        if (rvfi_valid) rvfi_order <= rvfi_order + 64'd1;
        if (done || trap) after_interrupt <= trap && trap_interrupt;
        if (rst) begin
            rvfi_order      <= 64'd0;
            after_interrupt <= 1'b0;
        end
    end
    assign {fault, csr_read, csr_write, rvfi_insn, rvfi_rs1_addr, rvfi_rs2_addr, rvfi_rs1_rdata, rvfi_rs2_rdata,
            rvfi_pc_rdata, next, rvfi_mem_addr, rmask, wmask, rvfi_mem_wdata, rvfi_csr_rdata,
            rvfi_csr_wdata} = w_record;

    assign rvfi_valid = !rst && (done || (trap && !trap_interrupt));
    assign rvfi_trap  = trap;
    assign rvfi_intr  = after_interrupt;
    assign rvfi_halt  = 1'b0;
    assign rvfi_mode  = 2'd3;
    assign rvfi_ixl   = 2'd1;
    assign rvfi_rd_addr     = (done && writes) ? rd : 5'd0;
    assign rvfi_rd_wdata    = (done && writes) ? rd_value : 32'd0;
    assign rvfi_pc_wdata    = trap ? trap_target : next;
    assign rvfi_mem_rmask   = trap ? 4'd0 : rmask;
    assign rvfi_mem_wmask   = trap ? 4'd0 : wmask;
    assign rvfi_mem_rdata   = w_lanes;
    assign rvfi_fetch_fault = fault && trap;
    assign rvfi_csr_read    = csr_read && !trap;
    assign rvfi_csr_write   = csr_write && !trap;

endmodule

`default_nettype wire
