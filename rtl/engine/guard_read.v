// SPDX-License-Identifier: Apache-2.0
//
// A read channel of the guard (guard.v). The address waits in one register stage while the table answers.
`default_nettype none

module guard_read #(
    parameter DATA_WIDTH = 64,
    parameter PAGES_LOG2 = 12  // of the table
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  hold,      // accept nothing
    input  wire                  set_enable, // setting: see guard_table.v
    input  wire [PAGES_LOG2-4:0] set_row,
    input  wire                  merge,
    input  wire [PAGES_LOG2-4:0] merge_row,
    input  wire [31:0]           merge_mask,
    input  wire                  merge_bit,
    output wire                  is_empty,  // nothing accepted is unanswered
    // From the mover.
    input  wire [31:0]           in_araddr,
    input  wire [7:0]            in_arlen,
    input  wire [2:0]            in_arsize,
    input  wire                  in_aruser,
    input  wire                  in_arvalid,
    output wire                  in_arready,
    output wire [DATA_WIDTH-1:0] in_rdata,
    output wire [1:0]            in_rresp,
    output wire                  in_rlast,
    output wire                  in_rvalid,
    // To the memory.
    output reg  [31:0]           araddr,
    output reg  [7:0]            arlen,
    output reg  [2:0]            arsize,
    output wire                  arvalid,
    input  wire                  arready,
    input  wire [DATA_WIDTH-1:0] rdata,
    input  wire [1:0]            rresp,
    input  wire                  rlast,
    input  wire                  rvalid
);
    // ------------------------------------------------------------------ the stage
    reg  held, guarded;
    wire granted, leaves;
    wire take = in_arvalid && in_arready;
    assign in_arready = !hold && (!held || leaves);

    guard_table #(.PAGES_LOG2(PAGES_LOG2)) bits (
        .clk        (clk),
        .look       (take),
        .address    (in_araddr),
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
            araddr  <= in_araddr;
            arlen   <= in_arlen;
            arsize  <= in_arsize;
            guarded <= in_aruser;
        end
        if (rst) held <= 1'b0;
        else     held <= take || (held && !leaves);
    end

    // ------------------------------------------------------------------ passed or refused
    // What the table says of a guarded burst stands in a register before it is believed: a cycle more for such a burst.
    reg       judged, judged_good;
    wire      may_pass = !guarded || (judged && judged_good);
    always @(posedge clk) begin
        judged      <= held && !leaves && !rst;
        judged_good <= granted;
    end
    reg [6:0] outstanding; // bursts passed and not answered
    wire      full     = outstanding[6];
    wire      passes   = arvalid && arready;
    wire      ends     = rvalid && rlast;
    assign arvalid = held && may_pass && !full;
    assign is_empty = !held && outstanding == 7'd0;

    // A refused burst is answered from the stage, when nothing before it is outstanding.
    wire       refuses = held && guarded && judged && !judged_good && outstanding == 7'd0;
    reg  [7:0] beat;
    wire       refused = refuses && beat == arlen;
    assign     leaves  = passes || refused;
    always @(posedge clk) begin
        if (rst || !refuses || refused) beat <= 8'd0;
        else                            beat <= beat + 8'd1;
        if (rst)                  outstanding <= 7'd0;
        else if (passes && !ends) outstanding <= outstanding + 7'd1;
        else if (ends && !passes) outstanding <= outstanding - 7'd1;
    end

    assign in_rdata  = rdata;
    assign in_rresp  = refuses ? 2'b01 : rresp;
    assign in_rlast  = refuses ? refused : rlast;
    assign in_rvalid = refuses || rvalid;

`ifdef GPU_ASSERT
    // Data only for bursts that passed, never in the middle of a refusal; a burst offered to memory stays.
    reg        was_offered;
    reg [31:0] old_address;
    always @(posedge clk) begin
        was_offered <= !rst && arvalid && !arready;
        old_address <= araddr;
        if (!rst) begin
            assert (!rvalid || outstanding != 7'd0);
            assert (!(refuses && rvalid));
            assert (!was_offered || (arvalid && araddr == old_address));
        end
    end
`endif
endmodule

`default_nettype wire
