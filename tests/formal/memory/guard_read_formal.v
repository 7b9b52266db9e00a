// SPDX-License-Identifier: Apache-2.0
//
// A read channel of the guard under any mover, any memory and any setting of the table. For one arbitrary
// page: an unprivileged burst reaches memory only if the page's bit was set last. And every burst accepted
// gets exactly its beats, refused ones all with response 1.
module guard_read_formal (
    input clk,
    input rst,
    input set_start,
    input [3:0] set_row,
    input [31:0] set_mask,
    input set_bit,
    input [31:0] araddr,
    input [1:0] arlen,
    input aruser,
    input arvalid,
    input m_arready,
    input m_rvalid
);
    (* anyconst *) wire [8:0] page;    // of a guarded space: 0 .. 3 * 128 - 1 (a small table)
    reg first = 1'b1;

    // ------------------------------------------------------------------ setting: read a row, then merge
    reg        merge;
    reg [3:0]  merge_row;
    reg [31:0] merge_mask;
    reg        merge_bit;
    reg [3:0]  in_flight;      // bursts accepted and not answered
    wire       set = set_start && in_flight == 4'd0 && !merge;
    always @(posedge clk) begin
        merge      <= set && !rst;
        merge_row  <= set_row;
        merge_mask <= set_mask;
        merge_bit  <= set_bit;
    end

    wire in_arready, in_rlast, in_rvalid, m_arvalid;
    wire [1:0]  in_rresp;
    wire [31:0] m_araddr;
    wire [7:0]  m_arlen;
    wire [2:0]  m_arsize;
    wire [7:0]  in_rdata;
    // Memory answers one burst at a time.
    reg        busy;
    reg [7:0]  left;
    wire       m_last = left == 8'd0;
    wire       m_rvalid_legal = busy && m_rvalid;
    guard_read #(.DATA_WIDTH(8), .PAGES_LOG2(7)) dut (
        .clk(clk), .rst(rst), .hold(set || merge), .set_enable(set), .set_row(set_row), .merge(merge),
        .merge_row(merge_row), .merge_mask(merge_mask), .merge_bit(merge_bit),
        .in_araddr(araddr), .in_arlen({6'd0, arlen}), .in_arsize(3'd0), .in_aruser(aruser),
        .in_arvalid(arvalid && !set_start),
        .in_arready(in_arready), .in_rdata(in_rdata), .in_rresp(in_rresp), .in_rlast(in_rlast), .in_rvalid(in_rvalid),
        .araddr(m_araddr), .arlen(m_arlen), .arsize(m_arsize), .arvalid(m_arvalid), .arready(m_arready),
        .rdata(8'd0), .rresp(2'b00), .rlast(m_last), .rvalid(m_rvalid_legal));
    wire accepted = arvalid && !set_start && in_arready;

    // ------------------------------------------------------------------ memory: at most one burst at a time
    wire       passes = m_arvalid && m_arready && !busy;
    always @(posedge clk) begin
        assume (!(m_arready && busy));
        if (rst) busy <= 1'b0;
        else if (passes) begin
            busy <= 1'b1;
            left <= m_arlen;
        end else if (m_rvalid_legal) begin
            left <= left - 8'd1;
            if (m_last) busy <= 1'b0;
        end
    end

    // ------------------------------------------------------------------ properties
    reg         passed_once = 1'b0;
    reg         bit_now, bit_known;   // the page's bit as last set
    reg         user_held;            // of the burst last accepted: the one in the stage
    reg  [3:0]  beats_due;            // beats of all bursts accepted and not delivered
    wire        on_page = m_araddr[31:28] == {2'b00, page[8:7]} + 4'd1 && m_araddr[27:12] == {9'd0, page[6:0]};
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        assume (page < 9'd384);
        if (rst) begin
            bit_known <= 1'b0;
            in_flight <= 4'd0;
            beats_due <= 4'd0;
        end else begin
            if (merge && merge_row == page[8:5] && merge_mask[page[4:0]]) begin
                bit_known <= 1'b1;
                bit_now   <= merge_bit;
            end
            if (accepted) user_held <= aruser;
            in_flight <= in_flight + {3'd0, accepted} - {3'd0, in_rvalid && in_rlast};
            beats_due <= beats_due + (accepted ? {2'd0, arlen} + 4'd1 : 4'd0) - {3'd0, in_rvalid};
            // The protection itself.
            if (m_arvalid && user_held && on_page && bit_known) assert (bit_now);
            if (m_arvalid && user_held)
                assert (m_araddr[31:28] >= 4'd1 && m_araddr[31:28] <= 4'd3 && m_araddr[27:19] == 9'd0);
            // Conservation: a beat only when one is due; all delivered when nothing is in flight.
            if (in_rvalid) assert (beats_due != 4'd0 && in_flight != 4'd0);
            if (in_flight == 4'd0) assert (beats_due == 4'd0);
            if (in_rvalid && in_rresp == 2'b01) assert (!m_rvalid_legal);
`ifdef REACH
            // A granted burst has passed, then another of the same page was refused.
            if (m_arvalid && user_held && on_page && bit_known) passed_once <= 1'b1;
            assert (!(passed_once && in_rvalid && in_rlast && in_rresp == 2'b01));
`endif
        end
    end
endmodule
