// SPDX-License-Identifier: Apache-2.0
//
// Control core: RV32IMC, Zicsr, Zifencei, machine mode, physical memory protection. In order, three stages:
//
//   fetch    (core_fetch)  word arrives, is cut, expanded; known jumps are followed; -> x_* registers
//   execute  (here)        registers, bypass, ALU, branch, CSR, trap; the data port's request -> m_* registers
//   memory   (here)        the data port's answer; write back
//
// An instruction leaves execute (x_fire) only when the one in the memory stage cannot fault. So execute never rolls
// back. Traps are taken in execute. A bus error of the memory stage flushes execute and traps one cycle later.
//
// Both ports (OBI-like): a request {req, addr, we, be, wdata} holds until a cycle with gnt accepts it. Its answer
// {rvalid, rdata, err} comes in order, at least one cycle later, also for writes. gnt may not depend combinationally
// on the other port's request, except that data may come before instructions in a shared memory. Answers may not
// depend combinationally on any request. At most one data access is outstanding. Addresses are word aligned; be marks
// the bytes, of loads too.
`default_nettype none

module core #(
    parameter [31:0] RESET_VECTOR  = 32'h00000000,
    parameter        COMPRESSED    = 1,     // the C extension
    parameter        MULTIPLY      = 1,     // the M extension
    parameter        FAST_MULTIPLY = 1,     // products and shifts take 1 or 2 cycles; 0: one bit per cycle
    parameter        FORWARD_LOADS = 1,     // a load's value is usable in the cycle it arrives; 0: one later
    parameter        CHECK_FIRST   = 0,     // 1: loads and stores take a cycle more, between address and request
    parameter        FETCH_STAGE   = 0,     // 1: jumps take two cycles more, redirects three: see core_fetch
    parameter        COUNTERS      = 1,     // mcycle, minstret, cycle, time, instret
    parameter        TRAP_VALUES   = 1,     // 0: mtval reads zero
    parameter        PMP_REGIONS   = 4,     // 0..8
    parameter        PMP_POWERS    = 1,     // 0: PMP regions are OFF or TOR only
    parameter        DEBUG         = 0      // 1: core_debug, reached through the debug_* ports
) (
    input  wire        clk,
    input  wire        rst,

    // Instruction port.
    output wire        i_req,
    input  wire        i_gnt,
    output wire [31:0] i_addr,
    input  wire        i_rvalid,
    input  wire [31:0] i_rdata,
    input  wire        i_err,

    // Data port.
    output wire        d_req,
    input  wire        d_gnt,
    output wire        d_we,
    output wire [31:0] d_addr,
    output wire [3:0]  d_be,
    output wire [31:0] d_wdata,
    input  wire        d_rvalid,
    input  wire [31:0] d_rdata,
    input  wire        d_err,

    // Interrupt lines, levels: mip bits 3, 7, 11 and 16, 17, 18.
    input  wire        irq_software,
    input  wire        irq_timer,
    input  wire        irq_external,
    input  wire [2:0]  irq_platform,

    // FENCE.I (a pulse): fetches accepted in this cycle or later see all stores answered before.
    output wire        fence_i,

    // What the core is doing: one pulse per retired instruction, and their number.
    output wire        retire_valid,
    output wire [31:0] retire_pc,
    output wire [63:0] instret,
    input  wire [63:0] time_now,            // read by the `time` CSR

    // Debug unit: see core_debug. Without it the inputs are not looked at and the outputs are zero.
    input  wire        debug_halt,
    input  wire        debug_on_ebreak,
    input  wire        debug_resume,
    input  wire        debug_step,
    input  wire        debug_write_pc,
    input  wire        debug_run,
    input  wire [31:0] debug_data,
    input  wire [127:0] debug_breaks,
    input  wire [63:0] debug_watches,
    output wire        debug_stopped,
    output wire        debug_busy,
    output wire        debug_failed,
    output wire [2:0]  debug_reason,
    output wire [1:0]  debug_index,
    output wire [31:0] debug_pc,
    output wire [31:0] debug_result
`ifdef RVFI
    ,
    output wire        rvfi_valid,
    output wire [63:0] rvfi_order,
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
    output wire        rvfi_fetch_fault,    // ours: the record's instruction could not be fetched
    output wire        rvfi_csr_read,       // ours: it is a CSR instruction that completed; the number is in its bits
    output wire        rvfi_csr_write,      // and it wrote
    output wire [31:0] rvfi_csr_rdata,
    output wire [31:0] rvfi_csr_wdata       // before what the register does not keep is dropped
