// SPDX-License-Identifier: Apache-2.0
//
// The pixel path in the mover: target reads for BLEND and ROP, the path itself, and the choice of the aligner's user.
//
// A command's results and the beats of plain copies around it must not mix. So `active` keeps plain beats back. It is
// set from the first source beat that the pixel path sees to its last result.
`default_nettype none

module mover_pixels (
    input  wire        clk,
    input  wire        rst,
    input  wire        hold,               // as in mover_read
    input  wire        drop,               // as in mover_read; forgets everything

    // A command that changes data, with `command`; only while command_room.
    input  wire        command,
    output wire        command_room,
    input  wire [2:0]  cmd_mode,
    input  wire [2:0]  cmd_source_format,
    input  wire [2:0]  cmd_target_format,
    input  wire        cmd_premultiplied,
    input  wire        cmd_keyed,
    input  wire        cmd_coloured,
    input  wire [7:0]  cmd_rop,
    input  wire [23:0] cmd_key,
    input  wire [31:0] cmd_value,
    input  wire [2:0]  cmd_target,         // lane of its first byte
    input  wire [2:0]  cmd_target_pitch,   // mod 8
    input  wire [31:0] cmd_row_bytes,
    input  wire [15:0] cmd_units,
    input  wire [15:0] cmd_rows,
    input  wire [7:0]  cmd_mask,           // see mover.v
    input  wire        cmd_mapped,         // its source beats come packed, its pairs with what is left out
    input  wire        pair_push,          // see mover_gather.v
    input  wire [1:0]  pair,
    input  wire        palette_write,      // see mover_palette.v
    input  wire [7:0]  palette_index,
    input  wire [31:0] palette_colour,

    // Bursts of the target that are to be read.
    input  wire        burst_valid,
    output wire        burst_ready,
    input  wire [31:3] burst_address,
    input  wire [4:0]  burst_beats,
    input  wire [2:0]  burst_last,
    input  wire [2:0]  burst_lane,         // lane of the row's first byte
    input  wire        burst_head,
    input  wire        burst_tail,
    input  wire        burst_user,

    output wire [31:0] araddr,
    output wire [7:0]  arlen,
    output wire        aruser,
    output wire        arvalid,
    input  wire        arready,
    input  wire [63:0] rdata,
    input  wire [1:0]  rresp,
    input  wire        rlast,
    input  wire        rvalid,
    output wire        idle,
    output wire        fault_guard,
    output wire [31:3] fault_address,

    // Source beats of commands that change data.
    input  wire        source_valid,
    output wire        source_ready,
    input  wire [63:0] source_data,
    input  wire [2:0]  source_shift,
    input  wire        source_prime,
    input  wire        source_flush,
    input  wire        source_end,         // last of its command
    input  wire        source_error,

    // Results for the aligner, while active; plain beats pass only while !active.
    output reg         active,
    output wire        path_valid,
    input  wire        path_ready,
    output wire [63:0] out_data,
    output wire [7:0]  out_mask,
    output wire [2:0]  out_shift,
    output wire        out_flush,
    output wire [1:0]  out_error
);
`include "config.vh"
    wire        t_valid, t_ready, t_prime, t_flush, t_error;
    wire [63:0] t_data;
    wire [2:0]  t_shift;
    wire        t_special, t_end, t_pending, t_quiet, t_faulty, t_chunk_arrived;
    wire [8:0]  t_issued_bytes;
    // Shift to lane 0; burst_lane is the lane of the row's first byte.
    wire [2:0]  pack_shift = 3'd0 - burst_lane;
    wire        spill = burst_last > ~pack_shift;
    mover_read target_read (
        .clk             (clk),
        .rst             (rst),
        .hold            (hold),
        .drop            (drop),
        .burst_valid     (burst_valid),
        .burst_ready     (burst_ready),
        .burst_address   (burst_address),
        .burst_beats     (burst_beats),
        .burst_bytes     (9'd0),
        .burst_user      (burst_user),
        .burst_shift     (pack_shift),
        .burst_prime     (burst_head && burst_lane != 3'd0),
        .burst_flush     (burst_tail && spill),
        .burst_special   (1'b1),
        .burst_end       (1'b0),
        .burst_chunk_end (1'b0),
        .araddr          (araddr),
        .arlen           (arlen),
        .aruser          (aruser),
        .arvalid         (arvalid),
        .arready         (arready),
        .rdata           (rdata),
        .rresp           (rresp),
        .rlast           (rlast),
        .rvalid          (rvalid),
        .beat_valid      (t_valid),
        .beat_ready      (t_ready),
        .beat_data       (t_data),
        .beat_shift      (t_shift),
        .beat_prime      (t_prime),
        .beat_flush      (t_flush),
        .beat_special    (t_special),
        .beat_end        (t_end),
        .beat_error      (t_error),
        .issued_bytes    (t_issued_bytes),
        .chunk_arrived   (t_chunk_arrived),
        .has_pending     (t_pending),
        .is_quiet        (t_quiet),
        .idle            (idle),
        .fault           (t_faulty),
        .fault_guard     (fault_guard),
        .fault_address   (fault_address)
    );

    wire        path_end, result_valid, result_ready;
    wire [78:0] result;
    wire [31:0] row_extent = cmd_row_bytes - 32'd1;
    pixel_path path (
        .clk                 (clk),
        .rst                 (rst || drop),
        .param_push          (command),
        .param_room          (command_room),
        .param_mode          (cmd_mode),
        .param_source_format (cmd_source_format),
        .param_target_format (cmd_target_format),
        .param_premultiplied (cmd_premultiplied),
        .param_keyed         (cmd_keyed),
        .param_coloured      (cmd_coloured),
        .param_rop           (cmd_rop),
        .param_key           (cmd_key),
        .param_value         (cmd_value),
        .param_lane          (cmd_target),
        .param_pitch_lane    (cmd_target_pitch),
        .param_row_extent    (row_extent[17:0]),
        .param_units         (cmd_units),
        .param_rows          (cmd_rows),
        .param_mask          (cmd_mask),
        .param_mapped        (cmd_mapped),
        .pair_push           (pair_push),
        .pair                (pair),
        .palette_write       (palette_write),
        .palette_index       (palette_index),
        .palette_colour      (palette_colour),
        .source_valid        (source_valid),
        .source_ready        (source_ready),
        .source_data         (source_data),
        .source_shift        (source_shift),
        .source_prime        (source_prime),
        .source_flush        (source_flush),
        .source_error        (source_error),
        .target_valid        (t_valid),
        .target_ready        (t_ready),
        .target_data         (t_data),
        .target_shift        (t_shift),
        .target_prime        (t_prime),
        .target_flush        (t_flush),
        .target_error        (t_error),
        .out_valid           (result_valid),
        .out_ready           (result_ready),
        .out_data            (result[63:0]),
        .out_mask            (result[71:64]),
        .out_shift           (result[74:72]),
        .out_flush           (result[75]),
        .out_error           (result[77:76]),
        .out_end             (result[78])
    );
    wire [78:0] given;
    wire full;
    assign result_ready = !full;
    sync_fifo #(.WIDTH(79), .LOG2_DEPTH(1)) results (
        .clk       (clk),
        .rst       (rst || drop),
        .push      (result_valid && !full),
        .push_data (result),
        .full      (full),
        .pop       (path_valid && path_ready),
        .data      (given),
        .valid     (path_valid)
    );
    assign {path_end, out_error, out_flush, out_shift, out_mask, out_data} = given;

    // A command is open from the cycle after its first source beat is seen: a result may come before it is taken.
    reg  [3:0] open;                     // commands in the path
    reg        entering;                 // in the middle of a command's source beats
    wire       enters    = source_valid && source_ready;
    wire [3:0] open_next = open + {3'd0, source_valid && !entering} - {3'd0, path_valid && path_ready && path_end};
    always @(posedge clk)
        if (rst || drop) begin
            open     <= 4'd0;
            active   <= 1'b0;
            entering <= 1'b0;
        end else begin
            open     <= open_next;
            active   <= open_next != 4'd0;
            entering <= (entering || source_valid) && !(enters && source_end);
        end

    wire unused = &{1'b0, t_special, t_end, t_pending, t_quiet, t_faulty, t_chunk_arrived, t_issued_bytes,
                    row_extent[31:18], 1'b0};
endmodule

`default_nettype wire
