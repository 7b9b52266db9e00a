// SPDX-License-Identifier: Apache-2.0
//
// The mover: one command in, memory moved, one completion out. docs/engine.md explains how it works.
//
//  command -> mover_pieces -+-> cutter -> mover_read s ----------------------> aligner -> mover_write
//                           |                         \-> mover_pixels ---/                   ^
//                           +-> cutter -> bursts ----------/----------------------------------/
//                                             (its own mover_read t for BLEND, ROP)
//
// For a BLIT_AFFINE mover_affine.v takes the place of the source's cutter; it reads through mover_read s.
//
// Commands are cut into bursts on both sides at once, and do not wait for each other. So a stream of short commands is
// as fast as one long copy. A command's reads may overtake the writes of earlier ones; cmd_barrier makes it wait until
// all earlier writes are answered. Abort drops what has not reached the bus and finishes the rest legally (strobes 0).
// Dropped commands are not completed. After a fault nothing read after the failing beat is written, and every
// completion repeats the fault until abort. A palette is loaded while there is no command (mover_palette.v); its reads
// pass the guard, too.
`default_nettype none

module mover #(
    parameter DATA_WIDTH = 64, // 64
    parameter FILLS      = 1,  // 0: no FILL
    parameter ROWS       = 1,  // 0: commands of one row only
    parameter REVERSE    = 1,  // 0: cmd_reverse is ignored; needs ROWS
    parameter TILES      = 1,  // 0: no TILE, no UNTILE
    parameter PIXELS     = 1,  // 0: no pixel path, BLIT moves bytes; the t channel is silent
    parameter LOG2_BURSTS = TILES != 0 ? 6 : 5 // in flight on each channel; a tile's have 32 bytes, so there are more
) (
    input  wire                    clk,
    input  wire                    rst,

    // Level, held until idle: no command is taken, none survives.
    /* verilator lint_off SYMRSVDWORD */ // also a C function; the port's name is right
    input  wire                    abort,
    /* verilator lint_on SYMRSVDWORD */
    output wire                    idle,             // no command inside, nothing outstanding

    // Command; stable from cmd_valid until cmd_ready, which may come after part of it is done (rows).
    // Only abort excuses a command withdrawn.
    input  wire                    cmd_valid,
    output wire                    cmd_ready,
    input  wire [3:0]              cmd_op,           // 0 COPY, 1 FILL, 2 BLIT, 3 TILE, 4 UNTILE
    input  wire [31:0]             cmd_source,
    input  wire [31:0]             cmd_target,
    input  wire [31:0]             cmd_row_bytes,    // on the target side; BLIT: at most 0x3fffc
    input  wire [15:0]             cmd_rows,
    input  wire [15:0]             cmd_source_pitch,
    input  wire [15:0]             cmd_target_pitch,
    input  wire                    cmd_reverse,      // COPY, and BLIT COPY of equal formats
    input  wire                    cmd_barrier,      // wait for the B of all earlier writes
    input  wire [31:0]             cmd_pattern,      // FILL, else VALUE of BLIT
    input  wire [15:0]             cmd_units,        // BLIT: units per row
    input  wire [2:0]              cmd_mode,         // BLIT group
    input  wire [2:0]              cmd_source_format,
    // BLIT from A8, not mapped, of units that are parts of bytes, from a byte's high bits on: 1:0 is 1, 2, 3 for units
    // of 4, 2, 1 bits (else 0), 4:2 the bit at which the first one begins, 7:5 the bits of a row beyond its pitch.
    input  wire [7:0]              cmd_mask,
    input  wire [2:0]              cmd_target_format, // FILL too: RGB888 repeats 3 bytes of the pattern
    input  wire                    cmd_premultiplied,
    input  wire                    cmd_keyed,
    input  wire                    cmd_coloured,
    input  wire [7:0]              cmd_rop,         // ROP; in other modes bit 0 TRUNCATED, bit 1 BY_256
    input  wire [23:0]             cmd_key,
    input  wire [7:0]              cmd_tag,
    input  wire                    cmd_user,         // ARUSER and AWUSER of all its bursts
    input  wire                    cmd_mapped,       // BLIT: source units come from a map; not void
    input  wire [2:0]              cmd_sampling,     // mapped: bit 0 units outside the map's rectangle are left out,
                                                     // 1 it is repeated, 2 between four units
    // Words of the maps, of each before its command is offered, and of two at most: see mover_map.v.
    input  wire                    map_push,
    input  wire [31:0]             map_word,

    // The palette: `load_start` is a pulse; from then until load_done, a pulse with the outcome, its place stands, and
    // there is neither command nor abort.
    input  wire                    load_start,
    input  wire [31:8]             load_source,
    output wire                    load_done,
    output wire [7:0]              load_fault,       // FAULT group
    output wire [31:0]             load_address,     // with a fault: address of the failing burst

    // Completions: one pulse per command, in order, in the cycle of its last B.
    output wire                    done_valid,
    output wire [7:0]              done_tag,
    output wire [7:0]              done_fault,       // FAULT group
    output wire [31:0]             done_address,     // with a fault: address of the failing burst

    // Levels for stall counters.
    output wire                    stall_read,       // data could be written, but has not come
    output wire                    stall_write,      // memory does not take what is offered
    output wire                    stall_drain,      // only answers to writes are missing

    // AXI4 source reads
    output wire [31:0]             s_araddr,
    output wire [7:0]              s_arlen,
    output wire [2:0]              s_arsize,
    output wire [1:0]              s_arburst,
    output wire                    s_aruser,
    output wire                    s_arvalid,
    input  wire                    s_arready,
    input  wire [DATA_WIDTH-1:0]   s_rdata,
    input  wire [1:0]              s_rresp,          // 1: refused by the guard; 2, 3: bus error
    input  wire                    s_rlast,
    input  wire                    s_rvalid,
    output wire                    s_rready,         // constantly 1

    // AXI4 target reads
    output wire [31:0]             t_araddr,
    output wire [7:0]              t_arlen,
    output wire [2:0]              t_arsize,
    output wire [1:0]              t_arburst,
    output wire                    t_aruser,
    output wire                    t_arvalid,
    input  wire                    t_arready,
    input  wire [DATA_WIDTH-1:0]   t_rdata,
    input  wire [1:0]              t_rresp,
    input  wire                    t_rlast,
    input  wire                    t_rvalid,
    output wire                    t_rready,         // constantly 1

    // AXI4 writes; data is never offered before its address
    output wire [31:0]             w_awaddr,
    output wire [7:0]              w_awlen,
    output wire [2:0]              w_awsize,
    output wire [1:0]              w_awburst,
    output wire                    w_awuser,
    output wire                    w_awvalid,
    input  wire                    w_awready,
    output wire [DATA_WIDTH-1:0]   w_wdata,
    output wire [DATA_WIDTH/8-1:0] w_wstrb,
    output wire                    w_wlast,
    output wire                    w_wvalid,
    input  wire                    w_wready,
    input  wire [1:0]              w_bresp,
    input  wire                    w_bvalid,
    output wire                    w_bready
);
`include "gpu_spec.vh"
`include "config.vh"

    generate if (DATA_WIDTH != 64) begin : check
        data_width_must_be_64 illegal();
    end endgenerate

    // ------------------------------------------------------------------ abort
    // What W offers must stand until it is taken; only then is everything dropped.
    reg  drop;
    wire hold = abort || drop;
    always @(posedge clk)
        if (rst) drop <= 1'b0;
        else     drop <= (drop && !idle) || (abort && !(w_wvalid && !w_wready));
    wire clear = rst || drop;

    // ------------------------------------------------------------------ what kind of command
    wire        is_known, is_fill, is_tile, is_untile, is_special, is_reverse, reads_target, is_threes, is_void;
    wire        is_mapped = MAPS != 0 && cmd_mapped && is_special;
    // What comes from between units is a colour, whatever they are.
    wire        is_mixed = MAPS != 0 && cmd_mapped && cmd_sampling[2];
    // Units of a part of a byte: where a row begins in its first byte, and what it reaches beyond its whole bytes.
    wire [1:0]  depth = MASKS != 0 ? cmd_mask[1:0] : 2'd0;
    wire [2:0]  source_rest, source_bit;
    wire [2:0]  source_format = is_mixed ? FORMAT_ARGB8888[2:0] : cmd_source_format;
    wire [1:0]  source_size, target_size;
    wire [31:0] extent, source_extent;
    mover_command #(
        .FILLS(FILLS), .ROWS(ROWS), .REVERSE(REVERSE), .TILES(TILES), .PIXELS(PIXELS)
    ) command (
        .clk(clk), .rst(rst || hold), .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_op(cmd_op),
        .cmd_row_bytes(cmd_row_bytes), .cmd_rows(cmd_rows), .cmd_reverse(cmd_reverse), .cmd_units(cmd_units),
        .cmd_mode(cmd_mode), .cmd_source_format(source_format), .cmd_target_format(cmd_target_format),
        .cmd_keyed(cmd_keyed), .cmd_coloured(cmd_coloured), .cmd_mapped(MAPS != 0 && cmd_mapped), .cmd_depth(depth),
        .is_known(is_known), .is_fill(is_fill), .is_tile(is_tile), .is_untile(is_untile), .is_special(is_special),
        .is_reverse(is_reverse), .reads_target(reads_target), .is_threes(is_threes), .is_void(is_void),
        .source_size(source_size), .target_size(target_size), .extent(extent), .source_extent(source_extent),
        .source_rest(source_rest)
    );

    // ------------------------------------------------------------------ pieces
    wire        started, drained, params_room, sb_busy, tb_busy, map_begun, map_gathers;
    wire        fills_full;
    reg         fill_taken;               // a pattern comes to the queue of fills
    wire        no_fill_room = fills_full || fill_taken;
    wire        stands = cmd_valid && is_known && !hold;
    wire        offer = stands
                     && (started || sb_busy || tb_busy || map_begun
                         || ((!cmd_barrier || drained) && (!is_special || params_room) && !(is_fill && no_fill_room)));
    wire        source_short, target_short;
    wire        is_first, piece_void, source_offer, source_ready, source_end, target_offer, target_ready, target_end;
    wire [31:0] source_first, source_last, target_first, target_last;
    mover_pieces #(.ROWS(ROWS), .REVERSE(REVERSE), .TILES(TILES), .PIXELS(PIXELS)) pieces (
        .clk              (clk),
        .rst              (clear),
        .cmd_valid        (offer), .cmd_stands(stands),
        .cmd_ready        (cmd_ready),
        .is_fill          (is_fill),
        .is_tile          (is_tile),
        .is_untile        (is_untile),
        .is_reverse       (is_reverse),
        .is_void          (is_void),
        .extent           (extent),
        .source_extent    (source_extent),
        .cmd_source       (cmd_source),
        .cmd_target       (cmd_target),
        .cmd_row_bytes    (cmd_row_bytes[15:0]),
        .cmd_rows(cmd_rows), .cmd_source_pitch(cmd_source_pitch), .cmd_target_pitch(cmd_target_pitch),
        .cmd_bit(cmd_mask[4:2]), .cmd_pitch_bits(cmd_mask[7:5]), .source_rest(source_rest), .source_bit(source_bit),
        .started          (started),
        .is_first         (is_first),
        .source_offer     (source_offer),
        .source_ready     (source_ready),
        .source_first     (source_first),
        .source_last      (source_last),
        .source_short     (source_short),
        .source_end       (source_end),
        .target_offer     (target_offer),
        .target_ready     (target_ready),
        .target_first     (target_first),
        .target_last      (target_last),
        .target_short     (target_short),
        .target_end       (target_end),
        .piece_void       (piece_void)
    );

    // ------------------------------------------------------------------ source side: bursts and beats
    // The pixel path wants rows from lane 0 on, everything else in the target's lanes.
    wire [2:0]  goal        = is_special ? 3'd0 : target_first[2:0];
    wire [2:0]  piece_shift = goal - source_first[2:0];
    wire        piece_prime = source_first[2:0] > goal;

    wire        plain_ready, map_ready;
    assign source_ready = is_mapped ? map_ready : plain_ready;
    wire        sb_valid, sb_ready, sb_head, sb_tail;
    wire [31:3] sb_address;
    wire [4:0]  sb_beats;
    wire [2:0]  sb_first, sb_last;
    wire [8:0]  sb_bytes;
    mover_cutter source_cutter (
        .clk           (clk),
        .rst           (clear),
        .piece_valid   (source_offer && !is_mapped),
        .piece_ready   (plain_ready),
        .piece_first   (source_first),
        .piece_last    (source_last),
        .piece_short   (source_short),
        .piece_single  (1'b0),
        .piece_fine    (1'b0),
        .burst_valid   (sb_valid),
        .burst_ready   (sb_ready),
        .burst_address (sb_address),
        .burst_beats   (sb_beats),
        .burst_first   (sb_first),
        .burst_last    (sb_last),
        .burst_bytes   (sb_bytes),
        .burst_head    (sb_head),
        .burst_tail    (sb_tail),
        .busy          (sb_busy)
    );
    wire        sb_spill = sb_last > ~piece_shift; // the last byte's lane + shift is 8 or more

    // A mapped command's beats are marked so: none that is taken without a beat out stays in its lanes.
    wire        map_valid, map_walks, s_quiet, read_ready;
    wire [31:3] map_address;
    wire [8:0]  map_bytes, part_bytes;
    wire        reads_mapped = MAPS != 0 && map_gathers;
    wire        reads_palette, palette_valid, palette_takes;
    wire [31:3] palette_address;
    assign      sb_ready     = read_ready && !reads_mapped;
    wire        burst_valid  = reads_palette ? palette_valid : reads_mapped ? map_valid : sb_valid;
    wire [31:3] burst_address = reads_palette ? palette_address : reads_mapped ? map_address : sb_address;
    wire        is_apart     = reads_mapped || reads_palette;

    wire        s_valid, s_ready, s_prime, s_flush, s_special, s_end, s_error, s_pending, s_idle, s_guard;
    wire        s_faulty;
    wire [63:0] s_data;
    wire [2:0]  s_shift;
    wire [31:3] s_fault_address;
    wire [8:0]  issued_bytes;
    wire        chunk_arrived;
    mover_read #(.LOG2_BURSTS(LOG2_BURSTS)) source_read (
        .clk             (clk),
        .rst             (rst),
        .hold            (hold),
        .drop            (drop),
        .burst_valid     (burst_valid),
        .burst_ready     (read_ready),
        .burst_address   (burst_address),
        .burst_beats     (reads_palette ? 5'd31 : reads_mapped ? 5'd0 : sb_beats),
        .burst_bytes     (reads_palette ? 9'd0 : reads_mapped ? map_bytes : sb_bytes),
        .burst_user      (reads_palette || cmd_user),
        .burst_shift     (is_apart ? 3'd0 : piece_shift),
        .burst_prime     (!reads_palette && (reads_mapped || (piece_prime && sb_head))),
        .burst_flush     (!is_apart && sb_tail && sb_spill),
        .burst_special   (is_apart || is_special),
        .burst_end       (!is_apart && sb_tail && source_end),
        .burst_chunk_end (!is_apart && sb_tail && is_reverse),
        .araddr(s_araddr), .arlen(s_arlen), .aruser(s_aruser), .arvalid(s_arvalid), .arready(s_arready),
        .rdata(s_rdata), .rresp(s_rresp), .rlast(s_rlast), .rvalid(s_rvalid),
        .beat_valid(s_valid), .beat_ready(s_ready), .beat_data(s_data), .beat_shift(s_shift), .beat_prime(s_prime),
        .beat_flush(s_flush), .beat_special(s_special), .beat_end(s_end), .beat_error(s_error),
        .issued_bytes    (issued_bytes),
        .chunk_arrived   (chunk_arrived),
        .has_pending     (s_pending),
        .is_quiet        (s_quiet),
        .idle            (s_idle),
        .fault           (s_faulty),
        .fault_guard     (s_guard),
        .fault_address   (s_fault_address)
    );
    assign s_arsize  = 3'd3;
    assign s_arburst = 2'd1;
    assign s_rready  = 1'b1;

    // ------------------------------------------------------------------ target side: bursts
    wire        tb_valid, tb_ready, tb_head, tb_tail;
    wire [31:3] tb_address;
    wire [4:0]  tb_beats;
    wire [2:0]  tb_first, tb_last;
    wire [8:0]  tb_bytes;
    wire        tb_reads = reads_target && !piece_void;
    wire        queue_ready, t_read_ready, write_idle, accounts_even;
    assign tb_ready = queue_ready && (!tb_reads || t_read_ready);
    mover_cutter target_cutter (
        .clk           (clk),
        .rst           (clear),
        .piece_valid   (target_offer),
        .piece_ready   (target_ready),
        .piece_first   (target_first),
        .piece_last    (target_last),
        .piece_short   (target_short),
        .piece_single  (piece_void),
        .piece_fine    (is_mapped),
        .burst_valid   (tb_valid),
        .burst_ready   (tb_ready),
        .burst_address (tb_address),
        .burst_beats   (tb_beats),
        .burst_first   (tb_first),
        .burst_last    (tb_last),
        .burst_bytes   (tb_bytes),
        .burst_head    (tb_head),
        .burst_tail    (tb_tail),
        .busy          (tb_busy)
    );
    // The command's parameters are queued with its first burst.
    wire        first_taken = is_first && tb_valid && tb_ready && tb_head;

    // ------------------------------------------------------------------ aligner, with what feeds it
    localparam LANE = PIXELS != 0 ? 9 : 8;
    wire              in_valid, in_ready, in_prime, in_flush;
    wire [8*LANE-1:0] in_data, out_data;
    wire [2:0]        in_shift;
    wire [1:0]        in_error, out_error;
    wire              fill_active, fill_end;
    wire [1:0]        fill_shift;
    wire              fill_threes;
    wire [63:0]       fill_data;
    wire              out_valid, out_ready;
    mover_aligner #(.LANE(LANE), .ERROR(2)) aligner (
        .clk       (clk), .rst(clear), .still(drop),
        .in_valid  (in_valid),
        .in_ready  (in_ready),
        .in_data   (in_data),
        .in_shift  (fill_active ? {1'b0, fill_threes ? 2'd0 : fill_shift} : in_shift),
        .in_prime  (in_prime),
        .in_flush  (in_flush),
        .in_error  (in_error),
        .pattern   (fill_active),
        .out_valid (out_valid),
        .out_ready (out_ready),
        .out_data  (out_data),
        .out_error (out_error)
    );

    wire        t_idle, t_guard, others_idle, load_busy, load_has_failed;
    wire [31:3] t_fault_address;
    wire [63:0] write_data;
    wire [7:0]  write_mask;
    generate if (PIXELS != 0) begin : pixels
        wire        active, p_ready, r_valid, r_flush;
        wire [63:0] r_data;
        wire [7:0]  r_mask;
        wire [2:0]  r_shift;
        wire [1:0]  r_error;
        wire        s_mapped = MAPS != 0 && s_special && s_prime && s_shift == 3'd0;
        wire        m_valid, m_error, m_end, m_takes, pair_push;
        wire [63:0] m_data;
        wire [1:0]  pair;
        if (MAPS != 0) begin : affine
            mover_affine maps (
                .clk(clk), .rst(clear), .word_push(map_push && !hold), .word(map_word),
                .offer(source_offer && is_mapped), .offer_end(source_end), .ready(map_ready),
                .source(cmd_source), .pitch(cmd_source_pitch), .format(cmd_source_format), .units(cmd_units),
                .rows(cmd_rows), .sampling(cmd_sampling), .has_begun(map_begun),
                .is_walking(map_walks), .is_gathering(map_gathers),
                .source_quiet(s_quiet), .burst_valid(map_valid), .burst_ready(read_ready),
                .burst_address(map_address), .burst_bytes(map_bytes), .asked(!s_pending), .part_bytes(part_bytes),
                .beat_valid(s_valid && s_mapped), .beat_ready(m_takes), .beat_data(s_data), .beat_error(s_error),
                .out_valid(m_valid), .out_ready(p_ready), .out_data(m_data), .out_error(m_error), .out_end(m_end),
                .pair_push(pair_push), .pair(pair)
            );
        end else begin : no_maps
            assign {map_ready, map_begun, map_walks, map_gathers, map_valid} = 5'd0;
            assign {map_address, map_bytes, part_bytes} = 47'd0;
            assign {m_valid, m_data, m_error, m_end, m_takes, pair_push, pair} = 71'd0;
            wire unused = &{1'b0, cmd_sampling, map_push, map_word, s_quiet, s_mapped, 1'b0};
        end
        wire        palette_write;
        wire [7:0]  palette_index;
        wire [31:0] palette_colour;
        if (PALETTE != 0) begin : palette
            mover_palette load (
                .clk(clk), .rst(rst), .start(load_start), .source(load_source), .is_quiet(others_idle),
                .busy(load_busy), .done(load_done), .has_failed(load_has_failed), .is_loading(reads_palette),
                .burst_valid(palette_valid), .burst_ready(read_ready), .burst_address(palette_address),
                .beat_valid(s_valid), .beat_ready(palette_takes), .beat_data(s_data), .beat_error(s_error),
                .write(palette_write), .index(palette_index), .colour(palette_colour)
            );
        end else begin : no_palette
            assign {load_busy, load_done, load_has_failed, reads_palette, palette_valid, palette_takes} = 6'd0;
            assign {palette_address, palette_write, palette_index, palette_colour} = 70'd0;
            wire unused = &{1'b0, load_start, load_source, others_idle, 1'b0};
        end
        mover_pixels path (
            .clk               (clk),
            .rst               (rst),
            .hold              (hold),
            .drop              (drop),
            .command           (is_special && first_taken),
            .command_room      (params_room),
            .cmd_mode(cmd_mode), .cmd_source_format(source_format), .cmd_target_format(cmd_target_format),
            .cmd_premultiplied(cmd_premultiplied), .cmd_keyed(cmd_keyed), .cmd_coloured(cmd_coloured),
            .cmd_rop(cmd_rop), .cmd_key(cmd_key), .cmd_value(cmd_pattern), .cmd_target(cmd_target[2:0]),
            .cmd_target_pitch(cmd_target_pitch[2:0]), .cmd_row_bytes(cmd_row_bytes), .cmd_units(cmd_units),
            .cmd_rows(cmd_rows), .cmd_mask(cmd_mask), .cmd_mapped(is_mapped), .pair_push(pair_push), .pair(pair),
            .palette_write(palette_write), .palette_index(palette_index), .palette_colour(palette_colour),
            .burst_valid       (tb_valid && tb_reads && queue_ready),
            .burst_ready       (t_read_ready),
            .burst_address     (tb_address),
            .burst_beats       (tb_beats),
            .burst_last        (tb_last),
            .burst_lane        (target_first[2:0]),
            .burst_head        (tb_head),
            .burst_tail        (tb_tail),
            .burst_user        (cmd_user),
            .araddr(t_araddr), .arlen(t_arlen), .aruser(t_aruser), .arvalid(t_arvalid), .arready(t_arready),
            .rdata(t_rdata), .rresp(t_rresp), .rlast(t_rlast), .rvalid(t_rvalid),
            .idle              (t_idle),
            .fault_guard       (t_guard),
            .fault_address     (t_fault_address),
            .source_valid      (m_valid || (s_valid && s_special && !s_mapped && !reads_palette)),
            .source_ready      (p_ready),
            .source_data(m_valid ? m_data : s_data), .source_shift(s_shift & {3{!m_valid}}),
            .source_prime(s_prime && !m_valid), .source_flush(s_flush && !m_valid),
            .source_end(m_valid ? m_end : s_end), .source_error(m_valid ? m_error : s_error),
            .active            (active),
            .path_valid        (r_valid),
            .path_ready        (active && in_ready),
            .out_data(r_data), .out_mask(r_mask), .out_shift(r_shift), .out_flush(r_flush), .out_error(r_error)
        );

        wire [63:0] data = fill_active ? fill_data : active ? r_data : s_data;
        genvar lane;
        for (lane = 0; lane < 8; lane = lane + 1) begin : lanes
            assign in_data[9*lane +: 9]     = {!active || r_mask[lane] || fill_active, data[8*lane +: 8]};
            assign write_data[8*lane +: 8]  = out_data[9*lane +: 8];
            assign write_mask[lane]         = out_data[9*lane + 8];
        end
        assign in_valid = active ? r_valid : s_valid && !s_special;
        assign in_shift = active ? r_shift : s_shift;
        assign in_prime = active ? 1'b0 : s_prime;
        assign in_flush = active ? r_flush : s_flush;
        assign in_error = active ? r_error : {1'b0, s_error};
        assign s_ready  = reads_palette ? palette_takes : s_mapped ? m_takes
                        : s_special ? p_ready : !active && in_ready;
    end else begin : no_pixels
        assign in_data      = fill_active ? fill_data : s_data;
        assign in_valid     = s_valid;
        assign in_shift     = s_shift;
        assign in_prime     = s_prime;
        assign in_flush     = s_flush;
        assign in_error     = {1'b0, s_error};
        assign s_ready      = in_ready;
        assign write_data   = out_data;
        assign write_mask   = 8'hff;
        assign params_room  = 1'b1;
        assign t_read_ready = 1'b1;
        assign t_idle       = 1'b1;
        assign t_guard      = 1'b0;
        assign t_fault_address = 29'd0;
        assign {t_araddr, t_arlen, t_aruser, t_arvalid} = 42'd0;
        assign {map_ready, map_begun, map_walks, map_gathers, map_valid, map_address, map_bytes, part_bytes} = 52'd0;
        assign {load_busy, load_done, load_has_failed, reads_palette, palette_valid, palette_takes} = 6'd0;
        assign palette_address = 29'd0;
        wire unused = &{1'b0, load_start, load_source, others_idle, palette_takes,
                        t_arready, t_rdata, t_rresp, t_rlast, t_rvalid, s_special, s_end,
                        cmd_premultiplied, cmd_rop, cmd_source_format, cmd_target_format, cmd_mode, cmd_keyed,
                        cmd_coloured, cmd_key, cmd_units, cmd_sampling, map_push, map_word, s_quiet,
                        1'b0};
    end endgenerate
    assign t_arsize  = 3'd3;
    assign t_arburst = 2'd1;
    assign t_rready  = 1'b1;

    // ------------------------------------------------------------------ fill patterns, one per queued FILL
    // A pattern comes a cycle after its first burst was queued, long before its first beat.
    wire [1:0]  row_shift;
    reg         fill_is_threes;
    reg  [31:0] fill_pattern;
    always @(posedge clk) begin
        fill_taken <= first_taken && is_fill && !clear;
        {fill_is_threes, fill_pattern} <= {is_threes, cmd_pattern};
    end
    mover_fills #(.THREES(PIXELS != 0 && FORMATS != 0 ? 1 : 0)) fills (
        .clk(clk), .rst(clear), .full(fills_full),
        .push(fill_taken), .push_threes(fill_is_threes), .push_pattern(fill_pattern),
        .lane(target_first[2:0]), .is_head(tb_head), .lane_threes(is_threes), .row_shift(row_shift),
        .pop(fill_end && !drop), .shift(fill_shift), .is_threes(fill_threes), .data(fill_data)
    );

    // ------------------------------------------------------------------ write half
    mover_write #(
        .FILLS(FILLS), .REVERSE(REVERSE), .PIXELS(PIXELS), .LOG2_BURSTS(LOG2_BURSTS)
    ) write (
        .clk              (clk),
        .rst              (rst),
        .drop             (drop),
        .burst_valid      (tb_valid && (!tb_reads || t_read_ready)),
        .burst_ready      (queue_ready),
        .burst_address    (tb_address),
        .burst_beats      (tb_beats),
        .burst_first      (tb_first),
        .burst_last       (tb_last),
        .burst_bytes      (tb_bytes),
        .burst_user       (cmd_user),
        .burst_tag        (cmd_tag),
        .burst_void       (piece_void),
        .burst_end        (tb_tail && target_end),
        .burst_fill       (is_fill),
        .burst_fill_shift (row_shift),
        .burst_head       (tb_head),
        .burst_source_size(source_size),
        .burst_target_size(target_size),
        .burst_depth      (depth),
        .burst_bit        (source_bit),
        .burst_straddles  (is_special && !tb_tail),
        .burst_reverse    (is_reverse && !piece_void),
        .burst_chunk_end  (tb_tail && is_reverse && !piece_void),
        .burst_reads_target(tb_reads),
        .issued_bytes     (issued_bytes | part_bytes), // never both
        .chunk_arrived    (chunk_arrived),
        .target_issued    (t_arvalid && t_arready),
        .source_asked     ((!sb_valid || reads_mapped) && !s_pending && !map_walks),
        .data_coming      (s_rvalid || s_valid || out_valid),
        .beat_valid       (out_valid),
        .beat_ready       (out_ready),
        .beat_data        (write_data),
        .beat_mask        (write_mask),
        .beat_error       (out_error),
        .fill_threes      (fill_threes),
        .fill_active      (fill_active),
        .fill_shift       (fill_shift),
        .fill_end         (fill_end),
        .awaddr(w_awaddr), .awlen(w_awlen), .awuser(w_awuser), .awvalid(w_awvalid), .awready(w_awready),
        .wdata(w_wdata), .wstrb(w_wstrb), .wlast(w_wlast), .wvalid(w_wvalid), .wready(w_wready), .bresp(w_bresp),
        .bvalid(w_bvalid), .bready(w_bready),
        .source_guard     (s_guard),
        .source_address   (s_fault_address),
        .target_guard     (t_guard),
        .target_address   (t_fault_address),
        .done_valid(done_valid), .done_tag(done_tag), .done_fault(done_fault), .done_address(done_address),
        .accounts_even    (accounts_even),
        .waits_for_data   (stall_read),
        .is_stalled       (stall_write),
        .idle             (write_idle)
    );
    assign w_awsize  = 3'd3;
    assign w_awburst = 2'd1;

    assign drained     = write_idle && !tb_busy;
    assign others_idle = drained && !sb_busy && !started && s_idle && s_quiet && t_idle && !map_gathers;
    assign idle        = drained && !sb_busy && !started && s_idle && t_idle && !map_gathers && !load_busy;
    assign load_fault   = !load_has_failed ? FAULT_NONE[7:0] : s_guard ? FAULT_READ_GUARD[7:0] : FAULT_READ_BUS[7:0];
    assign load_address = {s_fault_address, 3'd0};
    assign stall_drain = !write_idle && !stall_read && !stall_write && !w_wvalid;
    wire unused_state  = &{1'b0, s_faulty, accounts_even, sb_first, cmd_mask, 1'b0};

`ifdef GPU_ASSERT
    always @(posedge clk)
        // The accounts of reads against writes are even when all is done.
        if (!rst && idle && !drop && !cmd_valid) assert (accounts_even);
    always @(posedge clk) if (!rst) assert (issued_bytes == 9'd0 || part_bytes == 9'd0);
    always @(posedge clk)
        if (!rst) assert (!(load_start || load_busy) || !(cmd_valid || hold || (load_busy && load_start)));
    // A cycle is counted as one thing: nothing else is awaited, and no beat offered, while only answers are missing.
    always @(posedge clk) if (!rst && stall_drain) assert (!write_idle && !stall_read && !stall_write && !w_wvalid);
`endif
endmodule

`default_nettype wire
