// SPDX-License-Identifier: Apache-2.0
//
// The examiner, and what reads lists for it. They share a block of registers and a port of command RAM. What they ask
// of it waits in two registers for its turn, so that a packet's first word and the block RAMs are not one path.
`default_nettype none
module examination #(
    parameter PRESENT       = 1,  // 0: no examiner; its registers read zero
    parameter LISTS         = 1,  // 0: the firmware reads the lists (lists.v)
    parameter DATA_WIDTH    = 64,
    parameter COMMAND_WIDTH = 16, // bits of a byte offset in command RAM, 16 to 18
    parameter ENTRIES_LOG2  = 10, // of the entries of a list, 5 to 12
    parameter ROWS_LOG2     = 10  // of the allocations that lists.v knows, 6 to 14
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        core_held,           // level: the reader of lists stops

    // Block EXAMINE of gpu.def, the core's accesses only. The answer is combinational from reg_offset.
    input  wire        reg_write,
    input  wire        reg_read,
    input  wire [7:0]  reg_offset,
    input  wire [31:0] reg_wdata,
    output wire [31:0] reg_rdata,

    // Command RAM: see command_ram.v.
    output wire        fetch_req,
    input  wire        fetch_gnt,
    output wire [COMMAND_WIDTH-1:0] fetch_address,
    output wire [3:0]  fetch_write,
    output wire [31:0] fetch_wdata,
    input  wire        fetch_rvalid,
    input  wire [31:0] fetch_rdata,

    // Reads of system memory: one burst at a time, whose data is taken at once.
    output wire [31:0] m_araddr,
    output wire [7:0]  m_arlen,
    output wire [2:0]  m_arsize,
    output wire        m_arvalid,
    input  wire        m_arready,
    input  wire [DATA_WIDTH-1:0] m_rdata,
    input  wire [1:0]  m_rresp,
    input  wire        m_rlast,
    input  wire        m_rvalid
);
`include "gpu_spec.vh"
    wire        walk_req, x_write, x_read;
    wire [COMMAND_WIDTH-1:0] walk_address;

    // ------------------------------------------------------------------ what waits for command RAM
    wire        lists_req;
    wire [3:0]  lists_write;
    wire [COMMAND_WIDTH-1:0] lists_address;
    wire [31:0] lists_wdata;
    // The first asks, the next stands behind it: what asks here is not told by the grant, which comes from far away.
    localparam ASK = 4 + COMMAND_WIDTH + 32;
    reg              waits, next_waits;
    reg  [ASK-1:0]   first, next;           // {write, address, data}
    reg              was_read;              // of the last one that was granted
    wire             stops = core_held || (reg_write && reg_offset == EXAMINE_STOP_OFFSET); // and no write is left
    wire             takes = !next_waits;
    wire             comes = fetch_rvalid && was_read;
    wire             asks  = walk_req || (lists_req && !stops);
    wire [ASK-1:0]   ask   = {walk_req ? 4'd0 : lists_write, walk_req ? walk_address : lists_address, lists_wdata};
    wire             first_writes = first[ASK-1 -: 4] != 4'd0, next_writes = next[ASK-1 -: 4] != 4'd0;
    wire             first_stays = !stops || !first_writes, next_stays = !stops || !next_writes;
    always @(posedge clk) begin
        if (fetch_gnt || !waits) begin
            waits <= !rst && (next_waits ? next_stays : asks);
            first <= next_waits ? next : ask;
        end else waits <= !rst && first_stays;
        next_waits <= !rst && waits && !fetch_gnt && (next_waits ? next_stays : asks);
        if (!next_waits) next <= ask;
        was_read <= !first_writes;
    end
    assign fetch_req = waits;
    assign {fetch_write, fetch_address, fetch_wdata} = first;
    wire             writes_wait = (waits && first_writes) || (next_waits && next_writes);

    // ------------------------------------------------------------------ the two
    wire [7:0]  x_offset;
    wire [31:0] x_wdata, x_rdata;
    examiner #(.PRESENT(PRESENT), .COMMAND_WIDTH(COMMAND_WIDTH), .ENTRIES_LOG2(ENTRIES_LOG2)) walks (
        .clk(clk), .rst(rst),
        .reg_write(x_write), .reg_read(x_read), .reg_offset(x_offset), .reg_wdata(x_wdata), .reg_rdata(x_rdata),
        .fetch_req(walk_req), .fetch_gnt(takes && walk_req), .fetch_address(walk_address),
        .fetch_rvalid(comes), .fetch_rdata(fetch_rdata)
    );
    generate if (PRESENT != 0 && LISTS != 0) begin : reads
        lists #(
            .DATA_WIDTH(DATA_WIDTH), .COMMAND_WIDTH(COMMAND_WIDTH), .ENTRIES_LOG2(ENTRIES_LOG2), .ROWS_LOG2(ROWS_LOG2)
        ) lists (
            .clk(clk), .rst(rst), .core_held(core_held),
            .reg_write(reg_write), .reg_read(reg_read), .reg_offset(reg_offset), .reg_wdata(reg_wdata),
            .reg_rdata(reg_rdata),
            .x_write(x_write), .x_read(x_read), .x_offset(x_offset), .x_wdata(x_wdata), .x_rdata(x_rdata),
            .command_req(lists_req), .command_gnt(takes), .command_waits(writes_wait),
            .command_write(lists_write),
            .command_address(lists_address), .command_wdata(lists_wdata), .command_rvalid(comes),
            .command_rdata(fetch_rdata),
            .m_araddr(m_araddr), .m_arlen(m_arlen), .m_arsize(m_arsize), .m_arvalid(m_arvalid), .m_arready(m_arready),
            .m_rdata(m_rdata), .m_rresp(m_rresp), .m_rlast(m_rlast), .m_rvalid(m_rvalid)
        );
`ifdef GPU_ASSERT
        always @(posedge clk) if (!rst) assert (!(walk_req && lists_req)); // one waits for the other
`endif
    end else begin : by_firmware
        assign {x_write, x_read, x_offset, x_wdata} = {reg_write, reg_read, reg_offset, reg_wdata};
        assign reg_rdata     = reg_offset < EXAMINE_LISTS_OFFSET ? x_rdata : 32'd0;
        assign {lists_req, lists_write, lists_address, lists_wdata} = {(COMMAND_WIDTH+37){1'b0}};
        assign {m_araddr, m_arlen, m_arsize, m_arvalid} = 44'd0;
        wire unused = &{1'b0, writes_wait, m_arready, m_rdata, m_rresp, m_rlast, m_rvalid};
    end endgenerate
endmodule
`default_nettype wire
