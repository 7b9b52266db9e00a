// SPDX-License-Identifier: Apache-2.0
//
// Two readers of one master: every burst of both comes out once and in order, its beats go back to who asked, and
// neither waits for ever while the other always asks.
`default_nettype none
module test_read_share;
`include "bench.vh"
    reg         rst = 1'b1, m_arready, m_rlast, m_rvalid;
    reg  [63:0] araddr;                 // a, b
    reg  [15:0] arlen;
    reg  [1:0]  arvalid;
    wire [1:0]  arready, rvalid;
    wire [31:0] m_araddr;
    wire [7:0]  m_arlen;
    wire [2:0]  m_arsize;
    wire        m_arvalid;
    read_share share (
        .clk(clk), .rst(rst), .a_araddr(araddr[31:0]), .a_arlen(arlen[7:0]), .a_arsize(3'd3), .a_arvalid(arvalid[0]),
        .a_arready(arready[0]), .a_rvalid(rvalid[0]), .b_araddr(araddr[63:32]), .b_arlen(arlen[15:8]), .b_arsize(3'd2),
        .b_arvalid(arvalid[1]), .b_arready(arready[1]), .b_rvalid(rvalid[1]), .m_araddr(m_araddr), .m_arlen(m_arlen),
        .m_arsize(m_arsize), .m_arvalid(m_arvalid), .m_arready(m_arready), .m_rlast(m_rlast), .m_rvalid(m_rvalid)
    );
    // Taken by the memory, answered in order: owner and beats.
    reg  [8:0]  queue [0:16383];
    integer     i, k, head, tail, beat, waited [0:1], served [0:1], under_way;
    reg  [1:0]  taken;
    reg         eager;
    initial begin
        {arvalid, m_arready, m_rvalid, m_rlast} = 5'd0;
        {head, tail, beat, under_way} = 128'd0;
        for (k = 0; k < 2; k = k + 1) {waited[k], served[k]} = 64'd0;
        tick;
        rst = 1'b0;
        for (i = 0; i < 12000; i = i + 1) begin
            eager = i[11]; // both always ask
            for (k = 0; k < 2; k = k + 1)
                if (!arvalid[k] && (eager || pick(4) == 0) && (k == 0 || under_way == 0)) begin
                    arvalid[k] = 1'b1;
                    araddr[32*k +: 32] = random(1'b0) >> 1 | k << 31; // whose it is
                    arlen[8*k +: 8] = pick(6);
                end
            m_arready = pick(3) != 0;
            m_rvalid  = head != tail && pick(2) != 0;
            m_rlast   = beat == queue[head][7:0];
            #1;
            check(rvalid, !m_rvalid ? 2'b00 : queue[head][8] ? 2'b10 : 2'b01, i);
            taken = arvalid & arready;
            check(taken, m_arvalid && m_arready ? (m_araddr[31] ? 2'b10 : 2'b01) : 2'b00, i);
            for (k = 0; k < 2; k = k + 1) begin
                waited[k] = arvalid[k] && !taken[k] ? waited[k] + 1 : 0;
                if (waited[k] > 120) check(waited[k], 0, k);
                if (taken[k]) begin
                    check({m_araddr, m_arlen, m_arsize},
                          {araddr[32*k +: 32], arlen[8*k +: 8], k == 0 ? 3'd3 : 3'd2}, k);
                    queue[tail] = {k[0], arlen[8*k +: 8]};
                    tail        = tail + 1;
                    served[k]   = served[k] + 1;
                    if (k == 1) under_way = 1;
                end
            end
            tick;
            arvalid = arvalid & ~taken;
            if (m_rvalid) begin
                beat = m_rlast ? 0 : beat + 1;
                if (m_rlast && queue[head][8]) under_way = 0;
                if (m_rlast) head = head + 1;
            end
        end
        for (k = 0; k < 2; k = k + 1) check(served[k] > 300, 1'b1, served[k]);
        finish;
    end
endmodule
`default_nettype wire
