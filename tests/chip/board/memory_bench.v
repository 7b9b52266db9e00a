// SPDX-License-Identifier: Apache-2.0
//
// boards/common/board_memory.v with the SDRAM of sdram_model.v, whose assertions are the data sheet. Three
// masters at random with scan-out reading beside them, every byte compared; then one stream each way alone,
// whose share of the pins' rate is measured. Self-checking; the clocks come from outside.
`default_nettype none

module memory_bench #(
    parameter ROUNDS = 300,
    parameter PERIOD_PS = 10000,  // of sdram_clk
    parameter CAS_LATENCY = 3,
    parameter WIDTH = 16,         // of the SDRAM's data
    parameter BYTE_MASKS = 1,
    parameter STREAM_BURSTS = 256 // of 128 beats
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        sdram_clk,
    input  wire        sdram_rst,
    output reg         finished,
    output reg  [31:0] errors,
    output reg  [31:0] beats,          // compared
    output reg  [31:0] read_cycles,    // of sdram_clk, for STREAM_BURSTS * 1 KB
    output reg  [31:0] write_cycles,
    output reg  [31:0] longest_wait    // scan-out: address taken to last data, cycles of clk
);

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
    wire            ready_here; // the SDRAM is initialised

    memory_rig #(.WIDTH(WIDTH), .BYTE_MASKS(BYTE_MASKS), .PERIOD_PS(PERIOD_PS), .CAS_LATENCY(CAS_LATENCY)) rig (
        .clk(clk), .rst(rst), .sdram_clk(sdram_clk), .sdram_rst(sdram_rst), .go(ready_here),
        .r_araddr(r_araddr), .r_arlen(r_arlen), .r_arvalid(r_arvalid), .r_arready(r_arready), .r_rdata(r_rdata),
        .r_rresp(r_rresp), .r_rlast(r_rlast), .r_rvalid(r_rvalid),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awvalid(w_awvalid), .w_awready(w_awready), .w_wdata(w_wdata),
        .w_wstrb(w_wstrb), .w_wvalid(w_wvalid), .w_wready(w_wready), .w_bresp(w_bresp), .w_bvalid(w_bvalid),
        .w_bready(w_bready)
    );

    // ------------------------------------------------------------------ random masters
    wire [2:0]  done;
    wire [31:0] wrong [0:2];
    wire [31:0] seen  [0:2];
    wire        streaming = &done;
    reg         stream_write, stream_read;

    wire [31:0] c_araddr, c_awaddr;
    wire [7:0]  c_arlen, c_awlen, c_wstrb;
    wire        c_arvalid, c_awvalid, c_wvalid, c_bready;
    wire [63:0] c_wdata;
    memory_client #(.ROUNDS(ROUNDS), .REGION(32'h0000bf80), .OUTSIDE(32'h00010000), .LOG2_MOST(8), .SEED(11)) system (
        .clk(clk), .rst(rst || !ready_here), .araddr(c_araddr), .arlen(c_arlen), .arvalid(c_arvalid),
        .arready(r_arready[1]), .rdata(r_rdata), .rresp(r_rresp), .rlast(r_rlast), .rvalid(r_rvalid[1] && !streaming),
        .awaddr(c_awaddr), .awlen(c_awlen), .awvalid(c_awvalid), .awready(w_awready[0]), .wdata(c_wdata),
        .wstrb(c_wstrb), .wvalid(c_wvalid), .wready(w_wready[0]), .bresp(w_bresp[1:0]),
        .bvalid(w_bvalid[0] && !streaming), .bready(c_bready), .done(done[0]), .errors(wrong[0]), .beats(seen[0])
    );
    memory_client #(.ROUNDS(ROUNDS), .REGION(32'h00000000), .OUTSIDE(32'h00010000), .LOG2_MOST(6), .SEED(22)) segment2 (
        .clk(clk), .rst(rst || !ready_here), .araddr(r_araddr[95:64]), .arlen(r_arlen[23:16]), .arvalid(r_arvalid[2]),
        .arready(r_arready[2]), .rdata(r_rdata), .rresp(r_rresp), .rlast(r_rlast), .rvalid(r_rvalid[2]),
        .awaddr(w_awaddr[63:32]), .awlen(w_awlen[15:8]), .awvalid(w_awvalid[1]), .awready(w_awready[1]),
        .wdata(w_wdata[127:64]), .wstrb(w_wstrb[15:8]), .wvalid(w_wvalid[1]), .wready(w_wready[1]),
        .bresp(w_bresp[3:2]), .bvalid(w_bvalid[1]), .bready(w_bready[1]), .done(done[1]), .errors(wrong[1]),
        .beats(seen[1])
    );
    memory_client #(.ROUNDS(ROUNDS), .REGION(32'h00020200), .OUTSIDE(32'h01f00000), .LOG2_MOST(0), .SEED(33)) host (
        .clk(clk), .rst(rst || !ready_here), .araddr(r_araddr[127:96]), .arlen(r_arlen[31:24]), .arvalid(r_arvalid[3]),
        .arready(r_arready[3]), .rdata(r_rdata), .rresp(r_rresp), .rlast(r_rlast), .rvalid(r_rvalid[3]),
        .awaddr(w_awaddr[95:64]), .awlen(w_awlen[23:16]), .awvalid(w_awvalid[2]), .awready(w_awready[2]),
        .wdata(w_wdata[191:128]), .wstrb(w_wstrb[23:16]), .wvalid(w_wvalid[2]), .wready(w_wready[2]),
        .bresp(w_bresp[5:4]), .bvalid(w_bvalid[2]), .bready(w_bready[2]), .done(done[2]), .errors(wrong[2]),
        .beats(seen[2])
    );

    // ------------------------------------------------------------------ scan-out: a burst now and then, timed
    reg  [31:0] pause, wait_;
    reg         asking, waiting;
    reg  [3:0]  came;
    assign r_araddr[31:0] = 32'h00004000;
    assign r_arlen[7:0]   = 8'd15;
    assign r_arvalid[0]   = asking;
    always @(posedge clk)
        if (rst || !ready_here) begin
            pause        <= 0;
            asking       <= 1'b0;
            waiting      <= 1'b0;
            longest_wait <= 0;
            came         <= 4'd0;
        end else if (!waiting) begin
            pause <= pause + 1;
            if (pause == 60 && !streaming) begin
                asking  <= 1'b1;
                waiting <= 1'b1;
                wait_   <= 0;
            end
        end else begin
            wait_ <= wait_ + 1;
            if (r_arready[0]) asking <= 1'b0;
            if (r_rvalid[0]) came <= came + 4'd1;
            if (r_rvalid[0] && r_rlast) begin
                waiting <= 1'b0;
                pause   <= 0;
                if (wait_ > longest_wait) longest_wait <= wait_;
            end
        end

    // ------------------------------------------------------------------ a line of the firmware's, again and again
    reg line_asks, line_waits;
    assign r_araddr[159:128] = 32'h00000040;
    assign r_arlen[39:32]    = 8'd3;
    assign r_arvalid[4]      = line_asks;
    always @(posedge clk)
        if (rst || !ready_here) {line_asks, line_waits} <= 2'b00;
        else if (!line_waits) {line_asks, line_waits} <= {2{!streaming}};
        else begin
            if (r_arready[4]) line_asks <= 1'b0;
            if (r_rvalid[4] && r_rlast) line_waits <= 1'b0;
        end

    // ------------------------------------------------------------------ streams: 128 beats to a burst, no gaps
    reg [31:0] asked, moved, answers;

    wire       stream_done = moved == STREAM_BURSTS * 128;
    assign r_araddr[63:32] = streaming ? {16'd0, asked[5:0], 10'd0} : c_araddr;
    assign r_arlen[15:8]   = streaming ? 8'd127 : c_arlen;
    assign r_arvalid[1]    = streaming ? stream_read && asked != STREAM_BURSTS : c_arvalid;
    assign w_awaddr[31:0]  = streaming ? {16'd0, asked[5:0], 10'd0} : c_awaddr;
    assign w_awlen[7:0]    = streaming ? 8'd127 : c_awlen;
    assign w_awvalid[0]    = streaming ? stream_write && asked != STREAM_BURSTS : c_awvalid;
    assign w_wdata[63:0]   = streaming ? {2{moved}} : c_wdata;
    assign w_wstrb[7:0]    = streaming ? 8'hff : c_wstrb;
    assign w_wvalid[0]     = streaming ? stream_write && !stream_done : c_wvalid;
    assign w_bready[0]     = c_bready;
    reg [31:0] sdram_now;
    always @(posedge sdram_clk) sdram_now <= sdram_rst ? 0 : sdram_now + 1;
    reg [31:0] begun;
    always @(posedge clk)
        if (rst) begin
            stream_read  <= 1'b0;
            stream_write <= 1'b0;
            finished     <= 1'b0;
            asked        <= 0;
            moved        <= 0;
            answers      <= 0;
            read_cycles  <= 0;
            write_cycles <= 0;
            errors       <= 0;
            beats        <= 0;
        end else if (streaming && !finished) begin
            if (!stream_read && !stream_write) begin
                stream_write <= write_cycles == 0;
                stream_read  <= write_cycles != 0;
                asked        <= 0;
                moved        <= 0;
                answers      <= 0;
                begun        <= sdram_now;
            end else begin
                if (stream_read ? r_arvalid[1] && r_arready[1] : w_awvalid[0] && w_awready[0]) asked <= asked + 1;
                if (stream_read ? r_rvalid[1] : w_wvalid[0] && w_wready[0]) moved <= moved + 1;
                if (w_bvalid[0]) answers <= answers + 1;
                if (stream_done && (stream_read || answers == STREAM_BURSTS)) begin
                    stream_read  <= 1'b0;
                    stream_write <= 1'b0;
                    if (stream_read) begin
                        read_cycles <= sdram_now - begun;
                        finished    <= 1'b1;
                        errors      <= wrong[0] + wrong[1] + wrong[2];
                        beats       <= seen[0] + seen[1] + seen[2];
                    end else write_cycles <= sdram_now - begun;
                end
            end
        end
endmodule
`default_nettype wire
