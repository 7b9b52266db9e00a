// SPDX-License-Identifier: Apache-2.0
//
// SDR SDRAM, 16 bits wide, 4 banks, 9 column bits (1 KB rows; parts with more columns work too): initialisation,
// refresh, rows kept open, column commands back to back. One request moves 1 to 16 beats of 8 bytes inside one
// aligned 128-byte block, so it never leaves a row. Requests are executed in order.
//
//   byte address   [24:12] row   [11:10] bank   [9:3] beat in the row   [2:0] byte
//
// Neighbouring kilobytes lie in different banks. While one request's columns move, three of four command slots
// are free: the next request's row is closed and opened in them, so a stream pays next to nothing for a new row.
//
// All timing is in cycles of clk. Pins are registered here, once. The first data of a read is in sd_dq_in
// READ_DELAY cycles after the READ command is on the pins: CAS_LATENCY, one for the input register, and one
// less where the memory's clock runs ahead (boards/ulx3s/ulx3s.v says how its phase is chosen).
`default_nettype none

module sdram_controller #(
    parameter CAS_LATENCY = 3,     // 2 or 3
    parameter READ_DELAY  = 4,     // 2 .. 6, see above
    parameter T_INIT      = 20000, // power-up wait, 200 us
    parameter T_REFRESH   = 750,   // between refreshes, at most 7.8 us less the longest request (80 cycles)
    parameter T_RFC       = 7,     // refresh to any command, 66 ns
    parameter T_RP        = 2,     // precharge to activate, 20 ns
    parameter T_RCD       = 2,     // activate to column command, 20 ns
    parameter T_RAS       = 5,     // activate to precharge, 44 ns
    parameter T_WR        = 2      // last data written to precharge, 15 ns
) (
    input  wire        clk,
    input  wire        rst,
    output wire        ready,          // initialised

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
    output reg  [1:0]  sd_dqm,
    output reg  [15:0] sd_dq_out,
    output reg         sd_dq_drive,
    input  wire [15:0] sd_dq_in        // registered at the pin
);
    localparam [3:0]  NOP = 4'b0111, ACTIVATE = 4'b0011, READ = 4'b0101, WRITE = 4'b0100, PRECHARGE = 4'b0010,
                      REFRESH = 4'b0001, SET_MODE = 4'b0000;
    localparam [12:0] MODE_WORD = {6'b000000, CAS_LATENCY[2:0], 4'b0010}; // sequential bursts of four
    localparam [12:0] ALL_BANKS = 13'h0400;
    localparam [4:0]  AFTER_ACTIVATE = T_RCD[4:0] - 5'd1, AFTER_PRECHARGE = T_RP[4:0] - 5'd1,
                      HOLD_ROW = T_RAS[4:0] - 5'd1, HOLD_READ = 5'd3, HOLD_WRITE = T_WR[4:0] + 5'd3,
                      TURN = CAS_LATENCY[4:0] + 5'd4; // the data bus rests one cycle between a read and a write

    // ------------------------------------------------------------------ power-up and refresh
    localparam [2:0] POWER = 3'd0, CLEAR = 3'd1, FIRST = 3'd2, SECOND = 3'd3, MODE = 3'd4, RUN = 3'd5, CLOSE = 3'd6,
                     AGAIN = 3'd7;
    reg  [2:0]  state;
    reg  [15:0] pause;                 // cycles before the state's command
    reg  [15:0] until_refresh;
    reg         refresh_due;
    wire        may_act    = pause == 16'd0;
    wire        is_running = state == RUN && may_act;
    assign ready = state >= RUN;

    // ------------------------------------------------------------------ the request at work, and the next one
    reg         busy, is_write;
    reg  [12:0] row;
    reg  [1:0]  bank;
    reg  [6:0]  beat;
    reg  [3:0]  left;                  // beats after this one
    reg  [1:0]  slot;                  // cycles until a column command may follow the last one
    reg  [4:0]  turn;                  // cycles until a write may follow the last read

    wire [12:0] next_row  = request[25:13];
    wire [1:0]  next_bank = request[12:11];

    // ------------------------------------------------------------------ banks
    reg  [3:0]  is_open;
    reg  [12:0] open_row [0:3];
    wire [3:0]  is_free, is_closable;  // takes a command now; may be precharged now
    wire [12:0] row_here = open_row[bank];
    wire [12:0] row_next = open_row[next_bank];

    wire column_now = is_running && busy && is_open[bank] && row_here == row && is_free[bank] && slot == 2'd0 &&
                      !(is_write && turn != 5'd0);
    wire close_here = is_running && busy && is_open[bank] && row_here != row && is_closable[bank];
    wire open_here  = is_running && busy && !is_open[bank] && is_free[bank];
    wire ahead      = is_running && busy && request_valid && next_bank != bank &&
                      !column_now && !close_here && !open_here;
    wire close_next = ahead && is_open[next_bank] && row_next != next_row && is_closable[next_bank];
    wire open_next  = ahead && !is_open[next_bank] && is_free[next_bank] && !refresh_due;

    wire [1:0] row_bank  = close_here || open_here ? bank : next_bank;
    wire       close_now = close_here || close_next;
    wire       open_now  = open_here || open_next;
    wire       close_all = (state == CLEAR || state == CLOSE && is_closable == 4'hf && slot == 2'd0) && may_act;

    genvar b;
    generate
        for (b = 0; b < 4; b = b + 1) begin : per_bank
            reg [4:0] wait_command, wait_close;
            wire is_row    = row_bank == b;
            wire is_column = column_now && bank == b;
            assign is_free[b]     = wait_command == 5'd0;
            assign is_closable[b] = wait_close == 5'd0;
            always @(posedge clk)
                if (rst) begin
                    wait_command <= 5'd0;
                    wait_close   <= 5'd0;
                    is_open[b]   <= 1'b0;
                end else begin
                    if (open_now && is_row) wait_command <= AFTER_ACTIVATE;
                    else if (close_now && is_row || close_all) wait_command <= AFTER_PRECHARGE;
                    else if (!is_free[b]) wait_command <= wait_command - 5'd1;
                    if (open_now && is_row) wait_close <= HOLD_ROW;
                    else if (is_column && is_write) wait_close <= HOLD_WRITE;
                    else if (is_column && wait_close < HOLD_READ) wait_close <= HOLD_READ;
                    else if (!is_closable[b]) wait_close <= wait_close - 5'd1;
                    if (open_now && is_row) is_open[b] <= 1'b1;
                    else if (close_now && is_row || close_all) is_open[b] <= 1'b0;
                end
        end
    endgenerate
    always @(posedge clk) if (open_now) open_row[row_bank] <= open_here ? row : next_row;

    // ------------------------------------------------------------------ requests
    wire is_last = left == 4'd0;
    wire load    = is_running && request_valid && !refresh_due && (!busy || column_now && is_last);
    assign request_pop = load;
    assign write_pop   = column_now && is_write;
    always @(posedge clk)
        if (rst) begin
            busy <= 1'b0;
            slot <= 2'd0;
            turn <= 5'd0;
        end else begin
            busy <= load || busy && !(column_now && is_last);
            if (load) {is_write, row, bank, beat, left} <= request;
            else if (column_now) begin
                beat <= beat + 7'd1;
                left <= left - 4'd1;
            end
            if (column_now) slot <= 2'd3;
            else if (slot != 2'd0) slot <= slot - 2'd1;
            if (column_now && !is_write) turn <= TURN;
            else if (turn != 5'd0) turn <= turn - 5'd1;
        end

    always @(posedge clk)
        if (rst) begin
            state         <= POWER;
            pause         <= T_INIT[15:0];
            until_refresh <= 16'd0;
            refresh_due   <= 1'b0;
        end else begin
            if (!may_act) pause <= pause - 16'd1;
            if (until_refresh != 16'd0) until_refresh <= until_refresh - 16'd1;
            else refresh_due <= state == RUN;
            case (state)
                POWER:  if (may_act) state <= CLEAR;
                CLEAR:  if (may_act) begin state <= FIRST;  pause <= T_RP[15:0]; end
                FIRST:  if (may_act) begin state <= SECOND; pause <= T_RFC[15:0]; end
                SECOND: if (may_act) begin state <= MODE;   pause <= T_RFC[15:0]; end
                MODE:   if (may_act) begin state <= RUN;    pause <= 16'd2; until_refresh <= T_REFRESH[15:0]; end
                RUN:    if (refresh_due && !busy && may_act) state <= CLOSE;
                CLOSE:  if (close_all) begin state <= AGAIN; pause <= T_RP[15:0]; end
                AGAIN:  if (may_act) begin
                    state         <= RUN;
                    pause         <= T_RFC[15:0];
                    until_refresh <= T_REFRESH[15:0];
                    refresh_due   <= 1'b0;
                end
            endcase
        end

    // ------------------------------------------------------------------ pins
    reg [53:0] rest;                   // of the beat being written: {mask, data} of the next three words
    reg [2:0]  driving;
    always @(posedge clk) begin
        sd_command  <= NOP;
        sd_a        <= 13'd0;
        sd_ba       <= row_bank;
        if (column_now) begin
            sd_command <= is_write ? WRITE : READ;
            sd_a       <= {4'b0000, beat, 2'b00};
            sd_ba      <= bank;
        end else if (open_now) begin
            sd_command <= ACTIVATE;
            sd_a       <= open_here ? row : next_row;
        end else if (close_now) sd_command <= PRECHARGE;
        else if (close_all) begin
            sd_command <= PRECHARGE;
            sd_a       <= ALL_BANKS;
        end else if ((state == FIRST || state == SECOND || state == AGAIN) && may_act) sd_command <= REFRESH;
        else if (state == MODE && may_act) begin
            sd_command <= SET_MODE;
            sd_a       <= MODE_WORD;
            sd_ba      <= 2'd0;
        end

        if (write_pop) begin
            {sd_dqm, sd_dq_out} <= {~write_beat[65:64], write_beat[15:0]};
            rest <= {~write_beat[71:70], write_beat[63:48], ~write_beat[69:68], write_beat[47:32],
                     ~write_beat[67:66], write_beat[31:16]};
        end else begin
            {sd_dqm, sd_dq_out} <= driving[0] ? rest[17:0] : {2'b00, sd_dq_out};
            rest <= {18'd0, rest[53:18]};
        end
        driving     <= rst ? 3'b000 : write_pop ? 3'b111 : {1'b0, driving[2:1]};
        sd_dq_drive <= !rst && (write_pop || driving[0]);
        if (rst) sd_command <= 4'b1111;
    end

    // ------------------------------------------------------------------ data read
    reg [READ_DELAY+3:0] expected;
    reg [47:0]           earlier;
    always @(posedge clk) begin
        expected  <= rst ? {(READ_DELAY+4){1'b0}} : {expected[READ_DELAY+2:0], column_now && !is_write};
        earlier   <= {sd_dq_in, earlier[47:16]};
        read_push <= !rst && expected[READ_DELAY+3];
        read_data <= {sd_dq_in, earlier};
    end

`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            assert (!(write_pop && !write_valid));                         // data first, request then
            assert (!(load && {1'b0, request[7:4]} + {1'b0, request[3:0]} > 5'd15)); // inside its block
        end
`else
    wire unused = &{1'b0, write_valid};
`endif
endmodule
`default_nettype wire
