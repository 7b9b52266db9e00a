// SPDX-License-Identifier: Apache-2.0
//
// Words of system memory in order, for lists.v. It reads whole lines of 64 bytes as bursts, one ahead.
//
// `start` names the first word, and how many. Words of the start before are gone. `word` is there while `valid`, until
// `take`. An error in a beat that is needed, or before it, sets `failed` until the next start. A start may come when
// all addresses of the one before are taken. What still comes of that is dropped.
`default_nettype none
module lists_host #(
    parameter DATA_WIDTH = 64               // 32, 64, 128 or 256
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        start,
    input  wire [30:2] address,             // in system memory
    input  wire [14:0] count,               // words, 1 or more
    input  wire        stop,                // asks for no more lines
    output reg         valid,
    output reg  [31:0] word,
    input  wire        take,
    output reg         failed,
    output wire        is_quiet,            // no burst is under way

    output wire [31:0] m_araddr,
    output wire [7:0]  m_arlen,
    output wire [2:0]  m_arsize,
    output reg         m_arvalid,
    input  wire        m_arready,
    input  wire [DATA_WIDTH-1:0] m_rdata,
    input  wire [1:0]  m_rresp,
    input  wire        m_rlast,
    input  wire        m_rvalid
);
    localparam W_WORD = $clog2(DATA_WIDTH / 32); // words of a beat
    localparam W_BEAT = 4 - W_WORD;              // beats of a line
    localparam BEATS  = 1 << W_BEAT;
    localparam LAST   = BEATS - 1;
    localparam WHOLE  = W_WORD + 2;

    // Two lines. `filled` counts beats that came, `at` words that went; both have a bit more than a place needs.
    reg [DATA_WIDTH-1:0] line [0:2*BEATS-1];
    reg [W_BEAT+1:0] filled;
    reg [5:0]        at;
    reg [14:0]       left;                  // words that have not left `line`
    reg [10:0]       lines;                 // that are still to be asked for
    reg [30:6]       next;
    reg              reading, drops;        // a burst is under way; it is of an earlier start
    wire             fills = m_rvalid && !drops;
    wire [W_BEAT+1:0] beat  = at[5:W_WORD];
    wire [W_BEAT+1:0] level = filled - beat;
    wire              ahead = {1'b0, level} > 2 * BEATS; // the first word's beat has not come: `at` is before it
    wire              has   = left != 15'd0 && level != {(W_BEAT+2){1'b0}} && !ahead;
    wire              moves = has && (!valid || take);
    wire              asks  = lines != 11'd0 && !reading && (level <= BEATS[W_BEAT+1:0] || ahead) && !stop;

    // The word of the beat; of a beat of one word all of it.
    wire [DATA_WIDTH-1:0] whole = line[beat[W_BEAT:0]];
    wire [4:0]            place = {1'b0, at[3:0]} & ((5'd1 << W_WORD) - 5'd1);
    wire [DATA_WIDTH-1:0] shifted = whole >> {place, 5'd0};

    // Words from the first line's first to the last line's end.
    wire [15:0] reach = {12'd0, address[5:2]} + {1'b0, count} + 16'd15;
    assign is_quiet = !reading;
    assign m_araddr = {1'b1, next, 6'd0};
    assign m_arlen  = LAST[7:0];
    assign m_arsize = WHOLE[2:0];

    always @(posedge clk) begin
        if (fills) line[filled[W_BEAT:0]] <= m_rdata;
        if (moves) word <= shifted[31:0];
        valid <= moves || (valid && !take);
        if (moves) begin
            at   <= at + 6'd1;
            left <= left - 15'd1;
        end
        if (fills) begin
            filled <= filled + 1'b1;
            failed <= failed || m_rresp[1];
        end
        if (m_rvalid && m_rlast) {reading, drops} <= 2'b00;
        if (m_arready) m_arvalid <= 1'b0;
        if (asks) begin
            m_arvalid <= 1'b1;
            reading   <= 1'b1;
            lines     <= lines - 11'd1;
        end
        if (m_arvalid && m_arready) next <= next + 25'd1;
        if (start) begin
            valid  <= 1'b0;
            failed <= 1'b0;
            filled <= {(W_BEAT+2){1'b0}};
            at     <= {2'd0, address[5:2]};
            left   <= count;
            lines  <= reach[14:4];
            next   <= address[30:6];
            drops  <= reading && !(m_rvalid && m_rlast);
        end
        if (stop) {left, lines, valid} <= 27'd0;
        if (rst) begin
            {valid, failed, reading, drops, m_arvalid} <= 5'd0;
            {left, lines} <= 26'd0;
            {filled, at}  <= 0;
        end
    end
    wire unused = &{1'b0, m_rresp[0], reach[15], reach[3:0], shifted};

`ifdef GPU_ASSERT
    always @(posedge clk) if (!rst) begin
        assert (!start || !m_arvalid);
        assert (!m_rvalid || reading);
        assert (!fills || ahead || {1'b0, level} < 2 * BEATS);
    end
`endif
endmodule
`default_nettype wire
