// SPDX-License-Identifier: Apache-2.0
//
// In the place of fabric_fifo in node_retire for grants_node.v: the same handshakes; of what is inside it knows
// how many packets wait for the mover (kind 1 in the two highest bits) and how many for their turn (kind 2), the oldest
// and the youngest.
`default_nettype none

module fabric_fifo #(
    parameter WIDTH = 8,
    parameter DEPTH = 16
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             put_valid,
    output wire             put_ready,
    input  wire [WIDTH-1:0] put_data,
    output wire             take_valid,
    input  wire             take_ready,
    output wire [WIDTH-1:0] take_data,
    output reg  [$clog2(DEPTH):0] level
);
    localparam L = $clog2(DEPTH) + 1;
    (* anyseq *) wire [WIDTH-1:0] any;
    reg  [WIDTH-1:0] oldest, youngest;
    reg  [L-1:0]     movers, executes; // of `level`
    wire put   = put_valid && put_ready;
    wire takes = take_valid && take_ready;
    assign put_ready  = !level[L-1];
    assign take_valid = level != 0;
    assign take_data  = oldest;
    wire [1:0] put_kind = put_data[WIDTH-1 -: 2], oldest_kind = oldest[WIDTH-1 -: 2];
    wire [1:0] youngest_kind = youngest[WIDTH-1 -: 2], any_kind = any[WIDTH-1 -: 2];
    wire       oldest_executes = oldest_kind == 2'd2, youngest_executes = youngest_kind == 2'd2;
    // `count` of `all` packets are of a kind: may the oldest and the youngest of them be so?
    function fits(input [L-1:0] count, input [L-1:0] all, input first, input last);
        fits = all == 0 ? count == 0
             : all == 1 ? count == {{(L-1){1'b0}}, first} && first == last
             : count >= {{(L-1){1'b0}}, first} + {{(L-1){1'b0}}, last}
            && count - {{(L-1){1'b0}}, first} - {{(L-1){1'b0}}, last} <= all - 2;
    endfunction
    wire is_sound = fits(movers, level, oldest_kind == 2'd1, youngest_kind == 2'd1)
                 && fits(executes, level, oldest_executes, youngest_executes)
                 && (level != 1 || oldest == youngest);
    // The next oldest is one of those inside.
    always @(*) if (takes && level > 1)
        assume (fits(movers - {{(L-1){1'b0}}, oldest_kind == 2'd1}, level - 1'b1, any_kind == 2'd1,
            youngest_kind == 2'd1)
             && fits(executes - {{(L-1){1'b0}}, oldest_executes}, level - 1'b1, any_kind == 2'd2, youngest_executes)
             && (level != 2 || any == youngest));
    always @(posedge clk) begin
        level    <= level + {{(L-1){1'b0}}, put} - {{(L-1){1'b0}}, takes};
        movers   <= movers + {{(L-1){1'b0}}, put && put_kind == 2'd1} - {{(L-1){1'b0}}, takes && oldest_kind == 2'd1};
        executes <= executes + {{(L-1){1'b0}}, put && put_kind == 2'd2} - {{(L-1){1'b0}}, takes && oldest_executes};
        if (put && (level == 0 || (level == 1 && takes))) oldest <= put_data;
        else if (takes)                                    oldest <= any;
        if (put) youngest <= put_data;
        if (rst) begin
            level    <= 0;
            movers   <= 0;
            executes <= 0;
        end
    end
endmodule

`default_nettype wire
