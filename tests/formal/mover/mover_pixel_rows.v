// SPDX-License-Identifier: Apache-2.0
//
// The pixel path finishes every row it has the beats of. By induction: unbounded in time, rows and their length.
//
// Any parameters of legal pairs of formats, beats on both sides when they like, results taken when anyone likes. Then
//   - a step waits for nothing but a source beat, a target beat where the mode reads the target, or for a result to
//     be taken: follows[0];
//   - each step leaves less of the command: follows[1];
//   - a row takes exactly the packed beats that its source units fill, as many of the target as those fill, or
//     none, and gives exactly those of its results: follows[2], [3].
// Packed beats: 8 bytes from the row's first byte on. How they come from memory's words is mover_aligner's, as in
// mover_stream.v.
`default_nettype none

module mover_pixel_rows (
    input wire clk,
    input wire param_push,
    input wire source_valid,
    input wire target_valid,
    input wire out_ready
);
`include "gpu_spec.vh"
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;
    (* anyseq *) wire [2:0]  mode, source_format, target_format;
    (* anyseq *) wire        premultiplied, keyed, coloured;
    (* anyseq *) wire [7:0]  rop;
    (* anyseq *) wire [17:0] row_extent;
    (* anyseq *) wire [15:0] units, rows;
    (* anyseq *) wire [15:0] marks;
    wire         param_room, source_ready, target_ready, out_valid, out_flush, out_end;
    wire [63:0]  out_data;
    wire [7:0]   out_mask;
    wire [2:0]   out_shift;
    wire [1:0]   out_error;
    pixel_path path (
        .clk(clk), .rst(rst), .param_push(param_push && param_room && !rst), .param_room(param_room),
        .param_mode(mode), .param_source_format(source_format), .param_target_format(target_format),
        .param_premultiplied(premultiplied), .param_keyed(keyed), .param_coloured(coloured), .param_rop(rop),
        .param_key(24'd0), .param_value(32'd0), .param_lane(marks[2:0]), .param_pitch_lane(marks[5:3]),
        .param_row_extent(row_extent), .param_units(units), .param_rows(rows),
        .source_valid(source_valid), .source_ready(source_ready), .source_data(64'd0), .source_shift(marks[8:6]),
        .source_prime(marks[9]), .source_flush(marks[10]), .source_error(1'b0),
        .target_valid(target_valid), .target_ready(target_ready), .target_data(64'd0), .target_shift(marks[13:11]),
        .target_prime(marks[14]), .target_flush(marks[15]), .target_error(1'b0),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .out_mask(out_mask),
        .out_shift(out_shift), .out_flush(out_flush), .out_error(out_error), .out_end(out_end)
    );
    // Signals inside, by Yosys's way of naming them after flattening.
    (* hierconn *) wire        \path.valid ;
    (* hierconn *) wire        \path.whole ;
    (* hierconn *) wire        \path.odd ;
    (* hierconn *) wire        \path.needs_target ;
    (* hierconn *) wire [1:0]  \path.source_size ;
    (* hierconn *) wire [1:0]  \path.target_size ;
    (* hierconn *) wire [14:0] \path.last_step ;
    (* hierconn *) wire [15:0] \path.rows ;
    (* hierconn *) wire [14:0] \path.steps_left ;
    (* hierconn *) wire        \path.row_end ;
    (* hierconn *) wire [15:0] \path.rows_left ;
    (* hierconn *) wire        \path.last_row ;
    (* hierconn *) wire [1:0]  \path.phase ;
    (* hierconn *) wire        \path.draining ;
    (* hierconn *) wire        \path.step ;
    (* hierconn *) wire        \path.fire ;
    (* hierconn *) wire        \path.emit ;
    (* hierconn *) wire        \path.row_done ;
    (* hierconn *) wire        \path.command_end ;
    (* hierconn *) wire        \path.s_valid ;
    (* hierconn *) wire        \path.t_valid ;
    (* hierconn *) wire        \path.s_take ;
    (* hierconn *) wire        \path.t_take ;
    wire        valid = \path.valid , step = \path.step , draining = \path.draining , whole = \path.whole ;
    wire [14:0] steps_left = \path.steps_left , last = \path.last_step , index = last - steps_left;
    wire [15:0] rows_left = \path.rows_left ;
    wire [1:0]  source_size = \path.source_size , target_size = \path.target_size ;
    // Units of one byte are never taken apart on the target's side; whole beats count as units of 4 bytes.
    always @(*) if (!rst && valid)
        assume (\path.rows  != 16'd0 && target_size != 2'd0
             && (!whole || (source_size == 2'd3 && target_size == 2'd3)));
    reg         waits = 1'b0;
    reg  [37:0] front_d1; // of the oldest command, which stands until its end
    wire [37:0] front = {whole, \path.odd , \path.needs_target , source_size, target_size, last, \path.rows };
    always @(posedge clk) {waits, front_d1} <= {valid && !\path.command_end  && !rst, front};
    // A queue keeps its oldest word (sync_fifo_formal.v).
    always @(*) if (waits && !rst) assume (valid && front == front_d1);

    // Beats of the row taken and given.
    reg  [16:0] taken_s = 17'd0, taken_t = 17'd0, given = 17'd0;
    wire [16:0] taken_s_now = taken_s + {16'd0, \path.s_take };
    wire [16:0] taken_t_now = taken_t + {16'd0, \path.t_take };
    wire [16:0] given_now   = given + {16'd0, step && \path.emit };
    wire        row_done    = step && \path.row_done ;
    always @(posedge clk) if (!rst) begin
        taken_s <= row_done ? 17'd0 : taken_s_now;
        taken_t <= row_done ? 17'd0 : taken_t_now;
        given   <= row_done ? 17'd0 : given_now;
    end
    // Beats taken after `pairs` pairs of units of size + 1 bytes, and results given, not at the row's end.
    function [16:0] taken_of(input [16:0] pairs, input [1:0] size);
        case (size)
            2'd0:    taken_of = {2'd0, pairs[16:2]};
            2'd1:    taken_of = {1'b0, pairs[16:1]};
            2'd2:    taken_of = pairs - ((pairs + 17'd1) >> 2);
            default: taken_of = pairs;
        endcase
    endfunction
    function [16:0] given_of(input [16:0] pairs, input [1:0] size);
        given_of = size == 2'd2 ? pairs - ((pairs + 17'd3) >> 2) : taken_of(pairs, size);
    endfunction
    // Beats that `units` of size + 1 bytes fill.
    function [16:0] filled_by(input [16:0] units_, input [1:0] size);
        reg [18:0] bytes;
        begin
            bytes     = (size[1] ? {1'b0, units_, 1'b0} : 19'd0)
                      + (size[0] ? {1'b0, units_, 1'b0} : {2'd0, units_}) + 19'd7;
            filled_by = {1'b0, bytes[18:3]};
        end
    endfunction
    wire [16:0] row_units = {1'b0, last, 1'b0} + (\path.odd  && !whole ? 17'd1 : 17'd2);
    wire [16:0] at_end = draining ? {2'd0, index} + 17'd1 : {2'd0, index};

    reg  [31:0] left_d1; // rows, steps, the last
    reg         stepped = 1'b0;
    wire [31:0] left = {rows_left, steps_left, !draining};
    always @(posedge clk) {stepped, left_d1} <= {step && !\path.command_end  && !rst, left};

    (* keep *) wire [2:0] state;
    assign state[0] = rst ? {taken_s, taken_t, given, waits, stepped} == 0
                          : valid ? \path.phase  == index[1:0]
                                 && \path.row_end  == (steps_left == 15'd0) && \path.last_row  == (rows_left == 16'd1)
                                 && (waits || (steps_left == last && rows_left == \path.rows  && !draining))
                          : \path.phase  == 2'd0 && !draining;
    assign state[1] = rst || !waits || (steps_left <= last && rows_left != 16'd0 && rows_left <= \path.rows
                                     && (!draining || (steps_left == 15'd0 && target_size == 2'd2)));
    assign state[2] = rst || (!waits ? {taken_s, taken_t, given} == 0
                            : draining ? taken_s == filled_by(row_units, source_size)
                                      && taken_t == (\path.needs_target  ? filled_by(row_units, target_size) : 17'd0)
                                      && given + 17'd1 == filled_by(row_units, target_size)
                            : taken_s == taken_of({2'd0, index}, source_size)
                           && taken_t == (\path.needs_target  ? taken_of({2'd0, index}, target_size) : 17'd0)
                           && given == given_of({2'd0, index}, target_size));
    (* keep *) wire [3:0] follows;
    assign follows[0] = rst || !valid || step || (out_valid && !out_ready)
                     || (!draining && (!\path.s_valid  || (\path.needs_target  && !\path.t_valid )));
    assign follows[1] = rst || !stepped || left < left_d1; // a step later
    assign follows[2] = rst || !row_done
                     || (taken_s_now == filled_by(row_units, source_size)
                      && taken_t_now == (\path.needs_target  ? filled_by(row_units, target_size) : 17'd0));
    assign follows[3] = rst || !row_done || given_now == filled_by(row_units, target_size);
    // Reached from reset: a row of 3 units of 3 bytes from units of 2: 9 bytes, the last one drained.
    (* keep *) wire misses = !(row_done && draining && row_units == 17'd3 && source_size == 2'd1);

`ifdef STEP
    reg is_later = 1'b0;
    always @(posedge clk) is_later <= 1'b1;
    always @(*) assume (is_later || &state);
`endif
endmodule

`default_nettype wire
