// SPDX-License-Identifier: Apache-2.0
//
// Source addresses of a BLIT_AFFINE, a target unit at a time. It walks the map, keeps what is inside the source
// rectangle, and asks for the beats of its units.
//
//   words -> LOAD -> walk: (u, v) -> 1: clamped -> 2: row * pitch -> 3: address -> 4: parts -> bursts of a beat, parts
//
// A part is what one source beat gives to one packed beat: a unit, or a piece of a unit that straddles beats or has 3
// bytes. A part needs no read if its beat was asked for last. One part leaves a cycle. A filtered unit passes twice,
// once for each of its two rows, with two columns; mover_taps.v chooses what is read. Of a repeated map the words and
// every sum are reduced below the rectangle's size (mover_fold.v). No read leaves the source rectangle, whatever the
// words are.
// Rows and columns are checked after every step (tests/formal/mover/mover_map_formal.v).
`default_nettype none

module mover_map (
    input  wire        clk,
    input  wire        rst,              // also: forget everything

    // Words 12 down to 6 of each packet, in the order of the commands: V_Y, U_Y, V_X, U_X, V, U, size. Words of two
    // commands may wait.
    input  wire        word_push,
    input  wire [31:0] word,

    // The command whose words are the oldest; stands from `start` until `taken`. At least one unit and one row.
    input  wire        start,            // level; it begins in a cycle in which is_idle
    input  wire        taken,            // pulse, only while finished
    input  wire [31:0] source,           // address of the source rectangle's first unit
    input  wire [15:0] pitch,
    input  wire [2:0]  format,
    input  wire [15:0] units,            // per row of the target
    input  wire [15:0] rows,
    input  wire        transparent,      // units outside are left out
    input  wire        repeated,         // none is outside
    input  wire        filtered,         // between four units, each in one beat
    output wire        is_idle,
    output wire        is_walking,       // parts may follow
    output wire        finished,         // all parts have been given

    // Reads, single beats. ready as in mover_read.
    output wire        burst_valid,
    input  wire        burst_ready,
    output wire [31:3] burst_address,
    output wire [8:0]  burst_bytes,      // of the part
    input  wire        asked,            // every read before has been accepted

    // Parts: {what belongs to filtered, lane, bytes minus one, its beat is a new one, left out, ends its unit, ends its
    // row, ends the command}; the first are {filtered, format, lower row, fraction, tap (mover_taps.v)}.
    input  wire        part_room,
    output wire        part_push,
    output wire [34:0] part,
    output wire [8:0]  part_bytes        // of a part that needed no read, in the cycle in which it is given; else 0
);
    localparam [1:0] S_IDLE = 2'd0, S_LOAD = 2'd1, S_WALK = 2'd2, S_DONE = 2'd3;
    reg [1:0] state;

    // ------------------------------------------------------------------ words
    wire [31:0] oldest;
    wire        word_valid, full;
    reg  [2:0]  loaded;
    wire        folded;
    wire        begins = state == S_LOAD && loaded == 3'd7 && folded;
    wire        load = state == S_LOAD && loaded != 3'd7 && word_valid;
    sync_fifo #(.WIDTH(32), .LOG2_DEPTH(4)) words (
        .clk(clk), .rst(rst), .push(word_push), .push_data(word), .full(full), .pop(load), .data(oldest),
        .valid(word_valid)
    );
    reg  [31:0] extent, row_u, row_v, u_x, v_x, u_y, v_y; // a chain while they are loaded, a ring while they are folded
    wire        fold;                    // the ring turns
    wire [31:0] fold_number;
    reg  [2:0] folds_left;
    wire       is_due = state == S_LOAD && loaded == 3'd7 && folds_left != 3'd0;
    mover_fold fold_one (
        .clk(clk), .rst(rst), .valid(is_due), .number(v_y), .period(folds_left[0] ? extent[15:0] : extent[31:16]),
        .ready(fold), .folded(fold_number)
    );
    always @(posedge clk)
        if (state == S_IDLE) folds_left <= repeated ? 3'd6 : 3'd0;
        else if (fold)       folds_left <= folds_left - 3'd1;
    assign folded = folds_left == 3'd0;

    // A sum of two numbers below a period, below it again.
    function [31:0] reduce(input [31:0] sum, input carry, input [15:0] period);
        reg [16:0] less;
        begin
            less   = {carry, sum[31:16]} - {1'b0, period};
            reduce = !less[16] ? {less[15:0], sum[15:0]} : sum;
        end
    endfunction

    // ------------------------------------------------------------------ the walk
    reg  [31:0] u, v;
    reg  [15:0] units_left, rows_left;   // after this one
    wire        move;
    reg         lower;                   // the second of a unit's rows is next
    wire        unit_ends = !filtered || lower;
    wire        emits    = state == S_WALK && move;
    wire        row_ends = units_left == 16'd0 && unit_ends;
    wire        ends     = row_ends && rows_left == 16'd0;
    wire [32:0] sum_row_u  = {1'b0, row_u} + {1'b0, u_y};
    wire [32:0] sum_row_v  = {1'b0, row_v} + {1'b0, v_y};
    wire [32:0] sum_u      = {1'b0, u} + {1'b0, u_x};
    wire [32:0] sum_v      = {1'b0, v} + {1'b0, v_x};
    wire [31:0] next_row_u = repeated ? reduce(sum_row_u[31:0], sum_row_u[32], extent[15:0]) : sum_row_u[31:0];
    wire [31:0] next_row_v = repeated ? reduce(sum_row_v[31:0], sum_row_v[32], extent[31:16]) : sum_row_v[31:0];
    wire [31:0] next_u     = repeated ? reduce(sum_u[31:0], sum_u[32], extent[15:0]) : sum_u[31:0];
    wire [31:0] next_v     = repeated ? reduce(sum_v[31:0], sum_v[32], extent[31:16]) : sum_v[31:0];
    wire        is_empty;                // nothing in the stages
    always @(posedge clk) begin
        case (state)
            S_IDLE: begin
                loaded <= 3'd0;
                if (start) state <= S_LOAD;
            end
            S_LOAD: if (begins) state <= S_WALK;
            S_WALK: if (emits && ends) state <= S_DONE;
            default: if (taken) state <= S_IDLE;
        endcase
        if (load) begin
            loaded <= loaded + 3'd1;
            {v_y, u_y, v_x, u_x, row_v, row_u, extent} <= {u_y, v_x, u_x, row_v, row_u, extent, oldest};
        end
        if (fold) {v_y, u_y, v_x, u_x, row_v, row_u} <= {u_y, v_x, u_x, row_v, row_u, fold_number};
        if (state != S_WALK) lower <= 1'b0;
        else if (emits)      lower <= filtered && !lower;
        if (begins) begin
            u          <= row_u;
            v          <= row_v;
            units_left <= units - 16'd1;
            rows_left  <= rows - 16'd1;
        end else if (emits && unit_ends) begin
            u          <= row_ends ? next_row_u : next_u;
            v          <= row_ends ? next_row_v : next_v;
            units_left <= row_ends ? units - 16'd1 : units_left - 16'd1;
            if (row_ends) begin
                row_u     <= next_row_u;
                row_v     <= next_row_v;
                rows_left <= rows_left - 16'd1;
            end
        end
        if (rst) state <= S_IDLE;
    end
    assign is_idle    = state == S_IDLE;
    assign is_walking = state == S_LOAD || state == S_WALK || (state == S_DONE && !is_empty);
    assign finished   = state == S_DONE && is_empty;

    // ------------------------------------------------------------------ 1: the nearest unit inside
    wire [15:0] last_column = extent[15:0] - 16'd1;
    wire [15:0] last_row    = extent[31:16] - 16'd1;
    wire        left_of     = u[31] && !repeated;
    wire        above       = v[31] && !repeated;
    wire        right_of    = !left_of && u[31:16] > last_column;
    wire        below       = !above && v[31:16] > last_row;
    reg         valid_1, valid_2, valid_3, valid_4;
    reg  [15:0] column, row;
    reg  [2:0]  tags_1, tags_2, tags_3, tags_4; // left out, ends its row, ends the command
    // Of a filtered command: the units after these, and whether the nearest centre's is inside.
    wire        at_right    = u[31:16] == last_column;
    wire        at_bottom   = v[31:16] == last_row;
    wire [15:0] column_after = left_of ? 16'd0 : at_right || right_of ? repeated ? 16'd0 : last_column
                             : u[31:16] + 16'd1;
    wire [15:0] row_after    = above ? 16'd0 : at_bottom || below ? repeated ? 16'd0 : last_row
                             : v[31:16] + 16'd1;
    wire        centre_out   = (left_of && !(&u[31:15])) || right_of || (!left_of && at_right && u[15])
                            || (above && !(&v[31:15])) || below || (!above && at_bottom && v[15]);
    wire        nearest_out  = left_of || right_of || above || below;
    always @(posedge clk)
        if (move) begin
            column <= left_of ? 16'd0 : right_of ? last_column : u[31:16];
            row    <= filtered && lower ? row_after : above ? 16'd0 : below ? last_row : v[31:16];
            tags_1 <= {transparent && (filtered ? centre_out : nearest_out), row_ends, ends};
        end

    // ------------------------------------------------------------------ 2, 3: its address
    reg  [31:0] product;
    reg  [18:0] across;
    wire [18:0] column_bytes;
    wire [1:0]  size;                    // of a source unit, bytes minus one
    pixel_size sizer (.format(format), .size(size));
    pixel_bytes of_column (.units({1'b0, column}), .size(size), .bytes(column_bytes));
    reg  [31:0] address;
    always @(posedge clk)
        if (move) begin
            product <= row * pitch;
            across  <= column_bytes;
            address <= source + product + {13'd0, across};
            tags_2  <= tags_1;
            tags_3  <= tags_2;
            tags_4  <= tags_3;
        end

    // ------------------------------------------------------------------ of a filtered command: taps
    wire        tap_new, tap_completes;
    wire [31:3] tap_beat;
    wire [24:0] tap_part;
    wire        lower_4;
    wire        goes;
    reg  [15:0] column_1;
    reg  [18:0] across_1;
    reg  [8:0]  with_1, with_2, with_3;      // {row is odd, lower row, fraction}
    reg  [7:0]  with_4;
    wire [18:0] bytes_1;
    wire [12:0] tap;
    pixel_bytes of_column_1 (.units({1'b0, column_1}), .size(size), .bytes(bytes_1));
    reg  [31:0] address_1;
    always @(posedge clk)
        if (move) begin
            column_1  <= column_after;
            across_1  <= bytes_1;
            address_1 <= source + product + {13'd0, across_1};
            with_1    <= {1'b0, lower, lower ? v[15:9] : u[15:9]};
            with_2    <= {row[0], with_1[7:0]};
            with_3    <= with_2;
            with_4    <= with_3[7:0];
        end
    mover_taps taps (
        .clk(clk), .rst(rst || state == S_IDLE), .load(move), .address_0(address), .address_1(address_1),
        .row_odd(with_3[8]), .left_out(tags_3[2]), .stands(valid_4 && filtered), .goes(goes && filtered),
        .is_new(tap_new), .beat(tap_beat), .completes(tap_completes), .tap(tap)
    );
    assign lower_4  = with_4[7];
    assign tap_part = {filtered, format, with_4, tap};
    always @(posedge clk)
        if (rst)       {valid_1, valid_2, valid_3, valid_4} <= 4'd0;
        else if (move) {valid_1, valid_2, valid_3, valid_4} <= {emits, valid_1, valid_2, valid_3};
    assign is_empty = !valid_1 && !valid_2 && !valid_3 && !valid_4;

    // ------------------------------------------------------------------ parts
    reg  [31:3] beat;
    reg  [2:0]  lane;
    reg  [1:0]  left;                    // bytes minus one
    reg  [2:0]  place;                   // in the packed beat
    reg  [31:3] last_beat;               // asked for last
    reg         has_last;
    reg         is_same;                 // the part's beat is that one
    wire        left_out  = tags_4[2];
    wire [2:0]  to_lane   = ~lane;       // bytes minus one up to the beat's end
    wire [2:0]  to_place  = ~place;
    wire [2:0]  room      = to_lane < to_place ? to_lane : to_place;
    wire        whole     = room >= {1'b0, left};
    wire        completes = filtered ? tap_completes : whole;
    wire [1:0]  bytes     = whole ? left : room[1:0];
    wire        is_new    = filtered ? tap_new : !left_out && !is_same;
    wire [2:0]  after     = {1'b0, bytes} + 3'd1;
    wire        may_go    = valid_4 && part_room && (is_new ? burst_ready : asked);
    // A filtered unit is one of 4 bytes when its last part is given.
    wire        unit_done = completes && (!filtered || lower_4);
    wire [2:0]  counted   = filtered ? {unit_done, 2'd0} : after;
    assign goes          = may_go;
    assign burst_valid   = valid_4 && part_room && is_new;
    assign burst_address = filtered ? tap_beat : beat;
    assign burst_bytes   = {6'd0, counted};
    assign part_push     = goes;
    assign part          = {tap_part, lane, bytes, is_new, left_out, unit_done, completes && tags_4[1],
                            completes && tags_4[0]};
    assign part_bytes    = goes && !is_new ? {6'd0, counted} : 9'd0;
    assign move          = !valid_4 || (goes && completes);
    wire [3:0]  next_lane = {1'b0, lane} + {1'b0, after};
    always @(posedge clk) begin
        if (move) begin
            // Of a unit that has been given its last beat was asked for last.
            is_same <= valid_4 && !left_out ? beat == address[31:3] : has_last && last_beat == address[31:3];
            beat <= address[31:3];
            lane <= tags_3[2] ? 3'd0 : address[2:0];
            left <= size;
        end else if (goes) begin
            is_same <= !next_lane[3];
            beat <= beat + {28'd0, next_lane[3]};
            lane <= next_lane[2:0];
            left <= left - after[1:0];
        end
        if (goes) place <= completes && tags_4[1] ? 3'd0 : place + after;
        if (goes && is_new) begin
            last_beat <= burst_address;
            has_last  <= 1'b1;
        end
        if (rst || state == S_IDLE) begin
            has_last <= 1'b0;
            place    <= 3'd0;
        end
    end

    wire unused = &{1'b0, full, across[18], bytes_1[18], with_1[8], 1'b0};

`ifdef GPU_ASSERT
    always @(posedge clk) if (!rst) begin
        // A part lies in one beat and in one packed beat, and words are there before their command.
        assert (!valid_4 || ({1'b0, lane} + {2'b0, bytes} < 4'd8 && {1'b0, place} + {2'b0, bytes} < 4'd8));
        assert (!(word_push && full));
        assert (!valid_4 || filtered || left_out || is_same == (has_last && last_beat == beat));
        assert (!taken || finished);
    end
`endif
endmodule

`default_nettype wire
