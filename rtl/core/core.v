// SPDX-License-Identifier: Apache-2.0
//
// Control core: RV32IMC, Zicsr, Zifencei, machine mode, physical memory protection. In order, one instruction a cycle:
//
//   fetch    (core_fetch)  words along the predicted way, cut into instructions                     -> d_*
//   decode   expands, decodes, reads registers, adds the target of a jump                           -> x_*
//   execute  bypass, ALU, branch; CSRs; the request of a load; mistakes of the prediction           -> m_*
//   memory   protection; a load's answer, a product; the request of a store                         -> w_*
//   write    registers; a store's answer; traps
//
// Values go from the memory and write stages to execute. The value of a load or a product is known at the end of the
// memory stage, so an instruction that needs it at once waits a cycle in execute.
//
// Whatever goes wrong with an instruction travels with it and is dealt with when it comes to write: everything ahead of
// it is done then, everything after it is forgotten. Until then it does nothing that could be seen: a store asks for
// its access when protection has looked at it, and not before what is ahead of it is known to be good. A load asks a
// stage earlier, beside protection; if it is denied, its answer is dropped. CSR instructions, mret and fence.i
// wait in execute until they are the only one. An interrupt takes the place of the instruction in execute.
//
// Contracts of both ports: a request {req, addr, we, be, wdata} is accepted in a cycle with gnt. One that is not may
// change or go in the next cycle. The answer {rvalid, rdata, err} comes in order, at least one cycle after the grant,
// for writes too. gnt must not depend combinationally on the other port's request. (Data goes before instructions where
// they share a memory.) Answers must not depend combinationally on any request. At most one data access is
// outstanding. Addresses are word aligned. be marks the bytes, of loads too.
`default_nettype none

module core #(
    parameter [31:0] RESET_VECTOR  = 32'h00000000,
    parameter        COMPRESSED    = 1,     // the C extension
    parameter        MULTIPLY      = 1,     // the M extension
    parameter        SHIFTER       = 1,     // 0: shifts take a cycle more a bit
    parameter        PREDICT       = 10,    // log2 of the entries of the table of jumps; 0: there is none
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
    output wire [31:0] d_store_addr,        // d_addr and d_be with d_we, from registers
    output wire [3:0]  d_store_be,
    output wire [31:0] d_load_addr,         // d_addr without d_we
    output wire        d_loads,             // d_req may come without d_we; early
    input  wire        d_rvalid,
    input  wire        d_frees,             // only with d_rvalid, not with d_err: the next access may be asked for
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
    output wire        rvfi_valid, rvfi_trap, rvfi_halt, rvfi_intr,
    output wire [63:0] rvfi_order,
    output wire [1:0]  rvfi_mode, rvfi_ixl,
    output wire [4:0]  rvfi_rs1_addr, rvfi_rs2_addr, rvfi_rd_addr,
    output wire [31:0] rvfi_insn, rvfi_rs1_rdata, rvfi_rs2_rdata, rvfi_rd_wdata, rvfi_pc_rdata, rvfi_pc_wdata,
    output wire [31:0] rvfi_mem_addr, rvfi_mem_rdata, rvfi_mem_wdata,
    output wire [3:0]  rvfi_mem_rmask, rvfi_mem_wmask,
    output wire        rvfi_fetch_fault,    // ours: the record's instruction could not be fetched
    output wire        rvfi_csr_read,       // ours: it is a CSR instruction that completed; the number is in its bits
    output wire        rvfi_csr_write,      // and it wrote
    output wire [31:0] rvfi_csr_rdata, rvfi_csr_wdata       // before what the register does not keep is dropped
`endif
);
    // ============================================================================ what ends a way
    // A redirect of execute or a trap stands in a register for a cycle; in it everything in decode and execute dies.
    // A trap in write kills the memory stage as well.
    reg         redirect;
    reg  [31:1] redirect_target;
    reg         w_trap;
    wire        stopped, stepping, inject, stop, go;
    wire        kill = redirect || w_trap;

    // ============================================================================ fetch
    // While the debug unit has stopped the core, fetch asks for nothing and the host's instruction comes instead.
    wire        d_valid, d_short, d_fault, d_fault_second, d_turn, d_strong, d_bad, d_fire;
    wire [31:1] d_pc, d_next;
    wire [31:0] d_raw;
    wire        arrive_deny;
    wire [31:2] arrive_addr;
    reg         u_update, u_valid, u_strong;
    reg  [31:1] u_place;
    reg  [1:0]  u_kind;
    reg  [17:1] u_target;
    reg         called, returned, redirect_call;

    core_fetch #(.RESET_VECTOR(RESET_VECTOR), .COMPRESSED(COMPRESSED), .PREDICT(PREDICT)) fetch (
        .clk(clk), .rst(rst), .i_req(i_req), .i_gnt(i_gnt), .i_addr(i_addr), .i_rvalid(i_rvalid), .i_rdata(i_rdata),
        .i_err(i_err), .arrive_addr(arrive_addr), .arrive_deny(arrive_deny), .redirect(redirect),
        .redirect_target(redirect_target), .update(u_update), .update_place(u_place), .update_valid(u_valid),
        .update_strong(u_strong), .update_kind(u_kind), .update_target(u_target), .called(called),
        .returned(returned), .redirect_call(redirect_call), .link(m_result[31:1]), .idle(stopped), .inject(inject),
        .injected(debug_data), .valid(d_valid), .take(d_fire), .pc(d_pc), .raw(d_raw), .fault(d_fault),
        .fault_second(d_fault_second), .is_short(d_short), .turn(d_turn), .target(d_next), .sure(d_strong),
        .bad(d_bad)
    );

    // ============================================================================ decode
    wire [31:0] d_long, d_instruction;
    generate
        if (COMPRESSED != 0) begin : compressed
            core_expand expand (.short_form(d_raw[15:0]), .long_form(d_long));
            assign d_instruction = d_short ? d_long : d_raw;
        end else begin : whole
            assign d_long        = d_raw;
            assign d_instruction = d_long;
        end
    endgenerate

    wire [31:0] d_offset;
    wire        d_is_branch, d_is_jal, d_is_auipc;
    core_offset jumps (.is_short(d_short), .raw(d_raw), .is_branch(d_is_branch), .is_jal(d_is_jal),
                       .is_auipc(d_is_auipc), .offset(d_offset));
    wire [31:0] d_target = {d_pc, 1'b0} + d_offset;

    wire [4:0]  d_rs1 = d_instruction[19:15], d_rs2 = d_instruction[24:20];
    wire [31:0] rs1_stored, rs2_stored;

    // ============================================================================ execute
    reg         x_valid, x_fault, x_fault_second, x_turn, x_strong, x_bad, x_short;
    reg  [31:0] x_instruction, x_target, x_a, x_r;
    reg  [31:1] x_pc, x_next;           // its own address; where it was predicted to jump
    reg         x_a_from_m, x_a_from_w, x_r_from_m, x_r_from_w;
    wire        x_fire;

    wire        illegal_form, uses_rs1, uses_rs2, writes, b_immediate, subtract, is_unsigned;
    wire        is_load, is_store, is_branch, is_jal, is_jalr, is_multiply, is_divide;
    wire        is_csr, is_fence_i, is_ecall, is_ebreak, is_mret, is_wfi;
    wire [1:0]  logic_op;
    wire [2:0]  result_from;
    wire [31:0] immediate;
    core_decode #(.MULTIPLY(MULTIPLY)) decode (
        .clk(clk), .take(d_fire), .instruction(d_instruction), .is_short(COMPRESSED != 0 && d_short), .raw(d_raw),
        .illegal(illegal_form), .uses_rs1(uses_rs1),
        .uses_rs2(uses_rs2), .writes(writes), .immediate(immediate), .b_immediate(b_immediate), .is_load(is_load),
        .is_store(is_store), .is_branch(is_branch), .is_jal(is_jal), .is_jalr(is_jalr), .is_multiply(is_multiply),
        .is_divide(is_divide), .is_csr(is_csr), .is_fence_i(is_fence_i), .is_ecall(is_ecall), .is_ebreak(is_ebreak),
        .is_mret(is_mret), .is_wfi(is_wfi), .subtract(subtract), .is_unsigned(is_unsigned), .logic_op(logic_op),
        .result(result_from)
    );
    wire [2:0] funct3 = x_instruction[14:12];
    wire [4:0] x_rd   = x_instruction[11:7];

    // -------------------------------------------------------------------------- memory and write, in registers
    reg         m_valid, m_load, m_store, m_multiply, m_writes, m_trap, m_interrupt, m_counts_itself, m_was_denied;
    reg  [4:0]  m_rd, m_cause;
    reg  [2:0]  m_funct3;
    reg  [3:0]  m_be;
    reg  [31:0] m_result, m_wdata;      // of a load or store: its address
    reg  [31:1] m_pc;
    wire        m_stall;

    reg         w_valid, w_store, w_writes, w_interrupt, w_counts_itself;
    reg  [4:0]  w_rd, w_cause;
    reg  [31:0] w_value, w_trap_value;
    reg  [31:1] w_pc;
    wire        w_done;

    // -------------------------------------------------------------------------- operands
    // Where they come from is found out in decode. An instruction that has to stay keeps what it has got. One that
    // needs the load or product ahead of it waits until that has left the memory stage. An interrupt
    // does not wait for an instruction: decode hands over its address alone, to be fetched again if the interrupt goes.
    reg         asked, x_waits;
    `include "core_result.vh"
    wire        waits_for = x_valid && (is_load || is_multiply) && writes && (x_rd == d_rs1 || x_rd == d_rs2);
    assign d_fire = (d_valid || asked) && !m_stall && (x_fire || !x_valid);

    wire        w_writes_now = w_done && w_writes;
    wire        x_makes = x_valid && writes, m_makes = m_valid && m_writes;
    wire [31:0] a = x_a_from_m ? m_result : x_a_from_w ? w_value : x_a;
    wire [31:0] r = x_r_from_m ? m_result : x_r_from_w ? w_value : x_r;
    wire [31:0] b = b_immediate ? immediate : r;
    always @(posedge clk)
        if (d_fire) begin
            x_a        <= w_writes_now && w_rd == d_rs1 ? w_value : rs1_stored;
            x_r        <= w_writes_now && w_rd == d_rs2 ? w_value : rs2_stored;
            x_a_from_m <= x_makes && x_rd == d_rs1;
            x_r_from_m <= x_makes && x_rd == d_rs2;
            x_a_from_w <= m_makes && m_rd == d_rs1;
            x_r_from_w <= m_makes && m_rd == d_rs2;
            x_waits    <= waits_for;
        end else begin
            x_a <= shifts ? shifted : a;
            x_r <= r;
            {x_a_from_m, x_r_from_m} <= x_waits && m_stall ? {x_a_from_m, x_r_from_m} : 2'd0;
            {x_a_from_w, x_r_from_w} <= x_waits && !m_stall ? {x_a_from_m, x_r_from_m} : 2'd0;
            x_waits                  <= x_waits && m_stall;
        end

    always @(posedge clk) begin
        if (d_fire) begin
            x_valid        <= 1'b1;
            x_instruction  <= d_instruction;
            x_pc           <= d_pc;
            x_next         <= d_next;
            x_target       <= d_target;
            x_fault        <= d_fault || d_fault_second;
            x_fault_second <= d_fault_second;
            x_short        <= d_short;
            x_turn         <= d_turn;
            x_strong       <= d_strong;
            x_bad          <= d_bad || !d_valid;
        end else if (x_fire) begin
            x_valid <= 1'b0;
        end
        if (rst || kill || stop) x_valid <= 1'b0;
    end

    // -------------------------------------------------------------------------- arithmetic
    wire [31:0] address = a + immediate;        // of a load or store; the target of jalr
    wire [1:0]  low     = {a[1] ^ immediate[1] ^ (a[0] && immediate[0]), a[0] ^ immediate[0]};      // of it, early
    wire [31:1] sequel  = x_pc + (x_short ? 31'd1 : 31'd2);
    wire [31:0] x_result, csr_value;
    wire        taken, divide_done, x_divides;
    core_alu #(.MULTIPLY(MULTIPLY), .SHIFTER(SHIFTER)) alu (
        .clk         (clk),
        .rst         (rst),
        .funct3      (funct3),
        .arithmetic  (x_instruction[30]),
        .subtract    (subtract),
        .is_unsigned (is_unsigned),
        .logic_op    (logic_op),
        .result_from (result_from),
        .a           (a),
        .r           (r),
        .b           (b),
        .link        ({sequel, 1'b0}),
        .target      (x_target),
        .csr_value   (csr_value),
        .divide      (x_divides),
        .flush       (x_fire || kill || stop),
        .divide_done (divide_done),
        .taken       (taken),
        .result      (x_result)
    );

    // -------------------------------------------------------------------------- what execute may do
    wire        stop_asked, wake, interrupt_asked, csr_illegal, counts_itself, d_denied;
    wire [4:0]  interrupt_cause;
    wire        x_alone  = !m_valid && !w_valid && !w_trap;
    wire        x_alive  = x_valid && !x_waits && !kill && !stop_asked;
    wire        x_system = is_csr || is_fence_i || is_mret;

    wire        misaligned, unreachable;
    wire        illegal   = illegal_form || (is_csr && csr_illegal);
    wire        interrupt = interrupt_asked && !stopped && !stepping && (!is_wfi || x_bad);
    wire        x_enters  = x_alive && interrupt && !m_valid && !m_stall;     // goes by the memory stage
    always @(posedge clk) asked <= interrupt_asked && !stopped && !stepping && !rst;
    wire        unfit     = x_fault || illegal || is_ecall || is_ebreak;
    wire        x_trap    = interrupt || unfit || unreachable || ((is_load || is_store) && misaligned);
    wire        x_plain   = x_alive && !x_trap && !x_bad;

    // Without a shifter, operand a moves by a bit in each cycle in which its instruction waits.
    wire        load_goes, shifts;
    wire [31:0] shifted = funct3[2] ? {x_instruction[30] && a[31], a[31:1]} : {a[30:0], 1'b0};
    generate
        if (SHIFTER != 0) begin : at_once
            assign shifts = 1'b0;
        end else begin : bit_by_bit
            reg [4:0] moved;
            assign shifts = x_valid && !x_waits && result_from == RESULT_SHIFT && moved != b[4:0];
            always @(posedge clk) moved <= d_fire ? 5'd0 : moved + {4'd0, shifts};
        end
    endgenerate
    wire        x_ready = shifts ? 1'b0 : is_load ? load_goes : is_divide ? divide_done :
                          is_wfi ? wake || stopped || stepping : !x_system || x_alone;
    assign x_fire    = x_alive && !m_stall && (x_trap || x_bad || x_ready);
    assign x_divides = x_plain && is_divide;
    wire   x_done    = x_fire && !x_trap && !x_bad;
    wire   x_commits = x_alive && !m_stall && !interrupt && !unfit && !x_bad && x_alone;   // if x_system, but for wfi

    // -------------------------------------------------------------------------- where the program goes on
    wire        is_jump   = is_jal || is_jalr || (is_branch && taken);
    wire        meets     = is_jalr ? address[31:1] == x_next : x_target[31:1] == x_next;
    wire        right     = x_turn ? is_jump && meets : !is_jump;
    wire [31:1] jump_to   = is_jalr ? address[31:1] : x_target[31:1];
    wire [31:1] goes_to   = x_bad ? x_pc : is_mret ? return_pc : is_jump ? jump_to : sequel;
    wire        redirects = x_fire && !stopped &&
                            ((!x_trap && (!right || is_mret || is_fence_i)) || (x_bad && !interrupt));
    wire [31:1] trap_target, return_pc;
    wire        trap_taken = w_trap && !stopped;
    assign unreachable = COMPRESSED == 0 && is_jump && jump_to[1];

    always @(posedge clk) begin
        redirect        <= !rst && (redirects || trap_taken || go || stop);
        redirect_target <= DEBUG != 0 && go ? debug_pc[31:1] : trap_taken ? trap_target : goes_to;
    end
    assign fence_i = x_commits && is_fence_i;

    // What the table of jumps learns. A turn that was right and strong needs nothing.
    wire        x_jumped = is_jump && !x_bad;
    wire [31:1] x_last   = x_pc + (x_short || x_bad ? 31'd0 : 31'd1);
    wire        kept     = jump_to[31:18] == x_last[31:18];
    wire        is_call  = (is_jal || is_jalr) && x_rd == 5'd1;
    wire        is_return = is_jalr && !is_call && x_instruction[19:15] == 5'd1;
    always @(posedge clk) begin
        called        <= x_done && is_call && !stopped;
        returned      <= x_done && is_return && !stopped;
        redirect_call <= x_done && is_call;
    end
    always @(posedge clk) begin
        u_update <= !rst && x_fire && ((x_bad && !interrupt) || (!x_trap && (x_turn || (x_jumped && kept)) &&
                                                  !(x_turn && x_strong && right && x_jumped)));
        u_valid  <= x_jumped ? kept : x_turn && x_strong && !x_bad;
        u_strong <= x_jumped && x_turn && right;
        u_place  <= x_last;
        u_kind   <= {is_return, is_call};
        u_target <= x_jumped ? jump_to[17:1] : x_target[17:1];
    end

    // -------------------------------------------------------------------------- data port
    wire        m_denied = d_denied && (m_load || m_store) && !stopped;
    reg         orphan;                 // an answer is due that nothing waits for
    wire        is_taken   = m_valid && m_store;
    wire        may_follow = !orphan && !(w_valid && w_store && !d_frees);
    wire        store_asks = is_taken && !w_trap && !m_denied && may_follow;
    wire        free       = !is_taken && !(m_valid && m_trap) && !(m_valid && m_load && !d_frees) && may_follow;
    wire [3:0]  x_be;
    wire [31:0] x_lanes, load_value;
    wire        load_asks = x_plain && is_load && free;
    assign load_goes = load_asks && d_gnt;
    assign d_req   = !rst && (is_taken ? store_asks : load_asks);
    assign d_we    = is_taken;
    assign d_addr  = {is_taken ? m_result[31:2] : address[31:2], 2'b00};
    assign d_be    = is_taken ? m_be : x_be;
    assign d_wdata = m_wdata;
    assign d_store_addr = {m_result[31:2], 2'b00};
    assign d_store_be   = m_be;
    assign d_load_addr  = {address[31:2], 2'b00};
    assign d_loads      = x_valid && is_load;

    core_align align (
        .size(funct3[1:0]), .address(low), .store_value(r), .misaligned(misaligned), .byte_enable(x_be),
        .lanes(x_lanes),
        .load_funct3(m_funct3), .load_address(m_result[1:0]), .load_lanes(d_rdata), .load_value(load_value)
    );

    always @(posedge clk)
        orphan <= !rst && ((w_trap && m_valid && m_load && !d_rvalid) || (orphan && !d_rvalid));

    // -------------------------------------------------------------------------- traps and CSRs
`ifdef RVFI
    wire        csr_writes;
    wire [31:0] csr_written;
