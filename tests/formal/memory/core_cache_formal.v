// SPDX-License-Identifier: Apache-2.0
//
// A data cache of two sets, and everything around it free: what the core asks, when memory takes an address, brings a
// beat or an answer, and whether with an error; flushes whenever they like. One byte of the region is watched. A load
// of it that is answered without an error has its last store or what memory held; after a flush memory holds it; bursts
// stay inside the region and a line and are answered beat for beat; and under a memory that lets nothing wait for more
// than a cycle every access ends.
module core_cache_formal (
    input clk,
    input rst,
    input req, input we, input [7:6] tag, input half, input byte_enable, input [7:0] store,
    input flush, input fill_arready, input fill_rvalid, input [7:0] fill_byte, input fill_rerror,
    input back_done, input [7:6] watched_tag, input watched_half, input [7:0] initially
);
    // One byte of each beat is looked at, in one of the sets: the others do not know of each other, and lanes are the
    // bench's (tests/rtl/cache).
    wire [7:0]   address    = {tag, 1'b0, half, 4'd0};
    wire [3:0]   be         = {3'd0, byte_enable};
    wire [31:0]  wdata      = {24'd0, store};
    wire [127:0] fill_rdata = {120'd0, fill_byte};
    wire [7:0]   watched    = {watched_tag, 1'b0, watched_half, 4'd0};
    localparam LONGEST = 24;
    wire gnt, rvalid, err, empties, busy, fill_busy, fill_arvalid, back_valid;
    wire [31:0]  rdata;
    wire [7:0]   fill_araddr, fill_arlen;
    wire [7:5]   back_line;
    wire [127:0] back_data;
    wire hit, miss, stall;
    reg  [7:2]   watch;                     // the word: as `watched` was in the first cycle
    core_cache #(.DATA_WIDTH(128), .BYTES(128), .W_ADDRESS(8), .WRITES(1)) dut (
        .clk(clk), .rst(rst), .req(req), .gnt(gnt), .we(we), .address(address), .be(be), .wdata(wdata),
        .rvalid(rvalid), .rdata(rdata), .err(err), .flush(flush), .hold(1'b0), .restart(1'b0), .empties(empties),
        .busy(busy), .fill_busy(fill_busy), .fill_arvalid(fill_arvalid), .fill_araddr(fill_araddr),
        .fill_arlen(fill_arlen), .fill_arready(fill_arready), .fill_rvalid(fill_rvalid), .fill_rdata(fill_rdata),
        .fill_rerror(fill_rerror), .back_valid(back_valid), .back_line(back_line), .back_beat(watch[4]),
        .back_data(back_data), .back_done(back_done), .back_error(1'b0),
        .counts_hit(hit), .counts_miss(miss), .counts_stall(stall)
    );

    reg         first = 1'b1;
    reg  [7:0]  held, stored;               // the byte in memory; as the core knows it
    reg         open = 1'b0, is_we, is_watched;
    reg         is_be;
    reg  [7:0]  is_wdata;
    reg  [7:5]  is_line;
    // Beats asked for and not yet come, in order: the line's beat of each.
    reg  [1:0]  coming = 2'd0;
    reg         beat0, beat1;
    reg  [4:0]  waited = 5'd0;
    reg         ended = 1'b0;               // it has gone back to memory, changed
    reg         emptied = 1'b0, clean = 1'b0;
    wire [7:0]  back_word  = back_data[7:0];
    wire        fill_watch = is_line == watch[7:5] && beat0 == watch[4];
    wire        back_watch = back_valid && back_done && back_line == watch[7:5];
    wire        takes = fill_arvalid && fill_arready;

    always @(posedge clk) begin
        first <= 1'b0;
        if (first) begin
            assume (rst);
            watch  <= watched[7:2];
            held   <= initially;
            stored <= initially;
        end else begin
            assume (!rst);
            if (coming == 2'd0) assume (!fill_rvalid);
            if (!back_valid) assume (!back_done);
            if (fill_rvalid && fill_watch && !fill_rerror) assume (fill_byte == held);
            if (open && !rvalid) assume (!req);     // the core has one access open
`ifdef FAIR
            if (fill_arvalid) assume (fill_arready);
            if (coming != 2'd0) assume (fill_rvalid);
            if (back_valid) assume (back_done);
            assume (!flush);
`endif
            if (back_watch) held <= back_word;

            // Beats.
            if (takes) begin
                // A burst in one line: the line's two beats, from the wanted one on.
                assert (fill_araddr[7:5] == is_line && fill_araddr[3:0] == 4'd0);
                assert (fill_arlen <= 8'd1 && (fill_arlen == 8'd0 || !fill_araddr[4]));
                assert (coming == 2'd0 || (coming == 2'd1 && fill_arlen == 8'd0));
            end
            coming <= coming + (takes ? fill_arlen[1:0] + 2'd1 : 2'd0) - (fill_rvalid ? 2'd1 : 2'd0);
            if (fill_rvalid) beat0 <= beat1;
            if (takes && coming - (fill_rvalid ? 2'd1 : 2'd0) == 2'd0) begin
                beat0 <= fill_araddr[4];
                beat1 <= !fill_araddr[4];
            end else if (takes) beat1 <= fill_araddr[4];

            // Accesses.
            if (req && gnt) begin
                assert (!open || rvalid);
                {open, is_we, is_be, is_wdata, is_line} <= {1'b1, we, byte_enable, store, address[7:5]};
                is_watched <= address[7:2] == watch;
            end else if (rvalid) open <= 1'b0;
            if (rvalid) begin
                assert (open);
                if (is_watched && !is_we && !err) assert (rdata[7:0] == stored);
                if (is_watched && is_we && is_be && !err) stored <= is_wdata;
            end
            // A flush has ended: memory has it until the next store.
            emptied <= empties;
            if (req && gnt && we) clean <= 1'b0;
            else if (emptied && !empties && !(open && is_we)) clean <= 1'b1;
            if ((clean || (emptied && !empties)) && !(open && is_we)) assert (held == stored);
`ifdef FAIR
            waited <= open && !rvalid ? waited + 5'd1 : 5'd0;
            assert (waited < LONGEST);
`endif
`ifdef REACH
            // The word was stored, went back to memory and came again.
            assert (!(rvalid && !err && is_watched && !is_we && ended && stored != initially));
`endif
            if (back_watch && back_word != initially) ended <= 1'b1;
        end
    end
endmodule
