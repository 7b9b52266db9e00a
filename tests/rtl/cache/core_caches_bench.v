// SPDX-License-Identifier: Apache-2.0
//
// Both caches, at random, against a model of what the core may see: loads, stores, fetches, the bridge's accesses,
// flushes, a memory that stalls and fails as it likes. The caches are small (four sets), so that lines are replaced all
// the time. An edge of clk is one cycle; `done` with the number of failures. It runs in Verilator and Icarus.
//
// What is checked: a load returns the last store or memory's word, and an error exactly if its own beat had one; a
// fetch likewise, for words not stored to since the last flush; what is in memory after a flush is what was stored;
// nothing outside the region is touched; every access ends; counters; that a hit takes one cycle and what a miss takes;
// that the line used last stays; that a reset empties both and writes nothing back.
`default_nettype none
// A bench, written as a program: variables take their values in order inside a cycle (BLKSEQ), numbers are compared
// with whole words (WIDTH), and of what is drawn at random only some bits are used (UNUSEDSIGNAL).
// verilator lint_off BLKSEQ
// verilator lint_off WIDTH
// verilator lint_off UNUSEDSIGNAL
module core_caches_bench #(
    parameter DATA_WIDTH = 64,
    parameter APART      = 0,               // lines come over a port of their own
    parameter SEED       = 1,
    parameter CYCLES     = 200000
) (
    input  wire clk,
    output reg  done,
    output reg [31:0] failures
);
    localparam W = 11;                      // the region: 2 KB
    localparam WORDS = 1 << (W - 2);
    localparam LANES = DATA_WIDTH / 8;
    localparam BEATS = 256 / DATA_WIDTH;
    localparam [31:0] BASE = 32'h10040000;
    localparam LONGEST = 2000;
    // Which line, and that it is missed: 0, 1 missed, 0, 2 missed, 0, 1 missed, 2 missed, 1, 0 missed, 1.
    wire [19:0] used   = {2'd1, 2'd0, 2'd1, 2'd2, 2'd1, 2'd0, 2'd2, 2'd0, 2'd1, 2'd0};
    wire [9:0]  missed = {1'b0, 1'b1, 1'b0, 1'b1, 1'b1, 1'b0, 1'b1, 1'b0, 1'b1, 1'b0};

    reg  rst, flush, restart;
    wire busy;
    reg  i_req, d_req, d_we;
    reg  [W-1:0] i_address, d_address;
    reg  [3:0]  d_be;
    reg  [31:0] d_wdata;
    wire i_gnt, i_rvalid, i_err, d_gnt, d_rvalid, d_err;
    wire [31:0] i_rdata, d_rdata;
    reg  [31:0] b_araddr, b_awaddr;
    reg         b_arvalid, b_awvalid, b_wvalid;
    reg  [DATA_WIDTH-1:0] b_wdata;
    wire b_arready, b_rvalid, b_awready, b_wready, b_bvalid;
    wire [31:0] m_araddr, m_awaddr;
    wire [7:0]  m_arlen, m_awlen;
    wire [2:0]  m_arsize, m_awsize;
    wire        m_arvalid, m_awvalid, m_wvalid, m_wlast;
    wire [DATA_WIDTH-1:0] m_wdata;
    wire [LANES-1:0] m_wstrb;
    reg  [DATA_WIDTH-1:0] m_rdata;
    reg  [1:0]  m_rresp, m_bresp;
    reg         m_rlast, m_rvalid, m_bvalid, may_ar, may_aw, may_w;
    reg  [31:0] i_hits, i_misses, i_stalls, d_hits, d_misses, d_stalls, write_backs;
    wire i_hit, i_miss, i_stall, d_hit, d_miss, d_stall, write_back;
    always @(posedge clk) begin
        i_hits      <= rst ? 32'd0 : i_hits + {31'd0, i_hit};
        i_misses    <= rst ? 32'd0 : i_misses + {31'd0, i_miss};
        i_stalls    <= rst ? 32'd0 : i_stalls + {31'd0, i_stall};
        d_hits      <= rst ? 32'd0 : d_hits + {31'd0, d_hit};
        d_misses    <= rst ? 32'd0 : d_misses + {31'd0, d_miss};
        d_stalls    <= rst ? 32'd0 : d_stalls + {31'd0, d_stall};
        write_backs <= rst ? 32'd0 : write_backs + {31'd0, write_back};
    end
    // One memory is behind both ports. Of a read that it has taken `of_line` says over which.
    wire [31:0] f_araddr;
    wire [7:0]  f_arlen;
    wire        f_arvalid;
    reg         of_line;
    wire        asks     = m_arvalid || f_arvalid;
    wire [31:0] ask_at   = f_arvalid ? f_araddr : m_araddr;
    wire [7:0]  ask_len  = f_arvalid ? f_arlen : m_arlen;
    wire        is_line  = APART != 0 ? f_arvalid : dut.reads != 1;
    wire m_arready = may_ar;
    wire m_awready = may_aw && !writing;
    wire m_wready  = may_w && writing && w_beats != 0;

    core_caches #(.DATA_WIDTH(DATA_WIDTH), .BASE(BASE), .W_ADDRESS(W), .I_BYTES(256), .D_BYTES(256),
                  .LINES_APART(APART)) dut (
        .clk(clk), .rst(rst), .flush(flush), .restart(restart), .busy(busy),
        .i_req(i_req), .i_gnt(i_gnt), .i_address(i_address), .i_rvalid(i_rvalid), .i_rdata(i_rdata), .i_err(i_err),
        .d_req(d_req), .d_gnt(d_gnt), .d_we(d_we), .d_address(d_address), .d_be(d_be), .d_wdata(d_wdata),
        .d_rvalid(d_rvalid), .d_rdata(d_rdata), .d_err(d_err),
        .b_araddr(b_araddr), .b_arlen(8'd1), .b_arsize(3'd2), .b_arvalid(b_arvalid), .b_arready(b_arready),
        .b_rvalid(b_rvalid), .b_awaddr(b_awaddr), .b_awsize(3'd2), .b_awvalid(b_awvalid), .b_awready(b_awready),
        .b_wdata(b_wdata), .b_wstrb({LANES{1'b1}}), .b_wvalid(b_wvalid), .b_wready(b_wready), .b_bvalid(b_bvalid),
        .f_araddr(f_araddr), .f_arlen(f_arlen), .f_arvalid(f_arvalid), .f_arready(m_arready), .f_rdata(m_rdata),
        .f_rresp(m_rresp), .f_rlast(m_rlast), .f_rvalid(m_rvalid && of_line),
        .m_araddr(m_araddr), .m_arlen(m_arlen), .m_arsize(m_arsize), .m_arvalid(m_arvalid), .m_arready(m_arready),
        .m_rdata(m_rdata), .m_rresp(m_rresp), .m_rlast(m_rlast), .m_rvalid(m_rvalid && !of_line),
        .m_awaddr(m_awaddr), .m_awlen(m_awlen), .m_awsize(m_awsize), .m_awvalid(m_awvalid), .m_awready(m_awready),
        .m_wdata(m_wdata), .m_wstrb(m_wstrb), .m_wlast(m_wlast), .m_wvalid(m_wvalid), .m_wready(m_wready),
        .m_bresp(m_bresp), .m_bvalid(m_bvalid),
        .counts_i_hit(i_hit), .counts_i_miss(i_miss), .counts_i_stall(i_stall),
        .counts_d_hit(d_hit), .counts_d_miss(d_miss), .counts_d_stall(d_stall), .counts_write_back(write_back)
    );

    // ------------------------------------------------------------------ chance
    reg [31:0] chance;
    function [31:0] next_chance(input [31:0] now);
        reg [31:0] x;
        begin
            x = now ^ (now << 13);
            x = x ^ (x >> 17);
            next_chance = x ^ (x << 5);
        end
    endfunction
    reg [31:0] roll;                        // what chance gave: below(N) draws
    `define BELOW(n) (roll % n)
    `define DRAW begin chance = next_chance(chance); roll = chance >> 3; end

    // ------------------------------------------------------------------ memory, and what should be in it
    reg [31:0] memory [0:WORDS-1], truth [0:WORDS-1];
    reg [WORDS-1:0] changed;                // stored to since the last flush
    reg [31:0] a_queue [0:3];               // read bursts taken, oldest first; address and length
    reg [7:0]  l_queue [0:3];
    reg [2:0]  queued;
    reg [7:0]  r_beat;
    reg        writing, w_failed;
    reg [31:0] w_at;
    reg [8:0]  w_beats;
    reg [31:0] r_at;
    reg [DATA_WIDTH-1:0] beat_data;
    integer    word, lane, slot;

    integer cycle, stall_percent, error_percent, back_errors, far_percent, phase;
    // The accesses under way.
    reg         d_open, d_store, d_bad, d_any_bad, i_open, i_bad, i_checked, b_reads, b_writes;
    reg  [W-1:0] d_at, i_at;
    reg  [31:0] i_expected, b_at, b_seen;
    reg         is_lost;
    reg  [3:0]  d_beats, i_beats;            // beats of its line that have come
    integer     d_since, i_since, b_since, i_count, d_count, b_count, flushes, errors_seen, lost_seen;
    integer     streak, settle;
    reg         had_gnt;
    reg  [31:0] hits_before, misses_before, stalls_before;

    function [31:0] elsewhere(input [31:0] address); elsewhere = address * 32'd2654435761 + 32'd99; endfunction

    task fail(input integer what);
        begin
            if (failures < 10) $display("core_caches_bench: cycle %0d: check %0d", cycle, what);
            failures = failures + 1;
        end
    endtask

    reg [1:0] fresh;                        // cycles of reset before anything is looked at
    integer n;
    initial begin
        fresh = 3;
        done = 0; failures = 0; cycle = 0; chance = 32'h1234567 + SEED * 32'd7919; roll = 0;
        rst = 1; flush = 0; restart = 0; i_req = 0; d_req = 0; d_we = 0; i_address = 0; d_address = 0; d_be = 0;
        d_wdata = 0; b_araddr = 0; b_awaddr = 0; b_arvalid = 0; b_awvalid = 0; b_wvalid = 0; b_wdata = 0;
        m_rdata = 0; m_rresp = 0; m_bresp = 0; m_rlast = 0; m_rvalid = 0; m_bvalid = 0;
        may_ar = 0; may_aw = 0; may_w = 0;
        changed = 0; queued = 0; r_beat = 0; writing = 0; w_failed = 0; w_at = 0; w_beats = 0;
        stall_percent = 0; error_percent = 0; back_errors = 0; far_percent = 0; phase = 0;
        d_open = 0; d_store = 0; d_bad = 0; d_any_bad = 0; i_open = 0; i_bad = 0; i_checked = 0;
        b_reads = 0; b_writes = 0;
        d_at = 0; i_at = 0; i_expected = 0; b_at = 0; b_seen = 0; d_beats = 0; i_beats = 0; is_lost = 0;
        d_since = 0; i_since = 0; b_since = 0; i_count = 0; d_count = 0; b_count = 0; flushes = 0; errors_seen = 0;
        lost_seen = 0; streak = 0; settle = 0; hits_before = 0; misses_before = 0; stalls_before = 0;
        for (n = 0; n < WORDS; n = n + 1) begin
            memory[n] = n * 32'd2246822519 + 32'd3;
            truth[n]  = n * 32'd2246822519 + 32'd3;
        end
        for (n = 0; n < 4; n = n + 1) begin a_queue[n] = 0; l_queue[n] = 0; end
    end

    // Everything is decided here, once a cycle, from what the wires were before the edge.
    always @(posedge clk) if (fresh != 0) fresh = fresh - 1; else if (!done) begin
        cycle = cycle + 1;
        `DRAW

        // ---------------------------------------------------------------- answers
        if (dut.d_fill_rvalid) begin
            if (d_beats == d_at[4:0] / LANES && m_rresp[1]) d_bad = 1;
            d_beats = d_beats + 1;
            if (m_rresp[1]) d_any_bad = 1;
        end
        if (dut.i_fill_rvalid) begin
            if (i_beats == i_at[4:0] / LANES && m_rresp[1]) i_bad = 1;
            i_beats = i_beats + 1;
        end
        if (d_rvalid) begin
            d_count = d_count + 1;
            if (!d_open) fail(1);
            // Once a write-back has failed every access is refused.
            if (is_lost) lost_seen = lost_seen + 1;
            else begin
                if (d_err != (d_store ? d_any_bad : d_bad)) fail(2);
                if (!d_err && !d_store && d_rdata != truth[d_at[W-1:2]]) fail(3);
            end
            if (is_lost && !d_err && cycle > d_since + LONGEST) fail(4);
            if (d_err) errors_seen = errors_seen + 1;
            if (d_store && !d_err) begin
                for (lane = 0; lane < 4; lane = lane + 1)
                    if (d_be[lane]) truth[d_at[W-1:2]][8*lane +: 8] = d_wdata[8*lane +: 8];
                changed[d_at[W-1:2]] = 1;
            end
            d_open = 0;
        end else if (d_open && cycle - d_since > LONGEST) begin fail(5); d_since = cycle; end
        if (i_rvalid) begin
            i_count = i_count + 1;
            if (!i_open) fail(6);
            if (i_err != i_bad && !is_lost) fail(7);
            if (!i_err && i_checked && !changed[i_at[W-1:2]] && !is_lost && i_rdata != i_expected) fail(8);
            i_open = 0;
        end else if (i_open && cycle - i_since > LONGEST) begin fail(9); i_since = cycle; end
        if (b_rvalid) begin
            if (!b_reads) fail(10);
            if (m_rdata[31:0] != elsewhere(b_at + b_seen)) fail(11);
            b_seen = b_seen + LANES;
            if (m_rlast) begin b_reads = 0; b_count = b_count + 1; end
        end
        if (b_bvalid) begin
            if (!b_writes) fail(12);
            b_writes = 0;
            b_count = b_count + 1;
        end
        if ((b_reads || b_writes) && cycle - b_since > LONGEST) begin fail(13); b_since = cycle; end

        // ---------------------------------------------------------------- acceptance
        if (i_req && i_gnt) begin
            if (i_open) fail(14);
            i_open = 1; i_at = i_address; i_since = cycle; i_bad = 0; i_beats = 0;
            i_checked  = !changed[i_address[W-1:2]];
            i_expected = truth[i_address[W-1:2]];
            i_req <= 0;
        end
        if (d_req && d_gnt) begin
            if (d_open) fail(15);
            d_open = 1; d_at = d_address; d_store = d_we; d_since = cycle; d_bad = 0; d_any_bad = 0; d_beats = 0;
            d_req <= 0;
        end
        if (b_arvalid && b_arready) b_arvalid <= 0;
        if (b_awvalid && b_awready) b_awvalid <= 0;
        if (b_wvalid && b_wready)   b_wvalid <= 0;

        // ---------------------------------------------------------------- memory: reads
        m_rvalid <= 0;
        if (asks && m_arready) begin
            if (queued == 4 || (m_arvalid && f_arvalid)) fail(16);
            a_queue[queued[1:0]] = ask_at;
            l_queue[queued[1:0]] = ask_len;
            queued = queued + 1;
            of_line <= f_arvalid;
            if (is_line) begin
                // A cache's burst is a line of the region.
                if (ask_at < BASE || ask_at >= BASE + (1 << W)) fail(17);
                if (ask_at[4:0] != 0 || ask_len != BEATS - 1) fail(18);
                if (!f_arvalid && (1 << m_arsize) != LANES) fail(19);
            end else if (ask_at[31:28] == BASE[31:28]) fail(19);
        end
        `DRAW
        if (queued != 0 && `BELOW(100) >= stall_percent) begin
            r_at = a_queue[0] + r_beat * LANES;
            m_rvalid <= 1;
            m_rresp  <= 0;
            m_rlast  <= r_beat == l_queue[0];
            beat_data = 0;
            if (r_at[31:28] == 4'd1) begin
                for (lane = 0; lane < LANES / 4; lane = lane + 1)
                    beat_data[32*lane +: 32] = memory[((r_at - BASE) >> 2) + lane];
                `DRAW
                if (`BELOW(100) < error_percent) m_rresp <= 2'b10;
            end else beat_data = {DATA_WIDTH/32{elsewhere(r_at)}};
            m_rdata <= beat_data;
            if (r_beat == l_queue[0]) begin
                r_beat = 0;
                queued = queued - 1;
                for (slot = 0; slot < 3; slot = slot + 1) begin
                    a_queue[slot] = a_queue[slot + 1];
                    l_queue[slot] = l_queue[slot + 1];
                end
            end else r_beat = r_beat + 1;
        end
        `DRAW
        may_ar <= queued < 3 && `BELOW(100) >= stall_percent;

        // ---------------------------------------------------------------- memory: writes
        m_bvalid <= 0;
        if (m_wvalid && m_wready) begin
            if (w_at[31:28] == 4'd1) begin
                if (!(&m_wstrb)) fail(20);
                for (lane = 0; lane < LANES / 4; lane = lane + 1)
                    if (!w_failed) memory[((w_at - BASE) >> 2) + lane] = m_wdata[32*lane +: 32];
            end
            w_at = w_at + LANES;
            w_beats = w_beats - 1;
            if (m_wlast != (w_beats == 0)) fail(21);
        end
        if (m_awvalid && m_awready) begin
            writing = 1;
            w_at = m_awaddr;
            w_beats = m_awlen + 1;

            `DRAW
            w_failed = m_awaddr[31:28] == 4'd1 && `BELOW(100) < back_errors;
            if (w_at[31:28] == 4'd1) begin
                if (m_awaddr < BASE || m_awaddr >= BASE + (1 << W) || m_awaddr[4:0] != 0) fail(22);
                if (m_awlen != BEATS - 1 || (1 << m_awsize) != LANES) fail(23);
            end
        end
        `DRAW
        if (writing && w_beats == 0 && `BELOW(100) >= stall_percent) begin
            writing = 0;
            m_bvalid <= 1;
            m_bresp  <= {w_failed, 1'b0};
            if (w_failed) is_lost = 1;
        end
        `DRAW
        may_aw <= !writing && `BELOW(100) >= stall_percent;
        `DRAW
        may_w <= `BELOW(100) >= stall_percent;

        // ---------------------------------------------------------------- what the core does next
        flush <= 0;
        restart <= 0;
        case (phase)
            0: begin                        // reset
                rst <= cycle < 4;
                if (cycle == 6) phase = 1;
            end

            // Directed, a memory that never waits: a load twice; a line's eight words every other cycle.
            1: begin
                d_req <= 1; d_we <= 0; d_address <= 12; streak = 0; phase = 2;
            end
            2: if (d_rvalid) begin
                if (d_misses != 1 || d_hits != 0 || cycle - d_since > 8 + 12 / LANES) fail(30);
                settle = 0; phase = 3;
            end
            3: begin
                settle = settle + 1;
                if (settle == 20) begin
                    hits_before = d_hits; misses_before = d_misses; stalls_before = d_stalls;
                    d_req <= 1; d_address <= 0; streak = 0; had_gnt = 1; phase = 4;
                end
            end
            4: begin
                if (d_req && d_gnt) begin
                    streak = streak + 1;
                    d_address <= 4 * streak;
                    d_req <= streak < 8;
                end else if (streak < 8 && !had_gnt) fail(31);
                had_gnt = d_req && d_gnt;
                if (streak == 8 && !d_open) begin
                    settle = 0; phase = 5;
                end
            end
            5: begin
                settle = settle + 1;
                if (settle == 4) begin
                    if (d_hits != hits_before + 8 || d_misses != misses_before || d_stalls != stalls_before) fail(32);
                    streak = 0; phase = 6;
                end
            end

            // Lines of one set: whichever was used last stays.
            6: begin
                misses_before = d_misses;
                d_req <= 1; d_address <= used[2*streak +: 2] * 128;
                settle = 0; phase = 7;
            end
            7: begin
                settle = settle + 1;
                if (settle == 40) begin
                    if (d_misses - misses_before != missed[streak]) fail(33);
                    streak = streak + 1;
                    phase = streak == 10 ? 10 : 6;
                end
            end

            // At random. Every 2,000 cycles other chances; in the end everything is written back and compared.
            10: begin
                if (cycle % 2000 == 0) begin
                    `DRAW
                    stall_percent = `BELOW(4) * 25;
                    `DRAW
                    error_percent = `BELOW(3) == 0 ? 5 : 0;
                    `DRAW
                    far_percent = `BELOW(100);
                end
                `DRAW
                if (!i_req && (!i_open || i_rvalid) && `BELOW(4) != 0) begin
                    `DRAW
                    i_req <= 1;
                    // Mostly straight on.
                    i_address <= `BELOW(100) < far_percent ? {roll[20 +: W-2], 2'b00} : i_at + 4;
                end
                `DRAW
                if (!d_req && !d_open && !b_reads && !b_writes && `BELOW(3) != 0) begin
                    `DRAW
                    if (`BELOW(10) == 0) begin
                        b_since = cycle;
                        b_seen = 0;
                        `DRAW
                        b_at = 32'h80000000 + {roll[11:0], 4'd0};
                        if (roll[16]) begin
                            b_reads = 1; b_araddr <= b_at; b_arvalid <= 1;
                        end else begin
                            b_writes = 1; b_awaddr <= b_at; b_awvalid <= 1; b_wvalid <= 1;
                        end
                    end else begin
                        `DRAW
                        d_req <= 1;
                        d_we <= roll[9];
                        d_be <= roll[9] ? roll[13:10] : 4'd15;
                        d_address <= `BELOW(100) < far_percent ? {roll[20 +: W-2], 2'b00}
                                     : {d_at[W-1:6], roll[23:20], 2'b00};
                        d_wdata <= chance;
                    end
                end
                `DRAW
                // FENCE.I: the core asks while its data port is idle.
                if (`BELOW(200) == 0 && !d_req && !d_open && !b_reads && !b_writes) begin
                    flush <= 1;
                    d_req <= 0;
                    b_arvalid <= 0; b_awvalid <= 0; b_wvalid <= 0;
                    b_reads = 0; b_writes = 0;
                    flushes = flushes + 1;
                end
                if (cycle >= CYCLES) begin
                    stall_percent = 50; error_percent = 0;
                    phase = 20; settle = 0;
                end
            end

            // Flush, then memory is what was stored.
            20: begin
                if (!d_req && !d_open && !i_req && !i_open && !b_reads && !b_writes) settle = settle + 1;
                if (settle == 5) begin flush <= 1; settle = 6; end
                else if (settle > 10 && !busy) begin
                    for (word = 0; word < WORDS; word = word + 1)
                        if (memory[word] != truth[word]) fail(40);
                    changed = 0; settle = 0;
                    back_errors = 100; stall_percent = 0;
                    phase = 30;
                end
            end

            // A store whose write-back fails: what follows is refused, until the core is held.
            30: begin
                d_req <= 1; d_we <= 1; d_be <= 15; d_address <= 64; d_wdata <= 7; phase = 31; settle = 0;
            end
            31: begin
                settle = settle + 1;
                if (settle == 30) flush <= 1;
                if (settle == 200) begin d_req <= 1; d_we <= 0; d_address <= 256; end
                if (settle > 201 && d_rvalid) begin
                    if (!d_err || !is_lost) fail(50);
                    back_errors = 0;
                    restart <= 1; is_lost = 0;
                    phase = 32; settle = 0;
                end
                if (settle > 400) begin fail(51); done <= 1; end
            end
            32: begin
                settle = settle + 1;
                if (settle == 5) begin d_req <= 1; d_address <= 256; end
                if (settle > 6 && d_rvalid) begin
                    if (d_err) fail(52);
                    phase = 40;
                end
                if (settle > 400) begin fail(53); done <= 1; end
            end
            40: begin
                // The chances were not about nothing.
                if (i_misses < CYCLES / 200 || d_misses < CYCLES / 200 || write_backs < CYCLES / 400) fail(60);
                if (i_hits < CYCLES / 200 || d_hits < CYCLES / 200 || d_stalls < d_misses) fail(61);
                if (flushes < CYCLES / 20000 || errors_seen < CYCLES / 20000 || b_count < CYCLES / 1000) fail(62);
                if (i_hits + i_misses > i_count || d_hits + d_misses > d_count) fail(63);
                $display("width %0d, %0d loads and stores, %0d fetches, %0d misses, %0d written back, %0d failures",
                         DATA_WIDTH, d_count, i_count, i_misses + d_misses, write_backs, failures);
                $display("%0d accesses", d_count + i_count);
                d_req <= 1; d_we <= 1; d_be <= 15; d_address <= 64; d_wdata <= 8;
                phase = 41; settle = 0;
            end

            // A reset while a line is changed: both caches are empty, and nothing is written back.
            default: begin
                settle = settle + 1;
                rst <= settle > 60 && settle < 63;
                if (settle == 60 && (d_open || truth[16] != 8 || memory[16] == 8)) fail(70);
                if (settle == 63) begin
                    truth[16] = memory[16];
                    d_req <= 1; d_we <= 0;
                    i_req <= 1; i_address <= 0;
                end
                if (settle == 120) begin
                    if (d_open || i_open || d_misses != 1 || i_misses != 1 || write_backs != 0) fail(71);
                    done <= 1;
                end
            end
        endcase
        if (flush) changed = 0;             // fetches accepted from now on see what was stored
    end
endmodule
`default_nettype wire
