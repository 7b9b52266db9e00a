// SPDX-License-Identifier: Apache-2.0
//
// Surfaces bound at random and rectangles on them, of every format, inside, at the border and far outside, against
// arithmetic in bits: where each begins, and whether its last bit is still the surface's.
`default_nettype none
module test_node_surface;
`include "bench.vh"
`include "gpu_spec.vh"
    reg         rst = 1'b1, unbind_all = 1'b0, set_valid = 1'b0, start = 1'b0;
    reg  [5:0]  slot, ask;
    reg  [31:0] set_address, set_bytes;
    reg  [15:0] set_pitch, x, y, width, height;
    reg  [4:0]  set_format;
    wire [1:0]  is_bound1, is_bound2, done, is_outside;
    wire [31:0] address [0:1];
    wire [15:0] pitch [0:1];
    wire [4:0]  format [0:1];
    wire [2:0]  first_bit [0:1], pitch_bits [0:1];
    wire [17:0] row_bytes [0:1];
    genvar node;
    generate for (node = 0; node < 2; node = node + 1) begin : nodes
        node_surface #(.NODE(node)) surface (
            .clk(clk), .rst(rst), .unbind_all(unbind_all), .set_valid(set_valid), .set_slot(slot),
            .set_address(set_address), .set_pitch(set_pitch), .set_format(set_format), .set_bytes(set_bytes),
            .ask_slot1(ask), .ask_slot2(~ask), .is_bound1(is_bound1[node]), .is_bound2(is_bound2[node]),
            .start(start), .slot(slot), .x(x), .y(y), .width(width), .height(height), .done(done[node]),
            .address(address[node]), .pitch(pitch[node]), .format(format[node]), .first_bit(first_bit[node]),
            .pitch_bits(pitch_bits[node]), .row_bytes(row_bytes[node]), .out_of_bounds(is_outside[node])
        );
    end endgenerate
    reg  [31:0] addresses [0:63], extents [0:63];
    reg  [15:0] pitches [0:63];
    reg  [4:0]  formats [0:63];
    reg  [63:0] bound, unit, row, first, last, room, about;
    integer     i, n, cycles;
    function [63:0] unit_bits(input [4:0] which);
        case (which)
            FORMAT_RGB565, FORMAT_ARGB1555:   unit_bits = 16;
            FORMAT_RGB888:                    unit_bits = 24;
            FORMAT_ARGB8888, FORMAT_XRGB8888: unit_bits = 32;
            FORMAT_A4:                        unit_bits = 4;
            FORMAT_A2:                        unit_bits = 2;
            FORMAT_A1:                        unit_bits = 1;
            default:                          unit_bits = 8;
        endcase
    endfunction
    function [15:0] some_half(input from);
        case (pick(6))
            0:       some_half = pick(3);
            1:       some_half = 16'hffff - pick(3);
            default: some_half = random(from) >> (16 + pick(14));
        endcase
    endfunction
    task bind_one(input [5:0] which);
        begin
            slot        = which;
            set_format  = pick(3) == 0 ? {pick(4), FORMAT_A8[2:0]} : pick(8);
            set_address = pick(6) == 0 ? 32'd0 : pick(4) == 0 ? 32'd1 << pick(32) : random(1'b0);
            set_pitch   = some_half(1'b0);
            set_bytes   = some_word(1'b0);
            set_valid   = 1'b1;
            tick;
            set_valid = 1'b0;
            {addresses[slot], extents[slot]} = {set_address, set_bytes};
            {pitches[slot], formats[slot], bound[slot]} = {set_pitch, set_format, set_address != 32'd0};
        end
    endtask
    task ask_all;
        for (n = 0; n < 64; n = n + 1) begin
            ask = n;
            #1;
            check({is_bound1, is_bound2}, {{2{bound[ask]}}, {2{bound[~ask]}}}, n);
        end
    endtask
    initial begin
        bound = 64'd0;
        tick;
        rst = 1'b0;
        ask_all;
        for (i = 0; i < 64; i = i + 1) bind_one(i);
        for (i = 0; i < 3000; i = i + 1) begin
            if (pick(3) == 0) bind_one(random(1'b0));
            if (i % 500 == 250) begin
                ask_all;
                unbind_all = 1'b1;
                tick;
                {unbind_all, bound} = 65'd0;
                ask_all;
            end
            slot = random(1'b0);
            {x, y, width, height} = {some_half(1'b0), some_half(1'b0), some_half(1'b0), some_half(1'b0)};
            unit = unit_bits(formats[slot]);
            row  = pitches[slot] * (unit < 8 ? unit : 64'd8);   // bits; of parts of bytes the pitch counts units
            last = (y + height - 64'd1) * row + (x + width) * unit;
            // Often the surface ends where the rectangle does, or a byte before.
            if (pick(2) == 0 && width != 0 && height != 0 && last[63:35] == 0) begin
                {set_address, set_pitch, set_format} = {addresses[slot], pitches[slot], formats[slot]};
                set_bytes = (last + 7) / 8 - pick(2);
                set_valid = 1'b1;
                extents[slot] = set_bytes;
                bound[slot] = set_address != 32'd0;
            end
            tick;
            {set_valid, start} = 2'b01;
            tick;
            start = 1'b0;
            for (cycles = 1; !done[0] && cycles < 9; cycles = cycles + 1) tick;
            check(cycles, 4, i);
            for (n = 0; n < 2; n = n + 1) begin
                // On the paging node a unit of less than a byte is located like one of a byte.
                unit = n == 1 && unit_bits(formats[slot]) < 8 ? 8 : unit_bits(formats[slot]);
                row   = pitches[slot] * (unit < 8 ? unit : 64'd8);
                first = y * row + x * unit;
                last  = (y + height - 64'd1) * row + (x + width) * unit;
                room  = {29'd0, extents[slot], 3'd0};
                about = {n[3:0], formats[slot], i[15:0]};
                check(done[n], 1'b1, about);
                check(format[n], formats[slot], about);
                check(is_outside[n], width != 0 && height != 0 && last > room, about);
                if (!is_outside[n]) begin
                    check({address[n], first_bit[n]}, {addresses[slot] + first[34:3], first[2:0]}, about);
                    check({pitch[n], pitch_bits[n]}, row[18:0], about);
                    if (unit >= 8) check(row_bytes[n], width * unit / 8, about);
                end
            end
            tick;
        end
        finish;
    end
endmodule
`default_nettype wire
