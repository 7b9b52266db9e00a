// SPDX-License-Identifier: Apache-2.0
//
// Predictor of the fetch stage: a table of jumps and branches that were taken lately, and a stack of return addresses.
// An entry belongs to the word in which the jump ends, and says in which half it ends and where it goes. Its content is
// a hint: execute checks every turn, so whatever stands here after reset costs cycles, never results.
//
// An entry is weak when it is made and strong when it was right once; execute deletes a weak one that was wrong and
// weakens a strong one. Targets are kept to bit 17: a jump out of its 256 KB is not remembered. A return goes to the
// top of the stack; calls and returns move it as they are predicted, and execute puts it right with every redirect.
`default_nettype none

module core_predict #(
    parameter LOG2_ENTRIES = 9          // one block RAM of an ECP5
) (
    input  wire        clk,
    input  wire        rst,

    // A word is asked for with `ask`. In the next cycle: is a jump known that ends in it?
    input  wire        ask,
    input  wire [31:2] ask_word,
    input  wire        take,            // in that cycle: it is followed
    output wire        hit,
    output wire        half,            // it ends in the upper half
    output wire        strong_now,
    output wire [31:1] target,

    // Execute's correction. `place` is the last half word of the jump.
    input  wire        update,
    input  wire [31:1] place,
    input  wire        update_valid,
    input  wire        update_strong,
    input  wire [1:0]  update_kind,     // 1: a call, 2: a return
    input  wire [17:1] update_target,

    // The program as it was executed: one of these with a call or return that is done. With a redirect after it the
    // stack becomes execute's, the link on top.
    input  wire        called,
    input  wire        returned,
    input  wire        redirect,
    input  wire        redirect_call,
    input  wire [31:1] link
);
    localparam TAG = 18 - 2 - LOG2_ENTRIES + 1;         // to bit 17, and bit 27: core memory or the region
    localparam WIDTH = TAG + 5 + 17;

    // An entry that is written while it could be read is not believed.
    (* ram_style = "block", no_rw_check *)
    reg  [WIDTH-1:0] entries [0:(1 << LOG2_ENTRIES) - 1];
    reg  [WIDTH-1:0] entry;
    reg  [31:2]      word;
    reg              written;
    always @(posedge clk) begin
        if (ask) entry <= entries[ask_word[2 +: LOG2_ENTRIES]];
        if (update)
            entries[place[2 +: LOG2_ENTRIES]] <= {place[27], place[17:2+LOG2_ENTRIES], update_valid, update_strong,
                                                  update_kind, place[1], update_target};
    end
    always @(posedge clk) begin
        if (ask) word <= ask_word;
        written <= update;
    end
    wire [TAG-1:0] tag;
    wire           valid;
    wire [1:0]     kind;
    wire [17:1]    low_target;
    assign {tag, valid, strong_now, kind, half, low_target} = entry;
    assign hit = valid && !written && tag == {word[27], word[17:2+LOG2_ENTRIES]};

    // ---------------------------------------------------------------------------------- return addresses
    reg  [31:1] stack [0:7];
    reg  [2:0]  top, top_executed;
    wire        is_call = hit && take && kind[0], is_return = kind[1];
    wire [2:0]  pushed = (redirect ? top_executed : top) + 3'd1;
    assign target = is_return ? stack[top] : {word[31:18], low_target};
    always @(posedge clk) begin
        if (redirect ? redirect_call : is_call) stack[pushed] <= redirect ? link : {word, half} + 31'd1;
        top_executed <= rst ? 3'd0 : top_executed + {2'b00, called} - {2'b00, returned};
        if (rst)                                top <= 3'd0;
        else if (redirect)                      top <= top_executed + {2'b00, called} - {2'b00, returned};
        else if (is_call)                       top <= top + 3'd1;
        else if (hit && take && is_return)      top <= top - 3'd1;
    end

    wire unused = &{1'b0, place[31:28], place[26:18]};
endmodule

`default_nettype wire
