// SPDX-License-Identifier: Apache-2.0
//
// Which slave an address is at: every page at both ends of each space and of its size, and random addresses.
`default_nettype none
module test_fabric_decode;
`include "bench.vh"
`include "gpu_spec.vh"
    localparam PAGES1 = 5, PAGES2 = 12, PAGES3 = 9;
    reg  [31:0] address;
    wire [3:0]  slave;
    integer     i;
    fabric_decode #(.SEGMENT1_BYTES(PAGES1 * 4096), .SEGMENT2_BYTES(PAGES2 * 4096), .APERTURE_PAGES(PAGES3)) decode (
        .address(address), .slave(slave)
    );
    function is_in(input [31:0] base, input [31:0] pages);
        is_in = address >= base && address - base < pages * 4096;
    endfunction
    initial begin
        for (i = 0; i < 4096; i = i + 1) begin
            address = i < 512 ? {i[8:5], 28'd0} + 4096 * (i[4:0] / 2) - i[0] : random(1'b0) >> pick(8);
            #1;
            check(slave, address >= LIMIT_ADDR_SYSTEM || is_in(LIMIT_ADDR_APERTURE, PAGES3) ? 4'b0100
                         : is_in(LIMIT_ADDR_SEGMENT1, PAGES1) ? 4'b0001 : is_in(LIMIT_ADDR_SEGMENT2, PAGES2) ? 4'b0010
                         : 4'b1000, address);
        end
        finish;
    end
endmodule
`default_nettype wire
