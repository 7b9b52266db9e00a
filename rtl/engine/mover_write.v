// SPDX-License-Identifier: Apache-2.0
//
// Write half of the mover: three stages, a queue before each.
//
//   bursts -> [queue] -> AW stage -> [bursts] -> W stage: aligned beats, strobes -> memory
//                                \-> [records] -> B stage: completion, faults   <- memory
//
// AW stage: sends a burst's address when memory has accepted the reads of all its source bytes. So a memory that
// serves in order of arrival reaches the data first. Data must also be coming, so that no command occupies the write
// path too early. A chunk of a reverse command waits until all of it has arrived. Up to 2**LOG2_BURSTS bursts are in
// flight. W stage: lanes outside the burst get strobe 0, and so does everything from the first beat that was read with
// an error. B stage: completes commands in order. After the first fault every completion repeats it until `drop`, so
// that nothing after a fault looks good.
`default_nettype none

module mover_write #(
    parameter FILLS   = 1, // 0: no fills
    parameter REVERSE = 1, // 0: no reverse commands
    parameter PIXELS  = 1, // 0: no pixel path
    parameter LOG2_BURSTS = 5 // of the bursts queued, of those in flight
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        drop,              // forget queued bursts, write issued ones with strobes 0

    // Bursts of the target side, in order. burst_ready depends on registers only.
    input  wire        burst_valid,
    output wire        burst_ready,
    input  wire [31:3] burst_address,
    input  wire [4:0]  burst_beats,       // minus one
    input  wire [2:0]  burst_first,       // lane of the first byte
    input  wire [2:0]  burst_last,        // lane of the last byte
    input  wire [8:0]  burst_bytes,
    input  wire        burst_user,
    input  wire [7:0]  burst_tag,
    input  wire        burst_void,        // no write: only carries the completion of an empty command
    input  wire        burst_end,         // last of its command
    input  wire        burst_fill,        // data is the fill pattern
    input  wire [1:0]  burst_fill_shift,  // of the pattern, for the row's first beat; fill_threes: 3 if not head
    input  wire        burst_head,        // first of its row
    input  wire [1:0]  burst_source_size, // of a conversion's units, bytes minus one; else 0
    input  wire [1:0]  burst_target_size,
    input  wire [1:0]  burst_depth,       // of a conversion from parts of bytes, see mover.v
    input  wire [2:0]  burst_bit,         // of its row, where it begins in the source's first byte
    input  wire        burst_straddles,   // through the pixel path, and not the last of its row
    input  wire        burst_reverse,
    input  wire        burst_chunk_end,
    input  wire        burst_reads_target,// the same burst has been given to the target reads

    // Progress of the source side.
    input  wire [8:0]  issued_bytes,      // source bytes asked for in this cycle
    input  wire        chunk_arrived,
    input  wire        target_issued,     // a target read's address is accepted in this cycle
    input  wire        source_asked,      // no read waits to be accepted
    input  wire        data_coming,

    // Aligned beats. A fill's beats come from `fill_active`, with the pattern rotated by fill_shift; a pattern of 3
    // bytes begins with its byte fill_shift, 2 more per beat. fill_end: its last beat is taken in this cycle.
    input  wire        beat_valid,
    output wire        beat_ready,
    input  wire [63:0] beat_data,         // stands still while `drop`
    input  wire [7:0]  beat_mask,
    input  wire [1:0]  beat_error,        // read with an error: bit 0 on the source side, 1 target side
    input  wire        fill_threes,       // the fill in work has a pattern of 3 bytes
    output reg         fill_active,
    output reg  [1:0]  fill_shift,
    output wire        fill_end,

    // AXI4 write channel
    output reg  [31:0] awaddr,
    output reg  [7:0]  awlen,
    output reg         awuser,
    output reg         awvalid,
    input  wire        awready,
    output wire [63:0] wdata,
    output wire [7:0]  wstrb,
    output wire        wlast,
    output wire        wvalid,
    input  wire        wready,
    input  wire [1:0]  bresp,
    input  wire        bvalid,
    output wire        bready,

    // First read faults, and completions.
    input  wire        source_guard,
    input  wire [31:3] source_address,
    input  wire        target_guard,
    input  wire [31:3] target_address,
    output wire        done_valid,
    output wire [7:0]  done_tag,
    output wire [7:0]  done_fault,
    output wire [31:0] done_address,

    output wire        accounts_even,     // every source byte asked for belongs to a write sent
    output wire        waits_for_data,
    output wire        is_stalled,        // memory does not take what is offered
    output wire        idle               // no burst queued, issued or unanswered
);
`include "gpu_spec.vh"
`include "config.vh"

    // ------------------------------------------------------------------ queue of bursts
    wire        queue_valid, queue_full, queue_pop;
    wire [31:3] queue_address;
    wire [4:0]  queue_beats;
    wire [2:0]  queue_first, queue_last;
    wire [1:0]  queue_fill_shift;
    wire [7:0]  queue_tag;
    wire        queue_user, queue_void, queue_end;
    wire [8:0]  queue_bytes;
    wire [5:0]  queue_kind; // what not every build has
    wire        queue_fill         = FILLS   != 0 && queue_kind[0];
    wire        queue_reverse      = REVERSE != 0 && queue_kind[1];
    wire        queue_chunk_end    = REVERSE != 0 && queue_kind[2];
    wire        queue_reads_target = PIXELS  != 0 && queue_kind[3];
    wire        queue_straddles    = PIXELS  != 0 && queue_kind[4];
    wire        queue_converts     = PIXELS  != 0 && queue_kind[5];
    wire        burst_converts     = {burst_source_size, burst_target_size} != 4'd0;

    assign burst_ready = !queue_full;
    // The upper bits of the kind are queued only where something sets them.
    localparam WIDTH = PIXELS != 0 ? 68 : REVERSE != 0 ? 65 : 63;
    wire [67:0]      pushed = {burst_converts, burst_straddles, burst_reads_target, burst_chunk_end, burst_reverse,
                               burst_fill, burst_address, burst_beats, burst_first, burst_last, burst_user, burst_tag,
                               burst_void, burst_end, burst_fill_shift, burst_bytes};
    wire [WIDTH-1:0] popped;
    wire [72:0]      whole = {{73-WIDTH{1'b0}}, popped};
    assign {queue_kind, queue_address, queue_beats, queue_first, queue_last, queue_user, queue_tag, queue_void,
            queue_end, queue_fill_shift, queue_bytes} = whole[67:0];
    wire unused_kind = &{1'b0, pushed[67:63], whole[72:68]};
    sync_fifo #(.WIDTH(WIDTH), .LOG2_DEPTH(LOG2_BURSTS)) queue (
        .clk       (clk),
        .rst       (rst || drop),
        .push      (burst_valid && burst_ready),
        .push_data (pushed[WIDTH-1:0]),
        .full      (queue_full),
        .pop       (queue_pop),
        .data      (popped),
        .valid     (queue_valid)
    );

    // ------------------------------------------------------------------ AW stage
    reg  [11:0] ahead;                    // source bytes asked for beyond the last write address sent
    reg  [6:0]  chunks;                   // reverse chunks arrived and not written yet
    reg  [6:0]  targets;                  // target reads accepted and not followed by their write's address
    wire        wait_valid, wait_full;    // W stage's queue
    wire        wait_pop;
    wire        record_valid, record_full;

    wire        account_valid;            // `needs` is there
    wire [10:0] needs;                    // source bytes it takes
    generate if (PIXELS != 0) begin : account
        // What a conversion takes is worked out in the two cycles after its burst was queued: first its units, then
        // their bytes. It has its own queue.
        wire        counted_valid, counted_full;
        wire [10:0] counted;
        reg         counting, is_counted, head, head_d1;
        reg  [8:0]  bytes, units;
        reg  [1:0]  target_size, source_size, source_size_d1;
        reg  [1:0]  place;                // see mover_units.v
        wire [8:0]  units_found;
        wire [1:0]  place_next;
        wire [10:0] units_need;
        wire [1:0]  depth;
        wire [2:0]  bit_first, bit_place, bit_next;
        always @(posedge clk) begin
            counting    <= !rst && !drop && burst_valid && burst_ready && burst_converts;
            bytes       <= burst_bytes;
            head        <= burst_head;
            target_size <= burst_target_size;
            source_size <= burst_source_size;
            if (counting) place <= place_next;
            is_counted     <= !rst && !drop && counting;
            units          <= units_found;
            head_d1        <= head;
            source_size_d1 <= source_size;
        end
        if (MASKS != 0) begin : parts
            reg [4:0] part, part_d1;
            reg [2:0] bits;
            always @(posedge clk) begin
                part    <= {burst_depth, burst_bit};
                part_d1 <= part;
                if (is_counted) bits <= bit_next;
            end
            assign {bit_place, depth, bit_first} = {bits, part_d1};
        end else begin : no_parts
            assign {bit_place, depth, bit_first} = 8'd0;
            wire unused = &{1'b0, bit_next, burst_depth, burst_bit, 1'b0};
        end
        mover_units counter (
            .bytes      (bytes),
            .head       (head),
            .size       (target_size),
            .place      (place),
            .place_next (place_next),
            .units      (units_found)
        );
        mover_needs converter (
            .units     (units),
            .head      (head_d1),
            .size      (source_size_d1),
            .depth     (depth),
            .bit_first (bit_first),
            .bit_place (bit_place),
            .bit_next  (bit_next),
            .bytes     (units_need)
        );
        sync_fifo #(.WIDTH(11), .LOG2_DEPTH(LOG2_BURSTS)) needed (
            .clk       (clk),
            .rst       (rst || drop),
            .push      (is_counted),
            .push_data (units_need),
            .full      (counted_full),
            .pop       (send && queue_converts),
            .data      (counted),
            .valid     (counted_valid)
        );
        assign account_valid = !queue_converts || counted_valid;
        assign needs         = queue_converts ? counted : {2'd0, queue_bytes};
        wire unused = &{1'b0, counted_full, 1'b0};
    end else begin : bytes_only
        assign account_valid = 1'b1;
        assign needs         = {2'd0, queue_bytes};
        wire unused = &{1'b0, burst_head, burst_depth, burst_bit, queue_converts, 1'b0};
    end endgenerate
    wire        counts      = !queue_fill && !queue_void;
    // The pixel path works on beats counted from the row's start, and on pairs of units: the last of a burst may need
    // up to 11 target bytes of the next burst, 23 of the source; and of the target, the next read.
    wire        has_bytes   = ahead >= {1'b0, needs};
    wire        has_more    = !queue_straddles || source_asked || ahead >= {1'b0, needs} + 12'd24;
    wire        has_source  = queue_fill
                           || (has_bytes && has_more && data_coming && (!queue_reverse || chunks != 7'd0));
    wire        has_target  = !queue_reads_target || targets > {6'd0, queue_straddles};
    // Source bytes count a cycle after they were asked for, and that a burst has its data is known a cycle after that:
    // what makes it true stays true.
    reg         is_backed;                // the burst has its source and its target
    reg  [8:0]  more_bytes;               // asked for
    always @(posedge clk) begin
        more_bytes <= rst || drop ? 9'd0 : issued_bytes;
        is_backed  <= !rst && !drop && queue_valid && account_valid && has_source && has_target && !send;
    end
    wire        may_send    = queue_void || (is_backed && !wait_full && (!awvalid || awready));
    wire        send        = queue_valid && may_send && account_valid && !record_full && !drop;
    assign queue_pop = send;

    always @(posedge clk)
        if (rst || drop) begin
            ahead   <= 12'd0;
            chunks  <= 7'd0;
            targets <= 7'd0;
        end else begin
            ahead   <= ahead + {3'd0, more_bytes} - (send && counts ? {1'b0, needs} : 12'd0);
            chunks  <= chunks + {6'd0, chunk_arrived} - {6'd0, send && queue_chunk_end};
            targets <= targets + {6'd0, target_issued} - {6'd0, send && queue_reads_target};
        end

    always @(posedge clk)
        if (rst)                      awvalid <= 1'b0;
        else if (send && !queue_void) awvalid <= 1'b1;
        else if (awready)             awvalid <= 1'b0;

    always @(posedge clk)
        if (send && !queue_void) begin
            awaddr <= {queue_address, 3'd0};
            awlen  <= {3'd0, queue_beats};
            awuser <= queue_user;
        end

    // ------------------------------------------------------------------ W stage
    wire [4:0] wait_beats;
    wire [2:0] wait_first, wait_last;
    wire       wait_fill, wait_end;
    wire [1:0] wait_fill_shift;
    reg  [4:0] beat;                      // index in the burst
    reg  [1:0] poison;                    // a beat was read with an error: write no more

    sync_fifo #(.WIDTH(15), .LOG2_DEPTH(LOG2_BURSTS)) waiting (
        .clk       (clk),
        .rst       (rst),
        .push      (send && !queue_void),
        .push_data ({queue_beats, queue_first, queue_last, queue_fill, queue_end, queue_fill_shift}),
        .full      (wait_full),
        .pop       (wait_pop),
        .data      ({wait_beats, wait_first, wait_last, wait_fill, wait_end, wait_fill_shift}),
        .valid     (wait_valid)
    );

    wire [7:0] first_mask = beat == 5'd0 ? 8'hff << wait_first : 8'hff;
    wire [7:0] last_mask  = wlast ? 8'hff >> (3'd7 - wait_last) : 8'hff;
    wire       w_taken    = wvalid && wready;
    wire       is_set;                    // the aligner gives what this burst wants

    assign wdata       = beat_data;
    assign wlast       = beat == wait_beats;
    assign wvalid      = wait_valid && (drop || (beat_valid && is_set));
    assign wstrb       = drop || poison != 2'd0 || beat_error != 2'd0 ? 8'h00 : first_mask & last_mask & beat_mask;
    assign wait_pop    = w_taken && wlast;
    assign beat_ready  = wait_valid && wready && is_set;
    assign fill_end    = wait_pop && fill_active && wait_end;

    // The aligner is set to a fill's pattern in the cycle before its first beat, and again when a row begins
    // in other lanes: these are registers because everything in the data path hangs on them.
    wire wants_fill = FILLS != 0 && wait_valid && wait_fill;
    wire goes_on    = fill_threes && (wait_fill_shift == 2'd3 || beat != 5'd0); // in a row of 3-byte units
    assign is_set   = wants_fill ? fill_active && (goes_on || fill_shift == wait_fill_shift) : !fill_active;
    always @(posedge clk)
        if (rst || drop)     fill_active <= 1'b0;
        else if (wants_fill) fill_active <= !fill_end;
    always @(posedge clk)
        if (wants_fill) begin
            if (!fill_threes || !is_set) fill_shift <= wait_fill_shift;
            else if (w_taken)            fill_shift <= fill_shift == 2'd0 ? 2'd2 : fill_shift - 2'd1; // + 8, modulo 3
        end

    always @(posedge clk)
        if (rst)          beat <= 5'd0;
        else if (w_taken) beat <= wlast ? 5'd0 : beat + 5'd1;

    // ------------------------------------------------------------------ B stage
    wire [31:3] record_address;
    wire        record_void, record_end;
    wire        record_pop = record_valid && (record_void || bvalid);

    sync_fifo #(.WIDTH(39), .LOG2_DEPTH(LOG2_BURSTS)) records (
        .clk       (clk),
        .rst       (rst),
        .push      (send),
        .push_data ({queue_address, queue_tag, queue_void, queue_end}),
        .full      (record_full),
        .pop       (record_pop),
        .data      ({record_address, done_tag, record_void, record_end}),
        .valid     (record_valid)
    );
    assign bready = record_valid && !record_void;

    // Bursts are numbered as they leave the W stage and as they are answered: the answer whose number is
    // poison_burst ends the first burst that lacks data.
    reg  [LOG2_BURSTS:0] written;
    reg  [LOG2_BURSTS:0] answered;
    reg  [LOG2_BURSTS:0] poison_burst;
    wire       poison_now = w_taken && beat_error != 2'd0 && poison == 2'd0 && !drop;
    always @(posedge clk)
        if (rst || drop) begin
            poison <= 2'd0;
        end else if (poison_now) begin
            poison       <= beat_error;
            poison_burst <= written;
        end
    always @(posedge clk)
        if (rst) begin
            written  <= {(LOG2_BURSTS+1){1'b0}};
            answered <= {(LOG2_BURSTS+1){1'b0}};
        end else begin
            written  <= written + {{LOG2_BURSTS{1'b0}}, wait_pop};
            answered <= answered + {{LOG2_BURSTS{1'b0}}, record_pop && !record_void};
        end

    reg         failed;                   // a fault has been reported or is due with this command's end
    reg  [7:0]  failed_code;
    reg  [31:3] failed_address;
    wire        read_fails  = poison != 2'd0 && poison_burst == answered && !record_void;
    wire        write_fails = bresp != 2'd0 && !record_void;
    wire        fails       = record_pop && (read_fails || write_fails);
    wire        read_guard  = poison[0] ? source_guard : target_guard;
    wire [7:0]  fails_code  = read_fails ? (read_guard ? FAULT_READ_GUARD[7:0] : FAULT_READ_BUS[7:0])
                                         : (bresp == 2'd1 ? FAULT_WRITE_GUARD[7:0] : FAULT_WRITE_BUS[7:0]);
    wire [31:3] fails_address = !read_fails ? record_address : poison[0] ? source_address : target_address;

    always @(posedge clk)
        if (rst || drop)           failed <= 1'b0;
        else if (fails)            failed <= 1'b1;
    always @(posedge clk)
        if (fails && !failed) begin
            failed_code    <= fails_code;
            failed_address <= fails_address;
        end

    assign done_valid   = record_pop && record_end && !drop;
    assign done_fault   = failed ? failed_code : fails ? fails_code : FAULT_NONE[7:0];
    assign done_address = {failed ? failed_address : fails_address, 3'd0};

    // ------------------------------------------------------------------ state
    assign accounts_even  = {ahead, chunks, targets} == 26'd0;
    assign waits_for_data = wait_valid ? !wvalid : queue_valid && !send && !record_full;
    assign is_stalled     = (wvalid && !wready) || (awvalid && !awready);
    assign idle           = !queue_valid && !record_valid && !awvalid;

`ifdef GPU_ASSERT
    reg        w_waits, aw_waits;
    reg [72:0] w_d1;
    reg [40:0] aw_d1;
    always @(posedge clk) begin
        w_waits  <= !rst && wvalid && !wready;
        aw_waits <= !rst && awvalid && !awready;
        w_d1     <= {wdata, wstrb, wlast};
        aw_d1    <= {awaddr, awlen, awuser};
        if (!rst) begin
            // What is offered stays until it is taken.
            assert (!w_waits || (wvalid && w_d1 == {wdata, wstrb, wlast}));
            assert (!aw_waits || (awvalid && aw_d1 == {awaddr, awlen, awuser}));
            // A burst stays inside 256 bytes; nothing answers what was not asked.
            assert (!awvalid || {1'b0, awaddr[7:3]} + awlen[5:0] < 6'd32);
            assert (!(bvalid && !record_valid));
            assert (ahead < 12'd3072);
        end
    end
`endif
endmodule

`default_nettype wire
