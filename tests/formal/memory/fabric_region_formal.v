// SPDX-License-Identifier: Apache-2.0
//
// Both halves of the fabric under any masters and memories: what is asked of a segment's memory past the segment's
// size, the firmware's region behind SEGMENT, comes from the core, and nothing past that is asked for. Every master's
// bursts are marked in an address bit that only the core's have.
module fabric_region_formal #(parameter SEGMENT = 1) (
    input clk,
    input rst,
    input [27:0] r_page, input [3:0] arvalid, input [2:0] p_arready, input [2:0] r_answer,  // addresses: 7 bits each
    input [20:0] w_page, input [2:0] awvalid, input [2:0] wvalid, input [2:0] wlast, input [2:0] p_awready,
    input [2:0] p_wready, input [2:0] w_answer
);
    wire [127:0] r_araddr;
    wire [95:0]  w_awaddr, p_araddr, p_awaddr;
    wire [2:0]   p_arvalid, p_awvalid;
    genvar m;
    generate
        for (m = 0; m < 4; m = m + 1) begin : reader
            assign r_araddr[32*m +: 32] = {r_page[7*m + 3 +: 4], 13'd0, r_page[7*m +: 3], 7'd0, m == 3, 4'd0};
        end
        for (m = 0; m < 3; m = m + 1) begin : writer
            assign w_awaddr[32*m +: 32] = {w_page[7*m + 3 +: 4], 13'd0, w_page[7*m +: 3], 7'd0, m == 2, 4'd0};
        end
    endgenerate
    wire [3:0]  r_arready, r_rlast, r_rvalid;
    wire [31:0] r_rdata;
    wire [7:0]  r_rresp;
    wire [23:0] p_arlen, p_awlen, p_wdata;
    wire [8:0]  p_arsize, p_awsize;
    wire [2:0]  w_awready, w_wready, w_bvalid, p_wstrb, p_wlast, p_wvalid, p_bready;
    wire [5:0]  w_bresp;
    reg  [3:0]  r_open [0:2], w_open [0:2];     // bursts that a memory has taken and not answered
    wire [2:0]  r_may, w_may;
    fabric_read #(.DATA_WIDTH(8), .SEGMENT1_BYTES(8192), .SEGMENT2_BYTES(8192), .FIRMWARE_BYTES(4096),
        .FIRMWARE_SEGMENT(SEGMENT),
        .APERTURE_PAGES(16), .MASTER_BURSTS(4)) reads (
        .clk(clk), .rst(rst), .r_araddr(r_araddr), .r_arlen(32'd0), .r_arsize(12'd0), .r_arvalid(arvalid),
        .r_arready(r_arready), .r_rdata(r_rdata), .r_rresp(r_rresp), .r_rlast(r_rlast), .r_rvalid(r_rvalid),
        .d_araddr(32'd0), .d_arlen(8'd0), .d_arvalid(1'b0), .d_arready(), .d_rdata(), .d_rvalid(), .d_urgent(1'b0),
        .d_reserve(1'b0), .d_alone(),
        .p_araddr(p_araddr), .p_arlen(p_arlen), .p_arsize(p_arsize), .p_arvalid(p_arvalid), .p_arready(p_arready),
        .p_rdata(24'd0), .p_rresp(6'd0), .p_rlast(3'b111), .p_rvalid(r_answer & r_may));
    fabric_write #(.DATA_WIDTH(8), .SEGMENT1_BYTES(8192), .SEGMENT2_BYTES(8192), .FIRMWARE_BYTES(4096),
        .FIRMWARE_SEGMENT(SEGMENT),
        .APERTURE_PAGES(16), .MASTER_BURSTS(4)) writes (
        .clk(clk), .rst(rst), .w_awaddr(w_awaddr), .w_awlen(24'd0), .w_awsize(9'd0), .w_awvalid(awvalid),
        .w_awready(w_awready), .w_wdata(24'd0), .w_wstrb(3'd0), .w_wlast(wlast), .w_wvalid(wvalid),
        .w_wready(w_wready), .w_bresp(w_bresp), .w_bvalid(w_bvalid), .w_bready(3'b111),
        .p_awaddr(p_awaddr), .p_awlen(p_awlen), .p_awsize(p_awsize), .p_awvalid(p_awvalid), .p_awready(p_awready),
        .p_addressed(p_awvalid & p_awready), .p_wdata(p_wdata), .p_wstrb(p_wstrb), .p_wlast(p_wlast),
        .p_wvalid(p_wvalid), .p_wready(p_wready), .p_bresp(6'd0), .p_bvalid(w_answer & w_may), .p_bready(p_bready));

    genvar s;
    generate
        for (s = 0; s < 3; s = s + 1) begin : memory
            assign r_may[s] = r_open[s] != 4'd0;
            assign w_may[s] = w_open[s] != 4'd0;
            always @(posedge clk) begin
                r_open[s] <= rst ? 4'd0 : r_open[s] + {3'd0, p_arvalid[s] && p_arready[s]}
                             - {3'd0, r_answer[s] && r_may[s]};
                w_open[s] <= rst ? 4'd0 : w_open[s] + {3'd0, p_wvalid[s] && p_wready[s] && p_wlast[s]}
                             - {3'd0, w_answer[s] && w_may[s] && p_bready[s]};
            end
        end
    endgenerate

    reg first = 1'b1;
    localparam M = SEGMENT - 1, OTHER = 2 - SEGMENT;
    wire [31:0] read_at = p_araddr[32*M +: 32], write_at = p_awaddr[32*M +: 32];
    wire [31:0] other_read = p_araddr[32*OTHER +: 32], other_write = p_awaddr[32*OTHER +: 32];
    wire [27:0] read_offset = read_at[27:0], write_offset = write_at[27:0];
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        else if (!rst) begin
            if (p_arvalid[M])
                assert (read_at[31:28] == SEGMENT
                        && (read_offset < 28'd8192 || (read_at[4] && read_offset < 28'd12288)));
            if (p_awvalid[M])
                assert (write_at[31:28] == SEGMENT
                        && (write_offset < 28'd8192 || (write_at[4] && write_offset < 28'd12288)));
            if (p_arvalid[OTHER]) assert (other_read[31:28] == 3 - SEGMENT && other_read[27:0] < 28'd8192);
            if (p_awvalid[OTHER]) assert (other_write[31:28] == 3 - SEGMENT && other_write[27:0] < 28'd8192);
`ifdef REACH
            // The core reads there, then writes.
            assert (!(p_arvalid[M] && read_offset >= 28'd8192 && p_awvalid[M] && write_offset >= 28'd8192));
`endif
        end
    end
endmodule
