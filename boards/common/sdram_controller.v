// SPDX-License-Identifier: Apache-2.0
//
// SDR SDRAM, 16 or 32 bits wide, 4 banks, rows of 1 KB (9 or 8 column bits; parts with more columns work too):
// initialisation, refresh, rows kept open, column commands back to back. One request moves 1 to 16 beats of 8 bytes
// inside one aligned 128-byte block, so it never leaves a row. Requests are executed in order.
//
//   byte address   [24:12] row   [11:10] bank   [9:3] beat in the row   [2:0] byte
//
// A beat is a burst of four words of 16 bits, or of two of 32. A part with fewer rows is never asked for others.
// Neighbouring kilobytes lie in different banks. Two requests are at work: while one's columns move, three of four
// command slots (one of two) are free, and the next one's row is closed and opened in them, so a stream pays next to
// nothing for a new row. What a command depends on is a register: the next request is looked up in one cycle and
// compared in another, every wait is a shift register, and the columns follow a row that is known to be open.
//
// All timing is in cycles of clk. Pins are registered here, once. The first data of a read is in sd_dq_in
// READ_DELAY cycles after the READ command is on the pins: CAS_LATENCY, one for the input register, and one
// less where the memory's clock runs ahead (boards/ulx3s/ulx3s.v says how its phase is chosen).
`default_nettype none

module sdram_controller #(
    parameter WIDTH       = 16,    // of the data pins: 16 or 32
    parameter CAS_LATENCY = 3,     // 2 or 3
    parameter READ_DELAY  = 4,     // 2 .. 6, see above
    parameter T_INIT      = 20000, // power-up wait, 200 us
    parameter T_REFRESH   = 750,   // between refreshes, at most 7.8 us less the longest request (80 cycles)
    parameter T_RFC       = 7,     // refresh to any command, 66 ns
    parameter T_RP        = 2,     // precharge to activate, 20 ns; 2 or more
    parameter T_RCD       = 2,     // activate to column command, 20 ns; 2 or more
    parameter T_RAS       = 5      // activate to precharge, 44 ns; 3 or more, with T_RP 66 ns
) (
    input  wire        clk,
    input  wire        rst,
    output reg         ready,          // initialised: a flip-flop, since another clock looks at it

    // {write, row[12:0], bank[1:0], beat[6:0], beats - 1 [3:0]}. All data of a write is at hand when it is offered.
    input  wire        request_valid,
    input  wire [26:0] request,
    output wire        request_pop,
    input  wire        write_valid,    // {strobe[7:0], data[63:0]}
    input  wire [71:0] write_beat,
    output wire        write_pop,
    output reg         read_push,      // always taken
    output reg  [63:0] read_data,

    output reg  [3:0]  sd_command,     // cs_n, ras_n, cas_n, we_n
    output reg  [12:0] sd_a,
    output reg  [1:0]  sd_ba,
    output reg  [WIDTH/8-1:0] sd_dqm,
    output reg  [WIDTH-1:0]   sd_dq_out,
    output reg         sd_dq_drive,
    input  wire [WIDTH-1:0]   sd_dq_in // registered at the pin
);
    localparam [3:0]  NOP = 4'b0111, ACTIVATE = 4'b0011, READ = 4'b0101, WRITE = 4'b0100, PRECHARGE = 4'b0010,
                      REFRESH = 4'b0001, SET_MODE = 4'b0000;
    localparam WORDS = 64 / WIDTH;     // of a beat: a column command's burst
    localparam [12:0] MODE_WORD = {6'b000000, CAS_LATENCY[2:0], 1'b0, WORDS == 4 ? 3'b010 : 3'b001}; // sequential
    localparam [12:0] ALL_BANKS = 13'h0400;
    // A wait is a shift register filled with ones from below; it is over when bit 0 is clear.
    localparam [7:0]  AFTER_PRECHARGE = (8'd1 << (T_RP - 1)) - 8'd1, AFTER_ACTIVATE = (8'd1 << (T_RCD - 2)) - 8'd1,
                      HOLD_ROW = (8'd1 << (T_RAS - 2)) - 8'd1;
    // From a READ until a WRITE may be chosen: the data bus rests one cycle between them.
    localparam [7:0]  TURN = (8'd1 << (CAS_LATENCY + WORDS - 1)) - 8'd1;

    // ------------------------------------------------------------------ power-up and refresh
    localparam [2:0] POWER = 3'd0, CLEAR = 3'd1, FIRST = 3'd2, SECOND = 3'd3, MODE = 3'd4, RUN = 3'd5, CLOSE = 3'd6,
                     AGAIN = 3'd7;
    reg  [2:0]  state;
    reg  [16:0] pause;                 // cycles before the state's command, less one: over when negative
    reg  [16:0] until_refresh;
    reg         refresh_due, running, all_closable;
    wire        may_act   = pause[16];
    wire        close_all = state == CLEAR && may_act || state == CLOSE && all_closable;
    always @(posedge clk) ready <= !rst && state >= RUN;

    // ------------------------------------------------------------------ the next request: its row is opened
    reg         next_write;
    reg  [12:0] next_row;
    reg  [1:0]  next_bank;
    reg  [3:0]  next_hot;              // its bank, one-hot
    reg  [6:0]  next_beat;
    reg  [3:0]  next_left;
    // One of five. LOOK: what its bank held is here; SHUT: another row is open; OPEN: none is; DONE: its own is.
    reg         next_none, next_look, next_shut, next_open, next_done;
    reg         was_open;              // what its bank held when it came. Nothing else has opened a row since
    reg  [12:0] was_row;
    reg         may_close;             // the bank may be precharged now; stays so until it is
    reg  [7:0]  row_wait;              // from its last row command to the one that follows

    // ------------------------------------------------------------------ the request whose columns move
    reg         here_write, here_last; // here_last: no beats after this one
    reg  [1:0]  here_bank;
    reg  [3:0]  here_hot;              // its bank, one-hot; none when idle
    reg  [6:0]  here_beat;
    reg  [3:0]  here_left;             // beats after this one
    reg         column;                // a column command in this cycle
    reg  [WORDS-2:0] slots;            // the cycles of its burst after it, one-hot
    wire        before_last;           // the last but one of them, or of two the column's own
    reg         here_free;             // the next request may come
    reg  [7:0]  turn;                  // until a write may

    wire advance   = next_done && here_free && running && !row_wait[0] && !(next_write && turn[0]);
    wire load      = request_valid && (next_none || advance);
    wire open_now  = next_open && !row_wait[0] && !column && running;
    wire close_now = next_shut && may_close && !column && running;
    wire ends      = slots[0] && here_last;
    assign request_pop = load;

    // ------------------------------------------------------------------ banks
    reg  [3:0]  is_open;
    reg  [12:0] open_row [0:3];
    wire [3:0]  is_closable;
    wire [1:0]  asked_bank = request[12:11];
    wire [12:0] asked_row  = open_row[asked_bank];
    always @(posedge clk) if (open_now) open_row[next_bank] <= next_row;
    genvar b;
    generate
        for (b = 0; b < 4; b = b + 1) begin : per_bank
            reg [7:0] hold;
            // Seen closable, a bank is precharged in the next cycle at the earliest: five (three) after its last column
            // command and so two after its last data, which are tWR (15 ns) up to 133 MHz.
            assign is_closable[b] = !here_hot[b] && !hold[0];
            always @(posedge clk)
                if (rst) begin
                    hold       <= 8'd0;
                    is_open[b] <= 1'b0;
                end else begin
                    hold <= open_now && next_hot[b] ? HOLD_ROW : hold >> 1;
                    if (open_now && next_hot[b]) is_open[b] <= 1'b1;
                    else if (close_now && next_hot[b] || close_all) is_open[b] <= 1'b0;
                end
        end
    endgenerate

    always @(posedge clk)
        if (rst) begin
            {next_none, next_look, next_shut, next_open, next_done} <= 5'b10000;
            row_wait     <= 8'd0;
            may_close    <= 1'b0;
            all_closable <= 1'b0;
        end else begin
            all_closable <= state == CLOSE && is_closable == 4'hf;
            may_close    <= (next_hot & is_closable) != 4'd0;
            row_wait     <= close_now ? AFTER_PRECHARGE : open_now ? AFTER_ACTIVATE : row_wait >> 1;
            if (load) {next_none, next_look, next_shut, next_open, next_done} <= 5'b01000;
            else if (advance) {next_none, next_done} <= 2'b10;
            else if (!next_none && state != RUN) // a refresh closes all
                {next_look, next_shut, next_open, next_done} <= 4'b0010;
            else if (next_look) begin
                next_look <= 1'b0;
                next_shut <= was_open && was_row != next_row;
                next_open <= !was_open;
                next_done <= was_open && was_row == next_row;
            end else if (close_now) {next_shut, next_open} <= 2'b01;
            else if (open_now) {next_open, next_done} <= 2'b01;
        end
    always @(posedge clk)
        if (load) begin
            {next_write, next_row, next_bank, next_beat, next_left} <= request;
            next_hot <= 4'd1 << asked_bank;
            was_open <= is_open[asked_bank];
            was_row  <= asked_row;
        end

    // ------------------------------------------------------------------ columns
    assign write_pop = column && here_write;
    wire [WORDS-2:0] shifted;
    generate
        if (WORDS == 4) begin : of_four
            assign shifted     = {column, slots[2:1]};
            assign before_last = slots[1];
        end else begin : of_two
            assign shifted     = column;
            assign before_last = column;
        end
    endgenerate
    always @(posedge clk)
        if (rst) begin
            column    <= 1'b0;
            slots     <= {(WORDS-1){1'b0}};
            here_hot  <= 4'd0;
            here_free <= 1'b1;
            turn      <= 8'd0;
        end else begin
            column    <= advance || slots[0] && !here_last;
            slots     <= shifted;
            here_free <= !advance && (here_free || before_last && here_last);
            if (advance) here_hot <= next_hot;
            else if (ends) here_hot <= 4'd0;
            turn <= column && !here_write ? TURN : turn >> 1;
        end
    always @(posedge clk)
        if (advance) begin
            here_write <= next_write;
            here_bank  <= next_bank;
            here_beat  <= next_beat;
            here_left  <= next_left;
            here_last  <= next_left == 4'd0;
        end else if (slots[0]) begin
            here_beat <= here_beat + 7'd1;
            here_left <= here_left - 4'd1;
            here_last <= here_left == 4'd1;
        end

    always @(posedge clk)
        if (rst) begin
            state         <= POWER;
            pause         <= T_INIT[16:0] - 17'd1;
            until_refresh <= 17'd0;
            refresh_due   <= 1'b0;
            running       <= 1'b0;
        end else begin
            running <= state == RUN && may_act && !refresh_due;
            if (!may_act) pause <= pause - 17'd1;
            if (!until_refresh[16]) until_refresh <= until_refresh - 17'd1;
            else refresh_due <= state == RUN;
            case (state)
                POWER:  if (may_act) state <= CLEAR;
                CLEAR:  if (may_act) begin state <= FIRST;  pause <= T_RP[16:0] - 17'd1; end
                FIRST:  if (may_act) begin state <= SECOND; pause <= T_RFC[16:0] - 17'd1; end
                SECOND: if (may_act) begin state <= MODE;   pause <= T_RFC[16:0] - 17'd1; end
                MODE:   if (may_act) begin
                    state         <= RUN;
                    pause         <= 17'd1;
                    until_refresh <= T_REFRESH[16:0];
                end
                RUN:    if (refresh_due && !running && may_act && here_hot == 4'd0) state <= CLOSE;
                CLOSE:  if (all_closable) begin state <= AGAIN; pause <= T_RP[16:0] - 17'd1; end
                AGAIN:  if (may_act) begin
                    state         <= RUN;
                    pause         <= T_RFC[16:0] - 17'd2;
                    until_refresh <= T_REFRESH[16:0];
                    refresh_due   <= 1'b0;
                end
            endcase
        end

    // ------------------------------------------------------------------ pins
    localparam WORD = WIDTH + WIDTH / 8; // {mask, data}
    reg [(WORDS-1)*WORD-1:0] rest;     // of the beat being written: its next words
    reg [WORDS-2:0] driving;
    wire [WORDS*WORD-1:0] all;         // the whole beat
    genvar w;
    generate
        for (w = 0; w < WORDS; w = w + 1) begin : word
            assign all[w*WORD +: WORD] = {~write_beat[64 + w*WIDTH/8 +: WIDTH/8], write_beat[w*WIDTH +: WIDTH]};
        end
    endgenerate
    always @(posedge clk) begin
        sd_command  <= NOP;
        sd_a        <= next_row;
        sd_ba       <= next_bank;
        if (column) begin
            sd_command <= here_write ? WRITE : READ;
            sd_a       <= WORDS == 4 ? {4'b0000, here_beat, 2'b00} : {5'b00000, here_beat, 1'b0};
            sd_ba      <= here_bank;
        end else if (open_now) sd_command <= ACTIVATE;
        else if (close_now) begin
            sd_command <= PRECHARGE;
            sd_a       <= 13'd0;
        end else if (close_all) begin
            sd_command <= PRECHARGE;
            sd_a       <= ALL_BANKS;
        end else if ((state == FIRST || state == SECOND || state == AGAIN) && may_act) sd_command <= REFRESH;
        else if (state == MODE && may_act) begin
            sd_command <= SET_MODE;
            sd_a       <= MODE_WORD;
            sd_ba      <= 2'd0;
        end

        if (write_pop) begin
            {rest, sd_dqm, sd_dq_out} <= all;
        end else begin
            {sd_dqm, sd_dq_out} <= driving[0] ? rest[WORD-1:0] : {{(WIDTH/8){1'b0}}, sd_dq_out};
            rest <= rest >> WORD;
        end
        driving     <= rst ? {(WORDS-1){1'b0}} : write_pop ? {(WORDS-1){1'b1}} : driving >> 1;
        sd_dq_drive <= !rst && (write_pop || driving[0]);
        if (rst) sd_command <= 4'b1111;
    end

    // ------------------------------------------------------------------ data read
    localparam LAST = READ_DELAY + WORDS - 1;
    reg [LAST:0]         expected;
    reg [63-WIDTH:0]     earlier;
    wire [63:0]          arrived = {sd_dq_in, earlier};
    always @(posedge clk) begin
        expected  <= rst ? {(LAST+1){1'b0}} : {expected[LAST-1:0], column && !here_write};
        earlier   <= arrived[63:WIDTH];
        read_push <= !rst && expected[LAST];
        read_data <= arrived;
    end

`ifdef GPU_ASSERT
    wire [4:0] next_is = {next_none, next_look, next_shut, next_open, next_done};
    always @(posedge clk)
        if (!rst) begin
            assert (!(write_pop && !write_valid));                         // data first, request then
            assert (!(load && {1'b0, request[7:4]} + {1'b0, request[3:0]} > 5'd15)); // inside its block
            assert (!(column && (here_hot & is_open) == 4'd0));
            assert (next_is != 5'd0 && (next_is & (next_is - 5'd1)) == 5'd0);
            assert (!(advance && (next_hot & is_open) == 4'd0));
        end
`else
    wire unused = &{1'b0, write_valid};
`endif
endmodule
`default_nettype wire
