// SPDX-License-Identifier: Apache-2.0
//
// Reads stretches of memory for the mixer, in order, into a queue of 32 beats. A burst has at most sixteen beats and
// stays inside a block of 128 bytes. The fetch asks only for what the queue has room for. Data is therefore always
// taken.
`default_nettype none
module display_fetch (
    input  wire        clk,
    input  wire        rst,

    input  wire        start,               // only while `ready`
    input  wire        in_segment2,
    input  wire [24:0] from,                // first beat of 8 bytes in the segment
    input  wire [6:0]  beats,               // 1 or more
    output wire        ready,
    input  wire        drop,                // ask for no more, and throw away what comes
    output wire        idle,                // nothing is asked for, on its way or queued

    // The queue: oldest beat first.
    output wire        valid,
    output wire [63:0] beat,
    input  wire        pop,                 // only while valid

    // Read master of the fabric.
    output wire [31:0] r_araddr,
    output wire [7:0]  r_arlen,
    output reg         r_arvalid,
    input  wire        r_arready,
    input  wire [63:0] r_rdata,
    input  wire        r_rvalid
);
    localparam [5:0] ROOM = 6'd32;

    reg         segment2;
    reg  [24:0] at;
    reg  [6:0]  left;                       // beats to be asked for
    reg  [4:0]  length;                     // of the burst that is asked for
    reg  [5:0]  reserved;                   // beats asked for and not popped
    wire [4:0]  in_block = 5'd16 - {1'b0, at[3:0]};
    wire [4:0]  next     = left < {2'b00, in_block} ? left[4:0] : in_block;
    wire        has_room = reserved + {1'b0, next} <= ROOM;
    wire        taken    = r_arvalid && r_arready;
    wire        asks     = !r_arvalid && left != 7'd0 && has_room && !drop;
    wire        pops     = pop || (drop && valid);
    assign ready    = left == 7'd0 && !r_arvalid && !drop;
    assign idle     = left == 7'd0 && !r_arvalid && reserved == 6'd0;
    assign r_araddr = {2'b00, segment2, !segment2, at, 3'b000};
    assign r_arlen  = {3'd0, length - 5'd1};
    always @(posedge clk)
        if (rst) begin
            r_arvalid <= 1'b0;
            left      <= 7'd0;
            reserved  <= 6'd0;
        end else begin
            reserved <= reserved + (asks ? {1'b0, next} : 6'd0) - {5'd0, pops};
            if (asks) r_arvalid <= 1'b1;
            else if (taken) r_arvalid <= 1'b0;
            if (start) left <= beats;
            else if (taken) left <= left - {2'b00, length};
            else if (drop && !r_arvalid) left <= 7'd0;
        end
    always @(posedge clk) begin
        if (asks) length <= next;
        if (start) {segment2, at} <= {in_segment2, from};
        else if (taken) at <= at + {20'd0, length};
    end

    wire full;
    sync_fifo #(.WIDTH(64), .LOG2_DEPTH(5)) queue (
        .clk(clk), .rst(rst), .push(r_rvalid), .push_data(r_rdata), .full(full), .pop(pops), .data(beat), .valid(valid)
    );
    wire unused = &{1'b0, full};
`ifdef GPU_ASSERT
    // What is reserved is asked for, on its way or queued.
    reg  [5:0]  coming, queued;
    always @(posedge clk) begin
        coming <= rst ? 6'd0 : coming + (taken ? {1'b0, length} : 6'd0) - {5'd0, r_rvalid};
        queued <= rst ? 6'd0 : queued + {5'd0, r_rvalid} - {5'd0, pops};
        if (!rst) begin
            assert (reserved <= ROOM && reserved == coming + queued + (r_arvalid ? {1'b0, length} : 6'd0));
            assert (!start || (ready && beats != 7'd0));
            assert (!r_arvalid || {1'b0, at[3:0]} + length <= 5'd16);
            assert (!r_rvalid || coming != 6'd0);
        end
    end
`endif
endmodule
`default_nettype wire
