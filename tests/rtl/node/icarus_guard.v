// SPDX-License-Identifier: Apache-2.0
//
// The guard alone (guard.v). Goal: exactly the bursts that are granted reach memory, and each channel's answers come in
// the order of its bursts, those of refused ones among them. Method: ranges at the borders of rows and spaces are set,
// and bursts around these borders go before a memory that takes its time; another table says what is granted.
`default_nettype none
`timescale 1ns / 1ps
module icarus_guard;
`include "gpu_spec.vh"
    localparam STEPS = 30000, SLOTS = 256, PAGES = 3 * 4096, WRITE = 2; // channels: 0, 1 read, 2 writes
    reg          clk, rst, set_valid, set_read, set_write, in_bready, bvalid;
    reg  [13:0]  set_first, set_count;
    wire         set_ready, w_is_local, in_bvalid, in_wready, wlast, wvalid, bready;
    reg  [31:0]  in_addr [0:2];
    reg  [7:0]   in_len [0:2];
    reg  [2:0]   in_user, in_valid, ready, rvalid, rlast;
    reg  [63:0]  rdata [0:2];
    reg  [1:0]   rresp [0:2];
    reg  [63:0]  in_wdata;
    reg          in_wvalid, in_wlast, wready;
    reg  [1:0]   bresp;
    wire [2:0]   in_ready, valid, in_rlast, in_rvalid;
    wire [31:0]  addr [0:2];
    wire [7:0]   len [0:2];
    wire [2:0]   size [0:2];
    wire [63:0]  in_rdata [0:2], wdata;
    wire [1:0]   in_rresp [0:2], in_bresp;
    wire [7:0]   wstrb;
    guard #(.DATA_WIDTH(64)) guard (
        .clk(clk), .rst(rst), .set_valid(set_valid), .set_ready(set_ready), .set_first(set_first),
        .set_count(set_count), .set_read(set_read), .set_write(set_write),
        .in_s_araddr(in_addr[0]), .in_s_arlen(in_len[0]), .in_s_arsize(3'd3), .in_s_aruser(in_user[0]),
        .in_s_arvalid(in_valid[0]), .in_s_arready(in_ready[0]), .in_s_rdata(in_rdata[0]), .in_s_rresp(in_rresp[0]),
        .in_s_rlast(in_rlast[0]), .in_s_rvalid(in_rvalid[0]),
        .in_t_araddr(in_addr[1]), .in_t_arlen(in_len[1]), .in_t_arsize(3'd3), .in_t_aruser(in_user[1]),
        .in_t_arvalid(in_valid[1]), .in_t_arready(in_ready[1]), .in_t_rdata(in_rdata[1]), .in_t_rresp(in_rresp[1]),
        .in_t_rlast(in_rlast[1]), .in_t_rvalid(in_rvalid[1]),
        .in_w_awaddr(in_addr[2]), .in_w_awlen(in_len[2]), .in_w_awsize(3'd3), .in_w_awuser(in_user[2]),
        .in_w_awvalid(in_valid[2]), .in_w_awready(in_ready[2]), .in_w_wdata(in_wdata), .in_w_wstrb(in_wdata[7:0]),
        .in_w_wlast(in_wlast), .in_w_wvalid(in_wvalid), .in_w_wready(in_wready), .in_w_bresp(in_bresp),
        .in_w_bvalid(in_bvalid), .in_w_bready(in_bready),
        .s_araddr(addr[0]), .s_arlen(len[0]), .s_arsize(size[0]), .s_arvalid(valid[0]), .s_arready(ready[0]),
        .s_rdata(rdata[0]), .s_rresp(rresp[0]), .s_rlast(rlast[0]), .s_rvalid(rvalid[0]),
        .t_araddr(addr[1]), .t_arlen(len[1]), .t_arsize(size[1]), .t_arvalid(valid[1]), .t_arready(ready[1]),
        .t_rdata(rdata[1]), .t_rresp(rresp[1]), .t_rlast(rlast[1]), .t_rvalid(rvalid[1]),
        .w_awaddr(addr[2]), .w_awlen(len[2]), .w_awsize(size[2]), .w_awvalid(valid[2]), .w_awready(ready[2]),
        .w_wdata(wdata), .w_wstrb(wstrb), .w_wlast(wlast), .w_wvalid(wvalid), .w_wready(wready),
        .w_bresp(bresp), .w_bvalid(bvalid), .w_bready(bready), .w_is_local(w_is_local)
    );

    reg          may_read [0:PAGES-1];
    reg          may_write [0:PAGES-1];
    reg  [31:0]  at [0:3*SLOTS-1];      // bursts of each channel, in their order: address
    reg  [7:0]   beats [0:3*SLOTS-1];   // AxLEN
    reg          good [0:3*SLOTS-1];    // passes
    integer      taken [0:2], reached [0:2], answered [0:2], done [0:2]; // bursts: accepted, at memory, answered
    integer      in_beat [0:2], out_beat [0:2];
    integer      sent, sent_beat, put, put_beat; // data of writes: given, come to memory
    integer      c, step, i, k, page, passed, failed, refused, granted, bandwidth;
    reg  [31:0]  seed, border;
    reg          has_set;
    reg  [2:0]   has_taken;

    function integer slot(input integer channel, input integer number);
        slot = channel * SLOTS + number % SLOTS;
    endfunction
    function [1:0] response(input [31:0] address); // of memory: an error now and then
        response = address[6:4] == 3'd5 ? 2'd2 : 2'd0;
    endfunction
    task expect_(input is_right, input [8*40-1:0] what);
        if (is_right === 1'b1) passed = passed + 1;
        else begin
            if (failed < 5) $display("step %0d, channel %0d: %0s", step, c, what);
            failed = failed + 1;
        end
    endtask
    // The next burst from `number` on that passes, or the number of those that were taken.
    function integer next_good(input integer channel, input integer number);
        begin
            next_good = number;
            while (next_good < taken[channel] && !good[slot(channel, next_good)]) next_good = next_good + 1;
        end
    endfunction
    function is_granted(input [31:0] address, input for_write);
        begin
            page = (address[31:28] - 1) * 4096 + address[27:12];
            is_granted = address[31:28] >= 4'd1 && address[31:28] <= 4'd3 && address[27:24] == 4'd0 &&
                         (for_write ? may_write[page] : may_read[page]);
        end
    endfunction

    // Around the last border that was set, in another space, or past its 4096 pages.
    function [31:0] some_address(input [31:0] random);
        begin
            page = border + random[2:0] - 3;
            page = page < 0 ? 0 : page >= PAGES ? PAGES - 1 : page;
            some_address = 32'h10000000 + page / 4096 * 32'h10000000 + page % 4096 * 4096 + random[11:3] * 8;
            case (random[20:16])
                5'd0: some_address = some_address | 32'h01000000 << random[22:21];
                5'd1: some_address = some_address + 32'h10000000;
                5'd2: some_address = some_address - 32'h10000000;
                5'd3: some_address[31] = 1'b1;
                default: ;
            endcase
        end
    endfunction

    task set_pages;
        begin
            k = $random(seed) & 7;
            set_first = 4096 * ($random(seed) & 3) % PAGES + (k < 4 ? $random(seed) & 14'hfff : k < 6 ? 14'd4095 :
                        k == 6 ? 14'd0 : 32 * ($random(seed) & 127));
            set_count = k % 2 ? 1 + ($random(seed) & 127) : 1 + ($random(seed) & 3);
            if (set_first + set_count > PAGES) set_count = PAGES - set_first;
            {set_read, set_write} = $random(seed);
            set_valid = 1'b1;
            border = $random(seed) & 1 ? set_first : set_first + set_count;
        end
    endtask

    task drive;
        begin
            if (!set_valid && ($random(seed) & 63) == 0) set_pages;
            if (($random(seed) & 255) == 0) bandwidth = $random(seed) & 3;
            for (c = 0; c < 3; c = c + 1) begin
                if (!in_valid[c]) begin
                    in_valid[c] = $random(seed) && taken[c] - answered[c] < SLOTS - 4;
                    in_addr[c] = some_address($random(seed));
                    in_len[c] = $random(seed) & 8'h81 ? $random(seed) & 3 : $random(seed) & 15;
                    in_user[c] = ($random(seed) & 7) != 0;
                end
                ready[c] = $random(seed);
                rvalid[c] = done[c] < reached[c] && ($random(seed) & 3) <= bandwidth && c != WRITE;
                done[c] = next_good(c, done[c]);
                i = slot(c, done[c]);
                rvalid[c] = rvalid[c] && done[c] < reached[c];
                rdata[c] = {at[i], out_beat[c]};
                rresp[c] = response(at[i]);
                rlast[c] = out_beat[c] == beats[i];
            end
            i = slot(WRITE, sent);
            in_wvalid = sent < taken[WRITE] && ($random(seed) & 1);
            in_wdata = {at[i], sent_beat};
            in_wlast = sent_beat == beats[i];
            wready = $random(seed);
            in_bready = $random(seed);
            done[WRITE] = next_good(WRITE, done[WRITE]);
            bvalid = done[WRITE] < put && done[WRITE] < reached[WRITE] && ($random(seed) & 3) <= bandwidth;
            bresp = response(at[slot(WRITE, done[WRITE])]);
        end
    endtask

    task judge_answer;
        begin
            i = slot(c, answered[c]);
            expect_(answered[c] < taken[c], "an answer to nothing");
            if (good[i]) begin
                expect_(in_rdata[c] === {at[i], in_beat[c]}, "another burst's data");
                expect_(in_rresp[c] === response(at[i]), "another answer than memory's");
            end else expect_(in_rresp[c] === 2'd1, "refused, and not said");
            expect_(in_rlast[c] === (in_beat[c] == beats[i]), "a burst of another length");
            in_beat[c] = in_rlast[c] ? 0 : in_beat[c] + 1;
            if (in_rlast[c]) answered[c] = answered[c] + 1;
        end
    endtask

    task judge_write;
        begin
            if (wvalid && wready) begin
                put = next_good(WRITE, put);
                i = slot(WRITE, put);
                expect_(put < reached[WRITE], "data before its address");
                expect_(wdata === {at[i], put_beat} && wstrb === put_beat[7:0], "another burst's data");
                expect_(wlast === (put_beat == beats[i]), "a burst of another length");
                expect_(w_is_local === (at[i] < LIMIT_ADDR_APERTURE), "local or not");
                put_beat = wlast ? 0 : put_beat + 1;
                if (wlast) put = put + 1;
            end
            if (in_wvalid && in_wready) begin
                sent_beat = in_wlast ? 0 : sent_beat + 1;
                if (in_wlast) sent = sent + 1;
            end
            if (bvalid && bready) done[WRITE] = done[WRITE] + 1;
            if (in_bvalid && in_bready) begin
                i = slot(WRITE, answered[WRITE]);
                expect_(answered[WRITE] < sent, "an answer before the data");
                expect_(in_bresp === (good[i] ? response(at[i]) : 2'd1), "another answer to a write");
                answered[WRITE] = answered[WRITE] + 1;
            end
        end
    endtask

    task judge;
        begin
            c = WRITE;
            judge_write;
            for (c = 0; c < 3; c = c + 1) begin
                if (valid[c] && ready[c]) begin
                    reached[c] = next_good(c, reached[c]);
                    i = slot(c, reached[c]);
                    expect_(reached[c] < taken[c], "a refused burst reaches memory");
                    expect_(addr[c] === at[i] && len[c] === beats[i] && size[c] === 3'd3, "another burst");
                    reached[c] = reached[c] + 1;
                end
                if (rvalid[c]) begin
                    out_beat[c] = rlast[c] ? 0 : out_beat[c] + 1;
                    if (rlast[c]) done[c] = done[c] + 1;
                end
                if (c != WRITE && in_rvalid[c]) judge_answer;
                if (in_valid[c] && in_ready[c]) begin
                    i = slot(c, taken[c]);
                    at[i] = in_addr[c];
                    beats[i] = in_len[c];
                    good[i] = !in_user[c] || is_granted(in_addr[c], c == WRITE);
                    if (good[i]) granted = granted + in_user[c];
                    else refused = refused + 1;
                    expect_(!set_valid, "taken while pages are set");
                    taken[c] = taken[c] + 1;
                    has_taken[c] = 1'b1;
                end
            end
            if (set_valid && set_ready) begin
                for (i = set_first; i < set_first + set_count; i = i + 1) begin
                    may_read[i] = set_read;
                    may_write[i] = set_write;
                end
                has_set = 1'b1;
            end
        end
    endtask

    initial begin
        {clk, rst, set_valid, in_valid, rvalid, bvalid, in_wvalid, has_set, has_taken} = 15'd0;
        {passed, failed, refused, granted, sent, sent_beat, put, put_beat, border, c, step} = {11{32'd0}};
        seed = 32'd5;
        bandwidth = 1;
        for (i = 0; i < 3 * SLOTS; i = i + 1) good[i] = 1'b0;
        for (c = 0; c < 3; c = c + 1) {taken[c], reached[c], answered[c], done[c], in_beat[c], out_beat[c]} = 192'd0;
        for (i = 0; i < PAGES; i = i + 1) {may_read[i], may_write[i]} = 2'd0;
        rst = 1'b1;
        for (step = 0; step < STEPS; step = step + 1) begin
            if (rst) {ready, wready, in_bready} = 5'd0;
            else drive;
            #1;
            if (!rst) judge;
            #4 clk = 1'b1;
            #1;
            if (has_set) {has_set, set_valid} = 2'd0;
            in_valid = in_valid & ~has_taken;
            has_taken = 3'd0;
            rst = step < 3;
            #4 clk = 1'b0;
        end
        c = 0;
        expect_(refused > 1000 && granted > 1000, "hardly any burst is guarded");
        for (c = 0; c < 3; c = c + 1) expect_(answered[c] > 1000, "hardly any answers");
        $display("%0d passed, %0d failed", passed, failed);
        if (failed != 0) $fatal;
        $finish;
    end
endmodule

`default_nettype wire
