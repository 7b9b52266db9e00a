// SPDX-License-Identifier: Apache-2.0
//
// Whose words a packet is made of: by induction, with the real node_fetch and node_packet, any restarts, TAIL, ring and
// latency. Command RAM answers with anything. (That the words themselves are those of the addresses due, in order and
// none of before a restart, is shown for a queue of 4 and up to 10 cycles by node_fetch_formal.v.)
//   - After a restart with a range of n words, the first n words given out say that they are in a RUN, the last of
//     them says so, and none that follow.
//   - A packet is in a RUN if its words are, all of them; it ends with the range at the latest, and stays until taken.
`default_nettype none

module grants_words (
    input wire        clk,
    input wire        rst_any,
    input wire        enable,
    input wire [15:0] ring_base,
    input wire [3:0]  ring_size,
    input wire [31:0] tail,
    input wire        restart_any,
    input wire [14:0] restart_words,
    input wire [15:0] restart_offset,
    input wire [31:0] restart_index,
    input wire        fetch_gnt,
    input wire        fetch_rvalid,
    input wire [31:0] fetch_rdata,
    input wire        packet_ready
);
`include "config.vh"
    reg  first = 1'b1;
    wire rst = first || rst_any;
    always @(posedge clk) first <= 1'b0;
    wire restart = restart_any && !rst;

    wire         fetch_req, word_valid, word_ready, word_in_run, word_run_last, packet_valid, packet_in_run;
    wire         packet_run_last, packet_truncated;
    wire [15:0]  fetch_address, word_offset, packet_offset;
    wire [31:0]  word;
    wire [191:0] packet;
    wire [3:0]   packet_words;
    wire [31:0]  rest_word;
    node_fetch fetch (
        .clk(clk), .rst(rst), .enable(enable), .ring_base(ring_base), .ring_size(ring_size), .tail(tail),
        .restart(restart), .restart_words(restart_words), .restart_offset(restart_offset),
        .restart_index(restart_index), .fetch_req(fetch_req), .fetch_gnt(fetch_gnt), .fetch_address(fetch_address),
        .fetch_rvalid(fetch_rvalid), .fetch_rdata(fetch_rdata), .word_valid(word_valid), .word_ready(word_ready),
        .word(word), .word_offset(word_offset), .word_in_run(word_in_run), .word_run_last(word_run_last)
    );
    node_packet assembly (
        .clk(clk), .rst(rst), .restart(restart), .word_valid(word_valid), .word_ready(word_ready), .word(word),
        .word_offset(word_offset), .word_in_run(word_in_run), .word_run_last(word_run_last),
        .packet_valid(packet_valid), .packet_ready(packet_ready), .packet(packet), .packet_words(packet_words),
        .packet_offset(packet_offset), .packet_in_run(packet_in_run), .packet_run_last(packet_run_last),
        .packet_truncated(packet_truncated), .rest_index(3'd0), .rest_word(rest_word)
    );
    grants_packet #(.GIVEN(0)) packets (
        .clk(clk), .rst(rst), .restart(restart), .has_words(restart_words != 15'd0), .valid(packet_valid),
        .ready(packet_ready && packet_valid), .packet(packet), .truncated(packet_truncated), .in_run(packet_in_run),
        .run_last(packet_run_last)
    );

    // ------------------------------------------------------------------ by number
    reg  [14:0] range, given;             // of the last restart: words of its range, words of it given out
    reg         is_open, is_run;          // of the packet being assembled: it has words, they are in a RUN
    wire        takes = word_valid && word_ready;
    wire [3:0]  longest = MAPS != 0 ? 4'd13 : 4'd6;
    always @(posedge clk) begin
        if (rst || restart) begin
            range   <= rst ? 15'd0 : restart_words;
            given   <= 15'd0;
            is_open <= 1'b0;
        end else if (takes) begin
            if (given != range) given <= given + 15'd1;
            is_open <= !\assembly.ends ;
            is_run  <= given != range;
        end
    end
    (* hierconn *) wire        \assembly.ends ;
    (* hierconn *) wire [3:0]  \assembly.count ;
    (* hierconn *) wire [3:0]  \assembly.length_known ;
    (* hierconn *) wire [14:0] \fetch.out_left ;
    always @(*) if (!rst) begin
        // The words of the range, so many, and then the ring's.
        if (word_valid) assert (word_in_run == (given != range) && word_run_last == (given + 15'd1 == range));
        // One packet is not made of both; it is in the RUN if its words are.
        if (takes && is_open) assert (word_in_run == is_run);
        assert (\fetch.out_left  == range - given && given <= range);
        if (is_open) assert (\assembly.count  < \assembly.length_known  && \assembly.length_known  <= longest);
        assert (is_open == (\assembly.count  != 4'd0));
        if (is_open && is_run) assert (given != range && given != 15'd0);
        if (is_open && !is_run) assert (given == range);
        // A packet offered is the last of its range if and only if nothing of the range is left after it.
        if (packet_valid && packet_in_run) assert (packet_run_last == (given == range) && \packets.has_range );
        if (packet_valid && !packet_in_run) assert (given == range && !\packets.has_range );
        if (!packet_valid) assert (\packets.has_range  == (given != range));
    end
    (* hierconn *) wire        \packets.has_range ;
`ifdef REACH
    (* keep *) wire misses = !(packet_valid && packet_in_run && packet_run_last && !packet_truncated && range == 15'd7);
`endif
endmodule

`default_nettype wire
