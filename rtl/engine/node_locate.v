// SPDX-License-Identifier: Apache-2.0
//
// Slots and rectangles: keeps what BIND bound. For a draw it finds the addresses of its rectangles on the bound
// surfaces, first the target's, then the source's.
`default_nettype none

module node_locate #(
    parameter NODE    = 0
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         unbind_all,     // pulse
    input  wire         filtered,       // BILINEAR of a BLIT_AFFINE
    input  wire         has_palette,    // colours of INDEX8 are there
    input  wire [127:0] packet,         // stands from `start` until what was found has been used
    input  wire [31:0]  source_area,    // of a BLIT_AFFINE, its word 6: stands from the seventh cycle of locating on

    input  wire         binds,          // pulse: the packet is a BIND
    // A draw. `start` is a pulse, not while is_unbound; `locating` a level from the cycle after it until
    // `done`, a pulse. What was found stands from the cycle after done.
    output wire         is_unbound,     // combinational: a slot that the packet names has no surface
    input  wire         start,
    input  wire         locating,
    output wire         done,
    output wire         is_illegal,     // leaves its surface, or node_blit_check.v refuses it
    output reg  [31:0]  target_address,
    output reg  [15:0]  target_pitch,
    output reg  [2:0]   target_format,
    output reg  [17:0]  row_bytes,      // of the target
    output reg  [31:0]  source_address,
    output reg  [15:0]  source_pitch,
    output reg  [2:0]   source_format,
    output reg  [7:0]   source_mask     // see mover.v
);
`include "gpu_spec.vh"
`include "config.vh"
    wire [31:0] word0   = packet[31:0];
    wire [31:0] word1   = packet[63:32];
    wire [31:0] word2   = packet[95:64];
    wire [31:0] word3   = packet[127:96];
    localparam  HAS_MAPS = MAPS != 0 && NODE == 0;
    wire        is_mapped = HAS_MAPS && word0[7:0] == PKT_BLIT_AFFINE;
    wire        is_blit   = word0[7:0] == PKT_BLIT || is_mapped;

    // ------------------------------------------------------------------ one rectangle
    reg         seeks, at_source;
    wire        found, out_of_bounds, target_bound, source_bound;
    wire [31:0] found_address;
    wire [15:0] found_pitch;
    wire [4:0]  found_format;
    wire [2:0]  found_bit, found_pitch_bits;
    reg         target_is_small;
    wire [17:0] found_row_bytes;
    wire [5:0]  target_slot = word0[PKT_BLIT_TARGET_LSB +: PKT_BLIT_TARGET_WIDTH]; // FILL_RECT has it there too
    wire [5:0]  source_slot = word0[PKT_BLIT_SOURCE_LSB +: PKT_BLIT_SOURCE_WIDTH];
    wire [31:0] corner      = at_source ? word2 : word1;  // x, y
    wire [31:0] area        = is_mapped && at_source ? source_area : is_blit ? word3 : word2; // width, height
    wire        no_source   = is_mapped && (source_area[15:0] == 16'd0 || source_area[31:16] == 16'd0);
    // The paging node refuses every draw with units smaller than a byte, wherever it lies.
    node_surface #(.NODE(NODE)) surface (
        .clk           (clk),
        .rst           (rst),
        .unbind_all    (unbind_all),
        .set_valid     (binds),
        .set_slot      (word0[PKT_BIND_SLOT_LSB +: PKT_BIND_SLOT_WIDTH]),
        .set_address   (word1),
        .set_pitch     (word2[15:0]),
        .set_format    (word0[PKT_BIND_FORMAT_LSB +: PKT_BIND_FORMAT_WIDTH]),
        .set_bytes     (word3),
        .ask_slot1     (target_slot),
        .ask_slot2     (source_slot),
        .is_bound1     (target_bound),
        .is_bound2     (source_bound),
        .start         (seeks),
        .slot          (at_source ? source_slot : target_slot),
        .x             (corner[15:0]),
        .y             (corner[31:16]),
        .width         (area[15:0]),
        .height        (area[31:16]),
        .done          (found),
        .address       (found_address),
        .pitch         (found_pitch),
        .format        (found_format),
        .first_bit     (found_bit),
        .pitch_bits    (found_pitch_bits),
        .row_bytes     (found_row_bytes),
        .out_of_bounds (out_of_bounds)
    );
    assign is_unbound = !target_bound || (is_blit && !source_bound);

    // ------------------------------------------------------------------ the target's, then a BLIT's source's
    reg  leaves_surface;
    assign done = locating && found && (at_source || !is_blit);
    always @(posedge clk) begin
        seeks <= start || (locating && found && !at_source && is_blit);
        if (start) at_source <= 1'b0;
        if (locating && found && !at_source) begin
            target_address <= found_address;
            target_pitch   <= found_pitch;
            target_format  <= found_format[2:0];
            target_is_small <= MASKS != 0 && found_format[4:3] != 2'd0;
            row_bytes      <= found_row_bytes;
            leaves_surface <= out_of_bounds;
            at_source      <= 1'b1;
        end else if (locating && found) begin
            source_address <= found_address;
            source_pitch   <= found_pitch;
            source_format  <= found_format[2:0];
            source_mask    <= {found_pitch_bits, found_bit, found_format[4:3]};
            leaves_surface <= leaves_surface || out_of_bounds || no_source;
        end
    end

    // What the last surface found makes of the draw is found out with it.
    wire [2:0] last_format = is_blit ? target_format : found_format[2:0];
    wire       last_small  = is_blit ? target_is_small : MASKS != 0 && found_format[4:3] != 2'd0;
    wire is_refused;
    node_blit_check #(.NODE(NODE)) blit_check (
        .is_blit       (is_blit),
        .mode          (word0[PKT_BLIT_MODE_LSB +: PKT_BLIT_MODE_WIDTH]),
        .is_reverse    (word0[PKT_BLIT_REVERSE_LSB]),
        .is_keyed      (word0[PKT_BLIT_KEYED_LSB]),
        .is_coloured   (word0[PKT_BLIT_COLOURED_LSB]),
        .is_mapped     (is_mapped),
        .is_rounded    (word0[PKT_BLIT_TRUNCATED_LSB] || word0[PKT_BLIT_BY_256_LSB]),
        .source_format (found_format),
        .target_format ({1'b0, last_small, last_format}),
        .is_illegal    (is_refused)
    );
    // Units of a filtered draw's source lie at multiples of their size, so each in one beat.
    wire       not_in_beats;
    generate if (HAS_MAPS) begin : filter
        wire [1:0] size;
        pixel_size sizer (.format(found_format[2:0]), .size(size));
        wire [1:0] low = found_address[1:0] | found_pitch[1:0];
        assign not_in_beats = is_mapped && filtered
                           && (size == 2'd2 || (low & size) != 2'd0
                               || (PALETTE != 0 && found_format[2:0] == FORMAT_INDEX8[2:0]));
    end else begin : no_filter
        assign not_in_beats = 1'b0;
    end endgenerate
    wire   no_palette = PALETTE != 0 && is_blit && found_format[2:0] == FORMAT_INDEX8[2:0]
                     && target_format != FORMAT_INDEX8[2:0] && !has_palette;
    reg    is_bad;
    always @(posedge clk) if (done) is_bad <= is_refused || not_in_beats || no_palette;
    assign is_illegal = leaves_surface || is_bad;

    wire unused = &{1'b0, source_area, filtered, 1'b0};

`ifdef GPU_ASSERT
    // A rectangle is sought only on surfaces that are bound.
    always @(posedge clk) if (!rst) assert (!(start && is_unbound));
`endif
endmodule

`default_nettype wire
