// SPDX-License-Identifier: Apache-2.0
//
// A node's counters: after random events, and resets among them, each has counted every cycle, packet and byte that it
// stands for and none of another; the sums are made here from what the events mean, whenever the counters follow.
`default_nettype none
`timescale 1ns / 1ps
module icarus_node_counters;
`include "gpu_spec.vh"
    localparam ROUNDS = 400, IDLE = 4, COUNTERS = 11, WIDTH = 64;
    reg          clk, rst, packet, busy, fetch, fence, read, write, drain, s_taken, t_taken, w_taken, w_is_local;
    reg  [31:0]  s_araddr, t_araddr, seed;
    reg  [7:0]   s_arlen, t_arlen, offset;
    reg  [2:0]   s_arsize, t_arsize;
    reg  [WIDTH/8-1:0] w_strobes;
    wire [31:0]  value;
    node_counters #(.DATA_WIDTH(WIDTH)) counters (
        .clk(clk), .rst(rst), .packet(packet), .busy(busy), .stall_fetch(fetch), .stall_fence(fence),
        .stall_read(read), .stall_write(write), .stall_drain(drain), .s_araddr(s_araddr), .s_arlen(s_arlen),
        .s_arsize(s_arsize), .s_taken(s_taken), .t_araddr(t_araddr), .t_arlen(t_arlen), .t_arsize(t_arsize),
        .t_taken(t_taken), .w_strobes(w_strobes), .w_is_local(w_is_local), .w_taken(w_taken), .offset(offset),
        .value(value)
    );

    reg [31:0] sum [0:COUNTERS-1];
    reg [7:0]  place [0:COUNTERS-1];
    integer    i, round, cycle, cycles, lane, bytes, passed, failed;

    // An address at the border of what is local, or anywhere.
    function [31:0] address(input [31:0] random);
        case (random[1:0])
            2'd0:    address = LIMIT_ADDR_APERTURE - 32'd8;
            2'd1:    address = LIMIT_ADDR_APERTURE;
            default: address = {random[3:2] == 2'd0 ? 2'b10 : 2'b00, random[31:2]};
        endcase
    endfunction

    task count(input integer which, input integer amount);
        sum[which] = sum[which] + amount;
    endtask

    // One cycle of events, none if `is_idle`; those of a cycle in reset do not count.
    task step(input is_idle, input is_reset);
        begin
            {packet, busy, fetch, fence, read, write, drain} = is_idle ? 7'd0 : $random(seed);
            {s_taken, t_taken, w_taken} = is_idle ? 3'd0 : $random(seed);
            {s_arlen, t_arlen, w_strobes, w_is_local} = $random(seed);
            s_arsize = {1'b0, s_arlen[1:0] ^ t_arlen[3:2]};
            t_arsize = {1'b0, t_arlen[1:0]};
            s_araddr = address($random(seed));
            t_araddr = address($random(seed));
            rst = is_reset;
            if (is_reset) for (i = 0; i < COUNTERS; i = i + 1) sum[i] = 32'd0;
            else begin
                count(0, packet);
                count(1, busy);
                count(2, fetch);
                count(3, fence);
                count(4, read);
                count(5, write);
                count(6, drain);
                bytes = 0;
                for (lane = 0; lane < WIDTH / 8; lane = lane + 1) bytes = bytes + w_strobes[lane];
                if (s_taken) count(s_araddr < LIMIT_ADDR_APERTURE ? 7 : 8, (s_arlen + 1) * (1 << s_arsize));
                if (t_taken) count(t_araddr < LIMIT_ADDR_APERTURE ? 7 : 8, (t_arlen + 1) * (1 << t_arsize));
                if (w_taken) count(w_is_local ? 9 : 10, bytes);
            end
            #5 clk = 1'b1;
            #5 clk = 1'b0;
        end
    endtask

    initial begin
        clk = 1'b0;
        seed = 32'd7;
        passed = 0;
        failed = 0;
        place[0] = NODE_PACKETS_OFFSET;
        place[1] = NODE_BUSY_CYCLES_OFFSET;
        place[2] = NODE_STALL_FETCH_OFFSET;
        place[3] = NODE_STALL_FENCE_OFFSET;
        place[4] = NODE_STALL_READ_OFFSET;
        place[5] = NODE_STALL_WRITE_OFFSET;
        place[6] = NODE_STALL_DRAIN_OFFSET;
        place[7] = NODE_READ_LOCAL_OFFSET;
        place[8] = NODE_READ_SYSTEM_OFFSET;
        place[9] = NODE_WRITE_LOCAL_OFFSET;
        place[10] = NODE_WRITE_SYSTEM_OFFSET;
        for (round = 0; round < ROUNDS; round = round + 1) begin
            if (round % 8 == 0) step(1'b0, 1'b1);
            cycles = round % 3 == 0 ? 1 : 40;
            for (cycle = 0; cycle < cycles; cycle = cycle + 1) step(1'b0, 1'b0);
            if (round % 8 == 5) step(1'b0, 1'b1);
            for (cycle = 0; cycle < IDLE; cycle = cycle + 1) step(1'b1, 1'b0);
            for (i = 0; i < COUNTERS; i = i + 1) begin
                offset = place[i];
                #1;
                if (value === sum[i]) passed = passed + 1;
                else begin
                    if (failed < 5) $display("round %0d, counter %0d: %0d, not %0d", round, i, value, sum[i]);
                    failed = failed + 1;
                end
            end
            offset = 8'hfc;
            #1;
            if (value === 32'd0) passed = passed + 1;
            else failed = failed + 1;
        end
        $display("%0d passed, %0d failed", passed, failed);
        if (failed != 0 || passed == 0) $fatal;
    end
endmodule
`default_nettype wire
