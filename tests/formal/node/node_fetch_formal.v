// SPDX-License-Identifier: Apache-2.0
//
// The fetch of a node under any restarts, TAIL, grants and latency (queue of 4 words). Command RAM answers with
// the address as data: every word given out lies where word_offset says. The words are those of the range, then
// those of the ring, each once, in order, none before TAIL has come to it; a word of before a restart never appears.
module node_fetch_formal (
    input clk,
    input rst,
    input enable,
    input restart_now,
    input [2:0] restart_words,
    input [3:0] restart_offset,
    input [2:0] restart_index,
    input grow,
    input gnt,
    input answer,
    input word_ready
);
    reg first = 1'b1;
    reg  [31:0] tail = 32'd0;
    wire        restart = restart_now && !rst;
    wire        fetch_req, word_valid, word_in_run, word_run_last;
    wire [15:0] fetch_address, word_offset;
    wire [31:0] word;

    // ------------------------------------------------------------------ command RAM: in order, any latency
    reg  [15:0] asked [0:7];
    reg  [2:0]  head, count_;
    wire        taken   = fetch_req && gnt;
    wire        answers = answer && count_ != 3'd0;
    wire [2:0]  at      = head + count_;
    node_fetch #(.DEPTH(4)) dut (
        .clk(clk), .rst(rst), .enable(enable), .ring_base(16'h0100), .ring_size(4'd4), .tail(tail),
        .restart(restart), .restart_words({12'd0, restart_words}), .restart_offset({10'd0, restart_offset, 2'd0}),
        .restart_index({29'd0, restart_index}),
        .fetch_req(fetch_req), .fetch_gnt(gnt), .fetch_address(fetch_address), .fetch_rvalid(answers),
        .fetch_rdata({16'hcafe, asked[head]}),
        .word_valid(word_valid), .word_ready(word_ready), .word(word), .word_offset(word_offset),
        .word_in_run(word_in_run), .word_run_last(word_run_last));

    // ------------------------------------------------------------------ what must come next
    reg  [2:0]  run_left;
    reg  [5:0]  run_at;          // words
    reg  [31:0] ring_at;
    reg  [2:0]  given = 3'd0;
    wire        in_run = run_left != 3'd0;
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        assume (count_ < 3'd6);
        if (rst) begin
            {head, count_, run_left} <= 9'd0;
            ring_at <= 32'd0;
        end else begin
            if (grow && tail < 32'd12) tail <= tail + 32'd1;
            if (taken) asked[at] <= fetch_address;
            head   <= head + {2'd0, answers};
            count_ <= count_ + {2'd0, taken} - {2'd0, answers};
            if (word_valid) begin
                assert (word == {16'hcafe, word_offset});
                assert (word_in_run == in_run && word_run_last == (run_left == 3'd1));
                assert (word_offset == (in_run ? {8'd0, run_at, 2'd0} : 16'h0100 + {10'd0, ring_at[3:0], 2'd0}));
                assert (in_run || ring_at < tail);
                assert (!restart);
            end
            if (restart) begin
                run_left <= restart_words;
                run_at   <= {2'd0, restart_offset};
                ring_at  <= {29'd0, restart_index};
            end else if (word_valid && word_ready) begin
                if (in_run) begin
                    run_left <= run_left - 3'd1;
                    run_at   <= run_at + 6'd1;
                end else ring_at <= ring_at + 32'd1;
                given <= given + 3'd1;
            end
`ifdef REACH
            // Words of a range and of the ring after it, after a restart in the middle of requests.
            assert (!(given == 3'd3 && !in_run && ring_at != 32'd0 && word_valid));
`endif
        end
    end
endmodule
