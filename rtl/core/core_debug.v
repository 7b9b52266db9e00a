// SPDX-License-Identifier: Apache-2.0
//
// Debug unit of the core: stops it before an instruction, executes single instructions of the host, lets it continue.
//
// The host reads a register by `addi x0, x5, 0` and writes one by `lui` and `addi`. It reaches memory and CSRs by
// their own instructions. So nothing else in the core has a port for the debugger. States: running; stopped (fetch
// delivers nothing, no interrupt or trap is taken); resuming (until fetch can go to `pc`). A step takes no interrupt
// and does not wait in wfi. It ends after one instruction, or at the first one of its exception handler.
`default_nettype none

module core_debug (
    input  wire        clk,
    input  wire        rst,

    // The host's side. halt is a level that counts while the core runs (during reset, too: the core then stops before
    // its first instruction). The others are pulses and ignored unless the core is stopped and not busy: resume,
    // with step for one instruction; write_pc and run with the address or the instruction in data. An instruction that
    // traps changes nothing and raises failed, until the next one; a jump has no meaning. Break addresses: bit 0
    // enables; watched words: bit 0 loads, bit 1 stores. A broken instruction has not been executed, a
    // watched access has.
    input  wire         halt,
    input  wire         on_ebreak,          // ebreak stops instead of trapping
    input  wire         resume,
    input  wire         step,
    input  wire         write_pc,
    input  wire         run,
    input  wire [31:0]  data,
    input  wire [127:0] breaks,
    input  wire [63:0]  watches,
    output reg          stopped,
    output wire         busy,
    output reg          failed,
    output reg  [2:0]   reason,             // DEBUG_REASON group of gpu.def
    output reg  [1:0]   index,              // of the break address or watched word
    output wire [31:0]  pc,                 // where it stopped; where it goes on
    output reg  [31:0]  result,             // of the last instruction of the host's: computed or loaded

    // The core's side. `asked`, from flip-flops alone, holds back the instruction in execute; the core answers
    // with `stop` in the cycle in which there is one and nothing is ahead of it: it is not executed. `inject` puts
    // `data` into decode, `go` sends fetch to `pc`.
    input  wire         take,               // an instruction comes to execute, its address is take_pc
    input  wire [31:1]  take_pc,
    input  wire         x_valid,
    input  wire [31:1]  x_pc,
    input  wire         x_ebreak,
    input  wire         x_fire,             // it leaves execute, trapped or not
    input  wire         x_done,             // not trapped
    input  wire         x_load,
    input  wire         x_store,
    input  wire [31:2]  x_address,
    input  wire         fail,               // it trapped, in write
    input  wire         under_way,          // there is one in any stage
    input  wire         w_done,
    input  wire [31:0]  w_value,
    output wire         asked,
    input  wire         stop,
    output wire         inject,
    output wire         go,
    output reg          stepping
);
    localparam [2:0] HALT = 3'd1, STEP = 3'd2, BREAK = 3'd3, WATCH = 3'd4, EBREAK = 3'd5;

    // ------------------------------------------------------------------------------- reasons to stop
    reg       broke, watched, stepped;
    reg [1:0] broke_index, watched_index;

    reg  [3:0] break_match;
    reg  [1:0] watch_match;
    integer n;
    always @(*) begin
        for (n = 0; n < 4; n = n + 1)
            break_match[n] = breaks[32 * n] && breaks[32 * n + 1 +: 31] == take_pc;
        for (n = 0; n < 2; n = n + 1)
            watch_match[n] = watches[32 * n + 2 +: 30] == x_address &&
                             ((x_load && watches[32 * n]) || (x_store && watches[32 * n + 1]));
    end

    wire at_break  = x_valid && broke;
    wire at_ebreak = x_valid && x_ebreak && on_ebreak;
    assign asked = !stopped && (halt || at_break || at_ebreak || watched || stepped);

    // ------------------------------------------------------------------------------- states
    reg        resuming;
    reg [31:1] stop_pc;

    assign pc     = {stop_pc, 1'b0};
    assign busy   = resuming || under_way;
    wire   listen = stopped && !busy;
    assign inject = listen && run;
    assign go     = resuming;

    always @(posedge clk) begin
        if (take) begin
            broke       <= break_match != 4'd0;
            broke_index <= break_match[0] ? 2'd0 : break_match[1] ? 2'd1 : break_match[2] ? 2'd2 : 2'd3;
        end
        if (!stopped && x_done && watch_match != 2'd0) begin
            watched       <= 1'b1;
            watched_index <= watch_match[0] ? 2'd0 : 2'd1;
        end
        if (stepping && x_fire) stepped <= 1'b1;

        if (stop) begin
            stopped  <= 1'b1;
            stepping <= 1'b0;
            stepped  <= 1'b0;
            watched  <= 1'b0;
            stop_pc  <= x_pc;
            reason   <= at_break ? BREAK : watched ? WATCH : at_ebreak ? EBREAK : stepped ? STEP : HALT;
            index    <= at_break ? broke_index : watched_index;
        end

        if (listen && write_pc) stop_pc <= data[31:1];
        if (inject)             failed  <= 1'b0;
        if (stopped && fail)    failed  <= 1'b1;
        if (stopped && w_done)  result  <= w_value;

        if (listen && resume) begin
            resuming <= 1'b1;
            stepping <= step;
        end
        if (go) begin
            resuming <= 1'b0;
            stopped  <= 1'b0;
        end
        if (rst) begin
            stopped  <= 1'b0;
            resuming <= 1'b0;
            stepping <= 1'b0;
            stepped  <= 1'b0;
            watched  <= 1'b0;
            failed   <= 1'b0;
            reason   <= 3'd0;
            index    <= 2'd0;
            stop_pc  <= 31'd0;
            result   <= 32'd0;
        end
    end

    wire unused = &{1'b0, data[0]};

`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            // The core stops only when asked, with nothing under way after it.
            assert (!stop || asked);
            // What the host's instructions do happens only while the core is stopped.
            assert (!(inject || go || resuming) || stopped);
        end
`endif
endmodule

`default_nettype wire
