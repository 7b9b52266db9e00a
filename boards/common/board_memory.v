// SPDX-License-Identifier: Apache-2.0
//
// The board's memory: memory_hub.v on the system clock, three FIFOs across, sdram_controller.v on its own.
// Ports as in memory_hub.v. BYTE_MASKS 0: the SDRAM's mask pins are not wired, and write_merge.v reads what a beat
// leaves alone.
`default_nettype none

module board_memory #(
    parameter [25:0] SYSTEM_BYTES = 26'h1800000,
    parameter [25:0] LOCAL_BYTES  = 26'h0800000,  // behind system memory
    parameter [25:0] SEEN_BYTES   = 26'h2000000,  // by the wire and scan-out, from 0 on
    parameter WIDTH       = 16,                   // of the SDRAM's data
    parameter BYTE_MASKS  = 1,
    parameter CAS_LATENCY = 3,
    parameter READ_DELAY  = 4,
    parameter T_INIT      = 20000,
    parameter T_REFRESH   = 750,
    parameter T_RFC       = 7
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            sdram_clk,
    input  wire            sdram_rst,
    output wire            sdram_ready,           // in sdram_clk
    input  wire            urgent,                // memory_hub.v

    input  wire [5*32-1:0] r_araddr,
    input  wire [5*8-1:0]  r_arlen,
    input  wire [4:0]      r_arvalid,
    output wire [4:0]      r_arready,
    output wire [63:0]     r_rdata,
    output wire [1:0]      r_rresp,
    output wire            r_rlast,
    output wire [4:0]      r_rvalid,
    input  wire [3*32-1:0] w_awaddr,
    input  wire [3*8-1:0]  w_awlen,
    input  wire [2:0]      w_awvalid,
    output wire [2:0]      w_awready,
    input  wire [3*64-1:0] w_wdata,
    input  wire [3*8-1:0]  w_wstrb,
    input  wire [2:0]      w_wvalid,
    output wire [2:0]      w_wready,
    output wire [3*2-1:0]  w_bresp,
    output wire [2:0]      w_bvalid,
    input  wire [2:0]      w_bready,

    output wire [3:0]      sd_command,
    output wire [12:0]     sd_a,
    output wire [1:0]      sd_ba,
    output wire [WIDTH/8-1:0] sd_dqm,
    output wire [WIDTH-1:0]   sd_dq_out,
    output wire            sd_dq_drive,
    input  wire [WIDTH-1:0]   sd_dq_in
);
    wire        push, full, pop, valid;
    wire [26:0] request_in, request;
    wire        partial_in, to_valid, to_pop, from_push; // to and from the controller
    wire [26:0] to_request;
    wire [71:0] to_beat;
    wire [63:0] from_data;
    wire        write_push, write_full, write_pop, write_valid;
    wire [71:0] write_in, write_beat;
    wire        read_push, read_full, read_pop, read_valid;
    wire [63:0] read_in, read_data;
    wire [2:0]  request_level;
    wire [5:0]  write_level;
    wire [5:0]  read_level;

    memory_hub #(.SYSTEM_BASE(26'd0), .SYSTEM_BYTES(SYSTEM_BYTES), .LOCAL_BASE(SYSTEM_BYTES),
                 .LOCAL_BYTES(LOCAL_BYTES), .SEEN_BYTES(SEEN_BYTES), .BYTE_MASKS(BYTE_MASKS)) hub (
        .clk(clk), .rst(rst), .urgent(urgent),
        .r_araddr(r_araddr), .r_arlen(r_arlen), .r_arvalid(r_arvalid), .r_arready(r_arready),
        .r_rdata(r_rdata), .r_rresp(r_rresp), .r_rlast(r_rlast), .r_rvalid(r_rvalid),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awvalid(w_awvalid), .w_awready(w_awready),
        .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wvalid(w_wvalid), .w_wready(w_wready),
        .w_bresp(w_bresp), .w_bvalid(w_bvalid), .w_bready(w_bready),
        .request_push(push), .request(request_in), .request_full(full), .request_partial(partial_in),
        .write_push(write_push), .write_beat(write_in), .write_full(write_full),
        .read_valid(read_valid), .read_data(read_data), .read_pop(read_pop)
    );

    localparam FLAG = BYTE_MASKS != 0 ? 0 : 1;
    wire [27:0] entry = {partial_in, request_in};
    wire [26+FLAG:0] queued;
    async_fifo #(.WIDTH(27 + FLAG), .LOG2_DEPTH(2), .OUTPUT_REGISTER(1)) requests (
        .w_clk(clk), .w_rst(rst), .w_push(push), .w_data(entry[26+FLAG:0]), .w_full(full), .w_level(request_level),
        .r_clk(sdram_clk), .r_rst(sdram_rst), .r_pop(pop), .r_data(queued), .r_valid(valid)
    );
    assign request = queued[26:0];
    async_fifo #(.WIDTH(72), .LOG2_DEPTH(5), .OUTPUT_REGISTER(1)) writes (
        .w_clk(clk), .w_rst(rst), .w_push(write_push), .w_data(write_in), .w_full(write_full), .w_level(write_level),
        .r_clk(sdram_clk), .r_rst(sdram_rst), .r_pop(write_pop), .r_data(write_beat), .r_valid(write_valid)
    );
    // The hub takes a beat in every cycle of clk, and never asks for more than the FIFO holds.
    async_fifo #(.WIDTH(64), .LOG2_DEPTH(5)) reads (
        .w_clk(sdram_clk), .w_rst(sdram_rst), .w_push(read_push), .w_data(read_in),
        .w_full(read_full), .w_level(read_level), .r_clk(clk), .r_rst(rst), .r_pop(read_pop),
        .r_data(read_data), .r_valid(read_valid)
    );

    generate
        if (BYTE_MASKS != 0) begin : masked
            assign {to_valid, to_request, pop} = {valid, request, to_pop};
            assign {to_beat, read_push, read_in} = {write_beat, from_push, from_data};
        end else begin : unmasked
            write_merge merge (
                .clk(sdram_clk), .rst(sdram_rst), .request_valid(valid), .request_partial(queued[26+FLAG]),
                .request(request), .request_pop(pop), .write_beat(write_beat), .write_pop(write_pop),
                .read_push(read_push), .read_data(read_in), .to_valid(to_valid), .to_request(to_request),
                .to_pop(to_pop), .to_beat(to_beat), .from_push(from_push), .from_data(from_data)
            );
        end
    endgenerate

    sdram_controller #(.WIDTH(WIDTH), .CAS_LATENCY(CAS_LATENCY), .READ_DELAY(READ_DELAY), .T_INIT(T_INIT),
                       .T_REFRESH(T_REFRESH), .T_RFC(T_RFC)) controller (
        .clk(sdram_clk), .rst(sdram_rst), .ready(sdram_ready),
        .request_valid(to_valid), .request(to_request), .request_pop(to_pop),
        .write_valid(write_valid), .write_beat(to_beat), .write_pop(write_pop),
        .read_push(from_push), .read_data(from_data),
        .sd_command(sd_command), .sd_a(sd_a), .sd_ba(sd_ba), .sd_dqm(sd_dqm), .sd_dq_out(sd_dq_out),
        .sd_dq_drive(sd_dq_drive), .sd_dq_in(sd_dq_in)
    );
    wire unused = &{1'b0, entry, read_full, request_level, write_level, read_level};
endmodule
`default_nettype wire
