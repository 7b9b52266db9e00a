// SPDX-License-Identifier: Apache-2.0
//
// A model of board RAM (segment 2) as an AXI4 slave, for simulation.
//
// A read's first beat comes LATENCY cycles after its address; B comes LATENCY cycles after the last data beat. Reads
// and writes take turns on one data path, a beat every BEAT_CYCLES cycles. Each direction queues up to QUEUE bursts.
// INCR bursts only. Addresses wrap at BYTES, but the fabric sends none beyond.
`default_nettype none

module slow_ram #(
    parameter BYTES       = 2097152, // power of two
    parameter DATA_WIDTH  = 64,
    parameter LATENCY     = 8,       // 2 .. 200
    parameter BEAT_CYCLES = 2,       // 1 .. 15
    parameter QUEUE       = 8        // power of two
) (
    input  wire                    clk,
    input  wire                    rst,

    // Read channel. Data is offered without a gap within a burst except for BEAT_CYCLES; rready is honoured.
    input  wire [31:0]             araddr,
    input  wire [7:0]              arlen,
    input  wire [2:0]              arsize,
    input  wire                    arvalid,
    output wire                    arready,
    output wire [DATA_WIDTH-1:0]   rdata,
    output wire [1:0]              rresp,   // always OKAY
    output wire                    rlast,
    output wire                    rvalid,
    input  wire                    rready,

    // Write channel. Data is taken only for a burst whose address was taken before.
    input  wire [31:0]             awaddr,
    input  wire [7:0]              awlen,
    input  wire [2:0]              awsize,
    input  wire                    awvalid,
    output wire                    awready,
    input  wire [DATA_WIDTH-1:0]   wdata,
    input  wire [DATA_WIDTH/8-1:0] wstrb,
    input  wire                    wlast,
    input  wire                    wvalid,
    output wire                    wready,
    output wire [1:0]              bresp,   // always OKAY
    output wire                    bvalid,
    input  wire                    bready
);
    localparam LANES       = DATA_WIDTH / 8;
    localparam LANE_BITS   = $clog2(LANES);
    localparam WORDS       = BYTES / LANES;
    localparam INDEX_WIDTH = $clog2(WORDS);
    localparam QUEUE_BITS  = $clog2(QUEUE);

    reg [DATA_WIDTH-1:0] memory [0:WORDS-1];

    // Free-running time: a queued burst carries the time from which its data (or answer) may move.
    reg [15:0] now;
    always @(posedge clk) now <= rst ? 16'd0 : now + 16'd1;

    // ------------------------------------------------------------------ address queues
    reg [31:0] read_address  [0:QUEUE-1];
    reg [2:0]  read_size     [0:QUEUE-1];
    reg [7:0]  read_length   [0:QUEUE-1];
    reg [15:0] read_due      [0:QUEUE-1];
    reg [QUEUE_BITS:0] read_put, read_take;
    wire [QUEUE_BITS-1:0] read_put_index  = read_put[QUEUE_BITS-1:0];
    wire [QUEUE_BITS-1:0] read_take_index = read_take[QUEUE_BITS-1:0];
    wire read_waiting = read_put != read_take;
    assign arready = (read_put - read_take) != QUEUE[QUEUE_BITS:0];

    reg [31:0] write_address [0:QUEUE-1];
    reg [2:0]  write_size    [0:QUEUE-1];
    reg [QUEUE_BITS:0] write_put, write_take;
    wire [QUEUE_BITS-1:0] write_put_index  = write_put[QUEUE_BITS-1:0];
    wire [QUEUE_BITS-1:0] write_take_index = write_take[QUEUE_BITS-1:0];
    wire write_waiting = write_put != write_take;
    assign awready = (write_put - write_take) != QUEUE[QUEUE_BITS:0];

    // Answers not yet given, with their due times.
    reg [15:0] answer_due    [0:QUEUE-1];
    reg [QUEUE_BITS:0] answer_put, answer_take;
    wire [QUEUE_BITS-1:0] answer_put_index  = answer_put[QUEUE_BITS-1:0];
    wire [QUEUE_BITS-1:0] answer_take_index = answer_take[QUEUE_BITS-1:0];
    wire answer_full = (answer_put - answer_take) == QUEUE[QUEUE_BITS:0];

    always @(posedge clk) begin
        if (arvalid && arready) begin
            read_address[read_put_index] <= araddr;
            read_size[read_put_index]    <= arsize;
            read_length[read_put_index]  <= arlen;
            read_due[read_put_index]     <= now + LATENCY[15:0] - 16'd1;
            read_put                     <= read_put + 1'b1;
        end
        if (awvalid && awready) begin
            write_address[write_put_index] <= awaddr;
            write_size[write_put_index]    <= awsize;
            write_put                      <= write_put + 1'b1;
        end
        if (rst) begin
            read_put  <= 0;
            write_put <= 0;
        end
    end

    // ------------------------------------------------------------------ the one data path
    // Output register of the read channel.
    reg                    out_valid, out_last;
    reg [DATA_WIDTH-1:0]   out_data;
    wire                   out_blocked = out_valid && !rready;

    // `free` says that a beat may move in this cycle; reads and writes take turns when both could.
    reg  [3:0]  busy_for;
    reg         read_was_last; // the last beat moved was a read
    wire        free       = busy_for == 4'd0;
    reg  [7:0]  read_beat;     // beats of the head burst already moved
    reg  [31:0] read_offset, write_offset; // bytes the head burst has advanced
    wire [15:0] read_late  = now - read_due[read_take_index];
    wire        can_read   = read_waiting && !read_late[15] && !out_blocked;
    wire        can_write  = write_waiting && wvalid && !answer_full;
    wire        move_read  = free && can_read && (!can_write || !read_was_last);
    wire        move_write = free && can_write && !move_read;

    wire [31:0] read_byte  = read_address[read_take_index] + read_offset;
    wire [31:0] write_byte = write_address[write_take_index] + write_offset;
    wire [INDEX_WIDTH-1:0] read_index  = read_byte[INDEX_WIDTH+LANE_BITS-1:LANE_BITS];
    wire [INDEX_WIDTH-1:0] write_index = write_byte[INDEX_WIDTH+LANE_BITS-1:LANE_BITS];
    wire read_ends = read_beat == read_length[read_take_index];

    integer lane;
    always @(posedge clk) begin
        if (move_write)
            for (lane = 0; lane < LANES; lane = lane + 1)
                if (wstrb[lane]) memory[write_index][8*lane +: 8] <= wdata[8*lane +: 8];
        if (move_read) out_data <= memory[read_index];
    end

    always @(posedge clk) begin
        if (!free) busy_for <= busy_for - 4'd1;
        if (out_valid && rready) out_valid <= 1'b0;
        if (move_read) begin
            busy_for      <= BEAT_CYCLES[3:0] - 4'd1;
            read_was_last <= 1'b1;
            out_valid     <= 1'b1;
            out_last      <= read_ends;
            read_beat     <= read_ends ? 8'd0 : read_beat + 8'd1;
            read_offset   <= read_ends ? 32'd0 : read_offset + (32'd1 << read_size[read_take_index]);
            if (read_ends) read_take <= read_take + 1'b1;
        end
        if (move_write) begin
            busy_for      <= BEAT_CYCLES[3:0] - 4'd1;
            read_was_last <= 1'b0;
            write_offset  <= wlast ? 32'd0 : write_offset + (32'd1 << write_size[write_take_index]);
            if (wlast) begin
                write_take                   <= write_take + 1'b1;
                answer_put                   <= answer_put + 1'b1;
                answer_due[answer_put_index] <= now + LATENCY[15:0];
            end
        end
        if (bvalid && bready) answer_take <= answer_take + 1'b1;
        if (rst) begin
            busy_for      <= 4'd0;
            read_was_last <= 1'b0;
            out_valid     <= 1'b0;
            read_beat     <= 8'd0;
            read_offset   <= 32'd0;
            write_offset  <= 32'd0;
            read_take     <= 0;
            write_take    <= 0;
            answer_put    <= 0;
            answer_take   <= 0;
        end
    end
    assign wready = move_write;
    assign rvalid = out_valid;
    assign rlast  = out_last;
    assign rdata  = out_data;
    assign rresp  = 2'b00;
    assign bresp  = 2'b00;
    wire [15:0] answer_late = now - answer_due[answer_take_index];
    assign bvalid = answer_put != answer_take && !answer_late[15];

    wire unused = &{1'b0, read_byte, write_byte, read_late[14:0], answer_late[14:0], awlen, 1'b0};
endmodule

`default_nettype wire
