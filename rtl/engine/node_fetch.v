// SPDX-License-Identifier: Apache-2.0
//
// Fetches the words of one node ahead, in the order of execution: the range of a RUN, or the ring from an index to
// TAIL.
//
// These words do not change any more, so fetching ahead is safe; up to DEPTH words wait here. A restart drops
// everything fetched. A request is registered, one cycle later. A restart counts it among the words that are
// coming.
`default_nettype none

module node_fetch #(
    parameter DEPTH = 16, // power of two
    parameter COMMAND_WIDTH = 16 // bits of a byte offset in command RAM; the ring lies in its first 64 KB
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        enable,        // fetch

    // The ring: byte offset and log2 of its words; free-running count of words written.
    input  wire [15:0] ring_base,
    input  wire [3:0]  ring_size,
    input  wire [31:0] tail,

    // Restart, a pulse: first restart_words words at byte offset restart_offset, then the ring from word
    // restart_index on. No word is offered in the cycle of a restart.
    input  wire        restart,
    input  wire [COMMAND_WIDTH-2:0] restart_words,
    input  wire [COMMAND_WIDTH-1:0] restart_offset,
    input  wire [31:0] restart_index,

    // Command RAM: see node.v.
    output reg         fetch_req,
    input  wire        fetch_gnt,
    output reg  [COMMAND_WIDTH-1:0] fetch_address,
    input  wire        fetch_rvalid,
    input  wire [31:0] fetch_rdata,

    // Words out. `word_offset`: where it lies in command RAM; `word_in_run`, `word_run_last`: it belongs to the
    // range, is the last of it.
    output wire        word_valid,
    input  wire        word_ready,
    output wire [31:0] word,
    output wire [COMMAND_WIDTH-1:0] word_offset,
    output wire        word_in_run,
    output wire        word_run_last
);
    localparam LEVEL_WIDTH = $clog2(DEPTH) + 1;

    function [COMMAND_WIDTH-1:0] ring_offset(input [13:0] index, input [15:0] base, input [3:0] size);
        reg [15:0] offset;
        begin
            offset      = base + {index & ~(14'h3fff << size), 2'b00};
            ring_offset = 0;
            ring_offset[15:0] = offset;
        end
    endfunction
    localparam [COMMAND_WIDTH-2:0] NO_WORDS = 0, ONE_WORD = 1;
    localparam [COMMAND_WIDTH-1:0] WORD_BYTES = 4;

    // ------------------------------------------------------------------ requests
    reg  [COMMAND_WIDTH-2:0] words_left; // of the range
    reg  [COMMAND_WIDTH-1:0] run_offset;
    reg  [31:0] ring_index;
    reg  [LEVEL_WIDTH-1:0] coming;  // words requested and not here yet, wanted or not
    reg  [LEVEL_WIDTH-1:0] to_drop; // of these, the ones a restart made worthless
    wire [LEVEL_WIDTH-1:0] level;
    wire in_range = words_left != NO_WORDS;
    wire [LEVEL_WIDTH-1:0] expected = level + coming - to_drop; // at most DEPTH
    wire has_room = !expected[LEVEL_WIDTH-1];
    // A TAIL after what was fetched (written back before a RESET) means nothing to fetch.
    wire [31:0] ring_left = tail - ring_index;
    wire in_ring = !ring_left[31] && ring_left != 32'd0;
    wire asks    = enable && !restart && has_room && !coming[LEVEL_WIDTH-1] && (in_range || in_ring);
    wire [COMMAND_WIDTH-1:0] address = in_range ? run_offset : ring_offset(ring_index[13:0], ring_base, ring_size);
    wire taken   = asks && (!fetch_req || fetch_gnt);
    always @(posedge clk) begin
        fetch_req <= !rst && (taken || (fetch_req && !fetch_gnt));
        if (taken) fetch_address <= address;
    end
    wire drops = fetch_rvalid && to_drop != 0;

    always @(posedge clk) begin
        if (taken && in_range)  words_left <= words_left - ONE_WORD;
        if (taken)              run_offset <= run_offset + WORD_BYTES;
        if (taken && !in_range) ring_index <= ring_index + 32'd1;
        coming <= coming + {{(LEVEL_WIDTH-1){1'b0}}, taken} - {{(LEVEL_WIDTH-1){1'b0}}, fetch_rvalid};
        if (drops) to_drop <= to_drop - 1'b1;
        if (restart) begin
            words_left <= restart_words;
            run_offset <= restart_offset;
            ring_index <= restart_index;
            to_drop    <= coming - {{(LEVEL_WIDTH-1){1'b0}}, fetch_rvalid};
        end
        if (rst) begin
            words_left <= NO_WORDS;
            ring_index <= 32'd0;
            coming     <= 0;
            to_drop    <= 0;
        end
    end

    // ------------------------------------------------------------------ words
    wire queue_ready;
    wire put = fetch_rvalid && to_drop == 0;
    wire queue_valid;
    fabric_fifo #(.WIDTH(32), .DEPTH(DEPTH)) words (
        .clk        (clk),
        .rst        (rst || restart),
        .put_valid  (put),
        .put_ready  (queue_ready),
        .put_data   (fetch_rdata),
        .take_valid (queue_valid),
        .take_ready (word_ready),
        .take_data  (word),
        .level      (level)
    );
    assign word_valid = queue_valid && !restart;

    // Where the next word out lies.
    reg [COMMAND_WIDTH-2:0] out_left;
    reg [COMMAND_WIDTH-1:0] out_run_offset;
    reg [31:0] out_index;
    assign word_in_run   = out_left != NO_WORDS;
    assign word_run_last = out_left == ONE_WORD;
    assign word_offset   = word_in_run ? out_run_offset : ring_offset(out_index[13:0], ring_base, ring_size);
    always @(posedge clk) begin
        if (word_valid && word_ready) begin
            if (word_in_run) out_left <= out_left - ONE_WORD;
            if (word_in_run) out_run_offset <= out_run_offset + WORD_BYTES;
            else             out_index <= out_index + 32'd1;
        end
        if (restart) begin
            out_left       <= restart_words;
            out_run_offset <= restart_offset;
            out_index      <= restart_index;
        end
        if (rst) begin
            out_left  <= NO_WORDS;
            out_index <= 32'd0;
        end
    end

    wire unused = &{1'b0, out_index[31:14], queue_ready, 1'b0};

`ifdef GPU_ASSERT
    // A word that arrives was asked for and has a place.
    always @(posedge clk) if (!rst) begin
        assert (!fetch_rvalid || coming != 0);
        assert (!put || queue_ready);
        assert ({{(32-LEVEL_WIDTH){1'b0}}, expected} <= DEPTH);
    end
`endif
endmodule

`default_nettype wire
