// SPDX-License-Identifier: Apache-2.0
//
// What every board with an SDRAM, a serial line and a display has in common, without a vendor's primitive: the
// chip, the memory behind both of its AXI4 masters, the host's wire, the picture. A board's top adds clocks, pins
// and the serialisers. Four clocks, unrelated to each other as far as this file is concerned; docs/boards.md
// lists every crossing.
//
//   wire (UART) -- wire_bridge --+-- chip's host registers          clk
//                                +-- BOARD registers
//                                +-- memory_hub == async_fifo == sdram_controller -- pins   sdram_clk
//   chip: system memory, segment 2 --+      |
//   chip's display, if it has one: d_* -------------------------------- TMDS                pixel_clk
//   else scanout (clk) --------------------+ == async_fifo == raster, TMDS                  pixel_clk
`default_nettype none

module board_core #(
    parameter CLOCK_HZ       = 50000000,
    parameter WIRE_IDLE      = CLOCK_HZ / 10,    // cycles after which half a command is forgotten
    parameter [31:0] BAUD_STEP = 32'd257698038,  // baud / CLOCK_HZ * 2**32: 3 Mbit/s
    parameter TCM_BYTES      = 65536,
    parameter TCM_INIT       = "",               // what core memory starts with: rtl/tcm.v
    parameter COMMAND_BYTES  = 65536,
    parameter SEGMENT1_BYTES = 131072,
    parameter SEGMENT2_BYTES = 7340032,
    parameter FIRMWARE_BYTES = 1048576,          // the firmware's region, behind segment 2: the end of the SDRAM
    parameter APERTURE_PAGES = 1024,
    parameter EXAMINER_LOG2  = 10,
    parameter [25:0] SYSTEM_BYTES = 26'h1800000,
    parameter SDRAM_WIDTH = 16,                  // see board_memory.v
    parameter BYTE_MASKS  = 1,
    parameter CAS_LATENCY = 3,                   // see sdram_controller.v
    parameter READ_DELAY  = 4,
    parameter T_INIT      = 20000,
    parameter T_REFRESH   = 750,
    parameter T_RFC       = 7,
    parameter PIXEL_KHZ   = 25000,               // of pixel_clk
    parameter PROMISE2    = 110                  // DISPLAY.PROMISE2: measured beside the worst of the rest
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        sdram_clk,
    input  wire        sdram_rst,
    input  wire        pixel_clk,
    input  wire        pixel_rst,

    input  wire        uart_rx,
    output wire        uart_tx,

    output wire [3:0]  sd_command,
    output wire [12:0] sd_a,
    output wire [1:0]  sd_ba,
    output wire [SDRAM_WIDTH/8-1:0] sd_dqm,
    output wire [SDRAM_WIDTH-1:0]   sd_dq_out,
    output wire        sd_dq_drive,
    input  wire [SDRAM_WIDTH-1:0]   sd_dq_in,

    output wire [9:0]  tmds_red,                 // symbols in pixel_clk, bit 0 first
    output wire [9:0]  tmds_green,
    output wire [9:0]  tmds_blue,

    output wire [7:0]  led
);
`include "gpu_spec.vh"
`include "config.vh"
    // ------------------------------------------------------------------ the chip
    wire [11:0] h_awaddr, h_araddr;
    wire [31:0] h_wdata, h_rdata;
    wire        h_awvalid, h_awready, h_wvalid, h_wready, h_bvalid, h_arvalid, h_arready, h_rvalid;
    wire [1:0]  h_bresp, h_rresp;
    wire [5*32-1:0] r_araddr;
    wire [5*8-1:0]  r_arlen;
    wire [4:0]      r_arvalid, r_arready, r_rvalid;
    wire [63:0]     r_rdata;
    wire [1:0]      r_rresp;
    wire            r_rlast;
    wire [3*32-1:0] w_awaddr;
    wire [3*8-1:0]  w_awlen, w_wstrb;
    wire [2:0]      w_awvalid, w_awready, w_wvalid, w_wready, w_bvalid, w_bready;
    wire [3*64-1:0] w_wdata;
    wire [5:0]      w_bresp;

    wire        irq, m_wlast, l_wlast, m_rready, l_rready, m_aruser, m_awuser, core_held, panicked;
    wire [2:0]  m_arsize, m_awsize, l_arsize, l_awsize;
    wire [1:0]  m_arburst, m_awburst, l_arburst, l_awburst, probe_begin, probe_end;
    wire [31:0] probe_offset, trace_event, trace_argument, exit_code, retire_pc;
    wire [15:0] probe_opcode;
    wire [7:0]  console_char;
    wire [31:0] pixel_khz;
    wire        l_urgent, pixel_on, d_hsync, d_vsync, d_visible;
    wire [23:0] d_colour;
    wire        trace_valid, console_valid, exit_valid, retire_valid;

    gpu #(.TCM_BYTES(TCM_BYTES), .TCM_INIT(TCM_INIT), .COMMAND_BYTES(COMMAND_BYTES), .SEGMENT1_BYTES(SEGMENT1_BYTES),
          .SEGMENT2_BYTES(SEGMENT2_BYTES), .FIRMWARE_BYTES(FIRMWARE_BYTES), .FIRMWARE_SEGMENT(2),
          .APERTURE_PAGES(APERTURE_PAGES), .EXAMINER_LOG2(EXAMINER_LOG2),
          .CLOCK_KHZ(CLOCK_HZ / 1000), .PIXEL_KHZ(PIXEL_KHZ),
          .PROMISE1(CLOCK_HZ / 250000), .PROMISE2(PROMISE2)) chip (
        .clk(clk), .rst(rst),
        .h_awaddr(h_awaddr), .h_awvalid(h_awvalid), .h_awready(h_awready),
        .h_wdata(h_wdata), .h_wstrb(4'hf), .h_wvalid(h_wvalid), .h_wready(h_wready),
        .h_bresp(h_bresp), .h_bvalid(h_bvalid), .h_bready(1'b1),
        .h_araddr(h_araddr), .h_arvalid(h_arvalid), .h_arready(h_arready),
        .h_rdata(h_rdata), .h_rresp(h_rresp), .h_rvalid(h_rvalid), .h_rready(1'b1),
        .irq(irq), .l_urgent(l_urgent),
        .pixel_clk(pixel_clk), .pixel_rst(pixel_rst), .pixel_khz(pixel_khz), .pixel_on(pixel_on),
        .d_hsync(d_hsync), .d_vsync(d_vsync), .d_visible(d_visible), .d_colour(d_colour),
        .m_araddr(r_araddr[63:32]), .m_arlen(r_arlen[15:8]), .m_arsize(m_arsize), .m_arburst(m_arburst),
        .m_aruser(m_aruser), .m_arvalid(r_arvalid[1]), .m_arready(r_arready[1]), .m_rdata(r_rdata), .m_rresp(r_rresp),
        .m_rlast(r_rlast), .m_rvalid(r_rvalid[1]), .m_rready(m_rready),
        .m_awaddr(w_awaddr[31:0]), .m_awlen(w_awlen[7:0]), .m_awsize(m_awsize), .m_awburst(m_awburst),
        .m_awuser(m_awuser), .m_awvalid(w_awvalid[0]), .m_awready(w_awready[0]), .m_wdata(w_wdata[63:0]),
        .m_wstrb(w_wstrb[7:0]), .m_wlast(m_wlast), .m_wvalid(w_wvalid[0]), .m_wready(w_wready[0]),
        .m_bresp(w_bresp[1:0]), .m_bvalid(w_bvalid[0]), .m_bready(w_bready[0]),
        .f_araddr(r_araddr[159:128]), .f_arlen(r_arlen[39:32]), .f_arvalid(r_arvalid[4]), .f_arready(r_arready[4]),
        .f_rdata(r_rdata), .f_rresp(r_rresp), .f_rlast(r_rlast), .f_rvalid(r_rvalid[4]),
        .l_araddr(r_araddr[95:64]), .l_arlen(r_arlen[23:16]), .l_arsize(l_arsize), .l_arburst(l_arburst),
        .l_arvalid(r_arvalid[2]), .l_arready(r_arready[2]), .l_rdata(r_rdata), .l_rresp(r_rresp), .l_rlast(r_rlast),
        .l_rvalid(r_rvalid[2]), .l_rready(l_rready),
        .l_awaddr(w_awaddr[63:32]), .l_awlen(w_awlen[15:8]), .l_awsize(l_awsize), .l_awburst(l_awburst),
        .l_awvalid(w_awvalid[1]), .l_awready(w_awready[1]), .l_wdata(w_wdata[127:64]), .l_wstrb(w_wstrb[15:8]),
        .l_wlast(l_wlast), .l_wvalid(w_wvalid[1]), .l_wready(w_wready[1]), .l_bresp(w_bresp[3:2]),
        .l_bvalid(w_bvalid[1]), .l_bready(w_bready[1]),
        .probe_begin(probe_begin), .probe_end(probe_end), .probe_offset(probe_offset), .probe_opcode(probe_opcode),
        .trace_valid(trace_valid), .trace_event(trace_event), .trace_argument(trace_argument),
        .console_valid(console_valid), .console_char(console_char),
        .exit_valid(exit_valid), .exit_code(exit_code),
        .retire_valid(retire_valid), .retire_pc(retire_pc), .core_held(core_held), .panicked(panicked)
    );

    // ------------------------------------------------------------------ memory
    wire sdram_ready;
    localparam [31:0] LOCAL_BYTES = SEGMENT2_BYTES + FIRMWARE_BYTES,
                      SEEN_BYTES = {6'd0, SYSTEM_BYTES} + SEGMENT2_BYTES;
    board_memory #(.SYSTEM_BYTES(SYSTEM_BYTES), .LOCAL_BYTES(LOCAL_BYTES[25:0]), .SEEN_BYTES(SEEN_BYTES[25:0]),
                   .WIDTH(SDRAM_WIDTH), .BYTE_MASKS(BYTE_MASKS), .CAS_LATENCY(CAS_LATENCY), .READ_DELAY(READ_DELAY),
                   .T_INIT(T_INIT), .T_REFRESH(T_REFRESH), .T_RFC(T_RFC)) memory (
        .clk(clk), .rst(rst), .sdram_clk(sdram_clk), .sdram_rst(sdram_rst), .sdram_ready(sdram_ready),
        .urgent(l_urgent), .r_araddr(r_araddr), .r_arlen(r_arlen), .r_arvalid(r_arvalid), .r_arready(r_arready),
        .r_rdata(r_rdata), .r_rresp(r_rresp), .r_rlast(r_rlast), .r_rvalid(r_rvalid),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awvalid(w_awvalid), .w_awready(w_awready),
        .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wvalid(w_wvalid), .w_wready(w_wready),
        .w_bresp(w_bresp), .w_bvalid(w_bvalid), .w_bready(w_bready),
        .sd_command(sd_command), .sd_a(sd_a), .sd_ba(sd_ba), .sd_dqm(sd_dqm), .sd_dq_out(sd_dq_out),
        .sd_dq_drive(sd_dq_drive), .sd_dq_in(sd_dq_in)
    );

    // ------------------------------------------------------------------ the host's wire
    wire        arrived, arrived_full, waiting, listening, received, send, send_ready, board_write;
    wire [7:0]  arrived_byte;
    wire [7:0]  received_byte, send_byte, board_offset;
    wire [31:0] board_wdata, wire_address;
    reg  [31:0] board_rdata;
    uart #(.STEP(BAUD_STEP)) serial (
        .clk(clk), .rst(rst), .rx(uart_rx), .tx(uart_tx), .received(arrived), .received_byte(arrived_byte),
        .send(send), .send_byte(send_byte), .send_ready(send_ready)
    );
    // Nothing can stop the host, and a word's turn in the memory may take longer than a byte on the wire.
    sync_fifo #(.WIDTH(8), .LOG2_DEPTH(5)) bytes (
        .clk(clk), .rst(rst), .push(arrived && !arrived_full), .push_data(arrived_byte), .full(arrived_full),
        .pop(received), .data(received_byte), .valid(waiting)
    );
    assign received = waiting && listening;
`ifdef GPU_ASSERT
    always @(posedge clk) if (!rst) assert (!(arrived && arrived_full)); // a byte would be lost
