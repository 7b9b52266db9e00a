// SPDX-License-Identifier: Apache-2.0
//
// A board's memory for the simulated chip: the hub and controller of boards/common, and a model of the SDRAM. The
// chip has the hub's ports as on the board. Scan-out's port rests. The host goes to `sdram.memory` by a back
// door (chip.cpp), so the wire's port rests, too, unless `wire_busy` is set. Then it reads or writes a word every 512
// cycles, which is more often than a line of 3 Mbit/s can.
//
// Beside that it counts. A write is in the memory some cycles after the hub has answered it. The back door waits until
// `written` has reached what `queued` was. Of the SDRAM's cycles, `moves` are those in which its pins carry data;
// in `busy`, which has them too, some request is at work: a row is opened, the bus turns round, or data comes late.
`default_nettype none
module board_side #(
    parameter [25:0] SYSTEM_BYTES = 26'd25165824,
    parameter SEGMENT2_BYTES = 7340032,
    parameter FIRMWARE_BYTES = 1048576,
    parameter [31:0] SDRAM_HZ = 75000000,
    parameter WIDTH          = 16,       // see board_memory.v
    parameter BYTE_MASKS     = 1,
    parameter CAS_LATENCY    = 2,
    parameter READ_DELAY     = 3,
    parameter T_INIT         = 15000,
    parameter T_REFRESH      = 500,
    parameter T_RFC          = 5
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         sdram_clk,
    input  wire         urgent,          // memory_hub.v

    // AXI4, system memory in the low bits, then segment 2, then the firmware's lines. Read data is to all; rvalid says
    // whose it is.
    input  wire [95:0]  araddr,
    input  wire [23:0]  arlen,
    input  wire [2:0]   arvalid,
    output wire [2:0]   arready,
    output wire [63:0]  rdata,
    output wire [1:0]   rresp,
    output wire         rlast,
    output wire [2:0]   rvalid,
    input  wire [63:0]  awaddr,
    input  wire [15:0]  awlen,
    input  wire [1:0]   awvalid,
    output wire [1:0]   awready,
    input  wire [127:0] wdata,
    input  wire [15:0]  wstrb,
    input  wire [1:0]   wvalid,
    output wire [1:0]   wready,
    output wire [3:0]   bresp,
    output wire [1:0]   bvalid,
    input  wire [1:0]   bready
);
    localparam [31:0] LOCAL_BYTES = SEGMENT2_BYTES + FIRMWARE_BYTES;
    localparam [31:0] ALL_BYTES   = {6'd0, SYSTEM_BYTES} + LOCAL_BYTES;
    localparam ROW_BITS = $clog2(ALL_BYTES) - 12; // rows of 4 KB in four banks
    localparam [63:0] PERIOD_PS = 64'd1000000000000 / {32'd0, SDRAM_HZ};
    localparam [31:0] INIT_NS   = PERIOD_PS[31:0] * T_INIT / 1000;
    localparam REFRESHES = WIDTH == 16 ? 8192 : 4096;

    reg         sdram_rst = 1'b1;
    always @(posedge sdram_clk) sdram_rst <= rst;

    // ------------------------------------------------------------------ the wire
    reg         wire_busy = 1'b0 /* set by chip.cpp */;
    reg  [17:0] wire_turn;                        // cycles, then words: the lowest of those says which way
    reg         wire_reads, wire_awvalid, wire_wvalid;
    wire [31:0] wire_at = {8'd0, wire_turn[9], 12'd0, wire_turn[17:10], 3'd0}; // it writes to the second 8 MB
    wire        wire_arready, wire_awready, wire_wready;
    always @(posedge clk)
        if (rst) begin
            wire_turn <= 18'd0;
            {wire_reads, wire_awvalid, wire_wvalid} <= 3'b000;
        end else if (wire_busy) begin
            wire_turn <= wire_turn + 18'd1;
            if (wire_turn[8:0] == 9'd0) {wire_reads, wire_awvalid, wire_wvalid} <= wire_turn[9] ? 3'b011 : 3'b100;
            else begin
                if (wire_arready) wire_reads   <= 1'b0;
                if (wire_awready) wire_awvalid <= 1'b0;
                if (wire_wready)  wire_wvalid  <= 1'b0;
            end
        end

    // ------------------------------------------------------------------ the memory
    wire        ready, sd_dq_drive;
    wire [3:0]  sd_command;
    wire [12:0] sd_a;
    wire [1:0]  sd_ba, idle_rvalid;
    wire        idle_arready;
    wire [2:0]  idle_answer;
    wire [WIDTH/8-1:0] sd_dqm;
    wire [WIDTH-1:0]   sd_dq_out, sd_dq_in;
    board_memory #(
        .SYSTEM_BYTES(SYSTEM_BYTES), .LOCAL_BYTES(LOCAL_BYTES[25:0]), .SEEN_BYTES(SYSTEM_BYTES), .WIDTH(WIDTH),
        .BYTE_MASKS(BYTE_MASKS), .CAS_LATENCY(CAS_LATENCY), .READ_DELAY(READ_DELAY), .T_INIT(T_INIT),
        .T_REFRESH(T_REFRESH), .T_RFC(T_RFC)
    ) memory (
        .clk(clk), .rst(rst), .sdram_clk(sdram_clk), .sdram_rst(sdram_rst), .sdram_ready(ready),
        .urgent(urgent),
        .r_araddr({araddr[95:64], wire_at, araddr[63:0], 32'd0}), .r_arlen({arlen[23:16], 8'd0, arlen[15:0], 8'd0}),
        .r_arvalid({arvalid[2], wire_reads, arvalid[1:0], 1'b0}),
        .r_arready({arready[2], wire_arready, arready[1:0], idle_arready}), .r_rdata(rdata), .r_rresp(rresp),
        .r_rlast(rlast),
        .r_rvalid({rvalid[2], idle_rvalid[1], rvalid[1:0], idle_rvalid[0]}),
        .w_awaddr({wire_at, awaddr}), .w_awlen({8'd0, awlen}), .w_awvalid({wire_awvalid, awvalid}),
        .w_awready({wire_awready, awready}), .w_wdata({64'd0, wdata}), .w_wstrb({8'h0f, wstrb}),
        .w_wvalid({wire_wvalid, wvalid}), .w_wready({wire_wready, wready}), .w_bresp({idle_answer[1:0], bresp}),
        .w_bvalid({idle_answer[2], bvalid}), .w_bready({1'b1, bready}),
        .sd_command(sd_command), .sd_a(sd_a), .sd_ba(sd_ba), .sd_dqm(sd_dqm), .sd_dq_out(sd_dq_out),
        .sd_dq_drive(sd_dq_drive), .sd_dq_in(sd_dq_in)
    );
    sdram_model #(
        .WIDTH(WIDTH), .ROW_BITS(ROW_BITS), .REFRESHES(REFRESHES), .PERIOD_PS(PERIOD_PS[31:0]),
        .INIT_NS(INIT_NS), .CAS_LATENCY(CAS_LATENCY)
    ) sdram (
        .clk(sdram_clk), .rst(sdram_rst), .command(sd_command), .a(sd_a), .ba(sd_ba),
        .dqm(BYTE_MASKS != 0 ? sd_dqm : {(WIDTH/8){1'b0}}), .dq_in(sd_dq_out), .dq_drive(sd_dq_drive),
        .dq_out(sd_dq_in)
    );

    // ------------------------------------------------------------------ what is counted
    localparam [31:0] WORDS = 64 / WIDTH; // cycles of a beat
    reg [31:0] queued, written;        // beats
    reg [7:0]  on_their_way;           // from the FIFO through the pins, longer than any takes
    reg [63:0] passed, moves, busy;
    wire       at_work = memory.to_valid || !memory.controller.next_none || memory.controller.here_hot != 4'd0;
    always @(posedge clk) queued <= rst ? 32'd0 : queued + {31'd0, memory.write_push};
    always @(posedge sdram_clk)
        if (sdram_rst) begin
            on_their_way <= 8'd0;
            written      <= 32'd0;
            {passed, moves, busy} <= 192'd0;
        end else begin
            on_their_way <= {on_their_way[6:0], memory.write_pop};
            written      <= written + {31'd0, on_their_way[7]};
            passed       <= passed + 64'd1;
            moves        <= moves + (memory.controller.column ? {32'd0, WORDS} : 64'd0);
            busy         <= busy + {63'd0, at_work};
        end
    wire unused = &{1'b0, ready, idle_arready, idle_rvalid, idle_answer, PERIOD_PS[63:32]};
endmodule
`default_nettype wire
