// SPDX-License-Identifier: Apache-2.0
//
// Cuts a piece, a contiguous byte range, into bursts of at most 32 beats of 8 bytes.
//
// Bursts end at 256-byte boundaries (fine: 64), so none crosses 4 KB. The first leaves in the cycle in which the piece
// is offered, then one a cycle; the next piece follows without a gap. Each side of a copy has its own cutter, so
// neither pays for the other's boundaries. The piece stays at the ports until its last burst is taken; only the
// position is kept.
//
//        first                                                     last
//          v                                                         v
//   |......aaaaaaaaaa|bbbbbbbbbbbbbbbb|cccccccccccccccc|ddddddddddddddd.|      each | is n * 256
//     head burst                                          tail burst
`default_nettype none

module mover_cutter (
    input  wire        clk,
    input  wire        rst,           // also: forget the position

    // Byte range first..last, both included. `single`: one burst whatever `last` says (the carrier of
    // an empty command). Stable until it is taken, together with its last burst. Ready is independent of valid.
    input  wire        piece_valid,
    output wire        piece_ready,
    input  wire [31:0] piece_first,
    input  wire [31:0] piece_last,
    input  wire        piece_short,   // first and last lie in one 256-byte block
    input  wire        piece_single,
    input  wire        piece_fine,    // bursts of at most 64 bytes

    // Bursts, combinational from the piece.
    output wire        burst_valid,
    input  wire        burst_ready,
    output wire [31:3] burst_address,
    output wire [4:0]  burst_beats,   // beats minus one
    output wire [2:0]  burst_first,   // lane of the first byte
    output wire [2:0]  burst_last,    // lane of the last byte
    output wire [8:0]  burst_bytes,
    output wire        burst_head,    // first burst of its piece
    output wire        burst_tail,    // last burst of its piece

    output reg         busy           // a burst of the piece has been taken
);
    reg  [31:8] block;                // while busy: where the next burst starts
    reg  [1:0]  quarter;              // fine: and in which quarter of it
    reg         block_is_last;        // it is the one the piece ends in

    wire [31:8] at_block   = busy ? block : piece_first[31:8];
    wire [1:0]  at_quarter = busy ? quarter : piece_first[7:6];
    wire [7:0]  at_offset  = busy ? {quarter & {2{piece_fine}}, 6'd0} : piece_first[7:0];
    wire        in_last    = busy ? block_is_last : piece_short;
    wire        is_last    = in_last && (!piece_fine || at_quarter == piece_last[7:6]);
    wire        is_tail    = is_last || piece_single;
    wire [7:0]  end_offset = is_tail ? piece_last[7:0] : {at_quarter | {2{!piece_fine}}, 6'h3f};

    assign piece_ready   = burst_ready && is_tail;
    assign burst_valid   = piece_valid;
    assign burst_address = {at_block, at_offset[7:3]};
    assign burst_beats   = end_offset[7:3] - at_offset[7:3];
    assign burst_first   = at_offset[2:0];
    assign burst_last    = end_offset[2:0];
    assign burst_bytes   = {1'b0, end_offset} - {1'b0, at_offset} + 9'd1;
    assign burst_head    = !busy;
    assign burst_tail    = is_tail;

    wire        ends_block = !piece_fine || at_quarter == 2'd3;
    wire [31:8] next_block = at_block + {23'd0, ends_block};
    always @(posedge clk)
        if (rst)                             busy <= 1'b0;
        else if (burst_valid && burst_ready) busy <= !is_tail;

    always @(posedge clk)
        if (burst_valid && burst_ready) begin
            block         <= next_block;
            quarter       <= ends_block ? 2'd0 : at_quarter + 2'd1;
            block_is_last <= ends_block ? next_block == piece_last[31:8] : in_last;
        end

`ifdef GPU_ASSERT
    wire [8:0] end_beat = {4'd0, burst_address[7:3]} + {4'd0, burst_beats};
    always @(posedge clk)
        if (!rst && burst_valid && !piece_single) begin
            assert (piece_short == (piece_first[31:8] == piece_last[31:8]));
            // Inside one 256-byte block, and no byte outside the piece.
            assert (end_beat < 9'd32);
            assert (!piece_fine || at_quarter == end_offset[7:6]);
            assert (!burst_head || {burst_address, burst_first} == piece_first);
            assert (!burst_tail || {at_block, end_offset} == piece_last);
        end
`endif
endmodule

`default_nettype wire
