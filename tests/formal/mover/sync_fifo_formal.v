// SPDX-License-Identifier: Apache-2.0
//
// Proof for sync_fifo: with legal pushes and pops it never over- or underflows, its level is exact, and the word
// pushed at an arbitrary moment comes out unchanged and in its turn. By induction: unbounded.
`default_nettype none

module sync_fifo_formal (
    input wire       clk,
    input wire       push,
    input wire [3:0] push_data,
    input wire       pop,
    input wire       watch // follow the word pushed now
);
    reg rst = 1'b1;
    always @(posedge clk) rst <= 1'b0;

    wire full, valid;
    wire [3:0] data;
    wire push_legal = push && !full && !rst;
    wire pop_legal  = pop && valid && !rst;
    sync_fifo #(.WIDTH(4), .LOG2_DEPTH(2)) fifo (
        .clk       (clk),
        .rst       (rst),
        .push      (push_legal),
        .push_data (push_data),
        .full      (full),
        .pop       (pop_legal),
        .data      (data),
        .valid     (valid)
    );

    // The level, and the place of the watched word counted from the oldest.
    reg [2:0] level    = 3'd0;
    reg       watching = 1'b0;
    reg [2:0] place    = 3'd0;
    reg [3:0] word     = 4'd0;
    (* hierconn *) wire [2:0] \fifo.tail ;
    (* hierconn *) wire [2:0] \fifo.head ;
    (* hierconn *) wire [3:0] \fifo.memory[0] ;
    (* hierconn *) wire [3:0] \fifo.memory[1] ;
    (* hierconn *) wire [3:0] \fifo.memory[2] ;
    (* hierconn *) wire [3:0] \fifo.memory[3] ;
    wire [15:0] slots = {\fifo.memory[3] , \fifo.memory[2] , \fifo.memory[1] , \fifo.memory[0] };
    wire [1:0]  slot  = \fifo.head [1:0] + place[1:0];
    wire [2:0] fifo_level = \fifo.tail - \fifo.head ;
    always @(posedge clk) begin
        if (rst) level <= 3'd0;
        else     level <= level + {2'd0, push_legal} - {2'd0, pop_legal};
        if (rst) watching <= 1'b0;
        else if (push_legal && watch && !watching) begin
            watching <= 1'b1;
            place    <= level - {2'd0, pop_legal};
            word     <= push_data;
        end else if (watching && pop_legal) begin
            if (place == 3'd0) watching <= 1'b0;
            else place <= place - 3'd1;
        end
        if (!rst) begin
            assert (fifo_level == level);
            assert (full == (level == 3'd4));
            assert (valid == (level != 3'd0));
            if (watching) begin
                assert (place < level);
                assert (slots[4*slot +: 4] == word);
                if (place == 3'd0) assert (data == word);
            end
        end
    end
endmodule

`default_nettype wire
