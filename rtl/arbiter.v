// SPDX-License-Identifier: Apache-2.0
//
// Round-robin choice among COUNT requesters.
//
// `grant` is combinational: the first requester after the one granted last. The turn moves on in a cycle with
// `accept`. Without `accept` the choice may change, so use a grant at once or not at all. Bound: a requester that
// keeps asking is granted after at most COUNT-1 accepted grants of others.
`default_nettype none

module arbiter #(
    parameter COUNT = 4 // 2 or more
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [COUNT-1:0] request,
    input  wire             accept,  // may depend on grant
    output wire [COUNT-1:0] grant    // zero or one bit set, only of requesters
);
    // ------------------------------------------------------------------ choice
    // `behind` marks the requesters with an index above the last winner: they go first.
    reg  [COUNT-1:0] behind;
    wire [COUNT-1:0] early        = request & behind;
    wire [COUNT-1:0] early_lowest = early & (~early + 1'b1);
    wire [COUNT-1:0] any_lowest   = request & (~request + 1'b1);
    assign grant = |early ? early_lowest : any_lowest;

    // Bits above the granted one: ~(grant | (grant - 1)).
    wire [COUNT-1:0] above = ~(grant | (grant - 1'b1));

    always @(posedge clk)
        if (rst)                    behind <= {COUNT{1'b0}};
        else if (accept && |grant)  behind <= above;

`ifdef GPU_ASSERT
    // ------------------------------------------------------------------ assertions
    // One grant at most, and only to a requester; some grant whenever anyone asks. The last winner is remembered as a
    // mask of the places above it.
    always @(posedge clk) if (!rst) begin
        assert ((grant & (grant - 1'b1)) == {COUNT{1'b0}});
        assert ((grant & ~request) == {COUNT{1'b0}});
        assert ((|grant) == (|request));
        assert ((behind | (behind - 1'b1)) == {COUNT{1'b1}} || behind == {COUNT{1'b0}});
    end

`ifdef FORMAL
    // The bound, proved for ever by tests/formal/memory/arbiter_formal.v; simulated in every cycle it would cost as
    // much as the rest of the fabric's assertions. Grants that went to others while a requester was asking: `between`
    // counts the places from the last winner on before it is this requester's turn; every grant to another uses up at
    // least one of them.
    genvar i;
    generate
        for (i = 0; i < COUNT; i = i + 1) begin : bound
            localparam [COUNT-1:0] BELOW = ({{(COUNT-1){1'b0}}, 1'b1} << i) - 1'b1;
            reg [7:0] passed, between;
            wire [COUNT-1:0] before_me = behind & BELOW;
            integer k;
            always @(*) begin
                between = 8'd0;
                for (k = 0; k < COUNT; k = k + 1) begin
                    if (behind[i] ? before_me[k] : (behind[k] || BELOW[k])) between = between + 8'd1;
                end
            end
            always @(posedge clk) begin
                if (rst || !request[i] || (accept && grant[i])) passed <= 8'd0;
                else if (accept && |grant)                      passed <= passed + 8'd1;
                if (!rst) assert (passed < COUNT);
                if (!rst) assert (!request[i] || {24'd0, passed} + {24'd0, between} < COUNT);
            end
        end
    endgenerate
`endif
`endif
endmodule

`default_nettype wire
