// SPDX-License-Identifier: Apache-2.0
//
// Walks a TILE or UNTILE command in the order of the tiled side, which is contiguous: tile after tile, row
// after row. Each step names the 32 bytes of the linear side; the first row of a tile also names the tile
// (256 bytes) on the tiled side. Both sides are 8-byte aligned, so the beats need no shift and the
// two sides need not agree on where their ranges end.
//
//   linear, pitch P:   row 0  |A0|B0|C0|          tiled:  A0 A1 .. A7 B0 B1 .. B7 C0 .. C7 | next 8 rows
//                      row 1  |A1|B1|C1|
//                       ...   32 bytes each
`default_nettype none

module mover_tiles (
    input  wire        clk,
    input  wire        rst,

    // The command; stable until step && is_end. Row bytes a multiple of 32, rows of 8.
    input  wire        cmd_valid,
    input  wire [31:0] cmd_linear,
    input  wire [31:0] cmd_tiled,
    input  wire [15:0] cmd_row_bytes,
    input  wire [15:0] cmd_rows,
    input  wire [15:0] cmd_pitch,

    output wire        piece_valid,
    input  wire        step,
    output wire [31:0] linear_first,
    output wire [31:0] linear_last,
    output wire [31:0] tile_first,
    output wire [31:0] tile_last,
    output wire        tile_valid, // this step also hands out the tile
    output wire        tile_is_end,// and it is the last
    output wire        is_void,
    output wire        is_end,
    output wire        busy
);
`include "gpu_spec.vh"
    reg         walking;
    reg  [31:0] band;     // linear address of the band of 8 rows
    reg  [15:0] column;   // byte column of the tile
    reg  [2:0]  row;      // row of the tile
    reg  [31:0] linear;
    reg  [31:0] tile;
    reg  [15:3] bands_left;

    wire [15:0] next_column = column + LIMIT_TILE_ROW_BYTES[15:0];
    wire        tile_done   = row == 3'd7;
    wire        last_column = next_column == cmd_row_bytes;
    wire        band_done   = tile_done && last_column;
    wire [31:0] next_band   = band + {13'd0, cmd_pitch, 3'd0};

    assign is_void      = cmd_row_bytes == 16'd0 || cmd_rows == 16'd0;
    assign piece_valid  = cmd_valid && (walking || is_void);
    assign linear_first = linear;
    assign linear_last  = {linear[31:3], 3'd7} + (LIMIT_TILE_ROW_BYTES - 32'd8);
    assign tile_first   = tile;
    assign tile_last    = {tile[31:8], 8'hff};
    assign tile_valid   = row == 3'd0;
    assign tile_is_end  = last_column && bands_left == 13'd1;
    assign is_end       = is_void || (tile_done && tile_is_end);
    assign busy         = walking;

    always @(posedge clk)
        if (rst)                                  walking <= 1'b0;
        else if (cmd_valid && !walking)           walking <= !is_void;
        else if (step && is_end)                  walking <= 1'b0;

    always @(posedge clk)
        if (!walking) begin
            band       <= cmd_linear;
            linear     <= cmd_linear;
            tile       <= cmd_tiled;
            column     <= 16'd0;
            row        <= 3'd0;
            bands_left <= cmd_rows[15:3];
        end else if (step) begin
            row    <= row + 3'd1;
            linear <= linear + {16'd0, cmd_pitch};
            if (tile_done) begin
                tile   <= tile + 32'd256;
                column <= next_column;
                linear <= band + {16'd0, next_column};
            end
            if (band_done) begin
                column     <= 16'd0;
                band       <= next_band;
                linear     <= next_band;
                bands_left <= bands_left - 13'd1;
            end
        end

    wire unused = &{1'b0, cmd_rows[2:0], 1'b0};
endmodule

`default_nettype wire
