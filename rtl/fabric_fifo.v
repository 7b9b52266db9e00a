// SPDX-License-Identifier: Apache-2.0
//
// A small queue in distributed RAM. An entry can be taken from the cycle after it was put. Puts and takes run at one a
// cycle, both in the same cycle; a put to a full queue waits one cycle.
`default_nettype none

module fabric_fifo #(
    parameter WIDTH = 8,
    parameter DEPTH = 16 // power of two, 2 or more
) (
    input  wire             clk,
    input  wire             rst,       // empties it
    input  wire             put_valid,
    output wire             put_ready, // registered state only: there is room
    input  wire [WIDTH-1:0] put_data,
    output wire             take_valid,
    input  wire             take_ready,
    output wire [WIDTH-1:0] take_data,
    output wire [$clog2(DEPTH):0] level
);
    localparam INDEX_WIDTH = $clog2(DEPTH);

    reg [WIDTH-1:0]   memory [0:DEPTH-1];
    reg [INDEX_WIDTH:0] put_count, take_count;
    wire [INDEX_WIDTH-1:0] put_index  = put_count[INDEX_WIDTH-1:0];
    wire [INDEX_WIDTH-1:0] take_index = take_count[INDEX_WIDTH-1:0];

    assign level      = put_count - take_count;
    assign put_ready  = !level[INDEX_WIDTH];
    assign take_valid = level != 0;
    assign take_data  = memory[take_index];

    always @(posedge clk) begin
        if (put_valid && put_ready)   memory[put_index] <= put_data;
        if (put_valid && put_ready)   put_count  <= put_count + 1'b1;
        if (take_valid && take_ready) take_count <= take_count + 1'b1;
        if (rst) begin
            put_count  <= 0;
            take_count <= 0;
        end
    end

`ifdef GPU_ASSERT
    // Never more entries than places.
    always @(posedge clk) if (!rst) assert ({{(31-INDEX_WIDTH){1'b0}}, level} <= DEPTH);
`endif
endmodule

`default_nettype wire
