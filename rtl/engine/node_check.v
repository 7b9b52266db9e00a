// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a packet by itself, before anything is executed: opcode, privilege, length, reserved
// bits, then operands that need no binding. Combinational; checks in that order, the first failure counts.
`default_nettype none

module node_check #(
    parameter NODE           = 0,     // page lists are walked by node 1 only
    parameter COMMAND_BYTES  = 65536,
    parameter APERTURE_PAGES = 1024,
    parameter FORMATS        = 1      // 0: formats up to ARGB8888 only
) (
    input  wire [191:0] packet,
    input  wire         in_run,
    input  wire         privileged,  // of the RUN
    input  wire         truncated,
    output reg  [7:0]   fault,       // FAULT group, NONE when legal
    output reg          does_nothing // legal, and moves no byte: zero extent
);
`include "gpu_spec.vh"
    wire [31:0] word0 = packet[31:0];
    wire [31:0] word1 = packet[63:32];
    wire [31:0] word2 = packet[95:64];
    wire [31:0] word3 = packet[127:96];
    wire [31:0] word4 = packet[159:128];
    wire [31:0] word5 = packet[191:160];

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
    wire tile_legal  = word3[4:0] == 5'd0 && word3[18:16] == 3'd0 && word4[2:0] == 3'd0
                    && tiled == 8'd0 && linear == 3'd0;
    wire bind_legal  = {29'd0, word0[PKT_BIND_FORMAT_LSB +: PKT_BIND_FORMAT_WIDTH]}
                    <= (FORMATS != 0 ? FORMAT_A8 : FORMAT_ARGB8888);
    wire no_area3    = word3[15:0] == 16'd0 || word3[31:16] == 16'd0; // COPY_2D, TILE, BLIT
    wire no_area2    = word2[15:0] == 16'd0 || word2[31:16] == 16'd0; // FILL_RECT

    // ------------------------------------------------------------------ per opcode
    reg known, is_ring, reserved, operands, empty;
    always @(*) begin
        known    = 1'b1;
        is_ring  = 1'b0;
        reserved = 1'b0; // a reserved bit is set
        operands = 1'b1; // operands are legal
        empty    = 1'b0;
        case (word0[7:0])
            PKT_NOP: begin
                is_ring  = PKT_NOP_PRIVILEGED;
                reserved = |(word0 & ~PKT_NOP_MASK0);
                empty    = 1'b1;
            end
            PKT_FENCE: begin
                is_ring  = PKT_FENCE_PRIVILEGED;
                reserved = |{word0 & ~PKT_FENCE_MASK0, word1 & ~PKT_FENCE_MASK1};
            end
            PKT_WAIT_FENCE: begin
                is_ring  = PKT_WAIT_FENCE_PRIVILEGED;
                reserved = |{word0 & ~PKT_WAIT_FENCE_MASK0, word1 & ~PKT_WAIT_FENCE_MASK1};
            end
            PKT_RUN: begin
                is_ring  = PKT_RUN_PRIVILEGED;
                reserved = |{word0 & ~PKT_RUN_MASK0, word1 & ~PKT_RUN_MASK1, word2 & ~PKT_RUN_MASK2};
                operands = run_legal;
                empty    = run_bytes == 32'd0;
            end
            PKT_GUARD: begin
                is_ring  = PKT_GUARD_PRIVILEGED;
                reserved = |{word0 & ~PKT_GUARD_MASK0, word1 & ~PKT_GUARD_MASK1, word2 & ~PKT_GUARD_MASK2};
                operands = guard_legal;
                empty    = no_pages;
            end
            PKT_MAP: begin
                is_ring  = PKT_MAP_PRIVILEGED;
                reserved = |{word0 & ~PKT_MAP_MASK0, word1 & ~PKT_MAP_MASK1, word2 & ~PKT_MAP_MASK2,
                             word3 & ~PKT_MAP_MASK3};
                operands = map_legal;
                empty    = no_pages;
            end
            PKT_UNMAP: begin
                is_ring  = PKT_UNMAP_PRIVILEGED;
                reserved = |{word0 & ~PKT_UNMAP_MASK0, word1 & ~PKT_UNMAP_MASK1, word2 & ~PKT_UNMAP_MASK2,
                             word3 & ~PKT_UNMAP_MASK3};
                operands = map_legal;
                empty    = no_pages;
            end
            PKT_TOUCH: begin
                is_ring  = PKT_TOUCH_PRIVILEGED;
                reserved = |{word0 & ~PKT_TOUCH_MASK0, word1 & ~PKT_TOUCH_MASK1};
                operands = touch_legal;
            end
            PKT_MAP_LIST: begin
                is_ring  = PKT_MAP_LIST_PRIVILEGED;
                reserved = |{word0 & ~PKT_MAP_LIST_MASK0, word1 & ~PKT_MAP_LIST_MASK1, word2 & ~PKT_MAP_LIST_MASK2,
                             word3 & ~PKT_MAP_LIST_MASK3};
                operands = map_legal && list_legal;
                empty    = no_pages;
            end
            PKT_COPY: begin
                is_ring  = PKT_COPY_PRIVILEGED;
                reserved = |{word0 & ~PKT_COPY_MASK0, word1 & ~PKT_COPY_MASK1, word2 & ~PKT_COPY_MASK2,
                             word3 & ~PKT_COPY_MASK3};
                empty    = word3 == 32'd0;
            end
            PKT_FILL: begin
                is_ring  = PKT_FILL_PRIVILEGED;
                reserved = |{word0 & ~PKT_FILL_MASK0, word1 & ~PKT_FILL_MASK1, word2 & ~PKT_FILL_MASK2,
                             word3 & ~PKT_FILL_MASK3};
                empty    = word2 == 32'd0;
            end
            PKT_COPY_2D: begin
                is_ring  = PKT_COPY_2D_PRIVILEGED;
                reserved = |{word0 & ~PKT_COPY_2D_MASK0, word1 & ~PKT_COPY_2D_MASK1, word2 & ~PKT_COPY_2D_MASK2,
                             word3 & ~PKT_COPY_2D_MASK3, word4 & ~PKT_COPY_2D_MASK4};
                empty    = no_area3;
            end
            PKT_TILE: begin
                is_ring  = PKT_TILE_PRIVILEGED;
                reserved = |{word0 & ~PKT_TILE_MASK0, word1 & ~PKT_TILE_MASK1, word2 & ~PKT_TILE_MASK2,
                             word3 & ~PKT_TILE_MASK3, word4 & ~PKT_TILE_MASK4};
                operands = tile_legal;
                empty    = no_area3;
            end
            PKT_COPY_LIST: begin
                is_ring  = PKT_COPY_LIST_PRIVILEGED;
                reserved = |{word0 & ~PKT_COPY_LIST_MASK0, word1 & ~PKT_COPY_LIST_MASK1,
                             word2 & ~PKT_COPY_LIST_MASK2, word3 & ~PKT_COPY_LIST_MASK3};
                operands = list_legal;
                empty    = word2 == 32'd0;
            end
            PKT_BIND: begin
                is_ring  = PKT_BIND_PRIVILEGED;
                reserved = |{word0 & ~PKT_BIND_MASK0, word1 & ~PKT_BIND_MASK1, word2 & ~PKT_BIND_MASK2,
                             word3 & ~PKT_BIND_MASK3};
                operands = bind_legal;
            end
            PKT_FILL_RECT: begin
                is_ring  = PKT_FILL_RECT_PRIVILEGED;
                reserved = |{word0 & ~PKT_FILL_RECT_MASK0, word1 & ~PKT_FILL_RECT_MASK1,
                             word2 & ~PKT_FILL_RECT_MASK2, word3 & ~PKT_FILL_RECT_MASK3};
                empty    = no_area2;
            end
            PKT_BLIT: begin
                is_ring  = PKT_BLIT_PRIVILEGED;
                reserved = |{word0 & ~PKT_BLIT_MASK0, word1 & ~PKT_BLIT_MASK1, word2 & ~PKT_BLIT_MASK2,
                             word3 & ~PKT_BLIT_MASK3, word4 & ~PKT_BLIT_MASK4, word5 & ~PKT_BLIT_MASK5};
                empty    = no_area3;
            end
            default: known = 1'b0;
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
