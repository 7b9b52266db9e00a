// SPDX-License-Identifier: Apache-2.0
//
// Two masters that ask and write as they like, blocks that answer anything: whoever is granted sees its own address and
// data at the one block they name and has that block's answer in the next cycle, nothing is read or written without a
// grant, the host writes only where it may, and nobody waits for more than one access of the other.
// Where both ask in the first cycle after a reset, the core is served first.
module reg_bus_formal (
    input clk,
    input rst,
    input host_req, input host_we, input [11:0] host_address, input [31:0] host_wdata,
    input core_req, input core_we, input [11:0] core_address, input [31:0] core_wdata,
    input [31:0] host_rdata, input [31:0] core_rdata, input [31:0] node0_rdata, input [31:0] node1_rdata,
    input [31:0] aperture_rdata, input [31:0] memory_rdata, input [31:0] debug_rdata,
    input [31:0] examine_rdata, input [31:0] display_rdata
);
`include "gpu_spec.vh"
    wire        host_gnt, core_gnt, reg_from_host;
    wire [31:0] rdata, reg_wdata;
    wire [8:0]  reg_write, reg_read;
    wire [7:0]  reg_offset;
    reg_bus dut (
        .clk(clk), .rst(rst), .host_req(host_req), .host_we(host_we), .host_address(host_address),
        .host_wdata(host_wdata), .host_gnt(host_gnt), .core_req(core_req), .core_we(core_we),
        .core_address(core_address), .core_wdata(core_wdata), .core_gnt(core_gnt), .rdata(rdata),
        .reg_write(reg_write), .reg_read(reg_read), .reg_from_host(reg_from_host), .reg_offset(reg_offset),
        .reg_wdata(reg_wdata), .host_rdata(host_rdata), .core_rdata(core_rdata), .node0_rdata(node0_rdata),
        .node1_rdata(node1_rdata), .aperture_rdata(aperture_rdata), .memory_rdata(memory_rdata),
        .debug_rdata(debug_rdata), .examine_rdata(examine_rdata), .display_rdata(display_rdata)
    );

    // A request stays as it is until it is granted.
    reg         first = 1'b1, host_waits = 1'b0, core_waits = 1'b0;
    reg  [44:0] host_was, core_was;
    wire [44:0] host_now = {host_we, host_address, host_wdata}, core_now = {core_we, core_address, core_wdata};
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        else begin
            if (host_waits) assume (host_req && host_now == host_was);
            if (core_waits) assume (core_req && core_now == core_was);
        end
        host_waits <= !rst && host_req && !host_gnt;
        core_waits <= !rst && core_req && !core_gnt;
        {host_was, core_was} <= {host_now, core_now};
    end

    // What the granted master asks for.
    wire         granted = host_gnt || core_gnt;
    wire [11:0]  address = host_gnt ? host_address : core_address;
    wire         we      = host_gnt ? host_we : core_we;
    wire [3:0]   block   = address[11:8];
    wire [8:0]   at = {block == DISPLAY_BASE >> 8, block == EXAMINE_BASE >> 8, block == DEBUG_BASE >> 8,
                       block == MEMORY_BASE >> 8,
                       block == APERTURE_BASE >> 8, block == (NODE_BASE >> 8) + 1, block == NODE_BASE >> 8,
                       block == CORE_BASE >> 8, block == HOST_BASE >> 8};
    wire [31:0]  answer = at[0] ? host_rdata : at[1] ? core_rdata : at[2] ? node0_rdata : at[3] ? node1_rdata
                          : at[4] ? aperture_rdata : at[5] ? memory_rdata : at[6] && host_gnt ? debug_rdata
                          : at[7] && core_gnt ? examine_rdata : at[8] ? display_rdata : 32'd0;
    reg          expects = 1'b0;
    reg  [31:0]  expected;
    reg  [2:0]   host_waited = 3'd0, core_waited = 3'd0;
    reg          is_reset = 1'b0, was_reset = 1'b0; // in the last cycle; in the one before, and not in the last
    always @(posedge clk) begin
        expects     <= !rst && granted;
        expected    <= answer;
        host_waited <= rst || !host_req || host_gnt ? 3'd0 : host_waited + 3'd1;
        is_reset    <= rst;
        was_reset   <= is_reset && !rst;
        core_waited <= rst || !core_req || core_gnt ? 3'd0 : core_waited + 3'd1;
        if (!rst && !first) begin
            assert (!(host_gnt && core_gnt) && (!host_gnt || host_req) && (!core_gnt || core_req));
            if (expects) assert (rdata == expected);
            if (granted) begin
                assert (reg_offset == address[7:0] && reg_from_host == host_gnt);
                assert (reg_read == (we ? 9'd0 : at & (host_gnt ? 9'b101111111 : 9'b110111111)));
                assert (reg_write == (we ? at & (host_gnt ? 9'b001000011 : 9'b110111111) : 9'd0));
                if (we) assert (reg_wdata == (host_gnt ? host_wdata : core_wdata));
            end else assert (reg_read == 9'd0 && reg_write == 9'd0);
            assert (host_waited <= 3'd2 && core_waited <= 3'd2);
            if (was_reset && core_waits) assert (!host_gnt);
        end
`ifdef REACH
        // Both ask, it is the host's turn after the core's, and an answer other than zero has come.
        if (!rst && !first) assert (!(host_gnt && core_req && expects && rdata != 32'd0));
`endif
    end
endmodule
