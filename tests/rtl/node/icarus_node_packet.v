// SPDX-License-Identifier: Apache-2.0
//
// The assembly of packets alone (node_packet.v). Goal: each packet is offered once, with all of its words, its offset
// and its end, and stays until it is taken; a restart drops everything. Method: random packets of every length, cut and
// whole, word by word with pauses on both sides, beside a plain list of them; with and without long packets.
`default_nettype none
`timescale 1ns / 1ps
module packet_rig #(
    parameter AFFINE = 0,
    parameter SEED   = 1
) (
    output reg     ended,
    output integer passed,
    output integer failed
);
`include "gpu_spec.vh"
`include "gpu_packets.vh"
    localparam CYCLES = 30000;
    reg          clk, rst, restart, word_valid, word_in_run, word_run_last, packet_ready;
    reg  [31:0]  word, seed;
    reg  [15:0]  word_offset;
    reg  [2:0]   rest_index;
    wire         word_ready, packet_valid, packet_in_run, packet_run_last, packet_truncated;
    wire [191:0] packet;
    wire [3:0]   packet_words;
    wire [15:0]  packet_offset;
    wire [31:0]  rest_word;
    node_packet #(.NODE(AFFINE != 0 ? 0 : 1), .COMMAND_WIDTH(16)) dut (
        .clk(clk), .rst(rst), .restart(restart), .word_valid(word_valid), .word_ready(word_ready), .word(word),
        .word_offset(word_offset), .word_in_run(word_in_run), .word_run_last(word_run_last),
        .packet_valid(packet_valid), .packet_ready(packet_ready), .packet(packet), .packet_words(packet_words),
        .packet_offset(packet_offset), .packet_in_run(packet_in_run), .packet_run_last(packet_run_last),
        .packet_truncated(packet_truncated), .rest_index(rest_index), .rest_word(rest_word)
    );

    // What is collected, and the packets that have not been taken: at most the one offered and one more.
    reg  [31:0]  words [0:63];          // of packet i at 16 * i
    reg  [3:0]   lengths [0:3], counts [0:3];
    reg  [15:0]  offsets [0:3];
    reg          runs [0:3], lasts [0:3];
    integer      head, tail, count, cycle, i, kept, taken, dropped, cut, long;
    reg  [3:0]   length;
    reg          is_waiting;

    task expect_(input is_right, input [8*24-1:0] what);
        begin
            if (is_right === 1'b1) passed = passed + 1;
            else begin
                if (failed < 5) $display("cycle %0d, AFFINE %0d: %0s", cycle, AFFINE, what);
                failed = failed + 1;
            end
        end
    endtask

    // One of every length, or any.
    function [7:0] opcode(input [31:0] random);
        case (random[10:8])
            3'd0:    opcode = PKT_NOP;
            3'd1:    opcode = PKT_FENCE;
            3'd2:    opcode = PKT_BIND;
            3'd3:    opcode = PKT_COPY_2D;
            3'd4:    opcode = PKT_BLIT;
            3'd5:    opcode = PKT_BLIT_AFFINE;
            3'd6:    opcode = PKT_RUN;
            default: opcode = random[7:0];
        endcase
    endfunction

    // A word stays as it is until it is taken.
    task next_word;
        begin
            word = $random(seed);
            if (count == 0) begin
                word[7:0] = cycle < 20 ? PKT_COPY : opcode($random(seed)); // at first nothing is unknown
                word_in_run = $random(seed);
            end
            word_offset = $random(seed);
            word_run_last = word_in_run && ($random(seed) & 15) == 0;
        end
    endtask

    task check_offered;
        begin
            expect_(packet_words == lengths[head], "words");
            expect_(packet_offset == offsets[head], "offset");
            expect_(packet_in_run == runs[head] && packet_run_last == lasts[head], "run");
            expect_(packet_truncated == (counts[head] != lengths[head]), "cut off");
            for (i = 0; i < counts[head]; i = i + 1) begin
                rest_index = i - 6;
                #1;
                expect_((i < 6 ? packet[32 * i +: 32] : rest_word) == words[16 * head + i], "word");
            end
        end
    endtask

    task collect;
        begin
            words[16 * tail + count] = word;
            if (count == 0) begin
                offsets[tail] = word_offset;
                length = packet_length(word[7:0]);
                if (AFFINE == 0) length[3] = 1'b0;
                lengths[tail] = length;
            end
            count = count + 1;
            if (count == length || word_run_last) begin
                counts[tail] = count;
                runs[tail]   = word_in_run;
                lasts[tail]  = word_run_last;
                cut          = cut + (count != length);
                long         = long + (count > 6);
                tail         = (tail + 1) & 3;
                kept         = kept + 1;
                count        = 0;
            end
        end
    endtask

    initial begin
        {ended, clk, restart, word_valid, packet_ready, word_in_run, word_run_last, rest_index, is_waiting} = 0;
        {passed, failed, head, tail, count, kept, taken, dropped, cut, long} = 0;
        seed = SEED;
        rst = 1'b1;
        word = 32'd0;
        cycle = 0;
        #1 clk = 1'b1; #1 clk = 1'b0;
        rst = 1'b0;
        next_word;
        for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
            restart      = ($random(seed) & 255) == 0;
            word_valid   = !restart && (is_waiting || ($random(seed) & 3) != 0);
            packet_ready = !restart && ($random(seed) & 1) != 0;
            #1;
            expect_(packet_valid == (kept != 0), "offered");
            if (packet_valid && kept != 0) check_offered;
            is_waiting = word_valid && !word_ready;
            if (packet_valid && packet_ready && kept != 0) begin
                head  = (head + 1) & 3;
                kept  = kept - 1;
                taken = taken + 1;
            end
            if (word_valid && word_ready) begin
                collect;
                #1 clk = 1'b1; #1 clk = 1'b0;
                next_word;
            end else begin
                #1 clk = 1'b1; #1 clk = 1'b0;
            end
            if (restart) begin
                dropped = dropped + kept;
                head = tail;
                kept = 0;
                count = 0;
                is_waiting = 0;
                next_word;
            end
        end
        expect_(taken > 3000 && dropped > 20 && cut > 100, "enough of each");
        expect_(AFFINE == 0 || long > 250, "long packets");
        ended = 1'b1;
    end
endmodule

module icarus_node_packet;
    wire short_ended, long_ended;
    wire integer short_passed, short_failed, long_passed, long_failed;
    packet_rig #(.AFFINE(0), .SEED(3)) short (.ended(short_ended), .passed(short_passed), .failed(short_failed));
    packet_rig #(.AFFINE(1), .SEED(5)) long (.ended(long_ended), .passed(long_passed), .failed(long_failed));
    always @(posedge (short_ended && long_ended)) begin
        #1;
        $display("%0d passed, %0d failed", 32'd0 + (short_failed == 0) + (long_failed == 0),
                 32'd0 + (short_failed != 0) + (long_failed != 0));
        if (short_failed + long_failed != 0) $fatal(1);
        $finish;
    end
endmodule
`default_nettype wire
