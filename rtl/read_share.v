// SPDX-License-Identifier: Apache-2.0
//
// A master of the fabric's reads for two. While both ask they take turns. a may have many bursts under way. b has one
// at a time. It begins when none of a's is under way. Both take data at once.
`default_nettype none
module read_share (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] a_araddr,
    input  wire [7:0]  a_arlen,
    input  wire [2:0]  a_arsize,
    input  wire        a_arvalid,
    output wire        a_arready,
    output wire        a_rvalid,            // with m_rdata, m_rresp, m_rlast
    input  wire [31:0] b_araddr,
    input  wire [7:0]  b_arlen,
    input  wire [2:0]  b_arsize,
    input  wire        b_arvalid,
    output wire        b_arready,
    output wire        b_rvalid,
    output wire [31:0] m_araddr,
    output wire [7:0]  m_arlen,
    output wire [2:0]  m_arsize,
    output wire        m_arvalid,
    input  wire        m_arready,
    input  wire        m_rlast,
    input  wire        m_rvalid
);
    reg        is_b, asked;                 // b has the master; its burst is under way
    reg        b_was_last;                  // a has taken none since
    reg        asks;                        // a's address was there in the last cycle: it stays until it is taken
    reg  [6:0] bursts;                      // of a, under way
    wire       ends   = m_rvalid && m_rlast;
    wire       begins = a_arvalid && a_arready;
    wire       holds  = b_arvalid && !b_was_last && !asks; // a's next one waits
    always @(posedge clk) begin
        is_b       <= !rst && (is_b ? !ends : b_arvalid && (!b_was_last || !a_arvalid) && !asks && !begins
                                              && bursts == 7'd0);
        asked      <= !rst && is_b && !ends && (asked || (b_arvalid && m_arready));
        b_was_last <= !rst && (is_b || (b_was_last && !begins));
        asks       <= !rst && m_arvalid && !is_b && !m_arready;
        bursts     <= rst ? 7'd0 : bursts + {6'd0, begins} - {6'd0, ends && !is_b};
    end
    wire       a_goes = !is_b && !holds;
    assign m_araddr  = is_b ? b_araddr : a_araddr;
    assign m_arlen   = is_b ? b_arlen : a_arlen;
    assign m_arsize  = is_b ? b_arsize : a_arsize;
    assign m_arvalid = is_b ? b_arvalid && !asked : a_arvalid && a_goes;
    assign a_arready = a_goes && m_arready;
    assign b_arready = is_b && !asked && m_arready;
    assign a_rvalid  = !is_b && m_rvalid;
    assign b_rvalid  = is_b && m_rvalid;

`ifdef GPU_ASSERT
    always @(posedge clk) if (!rst) begin
        assert (!m_rvalid || (is_b ? asked : bursts != 7'd0));
        assert (!begins || bursts != 7'd127);
        assert (!is_b || bursts == 7'd0);
    end
`endif
endmodule
`default_nettype wire