`endif
    // Exceptions in the order the specification wants.
    wire [3:0]  x_cause = x_fault     ? 4'd1 :
                          illegal     ? 4'd2 :
                          is_ecall    ? 4'd11 :
                          is_ebreak   ? 4'd3 :
                          unreachable ? 4'd0 :
                          is_store    ? 4'd6 : 4'd4;
    wire        no_value = TRAP_VALUES == 0 || interrupt || ((is_ecall || is_ebreak) && !x_fault && !illegal);
    wire [31:0] trap_value = no_value ? 32'd0 :
                             x_fault ? {x_fault_second ? x_pc + 31'd1 : x_pc, 1'b0} :
                             illegal ? x_instruction :
                             unreachable ? {jump_to, 1'b0} : address;

    core_csr #(
        .COMPRESSED  (COMPRESSED),
        .MULTIPLY    (MULTIPLY),
        .COUNTERS    (COUNTERS),
        .TRAP_VALUES (TRAP_VALUES),
        .PMP_REGIONS (PMP_REGIONS),
        .PMP_POWERS  (PMP_POWERS)
    ) csr (
        .clk(clk), .rst(rst),
        .take(d_fire), .take_number(d_raw[31:20]), .take_funct3(d_raw[14:12]), .take_source(d_raw[19:15]),
        .rs1_value(a), .commit(x_commits && is_csr), .read_value(csr_value), .illegal(csr_illegal),
        .enter(trap_taken), .enter_interrupt(w_interrupt), .enter_cause(w_cause), .enter_pc(w_pc),
        .enter_value(w_trap_value), .leave(x_commits && is_mret), .trap_target(trap_target), .return_pc(return_pc),
        .irq_software(irq_software), .irq_timer(irq_timer), .irq_external(irq_external), .irq_platform(irq_platform),
        .interrupt_asked(interrupt_asked), .interrupt_cause(interrupt_cause), .wake(wake),
        .retire(w_done && !w_counts_itself && !stopped), .counts_itself(counts_itself), .time_now(time_now),
        .instret(instret),
        .fetch_address(arrive_addr), .fetch_deny(arrive_deny),
        .data_take(!m_stall), .data_address(address[31:2]), .data_write(m_store), .data_deny(d_denied)
`ifdef RVFI
        ,
        .rvfi_write      (csr_writes),
        .rvfi_value      (csr_written)
