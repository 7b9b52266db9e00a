// SPDX-License-Identifier: Apache-2.0
//
// The register bus: two masters (host, core) and the blocks of gpu.def.
//
// One access a cycle; when both ask they take turns. An access waits in registers first, so its grant is one cycle
// later, and a master's accesses are two apart. In the cycle of the grant the block sees offset and data, and answers a
// read combinationally. A write takes effect at its end. The answer is registered and reaches the master a cycle later.
//
// Rights: HOST and CORE check reg_from_host themselves; DEBUG is the host's, EXAMINE the core's. All other blocks
// ignore a host's writes, which never reach reg_write. Addresses of no block read zero.
`default_nettype none
module reg_bus (
    input  wire        clk,
    input  wire        rst,

    // Masters: req with stable payload until gnt (combinational); rdata in the cycle after gnt.
    input  wire        host_req,
    input  wire        host_we,
    input  wire [11:0] host_address,
    input  wire [31:0] host_wdata,
    output wire        host_gnt,
    input  wire        core_req,
    input  wire        core_we,
    input  wire [11:0] core_address,
    input  wire [31:0] core_wdata,
    output wire        core_gnt,
    output reg  [31:0] rdata,

    // Blocks: reg_write/reg_read are pulses, one bit per block, in the order of the REG_* indexes below.
    output reg  [8:0]  reg_write,
    output reg  [8:0]  reg_read,
    output wire        reg_from_host,
    output wire [7:0]  reg_offset,
    output wire [31:0] reg_wdata,
    input  wire [31:0] host_rdata,
    input  wire [31:0] core_rdata,
    input  wire [31:0] node0_rdata,
    input  wire [31:0] node1_rdata,
    input  wire [31:0] aperture_rdata,
    input  wire [31:0] memory_rdata,
    input  wire [31:0] debug_rdata,
    input  wire [31:0] examine_rdata,
    input  wire [31:0] display_rdata
);
`include "gpu_spec.vh"
    // ------------------------------------------------------------------ turns
    reg         last_was_core;
    reg         by_core, by_host;           // granted in this cycle
    reg  [7:0]  offset;
    reg  [31:0] wdata;
    wire        core_asks = core_req && !by_core;
    wire        host_asks = host_req && !by_host;
    wire        take_core = core_asks && (!host_asks || !last_was_core);
    wire        take_host = host_asks && !take_core;
    wire        takes     = (take_core || take_host) && !rst;
    wire        we        = take_core ? core_we : host_we;

    // ------------------------------------------------------------------ decode
    wire [3:0]  block   = take_core ? core_address[11:8] : host_address[11:8];
    wire [3:0]  base_host     = HOST_BASE[11:8];
    wire [3:0]  base_core     = CORE_BASE[11:8];
    wire [3:0]  base_node     = NODE_BASE[11:8];
    wire [3:0]  base_aperture = APERTURE_BASE[11:8];
    wire [3:0]  base_memory   = MEMORY_BASE[11:8];
    wire [3:0]  base_debug    = DEBUG_BASE[11:8];
    wire [3:0]  base_examine  = EXAMINE_BASE[11:8];
    wire [3:0]  base_display  = DISPLAY_BASE[11:8];
    wire [8:0]  select = {block == base_display, block == base_examine, block == base_debug, block == base_memory,
                          block == base_aperture, block == base_node + 4'd1, block == base_node, block == base_core,
                          block == base_host};
    wire [8:0]  writable = take_core ? 9'b110111111 : 9'b001000011;
    wire [8:0]  readable = take_core ? 9'b110111111 : 9'b101111111;
    reg  [8:0]  answers;
    always @(posedge clk) begin
        if (rst) last_was_core <= 1'b0;
        else if (takes) last_was_core <= take_core;
        by_core   <= !rst && take_core;
        by_host   <= !rst && take_host;
        offset    <= take_core ? core_address[7:0] : host_address[7:0];
        wdata     <= take_core ? core_wdata : host_wdata;
        reg_write <= {9{takes && we}} & select & writable;
        reg_read  <= {9{takes && !we}} & select & readable;
        answers   <= select & readable;
    end
    assign core_gnt      = by_core;
    assign host_gnt      = by_host;
    assign reg_wdata     = wdata;
    assign reg_from_host = !core_gnt;
    assign reg_offset    = offset;

    // ------------------------------------------------------------------ answer
    always @(posedge clk)
        rdata <= ({32{answers[0]}} & host_rdata)  | ({32{answers[1]}} & core_rdata)
               | ({32{answers[2]}} & node0_rdata) | ({32{answers[3]}} & node1_rdata)
               | ({32{answers[4]}} & aperture_rdata) | ({32{answers[5]}} & memory_rdata)
               | ({32{answers[6]}} & debug_rdata) | ({32{answers[7]}} & examine_rdata)
               | ({32{answers[8]}} & display_rdata);

`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            // Blocks do not overlap, and one master is served at a time.
            assert ((select & (select - 9'd1)) == 9'd0);
            assert (!(core_gnt && host_gnt));
        end
`endif
endmodule
`default_nettype wire
