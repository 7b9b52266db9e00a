// SPDX-License-Identifier: Apache-2.0
//
// Between the mover and the guard: what comes to the guard is the mover's with its user bit, or a TOUCH read or a read
// of a list, which only a privileged packet starts. By induction, with the real node_data, node_touch, node_list and
// node_share; node_actions, the mover and the guard are cut off and keep to grants_contracts.v.
`default_nettype none

module grants_data #(
    parameter NODE   = 0
) (
    input wire        clk,
    input wire        rst_any,
    input wire        privileged,
    input wire        is_busy,
    input wire         abort,
    input wire         cmd_valid,
    input wire [3:0]   cmd_op,
    input wire [31:0]  cmd_source,
    input wire [31:0]  cmd_target,
    input wire [31:0]  cmd_row_bytes,
    input wire [15:0]  cmd_rows,
    input wire [15:0]  cmd_source_pitch,
    input wire [15:0]  cmd_target_pitch,
    input wire         cmd_reverse,
    input wire         cmd_barrier,
    input wire [31:0]  cmd_pattern,
    input wire [2:0]   cmd_mode,
    input wire [2:0]   cmd_source_format,
    input wire [2:0]   cmd_target_format,
    input wire         cmd_premultiplied,
    input wire         cmd_keyed,
    input wire         cmd_coloured,
    input wire [7:0]   cmd_rop,
    input wire [23:0]  cmd_key,
    input wire [15:0]  cmd_units,
    input wire [7:0]   cmd_tag,
    input wire         cmd_user,
    input wire         cmd_mapped,
    input wire [2:0]   cmd_sampling,
    input wire         affine_push,
    input wire [31:0]  affine_word,
    input wire         act_start,
    input wire         act_cancel,
    input wire [127:0] packet,
    input wire [19:0]  page_bound,
    input wire         map_ready,
    input wire         s_arready,
    input wire [63:0]  s_rdata,
    input wire [1:0]   s_rresp,
    input wire         s_rlast,
    input wire         s_rvalid,
    input wire         t_arready,
    input wire [63:0]  t_rdata,
    input wire [1:0]   t_rresp,
    input wire         t_rlast,
    input wire         t_rvalid,
    input wire         w_awready,
    input wire         w_wready,
    input wire [1:0]   w_bresp,
    input wire         w_bvalid
);
    (* anyconst *) wire [19:0] page;
    reg  first = 1'b1;
    wire rst = first || rst_any;
    always @(posedge clk) first <= 1'b0;
    wire         mover_idle;
    wire         cmd_ready;
    wire         done_valid;
    wire [7:0]   done_tag;
    wire [7:0]   done_fault;
    wire [31:0]  done_address;
    wire         stall_read;
    wire         stall_write;
    wire         stall_drain;
    wire         acting;
    wire         act_is_firm;
    wire         act_done;
    wire         act_has_failed;
    wire [7:0]   act_failed_code;
    wire [31:0]  act_failed_address;
    wire         map_valid;
    wire [15:0]  map_first;
    wire [15:0]  map_count;
    wire [19:0]  map_frame;
    wire         map_increment;
    wire         map_mapped;
    wire         map_coherent;
    wire [31:0]  s_araddr;
    wire [7:0]   s_arlen;
    wire [2:0]   s_arsize;
    wire         s_arvalid;
    wire [31:0]  t_araddr;
    wire [7:0]   t_arlen;
    wire [2:0]   t_arsize;
    wire         t_arvalid;
    wire [31:0]  w_awaddr;
    wire [7:0]   w_awlen;
    wire [2:0]   w_awsize;
    wire         w_awvalid;
    wire [63:0]  w_wdata;
    wire [7:0]   w_wstrb;
    wire         w_wlast;
    wire         w_wvalid;
    wire         w_bready;
    wire         w_is_local;
    node_data #(.NODE(NODE)) data (
        .clk(clk), .rst(rst), .abort(abort), .mover_idle(mover_idle), .cmd_valid(cmd_valid), .cmd_ready(cmd_ready),
        .cmd_op(cmd_op), .cmd_source(cmd_source), .cmd_target(cmd_target), .cmd_row_bytes(cmd_row_bytes),
        .cmd_rows(cmd_rows), .cmd_source_pitch(cmd_source_pitch), .cmd_target_pitch(cmd_target_pitch),
        .cmd_reverse(cmd_reverse),
        .cmd_barrier(cmd_barrier), .cmd_pattern(cmd_pattern), .cmd_mode(cmd_mode),
        .cmd_source_format(cmd_source_format), .cmd_mask(8'd0),
        .cmd_target_format(cmd_target_format), .cmd_premultiplied(cmd_premultiplied), .cmd_keyed(cmd_keyed),
        .cmd_coloured(cmd_coloured),
        .cmd_rop(cmd_rop), .cmd_key(cmd_key), .cmd_units(cmd_units), .cmd_tag(cmd_tag), .cmd_user(cmd_user),
        .cmd_mapped(cmd_mapped), .cmd_sampling(cmd_sampling), .affine_push(affine_push),
        .affine_word(affine_word),
        .done_valid(done_valid), .done_tag(done_tag), .done_fault(done_fault), .done_address(done_address),
        .stall_read(stall_read),
        .stall_write(stall_write), .stall_drain(stall_drain), .act_start(act_start), .act_cancel(act_cancel),
        .packet(packet), .acting(acting), .act_is_firm(act_is_firm), .act_done(act_done),
        .act_has_failed(act_has_failed), .act_failed_code(act_failed_code), .act_failed_address(act_failed_address),
        .page_bound(page_bound), .map_valid(map_valid), .map_ready(map_ready), .map_first(map_first),
        .map_count(map_count), .map_frame(map_frame), .map_increment(map_increment), .map_mapped(map_mapped),
        .map_coherent(map_coherent),
        .s_araddr(s_araddr),
        .s_arlen(s_arlen), .s_arsize(s_arsize), .s_arvalid(s_arvalid), .s_arready(s_arready), .s_rdata(s_rdata),
        .s_rresp(s_rresp), .s_rlast(s_rlast), .s_rvalid(s_rvalid), .t_araddr(t_araddr), .t_arlen(t_arlen),
        .t_arsize(t_arsize),
        .t_arvalid(t_arvalid), .t_arready(t_arready), .t_rdata(t_rdata), .t_rresp(t_rresp), .t_rlast(t_rlast),
        .t_rvalid(t_rvalid),
        .w_awaddr(w_awaddr), .w_awlen(w_awlen), .w_awsize(w_awsize), .w_awvalid(w_awvalid), .w_awready(w_awready),
        .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wlast(w_wlast), .w_wvalid(w_wvalid), .w_wready(w_wready),
        .w_bresp(w_bresp),
        .w_bvalid(w_bvalid), .w_bready(w_bready), .w_is_local(w_is_local)
    );

    // ------------------------------------------------------------------ ports of its parts
    (* hierconn *) wire         \data.touch_start ;
    (* hierconn *) wire         \data.touch_done ;
    (* hierconn *) wire [31:0]  \data.touch_address ;
    (* hierconn *) wire [3:0]   \data.touch_bytes ;
    (* hierconn *) wire         \data.list_start ;
    (* hierconn *) wire         \data.guard_valid ;
    (* hierconn *) wire         \data.guard_ready ;
    (* hierconn *) wire [13:0]  \data.guard_first ;
    (* hierconn *) wire [13:0]  \data.guard_count ;
    (* hierconn *) wire         \data.guard_read ;
    (* hierconn *) wire         \data.guard_write ;
    (* hierconn *) wire         \data.moves_idle ;
    (* hierconn *) wire         \data.post_valid ;
    (* hierconn *) wire         \data.post_ready ;
    (* hierconn *) wire [254:0] \data.post ;
    (* hierconn *) wire         \data.posted ;
    (* hierconn *) wire [31:0]  \data.source_araddr ;
    (* hierconn *) wire [7:0]   \data.source_arlen ;
    (* hierconn *) wire         \data.source_aruser ;
    (* hierconn *) wire         \data.source_arvalid ;
    (* hierconn *) wire [31:0]  \data.target_araddr ;
    (* hierconn *) wire [7:0]   \data.target_arlen ;
    (* hierconn *) wire         \data.target_aruser ;
    (* hierconn *) wire         \data.target_arvalid ;
    (* hierconn *) wire [31:0]  \data.write_awaddr ;
    (* hierconn *) wire [7:0]   \data.write_awlen ;
    (* hierconn *) wire         \data.write_awuser ;
    (* hierconn *) wire         \data.write_awvalid ;
    (* hierconn *) wire [31:0]  \data.list_araddr ;
    (* hierconn *) wire         \data.list_arvalid ;
    (* hierconn *) wire         \data.list_cmd_valid ;
    (* hierconn *) wire         \data.touch_busy ;
    (* hierconn *) wire         \data.touch_arvalid ;
    (* hierconn *) wire [31:0]  \data.touch_araddr ;
    (* hierconn *) wire         \data.list_idle ;
    (* hierconn *) wire         \data.list_moves ;
    (* hierconn *) wire [31:0]  \data.grants.in_s_araddr ;
    (* hierconn *) wire [7:0]   \data.grants.in_s_arlen ;
    (* hierconn *) wire         \data.grants.in_s_aruser ;
    (* hierconn *) wire         \data.grants.in_s_arvalid ;
    (* hierconn *) wire [31:0]  \data.grants.in_t_araddr ;
    (* hierconn *) wire [7:0]   \data.grants.in_t_arlen ;
    (* hierconn *) wire         \data.grants.in_t_aruser ;
    (* hierconn *) wire         \data.grants.in_t_arvalid ;
    (* hierconn *) wire [31:0]  \data.grants.in_w_awaddr ;
    (* hierconn *) wire [7:0]   \data.grants.in_w_awlen ;
    (* hierconn *) wire         \data.grants.in_w_awuser ;
    (* hierconn *) wire         \data.grants.in_w_awvalid ;
    (* hierconn *) wire         \data.grants.in_w_awready ;
    (* hierconn *) wire         \data.grants.in_w_wvalid ;
    (* hierconn *) wire         \data.grants.in_w_wready ;
    (* hierconn *) wire         \data.grants.in_w_wlast ;
    (* hierconn *) wire         \data.grants.set_valid ;
    (* hierconn *) wire         \data.grants.set_ready ;
    (* hierconn *) wire [13:0]  \data.grants.set_first ;
    (* hierconn *) wire [13:0]  \data.grants.set_count ;
    (* hierconn *) wire         \data.grants.set_read ;
    (* hierconn *) wire         \data.grants.set_write ;
    (* hierconn *) wire [31:0]  \data.grants.s_araddr ;
    (* hierconn *) wire [7:0]   \data.grants.s_arlen ;
    (* hierconn *) wire         \data.grants.s_arvalid ;
    (* hierconn *) wire [31:0]  \data.grants.t_araddr ;
    (* hierconn *) wire [7:0]   \data.grants.t_arlen ;
    (* hierconn *) wire         \data.grants.t_arvalid ;
    (* hierconn *) wire [31:0]  \data.grants.w_awaddr ;
    (* hierconn *) wire [7:0]   \data.grants.w_awlen ;
    (* hierconn *) wire         \data.grants.w_awvalid ;
    (* hierconn *) wire         \data.grants.w_wvalid ;
    (* hierconn *) wire         \data.grants.w_wlast ;
    (* hierconn *) wire         \data.moves.w_wvalid ;
    (* hierconn *) wire         \data.moves.w_wready ;
    (* hierconn *) wire         \data.moves.w_wlast ;
    (* hierconn *) wire         \data.moves.w_awready ;
    (* hierconn *) wire         \data.moves.cmd_user ;
    (* hierconn *) wire         \data.moves.abort ;
    (* hierconn *) wire         \data.palette_start ;
    (* hierconn *) wire         \data.palette_done ;
    (* hierconn *) wire         \data.moves.load_start ;
    (* hierconn *) wire         \data.moves.load_done ;
    (* hierconn *) wire [23:0]  \data.moves.load_source ;

    // ------------------------------------------------------------------ what execution gives
    grants_origin #(.GIVEN(1)) origin (
        .rst(rst), .privileged(privileged), .cmd_valid(cmd_valid), .cmd_user(cmd_user),
        .touch_start(\data.touch_start ), .list_start(\data.list_start ),
        .guard_valid(\data.guard_valid ), .is_busy(is_busy)
    );
    grants_setting #(.GIVEN(1)) setting (
        .clk(clk), .rst(rst), .valid(\data.guard_valid ), .ready(\data.guard_ready ), .first(\data.guard_first ),
        .count(\data.guard_count ), .may_read(\data.guard_read ), .may_write(\data.guard_write )
    );
    grants_abort #(.GIVEN(1)) aborts (.clk(clk), .rst(rst), .abort(abort), .idle(mover_idle), .cmd_valid(cmd_valid));

    wire load_open, given_open;
    grants_load #(.GIVEN(1)) load (
        .clk(clk), .rst(rst), .start(\data.palette_start ), .done(\data.palette_done ), .source(packet[63:40]),
        .abort(abort), .cmd_valid(cmd_valid || \data.list_cmd_valid ), .stands(\data.posted ), .open(load_open)
    );

    // ------------------------------------------------------------------ what the mover takes and gives
    grants_load #(.GIVEN(0)) load_given (
        .clk(clk), .rst(rst), .start(\data.moves.load_start ), .done(\data.moves.load_done ),
        .source(\data.moves.load_source ), .abort(\data.moves.abort ), .cmd_valid(\data.post_valid ), .stands(1'b0),
        .open(given_open)
    );
    grants_command #(.GIVEN(0), .WIDTH(255)) command (
        .clk(clk), .rst(rst), .abort(\data.moves.abort ), .idle(\data.moves_idle ), .valid(\data.post_valid ),
        .ready(\data.post_ready ), .command(\data.post )
    );
    grants_burst #(.GIVEN(1)) s_moves (.valid(\data.source_arvalid ), .address(\data.source_araddr ),
                                       .beats(\data.source_arlen ), .user(\data.source_aruser ), .page(page));
    grants_burst #(.GIVEN(1)) t_moves (.valid(\data.target_arvalid ), .address(\data.target_araddr ),
                                       .beats(\data.target_arlen ), .user(\data.target_aruser ), .page(page));
    grants_burst #(.GIVEN(1)) w_moves (.valid(\data.write_awvalid ), .address(\data.write_awaddr ),
                                       .beats(\data.write_awlen ), .user(\data.write_awuser ), .page(page));

    // No TOUCH and no list names the page. They begin with a start, which is a privileged packet's.
    reg         touched, listed;       // since then
    reg  [31:0] touch_from, touch_to;  // its bytes
    always @(posedge clk) begin
        if (\data.touch_start ) begin
            touched    <= privileged;
            touch_from <= \data.touch_address ;
            touch_to   <= \data.touch_address  + {28'd0, \data.touch_bytes } - 32'd1;
        end
        if (\data.list_start ) listed <= privileged;
        if (rst) {touched, listed} <= 2'b00;
    end
    wire touch_open;
    grants_touch #(.GIVEN(1)) touch_operands (
        .clk(clk), .rst(rst), .start(\data.touch_start ), .done(\data.touch_done ), .address(\data.touch_address ),
        .bytes(\data.touch_bytes ), .open(touch_open)
    );
    always @(*) if (!rst) begin
        if (\data.touch_start  || touch_open)
            assume (\data.touch_address [31:12] != page && page != touch_last[31:12]);
        if (\data.list_arvalid ) assume (\data.list_araddr [31:12] != page);
    end
    wire [31:0] touch_last = \data.touch_address  + {28'd0, \data.touch_bytes } - 32'd1;

    // ------------------------------------------------------------------ the claim: what the guard is given
    grants_burst #(.GIVEN(0)) s_given (.valid(!rst && \data.grants.in_s_arvalid ), .address(\data.grants.in_s_araddr ),
        .beats(\data.grants.in_s_arlen ), .user(\data.grants.in_s_aruser ), .page(page));
    grants_burst #(.GIVEN(0)) t_given (.valid(!rst && \data.grants.in_t_arvalid ), .address(\data.grants.in_t_araddr ),
        .beats(\data.grants.in_t_arlen ), .user(\data.grants.in_t_aruser ), .page(page));
    grants_burst #(.GIVEN(0)) w_given (.valid(!rst && \data.grants.in_w_awvalid ), .address(\data.grants.in_w_awaddr ),
        .beats(\data.grants.in_w_awlen ), .user(\data.grants.in_w_awuser ), .page(page));
    grants_setting #(.GIVEN(0)) set_given (
        .clk(clk), .rst(rst), .valid(\data.grants.set_valid ), .ready(\data.grants.set_ready ),
        .first(\data.grants.set_first ), .count(\data.grants.set_count ), .may_read(\data.grants.set_read ),
        .may_write(\data.grants.set_write )
    );
    // The bits set are the packet's; write data and bursts are only handed on.
    always @(*) if (!rst) begin
        assert ({\data.grants.set_valid , \data.guard_ready , \data.grants.set_first , \data.grants.set_count ,
                 \data.grants.set_read , \data.grants.set_write }
                == {\data.guard_valid , \data.grants.set_ready , \data.guard_first , \data.guard_count ,
                    \data.guard_read , \data.guard_write });
        assert ({\data.grants.in_w_wvalid , \data.grants.in_w_wlast , \data.moves.w_wready , \data.moves.w_awready }
                == {\data.moves.w_wvalid , \data.moves.w_wlast , \data.grants.in_w_wready ,
                \data.grants.in_w_awready });
        assert ({s_arvalid, s_araddr, s_arlen} == {\data.grants.s_arvalid , \data.grants.s_araddr ,
            \data.grants.s_arlen });
        assert ({t_arvalid, t_araddr, t_arlen} == {\data.grants.t_arvalid , \data.grants.t_araddr ,
            \data.grants.t_arlen });
        assert ({w_awvalid, w_awaddr, w_awlen} == {\data.grants.w_awvalid , \data.grants.w_awaddr ,
            \data.grants.w_awlen });
        assert ({w_wvalid, w_wlast} == {\data.grants.w_wvalid , \data.grants.w_wlast });
        // A command taken keeps its user bit; a list's has the packet's.
        if (posted_d1) assert (\data.moves.cmd_user  == user_d1);
        if (\data.touch_busy ) assert (touched);
        if (\data.list_arvalid  || !\data.list_idle ) assert (listed);
    end
    reg posted_d1 = 1'b0, user_d1;
    always @(posedge clk) begin
        posted_d1 <= !rst && !abort && cmd_ready && (cmd_valid || \data.list_cmd_valid );
        user_d1   <= cmd_user;
    end

    // ------------------------------------------------------------------ why: what holds inside
    always @(*) if (!rst) assert (given_open == load_open);
    (* hierconn *) wire        \aborts.abort_d1 ;
    (* hierconn *) wire        \command.rests ;
    (* hierconn *) wire        \data.touch.asking ;
    (* hierconn *) wire        \data.touch.waiting ;
    (* hierconn *) wire        \data.touch.finished ;
    (* hierconn *) wire [31:0] \data.touch.word ;
    wire [31:0] word = \data.touch.word ;
    always @(*) if (!rst) begin
        assert (!(\data.touch.asking  && \data.touch.waiting ));
        if (\data.touch.asking  || \data.touch.waiting ) begin
            assert (touch_open && !\data.touch.finished );
            assert (word[31:3] == touch_from[31:3] || word[31:3] == touch_to[31:3]);
        end
        if (abort && \aborts.abort_d1  && mover_idle) assert (\command.rests );
        if (\data.touch.finished ) assert (touch_open);
        if (touch_open) assert (\data.touch_address  == touch_from && touch_last == touch_to);
        if (touch_open) assert (\data.touch.asking  || \data.touch.waiting  || \data.touch.finished );
    end
`ifdef REACH
    reg seen = 1'b0;
    always @(posedge clk) if (!rst && \data.grants.in_s_arvalid  && \data.touch_busy
        && \data.touch_arvalid ) seen <= 1'b1;
    (* keep *) wire misses = !(seen && \data.post_valid  && \data.moves.cmd_user );
`endif
endmodule

`default_nettype wire
