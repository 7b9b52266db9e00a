// SPDX-License-Identifier: Apache-2.0
//
// The guard: what unprivileged bursts of one node may touch.
//
// A table has a read bit and a write bit for each page of segment 1, segment 2 and the aperture (3 x 4096). Bursts
// with user = 1 are looked up, one burst a cycle in each of three channels, a cycle each. Bursts with user = 0 pass.
// One bit decides, because bursts do not cross a page. A refused burst does not reach memory. When everything before
// it in its channel is answered, it is answered here: reads with all their beats, with response 1 (EXOKAY, which no
// memory gives). After rst the table clears itself; bursts wait 400 cycles. Setting it holds back new bursts and waits
// for the answers of the others. So every beat belongs to a burst that was granted under the present table.
`default_nettype none

module guard #(
    parameter DATA_WIDTH = 64
) (
    input  wire                    clk,
    input  wire                    rst,

    // Setting: pages set_first .. set_first + set_count - 1 (guard index, count not zero, inside the table)
    // get the two bits. Held with set_valid until set_ready.
    input  wire                    set_valid,
    output wire                    set_ready,
    input  wire [13:0]             set_first,
    input  wire [13:0]             set_count,
    input  wire                    set_read,
    input  wire                    set_write,

    // From the mover: AXI4, one id, INCR bursts inside a page; read data is always taken at once.
    input  wire [31:0]             in_s_araddr,
    input  wire [7:0]              in_s_arlen,
    input  wire [2:0]              in_s_arsize,
    input  wire                    in_s_aruser,
    input  wire                    in_s_arvalid,
    output wire                    in_s_arready,
    output wire [DATA_WIDTH-1:0]   in_s_rdata,
    output wire [1:0]              in_s_rresp,
    output wire                    in_s_rlast,
    output wire                    in_s_rvalid,
    input  wire [31:0]             in_t_araddr,
    input  wire [7:0]              in_t_arlen,
    input  wire [2:0]              in_t_arsize,
    input  wire                    in_t_aruser,
    input  wire                    in_t_arvalid,
    output wire                    in_t_arready,
    output wire [DATA_WIDTH-1:0]   in_t_rdata,
    output wire [1:0]              in_t_rresp,
    output wire                    in_t_rlast,
    output wire                    in_t_rvalid,
    input  wire [31:0]             in_w_awaddr,
    input  wire [7:0]              in_w_awlen,
    input  wire [2:0]              in_w_awsize,
    input  wire                    in_w_awuser,
    input  wire                    in_w_awvalid,
    output wire                    in_w_awready,
    input  wire [DATA_WIDTH-1:0]   in_w_wdata,
    input  wire [DATA_WIDTH/8-1:0] in_w_wstrb,
    input  wire                    in_w_wlast,
    input  wire                    in_w_wvalid,
    output wire                    in_w_wready,
    output wire [1:0]              in_w_bresp,
    output wire                    in_w_bvalid,
    input  wire                    in_w_bready,

    // To the memory: the granted bursts; data of a write never before its address was taken.
    output wire [31:0]             s_araddr,
    output wire [7:0]              s_arlen,
    output wire [2:0]              s_arsize,
    output wire                    s_arvalid,
    input  wire                    s_arready,
    input  wire [DATA_WIDTH-1:0]   s_rdata,
    input  wire [1:0]              s_rresp,
    input  wire                    s_rlast,
    input  wire                    s_rvalid,
    output wire [31:0]             t_araddr,
    output wire [7:0]              t_arlen,
    output wire [2:0]              t_arsize,
    output wire                    t_arvalid,
    input  wire                    t_arready,
    input  wire [DATA_WIDTH-1:0]   t_rdata,
    input  wire [1:0]              t_rresp,
    input  wire                    t_rlast,
    input  wire                    t_rvalid,
    output wire [31:0]             w_awaddr,
    output wire [7:0]              w_awlen,
    output wire [2:0]              w_awsize,
    output wire                    w_awvalid,
    input  wire                    w_awready,
    output wire [DATA_WIDTH-1:0]   w_wdata,
    output wire [DATA_WIDTH/8-1:0] w_wstrb,
    output wire                    w_wlast,
    output wire                    w_wvalid,
    input  wire                    w_wready,
    input  wire [1:0]              w_bresp,
    input  wire                    w_bvalid,
    output wire                    w_bready,

    // For the byte counters: the write burst whose data passes now goes to segment 1 or 2.
    output wire                    w_is_local
);
`include "gpu_spec.vh"
    localparam [13:0] PAGES = 14'd3 * LIMIT_GUARD_SPACE_PAGES[13:0];

    // ------------------------------------------------------------------ setting
    // A row of the table holds 32 pages. Rows are read in one cycle and written in the next, one per cycle.
    reg         sweeping;          // clearing everything after rst
    reg         reading;           // rows are being read ...
    reg  [8:0]  row;               // ... this one
    wire        busy    = sweeping || set_valid;
    reg  [13:0] first, last;       // pages, found out before the first row is read
    always @(posedge clk)
        if (!reading) begin
            first <= sweeping ? 14'd0 : set_first;
            last  <= sweeping ? PAGES - 14'd1 : set_first + set_count - 14'd1;
        end
    wire        at_last = row == last[13:5];
    wire [31:0] mask    = (row == first[13:5] ? 32'hffffffff << first[4:0] : 32'hffffffff)
                        & (at_last            ? 32'hffffffff >> (5'd31 - last[4:0]) : 32'hffffffff);

    reg         merging;           // the row read in the cycle before is written back
    reg  [8:0]  merge_row;
    reg  [31:0] merge_mask;
    reg         merge_last;
    wire        source_empty, target_empty, write_empty; // nothing accepted is unanswered
    wire        is_empty = source_empty && target_empty && write_empty;
    always @(posedge clk) begin
        if (!reading && !merging && busy && is_empty) begin
            reading <= 1'b1;
            row     <= sweeping ? 9'd0 : set_first[13:5];
        end else if (reading) begin
            reading <= !at_last;
            row     <= row + 9'd1;
        end
        merging    <= reading;
        merge_row  <= row;
        merge_mask <= mask;
        merge_last <= at_last;
        if (merging && merge_last) sweeping <= 1'b0;
        if (rst) begin
            sweeping <= 1'b1;
            reading  <= 1'b0;
            merging  <= 1'b0;
        end
    end
    assign set_ready = merging && merge_last && !sweeping;
    wire   hold      = busy || reading || merging;

    // ------------------------------------------------------------------ channels
    guard_read #(.DATA_WIDTH(DATA_WIDTH)) source (
        .clk        (clk),
        .rst        (rst),
        .hold       (hold),
        .set_enable (reading),
        .set_row    (row),
        .merge      (merging),
        .merge_row  (merge_row),
        .merge_mask (merge_mask),
        .merge_bit  (set_read && !sweeping),
        .is_empty   (source_empty),
        .in_araddr  (in_s_araddr),
        .in_arlen   (in_s_arlen),
        .in_arsize  (in_s_arsize),
        .in_aruser  (in_s_aruser),
        .in_arvalid (in_s_arvalid),
        .in_arready (in_s_arready),
        .in_rdata   (in_s_rdata),
        .in_rresp   (in_s_rresp),
        .in_rlast   (in_s_rlast),
        .in_rvalid  (in_s_rvalid),
        .araddr     (s_araddr),
        .arlen      (s_arlen),
        .arsize     (s_arsize),
        .arvalid    (s_arvalid),
        .arready    (s_arready),
        .rdata      (s_rdata),
        .rresp      (s_rresp),
        .rlast      (s_rlast),
        .rvalid     (s_rvalid)
    );

    guard_read #(.DATA_WIDTH(DATA_WIDTH)) target (
        .clk        (clk),
        .rst        (rst),
        .hold       (hold),
        .set_enable (reading),
        .set_row    (row),
        .merge      (merging),
        .merge_row  (merge_row),
        .merge_mask (merge_mask),
        .merge_bit  (set_read && !sweeping),
        .is_empty   (target_empty),
        .in_araddr  (in_t_araddr),
        .in_arlen   (in_t_arlen),
        .in_arsize  (in_t_arsize),
        .in_aruser  (in_t_aruser),
        .in_arvalid (in_t_arvalid),
        .in_arready (in_t_arready),
        .in_rdata   (in_t_rdata),
        .in_rresp   (in_t_rresp),
        .in_rlast   (in_t_rlast),
        .in_rvalid  (in_t_rvalid),
        .araddr     (t_araddr),
        .arlen      (t_arlen),
        .arsize     (t_arsize),
        .arvalid    (t_arvalid),
        .arready    (t_arready),
        .rdata      (t_rdata),
        .rresp      (t_rresp),
        .rlast      (t_rlast),
        .rvalid     (t_rvalid)
    );

    guard_write #(.DATA_WIDTH(DATA_WIDTH)) write (
        .clk        (clk),
        .rst        (rst),
        .hold       (hold),
        .set_enable (reading),
        .set_row    (row),
        .merge      (merging),
        .merge_row  (merge_row),
        .merge_mask (merge_mask),
        .merge_bit  (set_write && !sweeping),
        .is_empty   (write_empty),
        .in_awaddr  (in_w_awaddr),
        .in_awlen   (in_w_awlen),
        .in_awsize  (in_w_awsize),
        .in_awuser  (in_w_awuser),
        .in_awvalid (in_w_awvalid),
        .in_awready (in_w_awready),
        .in_wdata   (in_w_wdata),
        .in_wstrb   (in_w_wstrb),
        .in_wlast   (in_w_wlast),
        .in_wvalid  (in_w_wvalid),
        .in_wready  (in_w_wready),
        .in_bresp   (in_w_bresp),
        .in_bvalid  (in_w_bvalid),
        .in_bready  (in_w_bready),
        .awaddr     (w_awaddr),
        .awlen      (w_awlen),
        .awsize     (w_awsize),
        .awvalid    (w_awvalid),
        .awready    (w_awready),
        .wdata      (w_wdata),
        .wstrb      (w_wstrb),
        .wlast      (w_wlast),
        .wvalid     (w_wvalid),
        .wready     (w_wready),
        .bresp      (w_bresp),
        .bvalid     (w_bvalid),
        .bready     (w_bready),
        .is_local   (w_is_local)
    );

`ifdef GPU_ASSERT
    // Ranges lie inside the table.
    always @(posedge clk)
        if (!rst && set_valid)
            assert (set_count != 14'd0 && {1'b0, set_first} + {1'b0, set_count} <= {1'b0, PAGES});
`endif
endmodule

`default_nettype wire
