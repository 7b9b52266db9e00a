// SPDX-License-Identifier: Apache-2.0
//
// Proof for mover_buffer, of 4 words instead of 256 (mover_prove.sh cuts its pointers): the word pushed at an
// arbitrary moment comes out unchanged and in its turn, through the RAM or the bypass; out_valid says exactly that
// there is one. Pushes as the reservation allows: never so many that it would look empty. By induction: unbounded.
`default_nettype none

module mover_buffer_formal (
    input wire       clk,
    input wire       push,
    input wire [3:0] push_data,
    input wire       pop,
    input wire       watch // follow the word pushed now
);
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;

    wire       out_valid;
    wire [3:0] out_data;
    reg  [1:0] level = 2'd0;
    wire push_legal = push && level != 2'd3 && !rst;
    wire pop_legal  = pop && out_valid && !rst;
    mover_buffer #(.WIDTH(4)) buffer (
        .clk       (clk),
        .rst       (rst),
        .push      (push_legal),
        .push_data (push_data),
        .pop       (pop_legal),
        .out_data  (out_data),
        .out_valid (out_valid)
    );

    // The watched word, and its place counted from the oldest.
    reg       watching = 1'b0;
    reg [1:0] place    = 2'd0;
    reg [3:0] word     = 4'd0;
    (* hierconn *) wire [1:0] \buffer.tail ;
    (* hierconn *) wire [1:0] \buffer.head ;
    (* hierconn *) wire [3:0] \buffer.memory[0] ;
    (* hierconn *) wire [3:0] \buffer.memory[1] ;
    (* hierconn *) wire [3:0] \buffer.memory[2] ;
    (* hierconn *) wire [3:0] \buffer.memory[3] ;
    wire [15:0] slots = {\buffer.memory[3] , \buffer.memory[2] , \buffer.memory[1] , \buffer.memory[0] };
    wire [1:0]  slot  = \buffer.head  + place;
    wire [1:0]  buffered = \buffer.tail  - \buffer.head ;
    always @(posedge clk) begin
        level <= rst ? 2'd0 : level + {1'b0, push_legal} - {1'b0, pop_legal};
        if (rst) watching <= 1'b0;
        else if (push_legal && watch && !watching) begin
            watching <= 1'b1;
            place    <= level - {1'b0, pop_legal};
            word     <= push_data;
        end else if (watching && pop_legal) begin
            if (place == 2'd0) watching <= 1'b0;
            else place <= place - 2'd1;
        end
        if (!rst) begin
            assert (buffered == level);
            assert (out_valid == (level != 2'd0));
            // The head's word is shown, wherever it comes from.
            if (out_valid) assert (out_data == slots[4*\buffer.head +: 4]);
            if (watching) begin
                assert (place < level);
                assert (slots[4*slot +: 4] == word);
                if (place == 2'd0) assert (out_data == word);
            end
        end
    end
endmodule

`default_nettype wire