`endif
    );

    // ============================================================================ memory
    wire [31:0] product;
    generate
        if (MULTIPLY != 0) begin : multiplier
            core_multiply multiply (.clk(clk), .take(!m_stall), .operation(funct3[1:0]), .a(a), .b(r),
                                    .product(product));
        end else begin : no_multiplier
            assign product = 32'd0;
        end
    endgenerate

    // A store that was denied need not wait for its grant.
    wire w_waits = w_valid && w_store && !(d_rvalid && !d_err);
    assign m_stall = w_waits || (m_valid && ((m_load && !d_rvalid) ||
                                             (m_store && !m_was_denied && !(d_gnt && may_follow))));
    wire   m_is_result = !m_load && !m_multiply;
    wire   m_bad   = m_trap || m_denied || (m_load && d_err);

    always @(posedge clk) begin
        if (!m_stall) begin
            m_valid         <= x_fire && (!x_bad || interrupt);
            m_load          <= is_load && !x_trap;
            m_store         <= is_store && !x_trap;
            m_multiply      <= is_multiply && !x_trap;
            m_writes        <= writes;
            m_rd            <= x_rd;
            m_funct3        <= funct3;
            m_be            <= x_be;
            m_wdata         <= x_lanes;
            m_result        <= TRAP_VALUES != 0 && x_trap ? trap_value : is_load || is_store ? address : x_result;
            m_pc            <= x_pc;
            m_trap          <= x_trap;
            m_interrupt     <= interrupt;
            m_cause         <= interrupt ? interrupt_cause : {1'b0, x_cause};
            m_counts_itself <= is_csr && counts_itself;
        end
        m_was_denied <= m_stall && m_valid && m_denied;
        if (w_trap || rst) m_valid <= 1'b0;
    end

    // ============================================================================ write
    assign w_done = w_valid && (!w_store || (d_rvalid && !d_err));
    reg clear_x0;
    always @(posedge clk) begin
        clear_x0 <= rst;
        if (w_valid && w_store && !d_rvalid) begin
            // Waits.
        end else if (w_valid && w_store && d_err) begin
            w_valid     <= 1'b0;
            w_trap      <= 1'b1;
            w_cause     <= 5'd7;
            w_interrupt <= 1'b0;
        end else begin
            w_valid         <= m_valid && !m_stall && !m_bad;
            w_trap          <= (m_valid && !m_stall && m_bad) || x_enters;
            w_store         <= m_store;
            w_writes        <= m_writes;
            w_rd            <= m_rd;
            w_value         <= (m_load ? load_value : 32'd0) | (m_multiply ? product : 32'd0) |
                               (m_is_result ? m_result : 32'd0);
            w_trap_value    <= m_result;
            w_pc            <= m_valid ? m_pc : x_pc;
            w_interrupt     <= m_valid ? m_interrupt && m_trap : 1'b1;
            w_cause         <= !m_valid ? interrupt_cause : m_trap ? m_cause : m_store ? 5'd7 : 5'd5;
            w_counts_itself <= m_counts_itself;
        end
        if (w_trap || rst) {w_valid, w_trap} <= 2'b00;
        if (rst) begin
            w_rd    <= 5'd0;
            w_value <= 32'd0;
        end
    end

    core_registers register_file (
        .clk(clk), .rs1(d_rs1), .rs1_value(rs1_stored), .rs2(d_rs2), .rs2_value(rs2_stored),
        .write(w_writes_now || clear_x0), .rd(w_rd), .rd_value(w_value)
    );

    assign retire_valid = w_done && !stopped;
    assign retire_pc    = {w_pc, 1'b0};

    wire unused = &{1'b0, d_is_branch, d_is_jal, d_is_auipc, uses_rs1, uses_rs2, x_target[0], debug_pc[0]};

    // ============================================================================ debug
    // It stops the core before the instruction in execute, when nothing is ahead of it.
    assign stop = stop_asked && x_valid && x_alone && !kill;
    generate
        if (DEBUG != 0) begin : debug
            core_debug unit (
                .clk(clk), .rst(rst), .halt(debug_halt), .on_ebreak(debug_on_ebreak), .resume(debug_resume),
                .step(debug_step), .write_pc(debug_write_pc), .run(debug_run), .data(debug_data),
                .breaks(debug_breaks), .watches(debug_watches),
                .stopped(stopped), .busy(debug_busy), .failed(debug_failed), .reason(debug_reason),
                .index(debug_index), .pc(debug_pc), .result(debug_result),
                .take(d_fire), .take_pc(d_pc), .x_valid(x_valid), .x_pc(x_pc),
                .x_ebreak(is_ebreak && !x_fault && !illegal_form && !x_bad), .x_fire(x_fire && !x_bad), .x_done(x_done),
                .x_load(is_load), .x_store(is_store), .x_address(address[31:2]), .fail(w_trap),
                .under_way(d_valid || x_valid || m_valid || w_valid || w_trap),
                .w_done(w_done), .w_value(w_value), .asked(stop_asked), .stop(stop), .inject(inject), .go(go),
                .stepping(stepping)
            );
        end else begin : no_debug
            assign {stopped, stop_asked, inject, go, stepping} = 5'd0;
            assign {debug_busy, debug_failed, debug_reason, debug_index} = 7'd0;
            assign debug_pc     = 32'd0;
            assign debug_result = 32'd0;
            wire unused_debug = &{1'b0, debug_halt, debug_on_ebreak, debug_resume, debug_step, debug_write_pc,
                                  debug_run, debug_data, debug_breaks, debug_watches};
        end
    endgenerate
    assign debug_stopped = stopped;

`ifdef RVFI
    // ============================================================================ RVFI
    reg [31:0] x_raw;
    always @(posedge clk)
        if (d_fire) x_raw <= d_short ? {16'd0, d_raw[15:0]} : d_raw;

    core_rvfi rvfi (
        .clk(clk), .rst(rst), .open(x_fire && !x_bad && !stopped), .open_fault(x_fault),
        .instruction(x_raw), .pc({x_pc, 1'b0}), .next_pc({goes_to, 1'b0}),
        .rs1(x_instruction[19:15]), .rs2(x_instruction[24:20]), .rs1_value(a), .rs2_value(r), .uses_rs1(uses_rs1),
        .uses_rs2(uses_rs2), .memory_address({address[31:2], 2'b00}), .read_mask(is_load ? x_be : 4'd0),
        .write_mask(is_store ? x_be : 4'd0), .write_lanes(x_lanes), .is_csr(is_csr), .csr_writes(csr_writes),
        .csr_value(csr_value), .csr_written(csr_written), .m_take(!m_stall), .read_lanes(d_rdata),
        .w_take(!w_waits), .done(w_done && !stopped), .trap(trap_taken), .trap_interrupt(w_interrupt),
        .trap_target({trap_target, 1'b0}),
        .writes(w_writes), .rd(w_rd), .rd_value(w_value),
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
            // Answers arrive only where an access waits for one, and one access at a time is under way.
            assert (!d_rvalid || orphan || (m_valid && m_load) || (w_valid && w_store));
            assert (!(m_valid && m_load && w_valid && w_store));
            // An operand that is bypassed is there.
            assert (!(x_valid && (x_a_from_m || x_r_from_m)) || (m_valid && (m_is_result || x_waits)) || kill);
            // x0 is constant.
            assert (!(w_writes_now && w_rd == 5'd0));
            // A CSR instruction is alone.
            assert (!(x_done && x_system) || x_alone);
            assert ((x_commits && x_system && !is_wfi) == (x_done && x_system && !is_wfi));
            // Nothing asks for an access that a trap ahead of it takes back, but loads.
            assert (!(w_trap && d_req && d_we));
        end
`endif
endmodule

`default_nettype wire
