// SPDX-License-Identifier: Apache-2.0
//
// Examines a DMA buffer before it runs: one walk over its words in command RAM, with a table of its patch entries.
//
// It accepts the buffer if
//   - every packet is BIND, FILL_RECT, BLIT or NOP, complete, with no bit set outside its fields;
//   - each entry patches the address word of exactly one BIND, of its slot, and no other word;
//   - entries begin at packet boundaries, in order, none after its packet;
//   - a BIND's bytes are inside its entry's allocation;
//   - what draws name is bound, in place, writable where written; rectangles, modes, formats and work are legal.
// At anything else it stops and accepts nothing. The firmware then judges the buffer itself
// (firmware/validate/access.c, with the same rules). model/examiner_model.c is the same in C.
//
// Cost: 64 cycles to begin, at most 28 a packet from a memory that answers at once; examination.v's register
// may add one.
`default_nettype none
module examiner #(
    parameter PRESENT       = 1,  // 0: no unit; its registers read zero
    parameter COMMAND_WIDTH = 16, // bits of a byte offset in command RAM, 16 to 18
    parameter ENTRIES_LOG2  = 10  // of the entries that the table has room for, 5 to 12
) (
    input  wire        clk,
    input  wire        rst,

    // Block EXAMINE of gpu.def, the core's accesses only. The answer is combinational from reg_offset.
    input  wire        reg_write,
    input  wire        reg_read,
    input  wire [7:0]  reg_offset,
    input  wire [31:0] reg_wdata,
    output wire [31:0] reg_rdata,

    // Command RAM: see command_ram.v.
    output wire        fetch_req,
    input  wire        fetch_gnt,
    output wire [COMMAND_WIDTH-1:0] fetch_address,
    input  wire        fetch_rvalid,
    input  wire [31:0] fetch_rdata
);
`include "gpu_spec.vh"
generate if (PRESENT != 0) begin : unit
    localparam IDLE = 4'd0, CLEAR = 4'd1, NEXT = 4'd2, BEGIN = 4'd3, FETCH = 4'd4, BIND0 = 4'd5, BIND1 = 4'd6;
    localparam BIND2 = 4'd7, SURFACE0 = 4'd8, SURFACE1 = 4'd9, SURFACE2 = 4'd10, SURFACE3 = 4'd11, SURFACE4 = 4'd12;
    localparam SURFACE5 = 4'd13, AGAIN = 4'd14, DUE = 4'd15;
    localparam E = ENTRIES_LOG2, BASE_WIDTH = COMMAND_WIDTH - 2;
    localparam [31:0] TABLE_LOG2 = ENTRIES_LOG2;

    // ------------------------------------------------------------------ state
    reg  [3:0]  state;
    reg         accepted;
    reg  [E-1:0] index;         // of the registers
    reg  [29:0] place;
    reg  [E:0]  entries;
    reg  [BASE_WIDTH-1:0] base; // of the DMA buffer, in words
    reg  [13:0] words;
    reg  [13:0] position;       // of the packet under examination
    reg  [13:0] split_word;     // the latest split point so far
    reg  [E:0]  begun, matched; // entries that have begun; that a BIND has named
    reg  [13:0] next_split;     // where the entry after those begins, once it is known
    reg         next_known;
    reg  [29:0] work;           // bytes written so far
    reg  [5:0]  row_clear;
    wire        is_busy = state != IDLE;
    wire        starts  = reg_write && reg_offset == EXAMINE_START_OFFSET && !is_busy;

    // An entry: {slot, room, place}. A binding register: {bound, write, format, split word, entry, pitch, bytes}.
    reg  [60:0] entry;
    wire [13:0] entry_patch_word = entry[13:0];
    wire [13:0] entry_split_word = entry[27:14];
    wire        entry_unbinds    = entry[28];
    wire        entry_write      = entry[29];
    wire [24:0] entry_room       = entry[54:30];
    wire [5:0]  entry_slot       = entry[60:55];
    reg  [E+59:0] binding;
    wire        bound_is     = binding[E+59];
    wire        bound_write  = binding[E+58];
    wire [2:0]  bound_format = binding[E+57:E+55];
    wire [13:0] bound_split  = binding[E+54:E+41];
    wire [E-1:0] bound_entry = binding[E+40:41];
    wire [15:0] bound_pitch  = binding[40:25];
    wire [24:0] bound_bytes  = binding[24:0];
    reg  [16:0] result;         // of the entry that is bound, or at INDEX: {written, traffic}
    wire [16:0] result_sum;     // with what the draw adds
    reg         at_source;      // the source of a BLIT is looked at; then its target
    wire        binds;          // a BIND is accepted

    // ------------------------------------------------------------------ words of a packet
    // Until the first has come, four are asked for: no packet but NOP is shorter. None after the DMA buffer is.
    reg  [2:0]  asked, got;
    reg  [31:0] word0, word1, word2, word3, word4, word5;
    wire        fetches = state == NEXT || state == BEGIN || state == DUE || state == AGAIN || state == FETCH;
    wire        is_nop  = word0[7:0] == PKT_NOP;
    wire        is_bind = word0[7:0] == PKT_BIND;
    wire        is_fill = word0[7:0] == PKT_FILL_RECT;
    wire        is_blit = word0[7:0] == PKT_BLIT;
    wire [3:0]  length  = is_blit ? PKT_BLIT_WORDS : is_bind ? PKT_BIND_WORDS : is_fill ? PKT_FILL_RECT_WORDS
                        : PKT_NOP_WORDS;
    wire [2:0]  wanted  = got == 3'd0 ? 3'd4 : length[2:0];
    wire [13:0] behind  = position + {11'd0, asked};
    reg  [BASE_WIDTH-1:0] distance;
    always @(*) begin
        distance       = {BASE_WIDTH{1'b0}};
        distance[13:0] = behind;
    end
    wire [BASE_WIDTH-1:0] fetch_word = base + distance;
    assign fetch_req     = fetches && asked < wanted && behind != words;
    assign fetch_address = {fetch_word, 2'b00};
    wire        has_come = got != 3'd0 && got == asked && !fetch_req;
    wire        ends     = state == FETCH && has_come;
    wire        is_cut   = {1'b0, got} < length;
    always @(posedge clk) begin
        if (fetch_rvalid) begin
            case (got)
                3'd0:    word0 <= fetch_rdata;
                3'd1:    word1 <= fetch_rdata;
                3'd2:    word2 <= fetch_rdata;
                3'd3:    word3 <= fetch_rdata;
                3'd4:    word4 <= fetch_rdata;
                default: word5 <= fetch_rdata;
            endcase
        end
        got   <= fetches && !ends && !rst ? got + {2'd0, fetch_rvalid} : 3'd0;
        asked <= fetches && !ends && !rst ? asked + {2'd0, fetch_gnt} : 3'd0;
    end
    // What no field owns. Most words are owned whole, and cost nothing here.
    wire [31:0] owned0 = is_blit ? PKT_BLIT_MASK0 : is_fill ? PKT_FILL_RECT_MASK0 : is_bind ? PKT_BIND_MASK0
                       : PKT_NOP_MASK0;
    wire        is_spoiled = |(word0 & ~owned0)
        || (is_bind && |{word1 & ~PKT_BIND_MASK1, word2 & ~PKT_BIND_MASK2, word3 & ~PKT_BIND_MASK3})
        || (is_fill && |{word1 & ~PKT_FILL_RECT_MASK1, word2 & ~PKT_FILL_RECT_MASK2, word3 & ~PKT_FILL_RECT_MASK3})
        || (is_blit && |{word1 & ~PKT_BLIT_MASK1, word2 & ~PKT_BLIT_MASK2, word3 & ~PKT_BLIT_MASK3,
                         word4 & ~PKT_BLIT_MASK4, word5 & ~PKT_BLIT_MASK5});

    // ------------------------------------------------------------------ rows and binding registers
    // A row: {held, entry}.
    reg  [E:0]  rows [0:63];
    (* no_rw_check *)
    reg  [E+59:0] bindings [0:63];
    wire [5:0]  bind_slot   = word0[PKT_BIND_SLOT_LSB +: PKT_BIND_SLOT_WIDTH];
    wire [5:0]  draw_slot   = at_source ? word0[PKT_BLIT_SOURCE_LSB +: PKT_BLIT_SOURCE_WIDTH]
                                        : word0[PKT_BLIT_TARGET_LSB +: PKT_BLIT_TARGET_WIDTH];
    wire [4:0]  bind_format = word0[PKT_BIND_FORMAT_LSB +: PKT_BIND_FORMAT_WIDTH];
    reg         is_due, is_later;       // where the next entry begins: compared in BEGIN, used in DUE
    wire        begins      = state == DUE && begun != entries && is_due;
    always @(posedge clk) begin
        if (state == CLEAR)  rows[row_clear]  <= {(E+1){1'b0}};
        else if (begins)     rows[entry_slot] <= {1'b1, begun[E-1:0]};
        if (state == CLEAR)  bindings[row_clear] <= {(E+60){1'b0}};
        else if (binds)      bindings[bind_slot] <= {!entry_unbinds, entry_write, bind_format[2:0], entry_split_word,
                                                     word1[E-1:0], word2[15:0], word3[24:0]};
        binding <= bindings[draw_slot];
    end
    wire [E:0]  row     = rows[draw_slot];
    wire        is_held = row == {1'b1, bound_entry} || split_word == bound_split;

    // ------------------------------------------------------------------ what a BIND may name
    wire entry_matches = word1[31:E] == {(32-E){1'b0}} && {1'b0, word1[E-1:0]} < entries
                      && entry_patch_word == position + 14'd1 && entry_split_word <= position
                      && entry_slot == bind_slot && bind_format <= FORMAT_A8[4:0];
    wire fits = word3[31:25] == 7'd0 && word3[24:0] <= entry_room;
    reg  is_good;               // known in BIND1, used in BIND2
    always @(posedge clk) is_good <= entry_matches && (entry_unbinds || fits);
    assign binds = state == BIND2 && is_good;

    // ------------------------------------------------------------------ what a draw may touch
    // SURFACE0: row and register read   1: judged    2: last row * pitch   3: last byte; rows * bytes   4: work and
    // traffic   5: added
    wire [31:0] corner = at_source ? word2 : word1;      // BLIT: target X, Y are word 1, source X, Y word 2
    wire [31:0] extent = is_blit ? word3 : word2;        // width, height
    wire [16:0] right  = {1'b0, corner[15:0]} + {1'b0, extent[15:0]};
    wire [16:0] bottom = {1'b0, corner[31:16]} + {1'b0, extent[31:16]};
    wire        is_empty = extent[15:0] == 16'd0 || extent[31:16] == 16'd0;
    wire [1:0]  size;                                    // bytes of a unit, minus one
    pixel_size sizer (.format(bound_format), .size(size));
    reg  [16:0] factor1;
    reg  [17:0] factor2;
    reg  [34:0] product;
    reg  [18:0] reach;
    reg  [17:0] across;
    reg  [2:0]  source_format;
    reg  [26:0] units;
    wire [18:0] right_bytes, across_bytes;
    pixel_bytes to_right (.units(right), .size(size), .bytes(right_bytes));
    pixel_bytes of_row (.units({1'b0, extent[15:0]}), .size(size), .bytes(across_bytes));
    wire        unused = &{1'b0, across_bytes[18]};
    wire [35:0] last_byte = {1'b0, product} + {17'd0, reach};
    wire        leaves    = !is_empty && last_byte > {11'd0, bound_bytes};
    wire        is_judged = bound_is && (at_source || bound_write) && is_held;
    wire        is_illegal;
    reg         was_illegal;    // known in SURFACE2, used in SURFACE3
    always @(posedge clk) was_illegal <= is_illegal;
    node_blit_check legality (
        .is_blit(is_blit), .mode(word0[PKT_BLIT_MODE_LSB +: PKT_BLIT_MODE_WIDTH]),
        .is_reverse(word0[PKT_BLIT_REVERSE_LSB]), .is_keyed(word0[PKT_BLIT_KEYED_LSB]),
        .is_coloured(word0[PKT_BLIT_COLOURED_LSB]), .is_mapped(1'b0), .is_rounded(1'b0),
        .source_format({2'd0, source_format}), .target_format({2'd0, bound_format}), .is_illegal(is_illegal)
    );
    wire        reads_target = is_blit && word0[PKT_BLIT_MODE_LSB +: PKT_BLIT_MODE_WIDTH] != BLIT_COPY[2:0];
    wire [34:0] moved    = !at_source && reads_target ? {product[33:0], 1'b0} : product;
    wire [35:0] work_sum = {1'b0, product} + {6'd0, work};
    wire        overworks = product > {8'd0, bound_bytes, 2'b00} || work_sum > {4'd0, LIMIT_DMA_WORK_BYTES};
    wire [27:0] traffic  = {12'd0, result[15:0]} + {1'b0, units};
    assign result_sum = {result[16] || !at_source, |traffic[27:16] ? 16'hffff : traffic[15:0]};

    // ------------------------------------------------------------------ the entries and their results
    wire        writes_index = reg_write && reg_offset == EXAMINE_INDEX_OFFSET;
    wire        writes_entry = reg_write && reg_offset == EXAMINE_ENTRY_ROOM_OFFSET && !is_busy;
    wire        reads_result = reg_read && reg_offset == EXAMINE_RESULT_OFFSET;
    wire [E-1:0] index_next = writes_index ? reg_wdata[E-1:0]
                                           : index + {{(E-1){1'b0}}, writes_entry || reads_result};
    always @(posedge clk) begin
        if (rst) index <= {E{1'b0}};
        else     index <= index_next;
        if (reg_write && reg_offset == EXAMINE_ENTRY_PLACE_OFFSET)
            place <= {reg_wdata[EXAMINE_ENTRY_PLACE_WRITE_LSB], reg_wdata[EXAMINE_ENTRY_PLACE_UNBINDS_LSB],
                      reg_wdata[EXAMINE_ENTRY_PLACE_SPLIT_WORD_LSB +: EXAMINE_ENTRY_PLACE_SPLIT_WORD_WIDTH],
                      reg_wdata[EXAMINE_ENTRY_PLACE_PATCH_WORD_LSB +: EXAMINE_ENTRY_PLACE_PATCH_WORD_WIDTH]};
        if (reg_write && reg_offset == EXAMINE_ENTRIES_OFFSET && !is_busy) entries <= reg_wdata[E:0];
    end

    (* no_rw_check *) // never read in the cycle in which it is written
    reg  [60:0] table_of [0:(1<<E)-1];
    wire [E-1:0] entry_read = state == BIND0 || state == BIND1 ? word1[E-1:0] : begun[E-1:0];
    always @(posedge clk) begin
        if (writes_entry) table_of[index] <= {reg_wdata[31:26], reg_wdata[24:0], place};
        entry <= table_of[entry_read];
    end

    (* no_rw_check *)
    reg  [16:0] results [0:(1<<E)-1];
    wire        writes_result = state == SURFACE5;
    wire [E-1:0] result_write = writes_result ? bound_entry : index;
    wire [E-1:0] result_read  = is_busy ? bound_entry : index_next;
    always @(posedge clk) begin
        if (writes_result || writes_entry) results[result_write] <= writes_result ? result_sum : 17'd0;
        result <= results[result_read];
    end

    // ------------------------------------------------------------------ the walk
    always @(posedge clk) begin
        product <= factor1 * factor2;
        case (state)
            IDLE: if (starts) begin
                state      <= CLEAR;
                base       <= reg_wdata[EXAMINE_START_BASE_LSB +: BASE_WIDTH];
                words      <= reg_wdata[EXAMINE_START_WORDS_LSB +: EXAMINE_START_WORDS_WIDTH];
                position   <= 14'd0;
                split_word <= 14'd0;
                begun      <= {(E+1){1'b0}};
                matched    <= {(E+1){1'b0}};
                next_known <= 1'b0;
                work       <= 30'd0;
                row_clear  <= 6'd0;
                accepted   <= 1'b0;
            end
            CLEAR: begin
                row_clear <= row_clear + 6'd1;
                if (row_clear == 6'd63) state <= NEXT;
            end
            NEXT: if (position == words) begin
                accepted <= begun == entries && matched == entries;
                state    <= IDLE;
            end else begin
                state <= begun == entries || (next_known && next_split > position) ? FETCH : BEGIN;
            end
            // `entry` is the one after those that have begun, a cycle after `begun` has changed. Its compare has a
            // cycle of its own.
            BEGIN: begin
                is_due   <= entry_split_word == position;
                is_later <= entry_split_word > position;
                state    <= DUE;
            end
            DUE: if (begun == entries || is_later) begin
                next_split <= entry_split_word;
                next_known <= 1'b1;
                state      <= FETCH;
            end else if (begins) begin
                split_word <= position;
                begun      <= begun + 1'b1;
                state      <= AGAIN;
            end else state <= IDLE;
            AGAIN: state <= BEGIN;
            FETCH: if (ends) begin
                if (is_cut || is_spoiled) state <= IDLE;
                else if (is_nop) begin
                    position <= position + 14'd1;
                    state    <= NEXT;
                end else begin
                    at_source <= is_blit;
                    state     <= is_bind ? BIND0 : is_blit || is_fill ? SURFACE0 : IDLE;
                end
            end
            BIND0: state <= BIND1;
            BIND1: state <= BIND2;
            BIND2: begin
                if (binds) begin
                    matched  <= matched + 1'b1;
                    position <= position + {10'd0, PKT_BIND_WORDS};
                end
                state <= binds ? NEXT : IDLE;
            end
            SURFACE0: state <= SURFACE1;
            SURFACE1: begin
                factor1 <= bottom - 17'd1;
                factor2 <= {2'd0, bound_pitch};
                reach   <= right_bytes;
                across  <= across_bytes[17:0];
                if (at_source) source_format <= bound_format;
                state   <= is_judged ? SURFACE2 : IDLE;
            end
            SURFACE2: begin
                factor1 <= {1'b0, extent[31:16]};
                factor2 <= across;
                state   <= SURFACE3;
            end
            SURFACE3: state <= leaves || (!at_source && was_illegal) ? IDLE : SURFACE4;
            SURFACE4: begin
                units <= moved[34:8] + {26'd0, |moved[7:0]};
                if (!at_source) work <= work_sum[29:0];
                state <= !at_source && overworks ? IDLE : SURFACE5;
            end
            SURFACE5: begin
                at_source <= 1'b0;
                if (!at_source) position <= position + {10'd0, length};
                state <= at_source ? SURFACE0 : NEXT;
            end
            default: state <= IDLE;
        endcase
        if (rst) begin
            state    <= IDLE;
            accepted <= 1'b0;
            position <= 14'd0;
        end
    end

    // ------------------------------------------------------------------ registers
    reg [31:0] answer;
    always @(*) begin
        answer = 32'd0;
        if (reg_offset == EXAMINE_STATUS_OFFSET) begin
            answer[EXAMINE_STATUS_PRESENT_LSB]  = 1'b1;
            answer[EXAMINE_STATUS_BUSY_LSB]     = is_busy;
            answer[EXAMINE_STATUS_ACCEPTED_LSB] = accepted;
            answer[EXAMINE_STATUS_TABLE_LSB +: EXAMINE_STATUS_TABLE_WIDTH] = TABLE_LOG2[3:0];
            answer[EXAMINE_STATUS_POSITION_LSB +: EXAMINE_STATUS_POSITION_WIDTH] = position;
        end
        if (reg_offset == EXAMINE_RESULT_OFFSET)
            answer[16:0] = result;
    end
    assign reg_rdata = answer;

`ifdef GPU_ASSERT
    // ------------------------------------------------------------------ assertions
    // A packet under examination has words left; nothing after the DMA buffer is fetched; what comes was asked for.
    wire        in_packet = is_busy && state != CLEAR && state != NEXT;
    wire [14:0] fetched   = {1'b0, position} + {12'd0, asked};
    wire [14:0] whole     = {1'b0, position} + {11'd0, length};
    always @(posedge clk) if (!rst) begin
        assert (!is_busy || position <= words);
        assert (!in_packet || position < words);
        assert (!fetches || fetched <= {1'b0, words});
        assert (!fetch_req || behind < words);
        assert (got <= asked && asked <= 3'd6);
        assert (state == IDLE || asked == 3'd0 || (fetches && in_packet));
        assert (!(fetch_rvalid && fetches) || got < asked);
        assert (!is_busy || begun <= entries);
        assert (!in_packet || fetches || whole <= {1'b0, words});
        assert (!in_packet || fetches || (state <= BIND2 ? is_bind : is_fill || is_blit));
    end
`ifdef FORMAL
    // tests/formal/memory/examiner_formal.v: a memory that grants every word at once ends a walk. In 28
    // cycles it is a packet further, or an entry, or it has stopped.
    reg  [4:0] still;
    wire [4:0] fetches_done = {2'd0, asked} + {2'd0, got};
    wire [3:0] step         = state - SURFACE0;
    always @(posedge clk)
        if (rst || !is_busy || state == CLEAR || state == NEXT || begins) still <= 5'd0;
        else still <= still + 5'd1;
    always @(posedge clk) if (!rst && is_busy) begin
        if (fetches) assert (asked == got + {2'd0, fetch_rvalid} && (!in_packet || still <= fetches_done + 5'd3));
        else if (in_packet)
            assert (still <= 5'd16 + (state <= BIND2 ? 5'd2 : {1'b0, step} + (at_source ? 5'd0 : 5'd6)));
        assert (state != AGAIN || still == 5'd0);
        assert ((state != BEGIN || still <= 5'd1) && (state != DUE || still <= 5'd2));
    end
`endif
`endif
end else begin : none
    assign reg_rdata     = 32'd0;
    assign fetch_req     = 1'b0;
    assign fetch_address = {COMMAND_WIDTH{1'b0}};
    wire unused = &{1'b0, clk, rst, reg_write, reg_read, reg_offset, reg_wdata, fetch_gnt, fetch_rvalid, fetch_rdata};
end endgenerate
endmodule
`default_nettype wire