`endif
);
    // ============================================================================ fetch
    wire        f_valid, f_take, f_predicted, f_fault, f_held;
    wire [31:0] f_pc, f_raw, f_instruction, f_alternative;
    wire        redirect, arrive_deny;
    wire [31:1] redirect_target;
    wire [31:2] arrive_addr;

    core_fetch #(.RESET_VECTOR(RESET_VECTOR), .COMPRESSED(COMPRESSED), .STAGE(FETCH_STAGE)) fetch (
        .clk             (clk),
        .rst             (rst),
        .i_req           (i_req),
        .i_gnt           (i_gnt),
        .i_addr          (i_addr),
        .i_rvalid        (i_rvalid),
        .i_rdata         (i_rdata),
        .i_err           (i_err),
        .arrive_addr     (arrive_addr),
        .arrive_deny     (arrive_deny),
        .redirect        (redirect),
        .redirect_target (redirect_target),
        .held            (f_held),
        .valid           (f_valid),
        .take            (f_take),
        .pc              (f_pc),
        .raw             (f_raw),
        .instruction     (f_instruction),
        .predicted       (f_predicted),
        .fault           (f_fault),
        .alternative     (f_alternative)
    );

    // ============================================================================ execute
    reg         x_valid, x_predicted, x_fault;
    reg  [31:0] x_instruction, x_alternative;
    reg  [31:1] x_pc;
    reg         x_pc_stale;     // x_pc is not yet the next instruction's
    wire        x_fire;

    // While the debug unit has stopped the core, fetch delivers nothing and the host's instruction comes instead.
    wire stopped, stepping, inject, stop, go, fail;
    wire x_take = f_take || inject;
    wire [31:0] x_next = inject ? debug_data : f_instruction;

    assign f_take = (x_fire || !x_valid) && !stopped;

    always @(posedge clk) begin
        if (x_take) begin
            x_valid       <= f_valid || inject;
            x_predicted   <= f_predicted && !inject;
            x_fault       <= f_fault && !inject;
            x_instruction <= x_next;
            x_alternative <= f_alternative;
            x_pc          <= f_pc[31:1];
        end else if (x_fire) begin
            x_valid <= 1'b0;
        end
        if (rst || redirect || stop || fail)
            x_valid <= 1'b0;
        x_pc_stale <= rst || redirect;
    end

    wire        illegal_form, uses_rs1, uses_rs2, writes, b_immediate, subtract, is_unsigned, is_shift, is_iterative;
    wire        is_load, is_store, is_branch, is_jal, is_jalr, is_csr, is_fence_i, is_ecall, is_ebreak, is_mret, is_wfi;
    wire [1:0]  logic_op;
    wire [2:0]  result_from;
    wire [31:0] immediate;

    core_decode #(.MULTIPLY(MULTIPLY), .FAST_MULTIPLY(FAST_MULTIPLY)) decode (
        .clk          (clk),
        .take         (x_take),
        .instruction  (x_next),
        .illegal      (illegal_form),
        .uses_rs1     (uses_rs1),
        .uses_rs2     (uses_rs2),
        .writes       (writes),
        .immediate    (immediate),
        .b_immediate  (b_immediate),
        .is_load      (is_load),
        .is_store     (is_store),
        .is_branch    (is_branch),
        .is_jal       (is_jal),
        .is_jalr      (is_jalr),
        .is_iterative (is_iterative),
        .is_csr       (is_csr),
        .is_fence_i   (is_fence_i),
        .is_ecall     (is_ecall),
        .is_ebreak    (is_ebreak),
        .is_mret      (is_mret),
        .is_wfi       (is_wfi),
        .is_shift     (is_shift),
        .subtract     (subtract),
        .is_unsigned  (is_unsigned),
        .logic_op     (logic_op),
        .result       (result_from)
    );

    wire [2:0] funct3 = x_instruction[14:12];
    wire [4:0] rs1    = x_instruction[19:15];
    wire [4:0] rs2    = x_instruction[24:20];

    // -------------------------------------------------------------------------- operands
    // m_result is the value of the instruction in the memory stage, or a load's address.
    reg         m_valid, m_load, m_memory, m_fault, m_writes, m_is_store;
    reg  [4:0]  m_rd;
    reg  [2:0]  m_funct3;
    reg  [31:0] m_result;
    reg  [31:1] m_pc;
    wire        m_done, m_clear, trap_bus;
    wire [31:0] load_value;
    wire [31:0] m_value = m_load ? load_value : m_result;

    wire        bypass1, bypass2;
    wire [31:0] a, r;
    core_operands #(.AHEAD(FETCH_STAGE)) operands (
        .clk(clk), .rst(rst), .take(x_take), .next_numbers(x_next[24:15]), .numbers({rs2, rs1}),
        .destination(x_instruction[11:7]), .destined(writes), .fire(x_fire), .flush(trap_bus),
        .m_valid(m_valid), .m_clear(m_clear), .m_done(m_done), .m_writes(m_writes), .m_rd(m_rd), .m_value(m_value),
        .forwarded((FORWARD_LOADS != 0) ? m_value : m_result),
        .from_ahead1(bypass1), .from_ahead2(bypass2), .rs1_value(a), .rs2_value(r)
    );
    wire [31:0] b = b_immediate ? immediate : r;

    // -------------------------------------------------------------------------- arithmetic
    wire [31:0] sum, x_result, csr_value;
    wire        taken, iterate, iterate_done, trap;

    core_alu #(.MULTIPLY(MULTIPLY), .FAST_MULTIPLY(FAST_MULTIPLY)) alu (
        .clk          (clk),
        .rst          (rst),
        .funct3       (funct3),
        .arithmetic   (x_instruction[30]),
        .is_shift     (is_shift),
        .subtract     (subtract),
        .is_unsigned  (is_unsigned),
        .logic_op     (logic_op),
        .result_from  (result_from),
        .a            (a),
        .r            (r),
        .b            (b),
        .alternative  (x_alternative),
        .csr_value    (csr_value),
        .iterate      (iterate),
        .flush        (trap || x_fire || stop),
        .iterate_done (iterate_done),
        .sum          (sum),
        .taken        (taken),
        .result       (x_result)
    );

    // -------------------------------------------------------------------------- what execute may do
    // Nothing happens before the instruction ahead is known to be good and the operands are there.
    assign m_clear  = !m_valid || m_done;
    wire wait_load  = (FORWARD_LOADS == 0) && m_load && ((bypass1 && uses_rs1) || (bypass2 && uses_rs2));
    wire stop_asked;
    wire [31:0] address;                // of a load or store, and whether it is known; see below
    wire        checked, misaligned, d_begun;
    wire is_memory  = is_load || is_store;
    wire has_operands = x_valid && m_clear && !wait_load;
    // With CHECK_FIRST a load or store had its operands a cycle before, and the memory stage has been empty since: its
    // request need not wait for an answer. It stands in a register, too, so nothing comes between from then on.
    wire is_ready   = CHECK_FIRST != 0 && is_memory ? x_valid : has_operands;
    wire x_go       = is_ready && (!is_memory || checked) && !(stop_asked && !d_begun);

    wire wake, interrupt_asked, csr_illegal, data_deny;
    wire unreachable = COMPRESSED == 0 &&
        ((is_jalr && sum[1]) || ((is_jal || (is_branch && taken)) && !x_predicted && x_alternative[1]));
    wire illegal     = illegal_form || (is_csr && csr_illegal);
    wire is_denied   = data_deny && !stopped;
    wire unfit       = x_fault || illegal || is_ecall || is_ebreak || unreachable;
    wire exception   = unfit || (is_memory && (misaligned || is_denied));

    // An interrupt goes before the instruction in execute, which waits as soon as it is asked for; unless its
    // request is already on the bus. WFI is left to finish first, so that the handler returns after it. With
    // execute empty, x_pc follows fetch; only in the cycle after a redirect it is behind.
    wire preempt    = interrupt_asked && !d_begun && !(x_valid && is_wfi && !x_fault) && !stopped && !stepping;
    wire interrupt  = preempt && m_clear && !f_held && !x_pc_stale && !stop_asked;
    wire trap_here  = x_go && exception && !preempt && !f_held && !stopped;
    assign trap_bus = m_fault && !f_held;
    assign trap     = interrupt || trap_here || (trap_bus && !stopped);

    // The debug unit stops the core between two instructions; an instruction of the host's does not trap, it fails.
    assign stop     = stop_asked && m_clear && !d_begun && !x_pc_stale;
    assign fail     = stopped && ((x_go && exception) || trap_bus);

    wire redirects  = is_jalr || is_mret || is_fence_i || (is_jal && !x_predicted) ||
                      (is_branch && taken != x_predicted);
    assign x_fire   = x_go && !exception && !preempt && (!is_memory || d_gnt) &&
                      (!is_iterative || iterate_done) && !(is_wfi && !wake && !stopped && !stepping) &&
                      !(redirects && f_held);
    assign redirect = trap || (x_fire && redirects) || go;
    assign fence_i  = x_fire && is_fence_i;

    assign iterate  = x_go && is_iterative && !exception && !preempt;

    // -------------------------------------------------------------------------- data request
    assign d_we   = is_store;
    assign d_addr = {address[31:2], 2'b00};
    wire [31:0] reached;
    wire        misaligns;
    core_request #(.STAGE(CHECK_FIRST)) request (
        .clk(clk), .rst(rst), .is_memory(is_memory), .has_operands(has_operands),
        .may(!unfit && !preempt && !stop_asked), .go(x_go && is_memory && !exception && !preempt), .fire(x_fire),
        .base(a), .immediate(immediate), .sum(sum), .misaligns(misaligns), .reached(reached), .denied(is_denied),
        .address(address), .checked(checked), .misaligned(misaligned), .begun(d_begun), .d_req(d_req), .d_gnt(d_gnt)
    );

    core_align align (
        .size(funct3[1:0]), .reached(reached[1:0]), .address(address[1:0]), .store_value(r), .misaligned(misaligns),
        .byte_enable(d_be), .lanes(d_wdata),
        .load_funct3(m_funct3), .load_address(m_result[1:0]), .load_lanes(d_rdata), .load_value(load_value)
    );

    // -------------------------------------------------------------------------- traps and CSRs
    wire [31:1] trap_target, return_pc;
`ifdef RVFI
    wire        csr_writes;
    wire [31:0] csr_written;
