// SPDX-License-Identifier: Apache-2.0
//
// The guard's permissions: rows set in random masks, each page looked up at both ends and outside the spaces; an answer
// stays until the next look, whatever is set.
`default_nettype none
module test_guard_table;
`include "bench.vh"
`include "gpu_spec.vh"
    localparam LOG2 = 7, ROWS = 1 << (LOG2 - 3);
    reg         look = 1'b0, set_enable = 1'b0, merge = 1'b0, merge_bit, is_granted;
    reg  [31:0] address, merge_mask;
    reg  [3:0]  row;
    wire        granted;
    reg  [31:0] rows [0:ROWS-1];
    integer     i, k;
    guard_table #(.PAGES_LOG2(LOG2)) part (
        .clk(clk), .look(look), .address(address), .granted(granted), .set_enable(set_enable), .set_row(row),
        .merge(merge), .merge_row(row), .merge_mask(merge_mask), .merge_bit(merge_bit)
    );
    task set;                           // some pages of a row
        begin
            set_enable = 1'b1;
            tick;
            {set_enable, merge} = 2'b01;
            tick;
            merge = 1'b0;
            rows[row] = merge_bit ? rows[row] | merge_mask : rows[row] & ~merge_mask;
        end
    endtask
    initial begin
        {merge_bit, merge_mask} = {1'b0, 32'hffffffff};
        for (k = 0; k < ROWS; k = k + 1) begin
            row = k;
            rows[k] = 32'd0;
            set;
        end
        for (i = 0; i < 4000; i = i + 1)
            if (pick(3) == 0) begin
                {merge_bit, merge_mask, row} = {random(1'b0), random(1'b0), random(1'b0)};
                set;
            end else begin
                address = {pick(5), 28'd0} + 4096 * pick(pick(4) == 0 ? 4096 : 1 << LOG2) + 4095 * pick(2);
                look = 1'b1;
                tick;
                look = 1'b0;
                is_granted = address[31:28] >= LIMIT_ADDR_SEGMENT1[31:28]
                             && address[31:28] < LIMIT_ADDR_SEGMENT1[31:28] + 3 && address[27:12] < 1 << LOG2
                             && rows[{address[29:28] - LIMIT_ADDR_SEGMENT1[29:28], address[18:17]}][address[16:12]];
                check(granted, is_granted, address);
                {address, merge_mask} = {random(1'b0), random(1'b0)};
                repeat (pick(3)) tick;
                check(granted, is_granted, address);
            end
        finish;
    end
endmodule
`default_nettype wire
