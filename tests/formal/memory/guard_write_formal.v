// SPDX-License-Identifier: Apache-2.0
//
// The write channel of the guard under any mover, any memory and any setting of the table (single-beat bursts,
// numbered in address and data). For one arbitrary page: an unprivileged burst's address reaches memory only if
// the page's bit was set last. Data reaches memory only after its own address, so that of a refused burst never
// does; every burst is answered once, in order, after its data, refused ones with response 1 and no others.
module guard_write_formal (
    input clk,
    input rst,
    input set_start,
    input [3:0] set_row,
    input [31:0] set_mask,
    input set_bit,
    input [31:7] awaddr,
    input awuser,
    input awvalid,
    input wvalid,
    input m_awready,
    input m_wready,
    input m_bvalid
);
    (* anyconst *) wire [8:0] page;    // of a guarded space: 0 .. 3 * 128 - 1 (a small table)
    reg first = 1'b1;

    // ------------------------------------------------------------------ setting: read a row, then merge
    reg        merge, merge_bit;
    reg [3:0]  merge_row;
    reg [31:0] merge_mask;
    reg [2:0]  accepted, given, answered;          // bursts so far: at most 7
    wire       set = set_start && accepted == answered && !merge;
    always @(posedge clk) begin
        merge      <= set && !rst;
        merge_row  <= set_row;
        merge_mask <= set_mask;
        merge_bit  <= set_bit;
    end

    wire        in_awready, in_wready, in_bvalid, m_awvalid, m_wvalid, m_wlast, m_bready, is_local, m_wstrb;
    wire [1:0]  in_bresp;
    wire [31:0] m_awaddr;
    wire [7:0]  m_awlen, m_wdata;
    wire [2:0]  m_awsize;
    reg  [2:0]  passed, filled, finished;          // of memory: addresses, data, answers
    wire        m_answers = m_bvalid && filled != finished;
    wire        in_wvalid = wvalid && accepted != given;
    guard_write #(.DATA_WIDTH(8), .PAGES_LOG2(7)) dut (
        .clk(clk), .rst(rst), .hold(set || merge), .set_enable(set), .set_row(set_row), .merge(merge),
        .merge_row(merge_row), .merge_mask(merge_mask), .merge_bit(merge_bit),
        .in_awaddr({awaddr, accepted, 4'd0}), .in_awlen(8'd0), .in_awsize(3'd0), .in_awuser(awuser),
        .in_awvalid(awvalid && !set_start), .in_awready(in_awready),
        .in_wdata({5'd0, given}), .in_wstrb(1'b1), .in_wlast(1'b1), .in_wvalid(in_wvalid), .in_wready(in_wready),
        .in_bresp(in_bresp), .in_bvalid(in_bvalid), .in_bready(1'b1),
        .awaddr(m_awaddr), .awlen(m_awlen), .awsize(m_awsize), .awvalid(m_awvalid), .awready(m_awready),
        .wdata(m_wdata), .wstrb(m_wstrb), .wlast(m_wlast), .wvalid(m_wvalid), .wready(m_wready),
        .bresp(2'b00), .bvalid(m_answers), .bready(m_bready), .is_local(is_local));
    wire take   = awvalid && !set_start && in_awready;
    wire passes = m_awvalid && m_awready;
    wire fills  = m_wvalid && m_wready;

    // ------------------------------------------------------------------ properties
    reg  [2:0]  numbers [0:7];           // of the bursts whose address has passed, in order
    reg  [7:0]  has_passed;              // by number
    reg         bit_now, bit_known;      // the page's bit as last set
    reg         user_held;               // of the burst last accepted: the one in the stage
    wire        on_page = m_awaddr[31:28] == {2'b00, page[8:7]} + 4'd1 && m_awaddr[27:12] == {9'd0, page[6:0]};
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        assume (page < 9'd384);
        if (rst) begin
            {accepted, given, answered, passed, filled, finished} <= 18'd0;
            has_passed <= 8'd0;
            bit_known  <= 1'b0;
        end else begin
            assume (accepted != 3'd7);
            if (merge && merge_row == page[8:5] && merge_mask[page[4:0]]) begin
                bit_known <= 1'b1;
                bit_now   <= merge_bit;
            end
            if (take) begin
                user_held <= awuser;
                accepted  <= accepted + 3'd1;
            end
            if (in_wvalid && in_wready) given <= given + 3'd1;
            if (passes) begin
                numbers[passed]             <= m_awaddr[6:4];
                has_passed[m_awaddr[6:4]]   <= 1'b1;
                passed                      <= passed + 3'd1;
            end
            if (fills) filled <= filled + 3'd1;
            if (m_answers && m_bready) finished <= finished + 3'd1;
            if (in_bvalid) answered <= answered + 3'd1;
            // The protection itself.
            if (m_awvalid && user_held && on_page && bit_known) assert (bit_now);
            if (m_awvalid && user_held)
                assert (m_awaddr[31:28] >= 4'd1 && m_awaddr[31:28] <= 4'd3 && m_awaddr[27:19] == 9'd0);
            // Data after its own address.
            if (m_wvalid) assert (filled != passed && m_wdata[2:0] == numbers[filled]);
            // One answer for each, after its data.
            if (in_bvalid) begin
                assert (answered < given);
                assert ((in_bresp == 2'b01) == !has_passed[answered]);
            end
`ifdef REACH
            // After a setting a burst has been refused, with its answer.
            assert (!(bit_known && in_bvalid && in_bresp == 2'b01));
`endif
        end
    end
endmodule
