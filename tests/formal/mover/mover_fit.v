// SPDX-License-Identifier: Apache-2.0
//
// Bytes tell the same as beats: what mover_stream.v takes for granted of any place in the source's stream and any in
// the target's. Combinational, so unbounded.
`default_nettype none

module mover_fit #(
    parameter BITS = 32 // of addresses and lengths
) ();
    localparam [31:0] MASK = 32'hffffffff >> (32 - BITS);
    // A row, and a place on each side of it between two of its bursts: x bytes read, y bytes written.
    (* anyconst *) wire [31:0] any_source, any_target, any_extent, any_x, any_y;
    wire [31:0] source = any_source & MASK, target = any_target & MASK, extent = any_extent & MASK;
    wire [31:0] length = extent + 32'd1;
    wire [31:0] x = any_x & MASK, y = any_y & MASK;
    wire [31:0] x_end = source + x, y_end = target + y;
    always @(*) assume (source[31:8] == 24'd0 && target[31:8] == 24'd0 // a multiple of 256 changes nothing
                     && extent < (MASK >> 1) && x <= length && y <= length
                     && (x == 32'd0 || x == length || x_end[7:0] == 8'd0)
`ifndef ANYWHERE
                     && (y == 32'd0 || y == length || y_end[7:0] == 8'd0)
`endif
                    );
    wire [2:0]  shift = target[2:0] - source[2:0];
    wire [2:0]  last  = source[2:0] + extent[2:0];
    wire        prime = source[2:0] > target[2:0];
    wire        flush = {1'b0, last} + {1'b0, shift} >= 4'd8;
    function [31:0] words_of(input [31:0] first, input [31:0] bytes); // that the bytes from `first` on lie in
        reg [31:0] to;
        begin
            to = first + bytes - 32'd1;
            words_of = bytes == 32'd0 ? 32'd0 : {3'd0, to[31:3]} - {3'd0, first[31:3]} + 32'd1;
        end
    endfunction
    wire [31:0] w = words_of(source, x);
    wire [31:0] o = x == 32'd0 ? 32'd0 : w - {31'd0, prime} + {31'd0, flush && x == length};
    wire        z = x != 32'd0 && w == 32'd1 && prime && !(flush && x == length);
    wire [31:0] d = words_of(target, y), all = words_of(target, length);
    (* keep *) wire [5:0] follows;
    assign follows[0] = y == 32'd0 || (y <= x) == (d <= o);
    assign follows[1] = x != y || (o == d && !z);
    assign follows[2] = x != length || (o == all && !z);
    // Eight bytes to a beat, but for what the aligner holds back: within the row, up to a place, from a place on.
    assign follows[3] = d > o || y > x || x - y <= {o[28:0] - d[28:0], 3'd7};
    assign follows[4] = x <= {o[28:0], 3'd7} && length - y <= {all[28:0] - d[28:0], 3'd0};
    assign follows[5] = length <= {all[28:0], 3'd0};
endmodule

`default_nettype wire
