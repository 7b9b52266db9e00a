// SPDX-License-Identifier: Apache-2.0
//
// Control and status registers of machine mode, trap entry and return, and the choice of the interrupt.
//
// A CSR instruction reads and writes in one cycle, in which it leaves the execute stage with nothing ahead of it. So
// the next instruction sees every effect, and so do interrupts. Interrupt lines are sampled once, in one cycle.
// mstatus has MIE and MPIE. MPP is always machine mode. A register that the privileged specification requires, and this
// core has no use for, reads zero and ignores writes. Every other number is illegal.
`default_nettype none

module core_csr #(
    parameter COMPRESSED  = 1,
    parameter MULTIPLY    = 1,
    parameter COUNTERS    = 1,          // 0: mcycle and minstret read zero, no user counters
    parameter TRAP_VALUES = 1,          // 0: mtval reads zero
    parameter PMP_REGIONS = 4,          // 0..8
    parameter PMP_POWERS  = 1           // 0: no NA4, no NAPOT
) (
    input  wire        clk,
    input  wire        rst,

    // CSR instruction: number, funct3 and source of the instruction handed over with `take` are held; from the next
    // cycle on `read_value` and `illegal` tell about it; the effect happens with `commit`.
    input  wire        take,
    input  wire [11:0] take_number,
    input  wire [2:0]  take_funct3,
    input  wire [4:0]  take_source,     // rs1 number, or the immediate
    input  wire [31:0] rs1_value,
    input  wire        commit,
    output wire [31:0] read_value,
    output reg         illegal,

    // Traps. `enter` records cause, pc and value and disables interrupts; `leave` is mret. Never together, and
    // neither together with `commit`.
    input  wire        enter,
    input  wire        enter_interrupt, // the cause is an interrupt's, as interrupt_cause said
    input  wire [4:0]  enter_cause,
    input  wire [31:1] enter_pc,
    input  wire [31:0] enter_value,
    input  wire        leave,
    output wire [31:1] trap_target,     // where `enter` goes
    output wire [31:1] return_pc,       // where `leave` goes

    // Interrupts: lines, and what they ask for.
    input  wire        irq_software,
    input  wire        irq_timer,
    input  wire        irq_external,
    input  wire [2:0]  irq_platform,
    output wire        interrupt_asked, // enabled and pending: to be taken before the next instruction
    output wire [4:0]  interrupt_cause, // its number
    output wire        wake,            // pending and enabled in mie, whatever mstatus.MIE says (WFI)

    // Counters: +1 with `retire`. An instruction that `counts_itself` has written minstret and must not.
    input  wire        retire,
    output wire        counts_itself,
    input  wire [63:0] time_now,
    output wire [63:0] instret,

    // Protection.
    input  wire [31:2] fetch_address,
    output wire        fetch_deny,
    input  wire        data_take,
    input  wire [31:2] data_address,
    input  wire        data_write,
    output wire        data_deny
`ifdef RVFI
    ,
    output wire        rvfi_write,      // with `commit`: the instruction writes `rvfi_value`
    output wire [31:0] rvfi_value
