// SPDX-License-Identifier: Apache-2.0
//
// Block CORE of gpu.def: the control core's timer, interrupt causes, console and trace.
//
// The cycle counter runs from reset and is the machine timer. The host may read the block, never write it.
`default_nettype none
module core_regs (
    input  wire        clk,
    input  wire        rst,

    // Register port: write is a pulse with offset and data; rdata is combinational from offset.
    input  wire        reg_write,
    input  wire        reg_from_host,
    input  wire [7:0]  reg_offset,
    input  wire [31:0] reg_wdata,
    output reg  [31:0] reg_rdata,

    // Causes in, levels to the core out.
    input  wire        doorbell,            // pulse
    input  wire [1:0]  node_irq,            // levels, cleared at the node
    input  wire        display_irq,         // likewise at the display; to the core as its external interrupt
    output wire        irq_software,
    output wire        irq_timer,
    output wire [2:0]  irq_platform,        // doorbell, node 0, node 1

    // What the core says of itself.
    input  wire        retire_valid,
    input  wire [31:0] retire_pc,
    input  wire [63:0] instret,
    output reg  [63:0] time_now,

    output reg         invalidate,          // pulse: empty the system-memory read buffer
    output wire        cache_flush,         // pulse: write back and empty the caches
    input  wire [6:0]  cache_events,        // to be counted: I_HITS lowest .. WRITE_BACKS

    // Events for whoever watches (pulses with data); a board may leave them open.
    output wire        console_valid,
    output wire [7:0]  console_char,
    output wire        exit_valid,
    output wire [31:0] exit_code,
    output wire        trace_valid,
    output wire [31:0] trace_event,
    output wire [31:0] trace_argument
);
`include "gpu_spec.vh"
    wire core_write = reg_write && !reg_from_host;

    reg [63:0] timecmp;
    reg [31:0] argument, last_pc;
    reg        software, doorbell_pending;

    assign irq_software   = software;
    assign irq_timer      = time_now >= timecmp;
    assign irq_platform   = {node_irq, doorbell_pending};
    assign cache_flush    = core_write && reg_offset == CORE_CACHE_FLUSH_OFFSET;
    assign console_valid  = core_write && reg_offset == CORE_CONSOLE_OFFSET;
    assign console_char   = reg_wdata[7:0];
    assign exit_valid     = core_write && reg_offset == CORE_EXIT_OFFSET;
    assign exit_code      = reg_wdata;
    assign trace_valid    = core_write && reg_offset == CORE_TRACE_OFFSET;
    assign trace_event    = reg_wdata;
    assign trace_argument = argument;

    // With the store's answer, before which the core reads nothing: the bridge need not wait for the register bus.
    always @(posedge clk) invalidate <= core_write && !rst && reg_offset == CORE_INVALIDATE_OFFSET;

    wire doorbell_clear = core_write && reg_offset == CORE_IRQ_PENDING_OFFSET
                          && reg_wdata[CORE_IRQ_PENDING_DOORBELL_LSB];

    always @(posedge clk)
        if (rst) begin
            time_now         <= 64'd0;
            timecmp          <= {CORE_TIMECMP_HI_RESET, CORE_TIMECMP_LO_RESET};
            argument         <= 32'd0;
            last_pc          <= 32'd0;
            software         <= 1'b0;
            doorbell_pending <= 1'b0;
        end else begin
            time_now         <= time_now + 64'd1;
            doorbell_pending <= (doorbell_pending && !doorbell_clear) || doorbell;
            if (retire_valid) last_pc <= retire_pc;
            if (core_write)
                case (reg_offset)
                    CORE_TIMECMP_LO_OFFSET: timecmp[31:0]  <= reg_wdata;
                    CORE_TIMECMP_HI_OFFSET: timecmp[63:32] <= reg_wdata;
                    CORE_TRACE_ARG_OFFSET:  argument       <= reg_wdata;
                    CORE_SOFTWARE_OFFSET:   software       <= reg_wdata[0];
                    default: ;
                endcase
        end

    // Their registers follow each other from I_HITS on, in this order.
    wire [31:0] cache_count;
    event_counters of_caches (
        .clk(clk), .rst(rst), .events(cache_events), .index(reg_offset[4:2]), .value(cache_count)
    );

    always @(*)
        case (reg_offset)
            CORE_CYCLE_LO_OFFSET:    reg_rdata = time_now[31:0];
            CORE_CYCLE_HI_OFFSET:    reg_rdata = time_now[63:32];
            CORE_TIMECMP_LO_OFFSET:  reg_rdata = timecmp[31:0];
            CORE_TIMECMP_HI_OFFSET:  reg_rdata = timecmp[63:32];
            CORE_TRACE_ARG_OFFSET:   reg_rdata = argument;
            CORE_IRQ_PENDING_OFFSET: reg_rdata = {28'd0, display_irq, node_irq, doorbell_pending};
            CORE_SOFTWARE_OFFSET:    reg_rdata = {31'd0, software};
            CORE_INSTRET_LO_OFFSET:  reg_rdata = instret[31:0];
            CORE_INSTRET_HI_OFFSET:  reg_rdata = instret[63:32];
            CORE_PC_OFFSET:          reg_rdata = last_pc;
            CORE_I_HITS_OFFSET, CORE_I_MISSES_OFFSET, CORE_I_STALLS_OFFSET, CORE_D_HITS_OFFSET, CORE_D_MISSES_OFFSET,
            CORE_D_STALLS_OFFSET, CORE_WRITE_BACKS_OFFSET: reg_rdata = cache_count;
            default:                 reg_rdata = 32'd0;
        endcase
endmodule
`default_nettype wire
