// SPDX-License-Identifier: Apache-2.0
//
// overflow.cpp for Icarus: rtl/sync_fifo.v driven to its last word, or one further with +overflow.
`default_nettype none
module overflow;
    reg        clk = 1'b0, rst = 1'b1, push = 1'b0;
    wire       full, valid;
    wire [7:0] data;
    integer    words;
    sync_fifo fifo (.clk(clk), .rst(rst), .push(push), .push_data(8'd0), .full(full), .pop(1'b0), .data(data),
                    .valid(valid));
    always #1 clk = !clk;
    initial begin
        words = $test$plusargs("overflow") ? 33 : 32;
        repeat (4) @(negedge clk);
        rst  = 1'b0;
        push = 1'b1;
        repeat (words) @(negedge clk);
        $finish;
    end
    wire unused = &{1'b0, full, valid, data};
endmodule
`default_nettype wire
