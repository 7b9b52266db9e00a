// SPDX-License-Identifier: Apache-2.0
//
// Properties of the control core for yosys-smtbmc: the core with RVFI, memory answers and interrupt lines left
// free, and one group of assertions, chosen by macro:
//
//   CHECK_INSTRUCTION  every record does what `reference` says
//   CHECK_REGISTER     an operand is what was last written to its register; x0 is zero
//   CHECK_PC           records follow each other: pc is the last next pc, unless an interrupt came between
//   CHECK_CSR          mstatus, mtvec, mscratch, mepc, mcause, mtval: reads, writes, trap entry, interrupt entry, mret
//   CHECK_FETCH        the record's bits are those that memory holds at its pc
//   CHECK_BUS          the data port carries exactly the records' accesses, in order, and none after a trap
//   CHECK_LIVE         with answers that come in time, records come, too
//
// The port assumptions are the contract of core.v: answers in order, only for accepted requests, later than them.
`default_nettype none

module core_formal (
    input wire        clk,
    input wire        i_gnt, i_rvalid, i_err,
    input wire [31:0] i_rdata,
    input wire        d_gnt, d_rvalid, d_frees, d_err,
    input wire [31:0] d_rdata,
    input wire [5:0]  lines,
    input wire [63:0] time_now
);
`ifdef NO_COMPRESSED
    localparam COMPRESSED = 0;
