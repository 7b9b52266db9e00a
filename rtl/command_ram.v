// SPDX-License-Identifier: Apache-2.0
//
// Command RAM: the only memory that the engines execute from.
//
// The core has its own port, which reads or writes in every cycle. Both nodes and the examiner with its lists share the
// other port, a word a cycle, round robin; the last of them may write. A fetch sees a write of an earlier cycle. Of a
// write in the same cycle it sees the old or the new word. The core writes a ring's TAIL later, so this does not
// matter; nor do both ports write a word in one cycle (lists.v writes only what the core leaves to it).
`default_nettype none

module command_ram #(
    parameter BYTES = 65536, // multiple of 4, at most 2^WIDTH
    parameter WIDTH = 16     // bits of a byte offset
) (
    input  wire        clk,
    input  wire        rst,

    // Core: c_rdata is the word that was addressed in the cycle before.
    input  wire [3:0]  c_write,        // per byte
    input  wire [WIDTH-1:0] c_address, // byte offset; the low two bits are ignored, and a write's must be below BYTES
    input  wire [31:0] c_wdata,
    output reg  [31:0] c_rdata,

    // Nodes 0 and 1 and the examiner (vectors: node 0 in the low bits). A request is taken in a cycle with its grant,
    // which is combinational from fetch_req; the word follows one cycle later with fetch_rvalid. The examiner's writes
    // instead if fetch_write, per byte, is not 0; what follows then means nothing.
    input  wire [2:0]  fetch_req,
    output wire [2:0]  fetch_gnt,
    input  wire [3*WIDTH-1:0] fetch_address, // byte offsets
    input  wire [3:0]  fetch_write,
    input  wire [31:0] fetch_wdata,
    output reg  [2:0]  fetch_rvalid,
    output reg  [31:0] fetch_rdata
);
    localparam WORDS = BYTES / 4;
    localparam INDEX_WIDTH = $clog2(WORDS);

    (* no_rw_check *) // nothing is fetched that the core still writes
    reg [31:0] memory [0:WORDS-1];

    // ------------------------------------------------------------------ core port
    wire [INDEX_WIDTH-1:0] core_index = c_address[INDEX_WIDTH+1:2];
    integer lane;
    always @(posedge clk) begin
        for (lane = 0; lane < 4; lane = lane + 1)
            if (c_write[lane]) memory[core_index][8*lane +: 8] <= c_wdata[8*lane +: 8];
        c_rdata <= memory[core_index];
    end

    // ------------------------------------------------------------------ fetch port
    arbiter #(.COUNT(3)) turn (
        .clk     (clk),
        .rst     (rst),
        .request (fetch_req),
        .accept  (1'b1),
        .grant   (fetch_gnt)
    );
    wire [WIDTH-1:0] fetch_byte = fetch_gnt[2] ? fetch_address[2*WIDTH +: WIDTH]
                                : fetch_gnt[1] ? fetch_address[WIDTH +: WIDTH] : fetch_address[WIDTH-1:0];
    wire [INDEX_WIDTH-1:0] fetch_index = fetch_byte[INDEX_WIDTH+1:2];
    wire [3:0] fetch_bytes = fetch_write & {4{fetch_gnt[2]}};
    integer byte_lane;
    always @(posedge clk) begin
        for (byte_lane = 0; byte_lane < 4; byte_lane = byte_lane + 1)
            if (fetch_bytes[byte_lane]) memory[fetch_index][8*byte_lane +: 8] <= fetch_wdata[8*byte_lane +: 8];
        if (|fetch_gnt) fetch_rdata <= memory[fetch_index];
        fetch_rvalid <= rst ? 3'b000 : fetch_gnt;
    end

    wire unused = &{1'b0, c_address[1:0], fetch_byte[1:0], 1'b0};

`ifdef GPU_ASSERT
    always @(posedge clk) if (!rst) begin
        assert (c_write == 4'd0 || {{(32-WIDTH){1'b0}}, c_address} < BYTES);
        assert (fetch_gnt == 3'b000 || {{(32-WIDTH){1'b0}}, fetch_byte} < BYTES);
    end
`endif
endmodule

`default_nettype wire
