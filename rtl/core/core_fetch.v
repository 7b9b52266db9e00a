// SPDX-License-Identifier: Apache-2.0
//
// Fetch stage. In: words of the instruction port. Out: expanded instructions in order. It follows jumps with known
// targets.
//
// The stream starts at `pc`, the next instruction to hand over: words in the buffer, then words requested. The next
// request is for the word after them, so there is no other prefetch address. A word is usable when it arrives: a jump
// costs one cycle. STAGE cuts the path three times. An answer waits a cycle in the buffer; a jump's target waits a
// cycle in `turning`, and there for the grant; an expanded instruction waits in a queue of two. Straight runs cost
// nothing more, a followed jump two cycles, a redirect three. Prediction: `jal` and backward branches are followed at
// hand-over (without STAGE free). Execute gets `predicted` and the other address, `alternative`, to correct a mistake.
// A word with an error, or denied by protection, becomes a `fault`. Later words mean nothing, because execute
// redirects.
`default_nettype none

module core_fetch #(
    parameter [31:0] RESET_VECTOR = 32'h00000000,
    parameter        COMPRESSED   = 1,              // 1: 16-bit instructions, 0: every pc is a multiple of 4
    parameter        STAGE        = 0               // 1: answers and redirects stand in registers for a cycle
) (
    input  wire        clk,
    input  wire        rst,

    // Instruction port. i_req and i_addr hold until i_gnt; they may follow combinationally from everything
    // the execute stage does and from this port's own answer, never from i_gnt.
    output wire        i_req,
    input  wire        i_gnt,
    output wire [31:0] i_addr,
    input  wire        i_rvalid,
    input  wire [31:0] i_rdata,
    input  wire        i_err,

    // Protection: whether the word at arrive_addr, answered in this cycle, may be executed.
    output wire [31:2] arrive_addr,
    input  wire        arrive_deny,

    // Redirect: forget the stream, continue at the target. Never while `held` (a request waits for its
    // grant and must not change; not with STAGE).
    input  wire        redirect,
    input  wire [31:1] redirect_target,
    output wire        held,

    // Hand-over: an instruction leaves when `valid` and `take`. `pc` is always the address of the next
    // instruction in program order as far as predicted, even with `valid` low.
    output wire        valid,
    input  wire        take,
    output wire [31:0] pc,
    output wire [31:0] raw,             // as fetched, a compressed one zero extended
    output wire [31:0] instruction,     // expanded
    output wire        predicted,       // followed as taken
    output wire        fault,           // not fetched; `alternative` is the address that failed
    output wire [31:0] alternative      // address not followed; target of auipc; else the next instruction's
);
    // Words of the buffer; of them and the answers under way, so many that a straight run never waits.
    localparam DEPTH = (STAGE != 0) ? 3 : 2;
    localparam WORDS = ((COMPRESSED != 0) ? 2 : 1) + ((STAGE != 0) ? 1 : 0);
    localparam W     = $clog2(DEPTH + 2);

    reg [31:1] next_pc;         // of the next instruction cut from the stream

    // -------------------------------------------------------------------------------- stream of words
    reg [33*DEPTH-1:0] buffer;      // word 0 lowest; bit 32 of each: fault
    reg [W-1:0] buffered;           // words in the buffer
    reg [1:0]   coming;             // requested words of this stream
    reg [1:0]   stale;              // requested words of streams given up

    wire        arrive   = i_rvalid && stale == 2'd0;
    wire        usable   = arrive && STAGE == 0;
    wire [32:0] arriving = {i_err || arrive_deny, i_rdata};
    wire [W-1:0] words   = buffered + {{W-2{1'b0}}, coming};

    assign arrive_addr = next_pc[31:2] + {{30-W{1'b0}}, buffered};

    wire [32:0] word0 = (STAGE != 0 || buffered != {W{1'b0}}) ? buffer[32:0] : arriving;
    wire        have0 = buffered != {W{1'b0}} || usable;

    // -------------------------------------------------------------------------------- cutting
    wire upper;             // the instruction starts in the upper half of word 0
    wire is_short;          // it has 16 bits
    wire fault_second;      // its second half lies in a word that failed
    wire complete;
    wire [31:0] first_raw, expanded;

    generate
        if (COMPRESSED != 0) begin : cut
            wire        two    = buffered > {{W-1{1'b0}}, 1'b1};
            wire [16:0] word1  = (STAGE != 0 || two) ? {buffer[65], buffer[48:33]} : {arriving[32], arriving[15:0]};
            wire        have1  = two || (buffered[0] && usable);
            wire [15:0] first  = upper ? word0[31:16] : word0[15:0];
            wire [15:0] second = upper ? word1[15:0] : word0[31:16];
            assign upper        = next_pc[1];
            assign is_short     = first[1:0] != 2'b11;
            assign fault_second = upper && !is_short && word1[16];
            assign complete     = have0 && (word0[32] || is_short || !upper || have1);
            assign first_raw    = {is_short ? 16'd0 : second, first};
            wire [31:0] long_form;
            core_expand expand (.short_form(first), .long_form(long_form));
            assign expanded     = is_short ? long_form : first_raw;
        end else begin : whole
            assign upper        = 1'b0;
            assign is_short     = 1'b0;
            assign fault_second = 1'b0;
            assign complete     = have0;
            assign first_raw    = word0[31:0];
            assign expanded     = word0[31:0];
        end
    endgenerate

    wire is_fault = word0[32] || fault_second;

    // -------------------------------------------------------------------------------- prediction
    wire        is_branch, is_jal, is_auipc;
    wire [31:0] offset;
    core_offset jumps (.is_short(is_short), .raw(first_raw), .is_branch(is_branch), .is_jal(is_jal),
                       .is_auipc(is_auipc), .offset(offset));
    wire [31:0] target     = {next_pc, 1'b0} + offset;
    wire [2:0]  step       = word0[32] ? 3'd0 : (is_short || fault_second) ? 3'd2 : 3'd4;
    wire [31:0] sequential = {next_pc, 1'b0} + {29'd0, step};

    // A target this core cannot jump to is left to the execute stage, which traps.
    wire reachable = COMPRESSED != 0 || !target[1];
    wire follow    = complete && !is_fault && reachable && (is_jal || (is_branch && offset[31]));
    wire [31:0] other = (is_auipc || ((is_branch || is_jal) && !follow)) && !is_fault ? target : sequential;

    // -------------------------------------------------------------------------------- requests
    reg  waits;                             // a request for its grant
    wire turn;                              // the request for a new stream
    wire [31:1] turn_target;
    // Without STAGE a held request keeps its address, so an instruction that would be followed waits.
    wire turning;                           // a target waits in its register
    wire ready  = complete && (STAGE != 0 || !(follow && waits)) && !turning;
    wire room;                              // for it, at whoever takes it

    wire jump   = follow && (STAGE != 0 || !waits);
    wire jump_now = jump && STAGE == 0;     // else the stream goes on as if it were not followed, until it turns
    wire leaves = room && ready;
    wire pop    = leaves && !word0[32] && (upper || !is_short);     // next_pc leaves word 0
    wire wanted = turn || (jump_now ? leaves : (words < WORDS[W-1:0] || pop));

    assign i_req  = !rst && stale + coming != 2'd3 && wanted;     // three unanswered requests at most
    wire [31:1] away = turn ? turn_target : target[31:1];
    wire [31:2] turned = STAGE != 0 ? turn_target[31:2] : away[31:2];
    assign i_addr = {(turn || jump_now) ? turned : next_pc[31:2] + {{30-W{1'b0}}, words}, 2'b00};

    wire issue   = i_req && i_gnt;
    wire restart = turn || (jump_now && leaves);

    generate
        if (STAGE != 0) begin : late
            reg        asked;
            reg [31:1] asked_target;
            always @(posedge clk) begin
                asked <= !rst && (redirect || (jump && leaves) || (asked && waits));
                if (redirect)    asked_target <= redirect_target;
                else if (!asked) asked_target <= target[31:1];
            end
            assign turning     = asked;
            assign turn        = asked && !waits;
            assign turn_target = asked_target;
            assign held        = 1'b0;

            // The queue of two: what is handed over, and the next one.
            localparam ENTRY = 129;
            reg  [1:0]       queued;        // one bit each: there is a first, a second
            reg  [ENTRY-1:0] first, second;
            wire [ENTRY-1:0] entry = {next_pc, first_raw, expanded, other, follow, is_fault};
            wire             full  = queued[0] && !take;
            assign room = !queued[1];
            always @(posedge clk) begin
                if (!full) first <= queued[1] ? second : entry;
                if (room)  second <= entry;
                queued[0] <= !rst && !redirect && (queued[1] || (queued[0] && !take) || leaves);
                queued[1] <= !rst && !redirect && full && (queued[1] || leaves);
            end
            wire [31:1] first_pc;
            assign {first_pc, raw, instruction, alternative, predicted, fault} = first;
            assign valid = queued[0];
            assign pc    = {queued[0] ? first_pc : asked ? asked_target : next_pc, 1'b0};
        end else begin : at_once
            assign turning     = 1'b0;
            assign turn        = redirect;
            assign turn_target = redirect_target;
            assign held        = waits;
            assign room        = take;
            assign {valid, pc, raw, instruction} = {ready, next_pc, 1'b0, first_raw, expanded};
            assign {alternative, predicted, fault} = {other, follow, is_fault};
        end
    endgenerate

    always @(posedge clk) begin
        waits <= i_req && !i_gnt;
        if (restart) begin
            buffered <= {W{1'b0}};
            coming   <= {1'b0, issue};
            stale    <= stale + coming - {1'b0, i_rvalid};
        end else begin
            buffered <= buffered + {{W-1{1'b0}}, arrive} - {{W-1{1'b0}}, pop};
            coming   <= coming + {1'b0, issue} - {1'b0, arrive};
            stale    <= stale - {1'b0, i_rvalid && !arrive};
        end
        if (turn || leaves)
            next_pc <= (turn || jump_now) ? {away[31:2], away[1] && COMPRESSED != 0} : sequential[31:1];
        if (rst) begin
            waits    <= 1'b0;
            buffered <= {W{1'b0}};
            coming   <= 2'd0;
            stale    <= 2'd0;
            next_pc  <= RESET_VECTOR[31:1];
        end
    end

    // An arriving word goes after the words that stay.
    wire [33*DEPTH-1:0] following = {arriving, buffer[33*DEPTH-1:33]};
    genvar n;
    generate
        for (n = 0; n < DEPTH; n = n + 1) begin : place_of
            localparam [W-1:0] BELOW = n;
            always @(posedge clk)
                if (pop && buffered > BELOW + 1'b1)
                    buffer[33*n +: 33] <= following[33*n +: 33];
                else if (pop || buffered <= BELOW)
                    buffer[33*n +: 33] <= arriving;
        end
    endgenerate

    wire unused = &{1'b0, target[0], sequential[0], away[1], RESET_VECTOR[0]};

`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            // The buffer never holds or expects more than it has room for.
            assert (words <= WORDS[W-1:0]);
            // Only requests that were made are answered.
            assert (!i_rvalid || coming != 2'd0 || stale != 2'd0);
            // No redirection while a request must stay stable.
            assert (!(redirect && held));
        end
    // What is known of jumps before expansion is what expansion makes of them.
    always @(posedge clk)
        if (!rst && complete && !is_fault) begin
            assert (is_branch == (expanded[6:0] == 7'b1100011));
            assert (is_jal == (expanded[6:0] == 7'b1101111));
            assert (is_auipc == (expanded[6:0] == 7'b0010111));
        end
    reg        past_held;
    reg [31:0] past_addr;
    always @(posedge clk) begin
        past_held <= !rst && i_req && !i_gnt;
        past_addr <= i_addr;
        // A request stays until it is granted.
        if (!rst && past_held) assert (i_req && i_addr == past_addr);
    end
`endif
endmodule

`default_nettype wire
