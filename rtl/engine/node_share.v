// SPDX-License-Identifier: Apache-2.0
//
// Two readers on one read channel: the mover with any number of bursts, and the list reader with one burst at a time.
//
// Answers come in order, so it is enough to count the mover's bursts ahead of the other's. An offered address stays
// until it is taken, whatever comes then.
`default_nettype none

module node_share (
    input  wire clk,
    input  wire rst,

    input  wire mover_arvalid,
    output wire mover_arready,
    output wire mover_rvalid,
    input  wire list_arvalid,
    output wire list_arready,
    output wire list_rvalid,
    output wire is_list,       // the address offered is the list's

    output wire arvalid,
    input  wire arready,
    input  wire rlast,
    input  wire rvalid
);
    reg        mover_stays;    // its address was offered and not taken
    reg  [6:0] under_way;      // bursts of the mover not answered
    reg  [6:0] ahead;          // ... of them, before the list's
    reg        list_waits;     // the list's burst is not answered
    assign is_list       = list_arvalid && !mover_stays && !list_waits;
    assign arvalid       = is_list || mover_arvalid;
    assign mover_arready = arready && !is_list;
    assign list_arready  = arready && is_list;

    wire       is_lists  = list_waits && ahead == 7'd0; // what comes is the list's
    assign list_rvalid   = rvalid && is_lists;
    assign mover_rvalid  = rvalid && !is_lists;
    wire       mover_asks = mover_arvalid && mover_arready;
    wire       mover_ends = mover_rvalid && rlast;
    always @(posedge clk) begin
        mover_stays <= mover_arvalid && !mover_arready && !is_list;
        if (mover_asks && !mover_ends) under_way <= under_way + 7'd1;
        if (mover_ends && !mover_asks) under_way <= under_way - 7'd1;
        if (list_arvalid && list_arready)      ahead <= under_way - {6'd0, mover_ends};
        else if (mover_ends && ahead != 7'd0)  ahead <= ahead - 7'd1;
        if (list_arvalid && list_arready) list_waits <= 1'b1;
        else if (list_rvalid && rlast)    list_waits <= 1'b0;
        if (rst) begin
            mover_stays <= 1'b0;
            under_way   <= 7'd0;
            ahead       <= 7'd0;
            list_waits  <= 1'b0;
        end
    end

`ifdef GPU_ASSERT
    // Data only for bursts that were asked for; there are never more than can be counted.
    always @(posedge clk) if (!rst) begin
        assert (!mover_rvalid || under_way != 7'd0);
        assert (!mover_asks || under_way != 7'd127);
        assert (!list_waits || ahead <= under_way);
    end
`endif
endmodule

`default_nettype wire
