// SPDX-License-Identifier: Apache-2.0
//
// TOUCH reads: 1 to 8 bytes anywhere, as one single-beat burst per bus word touched (one or two), the data
// thrown away. Runs only while the mover is idle, on the mover's source channel.
`default_nettype none

module node_touch #(
    parameter DATA_WIDTH = 64
) (
    input  wire        clk,
    input  wire        rst,
    // `start` is a pulse; operands stay until `done`, a pulse with the outcome.
    input  wire        start,
    input  wire [31:0] address,
    input  wire [3:0]  bytes,    // 1..8
    output wire        done,
    output reg         has_failed,
    output reg  [31:0] failed_address,
    output wire        busy,     // owns the channel

    output wire [31:0] araddr,
    output wire        arvalid,
    input  wire        arready,
    input  wire [1:0]  rresp,
    input  wire        rlast,
    input  wire        rvalid
);
    localparam LANE_BITS = $clog2(DATA_WIDTH / 8);

    reg         asking, waiting, finished;
    reg  [31:0] word;     // address of the bus word
    wire [31:0] last_byte = address + {28'd0, bytes} - 32'd1;
    wire        is_last   = word[31:LANE_BITS] == last_byte[31:LANE_BITS];
    wire        comes     = waiting && rvalid && rlast;

    assign araddr  = {word[31:LANE_BITS], {LANE_BITS{1'b0}}};
    assign arvalid = asking;
    assign busy    = asking || waiting;
    assign done    = finished;
    always @(posedge clk) begin
        finished <= 1'b0;
        if (start) begin
            asking     <= 1'b1;
            word       <= address;
            has_failed <= 1'b0;
        end else if (asking && arready) begin
            asking  <= 1'b0;
            waiting <= 1'b1;
        end else if (comes) begin
            waiting <= 1'b0;
            if (rresp != 2'b00 && !has_failed) begin
                has_failed     <= 1'b1;
                failed_address <= araddr;
            end
            if (is_last) finished <= 1'b1;
            else begin
                asking <= 1'b1;
                word   <= {word[31:LANE_BITS] + 1'b1, {LANE_BITS{1'b0}}};
            end
        end
        if (rst) begin
            asking   <= 1'b0;
            waiting  <= 1'b0;
            finished <= 1'b0;
        end
    end

    wire unused = &{1'b0, last_byte[LANE_BITS-1:0], word[LANE_BITS-1:0], 1'b0};
endmodule

`default_nettype wire
