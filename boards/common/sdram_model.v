// SPDX-License-Identifier: Apache-2.0
//
// An SDR SDRAM as the data sheets describe it, of 16 bits (MT48LC16M16A2 and its kin: 4 banks, 13 row and 9 column
// bits) or 32 (M12L64322A, EM638325: 11 and 8), for simulation. Every rule that a controller must keep is an assertion
// here, in cycles computed from nanoseconds: power-up order, tRCD, tRP, tRAS, tRC, tRRD, tRFC, tMRD, tWR, a row open
// for each column command, bursts never cut, refreshes often enough, nothing driving the data bus against anybody.
//
// It works on the controller's clock: what the controller's registers show in a cycle is what it sees.
`default_nettype none

module sdram_model #(
    parameter WIDTH       = 16,        // or 32
    parameter PERIOD_PS   = 10000,     // of clk
    parameter INIT_NS     = 200000,    // power-up wait demanded; a simulation may shorten it
    parameter CAS_LATENCY = 3,         // 1 .. 7
    parameter ROW_BITS    = 13,        // fewer make a smaller memory: rows wrap
    parameter REFRESHES   = 8192       // demanded in 64 ms
) (
    input  wire        clk,
    input  wire        rst,            // power-on
    input  wire [3:0]  command,        // cs_n, ras_n, cas_n, we_n
    input  wire [12:0] a,
    input  wire [1:0]  ba,
    input  wire [WIDTH/8-1:0] dqm,
    input  wire [WIDTH-1:0] dq_in,
    input  wire        dq_drive,       // the controller drives the bus
    output reg  [WIDTH-1:0] dq_out     // as an input register shows it: CAS_LATENCY + 1 after READ
);
    localparam [3:0] NOP = 4'b0111, ACTIVATE = 4'b0011, READ = 4'b0101, WRITE = 4'b0100, PRECHARGE = 4'b0010,
                     REFRESH = 4'b0001, SET_MODE = 4'b0000;
    localparam integer T_RCD = (20000 + PERIOD_PS - 1) / PERIOD_PS, T_RP = T_RCD,
                       T_RAS = (44000 + PERIOD_PS - 1) / PERIOD_PS, T_RC = (66000 + PERIOD_PS - 1) / PERIOD_PS,
                       T_RFC = T_RC, T_WR = (15000 + PERIOD_PS - 1) / PERIOD_PS,
                       T_RRD = T_WR, T_MRD = 2,
                       T_INIT = INIT_NS * 1000 / PERIOD_PS,
                       WINDOW = 64000000 / REFRESHES * 8000 / PERIOD_PS; // of 8 refreshes
    localparam integer LONG_AGO = -1000;
    localparam WORDS = 64 / WIDTH;     // of a burst
    localparam COLUMN_BITS = WIDTH == 16 ? 9 : 8;
    localparam INDEX = ROW_BITS + 2 + COLUMN_BITS;
    localparam [12:0] MODE_WORD = {6'b000000, CAS_LATENCY[2:0], 1'b0, WORDS == 4 ? 3'b010 : 3'b001}; // sequential

    reg [WIDTH-1:0] memory [0:(1<<INDEX)-1]; // {row, bank, column}: in order of byte addresses

    integer    now, refreshed, window_start, window_refreshes;
    integer    activated [0:3];
    integer    precharged [0:3];
    integer    written [0:3];          // the cycle of the last data
    reg [1:0]  setup_refreshes;
    reg        mode_set, cleared;
    integer    mode_at, activated_last;
    integer    read_at [0:3];          // the cycle of the last READ
    reg [3:0]  is_open;
    reg [12:0] row [0:3];
    integer    i;

    reg [INDEX-1:0] at;                // of the burst under way
    reg [1:0]       left;              // its words to come
    reg             is_write;
    reg [WIDTH:0]   pipe [0:7];        // {valid, word}: what the memory will put on the bus
    reg        was_driven = 1'b0;
    wire [12:0]      row_here = row[ba];
    wire             unused   = &{1'b0, row_here};
    wire [INDEX-1:0] start    = {row_here[ROW_BITS-1:0], ba, a[COLUMN_BITS-1:0]};
    wire             column   = command == READ || command == WRITE;

    always @(posedge clk)
        if (rst) begin
            now              <= 0;
            refreshed        <= LONG_AGO;
            window_start     <= 0;
            window_refreshes <= 0;
            setup_refreshes  <= 2'd0;
            mode_set         <= 1'b0;
            cleared          <= 1'b0;
            mode_at          <= LONG_AGO;
            activated_last   <= LONG_AGO;
            is_open          <= 4'd0;
            left             <= 2'd0;
            dq_out           <= {WIDTH{1'b0}};
            for (i = 0; i < 4; i = i + 1) begin
                activated[i]  <= LONG_AGO;
                precharged[i] <= LONG_AGO;
                written[i]    <= LONG_AGO;
                read_at[i]    <= LONG_AGO;
            end
            for (i = 0; i < 8; i = i + 1) pipe[i] <= {(WIDTH+1){1'b0}};
        end else begin
            now <= now + 1;
            if (mode_set && now - window_start >= WINDOW) begin
                assert (window_refreshes >= 7);
                window_start     <= now;
                window_refreshes <= 0;
            end

            // ---------------------------------------------------------- commands
            if (command != NOP && !command[3]) begin
                assert (now >= T_INIT);
                assert (now - refreshed >= T_RFC);
                assert (now - mode_at >= T_MRD);
            end
            case (command)
                ACTIVATE: begin
                    assert (mode_set && !is_open[ba]);
                    assert (now - precharged[ba] >= T_RP);
                    assert (now - activated[ba] >= T_RC);
                    assert (now - activated_last >= T_RRD);
                    activated_last <= now;
                    is_open[ba]   <= 1'b1;
                    row[ba]       <= a;
                    activated[ba] <= now;
                end
                READ, WRITE: begin
                    assert (mode_set && is_open[ba]);
                    assert (now - activated[ba] >= T_RCD);
                    // No automatic precharge, whole bursts.
                    assert (a >> COLUMN_BITS == 13'd0 && !a[0] && (WORDS == 2 || !a[1]));
                    assert (left == 2'd0);
                    if (command == READ) read_at[ba] <= now;
                end
                PRECHARGE: begin
                    if (a[10]) cleared <= 1'b1;
                    for (i = 0; i < 4; i = i + 1)
                        if (a[10] || ba == i[1:0]) begin
                            if (is_open[i]) begin
                                assert (now - activated[i] >= T_RAS);
                                assert (now - written[i] >= T_WR);
                                assert (now - read_at[i] >= WORDS + 1 - CAS_LATENCY); // or its last words do not come
                            end
                            precharged[i] <= now;
                            is_open[i]    <= 1'b0;
                        end
                end
                REFRESH: begin
                    assert (cleared && is_open == 4'd0);
                    for (i = 0; i < 4; i = i + 1) assert (now - precharged[i] >= T_RP);
                    refreshed        <= now;
                    window_refreshes <= window_refreshes + 1;
                    if (setup_refreshes != 2'd2) setup_refreshes <= setup_refreshes + 2'd1;
                end
                SET_MODE: begin
                    assert (setup_refreshes == 2'd2 && is_open == 4'd0);
                    assert (a == MODE_WORD);
                    mode_set         <= 1'b1;
                    mode_at          <= now;
                    window_start     <= now;
                    window_refreshes <= 0;
                end
                default: assert (command == NOP || command[3]);
            endcase

            // ---------------------------------------------------------- data
            if (column) begin
                at       <= start + {{(INDEX-1){1'b0}}, 1'b1};
                left     <= WORDS[1:0] - 2'd1;
                is_write <= command == WRITE;
            end else if (left != 2'd0) begin
                at   <= at + {{(INDEX-1){1'b0}}, 1'b1};
                left <= left - 2'd1;
            end
            if (command == WRITE) begin
                assert (dq_drive);
                for (i = 0; i < WIDTH / 8; i = i + 1) if (!dqm[i]) memory[start][8*i +: 8] <= dq_in[8*i +: 8];
                written[ba] <= now + WORDS - 1;
            end else if (left != 2'd0 && is_write) begin
                assert (dq_drive);
                for (i = 0; i < WIDTH / 8; i = i + 1) if (!dqm[i]) memory[at][8*i +: 8] <= dq_in[8*i +: 8];
            end
            for (i = 0; i < 7; i = i + 1) pipe[i] <= pipe[i+1];
            pipe[7] <= {(WIDTH+1){1'b0}};
            if (command == READ) pipe[CAS_LATENCY-1] <= {1'b1, memory[start]};
            else if (left != 2'd0 && !is_write) pipe[CAS_LATENCY-1] <= {1'b1, memory[at]};
            dq_out <= pipe[0][WIDTH] ? pipe[0][WIDTH-1:0] : {WIDTH/16{16'hdead}};
            // The bus rests a cycle between the chip's last word and the controller's first.
            was_driven <= pipe[0][WIDTH];
            assert (!((pipe[0][WIDTH] || was_driven) && dq_drive));
        end
endmodule
`default_nettype wire
