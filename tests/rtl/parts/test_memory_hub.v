// SPDX-License-Identifier: Apache-2.0
//
// Bursts of all eight ports at once before a memory that is ready when it likes, with and without mask pins: every
// read gets what was written there before, requests have the size and place that the controller takes, bursts outside
// a window touch nothing, and ports wait for no more than is said.
`default_nettype none
module hub_world #(
    parameter MASKS = 1
);
`include "bench.vh"
    localparam SYSTEM = 8192, LOCAL = 4096, SEEN = SYSTEM + LOCAL, WORDS = SEEN / 8;
    reg            rst = 1'b1, urgent = 1'b0;
    reg  [159:0]   r_araddr;
    reg  [39:0]    r_arlen;
    reg  [4:0]     r_arvalid;
    wire [4:0]     r_arready, r_rvalid;
    wire [63:0]    r_rdata;
    wire [1:0]     r_rresp;
    wire           r_rlast;
    reg  [95:0]    w_awaddr;
    reg  [23:0]    w_awlen, w_wstrb;
    reg  [2:0]     w_awvalid, w_wvalid, w_bready;
    wire [2:0]     w_awready, w_wready, w_bvalid;
    reg  [191:0]   w_wdata;
    wire [5:0]     w_bresp;
    wire           request_push, request_partial, write_push, read_pop;
    wire [26:0]    request;
    wire [71:0]    write_beat;
    reg            request_full, write_full, read_valid;
    reg  [63:0]    read_data;
    memory_hub #(
        .SYSTEM_BASE(26'd0), .SYSTEM_BYTES(SYSTEM), .LOCAL_BASE(SYSTEM), .LOCAL_BYTES(LOCAL), .SEEN_BYTES(SEEN),
        .BYTE_MASKS(MASKS)
    ) hub (
        .clk(clk), .rst(rst), .urgent(urgent), .r_araddr(r_araddr), .r_arlen(r_arlen), .r_arvalid(r_arvalid),
        .r_arready(r_arready), .r_rdata(r_rdata), .r_rresp(r_rresp), .r_rlast(r_rlast), .r_rvalid(r_rvalid),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awvalid(w_awvalid), .w_awready(w_awready), .w_wdata(w_wdata),
        .w_wstrb(w_wstrb), .w_wvalid(w_wvalid), .w_wready(w_wready), .w_bresp(w_bresp), .w_bvalid(w_bvalid),
        .w_bready(w_bready), .request_push(request_push), .request(request), .request_partial(request_partial),
        .request_full(request_full), .write_push(write_push), .write_beat(write_beat), .write_full(write_full),
        .read_valid(read_valid), .read_data(read_data), .read_pop(read_pop)
    );

    // The memory, as requests are queued, and what the ports may expect in it. Both hold the same when all is quiet.
    reg  [63:0] memory [0:WORDS-1], shadow [0:WORDS-1];
    reg  [63:0] coming [0:63];          // read data in the order of the queue
    reg  [71:0] beats [0:63];           // write data whose request is still to come
    // Bursts under way: 0..4 read, 5..7 write. In beats of the memory; a burst outside its window has none.
    reg  [7:0]  active, outside;
    integer     first [0:7], count [0:7], beat [0:7], given [0:7], queued [0:7];
    reg  [71:0] data [0:767];           // to be written: of port p from 256 * (p - 5) on
    integer     i, p, q, k, n, at, come, gone, placed, used, base, size, served, waits [0:6], refused, others;
    reg         clashes, is_write, takes_turns;
    reg  [63:0] mixed;
    task plan;                          // the next burst of port p, where no other is under way
        begin
            count[p] = 1 + (p == 7 || p == 3 ? pick(4) == 0 ? pick(3) : 0 : pick(pick(3) == 0 ? 40 : 9));
            base = p == 2 || p == 4 || p == 6 ? SYSTEM / 8 : 0;
            size = p == 1 || p == 5 ? SYSTEM / 8 : p == 2 || p == 4 || p == 6 ? LOCAL / 8 : WORDS;
            at   = pick(16) == 0 ? size - count[p] / 2 - pick(3) : pick(size);
            outside[p] = at + count[p] > size;
            first[p]   = base + at;
            if (pick(40) == 0) {outside[p], at} = {1'b1, 32'h01000000 + pick(4096)};
            clashes = 1'b0;
            for (q = 0; q < 8; q = q + 1)
                if (q != p && active[q] && !outside[q] && !outside[p]
                    && first[q] < first[p] + count[p] && first[p] < first[q] + count[q]) clashes = 1'b1;
            if (!clashes) begin
                active[p] = 1'b1;
                {beat[p], given[p]} = 64'd0;
                if (p < 5) begin
                    {r_arvalid[p], r_araddr[32*p +: 32]} = {1'b1, at[28:0], 3'd0};
                    r_arlen[8*p +: 8] = count[p] - 1;
                end else begin
                    {w_awvalid[p-5], w_awaddr[32*(p-5) +: 32]} = {1'b1, at[28:0], 3'd0};
                    w_awlen[8*(p-5) +: 8] = count[p] - 1;
                    for (k = 0; k < count[p]; k = k + 1) begin
                        data[256*(p-5) + k] = {8'hff, random(1'b0), random(1'b0)};
                        if (pick(4) == 0) data[256*(p-5) + k][71:64] = random(1'b0);
                    end
                end
            end
        end
    endtask
    task put(input integer where, input [71:0] what, input shows);
        begin
            mixed = shows ? shadow[where] : memory[where];
            for (n = 0; n < 8; n = n + 1) if (what[64 + n]) mixed[8*n +: 8] = what[8*n +: 8];
            if (shows) shadow[where] = mixed;
            else memory[where] = mixed;
        end
    endtask
    task obey;                          // the request that is queued now
        begin
            at = request[25:4];
            k  = request[3:0] + 1;
            is_write = request[26];
            check(at % 16 + k <= 16 && at + k <= WORDS, 1'b1, request);
            // Whose it is: the one burst that has these beats next.
            served = 8;
            for (p = 0; p < 8; p = p + 1)
                if (active[p] && !outside[p] && is_write == (p > 4) && first[p] + beat[p] == at
                    && beat[p] + k <= count[p]) served = p;
            check(served != 8, 1'b1, request);
            if (is_write) begin
                check(placed - used, k, request);
                check(request_partial, MASKS == 0 && beats[used % 64][71:64] != 8'hff, request);
                if (request_partial) check(k, 1, request);
                for (n = 0; n < k && MASKS == 0 && !request_partial; n = n + 1)
                    check(beats[(used + n) % 64][71:64], 8'hff, request);
                for (q = 0; q < k; q = q + 1) begin
                    put(at + q, beats[used % 64], 1'b0);
                    used = used + 1;
                end
            end else
                for (q = 0; q < k; q = q + 1) begin
                    coming[come % 64] = memory[at + q];
                    come = come + 1;
                end
            check(come - gone <= 32, 1'b1, come - gone);
            if (served != 8) begin
                queued[served] = queued[served] + 1;
                // Before scan-out's go only those that are queued until it is known; before another's with its data
                // here those, and one of each other port. Scan-out, lines, the wire and an urgent display do not count;
                // before a line, scan-out's and an urgent display's do not.
                for (q = 0; q < 7; q = q + 1) begin
                    takes_turns = served == 1 || served == 2 || served == 5 || served == 6;
                    if (served == q || !active[q] || outside[q] || beat[q] == count[q] || q > 4 && given[q] != count[q]
                        || q > 0 && urgent) waits[q] = 0;
                    else waits[q] = waits[q] + (q == 0 || takes_turns || q == 4 && served != 0);
                    // Without mask pins a port's turn may be sixteen requests.
                    if (MASKS != 0 && q != 3) check(waits[q] <= 4, 1'b1, {q[3:0], waits[q][27:0]});
                end
                // Two may be on their way when the display becomes urgent.
                others = !urgent ? 0 : others + (takes_turns && served != 2);
                if (MASKS != 0) check(others <= 2, 1'b1, others);
                beat[served] = beat[served] + k;
            end
        end
    endtask
    task answers;                       // read data and write answers
        begin
            for (p = 0; p < 5; p = p + 1)
                if (r_rvalid[p]) begin
                    check(active[p] && r_rvalid == 5'd1 << p, 1'b1, {p[3:0], i[27:0]});
                    check({r_rresp, r_rlast}, {{2{outside[p]}}, given[p] == count[p] - 1}, {p[3:0], i[27:0]});
                    if (!outside[p]) check(r_rdata, shadow[first[p] + given[p]], {p[3:0], i[27:0]});
                    given[p] = given[p] + 1;
                    if (given[p] == count[p]) active[p] = 1'b0;
                    if (outside[p]) refused = refused + 1;
                end
            for (p = 5; p < 8; p = p + 1)
                if (w_bvalid[p-5] && w_bready[p-5]) begin
                    check(active[p] && given[p] == count[p], 1'b1, {p[3:0], i[27:0]});
                    check(w_bresp[2*(p-5) +: 2], {2{outside[p]}}, {p[3:0], i[27:0]});
                    for (k = 0; k < count[p] && !outside[p]; k = k + 1)
                        put(first[p] + k, data[256*(p-5) + k], 1'b1);
                    if (outside[p]) refused = refused + 1;
                    active[p] = 1'b0;
                end
        end
    endtask
    reg         is_done = 1'b0;
    reg  [7:0]  accepted;
    reg  [2:0]  gave;
    initial begin
        {r_araddr, r_arlen, r_arvalid, w_awaddr, w_awlen, w_awvalid, w_wdata, w_wstrb, w_wvalid, w_bready} = 641'd0;
        {request_full, write_full, read_valid, read_data, active, outside} = 92'd0;
        {come, gone, placed, used, refused, others} = 192'd0;
        for (p = 0; p < 7; p = p + 1) waits[p] = 0;
        for (p = 0; p < 8; p = p + 1) {first[p], count[p], beat[p], given[p], queued[p]} = 160'd0;
        for (k = 0; k < WORDS; k = k + 1) begin
            memory[k] = {random(1'b0), random(1'b0)};
            shadow[k] = memory[k];
        end
        repeat (2) tick;
        rst = 1'b0;
        for (i = 0; i < 16384 || active != 8'd0 && i < 20000; i = i + 1) begin
            if (i % 512 == 0) urgent = pick(3) == 0 && i < 16384;
            for (p = 0; p < 8; p = p + 1)
                if (!active[p] && i < 16384 && pick(i[11] ? 2 : 20) == 0) plan;
            for (p = 5; p < 8; p = p + 1) begin
                // Data comes with its address or after it, and stays until it is taken.
                if (!w_wvalid[p-5] && active[p] && given[p] < count[p] && pick(i[12] ? 2 : 6) != 0) begin
                    w_wvalid[p-5] = 1'b1;
                    {w_wstrb[8*(p-5) +: 8], w_wdata[64*(p-5) +: 64]} = data[256*(p-5) + given[p]];
                end
                w_bready[p-5] = pick(3) != 0;
            end
            request_full = pick(i[13] ? 2 : 12) == 0;
            write_full   = pick(i[13] ? 3 : 12) == 0;
            read_valid   = gone < come && pick(4) != 0;
            read_data    = coming[gone % 64];
            #1;
            if (write_push) begin
                beats[placed % 64] = write_beat;
                placed = placed + 1;
            end
            if (request_push) begin
                check(request_full, 1'b0, i);
                obey;
            end
            if (write_push) check(write_full, 1'b0, i);
            if (read_pop) begin
                check(read_valid, 1'b1, i);
                gone = gone + 1;
            end
            answers;
            accepted = {w_awvalid & w_awready, r_arvalid & r_arready};
            gave     = w_wvalid & w_wready;
            tick;
            {w_awvalid, r_arvalid} = {w_awvalid, r_arvalid} & ~accepted;
            w_wvalid = w_wvalid & ~gave;
            for (p = 0; p < 3; p = p + 1) if (gave[p]) given[5+p] = given[5+p] + 1;
        end
        check(active, 8'd0, i);         // all have been served
        for (k = 0; k < WORDS; k = k + 1) check(memory[k], shadow[k], k);
        for (p = 0; p < 8; p = p + 1) check(queued[p] > 40, 1'b1, {p, queued[p]});
        check(refused > 60, 1'b1, refused);
        is_done = 1'b1;
    end
endmodule

module test_memory_hub;
`include "bench.vh"
    hub_world #(.MASKS(1)) masked ();
    hub_world #(.MASKS(0)) unmasked ();
    initial begin
        wait (masked.is_done && unmasked.is_done);
        passed = masked.passed + unmasked.passed;
        failed = masked.failed + unmasked.failed;
        finish;
    end
endmodule
`default_nettype wire
