// SPDX-License-Identifier: Apache-2.0
//
// Executes packets in order. States:
//   NEXT    looks at the packet offered, and does what needs this cycle only (NOP, FENCE, BIND, RUN) or only a free
//           mover (COPY, FILL, COPY_2D, TILE, TOUCH write)
//   LOCATE  draws: node_locate.v turns slots and rectangles into addresses; the mover gets the words of a BLIT_AFFINE
//   DRAW    ... and issues them
//   HEAD    GUARD, MAP, UNMAP, TOUCH read, PALETTE, page lists: waits until everything before is done, then
//           node_actions.v does it
//   WAIT    WAIT_FENCE
//   FAULT   a packet is illegal: waits until everything before is done, then halts
//   STOP    a packet failed in memory: stops the mover, then halts
//   HALT    until RESET
//   RESET   stops the mover, unbinds all slots, forgets the palette, starts again at TAIL. Grants stay: GUARD sets them
// Every packet issued enters node_retire.v, which completes packets in order.
`default_nettype none

module node_execute #(
    parameter NODE           = 0,
    parameter COMMAND_BYTES  = 65536,
    parameter COMMAND_WIDTH  = 16,
    parameter APERTURE_PAGES = 1024
) (
    input  wire         clk,
    input  wire         rst,

    // Control: `stop` holds back ring packets (PAUSE, not ENABLE); `reset` is a level until reset_done.
    input  wire         stop,
    input  wire         reset,
    output wire         reset_done,
    input  wire [31:0]  tail,
    output wire         fetch_enable,
    output wire         in_run,         // a RUN has been started and its last packet not issued
    output wire         is_quiet,       // nothing issued is unfinished, and no packet is being worked on
    output wire         is_waiting,     // in WAIT_FENCE
    output wire         is_draining,    // waits for everything before to be done
    output wire         is_halted,
    output wire         is_starved,     // nothing to do because no packet is there

    // The packet; see node_packet.v.
    input  wire         packet_valid,
    output wire         packet_ready,
    input  wire [191:0] packet,
    input  wire [3:0]   packet_words,
    input  wire [COMMAND_WIDTH-1:0] packet_offset,
    input  wire         packet_in_run,
    input  wire         packet_run_last,
    input  wire         packet_truncated,
    output reg  [2:0]   rest_index,
    input  wire [31:0]  rest_word,

    // Restart of the fetch; see node_fetch.v.
    output wire         restart,
    output wire [COMMAND_WIDTH-2:0] restart_words,
    output wire [COMMAND_WIDTH-1:0] restart_offset,
    output wire [31:0]  restart_index,

    // Completion; see node_retire.v.
    output reg          put_valid,
    input  wire         put_ready,
    output reg  [1:0]   put_kind,
    output wire         put_opens_run,
    output wire         put_ends_run,
    output wire         put_interrupt,
    output wire [3:0]   put_ring_words,
    output wire [COMMAND_WIDTH-1:0] put_offset,
    output wire [31:0]  put_word,
    output wire [7:0]   put_opcode,
    input  wire         retire_empty,
    input  wire         execute_at_head,
    output wire         execute_done,
    input  wire         failed,
    input  wire [7:0]   failed_code,
    input  wire [31:0]  failed_address,
    input  wire [COMMAND_WIDTH-1:0] head_offset,
    input  wire [31:0]  head_word,
    output wire         clear,           // pulse at the end of RESET

    // Error registers: written once per halt; `halts` is a pulse.
    output wire         halts,
    output reg  [7:0]   error,
    output reg  [31:0]  error_address,
    output reg  [COMMAND_WIDTH-1:0] error_packet,
    output reg  [31:0]  error_word,

    input  wire [31:0]  other_fence,

    // What is carried out at the head of the queue; see node_actions.v.
    output wire         act_start,
    output wire         act_cancel,
    input  wire         acting,
    input  wire         act_is_firm,
    input  wire         act_done,
    input  wire         act_has_failed,
    input  wire [7:0]   act_failed_code,
    input  wire [31:0]  act_failed_address,

    // Mover; see mover.v. One command of the mover per KIND_MOVER packet.
    output wire         mover_abort,
    input  wire         mover_idle,     // as it was a cycle ago
    output wire         cmd_valid,
    input  wire         cmd_ready,
    output wire [3:0]   cmd_op,
    output wire [31:0]  cmd_source,
    output wire [31:0]  cmd_target,
    output wire [31:0]  cmd_row_bytes,
    output wire [15:0]  cmd_rows,
    output wire [15:0]  cmd_source_pitch,
    output wire [15:0]  cmd_target_pitch,
    output wire         cmd_reverse,
    output wire         cmd_barrier,
    output wire [31:0]  cmd_pattern,
    output wire [2:0]   cmd_mode,
    output wire [2:0]   cmd_source_format,
    output wire [2:0]   cmd_target_format,
    output wire [7:0]   cmd_mask,
    output wire         cmd_premultiplied,
    output wire         cmd_keyed,
    output wire         cmd_coloured,
    output wire [7:0]   cmd_rop,
    output wire [23:0]  cmd_key,
    output wire [15:0]  cmd_units,
    output wire         cmd_user,
    output wire         cmd_mapped,
    output wire [2:0]   cmd_sampling,
    output wire         affine_push     // rest_word is the next word of a map
);
`include "gpu_spec.vh"
`include "config.vh"
    // How a packet becomes done; the same numbers in node_retire.v and node_execute.v.
    localparam [1:0] KIND_PLAIN   = 2'd0; // when issued
    localparam [1:0] KIND_MOVER   = 2'd1; // with the next completion of the mover
    localparam [1:0] KIND_EXECUTE = 2'd2; // with execute_done
    localparam [1:0] KIND_FENCE   = 2'd3; // when issued; sets FENCE
    localparam [3:0] S_NEXT   = 4'd0;
    localparam [3:0] S_LOCATE = 4'd1;
    localparam [3:0] S_DRAW   = 4'd2;
    localparam [3:0] S_HEAD   = 4'd3;
    localparam [3:0] S_WAIT   = 4'd4;
    localparam [3:0] S_FAULT  = 4'd5;
    localparam [3:0] S_STOP   = 4'd6;
    localparam [3:0] S_HALT   = 4'd7;
    localparam [3:0] S_RESET  = 4'd8;
    reg [3:0] state;

    // ------------------------------------------------------------------ the packet
    wire [31:0] word0  = packet[31:0];
    wire [31:0] word1  = packet[63:32];
    wire [31:0] word2  = packet[95:64];
    wire [7:0]  opcode = word0[7:0];
    reg         run_privileged;
    wire [7:0]  found_fault;
    wire        finds_nothing;
    node_check #(
        .NODE(NODE), .COMMAND_BYTES(COMMAND_BYTES), .APERTURE_PAGES(APERTURE_PAGES)
    ) check (
        .packet       (packet),
        .in_run       (packet_in_run),
        .privileged   (run_privileged),
        .truncated    (packet_truncated),
        .fault        (found_fault),
        .does_nothing (finds_nothing)
    );
    wire is_touch = opcode == PKT_TOUCH;
    wire is_list  = NODE == 1 && (opcode == PKT_COPY_LIST || opcode == PKT_MAP_LIST);
    wire is_palette = PALETTE != 0 && NODE == 0 && opcode == PKT_PALETTE;

    // What is to be done with it: a fault, nothing, or one of these.
    localparam TO_MOVE = 0, TO_DRAW = 1, TO_EXECUTE = 2, TO_WAIT = 3, TO_FENCE = 4, TO_BIND = 5, TO_RUN = 6,
               TO_SKIP = 7;
    wire [7:0] opcode_is;
    assign opcode_is[TO_MOVE]    = opcode == PKT_COPY || opcode == PKT_FILL || opcode == PKT_COPY_2D
                                || opcode == PKT_TILE || (is_touch && word0[PKT_TOUCH_WRITE_LSB]);
    assign opcode_is[TO_DRAW]    = opcode == PKT_FILL_RECT || opcode == PKT_BLIT
                                || (MAPS != 0 && NODE == 0 && opcode == PKT_BLIT_AFFINE);
    assign opcode_is[TO_EXECUTE] = opcode == PKT_GUARD || opcode == PKT_MAP || opcode == PKT_UNMAP || is_list
                                || is_palette
                                || (is_touch && !word0[PKT_TOUCH_WRITE_LSB]);
    assign opcode_is[TO_WAIT]    = opcode == PKT_WAIT_FENCE;
    assign opcode_is[TO_FENCE]   = opcode == PKT_FENCE;
    assign opcode_is[TO_BIND]    = opcode == PKT_BIND;
    assign opcode_is[TO_RUN]     = opcode == PKT_RUN;
    assign opcode_is[TO_SKIP]    = 1'b0;
    wire       finds_fault = found_fault != FAULT_NONE[7:0];
    wire       finds_plain = finds_nothing && !opcode_is[TO_DRAW];  // a rectangle that is empty is located all the same
    wire [7:0] finds_to_do = finds_fault ? 8'd0 : finds_plain ? 8'd1 << TO_SKIP : opcode_is;

    // What the check found stands in registers, from a packet's second cycle on.
    reg         checked;
    reg  [7:0]  packet_fault;
    reg         does_nothing, is_legal;
    reg  [7:0]  to_do;
    always @(posedge clk) begin
        checked <= !rst && packet_valid && !packet_ready;
        {does_nothing, is_legal, packet_fault, to_do} <= {finds_nothing, !finds_fault, found_fault, finds_to_do};
    end

    // ------------------------------------------------------------------ slots and rectangles
    wire        binds, is_unbound, locates, located, draw_illegal;
    reg         has_palette;            // see below
    wire [31:0] target_address, source_address;
    wire [15:0] target_pitch, source_pitch;
    wire [2:0]  target_format, source_format;
    wire [7:0]  source_mask;
    wire [17:0] row_bytes;
    node_locate #(
        .NODE(NODE)
    ) rectangles (
        .clk            (clk),
        .rst            (rst),
        .unbind_all     (clear),
        .has_palette    (has_palette),
        .filtered       (packet[32*PKT_BLIT_AFFINE_BILINEAR_WORD + PKT_BLIT_AFFINE_BILINEAR_LSB]),
        .packet         (packet[127:0]),
        .source_area    (rest_word),
        .binds          (binds),
        .is_unbound     (is_unbound),
        .start          (locates),
        .locating       (state == S_LOCATE),
        .done           (located),
        .is_illegal     (draw_illegal),
        .target_address (target_address),
        .target_pitch   (target_pitch),
        .target_format  (target_format),
        .row_bytes      (row_bytes),
        .source_address (source_address),
        .source_pitch   (source_pitch),
        .source_format  (source_format),
        .source_mask    (source_mask)
    );

    // ------------------------------------------------------------------ the words of a map
    // Seven, from the last on, while the target's rectangle is located; then word 6 stands, for the source's. Where the
    // draw turns out to be illegal the mover forgets them in the RESET that has to follow.
    reg rest_given;
    always @(posedge clk)
        if (state != S_LOCATE) begin
            rest_index <= 3'd6;
            rest_given <= 1'b0;
        end else if (rest_index != 3'd0) rest_index <= rest_index - 3'd1;
        else                             rest_given <= 1'b1;
    assign affine_push = cmd_mapped && state == S_LOCATE && !does_nothing && !rest_given;

    // ------------------------------------------------------------------ what happens in this cycle
    // A command offered to the mover stays offered, whatever `stop` says; so does one that fails or is reset in
    // this very cycle, since the abort comes in the next.
    reg  committed;
    // In the queue of completion. Packets are put two cycles apart at least, so the room of the cycle before is still
    // there.
    reg  has_room;
    always @(posedge clk) has_room <= put_ready;
    wire looks      = state == S_NEXT && packet_valid && checked && (packet_in_run || !stop || committed) && has_room;
    reg  released;   // a WAIT_FENCE has been passed but is not at the head yet
    wire issues_move = looks && to_do[TO_MOVE];
    wire issues_draw = state == S_DRAW && has_room && !draw_illegal && !does_nothing;
    wire skips_draw  = state == S_DRAW && has_room && !draw_illegal && does_nothing;
    wire runs       = looks && to_do[TO_RUN];
    wire has_turn   = !released; // for packets of KIND_EXECUTE: at most one in the queue
    wire waits      = looks && to_do[TO_WAIT] && has_turn;
    wire queues     = looks && to_do[TO_EXECUTE] && has_turn;
    wire [31:0] other_minus = other_fence - word1;
    wire reached    = !other_minus[31];
    wire passes     = state == S_WAIT && reached;
    assign act_start = state == S_HEAD && execute_at_head && !acting;
    wire finishes   = act_done && !act_has_failed;
    wire act_fails  = act_done && act_has_failed;
    wire fails      = failed && state != S_STOP && state != S_HALT && state != S_RESET;
    wire refuses    = state == S_FAULT && retire_empty;
    assign locates  = looks && to_do[TO_DRAW] && !is_unbound;
    assign binds    = looks && to_do[TO_BIND];
    assign cmd_valid = issues_move || issues_draw;

    always @(*) begin
        put_valid = 1'b0;
        put_kind  = KIND_PLAIN;
        if (cmd_valid) begin
            put_valid = cmd_ready;
            put_kind  = KIND_MOVER;
        end else if (waits || queues) begin
            put_valid = 1'b1;
            put_kind  = KIND_EXECUTE;
        end else if (looks && to_do[TO_FENCE]) begin
            put_valid = 1'b1;
            put_kind  = KIND_FENCE;
        end else if (looks && (to_do[TO_SKIP] || to_do[TO_BIND] || to_do[TO_RUN]))
            put_valid = 1'b1;
        else if (skips_draw)
            put_valid = 1'b1;
    end
    assign put_opens_run  = runs;
    assign put_ends_run   = packet_in_run && packet_run_last;
    assign put_interrupt  = word0[PKT_FENCE_INTERRUPT_LSB];
    assign put_ring_words = runs ? 4'd0 : !packet_in_run ? packet_words
                          : packet_run_last ? PKT_RUN_WORDS : 4'd0;
    assign put_offset     = packet_offset;
    assign put_word       = opcode == PKT_FENCE ? word1 : word0;
    assign put_opcode     = opcode;
    assign execute_done   = released || finishes;

    // The packet is finished with here: issued, or carried out.
    assign packet_ready = (put_valid && put_kind != KIND_EXECUTE) || passes || finishes;

    // ------------------------------------------------------------------ the palette
    // It is of the RUN that loaded it, whose context it is; no draw can use what the table holds afterwards.
    always @(posedge clk)
        if (rst || clear || runs)        has_palette <= 1'b0;
        else if (finishes && is_palette) has_palette <= 1'b1;

    // ------------------------------------------------------------------ the ring and RUN
    reg         run_active;
    reg  [31:0] index;       // ring words taken for execution
    reg         was_parked;
    wire        parked = stop && is_quiet && !run_active; // drop what was fetched: the ring may change now
    wire        park   = parked && !was_parked;
    wire        ends   = packet_ready && packet_in_run && packet_run_last;
    always @(posedge clk) begin
        was_parked <= parked;
        if (packet_ready && !packet_in_run) index <= index + {28'd0, packet_words};
        if (runs) begin
            run_active     <= 1'b1;
            run_privileged <= word0[PKT_RUN_PRIVILEGED_LSB];
        end else if (ends)
            run_active <= 1'b0;
        if (clear) begin
            index      <= tail;
            run_active <= 1'b0;
        end
        if (rst) begin
            index      <= 32'd0;
            run_active <= 1'b0;
            was_parked <= 1'b0;
        end
    end
    // The fetch hears of a RUN a cycle after it: no packet is offered in that cycle, and the registers of
    // the one that was still hold its words.
    reg  run_starts;
    always @(posedge clk) run_starts <= runs && !rst;
    assign restart_index  = clear ? tail : index;
    assign restart        = run_starts || park || clear;
    assign restart_words  = run_starts ? word2[COMMAND_WIDTH:2] : {(COMMAND_WIDTH-1){1'b0}};
    assign restart_offset = word1[COMMAND_WIDTH-1:0];
    assign fetch_enable   = (run_active || !stop) && state != S_RESET && state != S_HALT;
    assign in_run         = run_active;

    // ------------------------------------------------------------------ states
    reg  [7:0] fault;
    reg  [1:0] settle;   // cycles the abort has stood
    always @(posedge clk) begin
        if (released && execute_at_head) released <= 1'b0;
        committed <= cmd_valid && !cmd_ready;
        settle <= mover_abort ? {settle[0], 1'b1} : 2'b00;
        case (state)
            S_NEXT:
                if (looks && !is_legal) begin
                    fault <= packet_fault;
                    state <= S_FAULT;
                end else if (looks && to_do[TO_DRAW]) begin
                    fault <= FAULT_UNBOUND[7:0];
                    state <= is_unbound ? S_FAULT : S_LOCATE;
                end else if (queues) state <= S_HEAD;
                else if (waits)      state <= S_WAIT;
            S_LOCATE: if (located) state <= S_DRAW;
            S_DRAW:
                if (draw_illegal) begin
                    fault <= FAULT_BAD_OPERAND[7:0];
                    state <= S_FAULT;
                end else if (put_valid) state <= S_NEXT;
            S_HEAD: if (act_done) state <= act_fails ? S_STOP : S_NEXT;
            S_WAIT:
                if (reached) begin
                    released <= 1'b1;
                    state    <= S_NEXT;
                end
            S_FAULT: if (refuses) state <= S_HALT;
            S_STOP:  if (mover_idle && settle[1]) state <= S_HALT;
            S_HALT:  ;
            S_RESET: if (clear) state <= S_NEXT;
            default: state <= S_HALT;
        endcase
        if (fails) state <= S_STOP;
        if (act_cancel) begin
            state    <= S_RESET;
            released <= 1'b0;
        end
        if (rst) begin
            state     <= S_NEXT;
            released  <= 1'b0;
            committed <= 1'b0;
            settle    <= 2'b00;
        end
    end
    // An action that starts or is under way ends first, but a walk of a page list is cut short.
    assign act_cancel  = reset && state != S_RESET && !act_start && !act_is_firm;
    assign mover_abort = state == S_STOP || state == S_RESET;
    assign clear       = state == S_RESET && mover_idle && settle[1];
    assign reset_done  = clear;

    // ------------------------------------------------------------------ errors and status
    assign halts = !reset && (refuses || (state == S_STOP && mover_idle && settle[1]));
    always @(posedge clk) begin
        if (fails) begin
            error         <= failed_code;
            error_address <= failed_address;
            error_packet  <= head_offset;
            error_word    <= head_word;
        end else if (act_fails) begin
            error         <= act_failed_code;
            error_address <= act_failed_address;
            error_packet  <= packet_offset;
            error_word    <= word0;
        end else if (refuses) begin
            error         <= fault;
            error_address <= 32'd0;
            error_packet  <= packet_offset;
            error_word    <= word0;
        end
        if (rst || clear) begin
            error         <= FAULT_NONE[7:0];
            error_address <= 32'd0;
            error_packet  <= {COMMAND_WIDTH{1'b0}};
            error_word    <= 32'd0;
        end
    end
    assign is_quiet    = state == S_NEXT && retire_empty && mover_idle; // then nothing is committed: grants_node.v
    assign is_waiting  = state == S_WAIT;
    assign is_draining = (state == S_HEAD && !acting) || state == S_FAULT;
    assign is_halted   = state == S_HALT;
    assign is_starved  = state == S_NEXT && !packet_valid && retire_empty;

    // ------------------------------------------------------------------ mover command
    node_command #(.NODE(NODE)) command (
        .clk               (clk),
        .packet            (packet),
        .is_draw           (state == S_DRAW),
        .target_address    (target_address),
        .target_pitch      (target_pitch),
        .target_format     (target_format),
        .source_address    (source_address),
        .source_pitch      (source_pitch),
        .source_format     (source_format),
        .source_mask       (source_mask),
        .row_bytes         (row_bytes),
        .cmd_op            (cmd_op),
        .cmd_source        (cmd_source),
        .cmd_target        (cmd_target),
        .cmd_row_bytes     (cmd_row_bytes),
        .cmd_rows          (cmd_rows),
        .cmd_source_pitch  (cmd_source_pitch),
        .cmd_target_pitch  (cmd_target_pitch),
        .cmd_reverse       (cmd_reverse),
        .cmd_barrier       (command_barrier),
        .cmd_pattern       (cmd_pattern),
        .cmd_mode          (cmd_mode),
        .cmd_source_format (cmd_source_format),
        .cmd_target_format (cmd_target_format),
        .cmd_mask          (cmd_mask),
        .cmd_premultiplied (cmd_premultiplied),
        .cmd_keyed         (cmd_keyed),
        .cmd_coloured      (cmd_coloured),
        .cmd_rop           (cmd_rop),
        .cmd_key           (cmd_key),
        .cmd_units         (cmd_units),
        .cmd_mapped        (cmd_mapped),
        .cmd_sampling      (cmd_sampling)
    );
    assign cmd_user = packet_in_run && !run_privileged;

    // A FENCE is a barrier too: what follows it sees all memory effects before it. So does what begins at the head.
    wire command_barrier;
    reg  after_fence;
    assign cmd_barrier = command_barrier || after_fence;
    always @(posedge clk)
        if (rst || clear || act_start || (cmd_valid && cmd_ready)) after_fence <= 1'b0;
        else if (put_valid && put_kind == KIND_FENCE) after_fence <= 1'b1;

    wire unused = &{1'b0, word2, other_minus[30:0], 1'b0};

`ifdef GPU_ASSERT
    // A RUN leaves no packet offered after it before its own words come.
    always @(posedge clk) if (!rst) assert (!run_starts || !packet_valid);
    // Nothing is put where there is no room, by what was known of it a cycle ago.
    always @(posedge clk) if (!rst) assert (!put_valid || put_ready);
    // execute_done speaks of one packet: none is put after a WAIT_FENCE that was passed and is still in the queue.
    always @(posedge clk) if (!rst) assert (!released || !put_valid || put_kind != KIND_EXECUTE);
`endif
endmodule

`default_nettype wire
