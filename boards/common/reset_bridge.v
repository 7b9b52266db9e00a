// SPDX-License-Identifier: Apache-2.0
//
// A reset for one clock: asserted at once when `release_` falls, wherever the clock is, and taken back in step
// with the clock 32 cycles after it rises. Every domain's release comes from the same wire (all clocks locked),
// so two domains are in reset together for 32 cycles of the faster clock: four of the slower one, which is what
// async_fifo.v asks for, while that is no slower than an eighth.
`default_nettype none

module reset_bridge (
    input  wire clk,
    input  wire release_,   // asynchronous; high: may run
    output wire rst
);
    reg [1:0] settled = 2'b00;
    reg [5:0] count   = 6'd0;
    always @(posedge clk or negedge release_)
        if (!release_) settled <= 2'b00;
        else settled <= {settled[0], 1'b1};
    always @(posedge clk or negedge release_)
        if (!release_) count <= 6'd0;
        else if (settled[1] && !count[5]) count <= count + 6'd1;
    assign rst = !count[5];
endmodule
`default_nettype wire
