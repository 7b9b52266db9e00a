// SPDX-License-Identifier: Apache-2.0
//
// Walks a page list for COPY_LIST and MAP_LIST. It reads each of the host's entries once, four at a time, and checks
// it against the host's bound. It gives the mover one copy a page, or the aperture one entry.
//
//   memory -> block of four entries -> the entry at hand -> copy command, or aperture entry
//             (16 aligned bytes)       (checked)
//
// Of a block only the list's entries are used. An entry that is not a page of the host, or cannot be read, ends the
// walk when every page before it is complete; later pages are untouched. A copy that fails ends it, too, and is
// reported, because it comes before the entry at hand.
`default_nettype none

module node_list #(
    parameter DATA_WIDTH = 64
) (
    input  wire                  clk,
    input  wire                  rst,

    // `start` is a pulse; what describes the walk stays from then until it is over.
    input  wire                  start,
    input  wire                  is_copy,     // else pages of the aperture
    input  wire                  to_system,
    input  wire [31:0]           place,       // first local byte; of the aperture the first page, 15:0
    input  wire [31:0]           extent,      // bytes; of the aperture pages, 15:0
    input  wire [31:0]           first,       // address of the first entry
    input  wire [19:0]           bound,       // the host's pages are below it
    // The walk is over: a pulse with its outcome. Of FAULT_BAD_PAGE the address is the entry's index in the list.
    output wire                  done,
    output wire                  has_failed,
    output reg  [7:0]            failed_code,
    output reg  [31:0]           failed_address,
    // Level: forget the walk. What was asked of memory or of the aperture is waited for; then it is idle.
    input  wire                  forget,
    output wire                  idle,

    // Reads of the list. Only its own bursts are answered here.
    output wire [31:0]           araddr,
    output wire [7:0]            arlen,
    output wire                  arvalid,
    input  wire                  arready,
    input  wire [DATA_WIDTH-1:0] rdata,
    input  wire [1:0]            rresp,
    input  wire                  rlast,
    input  wire                  rvalid,

    // Copies, for mover.v, and their completions.
    output wire                  cmd_valid,
    input  wire                  cmd_ready,
    output wire [31:0]           cmd_source,
    output wire [31:0]           cmd_target,
    output wire [12:0]           cmd_bytes,
    input  wire                  moved_valid,
    input  wire [7:0]            moved_fault,
    input  wire [31:0]           moved_address,

    // Entries of the aperture, one at a time; see node.v.
    output wire                  map_valid,
    input  wire                  map_ready,
    output wire [15:0]           map_first,
    output wire [19:0]           map_frame
);
`include "gpu_spec.vh"
    localparam ENTRIES      = 4;                         // of a block
    localparam BEATS        = ENTRIES * 32 / DATA_WIDTH; // 4, 2 or 1
    localparam BEAT_ENTRIES = DATA_WIDTH / 32;
    localparam [2:0] S_IDLE  = 3'd0;
    localparam [2:0] S_NEXT  = 3'd1; // takes the next entry, if there is one and its block is here
    localparam [2:0] S_ASK   = 3'd2; // asks for its block
    localparam [2:0] S_READ  = 3'd3;
    localparam [2:0] S_USE   = 3'd4; // checks the entry and uses it
    localparam [2:0] S_DRAIN = 3'd5; // until every copy is complete
    reg [2:0] state;

    // ------------------------------------------------------------------ where the walk is
    reg  [19:0] index;       // of the entry at hand
    reg         has_rest;    // the last entry, for less than a page, has been used
    wire [19:0] whole_pages = is_copy ? extent[31:12] : {4'd0, extent[15:0]};
    wire [11:0] rest        = is_copy ? extent[11:0] : 12'd0;
    wire        is_rest     = index == whole_pages;
    wire        is_over     = has_rest || (is_rest && rest == 12'd0);
    wire [29:0] entry_word  = first[31:2] + {10'd0, index};

    // ------------------------------------------------------------------ the block
    // Of an entry: its beat came with an error; it is past 2 GiB; the page number.
    wire [83:0] block;
    reg         has_block;
    reg  [1:0]  beat;
    wire        comes = state == S_READ && rvalid;
    genvar e;
    generate for (e = 0; e < ENTRIES; e = e + 1) begin : entries
        localparam BEAT = e / BEAT_ENTRIES;
        wire [31:0] word = rdata[32*(e % BEAT_ENTRIES) +: 32];
        reg  [20:0] held;
        always @(posedge clk)
            if (comes && beat == BEAT[1:0]) held <= {rresp != 2'b00, word[31:19] != 13'd0, word[18:0]};
        assign block[21*e +: 21] = held;
    end endgenerate
    localparam LAST_BEAT = BEATS - 1;
    assign araddr  = {entry_word[29:2], 4'd0};
    assign arlen   = LAST_BEAT[7:0];
    assign arvalid = state == S_ASK;

    // ------------------------------------------------------------------ the entry at hand
    reg  [20:0] entry;
    wire        is_unread = entry[20];
    wire        is_bad    = entry[19] || {1'b0, entry[18:0]} >= bound;
    reg         copy_failed, entry_failed;
    reg  [3:0]  moving;      // copies not complete
    wire        is_sound  = state == S_USE && !is_unread && !is_bad;
    wire        is_used   = is_copy ? cmd_valid && cmd_ready : map_valid && map_ready;

    wire [31:0] local_page  = {place[31:12] + index, place[11:0]};
    wire [31:0] system_page = {1'b1, entry[18:0], 12'd0}; // from LIMIT_ADDR_SYSTEM on
    assign cmd_source = to_system ? local_page : system_page;
    assign cmd_target = to_system ? system_page : local_page;
    assign cmd_bytes  = is_rest ? {1'b0, rest} : LIMIT_PAGE_BYTES[12:0];
    assign cmd_valid  = is_sound && is_copy && !copy_failed && moving != 4'd15 && !forget;
    assign map_valid  = is_sound && !is_copy;
    assign map_first  = place[15:0] + index[15:0];
    assign map_frame  = {1'b0, entry[18:0]};

    // ------------------------------------------------------------------ the walk
    always @(posedge clk) begin
        if (comes) beat <= beat + 2'd1;
        case (state)
            S_IDLE: begin
                index     <= 20'd0;
                has_rest  <= 1'b0;
                has_block <= 1'b0;
                if (start) state <= S_NEXT;
            end
            S_NEXT: begin
                case (entry_word[1:0])
                    2'd0:    entry <= block[20:0];
                    2'd1:    entry <= block[41:21];
                    2'd2:    entry <= block[62:42];
                    default: entry <= block[83:63];
                endcase
                state <= forget ? S_IDLE : is_over ? S_DRAIN : has_block ? S_USE : S_ASK;
            end
            S_ASK: begin
                beat <= 2'd0;
                if (arready) state <= S_READ;
            end
            S_READ: begin
                has_block <= 1'b1;
                if (rvalid && rlast) state <= S_NEXT;
            end
            S_USE:
                if (is_used) begin
                    index     <= index + 20'd1;
                    has_rest  <= is_rest;
                    has_block <= entry_word[1:0] != 2'd3;
                    state     <= S_NEXT;
                end else if (is_unread || is_bad || copy_failed) state <= S_DRAIN;
                else if (forget && is_copy)                       state <= S_IDLE;
            S_DRAIN: if (forget || moving == 4'd0) state <= S_IDLE;
            default: state <= S_IDLE;
        endcase
        if (rst) state <= S_IDLE;
    end
    assign done = state == S_DRAIN && moving == 4'd0 && !forget;
    assign idle = state == S_IDLE;

    // ------------------------------------------------------------------ how it goes
    wire moves = cmd_valid && cmd_ready;
    wire fails = moved_valid && moved_fault != FAULT_NONE[7:0] && !copy_failed;
    always @(posedge clk) begin
        if (moves && !moved_valid) moving <= moving + 4'd1;
        if (moved_valid && !moves) moving <= moving - 4'd1;
        if (fails) begin
            copy_failed    <= 1'b1;
            failed_code    <= moved_fault;
            failed_address <= moved_address;
        end else if (state == S_USE && (is_unread || is_bad) && !copy_failed) begin
            entry_failed   <= 1'b1;
            failed_code    <= is_unread ? FAULT_READ_BUS[7:0] : FAULT_BAD_PAGE[7:0];
            failed_address <= is_unread ? {entry_word, 2'b00} : {12'd0, index};
        end
        if (state == S_IDLE) begin
            moving       <= 4'd0;
            copy_failed  <= 1'b0;
            entry_failed <= 1'b0;
        end
    end
    assign has_failed = copy_failed || entry_failed;

    wire unused = &{1'b0, first[1:0], 1'b0}; // zero: node_check.v

`ifdef GPU_ASSERT
    // A read offered stays; a completion belongs to a copy.
    reg        was_asking;
    reg [31:0] old_address;
    always @(posedge clk) begin
        was_asking  <= !rst && arvalid && !arready;
        old_address <= araddr;
        if (!rst) begin
            assert (!was_asking || (arvalid && araddr == old_address));
            assert (idle || !moved_valid || moving != 4'd0);
            assert (!start || idle);
        end
    end
`endif
endmodule

`default_nettype wire
