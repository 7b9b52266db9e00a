// SPDX-License-Identifier: Apache-2.0
//
// 256 words of read buffer in block RAM, first word falling through: a word pushed in cycle t is at `out_data`
// in t+1, through a bypass register where the RAM could not show it yet. Room is not checked here: whoever
// asks memory for a word has reserved its place (mover_read).
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
    reg              use_bypass;       // the word at `head` was pushed in the cycle in which it was looked up
    reg  [7:0]       head;
    reg  [7:0]       tail;

    wire [7:0] head_next = head + {7'd0, pop};
    wire [7:0] tail_next = tail + {7'd0, push};

    assign out_data = use_bypass ? bypass : memory_out;

    always @(posedge clk) begin
        if (push) memory[tail] <= push_data;
        memory_out <= memory[head_next];
    end

    always @(posedge clk) begin
        bypass     <= push_data;
        use_bypass <= push && tail == head_next;
    end

    always @(posedge clk)
        if (rst) begin
            head      <= 8'd0;
            tail      <= 8'd0;
            out_valid <= 1'b0;
        end else begin
            head      <= head_next;
            tail      <= tail_next;
            out_valid <= head_next != tail_next;
        end

`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            assert (!(pop && !out_valid));
            // 256 words would look like none.
            assert (!(push && tail_next == head));
        end
`endif
endmodule

`default_nettype wire
