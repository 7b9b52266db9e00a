// SPDX-License-Identifier: Apache-2.0
//
// The control core as riscv-formal wants to see it. Memory answers (in order, any delay), interrupt lines and the time
// are free; there are no bus errors. With RISCV_FORMAL_FAIRNESS grants and answers are at most one cycle late
// and no WFI is fetched. Protection is left out: a locked region makes accesses trap that the checks' models
// let pass.
`default_nettype wire

module rvfi_wrapper (
    input clock,
    input reset,
    `RVFI_OUTPUTS
);
    (* keep *) `rvformal_rand_reg        i_gnt;
    (* keep *) `rvformal_rand_reg        i_rvalid;
    (* keep *) `rvformal_rand_reg [31:0] i_rdata;
    (* keep *) `rvformal_rand_reg        d_gnt;
    (* keep *) `rvformal_rand_reg        d_rvalid;
    (* keep *) `rvformal_rand_reg        d_frees;
    (* keep *) `rvformal_rand_reg [31:0] d_rdata;
    (* keep *) `rvformal_rand_reg [5:0]  lines;
    (* keep *) `rvformal_rand_reg [63:0] time_now;
    (* keep *) wire        i_req, d_req, d_we;
    (* keep *) wire [31:0] i_addr, d_addr, d_wdata;
    (* keep *) wire [3:0]  d_be;

    wire        csr_read, csr_write;
    wire [31:0] csr_rdata, csr_wdata;

    core #(.PMP_REGIONS(0), .PREDICT(2)) dut (
        .clk            (clock),
        .rst            (reset),
        .i_req          (i_req),
        .i_gnt          (i_gnt),
        .i_addr         (i_addr),
        .i_rvalid       (i_rvalid),
        .i_rdata        (i_rdata),
        .i_err          (1'b0),
        .d_req          (d_req),
        .d_gnt          (d_gnt),
        .d_we           (d_we),
        .d_addr         (d_addr),
        .d_be           (d_be),
        .d_wdata        (d_wdata),
        .d_rvalid       (d_rvalid),
        .d_frees         (d_frees),
        .d_rdata        (d_rdata),
        .d_err          (1'b0),
        .irq_software   (lines[0]),
        .irq_timer      (lines[1]),
        .irq_external   (lines[2]),
        .irq_platform   (lines[5:3]),
        .time_now       (time_now),
        .debug_halt     (1'b0),
        .debug_on_ebreak(1'b0),
        .debug_resume   (1'b0),
        .debug_step     (1'b0),
        .debug_write_pc (1'b0),
        .debug_run      (1'b0),
        .debug_data     (32'd0),
        .debug_breaks   (128'd0),
        .debug_watches  (64'd0),
        .rvfi_valid     (rvfi_valid),
        .rvfi_order     (rvfi_order),
        .rvfi_insn      (rvfi_insn),
        .rvfi_trap      (rvfi_trap),
        .rvfi_halt      (rvfi_halt),
        .rvfi_intr      (rvfi_intr),
        .rvfi_mode      (rvfi_mode),
        .rvfi_ixl       (rvfi_ixl),
        .rvfi_rs1_addr  (rvfi_rs1_addr),
        .rvfi_rs2_addr  (rvfi_rs2_addr),
        .rvfi_rs1_rdata (rvfi_rs1_rdata),
        .rvfi_rs2_rdata (rvfi_rs2_rdata),
        .rvfi_rd_addr   (rvfi_rd_addr),
        .rvfi_rd_wdata  (rvfi_rd_wdata),
        .rvfi_pc_rdata  (rvfi_pc_rdata),
        .rvfi_pc_wdata  (rvfi_pc_wdata),
        .rvfi_mem_addr  (rvfi_mem_addr),
        .rvfi_mem_rmask (rvfi_mem_rmask),
        .rvfi_mem_wmask (rvfi_mem_wmask),
        .rvfi_mem_rdata (rvfi_mem_rdata),
        .rvfi_mem_wdata (rvfi_mem_wdata),
        .rvfi_csr_read  (csr_read),
        .rvfi_csr_write (csr_write),
        .rvfi_csr_rdata (csr_rdata),
        .rvfi_csr_wdata (csr_wdata)
    );

    // The contract of the core's ports: answers only for accepted requests, later than them.
    reg [2:0] i_open = 3'd0, d_open = 3'd0;
    always @(posedge clock) begin
        i_open <= i_open + {2'd0, i_req && i_gnt} - {2'd0, i_rvalid};
        d_open <= d_open + {2'd0, d_req && d_gnt} - {2'd0, d_rvalid};
    end
    always @* begin
        if (i_open == 3'd0) assume (!i_rvalid);
        if (d_open == 3'd0) assume (!d_rvalid);
        if (!d_rvalid) assume (!d_frees);
    end

`ifdef RISCV_FORMAL_FAIRNESS
    reg i_wait = 1'b0, d_wait = 1'b0, i_late = 1'b0, d_late = 1'b0;
    always @(posedge clock) begin
        i_wait <= i_req && !i_gnt;
        d_wait <= d_req && !d_gnt;
        i_late <= i_open != 3'd0 && !i_rvalid;
        d_late <= d_open != 3'd0 && !d_rvalid;
    end
    always @* begin
        if (i_wait) assume (i_gnt || !i_req);
        if (d_wait) assume (d_gnt || !d_req);
        if (i_late && i_open != 3'd0) assume (i_rvalid);
        if (d_late && d_open != 3'd0) assume (d_rvalid);
        assume (i_rdata[31:16] != 16'h1050 && i_rdata[15:0] != 16'h1050);
    end
`endif

    // A CSR's channel from the record of the instruction that accessed it.
    wire [11:0] number = rvfi_insn[31:20];
`define TESSERA_CSR(NAME, NUMBER) \
    assign rvfi_csr_``NAME``_rmask = {32{csr_read && number == NUMBER}}; \
    assign rvfi_csr_``NAME``_wmask = {32{csr_write && number == NUMBER}}; \
    assign rvfi_csr_``NAME``_rdata = csr_rdata; \
    assign rvfi_csr_``NAME``_wdata = csr_wdata;
`define TESSERA_COUNTER(NAME, LOW, HIGH) \
    assign rvfi_csr_``NAME``_rmask = {{32{csr_read && number == HIGH}}, {32{csr_read && number == LOW}}}; \
    assign rvfi_csr_``NAME``_wmask = {{32{csr_write && number == HIGH}}, {32{csr_write && number == LOW}}}; \
    assign rvfi_csr_``NAME``_rdata = {2{csr_rdata}}; \
    assign rvfi_csr_``NAME``_wdata = {2{csr_wdata}};
`ifdef RISCV_FORMAL_CSR_MCYCLE
    `TESSERA_COUNTER(mcycle, 12'hb00, 12'hb80)
`endif
`ifdef RISCV_FORMAL_CSR_MINSTRET
    `TESSERA_COUNTER(minstret, 12'hb02, 12'hb82)
`endif
`ifdef RISCV_FORMAL_CSR_MSCRATCH
    `TESSERA_CSR(mscratch, 12'h340)
`endif
`ifdef RISCV_FORMAL_CSR_MTVAL
    `TESSERA_CSR(mtval, 12'h343)
`endif
`ifdef RISCV_FORMAL_CSR_MHARTID
    `TESSERA_CSR(mhartid, 12'hf14)
`endif
`ifdef RISCV_FORMAL_CSR_MVENDORID
    `TESSERA_CSR(mvendorid, 12'hf11)
`endif
endmodule
