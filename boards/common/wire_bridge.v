// SPDX-License-Identifier: Apache-2.0
//
// The host's wire: the UARTBone protocol of LiteX, byte by byte. A command is
//
//   op (1 write, 2 read, 3 write without increment, 4 read without increment), words (1 .. 255),
//   address / 4 (4 bytes, highest first), then for writes the words (4 bytes each, highest first)
//
// and a read answers with its words in the same form. Writes are not answered. Other op bytes and a count of 0
// are ignored. A command that stops for IDLE cycles is forgotten, so that a host that died in the middle of one
// does not wedge the next.
//
//   0x0000_0000 .. 0x0000_0fff   registers: the chip's (h_), but for the BOARD block (board_)
//   0x8000_0000 ..               the board's memory, as memory_hub's port sees it
//   elsewhere                    reads give 0, writes are lost
`default_nettype none

module wire_bridge #(
    parameter IDLE = 5000000               // cycles, 100 ms
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        received,            // only while listening
    input  wire [7:0]  received_byte,
    output wire        listening,           // not while an access or an answer is under way
    output reg         send,
    output wire [7:0]  send_byte,
    input  wire        send_ready,

    // The chip's registers: AXI4-Lite.
    output wire [11:0] h_awaddr,
    output reg         h_awvalid,
    input  wire        h_awready,
    output wire [31:0] h_wdata,
    output reg         h_wvalid,
    input  wire        h_wready,
    input  wire        h_bvalid,
    output wire [11:0] h_araddr,
    output reg         h_arvalid,
    input  wire        h_arready,
    input  wire [31:0] h_rdata,
    input  wire        h_rvalid,

    // The board's own registers: answered in the same cycle.
    output wire        board_write,
    output wire [7:0]  board_offset,
    output wire [31:0] board_wdata,
    input  wire [31:0] board_rdata,

    // Memory: a word each.
    output wire [31:0] m_address,          // of both channels
    output reg         m_awvalid,
    input  wire        m_awready,
    output wire [63:0] m_wdata,
    output wire [7:0]  m_wstrb,
    output reg         m_wvalid,
    input  wire        m_wready,
    input  wire        m_bvalid,
    output reg         m_arvalid,
    input  wire        m_arready,
    input  wire [63:0] m_rdata,
    input  wire        m_rvalid
);
`include "gpu_spec.vh"
    localparam [2:0] OP = 3'd0, WORDS = 3'd1, ADDRESS = 3'd2, DATA = 3'd3, WRITE = 3'd4, READ = 3'd5, ANSWER = 3'd6;
    reg [2:0]  state;
    reg [2:0]  op;
    reg [7:0]  words;                      // to go
    reg [1:0]  bytes;                      // of a word, seen or sent
    reg [31:0] address;
    reg [31:0] data;
    reg        asked;                      // the access has been started
    reg [31:0] idle;

    assign listening = state == OP || state == WORDS || state == ADDRESS || state == DATA;
    wire is_register = address[31:12] == 20'd0;
    wire is_board    = is_register && address[11:8] == BOARD_BASE[11:8];
    wire is_memory   = address[31];
    wire is_increment = op[1:0] != 2'd3 && !op[2];
    wire is_read_op  = op == 3'd2 || op == 3'd4;

    assign h_awaddr     = address[11:0];
    assign h_araddr     = address[11:0];
    assign h_wdata      = data;
    assign board_write  = state == WRITE && is_board;
    assign board_offset = address[7:0];
    assign board_wdata  = data;
    assign m_address    = {1'b0, address[30:0]};
    assign m_wdata      = {data, data};
    assign m_wstrb      = address[2] ? 8'hf0 : 8'h0f;
    assign send_byte    = data[31:24];

    wire is_chip   = is_register && !is_board;
    wire is_nowhere = !is_register && !is_memory;
    wire written   = asked ? (is_chip && h_bvalid || is_memory && m_bvalid) : is_board || is_nowhere;
    wire arrived   = asked ? (is_chip && h_rvalid || is_memory && m_rvalid) : is_board || is_nowhere;
    wire [31:0] memory_word = address[2] ? m_rdata[63:32] : m_rdata[31:0];
    wire [31:0] word = is_board ? board_rdata : is_chip ? h_rdata : is_memory ? memory_word : 32'd0;
    wire sent = send && send_ready;

    always @(posedge clk)
        if (rst) begin
            state     <= OP;
            h_awvalid <= 1'b0;
            h_wvalid  <= 1'b0;
            h_arvalid <= 1'b0;
            m_awvalid <= 1'b0;
            m_wvalid  <= 1'b0;
            m_arvalid <= 1'b0;
            send      <= 1'b0;
            asked     <= 1'b0;
            idle      <= 32'd0;
        end else begin
            if (h_awready) h_awvalid <= 1'b0;
            if (h_wready)  h_wvalid  <= 1'b0;
            if (h_arready) h_arvalid <= 1'b0;
            if (m_awready) m_awvalid <= 1'b0;
            if (m_wready)  m_wvalid  <= 1'b0;
            if (m_arready) m_arvalid <= 1'b0;
            idle <= received || state == OP ? 32'd0 : idle + 32'd1;
            case (state)
                OP: if (received && received_byte >= 8'd1 && received_byte <= 8'd4) begin
                    op    <= received_byte[2:0];
                    state <= WORDS;
                end
                WORDS: if (received) begin
                    words <= received_byte;
                    bytes <= 2'd0;
                    state <= received_byte == 8'd0 ? OP : ADDRESS;
                end
                ADDRESS: if (received) begin
                    address <= bytes == 2'd3 ? {address[21:0], received_byte, 2'b00} : {address[23:0], received_byte};
                    bytes   <= bytes + 2'd1;
                    if (bytes == 2'd3) state <= is_read_op ? READ : DATA;
                end
                DATA: if (received) begin
                    data  <= {data[23:0], received_byte};
                    bytes <= bytes + 2'd1;
                    if (bytes == 2'd3) state <= WRITE;
                end
                WRITE: begin
                    if (!asked) begin
                        h_awvalid <= is_chip;
                        h_wvalid  <= is_chip;
                        m_awvalid <= is_memory;
                        m_wvalid  <= is_memory;
                        asked     <= is_chip || is_memory;
                    end
                    if (written) begin
                        asked   <= 1'b0;
                        words   <= words - 8'd1;
                        address <= is_increment ? address + 32'd4 : address;
                        state   <= words == 8'd1 ? OP : DATA;
                    end
                end
                READ: begin
                    if (!asked) begin
                        h_arvalid <= is_chip;
                        m_arvalid <= is_memory;
                        asked     <= is_chip || is_memory;
                    end
                    if (arrived) begin
                        asked   <= 1'b0;
                        data    <= word;
                        words   <= words - 8'd1;
                        address <= is_increment ? address + 32'd4 : address;
                        send    <= 1'b1;
                        state   <= ANSWER;
                    end
                end
                ANSWER: if (sent) begin
                    data  <= {data[23:0], 8'd0};
                    bytes <= bytes + 2'd1;
                    if (bytes == 2'd3) begin
                        send  <= 1'b0;
                        state <= words == 8'd0 ? OP : READ;
                    end
                end
                default: state <= OP;
            endcase
            // Only while the host owes bytes: an access or an answer under way ends by itself.
            if (idle >= IDLE && (state == WORDS || state == ADDRESS || state == DATA)) state <= OP;
        end
endmodule
`default_nettype wire
