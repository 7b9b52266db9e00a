// SPDX-License-Identifier: Apache-2.0
//
// Completes a node's packets in order. A packet enters this queue when it is issued. It leaves when everything before
// it has left and it is done itself. Leaving moves HEAD, counts, sets FENCE and ends a RUN with its last packet. All
// earlier memory effects are answered by then.
//
// A packet at the head first begins (one cycle, probe_begin) and leaves in a later cycle (probe_end). If the mover
// reports a fault for it, the queue stops and shows the packet until it is cleared.
`default_nettype none

module node_retire #(
    parameter DEPTH = 16,        // power of two
    parameter COMMAND_WIDTH = 16 // bits of a byte offset in command RAM
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        clear,          // drop everything (the mover is idle); HEAD := tail
    input  wire [31:0] tail,

    // A packet is issued. Kinds: see KIND_ below.
    input  wire        put_valid,
    output wire        put_ready,
    input  wire [1:0]  put_kind,
    input  wire        put_opens_run,  // the RUN packet itself: begins, leaves at once, ends with the range
    input  wire        put_ends_run,   // last packet of the range: the RUN ends with it
    input  wire        put_interrupt,  // FENCE: raise the interrupt
    input  wire [3:0]  put_ring_words, // HEAD moves by this many when it leaves
    input  wire [COMMAND_WIDTH-1:0] put_offset,
    input  wire [31:0] put_word,       // word 0; of a FENCE its VALUE
    input  wire [7:0]  put_opcode,
    output wire        empty,

    // Tag for the mover command that belongs to the KIND_MOVER packet being put, and its completions.
    output reg  [7:0]  tag,
    input  wire        done_valid,
    input  wire [7:0]  done_tag,
    input  wire [7:0]  done_fault,
    input  wire [31:0] done_address,

    // The KIND_EXECUTE packet at the head has begun, so everything before it is done; its completion.
    output wire        execute_at_head,
    input  wire        execute_done,

    // A packet failed in memory: stands until clear. Also shown: the packet at the head.
    output wire        failed,
    output reg  [7:0]  failed_code,
    output reg  [31:0] failed_address,
    output wire [COMMAND_WIDTH-1:0] head_offset,
    output wire [31:0] head_word,

    // Registers.
    output reg  [31:0] head,
    output reg  [31:0] fence,
    input  wire        fence_write,    // from the core
    input  wire [31:0] fence_wdata,
    output wire        fence_interrupt, // pulse
    output wire        packet_leaves,   // pulse, for the counter

    // Timeline; see node.v.
    output wire        probe_begin,
    output wire        probe_end,
    output wire [COMMAND_WIDTH-1:0] probe_offset,
    output wire [7:0]  probe_opcode
);
    // How a packet becomes done; the same numbers in node_retire.v and node_execute.v.
    localparam [1:0] KIND_PLAIN   = 2'd0; // when issued
    localparam [1:0] KIND_MOVER   = 2'd1; // with the next completion of the mover
    localparam [1:0] KIND_EXECUTE = 2'd2; // with execute_done
    localparam [1:0] KIND_FENCE   = 2'd3; // when issued; sets FENCE
    // ------------------------------------------------------------------ the queue
    wire        valid;
    wire [1:0]  kind;
    wire        opens_run, ends_run, interrupt, leaves;
    wire [3:0]  ring_words;
    wire [$clog2(DEPTH):0] level;
    fabric_fifo #(.WIDTH(49 + COMMAND_WIDTH), .DEPTH(DEPTH)) packets (
        .clk        (clk),
        .rst        (rst || clear),
        .put_valid  (put_valid),
        .put_ready  (put_ready),
        .put_data   ({put_kind, put_opens_run, put_ends_run, put_interrupt, put_ring_words, put_opcode, put_offset,
                      put_word}),
        .take_valid (valid),
        .take_ready (leaves),
        .take_data  ({kind, opens_run, ends_run, interrupt, ring_words, probe_opcode, head_offset, head_word}),
        .level      (level)
    );

    // ------------------------------------------------------------------ completions of the mover
    reg  [7:0] head_tag;    // tag of the next completion
    reg  [$clog2(DEPTH):0] done_count; // completions of packets still in the queue
    reg        has_failed;
    reg  [7:0] failed_tag;
    wire       use_done = leaves && kind == KIND_MOVER;
    wire       put      = put_valid && put_ready;
    always @(posedge clk) begin
        if (put && put_kind == KIND_MOVER) tag <= tag + 8'd1;
        if (use_done)                      head_tag <= head_tag + 8'd1;
        if (done_valid && !use_done)       done_count <= done_count + 1'b1;
        if (use_done && !done_valid)       done_count <= done_count - 1'b1;
        if (done_valid && done_fault != 8'd0 && !has_failed) begin
            has_failed     <= 1'b1;
            failed_tag     <= done_tag;
            failed_code    <= done_fault;
            failed_address <= done_address;
        end
        if (rst || clear) begin
            tag        <= 8'd0;
            head_tag   <= 8'd0;
            done_count <= 0;
            has_failed <= 1'b0;
        end
    end

    // ------------------------------------------------------------------ the head
    reg  begun;    // the packet at the head has begun
    reg  closing;  // the packet that ended a RUN has left; the RUN ends now
    assign failed          = has_failed && valid && kind == KIND_MOVER && failed_tag == head_tag;
    wire   mover_done      = done_count != 0 && !(has_failed && failed_tag == head_tag);
    assign execute_at_head = valid && begun && kind == KIND_EXECUTE;
    reg    is_done;
    always @(*)
        case (kind)
            KIND_MOVER:   is_done = mover_done;
            KIND_EXECUTE: is_done = execute_done;
            KIND_PLAIN:   is_done = 1'b1;
            default:      is_done = 1'b1; // KIND_FENCE
        endcase
    assign leaves = valid && begun && is_done;
    always @(posedge clk) begin
        begun   <= valid && !leaves && !closing;
        closing <= leaves && ends_run;
        if (rst || clear) begin
            begun   <= 1'b0;
            closing <= 1'b0;
        end
    end
    assign empty           = !valid && !closing;
    assign probe_begin     = valid && !begun && !closing;
    assign probe_end       = (leaves && !opens_run) || closing;
    assign probe_offset    = head_offset;
    assign fence_interrupt = leaves && kind == KIND_FENCE && interrupt;
    assign packet_leaves   = probe_end;

    always @(posedge clk) begin
        if (leaves) head <= head + {28'd0, ring_words};
        if (leaves && kind == KIND_FENCE) fence <= head_word;
        else if (fence_write)             fence <= fence_wdata;
        if (clear) head <= tail;
        if (rst) begin
            head  <= 32'd0;
            fence <= 32'd0;
        end
    end

    wire unused = &{1'b0, level, 1'b0};

`ifdef GPU_ASSERT
    // The mover completes in order, and only what was issued.
    reg [7:0] next_tag;
    always @(posedge clk) begin
        if (rst || clear)    next_tag <= 8'd0;
        else if (done_valid) next_tag <= next_tag + 8'd1;
        if (!rst && !clear && done_valid) assert (done_tag == next_tag && next_tag != tag);
        if (!rst) assert (!(probe_begin && probe_end));
    end
`endif
endmodule

`default_nettype wire
