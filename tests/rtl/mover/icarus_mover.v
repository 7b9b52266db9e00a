// SPDX-License-Identifier: Apache-2.0
//
// The mover in Icarus, an event-driven four-state simulator: nothing of what Verilator settles by itself
// (unknown start values, order of evaluation) may matter. A byte memory with random stalls; a sweep of length x
// source offset x target offset x operation around a 4 KiB boundary; memory compared byte for byte with a
// copy made by this file, guard bytes included; mirrored, turned, enlarged and clipped blits by a map; an
// error at every beat read and every burst written of three copies.
// Ends with the sum; a failure stops with $fatal.
`timescale 1ns / 1ps
`default_nettype none

module icarus_mover;
`include "gpu_spec.vh"
    localparam BYTES = 32768;

    reg clk = 1'b0;
    reg rst = 1'b1;
    always #5 clk = !clk;

    // ------------------------------------------------------------------ device
    reg         cmd_valid = 1'b0;
    reg  [3:0]  cmd_op = 4'd0;
    reg  [31:0] cmd_source = 0, cmd_target = 0, cmd_row_bytes = 0, cmd_pattern = 0;
    reg  [15:0] cmd_rows = 1, cmd_source_pitch = 0, cmd_target_pitch = 0;
    reg         cmd_reverse = 1'b0, quit = 1'b0, cmd_mapped = 1'b0, map_push = 1'b0;
    reg [2:0]   cmd_sampling = 3'd0;
    reg  [15:0] cmd_units = 0;
    reg  [2:0]  cmd_format = 0;
    reg  [7:0]  cmd_mask = 0;
    reg  [31:0] map_word = 0;
    wire        cmd_ready, idle, done_valid, stall_read, stall_write, stall_drain;
    wire [7:0]  done_tag, done_fault;
    wire [31:0] done_address;
    wire [31:0] s_araddr, t_araddr, w_awaddr;
    wire [7:0]  s_arlen, t_arlen, w_awlen, w_wstrb;
    wire [2:0]  s_arsize, t_arsize, w_awsize;
    wire [1:0]  s_arburst, t_arburst, w_awburst;
    wire        s_aruser, t_aruser, w_awuser, s_arvalid, t_arvalid, w_awvalid, s_rready, t_rready;
    wire [63:0] w_wdata;
    wire        w_wlast, w_wvalid, w_bready;
    reg         s_arready = 0, w_awready = 0, w_wready = 0, s_rvalid = 0, s_rlast = 0, w_bvalid = 0;
    reg  [63:0] s_rdata = 0;
    reg  [1:0]  s_rresp = 0, w_bresp = 0;

    mover dut (
        .clk(clk), .rst(rst), .abort(quit), .idle(idle),
        .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_op(cmd_op), .cmd_source(cmd_source),
        .cmd_target(cmd_target), .cmd_row_bytes(cmd_row_bytes), .cmd_rows(cmd_rows),
        .cmd_source_pitch(cmd_source_pitch), .cmd_target_pitch(cmd_target_pitch), .cmd_reverse(cmd_reverse),
        .cmd_barrier(1'b0), .cmd_pattern(cmd_pattern), .cmd_units(cmd_units), .cmd_mode(3'd0),
        .cmd_source_format(cmd_mask[1:0] != 2'd0 ? FORMAT_A8[2:0] : cmd_format), .cmd_mask(cmd_mask),
        .cmd_target_format(cmd_format), .cmd_premultiplied(1'b0), .cmd_keyed(1'b0),
        .cmd_coloured(1'b0), .cmd_rop(8'd0), .cmd_key(24'd0), .cmd_tag(8'h5a), .cmd_user(1'b0),
        .cmd_mapped(cmd_mapped), .cmd_sampling(cmd_sampling), .map_push(map_push), .map_word(map_word),
        .load_start(1'b0), .load_source(24'd0),
        .done_valid(done_valid), .done_tag(done_tag), .done_fault(done_fault), .done_address(done_address),
        .stall_read(stall_read), .stall_write(stall_write), .stall_drain(stall_drain),
        .s_araddr(s_araddr), .s_arlen(s_arlen), .s_arsize(s_arsize), .s_arburst(s_arburst), .s_aruser(s_aruser),
        .s_arvalid(s_arvalid), .s_arready(s_arready), .s_rdata(s_rdata), .s_rresp(s_rresp), .s_rlast(s_rlast),
        .s_rvalid(s_rvalid), .s_rready(s_rready),
        .t_araddr(t_araddr), .t_arlen(t_arlen), .t_arsize(t_arsize), .t_arburst(t_arburst), .t_aruser(t_aruser),
        .t_arvalid(t_arvalid), .t_arready(1'b0), .t_rdata(64'd0), .t_rresp(2'd0), .t_rlast(1'b0),
        .t_rvalid(1'b0), .t_rready(t_rready),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awsize(w_awsize), .w_awburst(w_awburst), .w_awuser(w_awuser),
        .w_awvalid(w_awvalid), .w_awready(w_awready), .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wlast(w_wlast),
        .w_wvalid(w_wvalid), .w_wready(w_wready), .w_bresp(w_bresp), .w_bvalid(w_bvalid), .w_bready(w_bready)
    );

    // ------------------------------------------------------------------ memory
    reg [7:0]   memory [0:BYTES-1];
    reg [7:0]   expected [0:BYTES-1];
    reg [39:0]  reads [0:63];
    integer     read_head = 0, read_tail = 0, read_beat = 0;
    reg [39:0]  writes [0:63];
    integer     write_head = 0, write_tail = 0, write_beat = 0, answers = 0;
    integer     seed = 1, lane, at;
    integer     passed = 0, failed = 0;
    // An error instead of the answer to this beat read, to this burst written; where it hit.
    integer     error_read = -1, error_write = -1, beats_read = 0, bursts_answered = 0, answer_head = 0;
    reg         hit = 1'b0;
    reg  [31:0] hit_address = 0;

    // Inputs change after the clock edge, outputs are looked at before the next.
    always @(posedge clk) begin : world
        if (s_arvalid && s_arready) begin
            reads[read_tail % 64] = {s_arlen, s_araddr};
            read_tail = read_tail + 1;
            if (s_araddr[31:12] != ((s_araddr + {21'd0, s_arlen, 3'd0}) >> 12)) failed = failed + 1;
        end
        if (w_awvalid && w_awready) begin
            writes[write_tail % 64] = {w_awlen, w_awaddr};
            write_tail = write_tail + 1;
            if (w_awaddr[31:12] != ((w_awaddr + {21'd0, w_awlen, 3'd0}) >> 12)) failed = failed + 1;
        end
        if (w_wvalid && w_wready) begin
            at = (writes[write_head % 64][31:0] & 32'hfffffff8) + 8 * write_beat;
            for (lane = 0; lane < 8; lane = lane + 1)
                if (w_wstrb[lane] !== 1'b0) memory[at + lane] = w_wdata[8*lane +: 8];
            if (w_wlast !== (write_beat == writes[write_head % 64][39:32])) failed = failed + 1;
            write_beat = write_beat + 1;
            if (w_wlast) begin
                write_beat = 0;
                write_head = write_head + 1;
                answers = answers + 1;
            end
        end
        if (w_bvalid && w_bready) begin
            if (w_bresp != 2'd0) begin
                hit = 1'b1;
                hit_address = writes[answer_head % 64][31:0];
            end
            answers = answers - 1;
            answer_head = answer_head + 1;
            bursts_answered = bursts_answered + 1;
        end
        w_bresp   <= #1 bursts_answered == error_write ? 2'd2 : 2'd0;
        s_arready <= #1 $urandom(seed) % 4 != 0 && read_tail - read_head < 60;
        w_awready <= #1 $urandom(seed) % 4 != 0;
        // This memory takes data only for an address it knows.
        w_wready  <= #1 $urandom(seed) % 4 != 0 && write_head != write_tail;
        w_bvalid  <= #1 answers > 0 && (w_bvalid && !w_bready || $urandom(seed) % 2 != 0);
        s_rvalid  <= #1 1'b0;
        s_rdata   <= #1 64'hx;
        if (read_head != read_tail && $urandom(seed) % 4 != 0) begin
            at = (reads[read_head % 64][31:0] & 32'hfffffff8) + 8 * read_beat;
            s_rvalid <= #1 1'b1;
            for (lane = 0; lane < 8; lane = lane + 1) s_rdata[8*lane +: 8] <= #1 memory[at + lane];
            s_rlast  <= #1 read_beat == reads[read_head % 64][39:32];
            s_rresp  <= #1 beats_read == error_read ? 2'd2 : 2'd0;
            if (beats_read == error_read) begin
                hit = 1'b1;
                hit_address = reads[read_head % 64][31:0];
            end
            beats_read = beats_read + 1;
            read_beat = read_beat + 1;
            if (read_beat > reads[read_head % 64][39:32]) begin
                read_beat = 0;
                read_head = read_head + 1;
            end
        end
    end

    // ------------------------------------------------------------------ test
    integer i, row, wrong, cycles;
    reg     is_error = 1'b0, is_mapped = 1'b0; // mapped: `expected` is made already

    task run(input [3:0] op, input [31:0] source, input [31:0] target, input [31:0] bytes, input [15:0] rows,
             input [15:0] source_pitch, input [15:0] target_pitch, input reverse);
        begin
            cmd_op <= #1 op;
            cmd_source <= #1 source;
            cmd_target <= #1 target;
            cmd_row_bytes <= #1 bytes;
            cmd_rows <= #1 rows;
            cmd_source_pitch <= #1 source_pitch;
            cmd_target_pitch <= #1 target_pitch;
            cmd_reverse <= #1 reverse;
            cmd_pattern <= #1 32'h11223344 + source;
            cmd_valid <= #1 1'b1;
            cycles = 0;
            @(negedge clk);
            while (cmd_ready !== 1'b1) @(negedge clk);
            @(posedge clk) cmd_valid <= #1 1'b0;
            @(negedge clk);
            while (idle !== 1'b1 && cycles < 20000) begin
                cycles = cycles + 1;
                @(negedge clk);
            end
            // The reference: the same thing, byte by byte.
            for (row = 0; row < rows; row = row + 1)
                for (i = 0; i < bytes && !is_mapped; i = i + 1) begin : byte_wise
                    integer r, b, pattern;
                    r = reverse ? rows - 1 - row : row;
                    b = reverse ? bytes - 1 - i : i;
                    pattern = 32'h11223344 + source;
                    expected[target + r * target_pitch + b] = op == 4'd1 ? pattern >> 8 * (b % 4)
                                                            : expected[source + r * source_pitch + b];
                end
            wrong = cycles >= 20000;
            if (!is_error) begin
                for (i = 0; i < BYTES; i = i + 1)
                    if (memory[i] !== expected[i]) wrong = wrong + 1;
                if (wrong == 0) passed = passed + 1;
                else begin
                    failed = failed + 1;
                    $display("FAILED op %0d source %h target %h bytes %0d rows %0d reverse %b: %0d bytes wrong",
                             op, source, target, bytes, rows, reverse, wrong);
                end
            end
            @(posedge clk);
        end
    endtask

    // A copy with one error: it completes, the report names kind and burst, bytes are old or new; all is as new after
    // abort. `was_hit`: there was such a beat or burst.
    reg         seen, was_hit;
    reg  [7:0]  seen_fault;
    reg  [31:0] seen_address;
    reg  [7:0]  old [0:BYTES-1];
    always @(posedge clk) if (done_valid === 1'b1) begin
        seen = 1'b1;
        seen_fault = done_fault;
        seen_address = done_address;
    end
    task run_error(input integer at_read, input integer at_write, input [15:0] rows, input reverse);
        begin
            for (i = 0; i < BYTES; i = i + 1) old[i] = memory[i];
            {beats_read, bursts_answered, seen, hit} = 0;
            error_read = at_read;
            error_write = at_write;
            is_error = 1'b1;
            run(4'd0, 32'h0fe3, 32'h2ff6, 45, rows, 300, 260, reverse);
            is_error = 1'b0;
            error_read = -1;
            error_write = -1;
            was_hit = hit;
            if (seen !== 1'b1) wrong = 1;
            if (hit ? seen_fault !== (at_read >= 0 ? FAULT_READ_BUS[7:0] : FAULT_WRITE_BUS[7:0])
                      || seen_address !== hit_address : seen_fault !== FAULT_NONE[7:0]) wrong = 1;
            for (i = 0; i < BYTES; i = i + 1) begin
                if (memory[i] !== expected[i] && (!hit || memory[i] !== old[i])) wrong = wrong + 1;
                expected[i] = memory[i];
            end
            if (wrong == 0) passed = passed + 1;
            else begin
                failed = failed + 1;
                $display("FAILED error at read %0d, write %0d: fault %0d at %h", at_read, at_write,
                         seen_fault, seen_address);
            end
            quit <= #1 1'b1;
            repeat (4) @(posedge clk);
            quit <= #1 1'b0;
            repeat (2) @(posedge clk);
        end
    endtask

    function integer unit_in(input integer place, input integer count, input repeated);
        unit_in = repeated ? ((place % count) + count) % count : place < 0 ? 0 : place >= count ? count - 1 : place;
    endfunction

    // A mapped COPY of 12 x 5 units from a rectangle of 10 x 7; the format's units have `unit` bytes.
    task run_mapped(input [2:0] format, input integer unit, input [31:0] source, input [31:0] target,
                    input integer u, input integer v, input integer u_x, input integer v_x, input integer u_y,
                    input integer v_y, input [2:0] sampling);
        integer word, x, y, at_u, at_v, column, line, column_1, line_1, left, right, part_u, part_v, at, pitch;
        begin
            pitch = sampling[2] ? 56 : 53; // filtered units lie at multiples of their size
            for (word = 12; word >= 6; word = word - 1) begin
                map_push <= #1 1'b1;
                map_word <= #1 word == 12 ? v_y : word == 11 ? u_y : word == 10 ? v_x : word == 9 ? u_x
                             : word == 8 ? v : word == 7 ? u : {16'd7, 16'd10};
                @(posedge clk);
            end
            map_push        <= #1 1'b0;
            cmd_mapped      <= #1 1'b1;
            cmd_sampling    <= #1 sampling;
            cmd_units       <= #1 16'd12;
            cmd_format      <= #1 format;
            for (y = 0; y < 5; y = y + 1)
                for (x = 0; x < 12; x = x + 1) begin
                    at_u = (u + x * u_x + y * u_y) >>> 16;
                    at_v = (v + x * v_x + y * v_y) >>> 16;
                    column   = unit_in(at_u, 10, sampling[1]);
                    column_1 = unit_in(at_u + 1, 10, sampling[1]);
                    line     = unit_in(at_v, 7, sampling[1]);
                    line_1   = unit_in(at_v + 1, 7, sampling[1]);
                    part_u   = ((u + x * u_x + y * u_y) >>> 9) & 127;
                    part_v   = ((v + x * v_x + y * v_y) >>> 9) & 127;
                    for (i = 0; i < unit; i = i + 1) begin
                        at    = source + i;
                        left  = expected[at + line * pitch + column * unit] * (128 - part_v)
                              + expected[at + line_1 * pitch + column * unit] * part_v;
                        right = expected[at + line * pitch + column_1 * unit] * (128 - part_v)
                              + expected[at + line_1 * pitch + column_1 * unit] * part_v;
                        if (sampling[2])
                            expected[target + y * 61 + x * unit + i] = (left * (128 - part_u) + right * part_u) / 16384;
                        else if (!sampling[0] || (column == at_u && line == at_v))
                            expected[target + y * 61 + x * unit + i] = expected[at + line * pitch + column * unit];
                    end
                end
            is_mapped = 1'b1;
            run(4'd2, source, target, 12 * unit, 5, pitch, 61, 1'b0);
            is_mapped = 1'b0;
            cmd_mapped <= #1 1'b0;
            cmd_format <= #1 3'd0;
        end
    endtask

    // COPY to ARGB8888 of 4 rows from units of 4, 2, 1 bits (depth 1, 2, 3), the first `first` bits into its byte, rows
    // `apart` bits apart.
    task run_mask(input integer depth, input integer first, input [31:0] source, input [31:0] target,
                  input integer units, input integer apart);
        integer x, y, at, bits, value;
        begin
            bits       = 8 >> depth;
            cmd_mask   <= #1 {apart[2:0], first[2:0], depth[1:0]};
            cmd_format <= #1 FORMAT_ARGB8888[2:0];
            cmd_units  <= #1 units;
            for (y = 0; y < 4; y = y + 1)
                for (x = 0; x < units; x = x + 1) begin
                    at    = first + y * apart + x * bits;
                    value = (expected[source + at / 8] >> (8 - bits - at % 8)) & ((1 << bits) - 1);
                    value = value * 255 / ((1 << bits) - 1);
                    {expected[target + y * 300 + 4 * x + 3], expected[target + y * 300 + 4 * x + 2],
                     expected[target + y * 300 + 4 * x + 1], expected[target + y * 300 + 4 * x]}
                        = {value[7:0], 24'hffffff};
                end
            is_mapped = 1'b1; // its bytes are expected already
            run(4'd2, source, target, 4 * units, 4, apart / 8, 300, 1'b0);
            is_mapped = 1'b0;
            cmd_mask   <= #1 8'd0;
            cmd_format <= #1 3'd0;
        end
    endtask

    integer length, source_lane, target_lane, turn;
    initial begin
        for (i = 0; i < BYTES; i = i + 1) begin
            memory[i] = $urandom(seed);
            expected[i] = memory[i];
        end
        repeat (4) @(posedge clk);
        rst <= #1 1'b0;
        @(posedge clk);
        for (length = 1; length < 40; length = length * 2 + 1)
            for (source_lane = 0; source_lane < 8; source_lane = source_lane + 1)
                for (target_lane = 0; target_lane < 8; target_lane = target_lane + 1)
                    run(4'd0, 32'h1000 - length / 2 + source_lane, 32'h3000 - 8 + target_lane, length, 1, 0, 0,
                        target_lane[0]);
        for (target_lane = 0; target_lane < 8; target_lane = target_lane + 1) begin
            run(4'd1, target_lane, 32'h2ff0 + target_lane, 37 + target_lane, 3, 0, 53, 1'b0);
            run(4'd0, 32'h1003, 32'h1003 + 3 * target_lane + 1, 600, 2, 700, 700, 1'b1);
            run(4'd0, 32'h1003 + 3 * target_lane + 1, 32'h1003, 600, 2, 700, 700, 1'b0);
        end
        for (target_lane = 0; target_lane < 8; target_lane = target_lane + 1)
            for (turn = 0; turn < 8; turn = turn + 1) begin
                run_mapped(FORMAT_ARGB8888[2:0], 4, 32'h0ff8 + target_lane, 32'h2ff6 - turn,
                           turn * 32'h8000 - 32'h10000, 32'h28000 - turn * 32'h6000, turn[0] ? 32'h10000 : -32'h8000,
                           turn[1] ? 32'h5000 : 0, turn[2] ? 32'h18000 : -32'h3000, 32'h10000,
                           {1'b0, turn[0] & ~turn[2], turn[2]});
                run_mapped(FORMAT_RGB888[2:0], 3, 32'h0ff8 + turn, 32'h2ff6 - target_lane,
                           -32'h4000, 32'h60000, turn[0] ? 32'h30000 : 32'h4000, turn[1] ? -32'h10000 : 0,
                           0, turn[2] ? -32'h10000 : 32'h8000, {1'b0, turn[1] & ~turn[0], turn[0]});
                run_mapped(FORMAT_ARGB8888[2:0], 4, 32'h0ff8 + 4 * target_lane, 32'h2ff6 - turn,
                           turn * 32'h7abc - 32'h18000, 32'h38000 - turn * 32'h6123,
                           turn[0] ? 32'h10000 : -32'h8321, turn[1] ? 32'h5000 : 0,
                           turn[2] ? 32'h18000 : -32'h3000, 32'h10400, {1'b1, target_lane[0], 1'b0});
            end
        for (turn = 1; turn <= 3; turn = turn + 1)
            for (source_lane = 0; source_lane < 8; source_lane = source_lane + (8 >> turn))
                for (length = 1; length < 70; length = length + 17)
                    run_mask(turn, source_lane, 32'h0ff9 + source_lane, 32'h2ff3 + length, length,
                             source_lane == 0 ? length * (8 >> turn) : 48 + 13 * (8 >> turn));
        // An error at every beat read and every burst written, until none is left.
        for (target_lane = 0; target_lane < 3; target_lane = target_lane + 1) begin
            was_hit = 1'b1;
            for (length = 0; was_hit; length = length + 1)
                run_error(length, -1, target_lane == 0 ? 1 : 3, target_lane == 2);
            was_hit = 1'b1;
            for (length = 0; was_hit; length = length + 1)
                run_error(-1, length, target_lane == 0 ? 1 : 3, target_lane == 2);
        end
        run(4'd0, 32'h0fe3, 32'h2ff6, 45, 3, 300, 260, 1'b0);
        $display("%0d passed, %0d failed", passed, failed);
        if (failed != 0) $fatal;
        $finish;
    end
endmodule

`default_nettype wire
