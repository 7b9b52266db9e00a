// SPDX-License-Identifier: Apache-2.0
//
// All masters of the board's one memory, in front of its controller (sdram_controller.v, on its own clock).
// Bursts are cut into requests of at most 16 beats that stay inside an aligned 128-byte block. Requests enter
// one queue and are executed in its order, so what has been queued is visible to everything queued later; that
// is why a write is answered as soon as its last request is in the queue.
//
//   read ports    0 scan-out   1 the chip's system memory   2 its segment 2   3 the host's wire   4 firmware lines
//   write ports                0 the chip's system memory   1 its segment 2   2 the host's wire
//
// Scan-out goes first, then segment 2 while the chip's display is urgent, then a line for which the core waits (one at
// a time), then the host's wire, which nothing can stop while a word of its waits. The others take turns, one request
// each, so each waits for at most three others and those. While the display is urgent they wait: else their writes
// would fill the queue between two of its bursts, of which it has two under way at most. A write's turn comes when its
// data is here: a slow writer stops no other.
// Readers take data in every cycle (there is no rready). Bursts that leave their port's window answer DECERR and touch
// nothing.
//
// BYTE_MASKS 0, for a memory whose mask pins are not wired: a beat with a strobe that is not all ones becomes a request
// of its own, whose beat write_merge.v fills up with what lies there. The whole beats before it and after it stay
// requests of many, and a beat before which some wait costs a cycle more.
//
// A burst's first request takes four steps, each from registers to registers: what is asked; where it lies and how
// long it is; whose turn; what it is, and then it is queued. The next burst's steps, or the same one's next request,
// go on beside a write's data.
`default_nettype none

module memory_hub #(
    parameter [25:0] SYSTEM_BASE  = 26'h0000000, // where address 0 of the chip's system port lies in the memory
    parameter [25:0] SYSTEM_BYTES = 26'h1800000,
    parameter [25:0] LOCAL_BASE   = 26'h1800000, // and of its segment 2 port
    parameter [25:0] LOCAL_BYTES  = 26'h0800000,
    parameter [25:0] SEEN_BYTES   = 26'h2000000, // by the wire and scan-out: what the firmware's region follows
    parameter        BYTE_MASKS   = 1
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            urgent,               // read port 2 goes before all but scan-out

    // Read ports, port 0 in the low bits. INCR bursts of whole beats; a narrower read is one beat.
    input  wire [5*32-1:0] r_araddr,
    input  wire [5*8-1:0]  r_arlen,
    input  wire [4:0]      r_arvalid,
    output wire [4:0]      r_arready,
    output reg  [63:0]     r_rdata,              // to all; r_rvalid says whose it is
    output reg  [1:0]      r_rresp,
    output reg             r_rlast,
    output reg  [4:0]      r_rvalid,

    // Write ports.
    input  wire [3*32-1:0] w_awaddr,
    input  wire [3*8-1:0]  w_awlen,
    input  wire [2:0]      w_awvalid,
    output wire [2:0]      w_awready,
    input  wire [3*64-1:0] w_wdata,
    input  wire [3*8-1:0]  w_wstrb,
    input  wire [2:0]      w_wvalid,
    output wire [2:0]      w_wready,
    output wire [3*2-1:0]  w_bresp,
    output wire [2:0]      w_bvalid,
    input  wire [2:0]      w_bready,

    // To the controller, through async_fifo.v.
    output wire            request_push,
    output wire [26:0]     request,              // {write, address[24:3], beats - 1}
    output wire            request_partial,      // a write of one beat, of some bytes; only without BYTE_MASKS
    input  wire            request_full,
    output wire            write_push,
    output wire [71:0]     write_beat,           // {strobe, data}
    input  wire            write_full,
    input  wire            read_valid,
    input  wire [63:0]     read_data,
    output wire            read_pop
);
    localparam [1:0]  OKAY = 2'b00, DECERR = 2'b11;
    localparam [5:0]  READ_ROOM = 6'd32;         // beats that the FIFO of read data holds
    localparam [7:0]  LINES = 8'b00010000, WIRE = 8'b10001000, OTHERS = 8'b01100110;
    // Window of port i: 0..4 read, 5..7 write.
    function [51:0] window(input integer i); // {base, bytes}
        window = i == 1 || i == 5 ? {SYSTEM_BASE, SYSTEM_BYTES}
                 : i == 2 || i == 4 || i == 6 ? {LOCAL_BASE, LOCAL_BYTES} : {26'd0, SEEN_BYTES};
    endfunction

    // ------------------------------------------------------------------ bursts under way, one per port
    wire [7:0]  is_measured;                         // its next request is known
    wire [7:0]  is_outside, is_ending;               // ending: its next request is its last
    wire [7:0]  is_served;                           // its next request goes into the queue in this cycle
    wire [7:0]  can_take;                            // the next burst
    wire [8*22-1:0] address;                         // of the next request, in beats
    wire [8*4-1:0]  size;                            // beats of the next request, less one

    genvar i;
    generate
        for (i = 0; i < 8; i = i + 1) begin : port
            localparam [51:0] WINDOW = window(i);
            wire [31:0] start  = i < 5 ? r_araddr[32*(i%5) +: 32] : w_awaddr[32*((i+1)%3) +: 32];
            wire [7:0]  length = i < 5 ? r_arlen[8*(i%5) +: 8]    : w_awlen[8*((i+1)%3) +: 8];
            wire        valid  = i < 5 ? r_arvalid[i%5]           : w_awvalid[(i+1)%3];

            reg         pending, measured, outside, ends;
            reg  [28:0] at;                          // in beats: in the window until measured, then in the memory
            reg  [7:0]  left;                        // beats, less one
            reg  [3:0]  count;                       // of the next request, less one
            reg  [7:0]  after;                       // left after the next request
            wire [29:0] last  = {1'b0, at} + {22'd0, left};
            wire [3:0]  block = ~at[3:0];            // beats to the end of the block, less one
            wire        fits  = left[7:4] == 4'd0 && left[3:0] <= block;
            assign size[4*i +: 4] = count;
            assign is_measured[i] = measured;
            assign is_outside[i]  = outside;
            assign address[22*i +: 22] = at[21:0];
            assign is_ending[i]   = ends;
            assign can_take[i]    = !pending;
            if (i < 5) begin : reader
                assign r_arready[i%5] = can_take[i];
            end
            always @(posedge clk)
                if (rst) begin
                    pending  <= 1'b0;
                    measured <= 1'b0;
                end else if (!pending) pending <= valid && (i < 5 || w_awready[(i+1)%3]);
                else if (!measured) measured <= 1'b1;
                else if (is_served[i] && ends) {pending, measured} <= 2'b00;
            always @(posedge clk) begin
                if (!pending) begin
                    at   <= start[31:3];
                    left <= length;
                end else if (!measured) begin
                    at      <= at + {6'd0, WINDOW[51:29]};
                    outside <= last >= {7'd0, WINDOW[25:3]};
                    ends    <= fits;
                    count   <= fits ? left[3:0] : block;
                end else if (is_served[i]) begin
                    at    <= {7'd0, at[21:4] + 18'd1, 4'd0};
                    left  <= after;
                    ends  <= after[7:4] == 4'd0;
                    count <= after[7:4] == 4'd0 ? after[3:0] : 4'd15;
                end
                after <= left - {4'd0, count} - 8'd1; // a request is served two cycles after this one at the earliest
            end
            wire unused = &{1'b0, WINDOW[28:26], WINDOW[2:0], start[2:0]};
        end
    endgenerate

    // ------------------------------------------------------------------ write data and answers
    wire [2:0]  data_ready;            // the whole next request's data is here
    wire [2:0]  data_pop;
    wire [71:0] data_beat [0:2];
    generate
        for (i = 0; i < 3; i = i + 1) begin : writer
            wire full, valid;
            reg  [5:0] level;
            wire push = w_wvalid[i] && w_wready[i];
            reg  enough;
            assign w_wready[i]   = !full;
            assign data_ready[i] = enough;
            // A request of the chip's has up to sixteen beats, and the next one's come meanwhile; the wire's has one.
            sync_fifo #(.WIDTH(72), .LOG2_DEPTH(i == 2 ? 4 : 5)) queued (
                .clk(clk), .rst(rst), .push(push), .push_data({w_wstrb[8*i +: 8], w_wdata[64*i +: 64]}), .full(full),
                .pop(data_pop[i]), .data(data_beat[i]), .valid(valid)
            );
            reg answer, refused;
            assign w_bvalid[i]       = answer;
            assign w_bresp[2*i +: 2] = refused ? DECERR : OKAY;
            assign w_awready[i]      = can_take[5+i] && !answer;
            always @(posedge clk)
                if (rst) begin
                    level  <= 6'd0;
                    enough <= 1'b0;
                    answer <= 1'b0;
                end else begin
                    level  <= level + {5'd0, push} - {5'd0, data_pop[i]};
                    enough <= is_measured[5+i] && !is_served[5+i] && level > {2'b00, size[20+4*i +: 4]};
                    if (is_served[5+i] && is_ending[5+i]) begin
                        answer  <= 1'b1;
                        refused <= is_outside[5+i];
                    end else if (w_bready[i]) answer <= 1'b0;
                end
            wire unused = &{1'b0, valid};
        end
    endgenerate

    // ------------------------------------------------------------------ whose turn
    reg  [7:0] chosen;                 // one-hot, or none: which comes next
    reg  [7:0] serving;                // whose request is to be queued now, one-hot, or none's
    wire [7:0] wants  = {data_ready, is_measured[4:0]} & ~chosen & ~serving;
    reg  [7:0] turn;                   // one-hot: which was served last of those that take turns
    wire [7:0] wire_wants = wants & WIRE;
    reg        is_urgent;
    always @(posedge clk) is_urgent <= urgent && !rst;
    wire [7:0] others = wants & (is_urgent ? 8'b00000100 : OTHERS);
    wire [7:0] behind = others & ~(turn | (turn - 8'd1)); // those after it come first
    wire [7:0] first  = behind != 8'd0 ? behind & (~behind + 8'd1) : others & (~others + 8'd1);
    wire       leads  = is_urgent && wants[2] || wants[4]; // before those that take turns and the wire
    wire       has_leader = chosen[0] || is_urgent && chosen[2] || chosen[4];
    wire [7:0] choice = wants[0] ? 8'd1 : is_urgent && wants[2] ? 8'd4 : wants[4] ? LINES
                        : wire_wants != 8'd0 ? wire_wants & (~wire_wants + 8'd1) : first;

    reg  [21:0] chosen_address;
    reg  [3:0]  chosen_size;
    reg         chosen_outside, chosen_ends;
    integer     p;
    always @(*) begin
        chosen_address = 22'd0;
        chosen_size    = 4'd0;
        for (p = 0; p < 8; p = p + 1) begin
            chosen_address = chosen_address | (chosen[p] ? address[22*p +: 22] : 22'd0);
            chosen_size    = chosen_size | (chosen[p] ? size[4*p +: 4] : 4'd0);
        end
        chosen_outside = |(chosen & is_outside);
        chosen_ends    = |(chosen & is_ending);
    end

    // ------------------------------------------------------------------ the request to be queued
    // A write's data is copied first, a beat in each cycle; then its request follows. Without BYTE_MASKS, `cut` queues
    // the whole beats copied so far, and in the next cycle the beat that is partial is copied and queued.
    wire       order_full, order_valid, order_pop, has_room;
    reg  [21:0] at_address;
    reg  [3:0]  at_size, to_copy;      // beats less one; those of a write to be copied, less one
    reg         is_write, outside, ends;
    wire       may_queue = !request_full && (is_write || !order_full && (outside || has_room));
    wire       cut, alone;             // the beat to be copied is partial: whole ones wait, or none does
    wire [3:0] low_address, count_now; // of the request queued now: where in its block; beats less one
    wire       copy_now  = is_write && !(write_full && !outside) && !cut &&
                           (to_copy != 4'd0 && !alone || may_queue);
    wire       serve     = is_write ? copy_now && to_copy == 4'd0 : serving != 8'd0 && may_queue;
    wire       advance   = chosen != 8'd0 && (serving == 8'd0 || serve);
    wire       choose    = chosen == 8'd0 || advance || wants[0] || leads && !has_leader ||
                           (chosen & OTHERS) != 8'd0 && wire_wants != 8'd0;
    wire [2:0] number    = {serving[4], serving[3] | serving[2], serving[3] | serving[1]}; // of a reader
    wire [1:0] writer_number = {serving[7], serving[6]};

    assign is_served    = serve ? serving : 8'd0;
    assign data_pop     = copy_now ? serving[7:5] : 3'd0;
    assign write_push   = copy_now && !outside;
    assign write_beat   = data_beat[writer_number];
    assign request_push    = (serve || copy_now && alone || cut && may_queue) && !outside;
    assign request         = {is_write, at_address[21:4], low_address, count_now};
    assign request_partial = alone;
    generate
        if (BYTE_MASKS != 0) begin : masked
            assign {cut, alone, low_address, count_now} = {2'b00, at_address[3:0], at_size};
        end else begin : unmasked
            reg  [3:0] whole;          // beats copied whose request is not queued yet
            reg  [3:0] here;           // the beat to be copied, in its block
            wire       partial = is_write && !outside && write_beat[71:64] != 8'hff;
            assign cut         = partial && whole != 4'd0;
            assign alone       = partial && whole == 4'd0;
            assign low_address = is_write ? here - whole : at_address[3:0];
            assign count_now   = !is_write ? at_size : cut ? whole - 4'd1 : whole;
            always @(posedge clk)
                if (rst || cut && may_queue || serve) whole <= 4'd0;
                else if (copy_now && !alone) whole <= whole + 4'd1;
            always @(posedge clk) here <= advance ? chosen_address[3:0] : here + {3'd0, copy_now};
        end
    endgenerate
    always @(posedge clk)
        if (rst) begin
            turn     <= 8'b10000000;
            chosen   <= 8'd0;
            serving  <= 8'd0;
            is_write <= 1'b0;
        end else begin
            if (choose) chosen <= choice;
            if (advance && (chosen & OTHERS) != 8'd0) turn <= chosen;
            if (advance || serve) begin
                serving  <= advance ? chosen : 8'd0;
                is_write <= advance && |chosen[7:5];
            end
        end
    always @(posedge clk) begin
        if (advance)
            {at_address, at_size, outside, ends} <= {chosen_address, chosen_size, chosen_outside, chosen_ends};
        to_copy <= advance ? chosen_size : to_copy - {3'd0, copy_now};
    end

    // ------------------------------------------------------------------ data read, in the order of the queue
    // Data waits for a refused burst's answers, so no more may be on its way than the FIFO holds.
    reg  [5:0] in_flight;
    assign has_room = in_flight <= READ_ROOM - 6'd16;
    always @(posedge clk)
        if (rst) in_flight <= 6'd0;
        else in_flight <= in_flight + (request_push && !is_write ? {2'b00, at_size} + 6'd1 : 6'd0) -
                          {5'd0, read_pop};
    wire [2:0] order_port;
    wire [3:0] order_size;
    wire       order_last, order_outside;
    sync_fifo #(.WIDTH(9), .LOG2_DEPTH(4)) order (
        .clk(clk), .rst(rst), .push(serve && !is_write), .push_data({number, ends, outside, at_size}),
        .full(order_full), .pop(order_pop), .data({order_port, order_last, order_outside, order_size}),
        .valid(order_valid)
    );
    reg  [3:0] arrived;
    wire       arrives   = order_valid && (order_outside || read_valid);
    wire       is_whole  = arrived == order_size;
    assign order_pop = arrives && is_whole;
    assign read_pop  = arrives && !order_outside;
    always @(posedge clk) begin
        r_rdata  <= read_data;
        r_rresp  <= order_outside ? DECERR : OKAY;
        r_rlast  <= order_last && is_whole;
        r_rvalid <= !rst && arrives ? 5'd1 << order_port : 5'd0;
        if (rst) arrived <= 4'd0;
        else if (arrives) arrived <= is_whole ? 4'd0 : arrived + 4'd1;
    end
endmodule
`default_nettype wire
