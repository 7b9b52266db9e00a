// SPDX-License-Identifier: Apache-2.0
//
// The guard lets nothing pass to a page that is not granted: by induction, for any page, under any bursts, settings and
// resets, with any memory that answers what it was asked. The page is one that no privileged packet names (what names
// it passes by right). What is granted is what the settings said that were complete; after rst nothing is.
//   - An address offered on the page means that the page is granted, for what its channel does; a burst lies in
//     its page.
//   - Write data passes only after an address that has passed, and as much as that said.
//   - While a burst has not been answered, nothing that is granted changes.
`default_nettype none

// In the table's place.
module guard_table #(
    parameter PAGES_LOG2 = 12
) (
    input  wire        clk,
    input  wire        look,
    input  wire [31:0] address,
    output wire        granted,
    input  wire        set_enable,
    input  wire [8:0]  set_row,
    input  wire        merge,
    input  wire [8:0]  merge_row,
    input  wire [31:0] merge_mask,
    input  wire        merge_bit
);
    (* anyconst *) wire [19:0] page;
    (* anyseq *)   wire        any;
    reg        any_other; // stands until the next lookup
    always @(posedge clk) if (look || set_enable) any_other <= any;
    wire       is_guarded, holds, is_known, page_granted, has_row, row_bit, has_looked, is_misused;
    wire [8:0] its_row;
    grants_page model (
        .clk(clk), .page(page), .look(look), .address(address), .set_enable(set_enable), .set_row(set_row),
        .merge(merge), .merge_row(merge_row), .merge_mask(merge_mask), .merge_bit(merge_bit),
        .is_guarded(is_guarded), .its_row(its_row), .holds(holds), .is_known(is_known), .granted(page_granted),
        .has_row(has_row), .row_bit(row_bit), .has_looked(has_looked), .is_misused(is_misused)
    );
    assign granted = is_known ? page_granted : any_other;
    always @(*) assert (!is_misused);
endmodule

module grants_guard (
    input wire        clk,
    input wire        rst_any,
    input wire        set_valid,
    input wire [13:0] set_first,
    input wire [13:0] set_count,
    input wire        set_read,
    input wire        set_write,
    input wire [31:0] s_in_address,
    input wire [7:0]  s_in_beats,
    input wire        s_in_user,
    input wire        s_in_valid,
    input wire [31:0] t_in_address,
    input wire [7:0]  t_in_beats,
    input wire        t_in_user,
    input wire        t_in_valid,
    input wire [31:0] w_in_address,
    input wire [7:0]  w_in_beats,
    input wire        w_in_user,
    input wire        w_in_valid,
    input wire        d_in_valid,
    input wire        d_in_last,
    input wire        b_in_ready,
    input wire        mark,
    input wire        s_arready,
    input wire        s_rvalid,
    input wire        s_rlast,
    input wire        t_arready,
    input wire        t_rvalid,
    input wire        t_rlast,
    input wire        w_awready,
    input wire        w_wready,
    input wire        w_bvalid
);
    (* anyconst *) wire [19:0] page;
    reg  first = 1'b1;
    wire rst = first || rst_any;
    always @(posedge clk) first <= 1'b0;

    // ------------------------------------------------------------------ the guard
    wire        set_ready, s_in_ready, t_in_ready, w_in_ready, d_in_ready, b_in_valid, s_arvalid, t_arvalid, w_awvalid;
    wire        w_wvalid, w_wlast, w_bready, w_is_local, s_in_last, s_in_comes, t_in_last, t_in_comes;
    wire [31:0] s_araddr, t_araddr, w_awaddr;
    wire [7:0]  s_arlen, t_arlen, w_awlen, s_in_data, t_in_data, w_wdata;
    wire [2:0]  s_arsize, t_arsize, w_awsize;
    wire [1:0]  s_in_resp, t_in_resp, b_in_resp;
    wire        w_wstrb;
    guard #(.DATA_WIDTH(8)) dut (
        .clk(clk), .rst(rst), .set_valid(set_valid), .set_ready(set_ready), .set_first(set_first),
        .set_count(set_count), .set_read(set_read), .set_write(set_write),
        .in_s_araddr(s_in_address), .in_s_arlen(s_in_beats), .in_s_arsize(3'd0), .in_s_aruser(s_in_user),
        .in_s_arvalid(s_in_valid), .in_s_arready(s_in_ready), .in_s_rdata(s_in_data), .in_s_rresp(s_in_resp),
        .in_s_rlast(s_in_last), .in_s_rvalid(s_in_comes),
        .in_t_araddr(t_in_address), .in_t_arlen(t_in_beats), .in_t_arsize(3'd0), .in_t_aruser(t_in_user),
        .in_t_arvalid(t_in_valid), .in_t_arready(t_in_ready), .in_t_rdata(t_in_data), .in_t_rresp(t_in_resp),
        .in_t_rlast(t_in_last), .in_t_rvalid(t_in_comes),
        .in_w_awaddr(w_in_address), .in_w_awlen(w_in_beats), .in_w_awsize(3'd0), .in_w_awuser(w_in_user),
        .in_w_awvalid(w_in_valid), .in_w_awready(w_in_ready), .in_w_wdata(8'd0), .in_w_wstrb(1'b1),
        .in_w_wlast(d_in_last), .in_w_wvalid(d_in_valid), .in_w_wready(d_in_ready), .in_w_bresp(b_in_resp),
        .in_w_bvalid(b_in_valid), .in_w_bready(b_in_ready),
        .s_araddr(s_araddr), .s_arlen(s_arlen), .s_arsize(s_arsize), .s_arvalid(s_arvalid), .s_arready(s_arready),
        .s_rdata(8'd0), .s_rresp(2'd0), .s_rlast(s_rlast), .s_rvalid(s_rvalid),
        .t_araddr(t_araddr), .t_arlen(t_arlen), .t_arsize(t_arsize), .t_arvalid(t_arvalid), .t_arready(t_arready),
        .t_rdata(8'd0), .t_rresp(2'd0), .t_rlast(t_rlast), .t_rvalid(t_rvalid),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awsize(w_awsize), .w_awvalid(w_awvalid), .w_awready(w_awready),
        .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wlast(w_wlast), .w_wvalid(w_wvalid), .w_wready(w_wready),
        .w_bresp(2'd0), .w_bvalid(w_bvalid), .w_bready(w_bready), .w_is_local(w_is_local)
    );

    // ------------------------------------------------------------------ what comes in
    grants_burst #(.GIVEN(1)) s_in (.valid(s_in_valid), .address(s_in_address), .beats(s_in_beats), .user(s_in_user),
                                    .page(page));
    grants_burst #(.GIVEN(1)) t_in (.valid(t_in_valid), .address(t_in_address), .beats(t_in_beats), .user(t_in_user),
                                    .page(page));
    grants_burst #(.GIVEN(1)) w_in (.valid(w_in_valid), .address(w_in_address), .beats(w_in_beats), .user(w_in_user),
                                    .page(page));
    wire       in_watching, out_watching;
    wire [7:0] in_open, in_before, in_length, in_beat, out_open, out_before, out_length, out_beat;
    grants_write_data #(.GIVEN(1)) d_in (
        .clk(clk), .rst(rst), .awvalid(w_in_valid), .awready(w_in_ready), .awlen(w_in_beats), .wvalid(d_in_valid),
        .wready(d_in_ready), .wlast(d_in_last), .mark(mark && !in_watching), .watching(in_watching), .open(in_open),
        .before(in_before), .length(in_length), .beat(in_beat)
    );
    grants_setting #(.GIVEN(1)) set (
        .clk(clk), .rst(rst), .valid(set_valid), .ready(set_ready), .first(set_first), .count(set_count),
        .may_read(set_read), .may_write(set_write)
    );

    // ------------------------------------------------------------------ what is granted
    reg         may_read, may_write;
    wire [3:0]  space    = page[19:16] - 4'd1;
    wire        has_bit  = space < 4'd3 && page[15:12] == 4'd0;
    wire [13:0] index    = {space[1:0], page[11:0]};
    wire [13:0] set_last = set_first + set_count - 14'd1;
    wire        is_named = has_bit && index >= set_first && index <= set_last;
    always @(posedge clk)
        if (rst) {may_read, may_write} <= 2'b00;
        else if (set_valid && set_ready && is_named) {may_read, may_write} <= {set_read, set_write};

    // ------------------------------------------------------------------ the memory: answers what it was asked
    reg [7:0] s_out, t_out, w_due; // bursts passed and not answered; writes whose data has come and no answer
    wire      s_ends = s_rvalid && s_rlast, t_ends = t_rvalid && t_rlast;
    wire      answers = w_bvalid && w_bready;
    always @(*) assume ((!s_rvalid || s_out != 8'd0) && (!t_rvalid || t_out != 8'd0) && (!w_bvalid || w_due != 8'd0));
    always @(posedge clk)
        if (rst) {s_out, t_out, w_due} <= 24'd0;
        else begin
            s_out <= s_out + {7'd0, s_arvalid && s_arready} - {7'd0, s_ends};
            t_out <= t_out + {7'd0, t_arvalid && t_arready} - {7'd0, t_ends};
            w_due <= w_due + {7'd0, w_wvalid && w_wready && w_wlast} - {7'd0, answers};
        end

    // ------------------------------------------------------------------ the claim
    grants_write_data #(.GIVEN(0)) d_out (
        .clk(clk), .rst(rst), .awvalid(w_awvalid), .awready(w_awready), .awlen(w_awlen), .wvalid(w_wvalid),
        .wready(w_wready), .wlast(w_wlast), .mark(is_watched), .watching(out_watching), .open(out_open),
        .before(out_before), .length(out_length), .beat(out_beat)
    );
    reg  is_watched;   // the burst in the stage is the one watched
    wire changes = set_valid && set_ready;
    always @(*) if (!rst) begin
        if (s_arvalid) assert (s_araddr[31:12] != page || may_read);
        if (t_arvalid) assert (t_araddr[31:12] != page || may_read);
        if (w_awvalid) assert (w_awaddr[31:12] != page || may_write);
        if (s_arvalid) assert ({5'd0, s_araddr[7:3]} + {2'd0, s_arlen} < 10'd32);
        if (t_arvalid) assert ({5'd0, t_araddr[7:3]} + {2'd0, t_arlen} < 10'd32);
        if (w_awvalid) assert ({5'd0, w_awaddr[7:3]} + {2'd0, w_awlen} < 10'd32);
        if (w_wvalid) assert (out_open != 8'd0);
        if (changes)
            assert ({s_out, t_out, out_open, w_due} == 32'd0 && !s_arvalid && !t_arvalid && !w_awvalid && !w_wvalid);
    end

    // ------------------------------------------------------------------ why: what holds inside
    (* hierconn *) wire        \dut.source.held ;
    (* hierconn *) wire        \dut.source.guarded ;
    (* hierconn *) wire        \dut.source.judged ;
    (* hierconn *) wire        \dut.source.judged_good ;
    (* hierconn *) wire [6:0]  \dut.source.outstanding ;
    (* hierconn *) wire [19:0] \dut.source.bits.page ;
    (* hierconn *) wire        \dut.source.bits.holds ;
    (* hierconn *) wire        \dut.source.bits.has_row ;
    (* hierconn *) wire        \dut.source.bits.row_bit ;
    (* hierconn *) wire        \dut.source.bits.has_looked ;
    (* hierconn *) wire        \dut.target.held ;
    (* hierconn *) wire        \dut.target.guarded ;
    (* hierconn *) wire        \dut.target.judged ;
    (* hierconn *) wire        \dut.target.judged_good ;
    (* hierconn *) wire [6:0]  \dut.target.outstanding ;
    (* hierconn *) wire [19:0] \dut.target.bits.page ;
    (* hierconn *) wire        \dut.target.bits.holds ;
    (* hierconn *) wire        \dut.target.bits.has_row ;
    (* hierconn *) wire        \dut.target.bits.row_bit ;
    (* hierconn *) wire        \dut.target.bits.has_looked ;
    (* hierconn *) wire        \dut.write.held ;
    (* hierconn *) wire        \dut.write.guarded ;
    (* hierconn *) wire        \dut.write.judged ;
    (* hierconn *) wire        \dut.write.judged_good ;
    (* hierconn *) wire [6:0]  \dut.write.outstanding ;
    (* hierconn *) wire [19:0] \dut.write.bits.page ;
    (* hierconn *) wire        \dut.write.bits.holds ;
    (* hierconn *) wire        \dut.write.bits.has_row ;
    (* hierconn *) wire        \dut.write.bits.row_bit ;
    (* hierconn *) wire        \dut.write.bits.has_looked ;
    (* hierconn *) wire        \dut.write.answering ;
    (* hierconn *) wire        \dut.write.refuses ;
    (* hierconn *) wire        \dut.write.granted ;
    (* hierconn *) wire [5:0]  \dut.write.open_level ;
    (* hierconn *) wire        \dut.sweeping ;
    (* hierconn *) wire        \dut.reading ;
    (* hierconn *) wire        \dut.merging ;
    (* hierconn *) wire        \dut.merge_last ;
    (* hierconn *) wire [8:0]  \dut.row ;
    (* hierconn *) wire [8:0]  \dut.merge_row ;
    (* hierconn *) wire [31:0] \dut.merge_mask ;
    (* hierconn *) wire [13:0] \dut.first ;
    (* hierconn *) wire [13:0] \dut.last ;
    wire        sweeping = \dut.sweeping , reading = \dut.reading , merging = \dut.merging ;
    wire [8:0]  row = \dut.row , merge_row = \dut.merge_row ;
    wire [13:0] from = \dut.first , to = \dut.last ;
    wire        is_in = has_bit && index >= from && index <= to;   // of what is being set
    wire        is_merged = is_in && merging && index[13:5] < merge_row;
    wire [31:0] mask = (merge_row == from[13:5] ? 32'hffffffff << from[4:0] : 32'hffffffff)
                     & (merge_row == to[13:5] ? 32'hffffffff >> (5'd31 - to[4:0]) : 32'hffffffff);
    wire        open_stage = \dut.write.held  && !\dut.write.answering ; // its data has not come
    always @(posedge clk)
        if (rst) is_watched <= 1'b0;
        else if (w_in_valid && w_in_ready) is_watched <= mark && !in_watching;
        else if (in_watching && in_before == 8'd0 && d_in_valid && d_in_ready && d_in_last) is_watched <= 1'b0;
        else if (w_awvalid && w_awready) is_watched <= 1'b0;
    always @(*) assume (\dut.source.bits.page  == page && \dut.target.bits.page  == page
                        && \dut.write.bits.page  == page);
    always @(*) if (!rst) begin
        // The setting.
        if (sweeping || reading || merging) begin
            assert (!\dut.source.held  && !\dut.target.held  && !\dut.write.held );
            assert ({\dut.source.outstanding , \dut.target.outstanding , \dut.write.outstanding } == 21'd0 || sweeping);
        end
        if (reading || merging)
            assert (from == (sweeping ? 14'd0 : set_first)
                    && to == (sweeping ? 14'd3 * 14'd4096 - 14'd1 : set_last));
        if (reading) assert (row >= from[13:5] && row <= to[13:5]);
        if (reading && !merging) assert (row == from[13:5]);
        if (reading && merging) assert (row == merge_row + 9'd1);
        if (merging) begin
            assert (merge_row >= from[13:5] && merge_row <= to[13:5]);
            assert (\dut.merge_last  == (merge_row == to[13:5]) && \dut.merge_last  == !reading);
            assert (\dut.merge_mask  == mask);
        end
        if (!sweeping && (reading || merging)) assert (set_valid);
        if (sweeping) assert (!may_read && !may_write);
        // The source channel.
        if (has_bit && (is_merged || !sweeping))
            assert (\dut.source.bits.holds  == (is_merged ? set_read && !sweeping : may_read));
        if (merging && has_bit && merge_row == index[13:5])
            assert (\dut.source.bits.has_row  && \dut.source.bits.row_bit  == \dut.source.bits.holds );
        if (\dut.source.held ) begin
            assert ({5'd0, s_araddr[7:3]} + {2'd0, s_arlen} < 10'd32);
            if (s_araddr[31:12] == page) begin
                assert (\dut.source.guarded  && \dut.source.bits.has_looked );
                if (has_bit) assert (\dut.source.bits.has_row  && \dut.source.bits.row_bit  == may_read);
                if (\dut.source.judged ) assert (\dut.source.judged_good  == (has_bit && may_read));
            end
        end
        if (\dut.source.judged ) assert (\dut.source.held );
        assert ({1'b0, \dut.source.outstanding } == s_out && s_out <= 8'd64);
        // The target channel.
        if (has_bit && (is_merged || !sweeping))
            assert (\dut.target.bits.holds  == (is_merged ? set_read && !sweeping : may_read));
        if (merging && has_bit && merge_row == index[13:5])
            assert (\dut.target.bits.has_row  && \dut.target.bits.row_bit  == \dut.target.bits.holds );
        if (\dut.target.held ) begin
            assert ({5'd0, t_araddr[7:3]} + {2'd0, t_arlen} < 10'd32);
            if (t_araddr[31:12] == page) begin
                assert (\dut.target.guarded  && \dut.target.bits.has_looked );
                if (has_bit) assert (\dut.target.bits.has_row  && \dut.target.bits.row_bit  == may_read);
                if (\dut.target.judged ) assert (\dut.target.judged_good  == (has_bit && may_read));
            end
        end
        if (\dut.target.judged ) assert (\dut.target.held );
        assert ({1'b0, \dut.target.outstanding } == t_out && t_out <= 8'd64);
        // The write channel.
        if (has_bit && (is_merged || !sweeping))
            assert (\dut.write.bits.holds  == (is_merged ? set_write && !sweeping : may_write));
        if (merging && has_bit && merge_row == index[13:5])
            assert (\dut.write.bits.has_row  && \dut.write.bits.row_bit  == \dut.write.bits.holds );
        if (\dut.write.held ) begin
            assert ({5'd0, w_awaddr[7:3]} + {2'd0, w_awlen} < 10'd32);
            if (w_awaddr[31:12] == page) begin
                assert (\dut.write.guarded  && \dut.write.bits.has_looked );
                if (has_bit) assert (\dut.write.bits.has_row  && \dut.write.bits.row_bit  == may_write);
                if (\dut.write.judged ) assert (\dut.write.judged_good  == (has_bit && may_write));
            end
        end
        if (\dut.write.judged ) assert (\dut.write.held );
        if (!has_bit) assert (!may_read && !may_write);
        // Write data: what has come in belongs to what has passed, or to the burst in the stage.
        assert ({2'd0, \dut.write.open_level } == out_open && out_open <= 8'd32);
        assert ({1'b0, \dut.write.outstanding } == out_open + w_due && out_open + w_due <= 8'd64 && w_due <= 8'd64);
        assert (in_open == out_open + {7'd0, open_stage});
        if (\dut.write.answering ) assert (\dut.write.refuses );
        if (in_watching) assert (in_before < in_open);
        if (out_open == 8'd0) assert (out_beat == 8'd0 && (in_beat == 8'd0 || \dut.write.refuses ));
        else assert (in_beat == out_beat);
        if (\dut.write.held  && \dut.write.guarded  && \dut.write.judged )
            assert (\dut.write.judged_good  == \dut.write.granted );
        if (\dut.write.answering ) assert (in_beat == 8'd0);
        if (is_watched) assert (in_watching && \dut.write.held  && !\dut.write.answering  && in_before == out_open
                                && in_length == w_awlen);
        if (out_watching) assert (in_watching && in_before == out_before && out_before < out_open
                                  && in_length == out_length);
        if (in_watching) assert (is_watched || out_watching);
        if (is_watched) assert (!out_watching);
        if (in_watching && in_before == 8'd0) assert (in_beat <= in_length);
    end
`ifdef REACH
    // Both bits were granted and taken back, and a write to the page has passed in between, a read has been refused.
    reg [2:0] seen = 3'd0;
    always @(posedge clk) if (!rst) begin
        if (w_awvalid && w_awready && w_awaddr[31:12] == page) seen[0] <= 1'b1;
        if (seen[0] && !may_write) seen[1] <= 1'b1;
        if (seen[1] && s_in_comes && s_in_last && s_in_resp == 2'b01) seen[2] <= 1'b1;
    end
    (* keep *) wire misses = !seen[2];
`endif
endmodule

`default_nettype wire
