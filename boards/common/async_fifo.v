// SPDX-License-Identifier: Apache-2.0
//
// A FIFO between two clocks: the only way in which words cross. Gray-coded pointers, each through two
// flip-flops of the other clock; the word itself is written before the pointer that announces it moves, and
// is read from asynchronous (distributed) RAM that is not written any more by then.
//
// OUTPUT_REGISTER: the oldest word waits in a register of the reader's clock, so that nothing lies between it and what
// takes it; a word more fits in, and each is seen a cycle later.
//
// Resets: each side has its own, synchronous to its clock. Both must be in reset at one time for at least four
// cycles of the slower clock (reset_bridge.v sees to that), else the pointers would disagree.
`default_nettype none

module async_fifo #(
    parameter WIDTH      = 8,
    parameter LOG2_DEPTH = 3, // 2 or more; holds 2**LOG2_DEPTH words
    parameter OUTPUT_REGISTER = 0
) (
    input  wire             w_clk,
    input  wire             w_rst,
    input  wire             w_push,      // only while !w_full
    input  wire [WIDTH-1:0] w_data,
    output wire             w_full,
    output wire [LOG2_DEPTH:0] w_level,  // at most this many words are in the memory

    input  wire             r_clk,
    input  wire             r_rst,
    input  wire             r_pop,       // only while r_valid
    output wire [WIDTH-1:0] r_data,      // the oldest word, while r_valid
    output wire             r_valid
);
    localparam W     = LOG2_DEPTH + 1;
    localparam DEPTH = 1 << LOG2_DEPTH;

    reg [WIDTH-1:0] memory [0:DEPTH-1];

    reg [W-1:0] w_count, w_after, w_gray, w_seen0, w_seen1; // after: count + 1; seen: the other side's
    reg [W-1:0] w_read;                // what is seen, in binary
    reg [W-1:0] r_after, r_gray, r_seen0, r_seen1;
    reg [LOG2_DEPTH-1:0] r_index;      // count, without its highest bit

    function [W-1:0] to_gray(input [W-1:0] binary);
        to_gray = binary ^ {1'b0, binary[W-1:1]};
    endfunction
    function [W-1:0] from_gray(input [W-1:0] gray);
        integer i;
        begin
            from_gray[W-1] = gray[W-1];
            for (i = W - 2; i >= 0; i = i - 1) from_gray[i] = from_gray[i+1] ^ gray[i];
        end
    endfunction

    // ------------------------------------------------------------------ write side
    wire [LOG2_DEPTH-1:0] w_index = w_count[LOG2_DEPTH-1:0];
    assign w_level = w_count - w_read;
    assign w_full  = w_level[LOG2_DEPTH];
    always @(posedge w_clk) if (w_push) memory[w_index] <= w_data;
    always @(posedge w_clk)
        if (w_rst) begin
            w_count <= {W{1'b0}};
            w_after <= {{LOG2_DEPTH{1'b0}}, 1'b1};
            w_gray  <= {W{1'b0}};
            w_seen0 <= {W{1'b0}};
            w_seen1 <= {W{1'b0}};
            w_read  <= {W{1'b0}};
        end else begin
            if (w_push) begin
                w_count <= w_after;
                w_after <= w_after + {{LOG2_DEPTH{1'b0}}, 1'b1};
                w_gray  <= to_gray(w_after);
            end
            w_seen0 <= r_gray;
            w_seen1 <= w_seen0;
            w_read  <= from_gray(w_seen1);
        end

    // ------------------------------------------------------------------ read side
    wire         take;                 // out of the memory
    wire         has_word = r_gray != r_seen1;
    generate
        if (OUTPUT_REGISTER != 0) begin : registered
            reg             held;
            reg [WIDTH-1:0] word;
            assign take    = has_word && (!held || r_pop);
            assign r_valid = held;
            assign r_data  = word;
            always @(posedge r_clk) held <= !r_rst && (has_word || held && !r_pop);
            always @(posedge r_clk) if (!held || r_pop) word <= memory[r_index];
        end else begin : direct
            assign take    = r_pop;
            assign r_valid = has_word;
            assign r_data  = memory[r_index];
        end
    endgenerate
    always @(posedge r_clk)
        if (r_rst) begin
            r_index <= {LOG2_DEPTH{1'b0}};
            r_after <= {{LOG2_DEPTH{1'b0}}, 1'b1};
            r_gray  <= {W{1'b0}};
            r_seen0 <= {W{1'b0}};
            r_seen1 <= {W{1'b0}};
        end else begin
            if (take) begin
                r_index <= r_after[LOG2_DEPTH-1:0];
                r_after <= r_after + {{LOG2_DEPTH{1'b0}}, 1'b1};
                r_gray  <= to_gray(r_after);
            end
            r_seen0 <= w_gray;
            r_seen1 <= r_seen0;
        end

`ifdef GPU_ASSERT
    // What simulation cannot show by itself: of a pointer that crosses one bit changes at a time, and what is made of
    // it is two flip-flops of the other clock after it.
    reg [W-1:0] w_gray_before, r_gray_before, r_came0, r_came1, w_came0, w_came1, w_came2;
    reg         w_ran, r_ran;
    wire [W-1:0] w_changed = w_gray ^ w_gray_before, r_changed = r_gray ^ r_gray_before;
    always @(posedge w_clk) begin
        w_ran         <= !w_rst;
        w_gray_before <= w_gray;
        {w_came2, w_came1, w_came0} <= w_rst ? {3*W{1'b0}} : {w_came1, w_came0, r_gray};
        if (!w_rst && w_ran) begin
            assert ((w_changed & (w_changed - 1'b1)) == {W{1'b0}});
            assert (w_gray == to_gray(w_count) && w_after == w_count + 1'b1);
            assert (w_read == from_gray(w_came2));
        end
    end
    always @(posedge r_clk) begin
        r_ran         <= !r_rst;
        r_gray_before <= r_gray;
        {r_came1, r_came0} <= r_rst ? {2*W{1'b0}} : {r_came0, w_gray};
        if (!r_rst && r_ran) begin
            assert ((r_changed & (r_changed - 1'b1)) == {W{1'b0}});
            assert (r_gray == to_gray(r_after - 1'b1) && r_index == r_after[LOG2_DEPTH-1:0] - 1'b1);
            assert (r_seen1 == r_came1);
        end
    end
    always @(posedge w_clk) if (!w_rst) assert (!(w_push && w_full));
    always @(posedge r_clk) if (!r_rst) assert (!(r_pop && !r_valid));
`endif
endmodule
`default_nettype wire
