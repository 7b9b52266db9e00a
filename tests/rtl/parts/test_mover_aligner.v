// SPDX-License-Identifier: Apache-2.0
//
// Rows of random bytes between any two lanes, with beats and room that come when they like: what goes out are the same
// bytes in the same order, with the errors of their beats, in as few beats as they fit. Patterns between beats change
// nothing, and a reset forgets what is left.
`default_nettype none
module test_mover_aligner;
`include "bench.vh"
    reg         rst = 1'b1, still = 1'b0, in_valid = 1'b0, in_prime, in_flush, pattern = 1'b0, out_ready = 1'b0;
    reg  [63:0] in_data, stood;
    reg  [2:0]  in_shift;
    reg         in_error;
    wire        in_ready, out_valid, out_error;
    wire [63:0] out_data;
    mover_aligner aligner (
        .clk(clk), .rst(rst), .still(still), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .in_shift(in_shift), .in_prime(in_prime), .in_flush(in_flush), .in_error(in_error), .pattern(pattern),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .out_error(out_error)
    );
    // A row: `bytes` of them, from lane `given` on, to lane `wanted` on. Bytes that wait for the output, the oldest
    // first: {the first of its row, byte, lane}.
    reg  [11:0] owed [0:65535];
    reg         errors_of [0:65535];
    reg  [7:0]  value;
    reg  [63:0] errors;
    integer     row, bytes, given, wanted, beats, beat, k, lane, head, tail, cycles, ideal, eager, turns, owing;
    reg         took, has_error, had_error; // after an error nothing is used, until a reset
    task compare;                       // the beat that goes out: its row's bytes, up to the beat's or the row's end
        begin
            has_error = 1'b0;
            lane = owed[head][2:0];
            check(head < tail, 1'b1, head);
            k = 0;
            while (k == 0 || (lane < 8 && head < tail && !owed[head][11])) begin
                check(out_data[8*lane +: 8], owed[head][10:3], {row[15:0], lane[15:0]});
                has_error = has_error || errors_of[head];
                head = head + 1;
                lane = lane + 1;
                k = 1;
            end
            if (!had_error || has_error) check(out_error, has_error, row);
            had_error = had_error || has_error;
        end
    endtask
    initial begin
        {in_data, in_shift, in_prime, in_flush, in_error} = 70'd0;
        {head, tail, cycles, ideal, had_error} = 129'd0;
        tick;
        rst = 1'b0;
        for (row = 0; row < 1600; row = row + 1) begin
            eager  = row[5];            // beats and room in every cycle
            bytes  = 1 + pick(pick(2) == 0 ? 9 : 50);
            given  = pick(8);
            wanted = pick(8);
            beats  = (given + bytes + 7) / 8;
            errors = pick(4) == 0 ? random(1'b0) & random(1'b0) : 64'd0;
            for (k = 0; k < bytes; k = k + 1) begin
                value = random(1'b0);
                errors_of[tail + k] = errors[(given + k) / 8];
                owed[tail + k] = {k == 0, value, 3'd0};
                owed[tail + k][2:0] = wanted + k;
            end
            in_shift = wanted - given;
            ideal    = ideal + (wanted + bytes + 7) / 8;
            owing    = head < tail;     // the last row's flush is still to come
            tail     = tail + bytes;
            {beat, turns} = 64'd0;
            while (beat < beats || (row == 1599 && head < tail)) begin
                in_valid = beat < beats && (eager || pick(3) != 0);
                in_prime = beat == 0 && wanted < given;
                in_flush = beat == beats - 1 && (given + bytes - 1) % 8 + (wanted - given + 8) % 8 >= 8;
                in_error = errors[beat];
                in_data  = {random(1'b0), random(1'b0)};
                for (k = 0; k < 8; k = k + 1)
                    if (8*beat + k >= given && 8*beat + k < given + bytes)
                        in_data[8*k +: 8] = owed[tail - bytes + 8*beat + k - given][10:3];
                out_ready = eager || pick(3) != 0;
                pattern   = !eager && pick(9) == 0;
                #1;
                if (pattern) begin
                    check({in_ready, out_valid, out_error}, 3'b010, row);
                    for (lane = 0; lane < 8; lane = lane + 1) begin
                        k = (lane - in_shift) & 7;
                        check(out_data[8*lane +: 8], in_data[8*k +: 8], row);
                    end
                end else if (out_valid && out_ready) begin
                    cycles = cycles + 1;
                    compare;
                end
                took = in_valid && in_ready;
                tick;
                if (took) beat = beat + 1;
                turns = turns + 1;
                // A flush and a prime share a cycle; any other beat waits for the flush.
                if (eager && took && beat == beats) check(turns, beats + (owing && wanted >= given), row);
            end
            if (pick(had_error ? 2 : 30) == 0) begin    // given up: with `still` what is shown does not change
                {in_valid, rst, still} = 3'b011;
                #1;
                stood = out_data;
                for (k = 0; k < 4; k = k + 1) begin
                    {in_data, in_shift} = {random(1'b0), random(1'b0), random(1'b0)};
                    in_valid = k[0];
                    #1;
                    check(out_data, stood, row);
                    tick;
                end
                in_valid = 1'b0;
                {rst, still, had_error} = 3'b000;
                if (head < tail) ideal = ideal - 1;
                head = tail;
                #1;
                check(out_valid, 1'b0, row);
            end
        end
        check(cycles, ideal, head);
        check(head, tail, head);
        finish;
    end
endmodule
`default_nettype wire
