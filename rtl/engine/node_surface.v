// SPDX-License-Identifier: Apache-2.0
//
// The 64 binding registers of a node, and the address arithmetic of rectangles on the surfaces bound there:
//   first byte = address + y * pitch + x * unit,   last byte = (y + height - 1) * pitch + (x + width) * unit
// where the last byte must not pass BYTES. One surface takes four cycles over one multiplier. Of units that are parts
// of bytes the pitch counts units.
`default_nettype none

module node_surface #(
    parameter NODE = 0 // of the paging node (1) formats of parts of bytes are told, not their places
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         unbind_all,    // pulse

    // BIND: the row SLOT := a surface; address 0 unbinds.
    input  wire         set_valid,
    input  wire [5:0]   set_slot,
    input  wire [31:0]  set_address,
    input  wire [15:0]  set_pitch,
    input  wire [4:0]   set_format,    // legal
    input  wire [31:0]  set_bytes,

    // Which slots are bound, combinational.
    input  wire [5:0]   ask_slot1,
    input  wire [5:0]   ask_slot2,
    output wire         is_bound1,
    output wire         is_bound2,

    // Locate a rectangle: `start` is a pulse, the operands stay until `done`, a pulse four cycles later; the
    // answer stands in the cycle of done. Zero width or height is always in bounds.
    input  wire         start,
    input  wire [5:0]   slot,
    input  wire [15:0]  x,
    input  wire [15:0]  y,
    input  wire [15:0]  width,
    input  wire [15:0]  height,
    output wire         done,
    output reg  [31:0]  address,
    output reg  [15:0]  pitch,
    output reg  [4:0]   format,
    output reg  [2:0]   first_bit,     // of `address`, where the rectangle begins: 0 is the byte's highest
    output reg  [2:0]   pitch_bits,    // that the pitch has beyond whole bytes
    output reg  [17:0]  row_bytes,
    output wire         out_of_bounds
);
`include "config.vh"
    // ------------------------------------------------------------------ registers
    localparam WIDTH = MASKS != 0 ? 85 : 83;
    (* no_rw_check *) // what is read while BIND writes is not used
    reg [WIDTH-1:0] rows [0:63];
    reg [63:0]      bound;
    reg [WIDTH-1:0] row;
    wire [84:0]     row_set = {set_format, set_pitch, set_bytes, set_address};
    always @(posedge clk) begin
        if (set_valid) rows[set_slot] <= row_set[WIDTH-1:0];
        row <= rows[slot];
        if (set_valid) bound[set_slot] <= set_address != 32'd0;
        if (rst || unbind_all) bound <= 64'd0;
    end
    assign is_bound1 = bound[ask_slot1];
    assign is_bound2 = bound[ask_slot2];

    wire [31:0] row_address = row[31:0];
    wire [31:0] row_extent  = row[63:32];
    wire [15:0] row_pitch   = row[79:64];
    wire [2:0]  row_format  = row[82:80];
    wire [1:0]  size;                  // bytes of a unit, minus one
    pixel_size sizer (.format(row_format), .size(size));
    wire [1:0]  depth;                 // 1, 2, 3: units of 4, 2 and 1 bits
    generate if (MASKS != 0) begin : masks
        assign depth = row[84:83];
    end else begin : no_masks
        assign depth = 2'd0;
        wire unused = &{1'b0, row_set[84:83], 1'b0};
    end endgenerate
    wire [1:0]  depth_found = NODE != 0 ? 2'd0 : depth;

    // ------------------------------------------------------------------ steps
    // 1: row read, first * pitch    2: last * pitch, first byte    3: last byte    4: compared
    // What the row, late as it is, makes of the operands stands in registers from step 2 on.
    reg  [4:1]  step;
    reg  [16:0] last_line;
    wire [16:0] line    = step[1] ? {1'b0, y} : last_line;
    reg  [32:0] product;
    wire [16:0] right_x = {1'b0, x} + {1'b0, width};
    wire [18:0] left, right, across;
    reg  [18:0] left_held, right_held;
    pixel_bytes to_left (.units({1'b0, x}), .size(size), .bytes(left));
    pixel_bytes to_right (.units(right_x), .size(size), .bytes(right));
    pixel_bytes of_row (.units({1'b0, width}), .size(size), .bytes(across));
    wire [32:0] place   = product + {14'd0, left_held};
    reg  [31:0] offset;                // in bytes, and the bits beyond
    reg  [15:0] whole_pitch;
    reg  [2:0]  place_bits, beyond;
    reg  [34:0] room, room_held;       // of the surface
    always @(*)
        case (depth_found)
            2'd1:    {offset, place_bits, whole_pitch, beyond, room}
                         = {place[32:1], place[0], 2'd0, 1'd0, row_pitch, 2'd0, 2'd0, row_extent, 1'd0};
            2'd2:    {offset, place_bits, whole_pitch, beyond, room}
                         = {1'd0, place, 1'd0, 2'd0, row_pitch, 1'd0, 1'd0, row_extent, 2'd0};
            2'd3:    {offset, place_bits, whole_pitch, beyond, room}
                         = {2'd0, place, 3'd0, row_pitch, row_extent, 3'd0};
            default: {offset, place_bits, whole_pitch, beyond, room}
                         = {place[31:0], 3'd0, row_pitch, 3'd0, 3'd0, row_extent};
        endcase
    reg  [33:0] last;
    assign done          = step[4];
    assign out_of_bounds = {1'b0, last} > room_held && width != 16'd0 && height != 16'd0;
    always @(posedge clk) begin
        step    <= {step[3:1], start};
        product <= line * row_pitch;
        last_line  <= {1'b0, y} + {1'b0, height} - 17'd1;
        left_held  <= left;
        right_held <= right;
        room_held  <= room;
        if (step[2]) begin
            address    <= row_address + offset;
            first_bit  <= place_bits;
            pitch      <= whole_pitch;
            pitch_bits <= beyond;
            format     <= {depth, row_format};
            row_bytes <= across[17:0];
        end
        if (step[3]) last <= {1'b0, product} + {15'd0, right_held};
        if (rst) step <= 4'd0;
    end

    wire unused = &{1'b0, across[18], 1'b0};

`ifdef GPU_ASSERT
    // One rectangle at a time.
    always @(posedge clk) if (!rst) assert (!(start && |step));
`endif
endmodule

`default_nettype wire
