// SPDX-License-Identifier: Apache-2.0
//
// Cuts beats into pixels. A pass covers whole words of the ring. A word has two slots, left and right. `odd` changes in
// every cycle and says which slot may leave now. The mixer reads the ring in one half of the cycles and writes it in
// the other. A slot outside the pass has no pixel. A pass begins when the mixer has finished the pass before it,
// because it may read words of that pass.
`default_nettype none
module display_unpack (
    input  wire        clk,
    input  wire        rst,
    input  wire        drop,                // forget the pass

    // Passes: taken with start, only while ready.
    input  wire        start,
    output wire        ready,
    output wire        idle,
    input  wire        has_data,            // 0: black, without beats
    input  wire [9:0]  word,                // of the ring
    input  wire [6:0]  words,               // 1 or more
    input  wire        skips_left,          // of the first word
    input  wire        skips_right,         // of the last
    input  wire [2:0]  lane,                // byte of the first pixel in its beat
    input  wire [1:0]  log2_bytes,          // of a pixel
    input  wire        mixer_busy,

    input  wire        beat_valid,
    input  wire [63:0] beat,
    output wire        beat_pop,

    // Slots.
    output reg         valid,
    output reg         is_right,
    output reg         has_pixel,
    output reg  [9:0]  at,
    output reg  [31:0] raw                  // the pixel in its low bits
);
    reg        odd, busy, needs, skip_left, skip_right, is_first, is_right_next;
    reg  [9:0] here;
    reg  [6:0] left;
    reg  [2:0] byte_at;
    reg  [1:0] log2;
    assign idle  = !busy && !valid && !mixer_busy;
    assign ready = idle && odd && !drop;

    wire       is_last    = left == 7'd1;
    wire       real_slot  = is_right_next ? !(is_last && skip_right) : !(is_first && skip_left);
    wire       waits      = real_slot && needs && !beat_valid;
    wire       goes       = busy && is_right_next == odd && !waits;
    wire       last_pixel = is_last && (is_right_next || skip_right);
    wire [3:0] next_byte  = {1'b0, byte_at} + (4'd1 << log2);
    assign beat_pop = goes && real_slot && needs && (next_byte[3] || last_pixel);

    wire [31:0] half    = byte_at[2] ? beat[63:32] : beat[31:0];
    wire [15:0] quarter = byte_at[1] ? half[31:16] : half[15:0];
    always @(posedge clk) begin
        odd   <= !odd && !rst;
        valid <= goes && !rst && !drop;
        if (rst || drop) busy <= 1'b0;
        else if (start) busy <= 1'b1;
        else if (goes && is_right_next && is_last) busy <= 1'b0;
        if (start) begin
            {needs, skip_left, skip_right, log2} <= {has_data, skips_left, skips_right, log2_bytes};
            {here, left, byte_at} <= {word, words, lane};
            is_first      <= 1'b1;
            is_right_next <= 1'b0;
        end else if (goes) begin
            is_right_next <= !is_right_next;
            if (is_right_next) begin
                here     <= here + 10'd1;
                left     <= left - 7'd1;
                is_first <= 1'b0;
            end
            if (real_slot) byte_at <= next_byte[2:0];
        end
        if (goes) begin
            is_right  <= is_right_next;
            has_pixel <= real_slot;
            at        <= here;
            raw       <= !needs ? 32'd0
                       : {half[31:16], quarter[15:8], byte_at[0] ? quarter[15:8] : quarter[7:0]};
        end
    end
endmodule
`default_nettype wire