`endif
    wire_bridge #(.IDLE(WIRE_IDLE)) bridge (
        .clk(clk), .rst(rst), .received(received), .received_byte(received_byte), .listening(listening),
        .send(send), .send_byte(send_byte), .send_ready(send_ready),
        .h_awaddr(h_awaddr), .h_awvalid(h_awvalid), .h_awready(h_awready), .h_wdata(h_wdata), .h_wvalid(h_wvalid),
        .h_wready(h_wready), .h_bvalid(h_bvalid), .h_araddr(h_araddr), .h_arvalid(h_arvalid), .h_arready(h_arready),
        .h_rdata(h_rdata), .h_rvalid(h_rvalid),
        .board_write(board_write), .board_offset(board_offset), .board_wdata(board_wdata), .board_rdata(board_rdata),
        .m_address(wire_address), .m_awvalid(w_awvalid[2]), .m_awready(w_awready[2]), .m_wdata(w_wdata[191:128]),
        .m_wstrb(w_wstrb[23:16]), .m_wvalid(w_wvalid[2]), .m_wready(w_wready[2]), .m_bvalid(w_bvalid[2]),
        .m_arvalid(r_arvalid[3]), .m_arready(r_arready[3]), .m_rdata(r_rdata), .m_rvalid(r_rvalid[3])
    );
    assign r_araddr[127:96] = wire_address;
    assign r_arlen[31:24]   = 8'd0;
    assign w_awaddr[95:64]  = wire_address;
    assign w_awlen[23:16]   = 8'd0;
    assign w_bready[2]      = 1'b1;

    // ------------------------------------------------------------------ the picture
    // Of the chip's display, or of scan-out beside a chip that has none.
    reg  [26:0] raster;                          // vsync, hsync, visible, colour
    wire        is_scanning, is_doubled;
    wire [24:0] scanout_address;
    wire [31:0] scanout_frames, scanout_missed;
    generate
        if (DISPLAY != 0) begin : with_display
            always @(posedge pixel_clk) raster <= {d_vsync, d_hsync, d_visible, d_colour};
            assign {r_araddr[31:0], r_arlen[7:0], r_arvalid[0]} = 41'd0;
            assign {is_scanning, is_doubled, scanout_address, scanout_frames, scanout_missed} = 91'd0;
            wire unused = &{1'b0, r_arready[0], r_rvalid[0]};
        end else begin : with_scanout
            reg         enable, doubled;
            reg  [24:0] address;
            wire        hsync, vsync, visible;
            wire [15:0] pixel;
            scanout display (
                .clk(clk), .rst(rst), .enable(enable), .doubled(doubled), .address(address),
                .frames(scanout_frames), .underflows(scanout_missed),
                .r_araddr(r_araddr[31:0]), .r_arlen(r_arlen[7:0]), .r_arvalid(r_arvalid[0]), .r_arready(r_arready[0]),
                .r_rdata(r_rdata), .r_rvalid(r_rvalid[0]),
                .pixel_clk(pixel_clk), .pixel_rst(pixel_rst), .hsync(hsync), .vsync(vsync), .visible(visible),
                .pixel(pixel)
            );
            // Five or six bits become eight: the high bits repeat below, so that full scale stays full scale.
            always @(posedge pixel_clk)
                raster <= {vsync, hsync, visible, pixel[15:11], pixel[15:13], pixel[10:5], pixel[10:9], pixel[4:0],
                           pixel[4:2]};
            always @(posedge clk)
                if (rst) {enable, doubled, address} <= 27'd0;
                else if (board_write) begin
                    if (board_offset == BOARD_SCANOUT_OFFSET) begin
                        enable  <= board_wdata[BOARD_SCANOUT_ENABLE_LSB];
                        doubled <= board_wdata[BOARD_SCANOUT_DOUBLE_LSB];
                    end
                    if (board_offset == BOARD_SCANOUT_ADDRESS_OFFSET) address <= {board_wdata[24:7], 7'd0};
                end
            assign {is_scanning, is_doubled, scanout_address} = {enable, doubled, address};
            wire unused = &{1'b0, d_vsync, d_hsync, d_visible, d_colour};
        end
    endgenerate
    tmds_encoder red (
        .clk(pixel_clk), .rst(pixel_rst), .visible(raster[24]), .value(raster[23:16]), .control(2'b00),
        .symbol(tmds_red)
    );
    tmds_encoder green (
        .clk(pixel_clk), .rst(pixel_rst), .visible(raster[24]), .value(raster[15:8]), .control(2'b00),
        .symbol(tmds_green)
    );
    tmds_encoder blue (
        .clk(pixel_clk), .rst(pixel_rst), .visible(raster[24]), .value(raster[7:0]), .control(raster[26:25]),
        .symbol(tmds_blue)
    );

    // ------------------------------------------------------------------ BOARD registers
    reg [1:0] ready_seen;
    always @(posedge clk) ready_seen <= rst ? 2'b00 : {ready_seen[0], sdram_ready};
    always @(*)
        case (board_offset)
            BOARD_ID_OFFSET:              board_rdata = BOARD_ID_RESET;
            BOARD_STATUS_OFFSET:          board_rdata = {31'd0, ready_seen[1]} << BOARD_STATUS_MEMORY_READY_LSB;
            BOARD_CLOCK_HZ_OFFSET:        board_rdata = CLOCK_HZ;
            BOARD_SYSTEM_BYTES_OFFSET:    board_rdata = {6'd0, SYSTEM_BYTES};
            BOARD_LOCAL_BASE_OFFSET:      board_rdata = {6'd0, SYSTEM_BYTES};
            BOARD_SCANOUT_OFFSET:         board_rdata = {31'd0, is_scanning} << BOARD_SCANOUT_ENABLE_LSB |
                                                        {31'd0, is_doubled} << BOARD_SCANOUT_DOUBLE_LSB;
            BOARD_SCANOUT_ADDRESS_OFFSET: board_rdata = {7'd0, scanout_address};
            BOARD_SCANOUT_FRAMES_OFFSET:  board_rdata = scanout_frames;
            BOARD_SCANOUT_MISSED_OFFSET:  board_rdata = scanout_missed;
            default:                      board_rdata = 32'd0;
        endcase

    // ------------------------------------------------------------------ lights; short events are stretched
    reg [25:0] beat;
    reg [21:0] wire_light, engine_light;
    always @(posedge clk)
        if (rst) begin
            beat         <= 26'd0;
            wire_light   <= 22'd0;
            engine_light <= 22'd0;
        end else begin
            beat         <= beat + 26'd1;
            wire_light   <= received ? 22'h3fffff : wire_light - {21'd0, wire_light != 22'd0};
            engine_light <= |probe_begin ? 22'h3fffff : engine_light - {21'd0, engine_light != 22'd0};
        end
    // The eighth: the chip's display runs. With scan-out: a pixel was late.
    assign led = {pixel_on || scanout_missed != 32'd0, engine_light != 22'd0, wire_light != 22'd0, irq, panicked,
                  !core_held, ready_seen[1], beat[25]};

    wire unused = &{1'b0, m_wlast, l_wlast, m_rready, l_rready, m_aruser, m_awuser, m_arsize, m_awsize, l_arsize,
                    l_awsize, m_arburst, m_awburst, l_arburst, l_awburst, probe_end, probe_offset, probe_opcode,
                    trace_valid, trace_event, trace_argument, console_valid, console_char, exit_valid, exit_code,
                    pixel_khz, board_write, board_wdata, retire_valid, retire_pc, h_bresp, h_rresp, w_bresp[5:4]};
endmodule
`default_nettype wire