`endif
);
    localparam HAS_MISALIGNED = COMPRESSED != 0;    // pc bit 1 can be set

    // ------------------------------------------------------------------------------- the CSR instruction
    // Decoded at the hand-over, so that one flip-flop selects each register.
    wire [11:0] n = take_number;
    wire counter_set = n[11:8] == 4'hb || n[11:8] == 4'hc;      // machine, user
    wire n_cycle     = counter_set && n[6:0] == 7'd0;
    wire n_time      = n[11:8] == 4'hc && n[6:0] == 7'd1;
    wire n_instret   = counter_set && n[6:0] == 7'd2;
    wire n_counter   = n_cycle || n_time || n_instret;
    wire n_trap      = n[11:2] == 10'h0d0;                      // 0x340..0x343
    wire n_pmpcfg    = n[11:2] == 10'h0e8;                      // 0x3a0..0x3a3
    wire n_pmpaddr   = n[11:4] == 8'h3b;                        // 0x3b0..0x3bf

    // mstatush; tselect..tdata3 (no trigger exists); mcountinhibit and mhpmevent3..31; mhpmcounter3..31;
    // mvendorid..mconfigptr.
    wire n_zero = n == 12'h310 || n[11:2] == 10'h1e8 ||
                  (n[11:5] == 7'b0011_001 && (n[4:0] == 5'd0 || n[4:0] > 5'd2)) ||
                  (n[11:8] == 4'hb && n[6:5] == 2'd0 && n[4:0] > 5'd2) ||
                  (n >= 12'hf11 && n <= 12'hf15);
    wire exists = n == 12'h300 || n == 12'h301 || n == 12'h304 || n == 12'h305 || n_trap || n == 12'h344 ||
                  (n_counter && (COUNTERS != 0 || n[11:8] != 4'hc)) ||
                  ((n_pmpcfg || n_pmpaddr) && PMP_REGIONS != 0) || n_zero;
    wire take_writes = take_funct3[1:0] == 2'd1 || take_source != 5'd0;

    reg        is_mstatus, is_misa, is_mie, is_mip, is_mtvec, is_trap, is_counter, is_pmp, is_user;
    reg        is_high, is_cycle, is_instret, has_source, writes;
    reg  [1:0] action, trap_index;      // action: 1 write, 2 set, 3 clear
    reg  [3:0] pmp_index;               // 0 pmpcfg0, 1..8 pmpaddr, 9 pmpcfg1; 15 a register without a region
    reg  [4:0] source;
    wire       beyond = n_pmpcfg ? n[1] : n[3];
    always @(posedge clk)
        if (take) begin
            illegal    <= !exists || (take_writes && n[11:10] == 2'b11);
            writes     <= take_writes;
            action     <= take_funct3[1:0];
            has_source <= take_funct3[2];
            source     <= take_source;
            is_mstatus <= n == 12'h300;
            is_misa    <= n == 12'h301;
            is_mie     <= n == 12'h304;
            is_mtvec   <= n == 12'h305;
            is_mip     <= n == 12'h344;
            is_trap    <= n_trap;
            trap_index <= n[1:0];
            is_counter <= n_counter;
            is_user    <= n[11:8] == 4'hc;
            is_high    <= n[7];
            is_cycle   <= n_cycle;
            is_instret <= n_instret;
            is_pmp     <= n_pmpcfg || n_pmpaddr;
            pmp_index  <= beyond ? 4'd15 : n_pmpcfg ? {n[0], 2'd0, n[0]} : {1'b0, n[2:0]} + 4'd1;
        end

    wire [31:0] operand = has_source ? {27'd0, source} : rs1_value;
    wire        write   = commit && writes;
    assign counts_itself = writes && is_instret && !is_user;
    wire [31:0] write_value = (action == 2'd1) ? operand :
                              (action == 2'd2) ? read_value | operand : read_value & ~operand;
`ifdef RVFI
    assign rvfi_write = writes;
    assign rvfi_value = write_value;
