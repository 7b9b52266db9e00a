// SPDX-License-Identifier: Apache-2.0
//
// Seven free-running counters of 32 bits with two adders.
//
// In: one event wire each. Out: exact counts in every cycle. An event is counted at once in four bits of its own. The
// counts are in distributed RAM, and each takes its four bits in turn, every eighth cycle. A read adds both.
`default_nettype none

module event_counters (
    input  wire        clk,
    input  wire        rst,       // one cycle: every count is zero
    input  wire [6:0]  events,    // levels, one count per cycle
    input  wire [2:0]  index,     // of the count that is read
    output wire [31:0] value      // combinational; zero for index 7
);
    reg  [2:0]  turn;
    reg         is_first;         // the first round since reset: counts from `turn` on are not in the RAM yet
    wire [31:0] recent;           // of each four bits: counted since its turn, 8 at most

    genvar i;
    generate for (i = 0; i < 7; i = i + 1) begin : each
        localparam [2:0] INDEX = i;
        reg [3:0] count;
        always @(posedge clk)
            if (rst)                count <= 4'd0;
            else if (turn == INDEX) count <= {3'd0, events[i]};
            else                    count <= count + {3'd0, events[i]};
        assign recent[4*i +: 4] = count;
    end endgenerate
    assign recent[31:28] = 4'd0;

    (* ram_style = "distributed" *)
    reg  [31:0] counts [0:7];
    wire [31:0] old    = counts[turn] & {32{!is_first}};
    always @(posedge clk) begin
        counts[turn] <= old + {28'd0, recent[{turn, 2'b00} +: 4]};
        turn         <= turn + 3'd1;
        if (&turn) is_first <= 1'b0;
        if (rst) begin
            turn     <= 3'd0;
            is_first <= 1'b1;
        end
    end

    wire is_there = !is_first || index < turn;
    assign value  = (counts[index] & {32{is_there}}) + {28'd0, recent[{index, 2'b00} +: 4]};

`ifdef GPU_ASSERT
    // Four bits are enough.
    always @(posedge clk) if (!rst) assert (recent[{turn, 2'b00} +: 4] <= 4'd8);
`endif
endmodule

`default_nettype wire
