// SPDX-License-Identifier: Apache-2.0
//
// All masters of the board's one memory, in front of its controller (sdram_controller.v, on its own clock).
// Bursts are cut into requests of at most 16 beats that stay inside an aligned 128-byte block. Requests enter
// one queue and are executed in its order, so what has been queued is visible to everything queued later; that
// is why a write is answered as soon as its last request is in the queue.
//
//   read ports    0 scan-out   1 the chip's system memory   2 its segment 2   3 the host's wire
//   write ports                0 the chip's system memory   1 its segment 2   2 the host's wire
//
// Scan-out goes first, then the host's wire, which nothing can stop while a word of its waits; the others take turns,
// one request each, so each waits for at most three others, for scan-out and for a word of the wire. A write's turn
// comes when its data is here: a slow writer stops nobody. Readers take data in every cycle (there is no rready).
// Bursts that leave their port's window answer DECERR and touch nothing.
`default_nettype none

module memory_hub #(
    parameter [25:0] SYSTEM_BASE  = 26'h0000000, // where address 0 of the chip's system port lies in the memory
    parameter [25:0] SYSTEM_BYTES = 26'h1800000,
    parameter [25:0] LOCAL_BASE   = 26'h1800000, // and of its segment 2 port. The host and scan-out see it all.
    parameter [25:0] LOCAL_BYTES  = 26'h0800000
) (
    input  wire            clk,
    input  wire            rst,

    // Read ports, port 0 in the low bits. INCR bursts of whole beats; a narrower read is one beat.
    input  wire [4*32-1:0] r_araddr,
    input  wire [4*8-1:0]  r_arlen,
    input  wire [3:0]      r_arvalid,
    output wire [3:0]      r_arready,
    output wire [63:0]     r_rdata,              // to all; r_rvalid says whose it is
    output wire [1:0]      r_rresp,
    output wire            r_rlast,
    output wire [3:0]      r_rvalid,

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
    input  wire            request_full,
    output wire            write_push,
    output wire [71:0]     write_beat,           // {strobe, data}
    input  wire            write_full,
    input  wire            read_valid,
    input  wire [63:0]     read_data,
    output wire            read_pop
);
    localparam [25:0] ALL_BYTES = 26'h2000000;
    localparam [1:0]  OKAY = 2'b00, DECERR = 2'b11;
    localparam [5:0]  READ_ROOM = 6'd32;         // beats that the FIFO of read data holds
    // Window of port i: 0..3 read, 4..6 write.
    function [51:0] window(input integer i); // {base, bytes}
        window = i == 1 || i == 4 ? {SYSTEM_BASE, SYSTEM_BYTES} : i == 2 || i == 5 ? {LOCAL_BASE, LOCAL_BYTES}
                                                                                   : {26'd0, ALL_BYTES};
    endfunction

    // ------------------------------------------------------------------ bursts under way, one per port
    wire [6:0]  is_pending, is_outside, is_ending;   // ending: its next request is its last
    wire [6:0]  is_served;                           // served: its next request goes into the queue in this cycle
    wire [21:0] address [0:6];                       // of the next request, in beats
    wire [3:0]  size    [0:6];                       // beats of the next request, less one

    genvar i;
    generate
        for (i = 0; i < 7; i = i + 1) begin : port
            localparam [51:0] WINDOW = window(i);
            wire [31:0] start  = i < 4 ? r_araddr[32*(i%4) +: 32] : w_awaddr[32*((i+2)%3) +: 32];
            wire [7:0]  length = i < 4 ? r_arlen[8*(i%4) +: 8]    : w_awlen[8*((i+2)%3) +: 8];
            wire        valid  = i < 4 ? r_arvalid[i%4]           : w_awvalid[(i+2)%3];
            wire        ready;
            wire [32:0] last   = {1'b0, start} + {22'd0, length, 3'd0};
            wire [24:0] place  = start[24:0] + WINDOW[50:26];

            reg         pending, outside;
            reg  [21:0] at;
            reg  [8:0]  beats;
            wire [4:0]  block = 5'd16 - {1'b0, at[3:0]};          // beats to the end of the block
            wire        ends  = beats <= {4'd0, block};           // ends here
            wire [4:0]  count = ends ? beats[4:0] : block;
            assign size[i]       = count[3:0] - 4'd1;
            assign is_pending[i] = pending;
            assign is_outside[i] = outside;
            assign address[i]    = at;
            assign is_ending[i]  = ends;
            if (i < 4) assign r_arready[i%4] = ready;
            else       assign w_awready[(i+2)%3] = ready;
            always @(posedge clk)
                if (rst) pending <= 1'b0;
                else if (valid && ready) begin
                    pending <= 1'b1;
                    outside <= last[32:3] >= {7'd0, WINDOW[25:3]};
                    at      <= place[24:3];
                    beats   <= {1'b0, length} + 9'd1;
                end else if (is_served[i]) begin
                    pending <= !ends;
                    at      <= at + {17'd0, count};
                    beats   <= beats - {4'd0, count};
                end
            wire unused = &{1'b0, WINDOW[51], WINDOW[2:0], last[2:0], place[2:0], start[2:0]};
        end
        for (i = 0; i < 4; i = i + 1) begin : read_ready
            assign port[i].ready = !port[i].pending;
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
            assign w_wready[i]   = !full;
            assign data_ready[i] = level > {2'b00, size[4+i]};
            sync_fifo #(.WIDTH(72), .LOG2_DEPTH(5)) queued (
                .clk(clk), .rst(rst), .push(push), .push_data({w_wstrb[8*i +: 8], w_wdata[64*i +: 64]}), .full(full),
                .pop(data_pop[i]), .data(data_beat[i]), .valid(valid)
            );
            reg answer, refused;
            assign w_bvalid[i]       = answer;
            assign w_bresp[2*i +: 2] = refused ? DECERR : OKAY;
            assign port[4+i].ready   = !port[4+i].pending && !answer;
            always @(posedge clk)
                if (rst) begin
                    level  <= 6'd0;
                    answer <= 1'b0;
                end else begin
                    level <= level + {5'd0, push} - {5'd0, data_pop[i]};
                    if (is_served[4+i] && is_ending[4+i]) begin
                        answer  <= 1'b1;
                        refused <= is_outside[4+i];
                    end else if (w_bready[i]) answer <= 1'b0;
                end
            wire unused = &{1'b0, valid};
        end
    endgenerate

    // ------------------------------------------------------------------ whose turn
    wire       order_full, order_valid, order_pop, has_room;
    wire [6:0] wants  = is_pending & {data_ready, 4'b1111};
    reg  [6:0] turn;                   // one-hot: who was served last of those
    wire [6:0] wire_wants = wants & 7'b1001000;
    wire [6:0] others = wants & 7'b0110110;
    wire [6:0] behind = others & ~(turn | (turn - 7'd1)); // those after it come first
    wire [6:0] first  = behind != 7'd0 ? behind & (~behind + 7'd1) : others & (~others + 7'd1);
    wire [6:0] choice = wants[0] ? 7'd1 : wire_wants != 7'd0 ? wire_wants & (~wire_wants + 7'd1) : first;

    // A write's data is copied first, a beat in each cycle; then its request follows.
    reg  [6:0] serving;                // the write at work, or none
    reg  [3:0] copied;
    wire [6:0] chosen = serving != 7'd0 ? serving : choice;
    wire [2:0] number = {|chosen[6:4], chosen[3] | chosen[2] | chosen[6], chosen[3] | chosen[1] | chosen[5]};
    wire       is_write = number[2];
    wire       outside  = |(chosen & is_outside);
    wire [3:0] chosen_size = size[number];
    wire       may_queue = !request_full && (is_write || !order_full && (outside || has_room));
    wire       copy_now = is_write && chosen != 7'd0 && !(write_full && !outside) &&
                          (copied != chosen_size || may_queue);
    wire       serve    = is_write ? copy_now && copied == chosen_size : chosen != 7'd0 && may_queue;
    wire [1:0] writer_number = number[1:0];

    assign is_served    = serve ? chosen : 7'd0;
    assign data_pop     = copy_now ? chosen[6:4] : 3'd0;
    assign write_push   = copy_now && !outside;
    assign write_beat   = data_beat[writer_number];
    assign request_push = serve && !outside;
    assign request      = {is_write, address[number], chosen_size};
    always @(posedge clk)
        if (rst) begin
            turn    <= 7'b1000000;
            serving <= 7'd0;
            copied  <= 4'd0;
        end else begin
            if (serve && (chosen & 7'b1001001) == 7'd0) turn <= chosen;
            serving <= is_write && !serve ? chosen : 7'd0;
            copied  <= serve ? 4'd0 : copied + {3'd0, copy_now};
        end

    // ------------------------------------------------------------------ data read, in the order of the queue
    // Data waits behind a refused burst's answers, so no more may be on its way than the FIFO holds.
    reg  [5:0] in_flight;
    assign has_room = in_flight <= READ_ROOM - 6'd16;
    always @(posedge clk)
        if (rst) in_flight <= 6'd0;
        else in_flight <= in_flight + (request_push && !is_write ? {2'b00, chosen_size} + 6'd1 : 6'd0) -
                          {5'd0, read_pop};
    wire [1:0] order_port;
    wire [3:0] order_size;
    wire       order_last, order_outside;
    sync_fifo #(.WIDTH(8), .LOG2_DEPTH(4)) order (
        .clk(clk), .rst(rst), .push(serve && !is_write),
        .push_data({number[1:0], |(chosen & is_ending), outside, chosen_size}), .full(order_full),
        .pop(order_pop), .data({order_port, order_last, order_outside, order_size}), .valid(order_valid)
    );
    reg  [3:0] arrived;
    wire       arrives   = order_valid && (order_outside || read_valid);
    wire       is_whole  = arrived == order_size;
    assign order_pop = arrives && is_whole;
    assign read_pop  = arrives && !order_outside;
    assign r_rdata   = read_data;
    assign r_rresp   = order_outside ? DECERR : OKAY;
    assign r_rlast   = order_last && is_whole;
    generate
        for (i = 0; i < 4; i = i + 1) begin : reader
            assign r_rvalid[i] = arrives && order_port == i;
        end
    endgenerate
    always @(posedge clk)
        if (rst) arrived <= 4'd0;
        else if (arrives) arrived <= is_whole ? 4'd0 : arrived + 4'd1;
endmodule
`default_nettype wire
