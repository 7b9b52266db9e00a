// SPDX-License-Identifier: Apache-2.0
//
// Icarus repeats what Verilator did: node_bench.v gets the recorded inputs (record.h), and every output that
// means something in a cycle must be the recorded one, with no unknown bit. Icarus starts every register and
// memory unknown, so this also shows that nothing depends on a value never written.
`default_nettype none
// A difference counts while `meaning` is set.
`define CHECK(meaning, is, was, text) \
    if ((meaning) && is !== was) begin \
        failed = failed + 1; \
        if (failed < 10) $display("cycle %0d: %s is %h, was %h", cycles, text, is, was); \
    end

module node_replay;
    reg clk = 1'b0;
    // Inputs.
    reg         rst = 0;
    reg  [2:0]  reg_write = 0;
    reg  [7:0]  reg_offset = 0;
    reg  [31:0] reg_wdata = 0;
    reg         c_req = 0;
    reg         c_we = 0;
    reg  [3:0]  c_be = 0;
    reg  [15:0] c_address = 0;
    reg  [31:0] c_wdata = 0;
    reg  [31:0] b_araddr = 0;
    reg  [7:0]  b_arlen = 0;
    reg         b_arvalid = 0;
    reg  [31:0] b_awaddr = 0;
    reg  [7:0]  b_awlen = 0;
    reg         b_awvalid = 0;
    reg  [63:0] b_wdata = 0;
    reg  [7:0]  b_wstrb = 0;
    reg         b_wlast = 0;
    reg         b_wvalid = 0;
    reg         m_arready = 0;
    reg  [63:0] m_rdata = 0;
    reg  [1:0]  m_rresp = 0;
    reg         m_rlast = 0;
    reg         m_rvalid = 0;
    reg         m_awready = 0;
    reg         m_wready = 0;
    reg  [1:0]  m_bresp = 0;
    reg         m_bvalid = 0;
    // Outputs, and what they were.
    wire [1:0]  irq;
    reg  [1:0]  was_irq;
    wire        b_arready;
    reg         was_b_arready;
    wire [63:0] b_rdata;
    reg  [63:0] was_b_rdata;
    wire [1:0]  b_rresp;
    reg  [1:0]  was_b_rresp;
    wire        b_rlast;
    reg         was_b_rlast;
    wire        b_rvalid;
    reg         was_b_rvalid;
    wire        b_awready;
    reg         was_b_awready;
    wire        b_wready;
    reg         was_b_wready;
    wire [1:0]  b_bresp;
    reg  [1:0]  was_b_bresp;
    wire        b_bvalid;
    reg         was_b_bvalid;
    wire [31:0] m_araddr;
    reg  [31:0] was_m_araddr;
    wire [7:0]  m_arlen;
    reg  [7:0]  was_m_arlen;
    wire [2:0]  m_arsize;
    reg  [2:0]  was_m_arsize;
    wire        m_aruser;
    reg         was_m_aruser;
    wire        m_arvalid;
    reg         was_m_arvalid;
    wire [31:0] m_awaddr;
    reg  [31:0] was_m_awaddr;
    wire [7:0]  m_awlen;
    reg  [7:0]  was_m_awlen;
    wire [2:0]  m_awsize;
    reg  [2:0]  was_m_awsize;
    wire        m_awuser;
    reg         was_m_awuser;
    wire        m_awvalid;
    reg         was_m_awvalid;
    wire [7:0]  m_wstrb;
    reg  [7:0]  was_m_wstrb;
    wire        m_wlast;
    reg         was_m_wlast;
    wire        m_wvalid;
    reg         was_m_wvalid;
    wire        m_bready;
    reg         was_m_bready;
    wire [1:0]  probe_begin;
    reg  [1:0]  was_probe_begin;
    wire [1:0]  probe_end;
    reg  [1:0]  was_probe_end;
    wire [1:0]  node_arvalid;
    reg  [1:0]  was_node_arvalid;
    wire [1:0]  node_awvalid;
    reg  [1:0]  was_node_awvalid;
    wire [31:0] segment1_beats;
    reg  [31:0] was_segment1_beats;
    wire [31:0] segment2_beats;
    reg  [31:0] was_segment2_beats;
    wire [31:0] system_beats;
    reg  [31:0] was_system_beats;
    wire [63:0] m_wdata;
    reg  [63:0] was_m_wdata;
    node_bench dut (
        .clk (clk),
        .rst (rst),
        .reg_write (reg_write),
        .reg_offset (reg_offset),
        .reg_wdata (reg_wdata),
        .c_req (c_req),
        .c_we (c_we),
        .c_be (c_be),
        .c_address (c_address),
        .c_wdata (c_wdata),
        .b_araddr (b_araddr),
        .b_arlen (b_arlen),
        .b_arvalid (b_arvalid),
        .b_awaddr (b_awaddr),
        .b_awlen (b_awlen),
        .b_awvalid (b_awvalid),
        .b_wdata (b_wdata),
        .b_wstrb (b_wstrb),
        .b_wlast (b_wlast),
        .b_wvalid (b_wvalid),
        .m_arready (m_arready),
        .m_rdata (m_rdata),
        .m_rresp (m_rresp),
        .m_rlast (m_rlast),
        .m_rvalid (m_rvalid),
        .m_awready (m_awready),
        .m_wready (m_wready),
        .m_bresp (m_bresp),
        .m_bvalid (m_bvalid),
        .irq (irq),
        .b_arready (b_arready),
        .b_rdata (b_rdata),
        .b_rresp (b_rresp),
        .b_rlast (b_rlast),
        .b_rvalid (b_rvalid),
        .b_awready (b_awready),
        .b_wready (b_wready),
        .b_bresp (b_bresp),
        .b_bvalid (b_bvalid),
        .m_araddr (m_araddr),
        .m_arlen (m_arlen),
        .m_arsize (m_arsize),
        .m_aruser (m_aruser),
        .m_arvalid (m_arvalid),
        .m_awaddr (m_awaddr),
        .m_awlen (m_awlen),
        .m_awsize (m_awsize),
        .m_awuser (m_awuser),
        .m_awvalid (m_awvalid),
        .m_wstrb (m_wstrb),
        .m_wlast (m_wlast),
        .m_wvalid (m_wvalid),
        .m_bready (m_bready),
        .probe_begin (probe_begin),
        .probe_end (probe_end),
        .node_arvalid (node_arvalid),
        .node_awvalid (node_awvalid),
        .segment1_beats (segment1_beats),
        .segment2_beats (segment2_beats),
        .system_beats (system_beats),
        .m_wdata (m_wdata)
    );

    integer file, got, cycles, failed, lane;
    reg [1023:0] name;
    initial begin
        if (!$value$plusargs("record=%s", name)) name = "record.txt";
        file   = $fopen(name, "r");
        cycles = 0;
        failed = 0;
        got    = 1;
        while (file != 0 && got > 0) begin
            got = 0;
            got = $fscanf(file, "%h %h %h %h %h %h %h %h",
                rst, reg_write, reg_offset, reg_wdata, c_req, c_we, c_be, c_address);
            got = $fscanf(file, "%h %h %h %h %h %h %h %h",
                c_wdata, b_araddr, b_arlen, b_arvalid, b_awaddr, b_awlen, b_awvalid, b_wdata);
            got = $fscanf(file, "%h %h %h %h %h %h %h %h",
                b_wstrb, b_wlast, b_wvalid, m_arready, m_rdata, m_rresp, m_rlast, m_rvalid);
            got = $fscanf(file, "%h %h %h %h", m_awready, m_wready, m_bresp, m_bvalid);
            got = $fscanf(file, "%h %h %h %h %h %h %h %h",
                was_irq, was_b_arready, was_b_rdata, was_b_rresp, was_b_rlast, was_b_rvalid, was_b_awready,
                was_b_wready);
            got = $fscanf(file, "%h %h %h %h %h %h %h %h",
                was_b_bresp, was_b_bvalid, was_m_araddr, was_m_arlen, was_m_arsize, was_m_aruser,
                was_m_arvalid, was_m_awaddr);
            got = $fscanf(file, "%h %h %h %h %h %h %h %h",
                was_m_awlen, was_m_awsize, was_m_awuser, was_m_awvalid, was_m_wstrb, was_m_wlast, was_m_wvalid,
                was_m_bready);
            got = $fscanf(file, "%h %h %h %h %h %h %h %h",
                was_probe_begin, was_probe_end, was_node_arvalid, was_node_awvalid, was_segment1_beats,
                was_segment2_beats, was_system_beats, was_m_wdata);
            #1;
            if (got > 0 && !rst) begin
                `CHECK(1'b1, irq, was_irq, "irq")
                `CHECK(1'b1, b_arready, was_b_arready, "b_arready")
                `CHECK(was_b_rvalid, b_rdata, was_b_rdata, "b_rdata")
                `CHECK(was_b_rvalid, b_rresp, was_b_rresp, "b_rresp")
                `CHECK(was_b_rvalid, b_rlast, was_b_rlast, "b_rlast")
                `CHECK(1'b1, b_rvalid, was_b_rvalid, "b_rvalid")
                `CHECK(1'b1, b_awready, was_b_awready, "b_awready")
                `CHECK(1'b1, b_wready, was_b_wready, "b_wready")
                `CHECK(was_b_bvalid, b_bresp, was_b_bresp, "b_bresp")
                `CHECK(1'b1, b_bvalid, was_b_bvalid, "b_bvalid")
                `CHECK(was_m_arvalid, m_araddr, was_m_araddr, "m_araddr")
                `CHECK(was_m_arvalid, m_arlen, was_m_arlen, "m_arlen")
                `CHECK(was_m_arvalid, m_arsize, was_m_arsize, "m_arsize")
                `CHECK(was_m_arvalid, m_aruser, was_m_aruser, "m_aruser")
                `CHECK(1'b1, m_arvalid, was_m_arvalid, "m_arvalid")
                `CHECK(was_m_awvalid, m_awaddr, was_m_awaddr, "m_awaddr")
                `CHECK(was_m_awvalid, m_awlen, was_m_awlen, "m_awlen")
                `CHECK(was_m_awvalid, m_awsize, was_m_awsize, "m_awsize")
                `CHECK(was_m_awvalid, m_awuser, was_m_awuser, "m_awuser")
                `CHECK(1'b1, m_awvalid, was_m_awvalid, "m_awvalid")
                `CHECK(was_m_wvalid, m_wstrb, was_m_wstrb, "m_wstrb")
                `CHECK(was_m_wvalid, m_wlast, was_m_wlast, "m_wlast")
                `CHECK(1'b1, m_wvalid, was_m_wvalid, "m_wvalid")
                `CHECK(1'b1, m_bready, was_m_bready, "m_bready")
                `CHECK(1'b1, probe_begin, was_probe_begin, "probe_begin")
                `CHECK(1'b1, probe_end, was_probe_end, "probe_end")
                `CHECK(1'b1, node_arvalid, was_node_arvalid, "node_arvalid")
                `CHECK(1'b1, node_awvalid, was_node_awvalid, "node_awvalid")
                `CHECK(1'b1, segment1_beats, was_segment1_beats, "segment1_beats")
                `CHECK(1'b1, segment2_beats, was_segment2_beats, "segment2_beats")
                `CHECK(1'b1, system_beats, was_system_beats, "system_beats")
                for (lane = 0; lane < 8; lane = lane + 1)
                    if (was_m_wvalid && was_m_wstrb[lane] && m_wdata[8*lane +: 8] !== was_m_wdata[8*lane +: 8]) begin
                        failed = failed + 1;
                        if (failed < 10) $display("cycle %0d: m_wdata is %h, was %h", cycles, m_wdata, was_m_wdata);
                    end
                cycles = cycles + 1;
            end
            clk = 1'b1;
            #1;
            clk = 1'b0;
            #1;
        end
        $display("%0d cycles repeated", cycles);
        $display("%0d passed, %0d failed", cycles > 1000 && failed == 0 ? 1 : 0, cycles > 1000 ? failed : 1);
        $finish;
    end
endmodule
`default_nettype wire
