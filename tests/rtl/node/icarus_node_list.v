// SPDX-License-Identifier: Apache-2.0
//
// The walk of a page list alone (node_list.v). Goal: every page below the host's bound is used once, in order, with its
// address; the first entry that is none, or cannot be read, ends the walk and is named, unless a copy before it has
// failed. Method: random lists around the bound, in a memory and before a mover that take their time.
`default_nettype none
`timescale 1ns / 1ps
module icarus_node_list;
`include "gpu_spec.vh"
    localparam WALKS = 1500, ENTRIES = 40;
    reg         clk, rst, start, is_copy, to_system, forget;
    reg  [31:0] place, extent, first, seed;
    reg  [19:0] bound;
    wire        done, has_failed, idle, arvalid, cmd_valid, map_valid;
    wire [7:0]  failed_code, arlen;
    wire [31:0] failed_address, araddr, cmd_source, cmd_target;
    wire [12:0] cmd_bytes;
    wire [15:0] map_first;
    wire [19:0] map_frame;
    reg         arready, rvalid, rlast, cmd_ready, map_ready, moved_valid;
    reg  [63:0] rdata;
    reg  [1:0]  rresp;
    reg  [7:0]  moved_fault;
    reg  [31:0] moved_address;
    node_list #(.DATA_WIDTH(64)) list (
        .clk(clk), .rst(rst), .start(start), .is_copy(is_copy), .to_system(to_system), .place(place), .extent(extent),
        .first(first), .bound(bound), .done(done), .has_failed(has_failed), .failed_code(failed_code),
        .failed_address(failed_address), .forget(forget), .idle(idle), .araddr(araddr), .arlen(arlen),
        .arvalid(arvalid), .arready(arready), .rdata(rdata), .rresp(rresp), .rlast(rlast), .rvalid(rvalid),
        .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_source(cmd_source), .cmd_target(cmd_target),
        .cmd_bytes(cmd_bytes), .moved_valid(moved_valid), .moved_fault(moved_fault), .moved_address(moved_address),
        .map_valid(map_valid), .map_ready(map_ready), .map_first(map_first), .map_frame(map_frame)
    );

    // The list, from the first word of its first block; which of its beats fail; from which copy on they fail.
    reg  [31:0] words [0:ENTRIES+7];
    reg  [31:0] bad_beats;
    integer     skew, pages, bad_copy, used, moved, waits, beats, at, ended, walk, cycle, passed, failed, end_at, i;
    reg         is_unread, has_rest, wants_failure;
    reg  [31:0] word, wanted_address, local_page, system_page;
    reg  [7:0]  wanted_code;
    integer     speed; // of the mover: cycles of 64 in which it answers

    task wrong(input [8*40-1:0] what);
        begin
            if (failed < 5) $display("walk %0d: %0s", walk, what);
            failed = failed + 1;
        end
    endtask
    task expect_(input is_right, input [8*40-1:0] what);
        if (is_right === 1'b1) passed = passed + 1;
        else wrong(what);
    endtask

    // An entry around the bound, around 2 GiB, or any page.
    function [31:0] entry(input [31:0] random);
        case (random[7:0])
            8'd0:        entry = {12'd0, bound};
            8'd1:        entry = {12'd0, bound} + 32'd1;
            8'd2:        entry = 32'h00080000;
            8'd3:        entry = 32'h80000000;
            8'd4:        entry = 32'h00100000 | random[9:8];
            8'd5, 8'd6, 8'd7, 8'd8, 8'd9, 8'd10: entry = {12'd0, bound} - 32'd1;
            default:     entry = random[31:8] % bound;
        endcase
    endfunction

    task make_up;
        begin
            is_copy = $random(seed);
            to_system = $random(seed);
            bound = walk % 4 == 0 ? 20'h80000 : walk % 4 == 1 ? 20'd1 : 20'd2 + ($random(seed) & 20'h3ffff);
            skew = $random(seed) & 3;
            first = 32'h80001000 + ($random(seed) & 32'h7f0) + 4 * skew;
            pages = 1 + ($random(seed) & 63) % (walk % 8 == 0 ? ENTRIES - 4 : 12);
            has_rest = is_copy && $random(seed);
            extent = is_copy ? pages * 4096 - (has_rest ? 1 + ($random(seed) & 32'hffe) : 0) : pages;
            place = is_copy ? 32'h10000000 + ($random(seed) & 32'h00fffff8) : $random(seed) & 32'h7fff;
            for (i = 0; i < ENTRIES + 8; i = i + 1) words[i] = entry($random(seed));
            bad_beats = walk % 5 == 0 ? 32'd1 << ($random(seed) & 7) : 32'd0;
            bad_copy = walk % 3 == 0 ? $random(seed) & 7 : -1;
            speed = 1 << ($random(seed) & 3) * 2;
            end_at = pages;
            for (i = pages - 1; i >= 0; i = i - 1) begin
                is_unread = bad_beats[(i + skew) / 2];
                word = words[i + skew];
                if (is_unread || word >= bound || word >= 32'h80000) begin
                    end_at = i;
                    wanted_code = is_unread ? FAULT_READ_BUS : FAULT_BAD_PAGE;
                    wanted_address = is_unread ? first + 4 * i : i;
                end
            end
            wants_failure = end_at != pages;
            if (is_copy && bad_copy >= 0 && bad_copy < end_at) begin
                wants_failure = 1'b1;
                wanted_code = FAULT_WRITE_BUS;
                wanted_address = 32'hc0de0000 + bad_copy;
            end else bad_copy = -1;
        end
    endtask

    // What the walk asks for in this cycle is what entry `used` says.
    task judge_use;
        begin
            word = words[used + skew];
            expect_(used < end_at, "a page too many");
            if (is_copy) begin
                local_page = place + 4096 * used;
                system_page = 32'h80000000 + 4096 * word;
                expect_(cmd_source === (to_system ? local_page : system_page), "another source");
                expect_(cmd_target === (to_system ? system_page : local_page), "another target");
                expect_(cmd_bytes === (used == pages - 1 && has_rest ? extent[11:0] : 13'd4096), "another length");
            end else begin
                expect_(map_first === place[15:0] + used, "another page of the aperture");
                expect_(map_frame === word[19:0], "another frame");
            end
        end
    endtask

    task step;
        begin
            arready = $random(seed);
            cmd_ready = $random(seed);
            map_ready = $random(seed);
            rvalid = beats != 0 && ($random(seed) & 1);
            rlast = beats == 1;
            at = (araddr - {first[31:4], 4'd0}) / 4 + (2 - beats) * 2;
            rdata = {words[at + 1], words[at]};
            rresp = bad_beats[at / 2] ? 2'd2 : 2'd0;
            moved_valid = is_copy && moved < used && ($random(seed) & 63) < speed;
            moved_fault = bad_copy >= 0 && moved >= bad_copy ? FAULT_WRITE_BUS : FAULT_NONE;
            moved_address = 32'hc0de0000 + moved;
            #1;
            if (arvalid && arready) begin
                expect_(arlen === 8'd1 && araddr[3:0] === 4'd0 && beats == 0, "no block of four");
                expect_(araddr >= {first[31:4], 4'd0} && araddr < first + 4 * pages, "a block of no entry");
            end
            if (cmd_valid) expect_(is_copy, "a copy of a map");
            if (map_valid) expect_(!is_copy, "a map of a copy");
            waits = arvalid && arready ? 2 : rvalid ? beats - 1 : beats;
            if ((cmd_valid && cmd_ready) || (map_valid && map_ready)) begin
                judge_use;
                used = used + 1;
                expect_(used - moved <= 15 || !is_copy, "too many at once");
            end
            if (moved_valid) moved = moved + 1;
            if (done) ended = ended + 1;
            if (done && ended == 1) begin
                expect_(has_failed === wants_failure, "failure or none");
                if (wants_failure) begin
                    expect_(failed_code === wanted_code, "another fault");
                    expect_(failed_address === wanted_address, "the fault of another entry");
                end
                expect_(!is_copy || moved == used, "over before its copies");
            end
            #4 clk = 1'b1;
            #5 clk = 1'b0;
            beats = waits;
            start = 1'b0;
        end
    endtask

    initial begin
        {clk, rst, start, forget, arready, rvalid, cmd_ready, map_ready, moved_valid} = 9'd2;
        seed = 32'd11;
        {passed, failed, beats, used, moved, ended, walk, pages, skew} = {9{32'd0}};
        rst = 1'b1;
        make_up;
        step;
        rst = 1'b0;
        for (walk = 0; walk < WALKS; walk = walk + 1) begin
            make_up;
            {used, moved, ended} = 96'd0;
            start = 1'b1;
            for (cycle = 0; cycle < 4000 && ended == 0; cycle = cycle + 1) begin
                if (walk % 11 == 10 && cycle == 9) forget = 1'b1; // given up: idle without an outcome
                if (forget && idle) cycle = 4000;
                else step;
            end
            if (forget) expect_(idle && ended == 0, "forgotten, and not idle");
            else begin
                expect_(ended == 1, "it does not end");
                if (bad_copy < 0) expect_(used == end_at, "not every page");
                else expect_(used > bad_copy, "not the copy that fails");
            end
            {forget, used, moved} = 65'd0;
            step;
            expect_(idle, "not idle after the end");
        end
        $display("%0d passed, %0d failed", passed, failed);
        if (failed != 0) $fatal;
        $finish;
    end
endmodule

`default_nettype wire
