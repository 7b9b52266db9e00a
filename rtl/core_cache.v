// SPDX-License-Identifier: Apache-2.0
//
// A write-back cache of the firmware's region for the core: two ways, lines of 32 bytes, least recently used replaced.
// The instruction cache is the same with WRITES = 0.
//
// A hit is answered two cycles after its acceptance, from registers; the next access is accepted beside the answer.
// A miss copies a changed victim to the write-back buffer, then fills its line in one burst. A load is
// answered two cycles after its beat, a store when the line is complete. The write-back ends before the next miss
// begins. So a line is never read before its write-back has arrived. Errors: a load reports its own beat, a store any
// beat; a line with an error is not kept. A failed write-back loses data, so every access fails until `restart`.
// `flush` (a pulse at any time) writes back what is changed and empties the cache. An access accepted in the same cycle
// or later sees memory after that. Reset empties without writing back. Emptying takes a cycle for each set.
`default_nettype none
module core_cache #(
    parameter DATA_WIDTH = 64,              // 32, 64 or 128
    parameter BYTES      = 4096,            // power of two, 128 at least
    parameter W_ADDRESS  = 17,              // bits of an offset into the region; it is larger than a way
    parameter WRITES     = 1               // 0: `we` is never asked
) (
    input  wire        clk,
    input  wire        rst,

    // Core (OBI-like): an access is accepted in a cycle with req and gnt, gnt does not depend on req; rvalid with
    // rdata and err one or more cycles later, in order. At most one is unanswered at the end of a cycle.
    input  wire        req,
    output wire        gnt,
    input  wire        we,
    input  wire [W_ADDRESS-1:0] address,    // the two low bits are not looked at
    input  wire [3:0]  be,
    input  wire [31:0] wdata,
    output wire        rvalid,
    output wire [31:0] rdata,
    output wire        err,

    input  wire        flush,               // pulse
    input  wire        hold,                // nothing is looked up while it is high
    input  wire        restart,             // forget that a write-back failed
    output wire        empties,             // a flush is under way, from the cycle after its pulse
    output wire        busy,                // that, or an access

    // Fill: fill_busy from the address to the last beat. A burst is a line; addresses are offsets. Beats are taken at
    // once, one cycle after the address at the earliest.
    output wire        fill_busy,
    output wire        fill_arvalid,
    output wire [W_ADDRESS-1:0] fill_araddr,
    output wire [7:0]  fill_arlen,
    input  wire        fill_arready,
    input  wire        fill_rvalid,
    input  wire [DATA_WIDTH-1:0] fill_rdata,
    input  wire        fill_rerror,

    // Write-back buffer: a line and its place, from back_valid to back_done (it has arrived or failed). back_data is
    // the beat back_beat of it.
    output reg         back_valid,
    output reg  [W_ADDRESS-1:5] back_line,
    input  wire [$clog2(256/DATA_WIDTH)-1:0] back_beat,
    output wire [DATA_WIDTH-1:0] back_data,
    input  wire        back_done,
    input  wire        back_error,

    // For counters: an access hits, an access misses (pulses); one waits longer than a hit (level).
    output wire        counts_hit,
    output wire        counts_miss,
    output wire        counts_stall
);
    localparam HALF   = DATA_WIDTH == 32 ? 32 : DATA_WIDTH / 2;     // bits of a bank
    localparam HALVES = 256 / HALF;         // in a line
    localparam LANES  = HALF / 8;
    localparam BEATS  = 256 / DATA_WIDTH;
    localparam SETS   = BYTES / 64;
    localparam W_BEAT = $clog2(BEATS);
    localparam W_HALF = $clog2(HALVES);
    localparam W_BYTE = 5 - W_HALF;
    localparam W_SET  = $clog2(SETS);
    localparam W_TAG  = W_ADDRESS - 5 - W_SET;
    localparam [W_BEAT-1:0] LAST = {W_BEAT{1'b1}};

    localparam [2:0] LOOK = 3'd0,           // looks up and answers hits
                     MISS = 3'd1,           // waits for the write-back of the miss before
                     COPY = 3'd2,           // the victim goes into the write-back buffer
                     FILL = 3'd3,
                     AGAIN = 3'd4,          // looks up once more what could not be answered
                     WALK = 3'd5;           // flush: a line that is changed is looked for
    reg [2:0] state;

    // ------------------------------------------------------------------ the access
    reg                  look;              // its set has been read
    reg                  waits;             // not answered in the cycle of a hit
    reg                  at_we;
    reg  [W_ADDRESS-1:0] at;                // of its word
    reg  [3:0]           at_be;
    reg  [31:0]          at_wdata;
    wire [W_SET-1:0]     at_set  = at[5 +: W_SET];
    wire [W_TAG-1:0]     at_tag  = at[W_ADDRESS-1:5+W_SET];
    wire [W_HALF-1:0]    at_half = at[4:W_BYTE];
    wire [W_BEAT-1:0]    at_beat = at[4 -: W_BEAT];

    // ------------------------------------------------------------------ memories and what was read of them
    (* no_rw_check *) // no row is read while it is written: asserted below
    reg [HALF-1:0]       bank0 [0:SETS*HALVES-1];
    (* no_rw_check *)
    reg [HALF-1:0]       bank1 [0:SETS*HALVES-1];
    reg [W_TAG+1:0]      line0 [0:SETS-1], line1 [0:SETS-1];        // tag, valid, dirty
    reg                  oldest [0:SETS-1];
    reg [HALF-1:0]       read0, read1;
    reg [W_TAG-1:0]      tag0, tag1;
    reg                  is_valid0, is_valid1, is_dirty0, is_dirty1, is_oldest1;

    reg                  flush_asked;
    reg                  lost;              // a write-back failed
    reg                  victim;            // way that is filled or copied
    reg  [W_BEAT-1:0]    beat;              // next one to copy or to arrive
    reg                  copy_last;         // the last beat of the victim has been read
    reg                  copies;            // a beat of it has been
    reg  [W_BEAT-1:0]    copied;            // which
    reg  [W_SET-1:0]     walk_set;          // that flush looks at
    reg                  flushing;          // in WALK, and in COPY from there
    reg                  resets;            // flushing because of a reset: what the lines say is not looked at
    reg                  fill_reads;        // the wanted word is read, a cycle after it came

    wire stands  = flush_asked || hold;
    wire match0  = is_valid0 && tag0 == at_tag;
    wire match1  = is_valid1 && tag1 == at_tag;
    wire decides = look && !stands;
    wire hit     = decides && !lost && (match0 || match1);
    wire refuses = decides && lost;
    wire misses  = decides && !lost && !match0 && !match1;
    wire store   = hit && at_we && WRITES != 0;

    wire looks_up = state == LOOK && !fill_reads;
    assign gnt   = looks_up && !stands && !look;
    wire accept  = req && gnt;

    wire takes_again = state == AGAIN && !stands;
    wire copying     = state == COPY && !copy_last;
    wire read        = gnt || takes_again || copying || state == WALK || fill_reads;
    wire [W_SET-1:0]  set       = flushing ? walk_set : at_set;
    wire [W_SET-1:0]  read_set  = looks_up ? address[5 +: W_SET] : set;
    wire [W_HALF-1:0] read_half = looks_up ? address[4:W_BYTE] : at_half;

    // ------------------------------------------------------------------ a beat of `victim` in the banks
    wire [W_HALF-1:0]     beat_half0, beat_half1;   // which half of the line is in which
    wire [1:0]            beat_banks;
    wire [HALF-1:0]       fill_bank0, fill_bank1;
    wire [DATA_WIDTH-1:0] copy_data;
    generate if (DATA_WIDTH == 32) begin : whole
        assign beat_half0 = beat;
        assign beat_half1 = beat;
        assign beat_banks = victim != beat[0] ? 2'b10 : 2'b01;
        assign fill_bank0 = fill_rdata;
        assign fill_bank1 = fill_rdata;
        assign copy_data  = victim != copied[0] ? read1 : read0;
    end else begin : halves
        assign beat_half0 = {beat, victim};
        assign beat_half1 = {beat, !victim};
        assign beat_banks = 2'b11;
        assign {fill_bank1, fill_bank0} = victim ? {fill_rdata[HALF-1:0], fill_rdata[DATA_WIDTH-1:HALF]} : fill_rdata;
        assign copy_data  = victim ? {read0, read1} : {read1, read0};
    end endgenerate

    // ------------------------------------------------------------------ writing: a beat of a fill, or a store
    wire fills     = state == FILL && fill_rvalid;
    wire [W_BYTE-1:0] at_byte = at[W_BYTE-1:0];
    wire [LANES+3:0]  strobes = {{LANES{1'b0}}, at_be} << at_byte;
    wire              to_bank1 = match1 != at_half[0];
    wire [LANES-1:0]  write0  = fills ? {LANES{beat_banks[0]}} : strobes[LANES-1:0] & {LANES{store && !to_bank1}};
    wire [LANES-1:0]  write1  = fills ? {LANES{beat_banks[1]}} : strobes[LANES-1:0] & {LANES{store && to_bank1}};
    wire [HALF-1:0]   data0   = fills || WRITES == 0 ? fill_bank0 : {HALF/32{at_wdata}};
    wire [HALF-1:0]   data1   = fills || WRITES == 0 ? fill_bank1 : {HALF/32{at_wdata}};
    wire [W_SET+W_HALF-1:0] write_row0 = {at_set, fills ? beat_half0 : at_half};
    wire [W_SET+W_HALF-1:0] write_row1 = {at_set, fills ? beat_half1 : at_half};
    wire [W_SET+W_HALF-1:0] read_row0  = {read_set, copying ? beat_half0 : read_half};
    wire [W_SET+W_HALF-1:0] read_row1  = {read_set, copying ? beat_half1 : read_half};

    integer lane;
    always @(posedge clk) begin
        if (read) read0 <= bank0[read_row0];
        if (read) read1 <= bank1[read_row1];
        for (lane = 0; lane < LANES; lane = lane + 1) begin
            if (write0[lane]) bank0[write_row0][8*lane +: 8] <= data0[8*lane +: 8];
            if (write1[lane]) bank1[write_row1][8*lane +: 8] <= data1[8*lane +: 8];
        end
    end

    // ------------------------------------------------------------------ fill
    reg               failed;
    reg               asks;                 // its address is to be sent
    wire fill_last  = fills && beat == LAST;
    wire fill_error = failed || fill_rerror;
    wire filled     = fill_last && !fill_error;
    assign fill_busy    = state == FILL;
    assign fill_arvalid = state == FILL && asks;
    assign fill_araddr  = {at[W_ADDRESS-1:5], 5'd0};
    assign fill_arlen   = {{8-W_BEAT{1'b0}}, LAST};

    // ------------------------------------------------------------------ lines
    // A line is written by a store, the last beat of its fill, its copy's end, and the walk of a flush (both ways).
    wire [W_TAG+1:0] look0 = line0[read_set];
    wire [W_TAG+1:0] look1 = line1[read_set];
    wire walk_dirty0 = WRITES != 0 && !resets && look0[1] && look0[0];
    wire walk_dirty1 = WRITES != 0 && !resets && look1[1] && look1[0];
    wire walk_last   = &walk_set;
    wire walks       = state == WALK && !walk_dirty0 && !walk_dirty1 && !(walk_last && back_valid && WRITES != 0);
    wire copy_ends   = copies && copied == LAST;
    wire of_victim   = fill_last || copy_ends;
    wire line_write0 = walks || (of_victim && !victim) || (store && match0);
    wire line_write1 = walks || (of_victim && victim) || (store && match1);
    wire [W_TAG+1:0] line_data = {at_tag, store || filled, store};
    always @(posedge clk) begin
        if (line_write0) line0[set] <= line_data;
        if (line_write1) line1[set] <= line_data;
        if (hit || filled) oldest[at_set] <= hit ? match0 : !victim;
        if (read) begin
            {tag0, is_valid0, is_dirty0} <= look0;
            {tag1, is_valid1, is_dirty1} <= look1;
            is_oldest1 <= oldest[read_set];
        end
    end

    // ------------------------------------------------------------------ answers
    reg  fill_answers, fill_answer_error;
    wire from_bank1 = (fill_answers ? victim : match1) != at_half[0];
    wire [HALF-1:0] answer_half = (from_bank1 ? read1 : read0) >> {at_byte, 3'd0};
    wire answered = hit || refuses || fill_answers;    // in the next cycle
    reg  answers, answer_error;
    reg  [31:0] answer;
    always @(posedge clk) begin
        answers      <= answered && !rst;
        answer       <= answer_half[31:0];
        answer_error <= fill_answers ? fill_answer_error : lost;
    end
    assign rvalid  = answers;
    assign rdata   = answer;
    assign err     = answer_error;
    assign empties = flush_asked;
    assign busy    = flush_asked || state != LOOK || look || answers;

    assign counts_hit   = hit && !waits;
    assign counts_miss  = misses;
    assign counts_stall = (look || waits) && !answered;

    // ------------------------------------------------------------------ write-back buffer
    reg [DATA_WIDTH-1:0] buffer [0:BEATS-1];
    assign back_data = buffer[back_beat];
    always @(posedge clk) if (copies) buffer[copied] <= copy_data;

    wire way1_goes = is_valid0 && (!is_valid1 || is_oldest1);
    wire goes_dirty = WRITES != 0 && (way1_goes ? is_valid1 && is_dirty1 : is_valid0 && is_dirty0);

    // ------------------------------------------------------------------ steps
    always @(posedge clk) begin
        look         <= accept || takes_again;
        waits        <= (waits || look) && !answered;
        flush_asked  <= flush || flush_asked;
        fill_reads   <= 1'b0;
        fill_answers <= fill_reads;
        copies       <= copying;
        copied       <= beat;
        if (back_done) back_valid <= 1'b0;
        lost <= (lost || (back_valid && back_done && back_error)) && !restart;
        if (accept) begin
            at       <= {address[W_ADDRESS-1:2], 2'b00};
            at_we    <= we && WRITES != 0;
            at_be    <= be;
            at_wdata <= wdata;
        end
        // What a miss begins with; of no use, but free, to a hit.
        if (state == LOOK || state == MISS) begin
            victim    <= way1_goes;
            beat      <= {W_BEAT{1'b0}};
            copy_last <= 1'b0;
            {failed, asks} <= 2'b01;
        end

        case (state)
            LOOK:
                if (look && stands)            state <= AGAIN;
                else if (misses)               state <= back_valid ? MISS : goes_dirty ? COPY : FILL;
                else if (!look && !fill_reads && flush_asked) {state, flushing} <= {WALK, 1'b1};

            MISS:
                if (!back_valid) state <= goes_dirty ? COPY : FILL;

            COPY: begin
                if (!copy_last) beat <= beat + 1'b1;
                if (beat == LAST) copy_last <= 1'b1;
                if (copy_ends) begin
                    back_valid <= 1'b1;
                    back_line  <= {victim ? tag1 : tag0, set};
                    state <= flushing ? WALK : FILL;
                end
            end

            FILL: begin
                if (fill_arready) asks <= 1'b0;
                if (fill_rvalid) begin
                    beat   <= beat + 1'b1;
                    failed <= fill_error;
                    if (beat == at_beat && !at_we) begin
                        fill_reads        <= 1'b1;
                        fill_answer_error <= fill_rerror;
                    end
                    if (fill_last) begin
                        if (at_we && fill_error) begin
                            fill_answers      <= 1'b1;
                            fill_answer_error <= 1'b1;
                        end
                        state <= at_we && filled ? AGAIN : LOOK;
                    end
                end
            end

            AGAIN:
                if (flush_asked)      {state, flushing} <= {WALK, 1'b1};
                else if (takes_again) state <= LOOK;

            WALK: begin
                victim    <= !walk_dirty0;
                beat      <= {W_BEAT{1'b0}};
                copy_last <= 1'b0;
                if (walks) begin
                    walk_set <= walk_set + 1'b1;
                    if (walk_last) begin
                        {flushing, resets} <= 2'b00;
                        flush_asked <= flush;
                        state       <= waits ? AGAIN : LOOK;
                    end
                end else if ((walk_dirty0 || walk_dirty1) && !back_valid) state <= COPY;
            end

            default: state <= LOOK;
        endcase

        if (rst) begin
            state    <= WALK;
            walk_set <= {W_SET{1'b0}};
            {flushing, resets} <= 2'b11;
            {look, waits, flush_asked, back_valid, lost, fill_reads, fill_answers, copies} <= 8'd0;
        end
    end

    wire unused = &{1'b0, address[1:0], strobes[LANES+3:LANES], answer_half, 1'b0};

`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            // A row of a bank is not read in the cycle in which it is written: the RAMs need not say what that gives.
            assert (!(read && (|write0) && read_row0 == write_row0));
            assert (!(read && (|write1) && read_row1 == write_row1));
            // A line is in one way at most.
            assert (!(look && match0 && match1));
            // Beats come only to a fill, and no earlier than asked for.
            assert (!fill_rvalid || state == FILL);
            // The buffer is written only while it is free, and answered only while it is full.
            assert (!copies || !back_valid);
            assert (!back_done || back_valid);
            // One answer at a time, and only to an access.
            assert (!(fill_answers && look));
            assert (!accept || !(waits && !answered));
        end
`endif
endmodule
`default_nettype wire
