// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores of the core: each size at each address, stored into four bytes and loaded from them, byte by byte.
`default_nettype none
module test_core_align;
`include "bench.vh"
    reg  [1:0]  size, address;
    reg  [31:0] store_value, memory, wanted, expected;
    reg         is_unsigned;
    wire        misaligned;
    wire [3:0]  byte_enable;
    wire [31:0] lanes, load_value;
    integer     i, k, bytes;
    core_align align (.size(size), .address(address), .store_value(store_value), .misaligned(misaligned),
                      .byte_enable(byte_enable), .lanes(lanes), .load_funct3({is_unsigned, size}),
                      .load_address(address), .load_lanes(memory), .load_value(load_value));
    initial begin
        for (i = 0; i < 4000; i = i + 1) begin
            {is_unsigned, size, address} = i[4:0];
            {store_value, memory} = {random(1'b0), random(1'b0)};
            bytes = 1 << size;
            #1;
            if (size != 2'd3) begin
                check(misaligned, address % bytes != 0, i);
                if (!misaligned) begin
                    expected = 32'd0;
                    for (k = 0; k < bytes; k = k + 1) expected[8*k +: 8] = memory[8*(address + k) +: 8];
                    for (k = bytes; k < 4; k = k + 1)
                        expected[8*k +: 8] = {8{!is_unsigned && memory[8*(address + bytes) - 1]}};
                    check(load_value, expected, i);
                    wanted = memory;
                    for (k = 0; k < 4; k = k + 1) if (byte_enable[k]) memory[8*k +: 8] = lanes[8*k +: 8];
                    for (k = 0; k < bytes; k = k + 1) wanted[8*(address + k) +: 8] = store_value[8*k +: 8];
                    check(memory, wanted, i);
                end
            end
        end
        finish;
    end
endmodule
`default_nettype wire
