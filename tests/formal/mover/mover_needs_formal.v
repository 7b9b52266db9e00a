// SPDX-License-Identifier: Apache-2.0
//
// What the write half waits for before it sends the address of a burst of pixels is enough. Combinational: unbounded.
//
// A row of any number of units, of any two sizes, at any addresses; a burst of its target that ends y bytes into it.
// Units of the source may be parts of bytes: then the row begins at any of them.
//   - The source bytes that mover_units.v and mover_needs.v count for a burst are those of the units that begin in it.
//     So all counted so far are `needs`: whole units of a conversion, else bytes: follows[2].
//   - If the row goes on after the burst, mover_write.v wants AHEAD bytes more, or the whole row. Then the source
//     words asked for hold all that the path needs for every result of the burst, and so do the target's with the
//     read of one burst more: follows[0], [1]. A result is given with a pair of units (a whole beat where
//     nothing is computed), pairs come out of packed beats, as mover_pixel_rows.v counts them.
`default_nettype none

module mover_needs_formal #(
    parameter AHEAD = 24
) ();
    (* anyconst *) wire [15:0] units;
    (* anyconst *) wire [1:0]  source_size, target_size; // minus one
    (* anyconst *) wire        is_whole, is_convert;
    (* anyconst *) wire [7:0]  source, target;           // first byte, modulo 256
    (* anyconst *) wire [18:0] x, y, pairs, begun;
    function [18:0] times(input [18:0] count, input [1:0] size);
        times = (size[1] ? {count[17:0], 1'b0} : 19'd0) + (size[0] ? {count[17:0], 1'b0} : count);
    endfunction
    (* anyconst *) wire [1:0]  depth;                    // see mover.v
    (* anyconst *) wire [2:0]  offset, held;             // bits: before the row's first unit; of the byte begun already
    wire        is_small = depth != 2'd0;
    wire [2:0]  within   = depth == 2'd1 ? 3'd3 : depth == 2'd2 ? 3'd1 : 3'd0; // of a unit's bits
    always @(*) assume (is_small ? is_convert && source_size == 2'd0 && ((offset | held) & within) == 3'd0
                                 : offset == 3'd0);
    function [18:0] bits(input [18:0] count);
        bits = depth == 2'd1 ? {count[16:0], 2'd0} : depth == 2'd2 ? {count[17:0], 1'd0} : count;
    endfunction
    function [18:0] bytes_up_to(input [18:0] in_bits);
        bytes_up_to = {3'd0, in_bits[18:3]} + {18'd0, in_bits[2:0] != 3'd0};
    endfunction
    function [18:0] source_bytes(input [18:0] count);
        source_bytes = is_small ? bytes_up_to(bits(count) + {16'd0, offset}) : times(count, source_size);
    endfunction
    wire [18:0] source_row = source_bytes({3'd0, units}), target_row = times({3'd0, units}, target_size);
    wire [18:0] x_end = x + {11'd0, source}, y_end = y + {11'd0, target};
    always @(*) begin
        assume (units != 16'd0 && (is_convert || source_size == target_size) && !(is_convert && is_whole));
        assume (is_whole || target_size != 2'd0);        // bytes and masks are moved whole
        assume (y != 19'd0 && y <= target_row && (y == target_row || y_end[7:0] == 8'd0));
        assume (x < source_row && x_end[7:0] == 8'd0);
    end
    // `begun` units lie in the burst and before; `pairs` give its results.
    wire [18:0] results = {3'd0, y_end[18:3]} - {14'd0, target[7:3]};
    wire [18:0] wanted  = {results[15:0], 3'd0};          // packed bytes
    wire [18:0] last    = begun - 19'd1, before = pairs - 19'd1;
    always @(*) begin
        assume (begun[18:17] == 2'd0 && begun != 19'd0 && pairs[18:16] == 3'd0 && pairs != 19'd0);
        assume (times(begun, target_size) >= y && times(last, target_size) < y);
        assume (times({pairs[17:0], 1'b0}, target_size) >= wanted && times({before[17:0], 1'b0}, target_size) < wanted);
    end
    // A burst by itself: of `bytes`, of which the first `reaches` belong to a unit that began before.
    (* anyconst *) wire [8:0] bytes, starts;              // `starts` units begin in it
    (* anyconst *) wire [1:0] reaches;
    (* anyconst *) wire       is_head, is_tail;
    wire [18:0] covered = times({10'd0, starts}, target_size) + {17'd0, reaches}, short_by = covered - {10'd0, bytes};
    always @(*) begin
        assume (bytes != 9'd0 && bytes <= 9'd256 && (is_head || is_tail || bytes == 9'd256));
        assume (reaches <= target_size && (!is_head || reaches == 2'd0) && bytes >= {7'd0, reaches});
        assume (starts <= 9'd256 && covered >= {10'd0, bytes} && short_by <= {17'd0, target_size});
        assume (!is_tail || short_by == 19'd0);           // a row ends with a unit
    end
    function [1:0] place_of(input [1:0] rest);            // bytes held of a unit of 3 of which `rest` are missing
        place_of = rest == 2'd0 ? 2'd0 : 2'd3 - rest;
    endfunction
    wire [1:0]  place_next;
    wire [10:0] counted;
    wire [2:0]  bit_next, begun_bits = is_head ? offset : held;
    wire [18:0] bits_up_to = bits({10'd0, starts}) + {16'd0, begun_bits};
    wire [8:0]  found;
    mover_units counter (
        .bytes(bytes), .head(is_head), .size(target_size), .place(place_of(reaches)), .place_next(place_next),
        .units(found)
    );
    mover_needs converter (
        .units(found), .head(is_head), .size(source_size), .depth(depth), .bit_first(offset), .bit_place(held),
        .bit_next(bit_next), .bytes(counted)
    );
    wire        goes_on     = y < target_row;
    wire [18:0] needs       = is_convert ? source_bytes(begun) : y;
    wire [18:0] source_used = is_whole ? wanted : source_bytes({pairs[17:0], 1'b0});
    wire [18:0] target_used = is_whole ? wanted : times({pairs[17:0], 1'b0}, target_size);
    wire [18:0] source_up   = source_used + 19'd7, target_up = target_used + 19'd7;
    wire [18:0] next_end    = y + 19'd256;
    (* keep *) wire [2:0] follows;
    assign follows[0] = !goes_on || x < needs + AHEAD || {source_up[18:3], 3'd0} <= x;
    assign follows[1] = !goes_on || {target_up[18:3], 3'd0} <= next_end;
    // A byte that an earlier burst has begun is that one's.
    wire [18:0] counts = !is_small ? times({10'd0, starts}, source_size)
                       : bytes_up_to(bits_up_to) - {18'd0, !is_head && held != 3'd0};
    assign follows[2] = {8'd0, counted} == counts && (!is_small || bit_next == bits_up_to[2:0])
                     && (is_tail || target_size != 2'd2 || place_next == place_of(short_by[1:0]));
    (* keep *) wire misses = !(goes_on && x >= needs + AHEAD && is_convert && source_size == 2'd3 && target_size == 2'd2
                         && !is_head && reaches == 2'd2 && short_by == 19'd1);
endmodule

`default_nettype wire
