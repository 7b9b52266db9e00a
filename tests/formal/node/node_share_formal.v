// SPDX-License-Identifier: Apache-2.0
//
// Two readers on one channel, at any pace: every beat goes to the reader whose burst is the oldest unanswered one, and
// an address offered to memory stays its reader's until it is taken.
module node_share_formal (
    input clk,
    input rst,
    input mover_asks,
    input list_asks,
    input arready,
    input rlast,
    input rvalid
);
    reg        first = 1'b1;
    reg        mover_held, list_held;  // offered, to be taken: a reader does not take it back
    reg        list_out;               // the list has one burst at a time
    reg  [7:0] owner;                  // of unanswered bursts, oldest in bit 0: 1 the list
    reg  [3:0] count;
    wire       mover_arvalid = mover_asks || mover_held;
    wire       list_arvalid  = (list_asks && !list_out) || list_held;
    wire       mover_arready, mover_rvalid, list_arready, list_rvalid, is_list, arvalid;
    wire       room = count < 4'd8;
    wire       comes = rvalid && count != 4'd0;
    node_share dut (
        .clk(clk), .rst(rst), .mover_arvalid(mover_arvalid), .mover_arready(mover_arready),
        .mover_rvalid(mover_rvalid), .list_arvalid(list_arvalid), .list_arready(list_arready),
        .list_rvalid(list_rvalid), .is_list(is_list), .arvalid(arvalid), .arready(arready && room), .rlast(rlast),
        .rvalid(comes));
    wire taken = arvalid && arready && room, ends = comes && rlast;
    wire [3:0] kept = count - {3'd0, ends};
    reg  was_offered, was_list;
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        mover_held  <= mover_arvalid && !mover_arready && !rst;
        list_held   <= list_arvalid && !list_arready && !rst;
        was_offered <= arvalid && !taken && !rst;
        was_list    <= is_list;
        if (rst) begin
            count    <= 4'd0;
            owner    <= 8'd0;
            list_out <= 1'b0;
        end else begin
            count <= kept + {3'd0, taken};
            owner <= (ends ? owner >> 1 : owner) | (taken && is_list ? 8'd1 << kept : 8'd0);
            if (list_arvalid && list_arready) list_out <= 1'b1;
            else if (list_rvalid && rlast)    list_out <= 1'b0;
            assert (comes ? list_rvalid == owner[0] && mover_rvalid == !owner[0] : !list_rvalid && !mover_rvalid);
            if (was_offered) assert (arvalid && is_list == was_list);
            assert (taken == (mover_arvalid && mover_arready || list_arvalid && list_arready));
            assert (!(mover_arvalid && mover_arready && list_arvalid && list_arready));
`ifdef REACH
            // The list's beat comes after two of the mover's, with one of the mover's after it.
            assert (!(comes && owner[0] && count > 4'd1 && was_three));
`endif
        end
    end
`ifdef REACH
    reg was_three;
    always @(posedge clk) was_three <= !rst && (was_three || (count >= 4'd4 && owner[2:0] == 3'b100));
`endif
endmodule
