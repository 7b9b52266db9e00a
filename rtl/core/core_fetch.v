// SPDX-License-Identifier: Apache-2.0
//
// Fetch: asks for words along the predicted way of the program, and cuts them into instructions.
//
// Asking. After a word comes the next one, or the target of a jump that the predictor knows to end in the word. It is
// looked up with the word before. At the first word after a turn it is looked up with the word itself. There the target
// comes a cycle later, and the word asked for in between is dropped. A redirect of execute wins over all.
// Addresses come from registers alone, so they are ready early in their cycle.
//
// Cutting. Answers wait in a buffer of four words, from which decode takes an instruction at a time. `pc` is the
// address of the next one. Where the predictor had the stream turn, the target comes from a queue. It has a place for
// each word.
//
// A word that answers with an error, or that protection denies, is handed over as a `fault`. What follows it in the
// stream has no meaning, because execute redirects.
`default_nettype none

module core_fetch #(
    parameter [31:0] RESET_VECTOR = 32'h00000000,
    parameter        COMPRESSED   = 1,      // 1: 16-bit instructions, 0: every pc is a multiple of 4
    parameter        PREDICT      = 10      // log2 of the predictor's entries; 0: there is none
) (
    input  wire        clk,
    input  wire        rst,

    // Instruction port. A request is accepted in a cycle with gnt; one that is not may change or go. i_req and i_addr
    // come from flip-flops of this module and from the redirect alone.
    output wire        i_req,
    input  wire        i_gnt,
    output wire [31:0] i_addr,
    input  wire        i_rvalid,
    input  wire [31:0] i_rdata,
    input  wire        i_err,

    // Protection: whether the word at arrive_addr, answered in this cycle, may be executed.
    output wire [31:2] arrive_addr,
    input  wire        arrive_deny,

    // Forget the stream, go on at the target; from a register.
    input  wire        redirect,
    input  wire [31:1] redirect_target,

    // What execute teaches the predictor: core_predict.v.
    input  wire        update,
    input  wire [31:1] update_place,
    input  wire        update_valid,
    input  wire        update_strong,
    input  wire [1:0]  update_kind,
    input  wire [17:1] update_target,
    input  wire        called,
    input  wire        returned,
    input  wire        redirect_call,
    input  wire [31:1] link,

    // Nothing is asked for; the word given with `inject` comes instead, after a redirect.
    input  wire        idle,
    input  wire        inject,
    input  wire [31:0] injected,

    // An instruction leaves when `valid` and `take`. All is from flip-flops and the cut.
    output wire        valid,
    input  wire        take,
    output wire [31:1] pc,
    output wire [31:0] raw,             // as fetched; the upper half of a short one has no meaning
    output wire        fault,           // its first word could not be fetched
    output wire        fault_second,    // its second could not
    output wire        is_short,
    output wire        turn,            // it was predicted to jump
    output wire [31:1] target,          // to here
    output wire        sure,          // and so it did before
    output wire        bad              // a jump was predicted to end in its middle: fetch it once more
);
    localparam [2:0] WORDS = PREDICT != 0 ? 3'd4 : 3'd3;    // in the buffer and under way, of this stream

    // ---------------------------------------------------------------------------------- asking
    reg  [31:2] last;                   // the word asked for last
    reg         last_upper;             // the stream enters it at its upper half
    reg         fresh;                  // it was asked for in the cycle before
    reg         turning;                // the word before it has a jump, that goes
    reg  [31:1] turning_to;             // here
    reg  [1:0]  turning_kind;
    reg  [2:0]  buffered;               // words in the buffer
    reg  [1:0]  coming;                 // asked for, of this stream
    reg  [1:0]  stale;                  // asked for, of streams given up

    reg  [31:2] last_but_one;
    reg  [3:0]  known_last, known_before;       // see below
    reg         entered;                // the stream came to it by a turn or a redirect
    reg         expected;               // it has a jump: found with the word before
    reg         expected_half, expected_strong;
    reg  [1:0]  expected_kind;
    reg  [31:1] expected_target;

    wire        blind, hit, hit_half, hit_strong, hit_after, half_after, sure_after;
    wire [1:0]  hit_kind, kind_after;
    wire [31:1] hit_target, target_after;
    wire        late    = hit && (fresh && entered && !turning && (hit_half || !last_upper));
    wire        early   = fresh && expected && !turning;
    wire        dropped = fresh && turning;
    wire        turns   = late || early;
    wire        turn_half      = entered ? hit_half : expected_half;
    wire        turn_strong    = entered ? hit_strong : expected_strong;
    wire [31:1] turn_target    = entered ? hit_target : expected_target;

    wire        sequel = fresh && !turning && !early && !redirect;
    wire [31:1] next   = redirect ? redirect_target : turning ? turning_to : early ? expected_target :
                         onward;
    wire [31:2] next_after = next[31:2] + 30'd1;
    wire [2:0]  words  = buffered + {1'b0, coming};
    assign i_addr = {next[31:2], 2'b00};
    assign i_req  = !rst && !idle && !stale[1] && !coming[1] && !(stale[0] && coming[0]) &&
                    (redirect || words != WORDS);
    wire        issue  = i_req && i_gnt;
    wire [31:1] onward;
    wire [31:1] jump   = turning ? {fresh ? last_but_one : last, known_last[1]} : {last, expected_half};
    generate
        if (PREDICT != 0) begin : predict
            reg [31:1] again;           // what was not accepted, while !fresh
            reg [31:2] following;       // the word after the last one
            always @(posedge clk) begin
                again     <= rst ? RESET_VECTOR[31:1] : next;
                following <= next_after;
            end
            assign onward = fresh ? {following, 1'b0} : again;
            core_predict #(.LOG2_ENTRIES(PREDICT)) predictor (
                .clk(clk), .rst(rst), .word(next[31:2]), .word_after(next_after), .hit(hit), .half(hit_half),
                .sure(hit_strong), .kind(hit_kind), .target(hit_target), .hit_after(hit_after), .blind(blind),
                .half_after(half_after), .sure_after(sure_after), .kind_after(kind_after),
                .target_after(target_after), .take(turning || early),
                .take_kind(turning ? turning_kind : expected_kind), .take_link(jump + 31'd1),
                .update(update), .place(update_place), .update_valid(update_valid), .update_strong(update_strong),
                .update_kind(update_kind),
                .update_target(update_target), .called(called), .returned(returned), .redirect(redirect),
                .redirect_call(redirect_call), .link(link)
            );
        end else begin : straight
            reg [31:1] ask;
            always @(posedge clk) ask <= rst ? RESET_VECTOR[31:1] : issue ? {next_after, 1'b0} : next;
            assign onward = ask;
            assign {blind, hit, hit_half, hit_strong, hit_kind, hit_target} = 37'd0;
            assign {hit_after, half_after, sure_after, kind_after, target_after} = 36'd0;
            wire unused_update = &{1'b0, update, update_place, update_valid, update_strong, update_kind,
                                   update_target, called, returned, redirect_call, link, jump, hit_kind,
                                   turning_kind, expected_kind};
        end
    endgenerate

    always @(posedge clk) begin
        fresh      <= issue && !rst;
        turning    <= late && !redirect && !rst;
        {turning_to, turning_kind} <= {hit_target, hit_kind};
        if (sequel) begin
            {expected, entered} <= {hit_after, blind};
            {expected_half, expected_strong, expected_kind} <= {half_after, sure_after, kind_after};
            expected_target     <= target_after;
        end else if (fresh || turning || redirect) begin
            {expected, entered} <= 2'b01;
        end
        if (rst) {expected, entered} <= 2'b01;
        if (issue) {last, last_upper} <= {next[31:2], next[1] && COMPRESSED != 0};
    end

    // What is known of a word: where the stream enters it and turns in it, fixed in the cycle after it was asked for.
    // Two words may be under way.
    wire [3:0]  known_now = fresh ? {dropped, turns, turn_half, turn_strong} : known_last;
    always @(posedge clk) begin
        known_last <= known_now;
        if (issue) {last_but_one, known_before} <= {last, known_now};
    end
    wire        early_then = coming[1] ? known_before[2] : fresh ? early : known_last[2];
    wire        turn_then  = early_then || (late && !coming[1]);
    wire [1:0]  how_then   = coming[1] ? known_before[1:0] : known_now[1:0];
    wire        drop_then  = coming[1] ? known_before[3] : known_now[3];
    assign arrive_addr = coming[1] ? last_but_one : last;

    // Targets of turns that were asked for and not cut yet.
    reg  [31:1] targets [0:7];
    reg  [2:0]  target_in, target_out;
    wire        push = turns;
    assign target = target_in == target_out ? turn_target : targets[target_out];
    always @(posedge clk)
        if (push) targets[target_in] <= turn_target;

    // ---------------------------------------------------------------------------------- words
    wire        arrive   = i_rvalid && stale == 2'd0;
    wire        kept     = arrive && !drop_then;
    wire [35:0] arriving = idle ? {4'd0, injected} : {turn_then, how_then, i_err || arrive_deny, i_rdata};
    reg  [35:0] word0, word1, word2, word3;
    wire        have0 = buffered != 3'd0, have1 = buffered > 3'd1;

    // ---------------------------------------------------------------------------------- cutting
    reg  [31:1] next_pc;
    reg         skip;           // word 0 ends before its upper half: the jump ahead ended in its lower one
    wire        upper = COMPRESSED != 0 && next_pc[1];
    wire [15:0] half0 = upper ? word0[31:16] : word0[15:0];
    wire [15:0] half1 = upper ? word1[15:0] : word0[31:16];
    assign is_short = COMPRESSED != 0 && half0[1:0] != 2'b11;

    wire        fault0 = word0[32];
    wire        turn0_lower = word0[35] && !word0[34], turn0_upper = word0[35] && word0[34];
    wire        turn_half0 = upper ? turn0_upper : turn0_lower;
    wire        turn_half1 = upper ? word1[35] && !word1[34] : turn0_upper;
    wire        straddles = upper && !is_short;

    assign raw          = {half1, half0};
    assign pc           = next_pc;
    assign bad          = turn_half0 && !is_short && !fault0;
    assign turn         = (is_short ? turn_half0 : turn_half1 && !turn_half0) && !fault0;
    assign sure         = straddles ? word1[33] : word0[33];
    assign fault        = fault0;
    assign fault_second = straddles && word1[32] && !bad;
    assign valid        = have0 && !skip && (!straddles || have1 || fault0 || bad);

    wire leaves = valid && take;
    wire pop    = skip || (leaves && (upper || !is_short || turn_half0 || idle));

    always @(posedge clk) begin
        if (leaves) begin
            next_pc <= turn ? target : next_pc + (is_short ? 31'd1 : 31'd2);
            skip    <= turn && straddles;
            if (turn) target_out <= target_out + 3'd1;
        end else begin
            skip <= 1'b0;
        end
        if (push) target_in <= target_in + 3'd1;

        if (pop || buffered == 3'd0) word0 <= buffered > 3'd1 ? word1 : arriving;
        if (pop || buffered <= 3'd1) word1 <= buffered > 3'd2 ? word2 : arriving;
        if (pop || buffered <= 3'd2) word2 <= WORDS > 3'd3 && buffered > 3'd3 ? word3 : arriving;
        if (buffered <= 3'd3)        word3 <= arriving;
        buffered <= buffered + {2'd0, kept || inject} - {2'd0, pop};
        coming   <= coming + {1'b0, issue} - {1'b0, arrive};
        stale    <= stale - {1'b0, i_rvalid && !arrive};
        if (inject) next_pc <= 31'd0;
        if (redirect) begin
            next_pc    <= {redirect_target[31:2], redirect_target[1] && COMPRESSED != 0};
            skip       <= 1'b0;
            buffered   <= 3'd0;
            coming     <= {1'b0, issue};
            stale      <= stale + coming - {1'b0, i_rvalid};
            target_in  <= 3'd0;
            target_out <= 3'd0;
        end
        if (rst) begin
            next_pc    <= RESET_VECTOR[31:1];
            skip       <= 1'b0;
            buffered   <= 3'd0;
            coming     <= 2'd0;
            stale      <= 2'd0;
            target_in  <= 3'd0;
            target_out <= 3'd0;
        end
    end

    wire unused = &{1'b0, word1[31:16], RESET_VECTOR[0]};
endmodule

`default_nettype wire
