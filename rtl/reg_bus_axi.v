// SPDX-License-Identifier: Apache-2.0
//
// The host's door to the chip: an AXI4-Lite slave in front of the register bus.
//
// AW, W and AR have a buffer of one entry each. So an address may come before, with or after its data, and a read and
// a write may be under way together. Requests go to the bus one at a time, reads and writes in turn, at least two
// cycles apart (host_regs.v needs that for LOAD_DATA). A write with strobes off answers SLVERR and changes nothing.
// The two low address bits are ignored. Reads answer OKAY.
`default_nettype none
module reg_bus_axi (
    input  wire        clk,
    input  wire        rst,

    // AXI4-Lite: ready does not wait for valid; an answer stays until it is taken.
    input  wire [11:0] h_awaddr,
    input  wire        h_awvalid,
    output wire        h_awready,
    input  wire [31:0] h_wdata,
    input  wire [3:0]  h_wstrb,
    input  wire        h_wvalid,
    output wire        h_wready,
    output wire [1:0]  h_bresp,
    output reg         h_bvalid,
    input  wire        h_bready,
    input  wire [11:0] h_araddr,
    input  wire        h_arvalid,
    output wire        h_arready,
    output reg  [31:0] h_rdata,
    output wire [1:0]  h_rresp,
    output reg         h_rvalid,
    input  wire        h_rready,

    // Register bus: req with stable payload until gnt; bus_rdata is valid in the cycle after gnt.
    output wire        bus_req,
    output wire        bus_we,
    output wire [11:0] bus_address,
    output wire [31:0] bus_wdata,
    input  wire        bus_gnt,
    input  wire [31:0] bus_rdata
);
    // ------------------------------------------------------------------ buffers
    reg        aw_full, w_full, ar_full;
    reg [11:2] aw_word, ar_word;
    reg [31:0] w_data;
    reg        w_whole;             // all four strobes were on

    assign h_awready = !aw_full;
    assign h_wready  = !w_full;
    assign h_arready = !ar_full;

    // ------------------------------------------------------------------ whose turn
    reg  answering;                 // the cycle after a grant
    reg  answering_read;
    reg  write_refused;
    reg  chosen, chosen_write;      // a request is on the bus until granted
    reg  last_was_write;

    wire can_write = aw_full && w_full && !h_bvalid;
    wire can_read  = ar_full && !h_rvalid;
    wire write_now = can_write && (!can_read || !last_was_write);
    wire is_refused = chosen && chosen_write && !w_whole;
    wire finished  = (bus_req && bus_gnt) || is_refused;

    assign bus_req     = chosen && !is_refused;
    assign bus_we      = chosen_write;
    assign bus_address = {chosen_write ? aw_word : ar_word, 2'b00};
    assign bus_wdata   = w_data;

    reg [1:0] bresp;
    assign h_bresp = bresp;
    assign h_rresp = 2'b00;

    always @(posedge clk)
        if (rst) begin
            {aw_full, w_full, ar_full} <= 3'b000;
            {answering, answering_read, write_refused} <= 3'b000;
            {chosen, chosen_write, last_was_write} <= 3'b000;
            {h_bvalid, h_rvalid} <= 2'b00;
            bresp <= 2'b00;
        end else begin
            if (h_awvalid && h_awready) begin aw_full <= 1'b1; aw_word <= h_awaddr[11:2]; end
            if (h_wvalid && h_wready) begin w_full <= 1'b1; w_data <= h_wdata; w_whole <= &h_wstrb; end
            if (h_arvalid && h_arready) begin ar_full <= 1'b1; ar_word <= h_araddr[11:2]; end
            if (h_bvalid && h_bready) h_bvalid <= 1'b0;
            if (h_rvalid && h_rready) h_rvalid <= 1'b0;

            if (!chosen && !answering && (can_write || can_read)) begin
                chosen       <= 1'b1;
                chosen_write <= write_now;
            end
            answering <= finished;
            if (finished) begin
                chosen         <= 1'b0;
                answering_read <= !chosen_write;
                write_refused  <= is_refused;
                last_was_write <= chosen_write;
                if (chosen_write) begin aw_full <= 1'b0; w_full <= 1'b0; end
                else ar_full <= 1'b0;
            end
            if (answering && answering_read) begin h_rvalid <= 1'b1; h_rdata <= bus_rdata; end
            if (answering && !answering_read) begin h_bvalid <= 1'b1; bresp <= {write_refused, 1'b0}; end
        end

    // ------------------------------------------------------------------ assertions
`ifdef GPU_ASSERT
    reg        b_waited, r_waited;
    reg [31:0] r_data_before;
    always @(posedge clk) begin
        b_waited      <= !rst && h_bvalid && !h_bready;
        r_waited      <= !rst && h_rvalid && !h_rready;
        r_data_before <= h_rdata;
        // An answer stays, unchanged, until it is taken.
        if (!rst && b_waited) assert (h_bvalid);
        if (!rst && r_waited) assert (h_rvalid && h_rdata == r_data_before);
        // A grant is only given to a request.
        if (!rst && bus_gnt) assert (bus_req);
    end
`endif
    wire unused = &{1'b0, h_awaddr[1:0], h_araddr[1:0]};
endmodule
`default_nettype wire
