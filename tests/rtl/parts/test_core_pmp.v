// SPDX-License-Identifier: Apache-2.0
//
// Memory protection: random registers of eight regions, with powers of two and without, and accesses at their borders.
// The lowest region that matches decides if it is locked, as the privileged architecture says; what is locked stays.
`default_nettype none
module test_core_pmp;
`include "bench.vh"
    reg         rst = 1'b1, write = 1'b0, data_write;
    reg  [3:0]  index;
    reg  [31:0] write_value;
    reg  [31:2] place;
    wire [31:0] read_value [0:1];
    wire        fetch_deny [0:1], data_deny [0:1];
    genvar powers;
    generate for (powers = 0; powers < 2; powers = powers + 1) begin : built
        core_pmp #(.REGIONS(8), .POWERS(powers)) pmp (
            .clk(clk), .rst(rst), .index(index), .read_value(read_value[powers]), .write(write),
            .write_value(write_value), .fetch_address(place), .fetch_deny(fetch_deny[powers]), .data_take(1'b1),
            .data_address(place), .data_write(data_write), .data_deny(data_deny[powers])
        );
    end endgenerate

    reg  [7:0]  configuration [0:15];   // by power and region
    reg  [29:0] address [0:15];
    integer     i, k, n, p, first;
    reg         is_in, locks;
    reg  [7:0]  new_byte;
    reg  [29:0] size;
    task set_registers;                 // one write, in the model too
        for (p = 0; p < 2; p = p + 1) for (n = 0; n < 8; n = n + 1) begin
            locks = n < 7 && configuration[8*p + n + 1][7] && configuration[8*p + n + 1][4:3] == 2'd1;
            new_byte = write_value[8*(n % 4) +: 8] & 8'h9f;
            if (!new_byte[0]) new_byte[1] = 1'b0;
            if (p == 0 && new_byte[4]) new_byte[4:3] = 2'd0;
            if (!configuration[8*p + n][7]) begin
                if (index == n + 1 && !locks) address[8*p + n] = write_value[29:0];
                if (index == (n < 4 ? 0 : 9)) configuration[8*p + n] = new_byte;
            end
        end
    endtask
    task decide;                        // first: the region that matches, or 8
        begin
            first = 8;
            for (n = 7; n >= 0; n = n - 1) begin
                size = configuration[8*p + n][3] ? ~(address[8*p + n] ^ (address[8*p + n] + 30'd1)) : 30'h3fffffff;
                case (configuration[8*p + n][4:3])
                    2'd0:    is_in = 1'b0;
                    2'd1:    is_in = place < address[8*p + n] && (n == 0 || place >= address[8*p + n - 1]);
                    default: is_in = (place & size) == (address[8*p + n] & size);
                endcase
                if (is_in) first = n;
            end
        end
    endtask
    initial begin
        for (i = 0; i < 40; i = i + 1) begin
            rst = 1'b1;
            tick;
            rst = 1'b0;
            for (n = 0; n < 16; n = n + 1) {configuration[n], address[n]} = 38'd0;
            write = 1'b1;
            for (k = 0; k < 24; k = k + 1) begin
                index = k < 8 ? k + 1 : pick(3) == 0 ? 9 * pick(2) : pick(10);
                write_value = index == 0 || index == 9
                              ? random(1'b0) & (k < 10 ? 32'h1f1f1f1f : pick(2) == 0 ? 32'h8fef8fef : 32'h9fff9fff)
                              : pick(16) == 0 ? random(1'b0) : 32'd64 + pick(64);
                set_registers;
                tick;
            end
            write = 1'b0;
            for (k = 0; k < 10; k = k + 1) begin
                index = k;
                tick;
                for (p = 0; p < 2; p = p + 1)
                    if (index != 0 && index != 9) check(read_value[p], address[8*p + index - 1], index);
                    else for (n = 0; n < 4; n = n + 1)
                        check(read_value[p][8*n +: 8], configuration[8*p + n + (index == 0 ? 0 : 4)], index);
            end
            for (k = 0; k < 72; k = k + 1) begin
                place = 30'd60 + k;
                tick;
                data_write = k[0] ^ i[0];
                #1;
                for (p = 0; p < 2; p = p + 1) begin
                    decide;
                    new_byte = first == 8 ? 8'd0 : configuration[8*p + first];
                    check(fetch_deny[p], new_byte[7] && !new_byte[2], place);
                    check(data_deny[p], new_byte[7] && !(data_write ? new_byte[1] : new_byte[0]), place);
                end
            end
        end
        finish;
    end
endmodule
`default_nettype wire