`endif

    // ------------------------------------------------------------------------------- interrupts
    // Standard lines at their standard bits, platform lines at 16, 17, 18; `lines` is {18, 17, 16, 11, 7, 3}.
    wire [5:0] given = {irq_platform, irq_external, irq_timer, irq_software};
    wire [5:0] enabled = given & enables;
    reg  [5:0] lines, enables;
    reg  [4:0] asking;                          // those that are enabled, but the last
    reg        wakes;                           // one of them all
    always @(posedge clk) begin
        lines  <= given;
        asking <= enabled[4:0];
        wakes  <= enabled != 6'd0 && !(write && is_mie) && !rst;
    end
    assign wake = wakes;

    reg  is_enabled, was_enabled;               // mstatus MIE, MPIE
    assign interrupt_asked = is_enabled && wake;

    // Priority: external, software, timer, then the platform lines in their order.
    assign interrupt_cause = asking[2] ? 5'd11 : asking[0] ? 5'd3 : asking[1] ? 5'd7 :
                                 asking[3] ? 5'd16 : asking[4] ? 5'd17 : 5'd18;

    // ------------------------------------------------------------------------------- trap registers
    reg [31:0] scratch, value;
    reg [31:1] epc;
    reg [31:2] tvec;
    reg        is_vectored;
    reg [5:0]  cause;                           // interrupt flag, number

    assign trap_target = {tvec + ((is_vectored && enter_interrupt) ? {25'd0, enter_cause} : 30'd0), 1'b0};
    assign return_pc   = epc;

    always @(posedge clk) begin
        if (enter) begin
            epc         <= enter_pc;
            cause       <= {enter_interrupt, enter_cause};
            value       <= enter_interrupt ? 32'd0 : enter_value;
            is_enabled  <= 1'b0;
            was_enabled <= is_enabled;
        end else if (leave) begin
            is_enabled  <= was_enabled;
            was_enabled <= 1'b1;
        end else if (write) begin
            if (is_mstatus)  {was_enabled, is_enabled} <= {write_value[7], write_value[3]};
            if (is_mie)      enables  <= {write_value[18:16], write_value[11], write_value[7], write_value[3]};
            if (is_mtvec)    {tvec, is_vectored} <= {write_value[31:2], write_value[0]};
            if (is_trap && trap_index == 2'd0) scratch <= write_value;
            if (is_trap && trap_index == 2'd1) epc     <= {write_value[31:2], write_value[1] && HAS_MISALIGNED};
            if (is_trap && trap_index == 2'd2) cause   <= {write_value[31], write_value[4:0]};
            if (is_trap && trap_index == 2'd3) value   <= write_value;
        end
        if (rst) begin
            is_enabled  <= 1'b0;
            was_enabled <= 1'b0;
            enables     <= 6'd0;
            tvec        <= 30'd0;
            is_vectored    <= 1'b0;
            cause       <= 6'd0;
        end
    end

    // ------------------------------------------------------------------------------- counters
    wire [63:0] cycles;
    generate
        if (COUNTERS != 0) begin : counters
            reg [63:0] cycle_count, instruction_count;
            // A write takes the place of the increment.
            wire write_cycle   = write && is_cycle && !is_user;
            wire write_instret = write && is_instret && !is_user;
            always @(posedge clk) begin
                cycle_count <= cycle_count + 64'd1;
                if (retire) instruction_count <= instruction_count + 64'd1;
                if (write_cycle && is_high)    cycle_count[63:32]       <= write_value;
                if (write_cycle && !is_high)   cycle_count[31:0]        <= write_value;
                if (write_instret && is_high)  instruction_count        <= {write_value, instruction_count[31:0]};
                if (write_instret && !is_high) instruction_count        <= {instruction_count[63:32], write_value};
                if (rst) begin
                    cycle_count       <= 64'd0;
                    instruction_count <= 64'd0;
                end
            end
            assign cycles  = cycle_count;
            assign instret = instruction_count;
        end else begin : no_counters
            assign cycles  = 64'd0;
            assign instret = 64'd0;
            wire unused = &{1'b0, retire, is_user, is_high, is_cycle, is_instret, is_counter, time_now};
        end
    endgenerate

    // ------------------------------------------------------------------------------- protection
    wire [31:0] pmp_value;
    generate
        if (PMP_REGIONS != 0) begin : protection
            core_pmp #(.REGIONS(PMP_REGIONS), .POWERS(PMP_POWERS)) pmp (
                .clk            (clk),
                .rst            (rst),
                .index          (pmp_index),
                .read_value     (pmp_value),
                .write          (write && is_pmp),
                .write_value    (write_value),
                .fetch_address  (fetch_address),
                .fetch_deny     (fetch_deny),
                .data_take      (data_take),
                .data_address   (data_address),
                .data_write     (data_write),
                .data_deny      (data_deny)
            );
        end else begin : no_protection
            assign pmp_value  = 32'd0;
            assign fetch_deny = 1'b0;
            assign data_deny  = 1'b0;
            wire unused = &{1'b0, fetch_address, data_take, data_address, data_write, pmp_index};
        end
    endgenerate

    // ------------------------------------------------------------------------------- reading
    localparam [31:0] MISA = 32'h40000100 | (COMPRESSED != 0 ? 32'h4 : 32'h0) | (MULTIPLY != 0 ? 32'h1000 : 32'h0);

    // Registers whose bits are mostly constant share one word; the four trap registers are picked by number.
    wire [5:0]  interrupt_bits = is_mip ? lines : enables;
    wire        shows_bits = is_mie || is_mip;
    wire [31:0] sparse = (is_mstatus ? {19'd0, 2'b11, 3'd0, was_enabled, 3'd0, is_enabled, 3'd0} : 32'd0) |
                         (is_misa ? MISA : 32'd0) |
                         {13'd0, interrupt_bits[5:3] & {3{shows_bits}}, 4'd0, interrupt_bits[2] && shows_bits, 3'd0,
                          interrupt_bits[1] && shows_bits, 3'd0, interrupt_bits[0] && shows_bits, 3'd0};
    reg  [31:0] trap_word;
    always @(*)
        case (trap_index)
            2'd0:    trap_word = scratch;
            2'd1:    trap_word = {epc, 1'b0};
            2'd2:    trap_word = {cause[5], 26'd0, cause[4:0]};
            default: trap_word = TRAP_VALUES != 0 ? value : 32'd0;
        endcase
    wire [31:0] counter_low  = is_instret ? instret[31:0] : is_cycle ? cycles[31:0] : time_now[31:0];
    wire [31:0] counter_high = is_instret ? instret[63:32] : is_cycle ? cycles[63:32] : time_now[63:32];
    wire [31:0] counter_word = is_high ? counter_high : counter_low;

    assign read_value = (is_trap ? trap_word : sparse) |
                        (is_mtvec ? {tvec, 1'b0, is_vectored} : 32'd0) |
                        (is_counter && COUNTERS != 0 ? counter_word : 32'd0) |
                        (is_pmp ? pmp_value : 32'd0);
endmodule

`default_nettype wire
