// SPDX-License-Identifier: Apache-2.0
//
// Whatever bursts the two cutters give, the mover finishes them: of rows, fills, reverse rows, tiles, of any number
// of commands one after the other. By induction: unbounded.
//
// The mover with its real mover_read, mover_aligner and mover_write, its pixel path never used; pieces and cutters are
// cut off: they give any bursts of which mover_walk.v and mover_fit.v hold. Errors anywhere, no abort. The memory is as
// in mover_progress.v: one port, strict order of arrival; after a write that lacks data it answers no read but those
// which that write needs; it takes no address while anything is unfinished. It owes what is left. Then
//   - in every cycle until all bursts are finished, something is counted or the memory owes something: follows[0].
//     Counted are bursts and words, each a few times (issued, taken, read, used; queued, sent, taken, written,
//     answered), and a cycle that sets a fill's pattern is followed by a beat of it (state[14]);
//   - the gates at which the next command may wait are open then, and stay so until a burst comes: follows[1], [4];
//   - queues hold what they can, offers stand: state[2], [15].
//
// Positions count from reset, modulo 2**16: bursts of a stream (n; v: those with data), words (w), beats (o out of the
// aligner, d wanted), bytes (x, y), reverse chunks (c), ends of fills (e). Distances between them are bounded.
`default_nettype none

module mover_stream (
    input wire       clk,
    input wire       arready,
    input wire       awready,
    input wire       wready,
    input wire       r_go,
    input wire       b_go,
    input wire [1:0] rresp,
    input wire [1:0] bresp
);
    localparam N = 16; // bits of a position; all distances are shorter than half their range
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;

    // ------------------------------------------------------------------ the mover
    (* anyseq *) wire         cmd_valid, cmd_reverse, cmd_barrier;
    (* anyseq *) wire [3:0]   cmd_op;
    (* anyseq *) wire [31:0]  cmd_source, cmd_target, cmd_row_bytes, cmd_pattern;
    (* anyseq *) wire [15:0]  cmd_rows, cmd_source_pitch, cmd_target_pitch;
    (* anyseq *) wire [7:0]   cmd_tag;
    wire [31:0] araddr, awaddr, t_araddr, done_address;
    wire [7:0]  arlen, awlen, wstrb, t_arlen, done_tag, done_fault;
    wire [2:0]  arsize, awsize, t_arsize;
    wire [1:0]  arburst, awburst, t_arburst;
    wire [63:0] wdata;
    wire        aruser, arvalid, rready, awuser, awvalid, wlast, wvalid, bready, t_aruser, t_arvalid, t_rready;
    wire        stall_read, stall_write, stall_drain, cmd_ready, done_valid, idle;
    wire        rvalid, rlast, bvalid;
    mover mover (
        .clk(clk), .rst(rst), .abort(1'b0), .idle(idle),
        .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_op(cmd_op), .cmd_source(cmd_source),
        .cmd_target(cmd_target), .cmd_row_bytes(cmd_row_bytes), .cmd_rows(cmd_rows),
        .cmd_source_pitch(cmd_source_pitch), .cmd_target_pitch(cmd_target_pitch), .cmd_reverse(cmd_reverse),
        .cmd_barrier(cmd_barrier), .cmd_pattern(cmd_pattern), .cmd_units(16'd0), .cmd_mode(3'd0),
        .cmd_source_format(3'd0), .cmd_mask(8'd0), .cmd_target_format(3'd0), .cmd_premultiplied(1'b0), .cmd_keyed(1'b0),
        .cmd_coloured(1'b0), .cmd_rop(8'd0), .cmd_key(24'd0), .cmd_tag(cmd_tag), .cmd_user(1'b0),
        .cmd_mapped(1'b0), .cmd_sampling(3'd0), .map_push(1'b0), .map_word(32'd0),
        .load_start(1'b0), .load_source(24'd0),
        .done_valid(done_valid), .done_tag(done_tag), .done_fault(done_fault), .done_address(done_address),
        .stall_read(stall_read), .stall_write(stall_write), .stall_drain(stall_drain),
        .s_araddr(araddr), .s_arlen(arlen), .s_arsize(arsize), .s_arburst(arburst), .s_aruser(aruser),
        .s_arvalid(arvalid), .s_arready(arready), .s_rdata(64'd0), .s_rresp(rresp), .s_rlast(rlast),
        .s_rvalid(rvalid), .s_rready(rready),
        .t_araddr(t_araddr), .t_arlen(t_arlen), .t_arsize(t_arsize), .t_arburst(t_arburst), .t_aruser(t_aruser),
        .t_arvalid(t_arvalid), .t_arready(1'b0), .t_rdata(64'd0), .t_rresp(2'd0), .t_rlast(1'b0), .t_rvalid(1'b0),
        .t_rready(t_rready),
        .w_awaddr(awaddr), .w_awlen(awlen), .w_awsize(awsize), .w_awburst(awburst), .w_awuser(awuser),
        .w_awvalid(awvalid), .w_awready(awready), .w_wdata(wdata), .w_wstrb(wstrb), .w_wlast(wlast),
        .w_wvalid(wvalid), .w_wready(wready), .w_bresp(bresp), .w_bvalid(bvalid), .w_bready(bready)
    );

    // Signals inside, by Yosys's way of naming them after flattening.
    (* hierconn *) wire         \mover.drop ;
    (* hierconn *) wire         \mover.sb_valid ;
    (* hierconn *) wire         \mover.tb_valid ;
    (* hierconn *) wire         \mover.first_taken ;
    (* hierconn *) wire         \mover.is_fill ;
    (* hierconn *) wire [15:0]  \mover.fills.queue.head ;
    (* hierconn *) wire [15:0]  \mover.fills.queue.tail ;
    (* hierconn *) wire         \mover.fills_full ;
    (* hierconn *) wire         \mover.write_idle ;
    (* hierconn *) wire         \mover.source_read.issue ;
    (* hierconn *) wire [4:0]   \mover.source_read.burst_beats ;
    (* hierconn *) wire [8:0]   \mover.source_read.burst_bytes ;
    (* hierconn *) wire         \mover.source_read.burst_prime ;
    (* hierconn *) wire         \mover.source_read.burst_flush ;
    (* hierconn *) wire         \mover.source_read.burst_chunk_end ;
    (* hierconn *) wire         \mover.source_read.held ;
    (* hierconn *) wire [43:0]  \mover.source_read.held_burst ;
    (* hierconn *) wire [7:0]   \mover.source_read.reserved ;
    (* hierconn *) wire         \mover.source_read.begun ;
    (* hierconn *) wire         \mover.source_read.burst_done ;
    (* hierconn *) wire [15:0]  \mover.source_read.records.head ;
    (* hierconn *) wire [15:0]  \mover.source_read.records.tail ;
    (* hierconn *) wire [36:0]  \mover.source_read.records.oldest ;
    (* hierconn *) wire [36:0]  \mover.source_read.records.youngest ;
    (* hierconn *) wire         \mover.source_read.records.sound ;
    (* hierconn *) wire [15:0]  \mover.source_read.buffer.words.head ;
    (* hierconn *) wire [15:0]  \mover.source_read.buffer.words.tail ;
    (* hierconn *) wire         \mover.source_read.buffer.words.push ;
    (* hierconn *) wire         \mover.source_read.buffer.words.pop ;
    (* hierconn *) wire [71:0]  \mover.source_read.buffer.words.push_data ;
    (* hierconn *) wire [71:0]  \mover.source_read.buffer.words.oldest ;
    (* hierconn *) wire         \mover.source_read.buffer.words.sound ;
    (* hierconn *) wire         \mover.aligner.flushing ;
    (* hierconn *) wire [11:0]  \mover.write.ahead ;
    (* hierconn *) wire [6:0]   \mover.write.chunks ;
    (* hierconn *) wire [6:0]   \mover.write.targets ;
    (* hierconn *) wire [4:0]   \mover.write.beat ;
    (* hierconn *) wire         \mover.write.fill_active ;
    (* hierconn *) wire         \mover.write.wants_fill ;
    (* hierconn *) wire         \mover.write.is_set ;
    (* hierconn *) wire         \mover.write.send ;
    (* hierconn *) wire         \mover.write.has_source ;
    (* hierconn *) wire         \mover.write.has_bytes ;
    (* hierconn *) wire         \mover.write.has_more ;
    (* hierconn *) wire         \mover.write.queue_fill ;
    (* hierconn *) wire         \mover.write.queue_reverse ;
    (* hierconn *) wire         \mover.write.has_target ;
    (* hierconn *) wire         \mover.write.account_valid ;
    (* hierconn *) wire         \mover.write.is_backed ;
    (* hierconn *) wire [8:0]   \mover.write.more_bytes ;
    (* hierconn *) wire         \mover.write.wait_pop ;
    (* hierconn *) wire         \mover.write.record_pop ;
    (* hierconn *) wire [15:0]  \mover.write.queue.head ;
    (* hierconn *) wire [15:0]  \mover.write.queue.tail ;
    (* hierconn *) wire         \mover.write.queue.push ;
    (* hierconn *) wire [28:0]  \mover.write.burst_address ;
    (* hierconn *) wire [4:0]   \mover.write.burst_beats ;
    (* hierconn *) wire [2:0]   \mover.write.burst_first ;
    (* hierconn *) wire [2:0]   \mover.write.burst_last ;
    (* hierconn *) wire         \mover.write.burst_user ;
    (* hierconn *) wire [7:0]   \mover.write.burst_tag ;
    (* hierconn *) wire         \mover.write.burst_void ;
    (* hierconn *) wire         \mover.write.burst_end ;
    (* hierconn *) wire [1:0]   \mover.write.burst_fill_shift ;
    (* hierconn *) wire         \mover.write.burst_converts ;
    (* hierconn *) wire         \mover.write.burst_straddles ;
    (* hierconn *) wire         \mover.write.burst_reads_target ;
    (* hierconn *) wire         \mover.write.burst_chunk_end ;
    (* hierconn *) wire         \mover.write.burst_reverse ;
    (* hierconn *) wire         \mover.write.burst_fill ;
    (* hierconn *) wire [8:0]   \mover.write.burst_bytes ;
    (* hierconn *) wire [28:0]  \mover.write.queue_address ;
    (* hierconn *) wire [4:0]   \mover.write.queue_beats ;
    (* hierconn *) wire [2:0]   \mover.write.queue_first ;
    (* hierconn *) wire [2:0]   \mover.write.queue_last ;
    (* hierconn *) wire         \mover.write.queue_user ;
    (* hierconn *) wire [7:0]   \mover.write.queue_tag ;
    (* hierconn *) wire         \mover.write.queue_void ;
    (* hierconn *) wire         \mover.write.queue_end ;
    (* hierconn *) wire [1:0]   \mover.write.queue_fill_shift ;
    (* hierconn *) wire [5:0]   \mover.write.queue_kind ;
    (* hierconn *) wire [8:0]   \mover.write.queue_bytes ;
    (* hierconn *) wire         \mover.write.queue.sound ;
    (* hierconn *) wire [15:0]  \mover.write.waiting.head ;
    (* hierconn *) wire [15:0]  \mover.write.waiting.tail ;
    (* hierconn *) wire         \mover.write.waiting.push ;
    (* hierconn *) wire [14:0]  \mover.write.waiting.push_data ;
    (* hierconn *) wire [14:0]  \mover.write.waiting.oldest ;
    (* hierconn *) wire         \mover.write.waiting.sound ;
    (* hierconn *) wire [15:0]  \mover.write.records.head ;
    (* hierconn *) wire [15:0]  \mover.write.records.tail ;
    (* hierconn *) wire [38:0]  \mover.write.records.oldest ;
    (* hierconn *) wire         \mover.write.records.sound ;

    // No command goes through the pixel path.
    (* hierconn *) wire         \mover.is_special ;
    (* hierconn *) wire         \mover.s_special ;
    (* hierconn *) wire         \mover.pixels.active ;
    (* hierconn *) wire         \mover.fill_threes ;
    always @(*) assume (!\mover.is_special  && !\mover.s_special  && !\mover.pixels.active );

    // Distances. `to` does not lie before `from`; and at most `most` after it.
    function ordered(input [N-1:0] from, input [N-1:0] to);
        reg [N-1:0] distance;
        begin
            distance = to - from;
            ordered  = !distance[N-1];
        end
    endfunction
    function within(input [N-1:0] from, input [N-1:0] to, input [N-1:0] most);
        reg [N-1:0] distance;
        begin
            distance = to - from;
            within   = distance <= most;
        end
    endfunction

    // ------------------------------------------------------------------ source: places in its stream of words
    // w: words before a place; o: beats the aligner makes of them; x: bytes; c: chunks of reverse rows that end there;
    // z: the last word makes no beat. Made: by the bursts taken from the cutter.
    wire        issue       = \mover.source_read.issue ;
    wire [N-1:0] issue_words = {11'd0, \mover.source_read.burst_beats } + 16'd1;
    wire [N-1:0] issue_beats = issue_words - {15'd0, \mover.source_read.burst_prime }
                             + {15'd0, \mover.source_read.burst_flush };
    wire [N-1:0] issue_bytes = {7'd0, \mover.source_read.burst_bytes };
    wire [N-1:0] issue_chunk = {15'd0, \mover.source_read.burst_chunk_end };
    reg  [N-1:0] w_made = 0, o_made = 0, x_made = 0, c_made = 0, last_words, last_beats, last_bytes, last_chunk;
    reg          z_made = 1'b0;
    always @(posedge clk) if (issue && !rst) begin
        w_made <= w_made + issue_words;
        o_made <= o_made + issue_beats;
        x_made <= x_made + issue_bytes;
        c_made <= c_made + issue_chunk;
        z_made <= issue_beats == 0;
        {last_words, last_beats, last_bytes, last_chunk} <= {issue_words, issue_beats, issue_bytes, issue_chunk};
    end
    // Taken: by those whose address the memory has taken: all but the one held.
    wire         held     = \mover.source_read.held ;
    wire [N-1:0] n_made   = \mover.source_read.records.tail ;
    wire [N-1:0] n_taken  = n_made - {15'd0, held};
    wire [N-1:0] w_taken  = held ? w_made - last_words : w_made;
    wire [N-1:0] o_taken  = held ? o_made - last_beats : o_made;
    wire [N-1:0] x_taken  = held ? x_made - last_bytes : x_made;
    wire [N-1:0] c_taken  = held ? c_made - last_chunk : c_made;
    // Answered: by whole bursts. The oldest burst that is not: its length goes through a queue of our own.
    wire         burst_done = \mover.source_read.burst_done ;
    wire [4:0]   length;
    wire         length_valid, length_full;
    (* hierconn *) wire        \lengths.sound ;
    (* hierconn *) wire [15:0] \lengths.head , \lengths.tail ;
    (* hierconn *) wire [4:0]  \lengths.youngest ;
    wire [36:0]  youngest = \mover.source_read.records.youngest ;
    sync_fifo #(.WIDTH(5), .LOG2_DEPTH(6)) lengths (
        .clk(clk), .rst(rst), .push(issue), .push_data(\mover.source_read.burst_beats ), .full(length_full),
        .pop(burst_done), .data(length), .valid(length_valid)
    );
    wire [N-1:0] n_ans     = \mover.source_read.records.head ;
    wire [36:0]  record    = \mover.source_read.records.oldest ;
    wire [N-1:0] old_words = {11'd0, length} + 16'd1;
    wire         old_prime = record[4], old_flush = record[3];
    wire [N-1:0] old_beats = old_words - {15'd0, old_prime} + {15'd0, old_flush};
    wire [N-1:0] old_chunk = {15'd0, record[0]};
    reg  [N-1:0] w_ans = 0, o_ans = 0, c_ans = 0;
    reg          z_ans = 1'b0;
    always @(posedge clk) if (burst_done && !rst) begin
        w_ans <= w_ans + old_words;
        o_ans <= o_ans + old_beats;
        c_ans <= c_ans + old_chunk;
        z_ans <= old_beats == 0;
    end
    // Read, word by word; and used, that is given to the aligner.
    wire [1:0]   push_marks = \mover.source_read.buffer.words.push_data [68:67]; // prime, flush
    wire [1:0]   word_marks = \mover.source_read.buffer.words.oldest [68:67];
    wire [N-1:0] push_beats = 16'd1 - {15'd0, push_marks[1]} + {15'd0, push_marks[0]};
    wire [N-1:0] word_beats = 16'd1 - {15'd0, word_marks[1]} + {15'd0, word_marks[0]};
    wire [N-1:0] w_read = \mover.source_read.buffer.words.tail ;
    wire [N-1:0] w_used = \mover.source_read.buffer.words.head ;
    reg  [N-1:0] o_read = 0, o_used = 0;
    reg          z_read = 1'b0, z_used = 1'b0;
    always @(posedge clk) if (!rst) begin
        if (\mover.source_read.buffer.words.push ) begin
            o_read <= o_read + push_beats;
            z_read <= push_beats == 0;
        end
        if (\mover.source_read.buffer.words.pop ) begin
            o_used <= o_used + word_beats;
            z_used <= word_beats == 0;
        end
    end

    // ------------------------------------------------------------------ target: places in its stream of beats
    // y: bytes from the source; d: beats of them; c: reverse chunks; e: ends of fills.
    wire [58:0]  pushed = {\mover.write.burst_address , \mover.write.burst_beats , \mover.write.burst_first ,
                           \mover.write.burst_last , \mover.write.burst_user , \mover.write.burst_tag ,
                           \mover.write.burst_void , \mover.write.burst_end , \mover.write.burst_fill_shift ,
                           \mover.write.burst_converts , \mover.write.burst_straddles ,
                           \mover.write.burst_reads_target , \mover.write.burst_chunk_end ,
                           \mover.write.burst_reverse , \mover.write.burst_fill };
    wire [58:0]  burst  = {\mover.write.queue_address , \mover.write.queue_beats , \mover.write.queue_first ,
                           \mover.write.queue_last , \mover.write.queue_user , \mover.write.queue_tag ,
                           \mover.write.queue_void , \mover.write.queue_end , \mover.write.queue_fill_shift ,
                           \mover.write.queue_kind };
    // {address 29, beats 5, first 3, last 3, user 1, tag 8, void 1, end 1, fill shift 2, kind 6}
    function [N-1:0] burst_bytes(input [58:0] word);
        burst_bytes = word[0] || word[9] ? 16'd0 : {8'd0, word[29:25], word[21:19]} - {13'd0, word[24:22]} + 16'd1;
    endfunction
    function [N-1:0] burst_beats(input [58:0] word);
        burst_beats = word[0] || word[9] ? 16'd0 : {11'd0, word[29:25]} + 16'd1;
    endfunction
    wire         queued_now = \mover.write.queue.push , send = \mover.write.send ;
    wire [N-1:0] n_queued = \mover.write.queue.tail , n_sent = \mover.write.queue.head ;
    wire [N-1:0] n_open_queue = n_queued - n_sent;
    reg  [N-1:0] y_queued = 0, d_queued = 0, c_queued = 0, e_queued = 0, y_sent = 0, d_sent = 0, c_sent = 0, e_sent = 0;
    wire [N-1:0] next_bytes = burst_bytes(burst), next_beats = burst_beats(burst);
    wire [N-1:0] next_chunk = {15'd0, burst[2]}, next_end = {15'd0, burst[0] && burst[8] && !burst[9]};
    always @(posedge clk) if (!rst) begin
        if (queued_now) begin
            y_queued <= y_queued + burst_bytes(pushed);
            d_queued <= d_queued + burst_beats(pushed);
            c_queued <= c_queued + {15'd0, pushed[2]};
            e_queued <= e_queued + {15'd0, pushed[0] && pushed[8] && !pushed[9]};
        end
        if (send) begin
            y_sent <= y_sent + next_bytes;
            d_sent <= d_sent + next_beats;
            c_sent <= c_sent + next_chunk;
            e_sent <= e_sent + next_end;
        end
    end
    // Written: bursts whose data has gone, and beats out of the aligner. {beats 5, first 3, last 3, fill, end, shift 2}
    wire [14:0]  writing    = \mover.write.waiting.oldest ;
    wire         has_writing = \mover.write.waiting.head != \mover.write.waiting.tail ;
    wire         is_filling = writing[3];
    wire [N-1:0] this_beats = is_filling ? 16'd0 : {11'd0, writing[14:10]} + 16'd1;
    wire [N-1:0] this_end   = {15'd0, is_filling && writing[2]};
    wire         w_taken_now = wvalid && wready;
    reg  [N-1:0] d_written = 0, d_out = 0, e_written = 0;
    reg          in_fill = 1'b0;                          // of the last burst written
    reg          filling = 1'b0;                          // of the last burst queued
    always @(posedge clk)
        if (!rst && queued_now && !pushed[9]) filling <= pushed[0] && !pushed[8];
    always @(posedge clk) if (!rst) begin
        if (w_taken_now && !is_filling) d_out <= d_out + 16'd1;
        if (\mover.write.wait_pop ) begin
            d_written <= d_written + this_beats;
            e_written <= e_written + this_end;
            in_fill   <= is_filling && !writing[2];
        end
    end
    // Bursts with data: sent, with their address taken, written, answered.
    wire [N-1:0] v_sent    = \mover.write.waiting.tail ;
    wire [N-1:0] v_open    = v_sent - {15'd0, awvalid};
    wire [N-1:0] v_written = \mover.write.waiting.head ;
    reg  [N-1:0] v_done    = 0;
    wire [N-1:0] n_done    = \mover.write.records.head ;
    wire         old_void  = \mover.write.records.oldest [1];
    wire         record_pop = \mover.write.record_pop ;
    always @(posedge clk) if (!rst && record_pop && !old_void) v_done <= v_done + 16'd1;

    // ------------------------------------------------------------------ the memory
    assign rvalid = r_go && n_ans != n_taken && !rst;
    assign rlast  = w_read + 16'd1 == w_ans + old_words;
    assign bvalid = b_go && v_done != v_written && v_done != v_open && !rst;
    wire   w_lacks   = v_written != v_open && ordered(v_written, v_open);
    wire   is_needed = !is_filling && !ordered(d_written + this_beats, o_ans);
    wire   owes = (n_ans != n_taken && (!w_lacks || is_needed))
               || (w_lacks && wvalid)
               || (v_done != v_written && v_done != v_open)
               || (n_ans == n_taken && !w_lacks && (arvalid || awvalid));
    reg    sets = 1'b0; // the pattern of a fill is set: one cycle of its own
    wire   sets_now = \mover.write.wants_fill  && !\mover.write.is_set ;
    always @(posedge clk) sets <= sets_now && !rst;
    wire   backs    = n_sent != n_queued && \mover.write.account_valid  && \mover.write.has_source
                   && \mover.write.has_target  && !\mover.write.is_backed ;
    wire   event_ = issue || (arvalid && arready) || rvalid || \mover.source_read.buffer.words.pop  || queued_now
                 || send || (awvalid && awready) || w_taken_now || record_pop || sets_now || backs
                 || \mover.write.more_bytes  != 9'd0;
    wire   is_finished = n_done == n_queued && !\mover.sb_valid  && !\mover.tb_valid ;

    // ------------------------------------------------------------------ what queues cannot forget
    // Sums over a queue's words: nothing with none in it; its only word's; with more, its oldest's and theirs.
    // `least`, `most`: of one word.
    function adds_up(input [N-1:0] from, input [N-1:0] to, input [N-1:0] words, input [N-1:0] oldest,
                     input [N-1:0] least, input [N-1:0] most);
        reg [N-1:0] rest, others;
        begin
            others  = words - 16'd1;
            rest    = to - from - oldest;
            adds_up = words == 16'd0 ? from == to
                    : words == 16'd1 ? rest == 16'd0
                    : least * others <= rest && rest <= most * others;
        end
    endfunction
    // 2 * o - w + z never falls along the stream: of two words one makes a beat.
    function [N-1:0] grade(input [N-1:0] w, input [N-1:0] o, input z);
        grade = {o[N-2:0], 1'b0} - w + {15'd0, z};
    endfunction
    // w + 1 - o of a burst is 0 to 2: at most one beat more than words.
    function [N-1:0] spare(input [N-1:0] w, input [N-1:0] n, input [N-1:0] o);
        spare = w + n - o;
    endfunction
    wire [N-1:0] n_owed   = n_taken - n_ans, w_owed = w_taken - w_ans;
    wire [N-1:0] n_reads  = n_made - n_ans, n_words = w_read - w_used;
    wire [N-1:0] n_writes = v_sent - v_written, n_records = n_sent - n_done;
    wire [N-1:0] old_grade  = grade(w_ans + old_words, o_ans + old_beats, old_beats == 0);
    wire [N-1:0] word_grade = grade(w_used + 16'd1, o_used + word_beats, word_beats == 0);
    wire [N-1:0] made_grade = grade(w_made, o_made, z_made), read_grade = grade(w_read, o_read, z_read);
    always @(*) if (!rst) begin
        assume (adds_up(w_ans, w_made, n_reads, old_words, 16'd1, 16'd32));
        assume (adds_up(o_ans, o_made, n_reads, old_beats, 16'd0, 16'd33));
        assume (adds_up(c_ans, c_made, n_reads, old_chunk, 16'd0, 16'd1));
        assume (adds_up(w_ans, w_taken, n_owed, old_words, 16'd1, 16'd32));
        assume (adds_up(o_ans, o_taken, n_owed, old_beats, 16'd0, 16'd33));
        assume (adds_up(c_ans, c_taken, n_owed, old_chunk, 16'd0, 16'd1));
        assume (adds_up(16'd0, spare(w_owed, n_owed, o_taken - o_ans), n_owed, spare(old_words, 16'd1, old_beats),
                        16'd0, 16'd2));
        assume (n_reads == 16'd0 ? z_ans == z_made
              : n_reads == 16'd1 ? old_grade == made_grade : ordered(old_grade, made_grade));
        assume (adds_up(o_used, o_read, n_words, word_beats, 16'd0, 16'd2));
        assume (n_words == 16'd0 ? z_used == z_read
              : n_words == 16'd1 ? word_grade == read_grade : ordered(word_grade, read_grade));
        assume (adds_up(y_sent, y_queued, n_open_queue, next_bytes, 16'd0, 16'd256));
        assume (adds_up(d_sent, d_queued, n_open_queue, next_beats, 16'd0, 16'd32));
        assume (adds_up(c_sent, c_queued, n_open_queue, next_chunk, 16'd0, 16'd1));
        assume (adds_up(e_sent, e_queued, n_open_queue, next_end, 16'd0, 16'd1));
        assume (adds_up(d_written, d_sent, n_writes, this_beats, 16'd0, 16'd32));
        assume (adds_up(e_written, e_sent, n_writes, this_end, 16'd0, 16'd1));
        assume (adds_up(v_done, v_sent, n_records, {15'd0, !old_void}, 16'd0, 16'd1));
    end

    // ------------------------------------------------------------------ what mover_walk.v proves of the bursts
    wire [N-1:0] y_next = y_sent + next_bytes, d_next = d_sent + next_beats, c_next = c_sent + next_chunk;
    wire         has_next = n_open_queue != 16'd0;
    always @(*) if (!rst) begin
        // Of a burst by itself.
        assume (\mover.source_read.burst_bytes  != 9'd0 && issue_bytes <= {issue_words[12:0], 3'd0});
        assume (!(z_made && \mover.source_read.burst_prime ));
        if (queued_now)
            assume (burst_bytes(pushed) <= 16'd256 && (burst_beats(pushed) == 0 || burst_bytes(pushed) != 0));
        if (queued_now && !pushed[0] && !pushed[9])
            assume ({7'd0, \mover.write.burst_bytes } == burst_bytes(pushed));
        if (has_next && !burst[0] && !burst[9])
            assume ({7'd0, \mover.write.queue_bytes } == burst_bytes(burst));
        if (queued_now) assume (!pushed[1] || (pushed[2] && !pushed[9] && !pushed[0]));
        if (queued_now) assume (!pushed[2] || pushed[1]);
        if (has_next) assume (next_bytes <= 16'd256 && (next_beats == 0 || next_bytes != 0));
        if (has_next) assume (burst[2] == burst[1] && (!burst[1] || (!burst[9] && !burst[0])));
        if (has_next) assume (burst[5:3] == 3'd0); // what pixels alone use
        if (has_writing) assume (!in_fill || is_filling);
        // Of places between bursts of either side: bytes tell the same as beats.
        if (has_next && next_bytes != 16'd0) begin
            assume (ordered(y_next, x_taken) == ordered(d_next, o_taken));
            assume (!ordered(y_next, x_taken) || ordered(c_next, c_taken));
        end
        assume (!ordered(d_sent, o_taken) || within(y_sent, x_taken, ((o_taken - d_sent) << 3) + 16'd7));
        assume (within(c_made, c_queued + 16'd1, 16'd1000));
        assume (x_made != y_queued || (o_made == d_queued && !z_made));
        // Of what is offered: a burst of the side that lags.
        assume (ordered(y_queued, x_made) || \mover.sb_valid );
        assume (ordered(x_made, y_queued) || \mover.tb_valid );
        // Of fills: each is counted with its first burst, and its last one ends it.
        assume (\mover.fills.queue.tail  == e_queued + {15'd0, filling});
        if (has_writing && is_filling && e_written == e_queued) assume (filling); // its end is still to come
        assume (!\mover.first_taken  || !\mover.is_fill  || !\mover.fills_full );
    end

    // ------------------------------------------------------------------ the state
    wire [N-1:0] begun_words = w_read - w_ans;
    reg ar_waits = 1'b0, aw_waits = 1'b0, w_waits = 1'b0;
    always @(posedge clk) begin
        ar_waits <= arvalid && !arready && !rst;
        aw_waits <= awvalid && !awready && !rst;
        w_waits  <= wvalid  && !wready  && !rst;
    end
    (* keep *) wire [16:0] state;
    assign state[0] = rst ? {w_made, o_made, x_made, c_made, z_made, w_ans, o_ans, c_ans, z_ans, o_read, o_used, z_read,
                             z_used, y_queued, d_queued, c_queued, e_queued, y_sent, d_sent, c_sent, e_sent, d_written,
                             d_out, e_written, in_fill, filling, v_done, ar_waits, aw_waits, w_waits, sets} == 0
                          : !\mover.drop ;
    assign state[1] = rst || (\mover.source_read.records.sound  && \mover.source_read.buffer.words.sound
                           && \lengths.sound  && \mover.write.queue.sound  && \mover.write.waiting.sound
                           && \mover.write.records.sound );
    // Levels of the queues.
    assign state[2] = rst || (within(n_ans, n_taken, 16'd64) && within(n_ans, n_made, 16'd64)
                           && within(n_sent, n_queued, 16'd64) && n_writes <= 16'd64 && n_records <= 16'd64
                           && within(w_used, w_read, 16'd255));
    assign state[3] = rst || (\lengths.head  == n_ans && \lengths.tail  == n_made
                           && \mover.write.records.tail  == n_sent);
    // Reads.
    assign state[4] = rst || ({8'd0, \mover.source_read.reserved } == w_made - w_used);
    assign state[5] = rst || !held || ({7'd0, \mover.source_read.held_burst [9:1]} == last_bytes
                                    && {11'd0, \mover.source_read.held_burst [14:10]} + 16'd1 == last_words
                                    && last_words == {11'd0, \lengths.youngest } + 16'd1
                                    && last_beats == last_words - {15'd0, youngest[4]} + {15'd0, youngest[3]}
                                    && last_chunk == {15'd0, youngest[0]} && last_bytes <= 16'd256);
    assign state[6] = rst || ((n_ans == n_taken ? begun_words == 16'd0 : begun_words < old_words)
                           && \mover.source_read.begun  == (begun_words != 16'd0)
                           && o_read == o_ans + begun_words - {15'd0, begun_words != 16'd0 && old_prime}
                           && z_read == (begun_words == 16'd0 ? z_ans : begun_words == 16'd1 && old_prime));
    // Writes.
    assign state[7] = rst || o_used == d_out + {15'd0, \mover.aligner.flushing };
    assign state[8] = rst || (d_out == d_written + (has_writing && !is_filling ? {11'd0, \mover.write.beat } : 16'd0)
                           && (has_writing ? \mover.write.beat  <= writing[14:10] : \mover.write.beat  == 5'd0));
    assign state[9] = rst
                   || \mover.write.ahead  == x_taken[11:0] - y_sent[11:0] - {3'd0, \mover.write.more_bytes };
    assign state[10] = rst || (ordered(y_sent + {7'd0, \mover.write.more_bytes }, x_taken) && ordered(d_sent, o_taken));
    assign state[11] = rst || ({9'd0, \mover.write.chunks } == c_ans - c_sent && \mover.write.targets  == 7'd0);
    assign state[12] = rst || (within(v_done, v_written, 16'd64) && within(v_done, v_open, 16'd64));
    // Fills.
    assign state[13] = rst || !\mover.write.fill_active  || (has_writing ? is_filling : in_fill);
    assign state[14] = rst || (\mover.fills.queue.head  == e_written
                            && within(e_written, \mover.fills.queue.tail , 16'd16)
                            && (!sets || \mover.write.is_set ));
    assign state[15] = rst || ((!ar_waits || arvalid) && (!aw_waits || awvalid) && (!w_waits || wvalid));

    // A burst that has its source and its target keeps them; data may pause (data_coming).
    assign state[16] = rst || !\mover.write.is_backed
                    || (has_next && \mover.write.account_valid  && \mover.write.has_target
                     && (\mover.write.queue_fill
                         || (\mover.write.has_bytes  && \mover.write.has_more
                             && (!\mover.write.queue_reverse  || \mover.write.chunks  != 7'd0))));

    reg was_idle = 1'b0, had_room = 1'b0;
    always @(posedge clk) begin
        was_idle <= !rst && \mover.write_idle  && !queued_now;
        had_room <= !rst && !\mover.fills_full  && !queued_now;
    end
    (* keep *) wire [11:0] follows;
    // 12 bits hold what is ahead: 255 words make at most 510 beats (each of these lines needs those before it), and
    // the aligner holds one.
    wire [N-1:0] w_comes = w_taken - w_read;
    assign follows[5] = rst || within(o_used, o_read, {n_words[N-2:0], 1'b0});
    assign follows[6] = rst || within(n_owed, w_comes, 16'd255 - n_words - n_owed);
    wire [N-1:0] primes   = {15'd0, begun_words != 16'd0 && old_prime}, o_owed = o_taken - o_ans;
    assign follows[7] = rst || o_owed <= w_owed + n_owed - primes;
    assign follows[8] = rst || (w_owed == w_comes + begun_words && o_taken - o_read == o_owed - (begun_words - primes));
    assign follows[9] = rst || within(o_read, o_taken, w_comes + n_owed);
    assign follows[10] = rst || within(o_used, o_taken, 16'd510);
    assign follows[11] = rst || within(y_sent, x_taken, 16'd4095);
    assign follows[0] = rst || is_finished || event_ || owes;
    // The gates at which a command may wait are open then.
    assign follows[1] = rst || n_done != n_queued || (\mover.write_idle  && !\mover.fills_full );
    // Nothing is pushed into what is full, nothing taken from what is empty.
    assign follows[2] = rst || (!(issue && n_reads == 16'd64) && !(send && (n_records == 16'd64 || !has_next)));
    // (a step later) The gates stay open until a burst is queued.
    assign follows[4] = rst || ((!was_idle || \mover.write_idle ) && (!had_room || !\mover.fills_full ));
    assign follows[3] = rst || (!done_valid || record_pop);

    // Reached: from reset, a fill and a copy done, two reverse chunks done, a void command after data; and somewhere in
    // the induction, everything full, with a pattern of 3 bytes.
    (* keep *) wire [3:0] misses;
    assign misses[0] = !(done_valid && e_written != 0 && d_out > 16'd1);
    assign misses[1] = !(done_valid && c_sent == 16'd2 && n_done == 16'd1);
    assign misses[2] = !(record_pop && old_void && d_out != 0);
    assign misses[3] = !(!rst && n_records == 16'd63 && n_writes == 16'd40 && n_open_queue == 16'd64 && has_writing
                      && is_filling && \mover.fill_threes  && next_chunk != 0 && held
                      && w_made - w_used > 16'd240 && n_words > 16'd9
                      && begun_words != 0 && n_reads == 16'd5 && \mover.aligner.flushing );

    // A step of the induction begins in any state that holds.
    reg is_later = 1'b0;
    always @(posedge clk) is_later <= 1'b1;
`ifdef STEP
    always @(*) assume (is_later || &state);
`endif
endmodule

`default_nettype wire
