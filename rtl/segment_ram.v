// SPDX-License-Identifier: Apache-2.0
//
// Segment 1: on-chip RAM as an AXI4 slave. Reads and writes use the two ports of the RAM and never wait for
// each other: one beat per cycle each, bursts back to back. First beat of a read two cycles after its address, which
// stands in a register: on a board the RAM is blocks far apart. B one cycle after the last data beat. Addresses are
// offsets into the RAM, below BYTES.
`default_nettype none

module segment_ram #(
    parameter BYTES      = 262144, // multiple of 4096
    parameter DATA_WIDTH = 64
) (
    input  wire                    clk,
    input  wire                    rst,

    // Reads: data must be taken at once. arready is combinational from the state only.
    input  wire [31:0]             araddr,
    input  wire [7:0]              arlen,
    input  wire [2:0]              arsize,
    input  wire                    arvalid,
    output wire                    arready,
    output reg  [DATA_WIDTH-1:0]   rdata,
    output wire [1:0]              rresp,   // OKAY
    output reg                     rlast,
    output reg                     rvalid,

    // Writes: data is taken from the cycle after its address on.
    input  wire [31:0]             awaddr,
    input  wire [7:0]              awlen,
    input  wire [2:0]              awsize,
    input  wire                    awvalid,
    output wire                    awready,
    input  wire [DATA_WIDTH-1:0]   wdata,
    input  wire [DATA_WIDTH/8-1:0] wstrb,
    input  wire                    wlast,
    input  wire                    wvalid,
    output wire                    wready,
    output wire [1:0]              bresp,   // OKAY
    output reg                     bvalid,
    input  wire                    bready
);
    localparam LANES       = DATA_WIDTH / 8;
    localparam LANE_BITS   = $clog2(LANES);
    localparam BYTE_BITS   = $clog2(BYTES);
    localparam INDEX_WIDTH = BYTE_BITS - LANE_BITS;

    reg [DATA_WIDTH-1:0] memory [0:BYTES/LANES-1];

    // ------------------------------------------------------------------ reads
    // `read_left` counts the beats of the burst that are still to be read, `read_byte` is the next one's.
    reg  [8:0]           read_left;
    reg  [2:0]           read_size;
    reg  [BYTE_BITS-1:0] read_byte;
    wire                 read_runs  = read_left != 9'd0;
    assign               arready    = read_left[8:1] == 8'd0;
    wire                 read_takes = arvalid && arready;
    wire [INDEX_WIDTH-1:0] read_index = read_byte[BYTE_BITS-1:LANE_BITS];
    always @(posedge clk) begin
        if (read_runs) rdata <= memory[read_index];
        rlast  <= read_left == 9'd1;
        rvalid <= read_runs && !rst;
        if (read_takes) begin
            read_left <= {1'b0, arlen} + 9'd1;
            read_size <= arsize;
            read_byte <= araddr[BYTE_BITS-1:0];
        end else if (read_runs) begin
            read_left <= read_left - 9'd1;
            read_byte <= read_byte + ({{(BYTE_BITS-1){1'b0}}, 1'b1} << read_size);
        end
        if (rst) read_left <= 9'd0;
    end
    assign rresp = 2'b00;

    // ------------------------------------------------------------------ writes
    // The next address is taken while the last beat of the burst before is.
    reg                  write_runs;
    reg  [2:0]           write_size;
    reg  [BYTE_BITS-1:0] write_byte;
    wire                 answer_free = !bvalid || bready;
    assign               wready      = write_runs && answer_free;
    wire                 write_moves = wvalid && wready;
    assign               awready     = !write_runs || (write_moves && wlast);
    wire [INDEX_WIDTH-1:0] write_index = write_byte[BYTE_BITS-1:LANE_BITS];
    integer lane;
    always @(posedge clk)
        if (write_moves)
            for (lane = 0; lane < LANES; lane = lane + 1)
                if (wstrb[lane]) memory[write_index][8*lane +: 8] <= wdata[8*lane +: 8];
    always @(posedge clk) begin
        if (awvalid && awready) begin
            write_byte <= awaddr[BYTE_BITS-1:0];
            write_size <= awsize;
            write_runs <= 1'b1;
        end else if (write_moves) begin
            write_byte <= write_byte + ({{(BYTE_BITS-1){1'b0}}, 1'b1} << write_size);
            write_runs <= !wlast;
        end
        if (write_moves && wlast) bvalid <= 1'b1;
        else if (bready)          bvalid <= 1'b0;
        if (rst) begin
            write_runs <= 1'b0;
            bvalid     <= 1'b0;
        end
    end
    assign bresp = 2'b00;

    wire unused = &{1'b0, araddr, awaddr, awlen, 1'b0};

`ifdef GPU_ASSERT
    // Addresses lie inside; a burst ends where its address said.
    reg [7:0] write_left;
    always @(posedge clk) begin
        if (awvalid && awready) write_left <= awlen;
        else if (write_moves)   write_left <= write_left - 8'd1;
        if (!rst) begin
            assert (!read_takes || araddr < BYTES);
            assert (!(awvalid && awready) || awaddr < BYTES);
            assert (!write_moves || wlast == (write_left == 8'd0));
        end
    end
`endif
endmodule

`default_nettype wire