`endif

    // Exceptions in the order the specification wants; a bus error belongs to the older instruction.
    wire [3:0] cause = m_fault    ? (m_is_store ? 4'd7 : 4'd5) :
                       x_fault    ? 4'd1 :
                       illegal    ? 4'd2 :
                       is_ecall   ? 4'd11 :
                       is_ebreak  ? 4'd3 :
                       unreachable? 4'd0 :
                       misaligned ? (is_store ? 4'd6 : 4'd4) : (is_store ? 4'd7 : 4'd5);
    wire [31:0] trap_value = m_fault ? m_result :
                             interrupt || ((is_ecall || is_ebreak) && !x_fault) ? 32'd0 :
                             x_fault || (unreachable && !is_jalr && !illegal) ? x_alternative :
                             illegal ? x_instruction :
                             COMPRESSED == 0 && is_jalr ? {sum[31:1], 1'b0} : address;
    wire [31:1] trap_pc = m_fault ? m_pc : x_pc;

    core_csr #(
        .COMPRESSED  (COMPRESSED),
        .MULTIPLY    (MULTIPLY),
        .COUNTERS    (COUNTERS),
        .TRAP_VALUES (TRAP_VALUES),
        .PMP_REGIONS (PMP_REGIONS),
        .PMP_POWERS  (PMP_POWERS),
        .PMP_STAGE   (CHECK_FIRST)
    ) csr (
        .clk(clk), .rst(rst),
        .take(x_take), .take_number(x_next[31:20]), .take_funct3(x_next[14:12]), .take_source(x_next[19:15]),
        .rs1_value(a), .commit(x_fire && is_csr), .read_value(csr_value), .illegal(csr_illegal),
        .enter(trap), .enter_interrupt(interrupt), .enter_cause(cause), .enter_pc(trap_pc), .enter_value(trap_value),
        .leave(x_fire && is_mret), .trap_target(trap_target), .return_pc(return_pc),
        .irq_software(irq_software), .irq_timer(irq_timer), .irq_external(irq_external), .irq_platform(irq_platform),
        .interrupt_asked(interrupt_asked), .wake(wake),
        .retire(x_fire && !stopped), .unretire(trap_bus && !stopped), .time_now(time_now), .instret(instret),
        .fetch_address(arrive_addr), .fetch_deny(arrive_deny),
        .data_address(reached[31:2]), .data_write(is_store), .data_deny(data_deny)
`ifdef RVFI
        ,
        .rvfi_write      (csr_writes),
        .rvfi_value      (csr_written)
