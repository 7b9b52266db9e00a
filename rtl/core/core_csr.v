// SPDX-License-Identifier: Apache-2.0
//
// Control and status registers of machine mode, trap entry and return, and the choice of the interrupt.
//
// A CSR instruction reads and writes in the one cycle in which it leaves the execute stage, so the next
// instruction sees every effect; so do interrupts. Interrupt lines are sampled once (one cycle).
// mstatus has MIE and MPIE (MPP is always machine mode). Every register the privileged specification requires and
// this core has no use for reads zero and ignores writes; every other number is illegal.
`default_nettype none

module core_csr #(
    parameter COMPRESSED  = 1,
    parameter MULTIPLY    = 1,
    parameter COUNTERS    = 1,          // 0: mcycle and minstret read zero, no user counters
    parameter PMP_REGIONS = 4           // 0..4
) (
    input  wire        clk,
    input  wire        rst,

    // CSR instruction. `read_value` and `illegal` follow combinationally from number, funct3 and source; the
    // effect happens with `commit`.
    input  wire [11:0] number,
    input  wire [2:0]  funct3,
    input  wire [4:0]  source,          // rs1 number, or the immediate
    input  wire [31:0] rs1_value,
    input  wire        commit,
    output reg  [31:0] read_value,
    output wire        illegal,

    // Traps. `enter` records cause, pc and value and disables interrupts; `leave` is mret. Never together, and
    // neither together with `commit`.
    input  wire        enter,
    input  wire        enter_interrupt, // the cause is interrupt_cause
    input  wire [3:0]  enter_cause,     // else this exception
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
    output wire        wake,            // pending and enabled in mie, whatever mstatus.MIE says (WFI)

    // Counters: +1 with `retire`; -1 with `unretire` (it faulted in the memory stage); never together.
    input  wire        retire,
    input  wire        unretire,
    input  wire [63:0] time_now,
    output wire [63:0] instret,

    // Protection.
    input  wire [31:2] fetch_address,
    output wire        fetch_deny,
    input  wire [31:2] data_address,
    input  wire        data_write,
    output wire        data_deny
);
    localparam HAS_MISALIGNED = COMPRESSED != 0;    // pc bit 1 can be set

    // ------------------------------------------------------------------------------- the CSR instruction
    wire [31:0] operand = funct3[2] ? {27'd0, source} : rs1_value;
    wire        writes  = funct3[1:0] == 2'd1 || source != 5'd0;
    wire        write   = commit && writes;
    wire [31:0] write_value = (funct3[1:0] == 2'd1) ? operand :
                              (funct3[1:0] == 2'd2) ? read_value | operand : read_value & ~operand;

    wire is_mstatus  = number == 12'h300;
    wire is_misa     = number == 12'h301;
    wire is_mie      = number == 12'h304;
    wire is_mtvec    = number == 12'h305;
    wire is_mscratch = number == 12'h340;
    wire is_mepc     = number == 12'h341;
    wire is_mcause   = number == 12'h342;
    wire is_mtval    = number == 12'h343;
    wire is_mip      = number == 12'h344;
    // Machine counters 0xB.., user counters 0xC..; bit 7 selects the high half.
    wire counter_set = number[11:8] == 4'hb || number[11:8] == 4'hc;
    wire is_cycle    = counter_set && number[6:0] == 7'd0;
    wire is_time     = number[11:8] == 4'hc && number[6:0] == 7'd1;
    wire is_instret  = counter_set && number[6:0] == 7'd2;
    wire is_pmpcfg   = number[11:2] == 10'h0e8;     // 0x3a0..0x3a3
    wire is_pmpaddr  = number[11:4] == 8'h3b;       // 0x3b0..0x3bf

    // mstatush; tselect..tdata3 (no trigger exists); mcountinhibit and mhpmevent3..31; mhpmcounter3..31;
    // mvendorid..mconfigptr.
    wire reads_zero = number == 12'h310 || number[11:2] == 10'h1e8 ||
                      (number[11:5] == 7'b0011_001 && (number[4:0] == 5'd0 || number[4:0] > 5'd2)) ||
                      (number[11:8] == 4'hb && number[6:5] == 2'd0 && number[4:0] > 5'd2) ||
                      (number >= 12'hf11 && number <= 12'hf15);
    wire user_counter = number[11:8] == 4'hc;
    wire exists = is_mstatus || is_misa || is_mie || is_mtvec || is_mscratch || is_mepc || is_mcause || is_mtval ||
                  is_mip || ((is_cycle || is_time || is_instret) && (COUNTERS != 0 || !user_counter)) ||
                  ((is_pmpcfg || is_pmpaddr) && PMP_REGIONS != 0) || reads_zero;
    assign illegal = !exists || (writes && number[11:10] == 2'b11);

    // ------------------------------------------------------------------------------- interrupts
    // Standard lines at their standard bits, platform lines at 16, 17, 18; `lines` is {18, 17, 16, 11, 7, 3}.
    reg [5:0] lines, enables;
    always @(posedge clk) lines <= {irq_platform, irq_external, irq_timer, irq_software};

    reg  is_enabled, was_enabled;               // mstatus MIE, MPIE
    wire [5:0] asking = lines & enables;
    assign wake = asking != 6'd0;
    assign interrupt_asked = is_enabled && wake;

    // Priority: external, software, timer, then the platform lines in their order.
    wire [4:0] interrupt_cause = asking[2] ? 5'd11 : asking[0] ? 5'd3 : asking[1] ? 5'd7 :
                                 asking[3] ? 5'd16 : asking[4] ? 5'd17 : 5'd18;

    // ------------------------------------------------------------------------------- trap registers
    reg [31:0] scratch, value;
    reg [31:1] epc;
    reg [31:2] tvec;
    reg        is_vectored;
    reg [5:0]  cause;                           // interrupt flag, number

    wire [5:0] entry_number = {1'b0, interrupt_cause};
    assign trap_target = {tvec + ((is_vectored && enter_interrupt) ? {24'd0, entry_number} : 30'd0), 1'b0};
    assign return_pc   = epc;

    always @(posedge clk) begin
        if (enter) begin
            epc         <= enter_pc;
            cause       <= enter_interrupt ? {1'b1, interrupt_cause} : {2'd0, enter_cause};
            value       <= enter_value;
            is_enabled  <= 1'b0;
            was_enabled <= is_enabled;
        end else if (leave) begin
            is_enabled  <= was_enabled;
            was_enabled <= 1'b1;
        end else if (write) begin
            if (is_mstatus)  {was_enabled, is_enabled} <= {write_value[7], write_value[3]};
            if (is_mie)      enables  <= {write_value[18:16], write_value[11], write_value[7], write_value[3]};
            if (is_mtvec)    {tvec, is_vectored} <= {write_value[31:2], write_value[0]};
            if (is_mscratch) scratch  <= write_value;
            if (is_mepc)     epc      <= {write_value[31:2], write_value[1] && HAS_MISALIGNED};
            if (is_mcause)   cause    <= {write_value[31], write_value[4:0]};
            if (is_mtval)    value    <= write_value;
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
            wire [63:0] change = {{63{unretire}}, 1'b1};
            // A write takes the place of the increment.
            wire write_cycle   = write && is_cycle && !user_counter;
            wire write_instret = write && is_instret && !user_counter;
            always @(posedge clk) begin
                cycle_count <= cycle_count + 64'd1;
                if (retire || unretire)
                    instruction_count <= instruction_count + change;
                if (write_cycle && number[7])    cycle_count[63:32]       <= write_value;
                if (write_cycle && !number[7])   cycle_count[31:0]        <= write_value;
                if (write_instret && number[7])  instruction_count        <= {write_value, instruction_count[31:0]};
                if (write_instret && !number[7]) instruction_count        <= {instruction_count[63:32], write_value};
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
            wire unused = &{1'b0, retire, unretire};
        end
    endgenerate

    // ------------------------------------------------------------------------------- protection
    wire [31:0] pmp_value;
    generate
        if (PMP_REGIONS != 0) begin : protection
            // Registers of regions that do not exist fall on index 7, which reads zero.
            wire       beyond = is_pmpcfg ? number[1:0] != 2'd0 : number[3:2] != 2'd0;
            wire [2:0] index  = beyond ? 3'd7 : is_pmpcfg ? 3'd0 : {1'b0, number[1:0]} + 3'd1;
            core_pmp #(.REGIONS(PMP_REGIONS)) pmp (
                .clk            (clk),
                .rst            (rst),
                .index          (index),
                .read_value     (pmp_value),
                .write          (write && (is_pmpcfg || is_pmpaddr)),
                .write_value    (write_value),
                .fetch_address  (fetch_address),
                .fetch_deny     (fetch_deny),
                .data_address   (data_address),
                .data_write     (data_write),
                .data_deny      (data_deny)
            );
        end else begin : no_protection
            assign pmp_value  = 32'd0;
            assign fetch_deny = 1'b0;
            assign data_deny  = 1'b0;
            wire unused = &{1'b0, fetch_address, data_address, data_write};
        end
    endgenerate

    // ------------------------------------------------------------------------------- reading
    localparam [31:0] MISA = 32'h40000100 | (COMPRESSED != 0 ? 32'h4 : 32'h0) | (MULTIPLY != 0 ? 32'h1000 : 32'h0);

    always @(*) begin
        read_value = 32'd0;
        if (is_mstatus)  read_value = {19'd0, 2'b11, 3'd0, was_enabled, 3'd0, is_enabled, 3'd0};
        if (is_misa)     read_value = MISA;
        if (is_mie)      read_value = {13'd0, enables[5:3], 4'd0, enables[2], 3'd0, enables[1], 3'd0, enables[0], 3'd0};
        if (is_mip)      read_value = {13'd0, lines[5:3], 4'd0, lines[2], 3'd0, lines[1], 3'd0, lines[0], 3'd0};
        if (is_mtvec)    read_value = {tvec, 1'b0, is_vectored};
        if (is_mscratch) read_value = scratch;
        if (is_mepc)     read_value = {epc, 1'b0};
        if (is_mcause)   read_value = {cause[5], 26'd0, cause[4:0]};
        if (is_mtval)    read_value = value;
        if (is_cycle)    read_value = number[7] ? cycles[63:32] : cycles[31:0];
        if (is_instret)  read_value = number[7] ? instret[63:32] : instret[31:0];
        if (is_time)     read_value = number[7] ? time_now[63:32] : time_now[31:0];
        if (is_pmpcfg || is_pmpaddr) read_value = pmp_value;
    end
endmodule

`default_nettype wire
