// SPDX-License-Identifier: Apache-2.0
//
// Any requests, any use of the grants: the arbiter's own assertions (one-hot grants, only to requesters,
// at most COUNT-1 grants of others while one waits) hold after reset, for every COUNT in the chip. Proved by
// induction; the bound is checked nowhere else.
module arbiter_formal (
    input clk,
    input rst,
    input [3:0] request,
    input accept
);
    wire [3:0] grant;
    wire [2:0] grant_of_3;
    wire [1:0] grant_of_2;
    arbiter #(.COUNT(4)) dut (.clk(clk), .rst(rst), .request(request), .accept(accept), .grant(grant));
    arbiter #(.COUNT(3)) three (.clk(clk), .rst(rst), .request(request[2:0]), .accept(accept), .grant(grant_of_3));
    arbiter #(.COUNT(2)) two (.clk(clk), .rst(rst), .request(request[1:0]), .accept(accept), .grant(grant_of_2));
    reg first = 1'b1;
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
    end
    // A requester waits until it is granted: then the count of the bound is not restarted by a withdrawal.
`ifdef REACH
    always @(posedge clk) assert (!(!rst && grant == 4'b1000 && accept));
`endif
endmodule