`else
    localparam COMPRESSED = 1;
`endif

    reg [3:0] age = 4'd0;               // cycles since the start, then 15
    always @(posedge clk) if (age != 4'd15) age <= age + 4'd1;
    wire rst = age < 4'd1;

    wire        i_req, d_req, d_we;
    wire [31:0] i_addr, d_addr, d_wdata;
    wire [3:0]  d_be;
    wire        rvfi_valid, rvfi_trap, rvfi_halt, rvfi_intr, rvfi_fetch_fault;
    wire [63:0] rvfi_order;
    wire [31:0] rvfi_insn, rvfi_rs1_rdata, rvfi_rs2_rdata, rvfi_rd_wdata, rvfi_pc_rdata, rvfi_pc_wdata;
    wire [31:0] rvfi_mem_addr, rvfi_mem_rdata, rvfi_mem_wdata;
    wire [4:0]  rvfi_rs1_addr, rvfi_rs2_addr, rvfi_rd_addr;
    wire [3:0]  rvfi_mem_rmask, rvfi_mem_wmask;

    // A table of jumps of four entries, whose first content is free, foresees whatever a larger one could. NO_TABLE: the
    // core has none.
`ifdef NO_TABLE
    localparam PREDICT = 0;
`else
    localparam PREDICT = 2;
`endif
    core #(.COMPRESSED(COMPRESSED), .PREDICT(PREDICT), .PMP_REGIONS(0), .COUNTERS(0)) dut (
        .clk(clk), .rst(rst),
        .i_req(i_req), .i_gnt(i_gnt), .i_addr(i_addr), .i_rvalid(i_rvalid), .i_rdata(i_rdata), .i_err(i_err),
        .d_req(d_req), .d_gnt(d_gnt), .d_we(d_we), .d_addr(d_addr), .d_be(d_be), .d_wdata(d_wdata),
        .d_rvalid(d_rvalid), .d_frees(d_frees), .d_rdata(d_rdata), .d_err(d_err),
        .irq_software(lines[0]), .irq_timer(lines[1]), .irq_external(lines[2]), .irq_platform(lines[5:3]),
        .retire_valid(), .retire_pc(), .instret(), .time_now(time_now),
        .rvfi_valid(rvfi_valid), .rvfi_order(rvfi_order), .rvfi_insn(rvfi_insn), .rvfi_trap(rvfi_trap),
        .rvfi_halt(rvfi_halt), .rvfi_intr(rvfi_intr), .rvfi_mode(), .rvfi_ixl(),
        .rvfi_rs1_addr(rvfi_rs1_addr), .rvfi_rs2_addr(rvfi_rs2_addr),
        .rvfi_rs1_rdata(rvfi_rs1_rdata), .rvfi_rs2_rdata(rvfi_rs2_rdata),
        .rvfi_rd_addr(rvfi_rd_addr), .rvfi_rd_wdata(rvfi_rd_wdata),
        .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata),
        .rvfi_mem_addr(rvfi_mem_addr), .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_wmask(rvfi_mem_wmask),
        .rvfi_mem_rdata(rvfi_mem_rdata), .rvfi_mem_wdata(rvfi_mem_wdata), .rvfi_fetch_fault(rvfi_fetch_fault)
    );

    // ------------------------------------------------------------------------------ port assumptions
    reg [2:0] i_open = 3'd0, d_open = 3'd0;     // accepted, not yet answered
    always @(posedge clk) begin
        i_open <= i_open + {2'd0, i_req && i_gnt} - {2'd0, i_rvalid};
        d_open <= d_open + {2'd0, d_req && d_gnt} - {2'd0, d_rvalid};
    end
    always @(*) begin
        if (i_open == 3'd0) assume (!i_rvalid);
        if (d_open == 3'd0) assume (!d_rvalid);
        if (!d_rvalid || d_err) assume (!d_frees);
    end
`ifndef CHECK_CSR
`ifndef CHECK_FETCH
`ifndef CHECK_BUS
    // Bus errors: only where the check knows them.
    always @(*) assume (!i_err && !d_err);
`endif
`endif
`endif

    // ------------------------------------------------------------------------------ the reference
    wire [31:0] insn, value, result, next_pc, address, write_lanes;
    wire        legal, exception, uses_rs1, uses_rs2;
    wire [3:0]  cause, read_mask, write_mask;
    wire [4:0]  rd;
    reference #(.COMPRESSED(COMPRESSED)) judge (
        .raw(rvfi_insn), .pc(rvfi_pc_rdata), .rs1(rvfi_rs1_rdata), .rs2(rvfi_rs2_rdata), .loaded(rvfi_mem_rdata),
        .insn(insn), .legal(legal), .exception(exception), .cause(cause), .value(value),
        .uses_rs1(uses_rs1), .uses_rs2(uses_rs2), .rd(rd), .result(result), .next_pc(next_pc), .address(address),
        .read_mask(read_mask), .write_mask(write_mask), .write_lanes(write_lanes)
    );
    wire is_system = legal && insn[6:0] == 7'b1110011;
    wire is_csr    = is_system && insn[14:12] != 3'd0;
    wire is_mret   = is_system && insn == 32'h30200073;

`ifdef CHECK_INSTRUCTION
    // One run per class: CLASS is bits 6:2 of the expanded instruction; without it, everything that is no class.
`ifdef CLASS
    wire in_class = insn[6:2] == 5'd`CLASS && insn[1:0] == 2'b11;
`else
    wire in_class = insn[1:0] != 2'b11 ||
        !(insn[6:2] == 5'd0 || insn[6:2] == 5'd4 || insn[6:2] == 5'd5 || insn[6:2] == 5'd8 || insn[6:2] == 5'd12 ||
          insn[6:2] == 5'd13 || insn[6:2] == 5'd24 || insn[6:2] == 5'd25 || insn[6:2] == 5'd27);
`endif
    wire [31:0] mask_bits = {{8{write_mask[3]}}, {8{write_mask[2]}}, {8{write_mask[1]}}, {8{write_mask[0]}}};
    always @(posedge clk)
        if (!rst && rvfi_valid && in_class) begin
`ifdef MUST_FAIL
            // Proof that records of the class are reached within the depth: this has to have a counterexample.
            assert (rvfi_trap);
`endif
            // Whether a CSR exists is not the reference's business, and mtvec, mepc not its state.
            if (!is_csr) assert (rvfi_trap == exception);
            if (!rvfi_trap) begin
                assert (legal);
                assert (rvfi_rd_addr == rd);
                if (!is_csr) assert (rvfi_rd_wdata == result);
                if (!is_mret) assert (rvfi_pc_wdata == next_pc);
                assert (rvfi_rs1_addr == (uses_rs1 ? insn[19:15] : 5'd0));
                assert (rvfi_rs2_addr == (uses_rs2 ? insn[24:20] : 5'd0));
                assert (rvfi_mem_rmask == read_mask);
                assert (rvfi_mem_wmask == write_mask);
                if (read_mask != 4'd0 || write_mask != 4'd0)
                    assert (rvfi_mem_addr == {address[31:2], 2'b00});
                assert ((rvfi_mem_wdata & mask_bits) == (write_lanes & mask_bits));
            end else begin
                assert (rvfi_rd_addr == 5'd0);
                assert (rvfi_mem_rmask == 4'd0 && rvfi_mem_wmask == 4'd0);
            end
        end
`endif

`ifdef CHECK_REGISTER
    (* anyconst *) reg [4:0] chosen;
    reg        known = 1'b0;
    reg [31:0] content;
    always @(posedge clk)
        if (!rst && rvfi_valid) begin
            if (known && rvfi_rs1_addr == chosen && chosen != 5'd0) assert (rvfi_rs1_rdata == content);
            if (known && rvfi_rs2_addr == chosen && chosen != 5'd0) assert (rvfi_rs2_rdata == content);
            if (rvfi_rs1_addr == 5'd0) assert (rvfi_rs1_rdata == 32'd0);
            if (rvfi_rs2_addr == 5'd0) assert (rvfi_rs2_rdata == 32'd0);
            if (rvfi_rd_addr == 5'd0)  assert (rvfi_rd_wdata == 32'd0);
            if (rvfi_rd_addr == chosen) begin
                known   <= 1'b1;
                content <= rvfi_rd_wdata;
            end
        end
`endif

`ifdef CHECK_PC
    reg        has_last = 1'b0;
    reg [31:0] last_next;
    reg [63:0] last_order;
    always @(posedge clk)
        if (!rst && rvfi_valid) begin
            has_last   <= 1'b1;
            last_next  <= rvfi_pc_wdata;
            last_order <= rvfi_order;
            if (has_last) begin
                if (!rvfi_intr) assert (rvfi_pc_rdata == last_next);
                assert (rvfi_order == last_order + 64'd1);
            end else begin
                if (!rvfi_intr) assert (rvfi_pc_rdata == 32'd0);
                assert (rvfi_order == 64'd0);
            end
            assert (!rvfi_pc_rdata[0] && !rvfi_halt);
        end
`endif

`ifdef CHECK_CSR
    // The trap state as the records tell it. After an interrupt, mcause is known to be one, no more.
    reg        mie = 1'b0, mpie = 1'b0, cause_known = 1'b0, epc_known = 1'b0, value_known = 1'b0, scratch_known = 1'b0;
    reg [31:0] tvec = 32'd0, epc, mcause, mtval, scratch, last_next = 32'd0;
    wire [11:0] number  = insn[31:20];
    wire [31:0] operand = insn[14] ? {27'd0, insn[19:15]} : rvfi_rs1_rdata;
    wire        writes  = insn[13:12] == 2'd1 || insn[19:15] != 5'd0;
    wire [31:0] old = number == 12'h300 ? {24'h000018, mpie, 3'd0, mie, 3'd0} :
                      number == 12'h305 ? tvec : number == 12'h340 ? scratch : number == 12'h341 ? epc :
                      number == 12'h342 ? mcause : mtval;
    wire        shown = number == 12'h300 || number == 12'h305 || (number == 12'h340 && scratch_known) ||
                        (number == 12'h341 && epc_known) || (number == 12'h342 && cause_known) ||
                        (number == 12'h343 && value_known);
    wire        is_state = number == 12'h300 || number == 12'h305 || (number >= 12'h340 && number <= 12'h343);
    wire [31:0] written = insn[13:12] == 2'd1 ? operand : insn[13:12] == 2'd2 ? old | operand : old & ~operand;

    // The interrupt is seen at its first record; its effect lies before that record.
    wire        mie_now  = rvfi_intr ? 1'b0 : mie;
    wire        mpie_now = rvfi_intr ? mie : mpie;
    wire [31:0] epc_now  = rvfi_intr ? last_next : epc;
    always @(posedge clk)
        if (!rst && rvfi_valid) begin
            last_next <= rvfi_pc_wdata;
            if (rvfi_intr) begin
                // It was enabled, and it went to the vector.
                assert (mie);
                if (!tvec[0]) assert (rvfi_pc_rdata == {tvec[31:2], 2'b00});
                else assert (rvfi_pc_rdata - {tvec[31:2], 2'b00} == 32'd12 || rvfi_pc_rdata - {tvec[31:2], 2'b00} == 32'd28 ||
                             rvfi_pc_rdata - {tvec[31:2], 2'b00} == 32'd44 || rvfi_pc_rdata - {tvec[31:2], 2'b00} == 32'd64 ||
                             rvfi_pc_rdata - {tvec[31:2], 2'b00} == 32'd68 || rvfi_pc_rdata - {tvec[31:2], 2'b00} == 32'd72);
                epc <= last_next; epc_known <= 1'b1;
                mcause <= 32'd0; cause_known <= 1'b0;
                mtval <= 32'd0; value_known <= 1'b1;
            end
            mie <= mie_now; mpie <= mpie_now;
            if (rvfi_trap) begin
                assert (rvfi_pc_wdata == {tvec[31:2], 2'b00});
                mie <= 1'b0; mpie <= mie_now;
                epc <= rvfi_pc_rdata; epc_known <= 1'b1;
                // Bus errors are checked by directed tests: here cause and value are left open for them.
                cause_known <= exception && !rvfi_fetch_fault;
                value_known <= exception && !rvfi_fetch_fault;
                mcause <= {28'd0, cause}; mtval <= value;
            end else if (is_mret) begin
                if (epc_known || rvfi_intr) assert (rvfi_pc_wdata == epc_now);
                mie <= mpie_now; mpie <= 1'b1;
            end else if (is_csr) begin
                if (!rvfi_intr && shown && insn[11:7] != 5'd0) assert (rvfi_rd_wdata == old);
                if (writes && is_state) begin
                    if (number == 12'h300) {mpie, mie} <= {written[7], written[3]};
                    if (number == 12'h305) tvec <= written & ~32'd2;
                    if (number == 12'h340) begin
                        scratch <= written;
                        scratch_known <= scratch_known || insn[13:12] == 2'd1;
                    end
                    if (number == 12'h341) begin
                        epc <= written & (COMPRESSED ? ~32'd1 : ~32'd3);
                        epc_known <= insn[13:12] == 2'd1 || (epc_known && !rvfi_intr);
                    end
                    if (number == 12'h342) begin
                        mcause <= written & 32'h8000001f;
                        cause_known <= insn[13:12] == 2'd1 || (cause_known && !rvfi_intr);
                    end
                    if (number == 12'h343) begin
                        mtval <= written;
                        value_known <= insn[13:12] == 2'd1 || (value_known && !rvfi_intr);
                    end
                end
            end
        end
    // A handler's first instruction that is itself a CSR access on mstatus is left to the lockstep test.
    always @(*) if (rvfi_valid && rvfi_intr && is_csr) assume (number != 12'h300);
`endif

`ifdef CHECK_FETCH
    // Memory holds one word at one address, and never changes; every other word is free in every answer.
    (* anyconst *) reg [31:2] place;
    (* anyconst *) reg [31:0] content;
    reg [31:2] queue0, queue1, queue2, queue3;      // addresses of open requests, oldest first
    always @(posedge clk) begin
        if (i_rvalid) begin queue0 <= queue1; queue1 <= queue2; queue2 <= queue3; end
        if (i_req && i_gnt)
            case (i_open - {2'd0, i_rvalid})
                3'd0: queue0 <= i_addr[31:2];
                3'd1: queue1 <= i_addr[31:2];
                3'd2: queue2 <= i_addr[31:2];
                default: queue3 <= i_addr[31:2];
            endcase
    end
    always @(*) if (i_rvalid && queue0 == place) assume (i_rdata == content && !i_err);
    wire [31:0] second = rvfi_pc_rdata + 32'd2;
    always @(posedge clk)
        if (!rst && rvfi_valid && !rvfi_fetch_fault) begin
            if (rvfi_pc_rdata[31:2] == place)
                assert (rvfi_insn[15:0] == (rvfi_pc_rdata[1] ? content[31:16] : content[15:0]));
            if (second[31:2] == place && rvfi_insn[1:0] == 2'b11)
                assert (rvfi_insn[31:16] == (second[1] ? content[31:16] : content[15:0]));
        end
`endif

`ifdef CHECK_BUS
    // Accesses that were accepted and have no record yet, oldest first: up to one in each of the last two stages, and
    // one that is accepted now. A trap is the oldest one's, if the bus refused it, and it is the last then.
    localparam W = 1 + 32 + 4 + 32;
    reg  [W-1:0] open0, open1, open2;
    reg  [1:0]   opened = 2'd0;
    wire         is_access = rvfi_mem_rmask != 4'd0 || rvfi_mem_wmask != 4'd0;
    wire         refused   = rvfi_trap && !exception && !rvfi_fetch_fault && !is_csr &&
                             (read_mask != 4'd0 || write_mask != 4'd0);
    wire         closes    = rvfi_valid && (is_access || refused);
    wire         accepted  = d_req && d_gnt;
    wire         open_write;
    wire [31:0]  open_addr, open_data;
    wire [3:0]   open_mask;
    assign {open_write, open_addr, open_mask, open_data} = open0;
    wire [31:0]  open_bits = {{8{open_mask[3]}}, {8{open_mask[2]}}, {8{open_mask[1]}}, {8{open_mask[0]}}};
    wire [1:0]   left = opened - {1'b0, closes};
    wire [W-1:0] now  = {d_we, d_addr, d_be, d_wdata};
    always @(posedge clk)
        if (!rst) begin
            if (closes) begin
                assert (opened != 2'd0);
                assert (rvfi_trap || (open_write ? rvfi_mem_wmask : rvfi_mem_rmask) == open_mask);
                assert (rvfi_trap || (open_write ? rvfi_mem_rmask : rvfi_mem_wmask) == 4'd0);
                if (!rvfi_trap) assert (rvfi_mem_addr == open_addr);
                if (!rvfi_trap && open_write) assert ((rvfi_mem_wdata & open_bits) == (open_data & open_bits));
                if (!rvfi_trap && open_write) assert (d_rvalid && !d_err);
                {open0, open1} <= {open1, open2};
            end
            if (rvfi_valid && rvfi_trap) assert (left == 2'd0 && !accepted);
            if (accepted) begin
                assert (left != 2'd3);
                if (left == 2'd0) open0 <= now;
                if (left == 2'd1) open1 <= now;
                if (left == 2'd2) open2 <= now;
            end
            opened <= left + {1'b0, accepted};
            assert (d_addr[1:0] == 2'd0 && i_addr[1:0] == 2'd0);
            assert (i_open <= 3'd2 && d_open <= 3'd1);
        end
`endif

`ifdef CHECK_LIVE
    // Grants and answers are at most one cycle late, no line is up, no instruction is WFI (upper half 0x1050); then no
    // more than BOUND cycles pass without a record.
    reg [1:0] i_wait = 2'd0, d_wait = 2'd0, i_late = 2'd0, d_late = 2'd0;
    reg [4:0] quiet = 5'd0;

    always @(posedge clk) begin
        i_wait <= (i_req && !i_gnt) ? i_wait + 2'd1 : 2'd0;
        d_wait <= (d_req && !d_gnt) ? d_wait + 2'd1 : 2'd0;
        i_late <= (i_open != 3'd0 && !i_rvalid) ? i_late + 2'd1 : 2'd0;
        d_late <= (d_open != 3'd0 && !d_rvalid) ? d_late + 2'd1 : 2'd0;
        quiet  <= (rst || rvfi_valid) ? 5'd0 : quiet + 5'd1;
        if (!rst) assert (quiet <= 5'd`BOUND);
    end
    always @(*) begin
        assume (lines == 6'd0 && i_rdata[31:16] != 16'h1050 && i_rdata[15:0] != 16'h1050);
        if (i_wait == 2'd1) assume (i_gnt || !i_req);
        if (d_wait == 2'd1) assume (d_gnt || !d_req);
        if (i_late == 2'd1) assume (i_rvalid);
        if (d_late == 2'd1) assume (d_rvalid);
    end
`endif
endmodule

`default_nettype wire
