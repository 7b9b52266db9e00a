// SPDX-License-Identifier: Apache-2.0
//
// Packets of every opcode with operands at and around their limits, and now and then a bit that no field has, on both
// nodes: the first fault of the documented order, and whether a legal packet does nothing.
`default_nettype none
module test_node_check;
`include "bench.vh"
`include "gpu_spec.vh"
    localparam BYTES = 4096, PAGES = 96;
    reg  [191:0] packet, fields;        // word 0 in the low bits; the bits that belong to a field
    reg          in_run, privileged, truncated;
    wire [7:0]   fault [0:1];
    wire [1:0]   does_nothing;
    genvar       node;
    generate for (node = 0; node < 2; node = node + 1) begin : nodes
        node_check #(.NODE(node), .COMMAND_BYTES(BYTES), .APERTURE_PAGES(PAGES)) check_one (
            .packet(packet), .in_run(in_run), .privileged(privileged), .truncated(truncated), .fault(fault[node]),
            .does_nothing(does_nothing[node])
        );
    end endgenerate
    reg          is_known, is_ring, is_legal, is_empty;
    reg  [31:0]  w1, w2, w3, wanted;
    reg  [63:0]  end_of;
    reg  [7:0]   opcode;
    integer      i, n, k, counts [0:15];
    function [31:0] near(input [31:0] limit); // a number at the limit, or well inside
        near = pick(3) == 0 ? limit - 32'd1 + pick(3) : pick(limit[15:0] + 1);
    endfunction
    // What belongs to the opcode: its fields, who may send it, and operands that are mostly legal.
    task draw;
        begin
            {is_known, is_ring, fields} = {2'b10, 192'd0};
            case (opcode)
                PKT_NOP: fields = PKT_NOP_MASK0;
                PKT_FENCE: {is_ring, fields} = {1'b1, 128'd0, PKT_FENCE_MASK1, PKT_FENCE_MASK0};
                PKT_WAIT_FENCE: {is_ring, fields} = {1'b1, 128'd0, PKT_WAIT_FENCE_MASK1, PKT_WAIT_FENCE_MASK0};
                PKT_RUN: begin
                    {is_ring, fields} = {1'b1, 96'd0, PKT_RUN_MASK2, PKT_RUN_MASK1, PKT_RUN_MASK0};
                    packet[63:32] = near(BYTES) & (pick(8) == 0 ? ~32'd0 : ~32'd3);
                    packet[95:64] = near(BYTES - packet[44:32]) & (pick(8) == 0 ? ~32'd0 : ~32'd3);
                end
                PKT_GUARD: begin
                    {is_ring, fields} = {1'b1, 96'd0, PKT_GUARD_MASK2, PKT_GUARD_MASK1, PKT_GUARD_MASK0};
                    packet[63:32] = near(12288);
                    packet[95:64] = pick(5) == 0 ? 0 : near(12288 - packet[47:32]);
                end
                PKT_MAP, PKT_UNMAP, PKT_MAP_LIST: begin
                    is_ring = 1'b1;
                    fields  = opcode == PKT_MAP ? {PKT_MAP_MASK3, PKT_MAP_MASK2, PKT_MAP_MASK1, PKT_MAP_MASK0}
                            : opcode == PKT_UNMAP
                            ? {PKT_UNMAP_MASK3, PKT_UNMAP_MASK2, PKT_UNMAP_MASK1, PKT_UNMAP_MASK0}
                            : {PKT_MAP_LIST_MASK3, PKT_MAP_LIST_MASK2, PKT_MAP_LIST_MASK1, PKT_MAP_LIST_MASK0};
                    packet[63:32] = near(PAGES);
                    packet[95:64] = pick(5) == 0 ? 0 : near(PAGES - packet[38:32]);
                    packet[127:96] = {opcode == PKT_MAP_LIST ? pick(6) != 0 : 1'b0, 11'd0, random(1'b0) >> 12};
                    if (pick(5)) packet[97:96] = 2'b00;
                end
                PKT_TOUCH: {is_ring, fields} = {1'b1, 128'd0, PKT_TOUCH_MASK1, PKT_TOUCH_MASK0};
                PKT_COPY: fields = {PKT_COPY_MASK3, PKT_COPY_MASK2, PKT_COPY_MASK1, PKT_COPY_MASK0};
                PKT_FILL: fields = {PKT_FILL_MASK3, PKT_FILL_MASK2, PKT_FILL_MASK1, PKT_FILL_MASK0};
                PKT_COPY_2D: fields = {PKT_COPY_2D_MASK4, PKT_COPY_2D_MASK3, PKT_COPY_2D_MASK2, PKT_COPY_2D_MASK1,
                                       PKT_COPY_2D_MASK0};
                PKT_TILE: begin
                    fields = {PKT_TILE_MASK4, PKT_TILE_MASK3, PKT_TILE_MASK2, PKT_TILE_MASK1, PKT_TILE_MASK0};
                    // Legal, but for one of six bits that must not be there.
                    packet = packet & ~{61'd0, 3'd7, 13'd0, 3'd7, 11'd0, 5'd31, 24'd0, 8'hff, 24'd0, 8'hff, 32'd0};
                    case (pick(10))
                        0: packet[39:32] = 8'd1 << pick(8);
                        1: packet[71:64] = 8'd1 << pick(8);
                        2: packet[100:96] = 5'd1 << pick(5);
                        3: packet[114:112] = 3'd1 << pick(3);
                        4: packet[130:128] = 3'd1 << pick(3);
                        default: ;
                    endcase
                end
                PKT_COPY_LIST: begin
                    {is_ring, fields} = {1'b1, 64'd0, PKT_COPY_LIST_MASK3, PKT_COPY_LIST_MASK2, PKT_COPY_LIST_MASK1,
                                         PKT_COPY_LIST_MASK0};
                    packet[127] = pick(5) != 0;
                    if (pick(5)) packet[97:96] = 2'b00;
                end
                PKT_BIND: fields = {PKT_BIND_MASK3, PKT_BIND_MASK2, PKT_BIND_MASK1, PKT_BIND_MASK0};
                PKT_FILL_RECT: fields = {PKT_FILL_RECT_MASK3, PKT_FILL_RECT_MASK2, PKT_FILL_RECT_MASK1,
                                         PKT_FILL_RECT_MASK0};
                PKT_BLIT: fields = {PKT_BLIT_MASK5, PKT_BLIT_MASK4, PKT_BLIT_MASK3, PKT_BLIT_MASK2, PKT_BLIT_MASK1,
                                    PKT_BLIT_MASK0};
                PKT_BLIT_AFFINE: fields = {PKT_BLIT_AFFINE_MASK5, PKT_BLIT_AFFINE_MASK4, PKT_BLIT_AFFINE_MASK3,
                                           PKT_BLIT_AFFINE_MASK2, PKT_BLIT_AFFINE_MASK1, PKT_BLIT_AFFINE_MASK0};
                PKT_PALETTE: begin
                    fields = {PKT_PALETTE_MASK1, PKT_PALETTE_MASK0};
                    packet[39:32] = pick(4) == 0 ? 8'd1 << pick(8) : 8'd0;
                end
                default: is_known = 1'b0;
            endcase
            // An extent of nothing now and then; what is beyond the packet's words may be anything.
            for (k = 2; k < 4; k = k + 1)
                if (pick(6) == 0) packet[32*k + 16*pick(2) +: 16] = 16'd0;
            if (pick(8) == 0) packet[64 + 32*pick(2) +: 32] = 32'd0;
            for (k = 1; k < 6; k = k + 1)
                if (fields[32*k +: 32] == 32'd0) fields[32*k +: 32] = ~32'd0;
            packet = packet & fields;
            packet[7:0] = opcode;
        end
    endtask
    // Are the operands legal on this node, and is there nothing to do?
    task judge(input second);
        begin
            {w3, w2, w1} = packet[127:32];
            end_of   = w1[15:0] + 64'd0 + w2[15:0];
            {is_legal, is_empty} = 2'b10;
            case (opcode)
                PKT_NOP: is_empty = 1'b1;
                PKT_RUN: begin
                    is_legal = w1 % 4 == 0 && w2 % 4 == 0 && 64'd0 + w1 + w2 <= BYTES;
                    is_empty = w2 == 0;
                end
                PKT_GUARD: {is_legal, is_empty} = {w2[15:0] == 0 || end_of <= 3 * 4096, w2[15:0] == 0};
                PKT_MAP, PKT_UNMAP: {is_legal, is_empty} = {w2[15:0] == 0 || end_of <= PAGES, w2[15:0] == 0};
                PKT_MAP_LIST: begin
                    is_empty = w2[15:0] == 0;
                    is_legal = second && (is_empty || end_of <= PAGES) && w3 >= LIMIT_ADDR_SYSTEM && w3 % 4 == 0;
                end
                PKT_COPY_LIST: begin
                    is_empty = w2 == 0;
                    is_legal = second && w3 >= LIMIT_ADDR_SYSTEM && w3 % 4 == 0;
                end
                PKT_TOUCH: is_legal = packet[12:9] >= 1 && packet[12:9] <= 8;
                PKT_COPY: is_empty = w3 == 0;
                PKT_FILL: is_empty = w2 == 0;
                PKT_TILE: begin
                    is_empty = w3[15:0] == 0 || w3[31:16] == 0;
                    is_legal = w3[15:0] % 32 == 0 && w3[31:16] % 8 == 0 && packet[143:128] % 8 == 0
                               && (packet[8] ? w1 : w2) % 256 == 0 && (packet[8] ? w2 : w1) % 8 == 0;
                end
                PKT_COPY_2D, PKT_BLIT: is_empty = w3[15:0] == 0 || w3[31:16] == 0;
                PKT_FILL_RECT: is_empty = w2[15:0] == 0 || w2[31:16] == 0;
                PKT_BIND:
                    case (packet[20:16])
                        FORMAT_A4, FORMAT_A2, FORMAT_A1: ;
                        default: is_legal = packet[20:16] <= FORMAT_INDEX8;
                    endcase
                PKT_BLIT_AFFINE: begin
                    is_empty = w3[15:0] == 0 || w3[31:16] == 0;
                    // REPEAT without TRANSPARENT; BILINEAR without a key.
                    is_legal = !second && !(packet[22] && packet[23])
                               && !(packet[160] && (packet[28] || packet[26:24] == BLIT_KEY));
                end
                PKT_PALETTE: is_legal = !second && w1 % 256 == 0;
                default: ;
            endcase
        end
    endtask
    initial begin
        for (k = 0; k < 16; k = k + 1) counts[k] = 0;
        for (i = 0; i < 20000; i = i + 1) begin
            packet = {random(1'b0), random(1'b0), random(1'b0), random(1'b0), random(1'b0), random(1'b0)};
            opcode = pick(12) == 0 ? random(1'b0) : {pick(3), 4'd0} | pick(i[0] ? 5 : 9);
            draw;
            if (pick(8) == 0) packet[8 + pick(184)] = 1'b1;
            {in_run, privileged} = pick(4);
            truncated = pick(10) == 0;
            #1;
            for (n = 0; n < 2; n = n + 1) begin
                judge(n);
                wanted = !is_known ? FAULT_BAD_OPCODE
                       : in_run && (opcode == PKT_RUN || is_ring && !privileged) ? FAULT_PRIVILEGE
                       : truncated ? FAULT_TRUNCATED
                       : (packet & ~fields & ~192'hff) != 0 || !is_legal ? FAULT_BAD_OPERAND : FAULT_NONE;
                check(fault[n], wanted, {n[3:0], opcode, i[15:0]});
                if (wanted == FAULT_NONE) check(does_nothing[n], is_empty, {n[3:0], opcode, i[15:0]});
                counts[wanted] = counts[wanted] + 1;
            end
        end
        for (k = FAULT_NONE; k <= FAULT_BAD_OPERAND; k = k + 1) check(counts[k] > 1000, 1'b1, k);
        finish;
    end
endmodule
`default_nettype wire
