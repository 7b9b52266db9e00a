// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a packet by itself, before anything is executed: opcode, privilege, length, reserved
// bits, then operands that need no binding. Combinational; checks in that order, the first failure counts.
`default_nettype none

module node_check #(
    parameter NODE           = 0,     // page lists are walked by node 1 only
    parameter COMMAND_BYTES  = 65536,
    parameter APERTURE_PAGES = 1024
) (
    input  wire [191:0] packet,
    input  wire         in_run,
    input  wire         privileged,  // of the RUN
    input  wire         truncated,
    output reg  [7:0]   fault,       // FAULT group, NONE when legal
    output reg          does_nothing // legal, and moves no byte: zero extent
);
`include "gpu_spec.vh"
`include "config.vh"
`include "gpu_packets.vh"
    wire [31:0] word0 = packet[31:0];
    wire [31:0] word1 = packet[63:32];
    wire [31:0] word2 = packet[95:64];
    wire [31:0] word3 = packet[127:96];

    // ------------------------------------------------------------------ operands
    wire [31:0] run_address = word1;
    wire [31:0] run_bytes   = word2;
    wire run_legal   = run_address[1:0] == 2'b00 && run_bytes[1:0] == 2'b00
                    && run_address <= COMMAND_BYTES && run_bytes <= COMMAND_BYTES - run_address;
    wire [16:0] range_end = {1'b0, word1[15:0]} + {1'b0, word2[15:0]}; // GUARD, MAP, UNMAP, MAP_LIST
    wire no_pages    = word2[15:0] == 16'd0;
    wire guard_legal = no_pages || {15'd0, range_end} <= 3 * LIMIT_GUARD_SPACE_PAGES;
    wire map_legal   = no_pages || {15'd0, range_end} <= APERTURE_PAGES;
    wire list_legal  = NODE == 1 && word3[31] && word3[1:0] == 2'b00; // in system memory, whole entries
    wire [3:0] touch_bytes = word0[PKT_TOUCH_BYTES_LSB +: PKT_TOUCH_BYTES_WIDTH];
    wire touch_legal = touch_bytes != 4'd0 && touch_bytes <= 4'd8;
    wire untile      = word0[PKT_TILE_UNTILE_LSB];
    wire [7:0] tiled  = untile ? word1[7:0] : word2[7:0];
    wire [2:0] linear = untile ? word2[2:0] : word1[2:0];
    wire tile_legal  = word3[4:0] == 5'd0 && word3[18:16] == 3'd0 && packet[130:128] == 3'd0
                    && tiled == 8'd0 && linear == 3'd0;
    wire [4:0] bind_format = word0[PKT_BIND_FORMAT_LSB +: PKT_BIND_FORMAT_WIDTH];
    wire bind_legal  = {27'd0, bind_format}
                    <= (FORMATS == 0 ? FORMAT_ARGB8888 : PALETTE == 0 ? FORMAT_A8 : FORMAT_INDEX8)
                    || (MASKS != 0 && bind_format[2:0] == FORMAT_A8[2:0]);
    wire repeated    = word0[PKT_BLIT_AFFINE_REPEAT_LSB];
    wire filtered    = packet[32*PKT_BLIT_AFFINE_BILINEAR_WORD + PKT_BLIT_AFFINE_BILINEAR_LSB];
    wire compared    = word0[PKT_BLIT_AFFINE_KEYED_LSB]
                    || word0[PKT_BLIT_AFFINE_MODE_LSB +: PKT_BLIT_AFFINE_MODE_WIDTH] == BLIT_KEY[2:0];
    wire sampling_legal = !(repeated && (MAPS == 0 || word0[PKT_BLIT_AFFINE_TRANSPARENT_LSB]))
                       && !(filtered && (MAPS == 0 || compared));
    wire no_area3    = word3[15:0] == 16'd0 || word3[31:16] == 16'd0; // COPY_2D, TILE, BLIT
    wire no_area2    = word2[15:0] == 16'd0 || word2[31:16] == 16'd0; // FILL_RECT

    // ------------------------------------------------------------------ per opcode
    wire [1:0] kind     = packet_kind(word0[7:0]);
    wire       known    = kind[1];
    wire       is_ring  = kind[0];
    wire       reserved = packet_is_spoiled(word0[7:0], packet); // a reserved bit is set
    reg operands, empty;
    always @(*) begin
        operands = 1'b1; // operands are legal
        empty    = 1'b0;
        case (word0[7:0])
            PKT_NOP: empty = 1'b1;
            PKT_RUN: begin
                operands = run_legal;
                empty    = run_bytes == 32'd0;
            end
            PKT_GUARD: begin
                operands = guard_legal;
                empty    = no_pages;
            end
            PKT_MAP: begin
                operands = map_legal;
                empty    = no_pages;
            end
            PKT_UNMAP: begin
                operands = map_legal;
                empty    = no_pages;
            end
            PKT_TOUCH: operands = touch_legal;
            PKT_MAP_LIST: begin
                operands = map_legal && list_legal;
                empty    = no_pages;
            end
            PKT_COPY: empty = word3 == 32'd0;
            PKT_FILL: empty = word2 == 32'd0;
            PKT_COPY_2D: empty = no_area3;
            PKT_TILE: begin
                operands = tile_legal;
                empty    = no_area3;
            end
            PKT_COPY_LIST: begin
                operands = list_legal;
                empty    = word2 == 32'd0;
            end
            PKT_BIND: operands = bind_legal;
            PKT_FILL_RECT: empty = no_area2;
            PKT_BLIT: empty = no_area3;
            PKT_BLIT_AFFINE: begin
                operands = MAPS != 0 && NODE == 0 && sampling_legal;
                empty    = no_area3;
            end
            PKT_PALETTE: operands = PALETTE != 0 && NODE == 0 && word1[7:0] == 8'd0;
            default: ;
        endcase

        fault = FAULT_NONE[7:0];
        if (!known)                                                     fault = FAULT_BAD_OPCODE[7:0];
        else if (in_run && (word0[7:0] == PKT_RUN || (is_ring && !privileged))) fault = FAULT_PRIVILEGE[7:0];
        else if (truncated)                                             fault = FAULT_TRUNCATED[7:0];
        else if (reserved || !operands)                                 fault = FAULT_BAD_OPERAND[7:0];
        does_nothing = empty;
    end
endmodule

`default_nettype wire
