// SPDX-License-Identifier: Apache-2.0
//
// Bounded proof for the whole mover (copies of one row: what both nodes do most): from reset, a command of any
// source and target within 512 bytes around a 4 KiB boundary and of length 0 .. MOST, offered and answered in any
// rhythm, by a memory that is fair: nothing
// offered or owed waits for more than PATIENCE cycles. Then
//   - the command completes no later than BOUND cycles after it was first offered, and exactly once;
//   - what waits on AR, AW and W stands unchanged until it is taken;
//   - every beat read holds a byte of the source, every byte written is of the target, none twice, all of
//     them by the completion, and each has the value of its source byte (unless the memory answered with an error);
//   - the completion tells a fault exactly when there was an error.
// Byte a of memory reads as its address' low byte, so a byte taken from the wrong place is seen.
`default_nettype none

module mover_complete #(
    parameter MOST     = 12, // bytes of the longest command
    parameter ERRORS   = 1,  // 0: the memory answers without errors
    parameter PATIENCE = 1,  // cycles a fair memory lets anything wait
    parameter BOUND    = 22  // cycles from offer to completion
) (
    input wire        clk,
    input wire        offer,    // the command is offered from the first such cycle on
    input wire        arready,
    input wire        awready,
    input wire        wready,
    input wire        r_go,
    input wire        b_go,
    input wire [1:0]  rresp,
    input wire [1:0]  bresp
);
    // 512 bytes around a 4 KiB boundary each.
    (* anyconst *) wire [8:0]  source_offset;
    (* anyconst *) wire [8:0]  target_offset;
    wire [31:0] source = 32'h10000f00 + {23'd0, source_offset};
    wire [31:0] target = 32'h80002f00 + {23'd0, target_offset};
    (* anyconst *) wire [7:0]  length;
    (* anyconst *) wire        barrier;
    (* anyconst *) wire [7:0]  tag;
    wire [31:0] source_end = source + {24'd0, length}; // one after the last byte
    wire [31:0] target_end = target + {24'd0, length};
    always @(*) begin
        assume (length <= MOST[7:0]);
        assume (ERRORS != 0 || (rresp == 2'd0 && bresp == 2'd0));
    end

    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;

    // ------------------------------------------------------------------ the command
    reg         offered = 1'b0, accepted = 1'b0, done = 1'b0;
    wire        cmd_valid = !rst && !accepted && (offer || offered);
    wire        cmd_ready, done_valid, idle;
    wire [7:0]  done_tag, done_fault;

    wire [31:0] araddr, awaddr, t_araddr, done_address;
    wire [7:0]  arlen, awlen, wstrb, t_arlen;
    wire [2:0]  arsize, awsize, t_arsize;
    wire [1:0]  arburst, awburst, t_arburst;
    wire [63:0] wdata;
    wire        aruser, arvalid, rready, awuser, awvalid, wlast, wvalid, bready, t_aruser, t_arvalid, t_rready;
    wire        stall_read, stall_write, stall_drain;
    wire        rvalid, rlast, bvalid;
    wire [63:0] rdata;
    mover #(.FILLS(0), .ROWS(0), .REVERSE(0), .TILES(0), .PIXELS(0)) mover (
        .clk(clk), .rst(rst), .abort(1'b0), .idle(idle),
        .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_op(4'd0), .cmd_source(source), .cmd_target(target),
        .cmd_row_bytes({24'd0, length}), .cmd_rows(16'd1), .cmd_source_pitch(16'd0), .cmd_target_pitch(16'd0),
        .cmd_reverse(1'b0), .cmd_barrier(barrier), .cmd_pattern(32'd0), .cmd_units(16'd0), .cmd_mode(3'd0),
        .cmd_source_format(3'd0), .cmd_mask(8'd0), .cmd_target_format(3'd0), .cmd_premultiplied(1'b0), .cmd_keyed(1'b0),
        .cmd_coloured(1'b0), .cmd_rop(8'd0), .cmd_key(24'd0), .cmd_tag(tag), .cmd_user(1'b0),
        .cmd_mapped(1'b0), .cmd_sampling(3'd0), .map_push(1'b0), .map_word(32'd0),
        .load_start(1'b0), .load_source(24'd0),
        .done_valid(done_valid), .done_tag(done_tag), .done_fault(done_fault), .done_address(done_address),
        .stall_read(stall_read), .stall_write(stall_write), .stall_drain(stall_drain),
        .s_araddr(araddr), .s_arlen(arlen), .s_arsize(arsize), .s_arburst(arburst), .s_aruser(aruser),
        .s_arvalid(arvalid), .s_arready(arready), .s_rdata(rdata), .s_rresp(rresp), .s_rlast(rlast),
        .s_rvalid(rvalid), .s_rready(rready),
        .t_araddr(t_araddr), .t_arlen(t_arlen), .t_arsize(t_arsize), .t_arburst(t_arburst), .t_aruser(t_aruser),
        .t_arvalid(t_arvalid), .t_arready(1'b0), .t_rdata(64'd0), .t_rresp(2'd0), .t_rlast(1'b0), .t_rvalid(1'b0),
        .t_rready(t_rready),
        .w_awaddr(awaddr), .w_awlen(awlen), .w_awsize(awsize), .w_awburst(awburst), .w_awuser(awuser),
        .w_awvalid(awvalid), .w_awready(awready), .w_wdata(wdata), .w_wstrb(wstrb), .w_wlast(wlast),
        .w_wvalid(wvalid), .w_wready(wready), .w_bresp(bresp), .w_bvalid(bvalid), .w_bready(bready)
    );

    // ------------------------------------------------------------------ the memory
    // A command this short has at most two bursts on each side: slot 0 and slot 1. Write data may be taken as soon as
    // its address is offered.
    reg  [31:3] read_at [0:1];
    reg  [31:3] write_at [0:1];
    reg  [4:0]  read_left [0:1];   // beats after this one
    reg  [4:0]  write_left [0:1];
    reg  [1:0]  reads = 2'd0, reads_done = 2'd0;
    reg  [1:0]  writes = 2'd0, writes_seen = 2'd0, writes_done = 2'd0, answers = 2'd0;
    wire        ar = arvalid && arready && !rst, aw = awvalid && awready && !rst, w = wvalid && wready && !rst;
    wire        r_owed = reads != reads_done, b_owed = writes_done != answers && writes != answers;
    wire [31:3] r_at = read_at[reads_done[0]];
    reg         ar_waits = 1'b0, aw_waits = 1'b0, w_waits = 1'b0;
    wire        aw_new = awvalid && !aw_waits && !rst, w_is_new = writes_seen == writes_done;
    wire [31:3] w_at   = w_is_new ? awaddr[31:3] : write_at[writes_done[0]];
    wire [4:0]  w_left = w_is_new ? awlen[4:0] : write_left[writes_done[0]];
    assign rvalid = r_owed && r_go && !rst;
    assign rlast  = read_left[reads_done[0]] == 5'd0;
    assign bvalid = b_owed && b_go && !rst;

    function [7:0] hash(input [31:0] address);
        hash = address[7:0];
    endfunction
    genvar lane;
    generate for (lane = 0; lane < 8; lane = lane + 1) begin : bytes
        localparam [2:0] LANE = lane;
        assign rdata[8*lane +: 8] = hash({r_at, LANE});
    end endgenerate

    always @(posedge clk) if (!rst) begin
        if (ar) begin
            read_at[reads[0]]   <= araddr[31:3];
            read_left[reads[0]] <= arlen[4:0];
            reads               <= reads + 2'd1;
        end
        if (aw_new) begin
            write_at[writes_seen[0]]   <= awaddr[31:3];
            write_left[writes_seen[0]] <= awlen[4:0];
            writes_seen                <= writes_seen + 2'd1;
        end
        if (aw) writes <= writes + 2'd1;
        if (rvalid) begin
            read_at[reads_done[0]]   <= r_at + 29'd1;
            read_left[reads_done[0]] <= read_left[reads_done[0]] - 5'd1;
            if (rlast) reads_done <= reads_done + 2'd1;
        end
        if (w) begin
            write_at[writes_done[0]]   <= w_at + 29'd1;
            write_left[writes_done[0]] <= w_left - 5'd1;
            if (wlast) writes_done <= writes_done + 2'd1;
        end
        if (bvalid && bready) answers <= answers + 2'd1;
    end

    // Fairness.
    reg [2:0] ar_wait = 3'd0, aw_wait = 3'd0, w_wait = 3'd0, r_wait = 3'd0, b_wait = 3'd0;
    always @(posedge clk) begin
        ar_wait <= arvalid && !arready && !rst ? ar_wait + 3'd1 : 3'd0;
        aw_wait <= awvalid && !awready && !rst ? aw_wait + 3'd1 : 3'd0;
        w_wait  <= wvalid  && !wready  && !rst ? w_wait + 3'd1  : 3'd0;
        r_wait  <= r_owed && !r_go && !rst ? r_wait + 3'd1 : 3'd0;
        b_wait  <= b_owed && !b_go && !rst ? b_wait + 3'd1 : 3'd0;
    end
    always @(*) begin
        assume (ar_wait <= PATIENCE[2:0] && aw_wait <= PATIENCE[2:0] && w_wait <= PATIENCE[2:0]);
        assume (r_wait <= PATIENCE[2:0] && b_wait <= PATIENCE[2:0]);
    end

    // ------------------------------------------------------------------ what is shown
    integer i;
    reg  [7:0]  age = 8'd0, written = 8'd0;
    reg         has_failed = 1'b0;
    reg  [44:0] ar_before = 45'd0, aw_before = 45'd0;
    reg  [72:0] w_before = 73'd0;
    wire        fails_now = (rvalid && rresp != 2'd0) || (bvalid && bready && bresp != 2'd0);
    reg  [3:0]  strobes;
    always @(*) begin
        strobes = 4'd0;
        for (i = 0; i < 8; i = i + 1) strobes = strobes + {3'd0, wstrb[i]};
    end
    wire [31:0] ar_end = {araddr[31:3], 3'd0} + {21'd0, arlen + 8'd1, 3'd0};
    wire [31:0] aw_end = {awaddr[31:3], 3'd0} + {21'd0, awlen + 8'd1, 3'd0};

    always @(posedge clk) begin
        if (cmd_valid) offered <= 1'b1;
        if (cmd_valid && cmd_ready) accepted <= 1'b1;
        if (done_valid && !rst) done <= 1'b1;
        if ((cmd_valid || offered) && !done) age <= age + 8'd1;
        if (fails_now) has_failed <= 1'b1;
        if (w) written <= written + {4'd0, strobes};
        ar_waits  <= arvalid && !arready && !rst;
        aw_waits  <= awvalid && !awready && !rst;
        w_waits   <= wvalid && !wready && !rst;
        ar_before <= {araddr, arlen, arsize, arburst};
        aw_before <= {awaddr, awlen, awsize, awburst};
        w_before  <= {wdata, wstrb, wlast};
        if (!rst) begin
            assert (done || age <= BOUND[7:0]);
            if (done_valid) begin
                assert (!done && offered && done_tag == tag);
                assert ((done_fault != 8'd0) == (has_failed || fails_now));
                assert (written == length || has_failed);
            end
            assert (rready);
            if (arvalid) begin
                assert (length != 8'd0 && arsize == 3'd3 && arburst == 2'd1);
                assert ({araddr[31:3], 3'd7} >= source && ar_end - 32'd8 < source_end && ar_end > araddr);
                assert (araddr[31:12] == ar_end[31:12] || ar_end[11:0] == 12'd0);
            end
            if (awvalid) begin
                assert (length != 8'd0 && awsize == 3'd3 && awburst == 2'd1);
                assert ({awaddr[31:3], 3'd7} >= target && aw_end - 32'd8 < target_end && aw_end > awaddr);
                assert (awaddr[31:12] == aw_end[31:12] || aw_end[11:0] == 12'd0);
            end
            assert (!wvalid || !w_is_new || aw_new); // data is never offered before its address
            if (wvalid) begin
                assert (wlast == (w_left == 5'd0));
                for (i = 0; i < 8; i = i + 1)
                    if (wstrb[i]) begin
                        assert ({w_at, i[2:0]} >= target && {w_at, i[2:0]} < target_end);
                        assert (has_failed || wdata[8*i +: 8] == hash({w_at, i[2:0]} - target + source));
                    end
            end
            assert (!ar_waits || (arvalid && ar_before == {araddr, arlen, arsize, arburst}));
            assert (!aw_waits || (awvalid && aw_before == {awaddr, awlen, awsize, awburst}));
            assert (!w_waits || (wvalid && w_before == {wdata, wstrb, wlast}));
            if (done) assert (!arvalid && !awvalid && !wvalid && !r_owed && !b_owed);
        end
    end
endmodule

`default_nettype wire
