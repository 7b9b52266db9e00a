// SPDX-License-Identifier: Apache-2.0
//
// The source side of a BLIT_AFFINE in the mover: address generator (mover_map.v), packing of units (mover_gather.v),
// and the order among commands.
//
// Beats of the plain source side and parts of this side wait in different queues. They are never both on their way. A
// mapped command begins when all earlier source beats are used or are of mapped commands. Plain reads wait until
// mapped units are gathered.
`default_nettype none

module mover_affine (
    input  wire        clk,
    input  wire        rst,

    // See mover_map.v. `offer`: the source half of a piece of a mapped command is offered.
    input  wire        word_push,
    input  wire [31:0] word,
    input  wire        offer,
    input  wire        offer_end,         // of its last
    output wire        ready,             // it is taken
    input  wire [31:0] source,
    input  wire [15:0] pitch,
    input  wire [2:0]  format,
    input  wire [15:0] units,
    input  wire [15:0] rows,
    input  wire [2:0]  sampling,          // see mover.v
    output wire        has_begun,         // with this command
    output wire        is_walking,
    output wire        is_gathering,      // the plain source side must not read

    // The source's reader.
    input  wire        source_quiet,      // nothing that it read is unused
    output wire        burst_valid,
    input  wire        burst_ready,
    output wire [31:3] burst_address,
    output wire [8:0]  burst_bytes,
    input  wire        asked,
    output wire [8:0]  part_bytes,
    input  wire        beat_valid,
    output wire        beat_ready,
    input  wire [63:0] beat_data,
    input  wire        beat_error,

    // The pixel path; see mover_gather.v.
    output wire        out_valid,
    input  wire        out_ready,
    output wire [63:0] out_data,
    output wire        out_error,
    output wire        out_end,
    output wire        pair_push,
    output wire [1:0]  pair
);
    wire       is_idle, finished, part_room, part_push, is_busy;
    wire [34:0] part;
    assign ready        = offer_end ? finished : has_begun;
    assign has_begun    = !is_idle;
    assign is_gathering = has_begun || is_busy;
    mover_map map (
        .clk           (clk),
        .rst           (rst),
        .word_push     (word_push),
        .word          (word),
        .start         (offer && (source_quiet || is_busy)),
        .taken         (offer && offer_end && finished),
        .source        (source),
        .pitch         (pitch),
        .format        (format),
        .units         (units),
        .rows          (rows),
        .transparent   (sampling[0]),
        .repeated      (sampling[1]),
        .filtered      (sampling[2]),
        .is_idle       (is_idle),
        .is_walking    (is_walking),
        .finished      (finished),
        .burst_valid   (burst_valid),
        .burst_ready   (burst_ready),
        .burst_address (burst_address),
        .burst_bytes   (burst_bytes),
        .asked         (asked),
        .part_room     (part_room),
        .part_push     (part_push),
        .part          (part),
        .part_bytes    (part_bytes)
    );
    mover_gather gather (
        .clk        (clk),
        .rst        (rst),
        .part_push  (part_push),
        .part       (part),
        .part_room  (part_room),
        .is_busy    (is_busy),
        .beat_valid (beat_valid),
        .beat_ready (beat_ready),
        .beat_data  (beat_data),
        .beat_error (beat_error),
        .out_valid  (out_valid),
        .out_ready  (out_ready),
        .out_data   (out_data),
        .out_error  (out_error),
        .out_end    (out_end),
        .pair_push  (pair_push),
        .pair       (pair)
    );
endmodule

`default_nettype wire
