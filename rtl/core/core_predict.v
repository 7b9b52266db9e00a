// SPDX-License-Identifier: Apache-2.0
//
// Predictor of the fetch stage: a table of jumps and branches that were taken lately, and a stack of return addresses.
// An entry belongs to the word in which the jump ends. It says in which half it ends and where it goes. Its content is
// a hint: execute checks every turn. So whatever stands here after reset costs cycles, never results.
//
// The table is read twice in each cycle: for the word that is asked for, and for the one after it. An entry is weak
// when it is made and strong when it was right once. Execute deletes a weak one that was wrong and weakens a strong
// one. Targets are kept to bit 17. A return goes to the top of the stack. Calls and returns move it as they are
// predicted, and execute puts it right with every redirect.
`default_nettype none

module core_predict #(
    parameter LOG2_ENTRIES = 10         // two block RAMs of an ECP5
) (
    input  wire        clk,
    input  wire        rst,

    // The word that is asked for, and in the next cycle: is a jump known that ends in it, or in the word after it?
    input  wire [31:2] word,
    input  wire [31:2] word_after,
    output wire        hit,
    output wire        half,            // it ends in the upper half
    output wire        sure,
    output wire [1:0]  kind,            // 1: a call, 2: a return
    output wire [31:1] target,
    output wire        hit_after,
    output wire        blind,           // neither was looked up, because the table was written
    output wire        half_after,
    output wire        sure_after,
    output wire [1:0]  kind_after,
    output wire [31:1] target_after,

    // The stream turns at a jump of this kind, with this return address.
    input  wire        take,
    input  wire [1:0]  take_kind,
    input  wire [31:1] take_link,

    // Execute's correction. `place` is the last half word of the jump.
    input  wire        update,
    input  wire [31:1] place,
    input  wire        update_valid,
    input  wire        update_strong,
    input  wire [1:0]  update_kind,
    input  wire [17:1] update_target,

    // The program as it was executed: one of these with a call or return that is done. With a redirect after it the
    // stack becomes execute's, the link on top.
    input  wire        called,
    input  wire        returned,
    input  wire        redirect,
    input  wire        redirect_call,
    input  wire [31:1] link
);
    // Four bits tell the words of an entry apart, so that the comparison is short: at 1,024 entries those of 64 KB.
    localparam WIDTH = 4 + 5 + 17;
    function [3:0] tag_of(input [3:0] of, input region, input [1:0] above);
        tag_of = of ^ {region, 1'b0, above};
    endfunction

    // An entry that is written while it could be read is not believed.
    (* ram_style = "block", no_rw_check *)
    reg  [WIDTH-1:0] entries [0:(1 << LOG2_ENTRIES) - 1];
    reg  [WIDTH-1:0] entry, entry_after;
    reg  [31:18]     asked, asked_after;
    reg  [3:0]       asked_tag, asked_tag_after;
    reg              written;
    wire [LOG2_ENTRIES-1:0] port = update ? place[2 +: LOG2_ENTRIES] : word[2 +: LOG2_ENTRIES];
    always @(posedge clk) begin
        entry <= entries[port];
        if (update)
            entries[port] <= {tag_of(place[2 + LOG2_ENTRIES +: 4], place[27], place[17:16]), update_valid,
                              update_strong, update_kind, place[1], update_target};
    end
    always @(posedge clk) entry_after <= entries[word_after[2 +: LOG2_ENTRIES]];
    always @(posedge clk) begin
        asked           <= word[31:18];
        asked_after     <= word_after[31:18];
        asked_tag       <= tag_of(word[2 + LOG2_ENTRIES +: 4], word[27], word[17:16]);
        asked_tag_after <= tag_of(word_after[2 + LOG2_ENTRIES +: 4], word_after[27], word_after[17:16]);
        written         <= update;
    end
    wire [3:0]     tag, tag_after;
    wire           valid, valid_after;
    wire [17:1]    low, low_after;
    assign {tag, valid, sure, kind, half, low} = entry;
    assign {tag_after, valid_after, sure_after, kind_after, half_after, low_after} = entry_after;
    assign blind     = written;
    assign hit       = valid && !written && tag == asked_tag;
    assign hit_after = valid_after && !written && tag_after == asked_tag_after;

    // ---------------------------------------------------------------------------------- return addresses
    reg  [31:1] stack [0:7];
    reg  [2:0]  top, top_executed;
    wire [2:0]  pushed    = (redirect ? top_executed : top) + 3'd1;
    wire [31:1] back      = stack[top];
    assign target       = kind[1] ? back : {asked, low};
    assign target_after = kind_after[1] ? back : {asked_after, low_after};
    always @(posedge clk) begin
        if (redirect ? redirect_call : take && take_kind[0]) stack[pushed] <= redirect ? link : take_link;
        top_executed <= rst ? 3'd0 : top_executed + {2'b00, called} - {2'b00, returned};
        if (rst)                       top <= 3'd0;
        else if (redirect)             top <= top_executed + {2'b00, called} - {2'b00, returned};
        else if (take && take_kind[0]) top <= top + 3'd1;
        else if (take && take_kind[1]) top <= top - 3'd1;
    end

    wire unused = &{1'b0, place[31:28], place[26:18]};

`ifdef __ICARUS__
    // A word of RAM that nothing has written is something. There it is unknown, and so would be the next pc.
    integer i;
    initial begin
        for (i = 0; i < 1 << LOG2_ENTRIES; i = i + 1) entries[i] = {WIDTH{1'b0}};
        for (i = 0; i < 8; i = i + 1) stack[i] = 31'd0;
    end
`endif
endmodule

`default_nettype wire
