// SPDX-License-Identifier: Apache-2.0
//
// Every copy completes, whatever its length, and touches nothing else. By induction: unbounded in time and length.
//
// One command of one row (COPY, in the build without the other parts), any addresses, any length from 1 byte
// that does not wrap at 4 GiB, offered at any time to an idle mover; errors anywhere. The memory is the meanest that
// is still fair. It serves in order of arrival over one port: after a write that lacks data it answers no read, and
// it takes no further address while anything it took before is unfinished. It owes, sooner or later,
//   - data of the oldest read, if no accepted write that lacks data lies before it. (A read that the oldest such
//     write needs does not lie behind it: its address was accepted before the write's was sent, state[14].);
//   - to take data of the oldest accepted write, and to answer it when it has all of it;
//   - to take an address, when it has nothing else to do.
// Kinder memories owe more. Then
//   - nine counts (read addresses made, taken by the memory, words read, words used, bursts queued, sent, taken by the
//     memory, beats written, answers) never pass the numbers the command says: state[5], [6], [7], [12];
//   - in every cycle until the last answer one of them rises or the memory owes something: follows[0].
// So the command completes: with a memory that does what it owes within k cycles, no later than
// (k + 1) * (3 S + 3 s + 5 T + 2 t + 2) cycles after it was offered; S, T bursts and s, t words on either side. (That a
// burst has its source becomes known once a burst, and again at most once after each word used or written.) Also
//   - addresses and lengths of bursts, and strobes, are exactly the command's, and offers stand until they are taken:
//     state[13], follows[2], [3];
//   - the completion comes once, with the last answer: follows[4].
`default_nettype none

module mover_progress #(
    parameter BITS = 32 // of addresses and lengths
) (
    input wire       clk,
    input wire       offer,
    input wire       arready,
    input wire       awready,
    input wire       wready,
    input wire       r_go,
    input wire       b_go,
    input wire [1:0] rresp,
    input wire [1:0] bresp
);
    localparam [31:0] MASK = 32'hffffffff >> (32 - BITS);
    (* anyconst *) wire [31:0] any_source;
    wire [31:0] source = any_source & MASK;
    (* anyconst *) wire [31:0] any_target;
    wire [31:0] target = any_target & MASK;
    (* anyconst *) wire [31:0] any_length;
    wire [31:0] length = any_length & MASK;
    (* anyconst *) wire        barrier;
    (* anyconst *) wire [7:0]  tag;
    wire [31:0] extent      = length - 32'd1;
    wire [31:0] source_last = source + extent;
    wire [31:0] target_last = target + extent;
    always @(*) assume (length != 32'd0 && source_last >= source && target_last >= target);

    reg rst = 1'b1, offered = 1'b0, accepted = 1'b0;
    always @(posedge clk) rst <= 1'b0;
    wire cmd_valid = !rst && !accepted && (offer || offered);
    wire cmd_ready, done_valid, idle;
    always @(posedge clk) begin
        if (cmd_valid) offered <= 1'b1;
        if (cmd_valid && cmd_ready) accepted <= 1'b1;
    end

    // ------------------------------------------------------------------ the mover
    wire [31:0] araddr, awaddr, t_araddr, done_address;
    wire [7:0]  arlen, awlen, wstrb, t_arlen, done_tag, done_fault;
    wire [2:0]  arsize, awsize, t_arsize;
    wire [1:0]  arburst, awburst, t_arburst;
    wire [63:0] wdata;
    wire        aruser, arvalid, rready, awuser, awvalid, wlast, wvalid, bready, t_aruser, t_arvalid, t_rready;
    wire        stall_read, stall_write, stall_drain;
    wire        rvalid, rlast, bvalid;
    mover #(.FILLS(0), .ROWS(0), .REVERSE(0), .TILES(0), .PIXELS(0)) mover (
        .clk(clk), .rst(rst), .abort(1'b0), .idle(idle),
        .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_op(4'd0), .cmd_source(source), .cmd_target(target),
        .cmd_row_bytes(length), .cmd_rows(16'd1), .cmd_source_pitch(16'd0), .cmd_target_pitch(16'd0),
        .cmd_reverse(1'b0), .cmd_barrier(barrier), .cmd_pattern(32'd0), .cmd_units(16'd0), .cmd_mode(3'd0),
        .cmd_source_format(3'd0), .cmd_mask(8'd0), .cmd_target_format(3'd0), .cmd_premultiplied(1'b0), .cmd_keyed(1'b0),
        .cmd_coloured(1'b0), .cmd_rop(8'd0), .cmd_key(24'd0), .cmd_tag(tag), .cmd_user(1'b0),
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
    (* hierconn *) wire        \mover.drop ;
    (* hierconn *) wire        \mover.pieces.source_taken ;
    (* hierconn *) wire        \mover.pieces.target_taken ;
    (* hierconn *) wire        \mover.source_cutter.busy ;
    (* hierconn *) wire [31:8] \mover.source_cutter.block ;
    (* hierconn *) wire        \mover.source_cutter.block_is_last ;
    (* hierconn *) wire        \mover.target_cutter.busy ;
    (* hierconn *) wire [31:8] \mover.target_cutter.block ;
    (* hierconn *) wire        \mover.target_cutter.block_is_last ;
    (* hierconn *) wire        \mover.source_read.held ;
    (* hierconn *) wire [8:0]  \mover.source_read.issued_bytes ;
    (* hierconn *) wire [43:0] \mover.source_read.held_burst ;
    (* hierconn *) wire [7:0]  \mover.source_read.reserved ;
    (* hierconn *) wire        \mover.source_read.begun ;
    (* hierconn *) wire        \mover.source_read.issue ;
    (* hierconn *) wire [31:0] \mover.source_read.records.head ;
    (* hierconn *) wire [31:0] \mover.source_read.records.tail ;
    (* hierconn *) wire        \mover.source_read.records.push ;
    (* hierconn *) wire [36:0] \mover.source_read.records.push_data ;
    (* hierconn *) wire [36:0] \mover.source_read.records.data ;
    (* hierconn *) wire [31:0] \mover.source_read.buffer.head ;
    (* hierconn *) wire [31:0] \mover.source_read.buffer.tail ;
    (* hierconn *) wire        \mover.source_read.buffer.out_valid ;
    (* hierconn *) wire        \mover.source_read.buffer.push ;
    (* hierconn *) wire        \mover.source_read.buffer.pop ;
    (* hierconn *) wire [71:0] \mover.source_read.buffer.push_data ;
    (* hierconn *) wire [71:0] \mover.source_read.buffer.out_data ;
    (* hierconn *) wire        \mover.aligner.flushing ;
    (* hierconn *) wire [11:0] \mover.write.ahead ;
    (* hierconn *) wire [4:0]  \mover.write.beat ;
    (* hierconn *) wire        \mover.write.fill_active ;
    (* hierconn *) wire        \mover.write.send ;
    (* hierconn *) wire        \mover.write.has_source ;
    (* hierconn *) wire        \mover.write.has_bytes ;
    (* hierconn *) wire        \mover.write.is_backed ;
    (* hierconn *) wire [8:0]  \mover.write.more_bytes ;
    (* hierconn *) wire        \mover.is_known ;
    (* hierconn *) wire [11:0] \mover.command.kind ;
    (* hierconn *) wire [11:0] \mover.command.kind_found ;
    (* hierconn *) wire [66:0] \mover.command.extents ;
    (* hierconn *) wire [66:0] \mover.command.extents_found ;
    (* hierconn *) wire [10:0] \mover.write.needs ;
    (* hierconn *) wire [31:0] \mover.write.queue.head ;
    (* hierconn *) wire [31:0] \mover.write.queue.tail ;
    (* hierconn *) wire        \mover.write.queue.push ;
    (* hierconn *) wire [28:0] \mover.write.burst_address ;
    (* hierconn *) wire [4:0]  \mover.write.burst_beats ;
    (* hierconn *) wire [2:0]  \mover.write.burst_first ;
    (* hierconn *) wire [2:0]  \mover.write.burst_last ;
    (* hierconn *) wire [7:0]  \mover.write.burst_tag ;
    (* hierconn *) wire        \mover.write.burst_void ;
    (* hierconn *) wire        \mover.write.burst_end ;
    (* hierconn *) wire [8:0]  \mover.write.burst_bytes ;
    (* hierconn *) wire [28:0] \mover.write.queue_address ;
    (* hierconn *) wire [4:0]  \mover.write.queue_beats ;
    (* hierconn *) wire [2:0]  \mover.write.queue_first ;
    (* hierconn *) wire [2:0]  \mover.write.queue_last ;
    (* hierconn *) wire [7:0]  \mover.write.queue_tag ;
    (* hierconn *) wire        \mover.write.queue_void ;
    (* hierconn *) wire        \mover.write.queue_end ;
    (* hierconn *) wire [8:0]  \mover.write.queue_bytes ;
    (* hierconn *) wire [31:0] \mover.write.waiting.head ;
    (* hierconn *) wire [31:0] \mover.write.waiting.tail ;
    (* hierconn *) wire        \mover.write.waiting.push ;
    (* hierconn *) wire [14:0] \mover.write.waiting.push_data ;
    (* hierconn *) wire [14:0] \mover.write.waiting.data ;
    (* hierconn *) wire [31:0] \mover.write.records.head ;
    (* hierconn *) wire [31:0] \mover.write.records.tail ;
    (* hierconn *) wire        \mover.write.records.push ;
    (* hierconn *) wire        \mover.write.records.pop ;
    (* hierconn *) wire [38:0] \mover.write.records.push_data ;
    (* hierconn *) wire [38:0] \mover.write.records.data ;

    // ------------------------------------------------------------------ what the command says
    // Bursts of a side, words and bytes before its burst `i`. Burst 0 ends at a multiple of 256, or at the end.
    function [31:0] words_before(input [31:0] i, input [31:0] first, input [31:0] last);
        words_before = i == 32'd0 ? 32'd0
                     : i > {8'd0, last[31:8] - first[31:8]} ? {3'd0, last[31:3] - first[31:3]} + 32'd1
                     : {i[26:0], 5'd0} - {27'd0, first[7:3]};
    endfunction
    function [31:0] bytes_before(input [31:0] i, input [31:0] first, input [31:0] last);
        bytes_before = i == 32'd0 ? 32'd0
                     : i > {8'd0, last[31:8] - first[31:8]} ? last - first + 32'd1
                     : {i[23:0], 8'd0} - {24'd0, first[7:0]};
    endfunction
    wire [31:0] source_bursts = {8'd0, source_last[31:8] - source[31:8]} + 32'd1;
    wire [31:0] target_bursts = {8'd0, target_last[31:8] - target[31:8]} + 32'd1;
    wire [31:0] source_words  = {3'd0, source_last[31:3] - source[31:3]} + 32'd1;
    wire [31:0] target_words  = {3'd0, target_last[31:3] - target[31:3]} + 32'd1;
    wire [2:0]  shift = target[2:0] - source[2:0];
    wire        prime = source[2:0] > target[2:0];
    wire        flush = {1'b0, source_last[2:0]} + {1'b0, shift} >= 4'd8;

    // ------------------------------------------------------------------ the counts
    wire [31:0] made     = \mover.source_read.records.tail ;           // read addresses
    wire [31:0] taken    = made - {31'd0, \mover.source_read.held };   // of them by the memory
    wire [31:0] answered = \mover.source_read.records.head ;           // reads
    wire [31:0] words    = \mover.source_read.buffer.tail ;            // read
    wire [31:0] used     = \mover.source_read.buffer.head ;            // words given to the aligner
    wire [31:0] queued   = \mover.write.queue.tail ;                   // bursts of the target
    wire [31:0] sent     = \mover.write.queue.head ;                   // of them to the AW register
    wire [31:0] open     = sent - {31'd0, awvalid};                    // of them taken by the memory
    wire [31:0] written  = \mover.write.waiting.head ;                 // bursts whose data has gone
    wire [31:0] finished = \mover.write.records.head ;                 // answered
    wire [31:0] out      = words_before(written, target, target_last) + {27'd0, \mover.write.beat };
    wire        flushed  = used == source_words && flush && !\mover.aligner.flushing ;

    // ------------------------------------------------------------------ the memory
    assign rvalid = r_go && answered != taken && !rst;
    assign rlast  = words + 32'd1 == words_before(answered + 32'd1, source, source_last);
    assign bvalid = b_go && finished != written && finished != open && !rst;
    wire   w_lacks   = written < open;  // an accepted write lacks data
    wire   is_needed = bytes_before(answered, source, source_last)
                     < bytes_before(written + 32'd1, target, target_last);
    wire   owes = (answered != taken && (!w_lacks || is_needed))
               || (w_lacks && wvalid)
               || (finished < written && finished < open)
               || (answered == taken && !w_lacks && (arvalid || awvalid));
    wire   backs  = sent != queued && \mover.write.has_source  && !\mover.write.is_backed ; // becomes known
    wire   event_ = \mover.source_read.issue  || (arvalid && arready) || rvalid || \mover.source_read.buffer.pop
                || \mover.write.queue.push  || \mover.write.send  || (awvalid && awready) || (wvalid && wready)
                || \mover.write.records.pop  || backs || \mover.write.more_bytes  != 9'd0
                || (cmd_valid && (!\mover.is_known  || cmd_ready));
    wire   works = (cmd_valid || offered) && finished != target_bursts;

    // ------------------------------------------------------------------ what goes through the queues
    // A burst of the target, by its number: beats minus one, first and last lane, end of the command; its address.
    function [11:0] burst_of(input [31:0] i, input [31:0] first, input [31:0] last);
        reg is_first, ends;
        begin
            is_first = i == 32'd0;
            ends     = i == {8'd0, last[31:8] - first[31:8]};
            burst_of = {(ends ? last[7:3] : 5'd31) - (is_first ? first[7:3] : 5'd0),
                        is_first ? first[2:0] : 3'd0, ends ? last[2:0] : 3'd7, ends};
        end
    endfunction
    function [8:0] bytes_of(input [11:0] burst);
        bytes_of = {1'b0, burst[11:7], burst[3:1]} - {6'd0, burst[6:4]} + 9'd1;
    endfunction
    function [31:3] address_of(input [31:0] i, input [31:0] first);
        address_of = i == 32'd0 ? first[31:3] : {first[31:8] + i[23:0], 5'd0};
    endfunction
    wire [11:0] put_burst  = burst_of(queued, target, target_last);
    wire [11:0] next_burst = burst_of(sent, target, target_last);
    wire [11:0] this_burst = burst_of(written, target, target_last);
    wire [4:0]  read_marks = {shift, prime && answered == 32'd0, flush && answered + 32'd1 == source_bursts};
    wire [4:0]  word_marks = {shift, prime && used == 32'd0, flush && used + 32'd1 == source_words};
    always @(*) if (!rst) begin
        if (answered != made)
            assume (\mover.source_read.records.data [7:2] == {read_marks, 1'b0});
        if (used != words)
            assume (\mover.source_read.buffer.out_data [71:67] == word_marks);
        if (sent != queued)
            assume ({\mover.write.queue_address , \mover.write.queue_beats , \mover.write.queue_first ,
                     \mover.write.queue_last , \mover.write.queue_tag , \mover.write.queue_void ,
                     \mover.write.queue_end , \mover.write.queue_bytes }
                    == {address_of(sent, target), next_burst[11:1], tag, 1'b0, next_burst[0], bytes_of(next_burst)});
        if (written != sent)
            assume ({\mover.write.waiting.data [14:2]} == {this_burst[11:1], 1'b0, this_burst[0]});
        if (finished != sent)
            assume (\mover.write.records.data [9:0] == {tag, 1'b0, finished + 32'd1 == target_bursts});
    end
    wire puts_right =
        (!\mover.source_read.records.push  || \mover.source_read.records.push_data [7:2]
            == {shift, prime && made == 32'd0, flush && made + 32'd1 == source_bursts, 1'b0})
     && (!\mover.source_read.buffer.push  || \mover.source_read.buffer.push_data [71:67]
            == {shift, prime && words == 32'd0, flush && words + 32'd1 == source_words})
     && (!\mover.write.queue.push  || {\mover.write.burst_address , \mover.write.burst_beats ,
                                       \mover.write.burst_first , \mover.write.burst_last , \mover.write.burst_tag ,
                                       \mover.write.burst_void , \mover.write.burst_end , \mover.write.burst_bytes }
            == {address_of(queued, target), put_burst[11:1], tag, 1'b0, put_burst[0], bytes_of(put_burst)})
     && (!\mover.write.waiting.push  || \mover.write.waiting.push_data [14:2]
            == {next_burst[11:1], 1'b0, next_burst[0]})
     && (!\mover.write.records.push  || \mover.write.records.push_data [9:0]
            == {tag, 1'b0, sent + 32'd1 == target_bursts});

    // ------------------------------------------------------------------ the state
    // `state` holds in every cycle: at reset, and in the next cycle wherever it holds in one.
    reg ar_waits = 1'b0, aw_waits = 1'b0, w_waits = 1'b0;
    always @(posedge clk) begin
        ar_waits <= arvalid && !arready && !rst;
        aw_waits <= awvalid && !awready && !rst;
        w_waits  <= wvalid && !wready && !rst;
    end
    wire [31:0] words_made  = words_before(made, source, source_last);
    wire [31:0] words_begun = words_before(answered, source, source_last);
    wire [31:0] words_ended = words_before(answered + 32'd1, source, source_last);
    wire [31:0] bytes_taken = bytes_before(taken, source, source_last);
    wire [31:0] bytes_sent  = bytes_before(sent, target, target_last);
    reg  [31:0] took = 32'd0, gave = 32'd0; // the same two, added up
    wire [31:0] bytes_ahead = bytes_taken - bytes_sent;
    always @(posedge clk) if (!rst) begin
        took <= took + {23'd0, \mover.source_read.issued_bytes };
        gave <= gave + (\mover.write.send  ? {21'd0, \mover.write.needs } : 32'd0);
    end
    wire [31:0] last_made   = made - 32'd1, last_sent = sent - 32'd1;
    wire [11:0] held_burst  = burst_of(last_made, source, source_last);
    wire [11:0] sent_burst  = burst_of(last_sent, target, target_last);
    wire [8:0]  held_bytes  = bytes_of(held_burst);
    (* keep *) wire [19:0] state;
    assign state[0] = rst ? !(offered || accepted || ar_waits || aw_waits || w_waits) && took == 32'd0 && gave == 32'd0
                          : !\mover.drop  && !\mover.write.fill_active ;
    // The two halves of the command.
    assign state[1] = rst || ((!accepted || (offered && made == source_bursts && queued == target_bursts))
                           && (offered || (made == 32'd0 && queued == 32'd0)));
    assign state[2] = rst || (\mover.pieces.source_taken  == (!accepted && made == source_bursts)
                           && \mover.pieces.target_taken  == (!accepted && queued == target_bursts));
    assign state[3] = rst || (\mover.source_cutter.busy  == (made != 32'd0 && made < source_bursts)
                           && (!\mover.source_cutter.busy
                            || (\mover.source_cutter.block  == source[31:8] + made[23:0]
                             && \mover.source_cutter.block_is_last  == (made + 32'd1 == source_bursts))));
    assign state[4] = rst || (\mover.target_cutter.busy  == (queued != 32'd0 && queued < target_bursts)
                           && (!\mover.target_cutter.busy
                            || (\mover.target_cutter.block  == target[31:8] + queued[23:0]
                             && \mover.target_cutter.block_is_last  == (queued + 32'd1 == target_bursts))));
    // No count passes its end, none passes what it waits for; queues hold what they can.
    assign state[5] = rst || (made <= source_bursts && answered <= taken && taken <= made && made - answered <= 32'd32
                           && (!\mover.source_read.held  || made != 32'd0));
    assign state[6] = rst || (queued <= target_bursts && sent <= queued && queued - sent <= 32'd32
                           && written <= sent && sent - written <= 32'd32 && (!awvalid || sent != 32'd0)
                           && finished <= written && finished <= open && sent - finished <= 32'd32
                           && \mover.write.waiting.tail  == sent && \mover.write.records.tail  == sent);
    // Reads: what has come belongs to the burst being answered; room is reserved for what has not been used.
    assign state[7] = rst || (words <= source_words && words >= words_begun
                           && (answered == taken ? words == words_begun : words < words_ended)
                           && \mover.source_read.begun  == (words != words_begun));
    assign state[8] = rst || ({24'd0, \mover.source_read.reserved } == words_made - used && used <= words
                           && \mover.source_read.buffer.out_valid  == (used != words));
    assign state[9] = rst || !\mover.source_read.held  || \mover.source_read.held_burst
                        == {address_of(last_made, source), held_burst[11:7], held_bytes, 1'b0};
    // Writes: an address is sent when its bytes' reads have been taken; beats out follow from words in.
    assign state[10] = rst || \mover.write.ahead  == took[11:0] - gave[11:0] - {3'd0, \mover.write.more_bytes };
    assign state[14] = rst || {1'b0, bytes_sent} + {24'd0, \mover.write.more_bytes } <= {1'b0, bytes_taken};
    assign state[15] = rst || took == bytes_taken;
    assign state[16] = rst || gave == bytes_sent;
    assign state[17] = rst || bytes_ahead[31:12] == 20'd0;
    assign state[11] = rst || ((!\mover.aligner.flushing  || (flush && used == source_words))
                            && out == used - {31'd0, prime && used != 32'd0} + {31'd0, flushed});
    assign state[12] = rst || (written == sent ? \mover.write.beat  == 5'd0
                                               : \mover.write.beat  <= this_burst[11:7]);
    assign state[13] = rst || ((!awvalid || (awaddr == {address_of(last_sent, target), 3'd0}
                                          && awlen == {3'd0, sent_burst[11:7]}))
                            && (!ar_waits || arvalid) && (!aw_waits || awvalid) && (!w_waits || wvalid));

    // What the command is stands in registers. A burst that has its source keeps it; data may pause (data_coming).
    assign state[18] = rst || (\mover.is_known  == (offered && !accepted)
                            && (!\mover.is_known  || (\mover.command.kind  == \mover.command.kind_found
                                                   && \mover.command.extents  == \mover.command.extents_found )));
    assign state[19] = rst || !\mover.write.is_backed  || (sent != queued && \mover.write.has_bytes );

    // ------------------------------------------------------------------ what follows from it in the same cycle
    wire [31:0] ar_number = \mover.source_read.held  ? last_made : made;
    wire [11:0] ar_burst  = burst_of(ar_number, source, source_last);
    reg         strobes_right;
    integer i;
    always @(*) begin
        strobes_right = 1'b1;
        for (i = 0; i < 8; i = i + 1)
            if (wstrb[i] && ((out == 32'd0 && i[2:0] < target[2:0])
                             || (out + 32'd1 == target_words && i[2:0] > target_last[2:0])))
                strobes_right = 1'b0;
    end
    (* keep *) wire [4:0] follows;
    assign follows[0] = rst || !works || event_ || owes;
    assign follows[1] = rst || puts_right;
    assign follows[2] = rst || !arvalid || (araddr == {address_of(ar_number, source), 3'd0} && made <= source_bursts
                                            && ar_number < source_bursts && arlen == {3'd0, ar_burst[11:7]}
                                            && arsize == 3'd3 && arburst == 2'd1);
    assign follows[3] = rst || ((!awvalid || (awsize == 3'd3 && awburst == 2'd1)) && !t_arvalid && rready
                             && (!wvalid || (written < sent && strobes_right && out < target_words
                                             && wlast == (\mover.write.beat  == this_burst[11:7]))));
    assign follows[4] = rst || (done_valid == (\mover.write.records.pop  && finished + 32'd1 == target_bursts)
                             && (!done_valid || done_tag == tag));
    (* keep *) wire misses_completion = !(done_valid && source_bursts == 32'd2 && prime && flush);

    // A step of the induction begins in any state that holds.
    reg is_later = 1'b0;
    always @(posedge clk) is_later <= 1'b1;
`ifdef STEP
    always @(*) assume (is_later || &state);
`endif
endmodule

`default_nettype wire
