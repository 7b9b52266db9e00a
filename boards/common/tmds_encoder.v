// SPDX-License-Identifier: Apache-2.0
//
// One channel of DVI: a byte, or two control bits outside the picture, to a ten-bit symbol with few transitions
// and no direct current (DVI 1.0, section 3.3). One register stage.
`default_nettype none

module tmds_encoder (
    input  wire       clk,
    input  wire       rst,
    input  wire       visible,
    input  wire [7:0] value,
    input  wire [1:0] control,
    output reg  [9:0] symbol          // bit 0 goes first
);
    function [3:0] ones(input [7:0] v);
        ones = {3'd0, v[0]} + {3'd0, v[1]} + {3'd0, v[2]} + {3'd0, v[3]} + {3'd0, v[4]} + {3'd0, v[5]} + {3'd0, v[6]} +
               {3'd0, v[7]};
    endfunction

    // Fewest transitions: XOR, or XNOR where there are more ones than zeros.
    wire use_xnor = ones(value) > 4'd4 || ones(value) == 4'd4 && !value[0];
    wire [8:0] q;
    genvar i;
    generate
        for (i = 0; i < 8; i = i + 1) begin : chain
            assign q[i] = ^value[i:0] ^ (i % 2 == 1 && use_xnor);
        end
    endgenerate
    assign q[8] = !use_xnor;

    // Balance: `disparity` is ones less zeros sent so far, in two's complement.
    reg  [4:0] disparity;
    wire [3:0] set     = ones(q[7:0]);
    wire [4:0] surplus = {set, 1'b0} - 5'd8;                     // ones less zeros of q[7:0]
    wire       even    = disparity == 5'd0 || surplus == 5'd0;
    wire       invert  = even ? !q[8] : disparity[4] == surplus[4];
    wire [4:0] change  = invert ? 5'd0 - surplus : surplus;
    wire [4:0] extra   = even ? 5'd0 : invert ? {3'd0, q[8], 1'b0} : 5'd0 - {3'd0, !q[8], 1'b0};
    always @(posedge clk)
        if (rst || !visible) begin
            disparity <= 5'd0;
            symbol    <= control[1] ? (control[0] ? 10'b1010101011 : 10'b0101010100)
                                    : (control[0] ? 10'b0010101011 : 10'b1101010100);
        end else begin
            disparity <= disparity + change + extra;
            symbol    <= {invert, q[8], q[7:0] ^ {8{invert}}};
        end
endmodule
`default_nettype wire
