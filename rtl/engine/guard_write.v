// SPDX-License-Identifier: Apache-2.0
//
// The write channel of the guard (guard.v). The address waits in one register stage while the table answers. Data
// passes only after memory has taken its burst's address.
`default_nettype none

module guard_write #(
    parameter DATA_WIDTH = 64,
    parameter PAGES_LOG2 = 12  // of the table
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    hold,      // accept nothing
    input  wire                    set_enable, // setting: see guard_table.v
    input  wire [PAGES_LOG2-4:0]   set_row,
    input  wire                    merge,
    input  wire [PAGES_LOG2-4:0]   merge_row,
    input  wire [31:0]             merge_mask,
    input  wire                    merge_bit,
    output wire                    is_empty,  // nothing accepted is unanswered
    // From the mover.
    input  wire [31:0]             in_awaddr,
    input  wire [7:0]              in_awlen,
    input  wire [2:0]              in_awsize,
    input  wire                    in_awuser,
    input  wire                    in_awvalid,
    output wire                    in_awready,
    input  wire [DATA_WIDTH-1:0]   in_wdata,
    input  wire [DATA_WIDTH/8-1:0] in_wstrb,
    input  wire                    in_wlast,
    input  wire                    in_wvalid,
    output wire                    in_wready,
    output wire [1:0]              in_bresp,
    output wire                    in_bvalid,
    input  wire                    in_bready,
    // To the memory.
    output reg  [31:0]             awaddr,
    output reg  [7:0]              awlen,
    output reg  [2:0]              awsize,
    output wire                    awvalid,
    input  wire                    awready,
    output wire [DATA_WIDTH-1:0]   wdata,
    output wire [DATA_WIDTH/8-1:0] wstrb,
    output wire                    wlast,
    output wire                    wvalid,
    input  wire                    wready,
    input  wire [1:0]              bresp,
    input  wire                    bvalid,
    output wire                    bready,
    // The burst whose data passes now goes to segment 1 or 2.
    output wire                    is_local
);
`include "gpu_spec.vh"

    // ------------------------------------------------------------------ the stage
    reg  held, guarded;
    wire granted, leaves;
    wire take = in_awvalid && in_awready;
    assign in_awready = !hold && (!held || leaves);

    guard_table #(.PAGES_LOG2(PAGES_LOG2)) bits (
        .clk        (clk),
        .look       (take),
        .address    (in_awaddr),
        .granted    (granted),
        .set_enable (set_enable),
        .set_row    (set_row),
        .merge      (merge),
        .merge_row  (merge_row),
        .merge_mask (merge_mask),
        .merge_bit  (merge_bit)
    );

    always @(posedge clk) begin
        if (take) begin
            awaddr  <= in_awaddr;
            awlen   <= in_awlen;
            awsize  <= in_awsize;
            guarded <= in_awuser;
        end
        if (rst) held <= 1'b0;
        else     held <= take || (held && !leaves);
    end

    // ------------------------------------------------------------------ passed
    // `open` holds the bursts whose address has passed and whose data has not: local or not.
    // What the table says of a guarded burst stands in a register before it is believed: a cycle more for such a burst.
    reg        judged, judged_good;
    wire       may_pass = !guarded || (judged && judged_good);
    always @(posedge clk) begin
        judged      <= held && !leaves && !rst;
        judged_good <= granted;
    end
    reg [6:0]  outstanding; // passed and not answered
    wire       open_ready, open_valid;
    wire [5:0] open_level;
    wire       passes   = awvalid && awready;
    wire       data_ends = wvalid && wready && wlast;
    assign awvalid = held && may_pass && open_ready && !outstanding[6];
    assign is_empty = !held && outstanding == 7'd0;
    fabric_fifo #(.WIDTH(1), .DEPTH(32)) open (
        .clk        (clk),
        .rst        (rst),
        .put_valid  (passes),
        .put_ready  (open_ready),
        .put_data   (awaddr < LIMIT_ADDR_APERTURE),
        .take_valid (open_valid),
        .take_ready (data_ends),
        .take_data  (is_local),
        .level      (open_level)
    );

    // ------------------------------------------------------------------ refused
    // When nothing before it is outstanding: swallow the data, then answer.
    reg  answering;
    wire refuses   = held && guarded && judged && !judged_good && outstanding == 7'd0;
    wire swallows  = refuses && !answering && in_wvalid;
    wire refused   = answering && in_bready;
    assign leaves  = passes || refused;
    wire answered  = bvalid && bready;
    always @(posedge clk) begin
        if (rst || refused)                answering <= 1'b0;
        else if (swallows && in_wlast)     answering <= 1'b1;
        if (rst)                           outstanding <= 7'd0;
        else if (passes && !answered)      outstanding <= outstanding + 7'd1;
        else if (answered && !passes)      outstanding <= outstanding - 7'd1;
    end

    assign wdata       = in_wdata;
    assign wstrb       = in_wstrb;
    assign wlast       = in_wlast;
    assign wvalid      = in_wvalid && open_valid;
    assign in_wready   = open_valid ? wready : refuses && !answering;
    assign in_bvalid   = answering || bvalid;
    assign in_bresp    = answering ? 2'b01 : bresp;
    assign bready      = in_bready;

    wire unused = &{1'b0, open_level, 1'b0};

`ifdef GPU_ASSERT
    // Answers only for bursts that passed, none during a refusal; data of a refused burst never passes; a
    // burst offered to memory stays.
    reg        was_offered;
    reg [31:0] old_address;
    always @(posedge clk) begin
        was_offered <= !rst && awvalid && !awready;
        old_address <= awaddr;
        if (!rst) begin
            assert (!bvalid || outstanding != 7'd0);
            assert (!(refuses && (bvalid || wvalid)));
            assert (!was_offered || (awvalid && awaddr == old_address));
        end
    end
`endif
endmodule

`default_nettype wire
