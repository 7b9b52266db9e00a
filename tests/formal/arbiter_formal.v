// SPDX-License-Identifier: Apache-2.0
//
// Any requests, any use of the grants: the arbiter's own assertions (one-hot grants, only to requesters,
// at most COUNT-1 grants of others while one waits) hold after reset. Proved by induction.
module arbiter_formal (
    input clk,
    input rst,
    input [3:0] request,
    input accept
);
    wire [3:0] grant;
    arbiter #(.COUNT(4)) dut (.clk(clk), .rst(rst), .request(request), .accept(accept), .grant(grant));
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
