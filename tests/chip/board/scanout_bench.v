// SPDX-License-Identifier: Apache-2.0
//
// Scan-out of 640 x 480 pixels from a memory whose other masters never rest: both ports of the chip read and write
// whole blocks without a pause (an engine and a paging node at work), each block in another row of the same bank, which
// is the slowest there is, and the host's wire asks for words between them. Every pixel of FRAMES frames is compared.
// Self-checking; the clocks come from outside.
`default_nettype none

module scanout_bench #(
    parameter PERIOD_PS  = 13333, // of sdram_clk
    parameter FRAMES     = 3,
    parameter LOG2_DEPTH = 8      // of scan-out's FIFO
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        sdram_clk,
    input  wire        sdram_rst,
    input  wire        pixel_clk,
    input  wire        pixel_rst,
    output wire        finished,
    output reg  [31:0] wrong,          // pixels that are not the picture's
    output wire [31:0] missed,         // as scan-out counts them
    output reg  [31:0] moved,          // beats of the others
    output reg  [31:0] longest_wait    // address taken to last data, cycles of clk
);
    localparam [25:0] ALL_BYTES = 26'h0100000; // behind each of the chip's ports

    wire [5*32-1:0] r_araddr;
    wire [5*8-1:0]  r_arlen;
    wire [4:0]      r_arvalid, r_arready, r_rvalid;
    wire [63:0]     r_rdata;
    wire [1:0]      r_rresp;
    wire            r_rlast;
    wire [3*32-1:0] w_awaddr;
    wire [3*8-1:0]  w_awlen, w_wstrb;
    wire [2:0]      w_awvalid, w_awready, w_wvalid, w_wready, w_bvalid, w_bready;
    wire [3*64-1:0] w_wdata;
    wire [5:0]      w_bresp;
    wire            go; // the SDRAM is initialised

    memory_rig #(.SYSTEM_BYTES(ALL_BYTES), .LOCAL_BYTES(ALL_BYTES), .PERIOD_PS(PERIOD_PS), .CAS_LATENCY(2),
                 .REFRESH_PS(6500000), .ROW_BITS(8)) rig (
        .clk(clk), .rst(rst), .sdram_clk(sdram_clk), .sdram_rst(sdram_rst), .go(go),
        .r_araddr(r_araddr), .r_arlen(r_arlen), .r_arvalid(r_arvalid), .r_arready(r_arready), .r_rdata(r_rdata),
        .r_rresp(r_rresp), .r_rlast(r_rlast), .r_rvalid(r_rvalid),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awvalid(w_awvalid), .w_awready(w_awready), .w_wdata(w_wdata),
        .w_wstrb(w_wstrb), .w_wvalid(w_wvalid), .w_wready(w_wready), .w_bresp(w_bresp), .w_bvalid(w_bvalid),
        .w_bready(w_bready)
    );

    // ------------------------------------------------------------------ the picture: in rows 0 to 149, never black
    function [15:0] picture(input [18:0] pixel);
        picture = {pixel[15:0] ^ {13'd0, pixel[18:16]}} * 16'd40503 | 16'd1;
    endfunction
    integer word;
    initial for (word = 0; word < 640 * 480; word = word + 1) rig.sdram.memory[word] = picture(word[18:0]);

    wire [31:0] frames;
    wire        hsync, vsync, visible;
    wire [15:0] pixel;
    scanout #(.LOG2_DEPTH(LOG2_DEPTH)) display (
        .clk(clk), .rst(rst), .enable(go), .doubled(1'b0), .address(25'd0), .frames(frames), .underflows(missed),
        .r_araddr(r_araddr[31:0]), .r_arlen(r_arlen[7:0]), .r_arvalid(r_arvalid[0]), .r_arready(r_arready[0]),
        .r_rdata(r_rdata), .r_rvalid(r_rvalid[0]),
        .pixel_clk(pixel_clk), .pixel_rst(pixel_rst), .hsync(hsync), .vsync(vsync), .visible(visible), .pixel(pixel)
    );
    // The vertical pulse numbers the pixels; the display is on from the third of them at the latest.
    reg [18:0] number;
    reg [31:0] pulses;
    reg        was_vsync;
    always @(posedge pixel_clk)
        if (pixel_rst) begin
            number    <= 19'd0;
            pulses    <= 0;
            was_vsync <= 1'b1;
            wrong     <= 0;
        end else begin
            was_vsync <= vsync;
            if (was_vsync && !vsync) pulses <= pulses + 1;
            number <= !vsync ? 19'd0 : number + {18'd0, visible};
            if (visible && pulses >= 3 && pixel != picture(number)) wrong <= wrong + 1;
        end
    assign finished = pulses == 3 + FRAMES;

    // ------------------------------------------------------------------ the others
    reg [31:0] random;
    wire       fresh = random[31] ^ random[21] ^ random[1] ^ random[0];
    always @(posedge clk) random <= rst ? 32'h1badcafe : {random[30:0], fresh};
    // Rows 160 to 254, bank 0.
    wire [7:0]  row   = 8'd160 + {2'b00, random[5:0]} + {3'd0, random[10:6]};
    wire [31:0] block = {12'd0, row, 2'b00, random[13:11], 7'd0};
    reg  [31:0] at [0:3];              // what the chip's ports read, what they write
    reg  [31:0] wire_at;
    reg         wire_asks;
    wire [31:0] at0 = at[0], at1 = at[1], at2 = at[2], at3 = at[3];
    wire [3:0]  taken = {w_awready[1:0], r_arready[2:1]};
    integer     k;
    assign r_araddr[127:32] = {wire_at, at1, at0};
    assign r_arlen[31:8]    = {8'd0, 8'd15, 8'd15};
    assign r_arvalid[3:1]   = {wire_asks, go, go};
    assign w_awaddr         = {32'd0, at3, at2};
    assign w_awlen          = {8'd0, 8'd15, 8'd15};
    assign w_awvalid        = {1'b0, go, go};
    assign w_wdata          = {64'd0, {4{random}}};
    assign w_wstrb          = 24'hffffff;
    assign w_wvalid         = {1'b0, go, go};
    assign w_bready         = 3'b111;
    always @(posedge clk) begin
        for (k = 0; k < 4; k = k + 1)
            if (!go || taken[k]) at[k] <= block ^ (k << 7);
        if (rst || !go) begin
            wire_asks <= 1'b0;
            moved     <= 0;
        end else begin
            if (!wire_asks && random[6:0] == 7'd0) begin
                wire_asks <= 1'b1;
                wire_at   <= block;
            end else if (r_arready[3]) wire_asks <= 1'b0;
            moved <= moved + {31'd0, |r_rvalid[3:1]} + {31'd0, w_wready[0]} + {31'd0, w_wready[1]};
        end
    end

    // ------------------------------------------------------------------ a line of the firmware's, again and again
    reg line_asks, line_waits;
    assign r_araddr[159:128] = block & 32'h0000ffe0;
    assign r_arlen[39:32]    = 8'd3;
    assign r_arvalid[4]      = line_asks;
    always @(posedge clk)
        if (rst || !go) {line_asks, line_waits} <= 2'b00;
        else if (!line_waits) {line_asks, line_waits} <= 2'b11;
        else begin
            if (r_arready[4]) line_asks <= 1'b0;
            if (r_rvalid[4] && r_rlast) line_waits <= 1'b0;
        end

    // ------------------------------------------------------------------ how long scan-out waits for a block
    reg  [31:0] now;
    reg  [31:0] asked [0:15];
    reg  [3:0]  first, last, came;
    wire [31:0] asked_first = asked[first];
    always @(posedge clk)
        if (rst) begin
            now          <= 0;
            {first, last, came} <= 12'd0;
            longest_wait <= 0;
        end else begin
            now <= now + 1;
            if (r_arvalid[0] && r_arready[0]) begin
                asked[last] <= now;
                last        <= last + 4'd1;
            end
            if (r_rvalid[0]) came <= came + 4'd1;
            if (r_rvalid[0] && came == 4'd15) begin
                first <= first + 4'd1;
                if (now - asked_first > longest_wait) longest_wait <= now - asked_first;
            end
        end
    wire unused = &{1'b0, hsync, frames, r_rresp, r_rlast, w_bresp, w_bvalid, w_wready[2], w_awready[2]};
endmodule
`default_nettype wire
