// SPDX-License-Identifier: Apache-2.0
//
// A read buffer of 256 words in block RAM, first word falls through: a word pushed in cycle t is at `out_data` in t+1.
//
// The oldest word is in a register. The RAM looks up the next one; a bypass register has it when the RAM cannot show
// it yet. Room is not checked here, because mover_read.v reserves it before it asks memory.
`default_nettype none

module mover_buffer #(
    parameter WIDTH = 72 // bits; 72 fills two ECP5 block RAMs
) (
    input  wire             clk,
    input  wire             rst,       // also: forget the contents

    input  wire             push,
    input  wire [WIDTH-1:0] push_data,

    input  wire             pop,       // only while out_valid
    output wire [WIDTH-1:0] out_data,
    output reg              out_valid
);
    (* no_rw_check *)
    reg  [WIDTH-1:0] memory [0:255];
    reg  [WIDTH-1:0] memory_out;
    reg  [WIDTH-1:0] bypass;
    reg              use_bypass;       // the word after the head's was pushed in the cycle in which it was looked up
    reg  [WIDTH-1:0] oldest;           // the head's word: what hangs on it should not wait for the RAM
    reg  [7:0]       head;
    reg  [7:0]       second;           // head + 1
    reg  [7:0]       tail;

    wire [7:0] head_next = head + {7'd0, pop};
    wire [7:0] second_next = second + {7'd0, pop};
    wire [7:0] tail_next = tail + {7'd0, push};
    wire [7:0] level     = tail - head;
    wire       is_last   = level == 8'd1;
    wire       leaves_none = pop ? is_last : !out_valid;
    wire       leaves_one  = pop ? level == 8'd2 : is_last;

    assign out_data = oldest;

    always @(posedge clk) begin
        if (push) memory[tail] <= push_data;
        memory_out <= memory[second_next];
    end

    always @(posedge clk) begin
        bypass     <= push_data;
        use_bypass <= push && leaves_one;
        if (push && leaves_none)      oldest <= push_data; // nothing else: the bus carries others' words (sim/sleep.v)
        else if (pop && !leaves_none) oldest <= use_bypass ? bypass : memory_out;
    end

    always @(posedge clk)
        if (rst) begin
            head      <= 8'd0;
            second    <= 8'd1;
            tail      <= 8'd0;
            out_valid <= 1'b0;
        end else begin
            head      <= head_next;
            second    <= second_next;
            tail      <= tail_next;
            out_valid <= push || !leaves_none;
        end

`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            assert (!(pop && !out_valid));
            assert (second == head + 8'd1);
            // 256 words would look like none.
            assert (!(push && tail_next == head));
        end
`endif
endmodule

`default_nettype wire
