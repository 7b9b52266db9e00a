// SPDX-License-Identifier: Apache-2.0
//
// Cuts a frame into passes: each line into spans of 128 pixels, each span into what the primary plane, the overlay and
// the cursor have in it, in this order. A pass goes to the fetch and to the mixer. A span begins when the ring has room
// for it. What is shown changes between lines only (`now_go`) and before a frame.
//
//   IDLE -- take --> TAKE --> LINE --> ROOM --> [EDGES -> CLIP -> SIZE -> PASS] x 3 --> RELEASE --> ROOM, LINE or IDLE
//   a frame that is late is dropped: DROP, until nothing of it is on its way, then TAKE, or IDLE if the next one has
//   begun by then
`default_nettype none
module display_spans (
    input  wire        clk,
    input  wire        rst,

    input  wire        take,                // pulse: the next frame is to be made
    input  wire        begins,              // pulse: the raster begins it
    output wire        skips,               // pulse: without it, as the frame before was not dropped in time
    output wire        take_begins,
    output wire        taking,
    input  wire        taken_all,
    input  wire        now_waits,
    output wire        now_go,
    output wire        drop,
    output wire        making,              // a frame is under way
    input  wire        all_idle,            // fetch and mixer
    input  wire        fetch_idle,
    input  wire [11:0] read,                // words of the ring that were read
    output reg  [11:0] line_word,           // where the line begins in the ring

    input  wire [11:0] h_visible,
    input  wire [11:0] v_visible,
    input  wire [28:0] primary_address,
    input  wire [15:0] primary_pitch,
    input  wire [2:0]  primary_format,
    input  wire [28:0] overlay_address,
    input  wire [15:0] overlay_pitch,
    input  wire [2:0]  overlay_format,
    input  wire [23:0] overlay_place,
    input  wire [23:0] overlay_size,
    input  wire [21:0] cursor_image,
    input  wire [31:0] cursor_at,

    // A pass: valid until both are ready.
    output wire        fetch_start,
    input  wire        fetch_ready,
    output wire        in_segment2,
    output wire [24:0] from,
    output wire [6:0]  beats,
    output wire        pass_push,
    input  wire        pass_full,
    output wire [1:0]  kind,                // 0 primary, 1 overlay, 2 cursor, 3 the span is made
    output wire        has_data,
    output wire [9:0]  word,
    output wire [6:0]  words,
    output wire        skips_left,
    output wire        skips_right,
    output wire [2:0]  lane
);
    localparam [3:0] IDLE = 0, DROP = 1, TAKE = 2, LINE = 3, ROOM = 4, EDGES = 5, CLIP = 6, SIZE = 7, PASS = 8,
                     RELEASE = 9;
    localparam [1:0] PRIMARY = 0, OVERLAY = 1, CURSOR = 2, MADE = 3;
    localparam [11:0] RING = 12'd1024;

    reg  [3:0]  state;
    reg         must_take;
    reg  [1:0]  plane;
    reg  [11:0] y, span, span_end;
    assign take_begins = must_take && all_idle && (state == IDLE || state == DROP);
    assign skips       = must_take && begins && !take_begins;
    assign taking      = state == TAKE;
    assign making      = state != IDLE;
    assign drop        = state == DROP;
    assign now_go      = now_waits && !must_take && fetch_idle && (state == IDLE || state == LINE);

    // ------------------------------------------------------------------ rows and columns of the planes
    reg  [27:0] primary_row, overlay_row;   // bytes from the plane's first pixel
    reg  [27:0] primary_here, overlay_here; // the next pass's first pixel
    reg         has_overlay, has_cursor;    // in this line
    reg  [5:0]  cursor_row;
    wire signed [17:0] cursor_down = $signed({6'd0, y}) - $signed({{2{cursor_at[31]}}, cursor_at[31:16]});
    wire        overlay_began = y >= overlay_place[23:12];
    wire [12:0] overlay_end   = {1'b0, overlay_place[23:12]} + {1'b0, overlay_size[23:12]};

    // ------------------------------------------------------------------ a pass
    reg  signed [17:0] left, right, low, high;
    wire signed [17:0] span_at = $signed({6'd0, span}), span_over = $signed({6'd0, span_end});
    wire signed [17:0] cursor_left  = $signed({{2{cursor_at[15]}}, cursor_at[15:0]});
    wire signed [17:0] overlay_left = $signed({6'd0, overlay_place[11:0]});
    wire signed [17:0] extent = high - low;
    wire        [17:0] into   = low - cursor_left;
    reg         is_empty;
    reg  [7:0]  pixels;                     // 1..128
    reg  [28:0] first;                      // bit 28: segment 2
    reg  [1:0]  log2;
    wire [9:0]  bytes = {2'b00, pixels} << log2;
    wire [9:0]  reach = {7'd0, first[2:0]} + bytes + 10'd7;
    wire        is_black = plane == PRIMARY && !primary_format[2];
    wire        can_go   = !pass_full && (is_black || fetch_ready) && state == PASS;
    wire        goes     = can_go && !is_empty;
    wire        is_done  = state == PASS && (is_empty || can_go);
    wire [11:0] first_word = line_word + {1'b0, low[11:1]};
    wire [11:0] span_words = {1'b0, span_end[11:1]} - {1'b0, span[11:1]};
    assign fetch_start = goes && !is_black;
    assign in_segment2 = first[28];
    assign from        = first[27:3];
    assign beats       = reach[9:3];
    assign pass_push   = goes || (state == RELEASE && !pass_full);
    assign kind        = state == RELEASE ? MADE : plane;
    assign has_data    = !is_black;
    assign word        = first_word[9:0];
    assign words       = state == RELEASE ? span_words[6:0] : high[7:1] + {6'd0, high[0]} - low[7:1];
    assign skips_left  = low[0];
    assign skips_right = high[0];
    assign lane        = first[2:0];

    // The next plane that has something in this line; 3: none.
    wire [1:0]  next_plane = plane == PRIMARY && has_overlay ? OVERLAY : plane != CURSOR && has_cursor ? CURSOR : MADE;
    wire [11:0] used = line_word + {1'b0, span_end[11:1]} - read;
    wire [11:0] room = RING - used;
    wire [11:0] next_span = span_end, next_end = span_end + 12'd128;
    wire        line_done = span_end == h_visible;

    always @(posedge clk)
        if (rst) begin
            state     <= IDLE;
            must_take <= 1'b0;
        end else begin
            must_take <= take || (must_take && !take_begins && !begins);
            case (state)
                IDLE:    if (must_take) state <= all_idle ? TAKE : DROP;
                DROP:    if (all_idle) state <= must_take ? TAKE : IDLE;
                TAKE:    if (taken_all) state <= LINE;
                LINE:    if (must_take) state <= DROP;
                         else if (!now_waits) state <= ROOM;
                ROOM:    if (must_take) state <= DROP;
                         else if (!room[11]) state <= EDGES;
                EDGES:   state <= CLIP;
                CLIP:    state <= SIZE;
                SIZE:    state <= PASS;
                PASS:    if (is_done) state <= next_plane == MADE ? RELEASE : EDGES;
                         else if (must_take) state <= DROP;
                RELEASE: if (must_take) state <= DROP;
                         else if (!pass_full) state <= !line_done ? ROOM : y + 12'd1 == v_visible ? IDLE : LINE;
                default: state <= IDLE;
            endcase
        end
    always @(posedge clk) begin
        if (take_begins) line_word <= read; // the raster reads soon after, if the frame before was dropped late
        case (state)
            TAKE: begin
                y           <= 12'd0;
                primary_row <= 28'd0;
                overlay_row <= 28'd0;
            end
            LINE: begin
                primary_here <= primary_address[27:0] + primary_row;
                overlay_here <= overlay_address[27:0] + overlay_row;
                has_overlay  <= overlay_format[2] && overlay_began && {1'b0, y} < overlay_end;
                has_cursor   <= cursor_image[21] && cursor_down[17:6] == 12'd0;
                cursor_row   <= cursor_down[5:0];
                span         <= 12'd0;
                span_end     <= h_visible < 12'd128 ? h_visible : 12'd128;
            end
            ROOM: plane <= PRIMARY;
            EDGES: begin
                left  <= plane == PRIMARY ? 18'sd0 : plane == OVERLAY ? overlay_left : cursor_left;
                right <= plane == PRIMARY ? $signed({6'd0, h_visible})
                       : plane == OVERLAY ? overlay_left + $signed({6'd0, overlay_size[11:0]}) : cursor_left + 18'sd64;
            end
            CLIP: begin
                low  <= left > span_at ? left : span_at;
                high <= right < span_over ? right : span_over;
            end
            SIZE: begin
                is_empty <= extent <= 18'sd0;
                pixels   <= extent[7:0];
                first    <= plane == PRIMARY ? {primary_address[28], primary_here}
                          : plane == OVERLAY ? {overlay_address[28], overlay_here}
                          : {cursor_image[20], cursor_image[19:0] + {14'd0, cursor_row}, into[5:0], 2'b00};
                log2     <= plane == PRIMARY ? primary_format[1:0] : plane == OVERLAY ? overlay_format[1:0] : 2'd2;
            end
            PASS: if (is_done) begin
                plane <= next_plane;
                if (goes && plane == PRIMARY) primary_here <= primary_here + {18'd0, bytes};
                if (goes && plane == OVERLAY) overlay_here <= overlay_here + {18'd0, bytes};
            end
            RELEASE: if (!pass_full) begin
                span     <= next_span;
                span_end <= h_visible < next_end ? h_visible : next_end;
                if (line_done) begin
                    y           <= y + 12'd1;
                    line_word   <= line_word + {1'b0, h_visible[11:1]};
                    primary_row <= primary_row + {12'd0, primary_pitch};
                    if (has_overlay) overlay_row <= overlay_row + {12'd0, overlay_pitch};
                end
            end
            default: ;
        endcase
    end
    wire unused = &{1'b0, room[10:0], into[17:6], low[17:12], high[17:8], extent[17:8], reach[2:0], first_word[11:10],
                    span_words[11:7]};
endmodule
`default_nettype wire
