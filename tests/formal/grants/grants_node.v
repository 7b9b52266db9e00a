// SPDX-License-Identifier: Apache-2.0
//
// Who may what in a node: by induction, whatever words come, with any register writes, PAUSE, RESET and rst at any
// time, and any mover that completes its commands in order. The node is the real one; mover, guard, TOUCH, walks of
// lists, the fetch of words and the assembly of packets are cut off and keep only to grants_contracts.v.
//   - A command that the guard will not look at, a TOUCH read, the walk of a list and a setting of the guard come from
//     a packet of the ring or of a RUN with PRIVILEGED. The RUN is the one at hand. Of what is carried out alone, an
//     unprivileged RUN has its palettes loaded and nothing else.
//   - The guard is set only when every command given to the mover is complete, and its operands stand until it is done.
//   - Abort stands until the mover is idle.
`default_nettype none

module grants_node #(
    parameter NODE   = 0
) (
    input wire        clk,
    input wire        rst_any,
    input wire         reg_write,
    input wire [7:0]   reg_offset,
    input wire [31:0]  reg_wdata,
    input wire         fetch_gnt,
    input wire         fetch_rvalid,
    input wire [31:0]  fetch_rdata,
    input wire [31:0]  other_fence,
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
`include "gpu_spec.vh"
`include "config.vh"
    reg  first = 1'b1;
    wire rst = first || rst_any;
    always @(posedge clk) first <= 1'b0;
    wire [31:0]  reg_rdata;
    wire         irq;
    wire         fetch_req;
    wire [15:0]  fetch_address;
    wire [31:0]  fence;
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
    wire         probe_begin;
    wire         probe_end;
    wire [15:0]  probe_offset;
    wire [7:0]   probe_opcode;
    node #(.NODE(NODE)) node (
        .clk(clk), .rst(rst), .reg_write(reg_write), .reg_offset(reg_offset), .reg_wdata(reg_wdata),
        .reg_rdata(reg_rdata),
        .irq(irq), .fetch_req(fetch_req), .fetch_gnt(fetch_gnt), .fetch_address(fetch_address),
        .fetch_rvalid(fetch_rvalid),
        .fetch_rdata(fetch_rdata), .fence(fence), .other_fence(other_fence), .map_valid(map_valid),
        .map_ready(map_ready),
        .map_first(map_first), .map_count(map_count), .map_frame(map_frame), .map_increment(map_increment),
        .map_mapped(map_mapped),
        .map_coherent(map_coherent), .s_araddr(s_araddr), .s_arlen(s_arlen), .s_arsize(s_arsize), .s_arvalid(s_arvalid),
        .s_arready(s_arready), .s_rdata(s_rdata), .s_rresp(s_rresp), .s_rlast(s_rlast), .s_rvalid(s_rvalid),
        .t_araddr(t_araddr),
        .t_arlen(t_arlen), .t_arsize(t_arsize), .t_arvalid(t_arvalid), .t_arready(t_arready), .t_rdata(t_rdata),
        .t_rresp(t_rresp), .t_rlast(t_rlast), .t_rvalid(t_rvalid), .w_awaddr(w_awaddr), .w_awlen(w_awlen),
        .w_awsize(w_awsize),
        .w_awvalid(w_awvalid), .w_awready(w_awready), .w_wdata(w_wdata), .w_wstrb(w_wstrb), .w_wlast(w_wlast),
        .w_wvalid(w_wvalid),
        .w_wready(w_wready), .w_bresp(w_bresp), .w_bvalid(w_bvalid), .w_bready(w_bready), .probe_begin(probe_begin),
        .probe_end(probe_end), .probe_offset(probe_offset), .probe_opcode(probe_opcode)
    );

    // ------------------------------------------------------------------ ports of its parts
    (* hierconn *) wire         \node.abort ;
    (* hierconn *) wire         \node.mover_idle ;
    (* hierconn *) wire         \node.cmd_valid ;
    (* hierconn *) wire         \node.cmd_ready ;
    (* hierconn *) wire         \node.cmd_user ;
    (* hierconn *) wire         \node.done_valid ;
    (* hierconn *) wire         \node.data.touch_start ;
    (* hierconn *) wire         \node.data.touch_done ;
    (* hierconn *) wire [31:0]  \node.data.touch_address ;
    (* hierconn *) wire [3:0]   \node.data.touch_bytes ;
    (* hierconn *) wire         \node.data.list_start ;
    (* hierconn *) wire         \node.data.palette_start ;
    (* hierconn *) wire         \node.data.palette_done ;
    (* hierconn *) wire         \node.data.guard_valid ;
    (* hierconn *) wire         \node.data.guard_ready ;
    (* hierconn *) wire [13:0]  \node.data.guard_first ;
    (* hierconn *) wire [13:0]  \node.data.guard_count ;
    (* hierconn *) wire         \node.data.guard_read ;
    (* hierconn *) wire         \node.data.guard_write ;
    (* hierconn *) wire         \node.packet_valid ;
    (* hierconn *) wire         \node.packet_ready ;
    (* hierconn *) wire [191:0] \node.packet ;
    (* hierconn *) wire         \node.packet_in_run ;
    (* hierconn *) wire         \node.packet_run_last ;
    (* hierconn *) wire         \node.packet_truncated ;
    (* hierconn *) wire [4:0]   \node.retire.packets.executes ;
    (* hierconn *) wire         \node.retire.packets.oldest_executes ;
    (* hierconn *) wire         \node.retire.packets.youngest_executes ;
    (* hierconn *) wire         \node.execute.run_active ;
    (* hierconn *) wire         \node.execute.run_starts ;
    wire        starts = \node.execute.run_starts ;
    (* hierconn *) wire         \node.execute.finds_fault ;
    (* hierconn *) wire         \node.execute.is_legal ;
    (* hierconn *) wire [7:0]   \node.execute.finds_to_do ;
    (* hierconn *) wire         \node.put_valid ;
    (* hierconn *) wire         \node.restart ;
    (* hierconn *) wire [14:0]  \node.restart_words ;
    (* hierconn *) wire         \packets.has_range ;
    (* hierconn *) wire         \packets.taken ;
    (* hierconn *) wire         \node.clear ;
    wire [31:0] word0 = \node.packet [31:0];
    wire        takes_run = \node.packet_valid  && \node.packet_ready  && !\node.packet_in_run  && word0[7:0]
        == PKT_RUN;
    reg         run_privileged;      // of the RUN taken last
    always @(posedge clk) if (takes_run) run_privileged <= word0[PKT_RUN_PRIVILEGED_LSB];
    wire        privileged = !\node.packet_in_run  || run_privileged;

    // What the mover has been given and not completed. It completes nothing else, nor what still stands in the register
    // before it; clear comes when it has forgotten all. A walk gives it commands only while it lasts, and ends after
    // them.
    (* hierconn *) wire         \node.data.posted ;
    (* hierconn *) wire         \node.data.list_moves ;
    (* hierconn *) wire         \node.data.list_cmd_valid ;
    (* hierconn *) wire         \node.data.list_done ;
    wire        stands = \node.data.posted  && !\node.data.list_moves ;
    always @(*) begin
        assume (!\node.data.list_cmd_valid  || \node.data.list_moves );
        assume (!\node.data.list_done  || !(\node.data.posted  || \node.data.list_cmd_valid ));
    end
    reg  [7:0]  under_way;
    wire        is_given = \node.cmd_valid  && \node.cmd_ready ;
    always @(*) assume (!\node.done_valid  || (under_way > {7'd0, stands} && !\node.abort ));
    always @(posedge clk)
        if (rst || \node.clear ) under_way <= 8'd0;
        else under_way <= under_way + {7'd0, is_given} - {7'd0, \node.done_valid };

    grants_packet #(.GIVEN(1)) packets (
        .clk(clk), .rst(rst), .restart(\node.restart ), .has_words(\node.restart_words  != 15'd0),
        .valid(\node.packet_valid ), .ready(\node.packet_ready ), .packet(\node.packet ),
        .truncated(\node.packet_truncated ),
        .in_run(\node.packet_in_run ), .run_last(\node.packet_run_last )
    );
    grants_origin #(.GIVEN(0)) origin (
        .rst(rst), .privileged(privileged), .cmd_valid(\node.cmd_valid ), .cmd_user(\node.cmd_user ),
        .touch_start(\node.data.touch_start ), .list_start(\node.data.list_start ),
        .guard_valid(\node.data.guard_valid ), .is_busy(under_way != 8'd0)
    );
    grants_setting #(.GIVEN(0)) setting (
        .clk(clk), .rst(rst), .valid(\node.data.guard_valid ), .ready(\node.data.guard_ready ),
        .first(\node.data.guard_first ), .count(\node.data.guard_count ),
        .may_read(\node.data.guard_read ), .may_write(\node.data.guard_write )
    );
    wire touch_open;
    grants_touch #(.GIVEN(0)) touch (
        .clk(clk), .rst(rst), .start(\node.data.touch_start ), .done(\node.data.touch_done ),
        .address(\node.data.touch_address ), .bytes(\node.data.touch_bytes ), .open(touch_open)
    );
    wire load_open;
    grants_load #(.GIVEN(0)) load (
        .clk(clk), .rst(rst), .start(\node.data.palette_start ), .done(\node.data.palette_done ),
        .source(\node.packet [63:40]), .abort(\node.abort ),
        .cmd_valid(\node.cmd_valid  || \node.data.list_cmd_valid ), .stands(\node.data.posted ), .open(load_open)
    );
    grants_abort #(.GIVEN(0)) aborts (
        .clk(clk), .rst(rst), .abort(\node.abort ), .idle(\node.mover_idle ), .cmd_valid(\node.cmd_valid )
    );

    // ------------------------------------------------------------------ why: what holds inside
    (* hierconn *) wire [3:0]   \node.execute.state ;
    (* hierconn *) wire         \node.execute.acting ;
    (* hierconn *) wire         \node.data.actions.under_way ;
    (* hierconn *) wire         \node.data.actions.ended ;
    (* hierconn *) wire         \node.execute.run_privileged ;
    (* hierconn *) wire         \node.execute.committed ;
    (* hierconn *) wire         \node.execute.released ;
    (* hierconn *) wire [1:0]   \node.execute.settle ;
    (* hierconn *) wire [7:0]   \node.execute.found_fault ;
    (* hierconn *) wire         \node.execute.finds_nothing ;
    (* hierconn *) wire [7:0]   \node.execute.to_do ;
    (* hierconn *) wire         \node.execute.checked ;
    (* hierconn *) wire         \node.execute.has_room ;
    (* hierconn *) wire         \aborts.abort_d1 ;
    (* hierconn *) wire         \aborts.abort_d2 ;
    (* hierconn *) wire         \node.retire.begun ;
    (* hierconn *) wire         \node.retire.closing ;
    (* hierconn *) wire [4:0]   \node.retire.done_count ;
    (* hierconn *) wire [4:0]   \node.retire.packets.level ;
    (* hierconn *) wire [4:0]   \node.retire.packets.movers ;
    (* hierconn *) wire         \node.retire.packets.is_sound ;
    (* hierconn *) wire         \node.retire.execute_at_head ;
    reg just_put = 1'b0;
    always @(posedge clk) just_put <= !rst && \node.put_valid ;
    localparam [3:0] S_NEXT = 4'd0, S_LOCATE = 4'd1, S_DRAW = 4'd2, S_HEAD = 4'd3, S_WAIT = 4'd4, S_STOP = 4'd6,
                     S_RESET = 4'd8;
    wire [3:0] state = \node.execute.state ;
    wire [7:0] opcode = word0[7:0];
    wire       is_draw = opcode == PKT_FILL_RECT || opcode == PKT_BLIT || (MAPS != 0 && opcode == PKT_BLIT_AFFINE);
    wire       is_palette = PALETTE != 0 && NODE == 0 && opcode == PKT_PALETTE;
    wire       is_head = opcode == PKT_GUARD || opcode == PKT_MAP || opcode == PKT_UNMAP || opcode == PKT_TOUCH
                      || opcode == PKT_COPY_LIST || opcode == PKT_MAP_LIST || is_palette;
    wire       is_list = NODE == 1 && (opcode == PKT_COPY_LIST || opcode == PKT_MAP_LIST);
    wire [4:0] level = \node.retire.packets.level , movers = \node.retire.packets.movers ;
    always @(*) if (!rst) begin
        // The words of a RUN are asked for in the cycle after it.
        if (starts) assert (\node.execute.run_active  && !\packets.has_range  && \node.restart_words  != 15'd0
                            && \packets.taken  && !\node.execute.checked  && \node.execute.settle  == 2'd0);
        else        assert (\packets.has_range  == \node.execute.run_active );
        if (\node.packet_valid  && \node.execute.checked )
            assert (\node.execute.to_do  == \node.execute.finds_to_do
                    && \node.execute.is_legal  == !\node.execute.finds_fault );
        if (\packets.has_range  || starts) assert (\node.execute.run_privileged  == run_privileged);
        // A packet at work stands at the port, and was found legal.
        if (state == S_LOCATE || state == S_DRAW) assert (\node.packet_valid  && is_draw);
        if (state == S_HEAD || state == S_WAIT) begin
            assert (\node.packet_valid  && (privileged || is_palette));
            if (state == S_WAIT) assert (opcode == PKT_WAIT_FENCE);
            if (state == S_HEAD) assert (is_head && (opcode != PKT_GUARD || guard_legal));
        end
        if (state == S_HEAD && opcode == PKT_TOUCH)
            assert (\node.data.touch_bytes  != 4'd0 && \node.data.touch_bytes  <= 4'd8 && !word0[PKT_TOUCH_WRITE_LSB]);
        if (touch_open) assert (\node.data.actions.under_way  && opcode == PKT_TOUCH);
        if (load_open) assert (\node.data.actions.under_way  && is_palette);
        assert (!(\node.data.actions.under_way  && \node.data.actions.ended ));
        if (\node.execute.acting ) assert (state == S_HEAD && \node.retire.execute_at_head );
        assert (!(\node.retire.closing  && \node.retire.begun ));
        // Of everything put, what waits for the mover is what it has been given and what it has completed before its
        // turn.
        assert (level <= 5'd16 && movers <= level && under_way <= 8'd16);
        assert (\node.execute.settle  == {\aborts.abort_d2 , \aborts.abort_d1 } && \node.execute.settle  != 2'b10);
        assert ({3'd0, movers} == under_way + {3'd0, \node.retire.done_count });
        assert (\node.retire.packets.is_sound );
        // One packet at most waits for its turn at the head; after one that is carried out there nothing is put.
        assert (\node.retire.packets.executes  <= 5'd1);
        if (state == S_HEAD) assert (level != 5'd0 && \node.retire.packets.youngest_executes );
        if (state == S_HEAD || state == S_WAIT)
            assert (!\node.execute.released  && \node.retire.packets.executes  == 5'd1);
        else if (state == S_NEXT || state == S_LOCATE || state == S_DRAW)
            assert ({4'd0, \node.execute.released } == \node.retire.packets.executes );
        if (state == S_RESET) assert (!\node.execute.released  && !\node.execute.acting );
        assert (!\node.put_valid  || level <= 5'd15);
        // Packets are put two cycles apart.
        assert (just_put || level <= 5'd15 || !\node.execute.has_room );
        if (just_put) assert (!\node.put_valid  && state != S_LOCATE && state != S_DRAW
                              && (state != S_NEXT || !\node.execute.checked ));
        if (state == S_STOP || state == S_RESET) assert (\node.abort );
        // A command that has been offered and not taken waits for one before it that is not complete: so is_quiet needs
        // no word about it.
        if (\node.data.list_moves ) assert ((\node.data.actions.under_way  && is_list) || state == S_RESET);
        if (stands && !\node.abort ) assert (under_way != 8'd0);
        if (\node.execute.committed  && !\node.abort ) assert (under_way != 8'd0 && level != 5'd0);
    end
    wire guard_legal = \node.data.guard_count  != 14'd0
                    && {1'b0, \node.data.guard_first } + {1'b0, \node.data.guard_count } <= 15'd12288;
`ifdef REACH
    reg [1:0] seen = 2'd0;
    always @(posedge clk) if (!rst) begin
        if (\node.cmd_valid  && \node.cmd_ready  && \node.cmd_user ) seen[0] <= 1'b1;
        if (seen[0] && \node.cmd_valid  && \node.cmd_ready  && !\node.cmd_user
            && \node.packet_in_run ) seen[1] <= 1'b1;
    end
    (* keep *) wire misses = !(seen[1] && \node.data.guard_valid  && \node.data.guard_ready );
`endif
endmodule

`default_nettype wire