`endif
    );

    assign redirect_target = (DEBUG != 0 && go) ? debug_pc[31:1] :
                             trap ? trap_target :
                             is_mret ? return_pc :
                             is_jalr ? sum[31:1] : x_alternative[31:1];

    // ============================================================================ memory
    // Loads and stores wait here for their answer; everything else passes through in a cycle.
    assign m_done = m_valid && !m_fault && (!m_memory || (d_rvalid && !d_err));

    always @(posedge clk) begin
        if (m_clear) begin
            m_valid    <= x_fire;
            m_memory   <= is_memory;
            m_load     <= is_load;
            m_is_store <= is_store;
            m_writes   <= writes;
            m_rd       <= x_instruction[11:7];
            m_funct3   <= funct3;
            m_result   <= x_result;
            m_pc       <= x_pc;
        end
        if (trap_bus) begin
            m_valid <= 1'b0;
            m_fault <= 1'b0;
        end else if (m_valid && m_memory && d_rvalid && d_err) begin
            m_fault <= 1'b1;
        end
        if (rst) begin
            m_valid  <= 1'b0;
            m_fault  <= 1'b0;
            m_load   <= 1'b0;
            m_rd     <= 5'd0;
            m_result <= 32'd0;
        end
    end

    assign retire_valid = m_done && !stopped;
    assign retire_pc    = {m_pc, 1'b0};

    wire unused = &{1'b0, f_raw, f_pc[0], x_alternative[0]};

    // ============================================================================ debug
    generate
        if (DEBUG != 0) begin : debug
            core_debug unit (
                .clk(clk), .rst(rst), .halt(debug_halt), .on_ebreak(debug_on_ebreak), .resume(debug_resume),
                .step(debug_step), .write_pc(debug_write_pc), .run(debug_run), .data(debug_data),
                .breaks(debug_breaks), .watches(debug_watches),
                .stopped(stopped), .busy(debug_busy), .failed(debug_failed), .reason(debug_reason),
                .index(debug_index), .pc(debug_pc), .result(debug_result),
                .take(f_take), .f_pc(f_pc[31:1]), .f_held(f_held), .x_valid(x_valid), .x_pc(x_pc),
                .x_ebreak(is_ebreak && !x_fault && !illegal_form), .x_fire(x_fire), .x_load(is_load),
                .x_store(is_store), .x_address(address[31:2]), .trapped(trap), .fail(fail), .m_valid(m_valid),
                .m_done(m_done), .m_value(m_value), .asked(stop_asked), .stop(stop), .inject(inject), .go(go),
                .stepping(stepping)
            );
        end else begin : no_debug
            assign {stopped, stop_asked, inject, go, stepping} = 5'd0;
            assign {debug_busy, debug_failed, debug_reason, debug_index} = 7'd0;
            assign debug_pc     = 32'd0;
            assign debug_result = 32'd0;
            wire unused_debug = &{1'b0, debug_halt, debug_on_ebreak, debug_resume, debug_step, debug_write_pc,
                                  debug_run, debug_data, debug_breaks, debug_watches, fail};
        end
    endgenerate
    assign debug_stopped = stopped;

`ifdef RVFI
    // ============================================================================ RVFI
    reg [31:0] x_raw;
    always @(posedge clk)
        if (f_take) x_raw <= f_raw;

    core_rvfi rvfi (
        .clk(clk), .rst(rst), .open(x_fire || trap_here), .open_trap(trap_here), .open_fault(trap_here && x_fault),
        .interrupted(interrupt), .executing(x_valid), .redirected(redirect), .instruction(x_raw), .pc({x_pc, 1'b0}),
        .next_pc(redirect ? {redirect_target, 1'b0} : f_pc), .rs1(rs1), .rs2(rs2), .rs1_value(a), .rs2_value(r),
        .uses_rs1(uses_rs1), .uses_rs2(uses_rs2), .memory_address(d_addr), .read_mask(is_load ? d_be : 4'd0),
        .write_mask(is_store ? d_be : 4'd0), .write_lanes(d_wdata), .is_csr(is_csr), .csr_writes(csr_writes),
        .csr_value(csr_value), .csr_written(csr_written), .done(m_done), .fault(trap_bus),
        .fault_target({trap_target, 1'b0}), .writes(m_writes), .rd(m_rd), .rd_value(m_value), .read_lanes(d_rdata),
        .rvfi_valid(rvfi_valid), .rvfi_order(rvfi_order), .rvfi_insn(rvfi_insn), .rvfi_trap(rvfi_trap),
        .rvfi_halt(rvfi_halt), .rvfi_intr(rvfi_intr), .rvfi_mode(rvfi_mode), .rvfi_ixl(rvfi_ixl),
        .rvfi_rs1_addr(rvfi_rs1_addr), .rvfi_rs2_addr(rvfi_rs2_addr), .rvfi_rs1_rdata(rvfi_rs1_rdata),
        .rvfi_rs2_rdata(rvfi_rs2_rdata), .rvfi_rd_addr(rvfi_rd_addr), .rvfi_rd_wdata(rvfi_rd_wdata),
        .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_addr(rvfi_mem_addr),
        .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_wmask(rvfi_mem_wmask), .rvfi_mem_rdata(rvfi_mem_rdata),
        .rvfi_mem_wdata(rvfi_mem_wdata), .rvfi_fetch_fault(rvfi_fetch_fault), .rvfi_csr_read(rvfi_csr_read),
        .rvfi_csr_write(rvfi_csr_write), .rvfi_csr_rdata(rvfi_csr_rdata), .rvfi_csr_wdata(rvfi_csr_wdata)
    );
`endif

`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            // Answers arrive only where an access waits for one.
            assert (!d_rvalid || (m_valid && m_memory && !m_fault));
            // Compared ahead or now: the same.
            assert (!x_valid || bypass1 == (m_valid && m_writes && m_rd == rs1));
            assert (!x_valid || bypass2 == (m_valid && m_writes && m_rd == rs2));
            // Both adders agree.
            assert (!(x_valid && is_memory) || reached == sum);
            // What was checked has nothing ahead of it.
            assert (CHECK_FIRST == 0 || !(x_valid && is_memory && checked) || (has_operands && !m_valid));
            // x0 is constant.
            assert (!(m_done && m_writes && m_rd == 5'd0));
            // A fault is taken with nothing executing beside it.
            assert (!(m_fault && (x_fire || d_req)));
        end
    reg        past_held;
    reg [68:0] past_request;
    always @(posedge clk) begin
        past_held    <= !rst && d_req && !d_gnt;
        past_request <= {d_we, d_addr, d_be, d_wdata};
        // A request stays as it is until it is granted (read lanes are without meaning).
        if (!rst && past_held) assert (d_req && {d_we, d_addr, d_be} == past_request[68:32]);
        if (!rst && past_held && d_we) assert (d_wdata == past_request[31:0]);
    end
`endif
endmodule

`default_nettype wire
