// SPDX-License-Identifier: Apache-2.0
//
// Loads the palette: reads its 1,024 bytes through the mover's source reader, as four bursts, and writes a colour a
// cycle. It waits until nothing else is under way. Nothing else begins before it is done.
`default_nettype none

module mover_palette (
    input  wire        clk,
    input  wire        rst,

    // `start` is a pulse, not while busy; `source` stands until `done`, a pulse with the outcome.
    input  wire        start,
    input  wire [31:8] source,
    input  wire        is_quiet,        // the rest of the mover is idle
    output wire        busy,            // from the cycle after start until done
    output wire        done,
    output reg         has_failed,      // a beat came with an error

    // The source reader, bursts of 32 beats.
    output wire        is_loading,      // it is this one's
    output wire        burst_valid,
    input  wire        burst_ready,
    output wire [31:3] burst_address,
    input  wire        beat_valid,
    output wire        beat_ready,
    input  wire [63:0] beat_data,
    input  wire        beat_error,

    output wire        write,
    output wire [7:0]  index,
    output wire [31:0] colour
);
    localparam [1:0] S_IDLE = 2'd0, S_WAIT = 2'd1, S_LOAD = 2'd2, S_DONE = 2'd3;
    reg [1:0] state;
    reg [2:0] bursts;                   // asked for
    reg [7:0] taken;                    // colours
    assign busy          = state != S_IDLE;
    assign done          = state == S_DONE;
    assign is_loading    = state == S_LOAD;
    assign burst_valid   = is_loading && !bursts[2];
    wire [31:8] place    = source + {22'd0, bursts[1:0]};
    assign burst_address = {place, 5'd0};
    assign write         = is_loading && beat_valid;
    assign beat_ready    = is_loading && taken[0];
    assign index         = taken;
    assign colour        = taken[0] ? beat_data[63:32] : beat_data[31:0];
    always @(posedge clk) begin
        case (state)
            S_IDLE: if (start) state <= S_WAIT;
            S_WAIT: begin
                bursts     <= 3'd0;
                taken      <= 8'd0;
                has_failed <= 1'b0;
                if (is_quiet) state <= S_LOAD;
            end
            S_LOAD: begin
                if (burst_valid && burst_ready) bursts <= bursts + 3'd1;
                if (write) begin
                    taken <= taken + 8'd1;
                    if (beat_error) has_failed <= 1'b1;
                    if (taken == 8'd255) state <= S_DONE;
                end
            end
            default: state <= S_IDLE;
        endcase
        if (rst) state <= S_IDLE;
    end
endmodule

`default_nettype wire
