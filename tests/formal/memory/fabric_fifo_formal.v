// SPDX-License-Identifier: Apache-2.0
//
// The queue under any use: never over- or underflows, and one marked entry comes out as it went in, in its
// place of the order.
module fabric_fifo_formal (
    input clk,
    input rst,
    input put_valid,
    input [3:0] put_data,
    input take_ready,
    input mark
);
    wire put_ready, take_valid;
    wire [3:0] take_data;
    wire [2:0] level;
    fabric_fifo #(.WIDTH(4), .DEPTH(4)) dut (
        .clk(clk), .rst(rst), .put_valid(put_valid), .put_ready(put_ready), .put_data(put_data),
        .take_valid(take_valid), .take_ready(take_ready), .take_data(take_data), .level(level));
    reg first = 1'b1;
    reg       marked, done;    // an entry has been marked, has left
    reg [2:0] ahead;           // entries in front of it
    reg [3:0] value;
    wire put = put_valid && put_ready;
    wire take = take_valid && take_ready;
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        if (rst) begin
            marked <= 1'b0;
            done   <= 1'b0;
        end else begin
            if (mark && put && !marked) begin
                marked <= 1'b1;
                value  <= put_data;
                ahead  <= level - {2'b00, take};
            end
            if (marked && !done && take) begin
                if (ahead == 3'd0) begin
                    done <= 1'b1;
                    assert (take_data == value);
                end
                ahead <= ahead - 3'd1;
            end
            if (marked && !done) assert (ahead < level);
            assert (take_valid == (level != 3'd0));
`ifdef REACH
            assert (!(done && level == 3'd4));
`endif
        end
    end
endmodule
