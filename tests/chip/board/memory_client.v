// SPDX-License-Identifier: Apache-2.0
//
// One master of the memory bench: writes random bursts with random strobes and pauses into a region of its own,
// reads each back at once, and compares every byte with what it knows. One round in sixteen leaves the
// port's window and must be answered DECERR. Stops after ROUNDS.
`default_nettype none

module memory_client #(
    parameter        ROUNDS  = 200,
    parameter [31:0] REGION  = 0,        // byte address of 16 KB, as the port sees it
    parameter [31:0] OUTSIDE = 0,        // first byte behind the port's window
    parameter        LOG2_MOST = 6,      // bursts have at most 2**this beats
    parameter [31:0] SEED    = 1
) (
    input  wire        clk,
    input  wire        rst,
    output reg  [31:0] araddr,
    output reg  [7:0]  arlen,
    output reg         arvalid,
    input  wire        arready,
    input  wire [63:0] rdata,
    input  wire [1:0]  rresp,
    input  wire        rlast,
    input  wire        rvalid,
    output reg  [31:0] awaddr,
    output reg  [7:0]  awlen,
    output reg         awvalid,
    input  wire        awready,
    output reg  [63:0] wdata,
    output reg  [7:0]  wstrb,
    output reg         wvalid,
    input  wire        wready,
    input  wire [1:0]  bresp,
    input  wire        bvalid,
    output wire        bready,
    output reg         done,
    output reg  [31:0] errors,
    output reg  [31:0] beats
);
    reg [63:0] shadow [0:2047];
    reg [63:0] random;
    always @(posedge clk)
        if (rst) random <= {SEED, ~SEED} ^ 64'h9e3779b97f4a7c15;
        else random <= {random[62:0], random[63] ^ random[62] ^ random[60] ^ random[59]} ^ {random[7:0], 56'd0};

    localparam [2:0] START = 3'd0, CHOOSE = 3'd1, WRITE = 3'd2, ANSWER = 3'd3, READ = 3'd4, STOP = 3'd5;
    reg [2:0]  state;
    reg [10:0] at, first;
    reg [7:0]  length, left;
    reg        outside, filling;
    reg [31:0] rounds;
    wire [10:0] most    = (11'd1 << LOG2_MOST) - 11'd1;
    wire [10:0] begin_  = random[30:20];
    wire [10:0] room    = 11'd2047 - begin_;
    wire [10:0] wanted  = random[10:0] & most;
    wire [11:0] spare   = {1'b0, room} - {1'b0, wanted};
    wire [7:0]  chosen  = spare[11] ? room[7:0] : wanted[7:0];
    wire [63:0] known   = shadow[at];
    wire        unused  = &{1'b0, spare[10:0]};
    integer b;

    assign bready = 1'b1;
    always @(posedge clk)
        if (rst) begin
            state   <= START;
            arvalid <= 1'b0;
            awvalid <= 1'b0;
            wvalid  <= 1'b0;
            done    <= 1'b0;
            errors  <= 0;
            beats   <= 0;
            rounds  <= 0;
            first   <= 0;
        end else begin
            if (arready) arvalid <= 1'b0;
            if (awready) awvalid <= 1'b0;
            if (wready)  wvalid  <= 1'b0;
            case (state)
                // The whole region once, so that every byte is known.
                START: begin
                    filling <= 1'b1;
                    outside <= 1'b0;
                    awvalid <= 1'b1;
                    awaddr  <= REGION + {18'd0, first, 3'd0};
                    awlen   <= 8'd63;
                    at      <= first;
                    left    <= 8'd63;
                    length  <= 8'd63;
                    state   <= WRITE;
                end
                CHOOSE: begin
                    filling <= 1'b0;
                    outside <= random[40:37] == 4'd0;
                    first   <= begin_;
                    at      <= begin_;
                    length  <= chosen;
                    left    <= chosen;
                    awvalid <= 1'b1;
                    awlen   <= chosen;
                    awaddr  <= random[40:37] == 4'd0 ? OUTSIDE - ({24'd0, chosen} << 3)
                                                     : REGION + {18'd0, begin_, 3'd0};
                    state   <= WRITE;
                end
                WRITE: if ((!wvalid || wready) && (random[3:0] != 4'd0)) begin
                    wvalid <= 1'b1;
                    wdata  <= random ^ {random[31:0], random[63:32]} ^ {53'd0, at};
                    wstrb  <= filling ? 8'hff : random[50:43] | {8{random[51]}};
                    if (!outside)
                        for (b = 0; b < 8; b = b + 1)
                            if (filling || random[43+b] || random[51])
                                shadow[at][8*b +: 8] <= (random[8*b +: 8]) ^ (random[(8*b+32)%64 +: 8]) ^
                                                        (b == 0 ? at[7:0] : b == 1 ? {5'd0, at[10:8]} : 8'd0);
                    at   <= at + 11'd1;
                    left <= left - 8'd1;
                    if (left == 8'd0) state <= ANSWER;
                end
                ANSWER: if (bvalid) begin
                    if (bresp != (outside ? 2'b11 : 2'b00)) errors <= errors + 1;
                    at    <= first;
                    left  <= length;
                    state <= READ;
                    if (filling) begin
                        first <= first + 11'd64;
                        state <= first == 11'd1984 ? CHOOSE : START;
                    end else begin
                        arvalid <= 1'b1;
                        arlen   <= length;
                        araddr  <= outside ? OUTSIDE : REGION + {18'd0, first, 3'd0};
                    end
                end
                READ: if (rvalid) begin
                    if (outside ? rresp != 2'b11 : rresp != 2'b00 || rdata != known) errors <= errors + 1;
                    if (rlast != (left == 8'd0)) errors <= errors + 1;
                    at    <= at + 11'd1;
                    left  <= left - 8'd1;
                    beats <= beats + 1;
                    if (left == 8'd0) begin
                        rounds <= rounds + 1;
                        state  <= rounds == ROUNDS - 1 ? STOP : CHOOSE;
                    end
                end
                default: done <= 1'b1;
            endcase
            if (rvalid && state != READ) errors <= errors + 1;
        end
endmodule
`default_nettype wire
