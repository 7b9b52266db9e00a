// SPDX-License-Identifier: Apache-2.0
//
// The walk of a page list under any list, any memory and any pace. It reads nothing but the blocks that hold the list's
// entries, each in its turn; what it copies or maps is the page that the entry names, below the bound, on one side, and
// the next page of the range on the other; a bad entry is reported with its index and nothing after it is used.
module node_list_formal (
    input        clk,
    input        rst,
    input        start_now,
    input        forget,
    input        arready,
    input [63:0] rdata,
    input        rfails,
    input        rvalid,
    input        cmd_ready,
    input        moved,
    input        move_fails,
    input        map_ready
);
`include "gpu_spec.vh"
    (* anyconst *) wire        is_copy, to_system;
    (* anyconst *) wire [31:0] place, extent, list;
    (* anyconst *) wire [19:0] bound;
    reg first = 1'b1;
    reg [31:0] past;           // bytes, or pages, of the entries used
    wire [31:0] left = extent - past;

    // ------------------------------------------------------------------ the world: two beats a burst, in order
    reg        answers, second;
    wire       beat = answers && rvalid;
    reg  [3:0] moving;
    wire       done, has_failed, idle, arvalid, cmd_valid, map_valid;
    wire [7:0] failed_code, arlen;
    wire [31:0] failed_address, araddr, cmd_source, cmd_target;
    wire [12:0] cmd_bytes;
    wire [15:0] map_first;
    wire [19:0] map_frame;
    wire       start = start_now && idle && !forget;
    wire       completes = moved && moving != 4'd0;
    wire       maps = map_valid && map_ready, copies = cmd_valid && cmd_ready;
    node_list #(.DATA_WIDTH(64)) dut (
        .clk(clk), .rst(rst), .start(start), .is_copy(is_copy), .to_system(to_system), .place(place), .extent(extent),
        .first(list), .bound(bound), .done(done), .has_failed(has_failed), .failed_code(failed_code),
        .failed_address(failed_address), .forget(forget), .idle(idle), .araddr(araddr), .arlen(arlen),
        .arvalid(arvalid), .arready(arready && !answers), .rdata(rdata), .rresp({rfails, 1'b0}), .rlast(second),
        .rvalid(beat), .cmd_valid(cmd_valid), .cmd_ready(cmd_ready), .cmd_source(cmd_source),
        .cmd_target(cmd_target), .cmd_bytes(cmd_bytes), .moved_valid(completes),
        .moved_fault(move_fails ? FAULT_WRITE_BUS[7:0] : 8'd0), .moved_address(32'd0), .map_valid(map_valid),
        .map_ready(map_ready), .map_first(map_first), .map_frame(map_frame));

    // ------------------------------------------------------------------ what was read, by its place in the block
    reg [31:0] read0, read1, read2, read3;
    reg [1:0]  failed_beat;
    reg [31:0] index;          // of the entry whose turn it is
    wire [31:0] entry_address = list + {index[29:0], 2'b00};
    wire [1:0]  lane          = entry_address[3:2];
    wire [31:0] entry         = lane == 2'd0 ? read0 : lane == 2'd1 ? read1 : lane == 2'd2 ? read2 : read3;
    reg        copy_failed;
    wire [31:0] system = to_system ? cmd_target : cmd_source;
    wire [31:0] local  = to_system ? cmd_source : cmd_target;
    always @(posedge clk) begin
        first <= 1'b0;
        if (first) assume (rst);
        assume (list[31] && list[1:0] == 2'b00 && extent != 32'd0);
        assume (is_copy || extent[31:16] == 16'd0);
        if (beat && !second) {failed_beat[0], read1, read0} <= {rfails, rdata};
        if (beat && second)  {failed_beat[1], read3, read2} <= {rfails, rdata};
        if (start) begin
            past        <= 32'd0;
            index       <= 32'd0;
            copy_failed <= 1'b0;
            moving      <= 4'd0;
        end else begin
            moving <= moving + {3'd0, copies} - {3'd0, completes};
            if (copies || maps) begin
                past  <= past + (is_copy ? {19'd0, cmd_bytes} : 32'd1);
                index <= index + 32'd1;
            end
            if (completes && move_fails) copy_failed <= 1'b1;
        end
        if (arvalid && arready && !answers) answers <= 1'b1;
        else if (beat && second)            answers <= 1'b0;
        if (arvalid && arready && !answers) second <= 1'b0;
        else if (beat)                      second <= 1'b1;
        if (rst) begin
            answers <= 1'b0;
            second  <= 1'b0;
            moving  <= 4'd0;
            past    <= 32'd0;
            index   <= 32'd0;
        end else begin
            // Reads: the block of the entry whose turn it is, while there is one.
            if (arvalid) assert (araddr == {entry_address[31:4], 4'd0} && arlen == 8'd1 && left != 32'd0);
            // The page that the entry names, and only below the bound.
            if (cmd_valid || map_valid) begin
                assert (left != 32'd0 && !failed_beat[lane[1]]);
                assert (entry < {12'd0, bound} && entry < 32'h00080000);
            end
            if (cmd_valid) begin
                assert (is_copy && !copy_failed);
                assert (system == LIMIT_ADDR_SYSTEM + {entry[19:0], 12'd0});
                assert (local == place + past && cmd_bytes != 13'd0 && {19'd0, cmd_bytes} <= left);
                assert (cmd_bytes == 13'd4096 || {19'd0, cmd_bytes} == left);
            end
            if (map_valid) assert (!is_copy && map_first == place[15:0] + index[15:0] && map_frame == entry[19:0]);
            // The end: every copy is complete, and either everything is done or the right thing is blamed.
            if (done) begin
                assert (moving == 4'd0);
                if (!has_failed) assert (left == 32'd0 && !copy_failed);
                else if (copy_failed) assert (failed_code == FAULT_WRITE_BUS[7:0]);
                else if (failed_code == FAULT_READ_BUS[7:0])
                    assert (failed_beat[lane[1]] && failed_address == entry_address);
                else begin
                    assert (failed_code == FAULT_BAD_PAGE[7:0] && failed_address == index);
                    assert (entry >= {12'd0, bound} || entry >= 32'h00080000);
                end
            end
`ifdef REACH
            // A bad entry after one that was used.
            assert (!(done && has_failed && !copy_failed && index == 32'd1 && failed_code == FAULT_BAD_PAGE[7:0]));
`endif
        end
    end
endmodule
