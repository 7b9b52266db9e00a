// SPDX-License-Identifier: Apache-2.0
//
// Read half of the mover: issues bursts, buffers what comes back, and gives the beats out in order with what the
// aligner must know.
//
// A burst is issued only if the buffer has room for it beyond everything asked for. `reserved` counts words from the
// issue of their burst until they leave the buffer. So RREADY is always 1. No memory can wait for this side, however
// it orders its answers. Up to 2**LOG2_BURSTS bursts are in flight.
//
//   bursts -> [AR, held if not accepted] -> memory -> R -> 256 x 72 buffer -> beats
//          \-> record of the burst (tags, address) ----^
`default_nettype none

module mover_read #(
    parameter LOG2_BURSTS = 5 // of the bursts in flight
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        hold,            // ask for no further burst, until `drop`; take none from the next cycle on
    input  wire        drop,            // with hold, until idle: throw away data; forgets faults

    // Bursts. burst_ready depends on registers only.
    input  wire        burst_valid,
    output wire        burst_ready,
    input  wire [31:3] burst_address,
    input  wire [4:0]  burst_beats,     // minus one
    input  wire [8:0]  burst_bytes,     // counted in issued_bytes
    input  wire        burst_user,
    input  wire [2:0]  burst_shift,
    input  wire        burst_prime,     // for its first beat
    input  wire        burst_flush,     // for its last beat
    input  wire        burst_special,   // for the pixel path
    input  wire        burst_end,       // its last beat is the command's last
    input  wire        burst_chunk_end, // its last beat completes a chunk of a reverse command

    // AXI4 read channel; data is always taken.
    output wire [31:0] araddr,
    output wire [7:0]  arlen,
    output wire        aruser,
    output wire        arvalid,
    input  wire        arready,
    input  wire [63:0] rdata,
    input  wire [1:0]  rresp,
    input  wire        rlast,
    input  wire        rvalid,

    // Beats in order.
    output wire        beat_valid,
    input  wire        beat_ready,
    output wire [63:0] beat_data,
    output wire [2:0]  beat_shift,
    output wire        beat_prime,
    output wire        beat_flush,
    output wire        beat_special,
    output wire        beat_end,
    output wire        beat_error,      // the memory answered with an error

    output wire [8:0]  issued_bytes,    // of the burst whose address is accepted in this cycle, else 0
    output wire        chunk_arrived,   // pulse
    output wire        has_pending,     // an address is not accepted yet
    output wire        is_quiet,        // nothing asked for that has not been given out
    output wire        idle,            // nothing outstanding

    // First error since the last drop.
    output reg         fault,
    output reg         fault_guard,     // refused by the guard, else a bus error
    output reg  [31:3] fault_address    // of its burst
);
    // ------------------------------------------------------------------ address channel
    localparam AR = 29 + 5 + 9 + 1;
    reg           held;                 // the address below waits for arready
    reg  [AR-1:0] held_burst;
    reg  [7:0]    reserved;
    wire          records_full;
    reg           was_held;             // `hold`, which comes from far away
    wire          room  = reserved < 8'd224;
    wire          issue = burst_valid && burst_ready && !hold; // one that is held back here is dropped
    wire [AR-1:0] burst = held ? held_burst : {burst_address, burst_beats, burst_bytes, burst_user};

    assign burst_ready    = !held && room && !records_full && !was_held;
    assign arvalid        = held || issue;
    assign araddr         = {burst[AR-1:15], 3'd0};
    assign arlen          = {3'd0, burst[14:10]};
    assign aruser         = burst[0];
    assign has_pending    = held;
    assign issued_bytes   = arvalid && arready ? burst[9:1] : 9'd0;

    always @(posedge clk)
        if (rst) held <= 1'b0;
        else     held <= arvalid && !arready;

    always @(posedge clk) begin
        held_burst <= burst;
        was_held   <= hold;
    end

    // ------------------------------------------------------------------ records of bursts in flight
    wire        record_valid;
    wire [31:3] record_address;
    wire [2:0]  record_shift;
    wire        record_prime, record_flush, record_special, record_end, record_chunk_end;
    wire        burst_done = rvalid && rlast;

    sync_fifo #(.WIDTH(37), .LOG2_DEPTH(LOG2_BURSTS)) records (
        .clk       (clk),
        .rst       (rst),
        .push      (issue),
        .push_data ({burst_address, burst_shift, burst_prime, burst_flush, burst_special, burst_end,
                     burst_chunk_end}),
        .full      (records_full),
        .pop       (burst_done),
        .data      ({record_address, record_shift, record_prime, record_flush, record_special, record_end,
                     record_chunk_end}),
        .valid     (record_valid)
    );

    reg begun;                          // some beats of the oldest burst have come
    always @(posedge clk)
        if (rst)         begun <= 1'b0;
        else if (rvalid) begun <= !rlast;

    assign chunk_arrived = burst_done && record_chunk_end && !drop;
    assign idle          = !held && !record_valid;
    assign is_quiet      = reserved == 8'd0;

    // ------------------------------------------------------------------ buffer
    wire error = rresp != 2'd0;
    wire pop   = beat_valid && beat_ready;

    mover_buffer #(.WIDTH(72)) buffer (
        .clk       (clk),
        .rst       (rst || drop),
        .push      (rvalid),
        .push_data ({record_shift, record_prime && !begun, record_flush && rlast, record_special,
                     record_end && rlast, error, rdata}),
        .pop       (pop),
        .out_data  ({beat_shift, beat_prime, beat_flush, beat_special, beat_end, beat_error, beat_data}),
        .out_valid (beat_valid)
    );

    always @(posedge clk)
        if (rst || drop) reserved <= 8'd0;
        else             reserved <= reserved + {3'd0, burst_beats & {5{issue}}} + {7'd0, issue} - {7'd0, pop};

    // ------------------------------------------------------------------ faults
    always @(posedge clk)
        if (rst || drop)                    fault <= 1'b0;
        else if (rvalid && error && !fault) fault <= 1'b1;

    always @(posedge clk)
        if (rvalid && error && !fault) begin
            fault_guard   <= rresp == 2'd1;
            fault_address <= record_address;
        end

`ifdef GPU_ASSERT
    // The reservation covers what is in the buffer and on its way, and never exceeds it.
    wire [7:0]  issued_beats = {3'd0, burst_beats} + 8'd1;
    reg  [8:0]  expected;               // words asked for and not given out, counted apart
    reg         arvalid_d1;
    reg  [31:0] araddr_d1;
    reg  [7:0]  arlen_d1;
    wire        was_refused = arvalid_d1;
    always @(posedge clk) begin
        expected   <= rst || drop ? 9'd0
                    : expected + (issue ? {1'b0, issued_beats} : 9'd0) - {8'd0, pop};
        arvalid_d1 <= !rst && arvalid && !arready;
        araddr_d1  <= araddr;
        arlen_d1   <= arlen;
        if (!rst) begin
            assert (expected == {1'b0, reserved} || drop);
            assert (expected <= 9'd255);
            // Data only for an address sent before.
            assert (!(rvalid && !record_valid));
            // An address offered stays until it is accepted, and its burst stays inside 256 bytes.
            assert (!was_refused || (arvalid && araddr == araddr_d1 && arlen == arlen_d1));
            assert (!arvalid || {1'b0, araddr[7:3]} + arlen[5:0] < 6'd32);
        end
    end
`endif
endmodule

`default_nettype wire
