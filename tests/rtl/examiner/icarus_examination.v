// SPDX-License-Identifier: Apache-2.0
//
// What examiner_door.cpp recorded, in Icarus, an event-driven four-state simulator: nothing of what Verilator settles
// by itself (unknown start values, order of evaluation) may matter. Lines: w register value, c word-of-command-RAM
// value, m word-of-system-memory value, r register expected, s: wait until it is not BUSY, then as r, k: a word of
// command RAM as expected. Every other word is granted a cycle late, and bursts wait. Ends with the sum; a failure
// stops with $fatal.
`timescale 1ns / 1ps
`default_nettype none
module icarus_examination;
`include "gpu_spec.vh"
    reg         clk = 1'b0;
    always #5 clk = !clk;
    reg         rst = 1'b1, reg_write = 1'b0, reg_read = 1'b0;
    reg  [7:0]  reg_offset = 8'd0;
    reg  [31:0] reg_wdata = 32'd0;
    wire [31:0] reg_rdata;
    wire        fetch_req;
    wire [17:0] fetch_address;
    wire [3:0]  fetch_write;
    wire [31:0] fetch_wdata;
    reg         late = 1'b0, fetch_rvalid = 1'b0;
    reg  [31:0] fetch_rdata = 32'd0;
    wire        fetch_gnt = fetch_req && late;
    wire [31:0] m_araddr;
    wire        m_arvalid;
    reg         m_rvalid = 1'b0, m_rlast = 1'b0;
    reg  [63:0] m_rdata = 64'd0;
    wire        m_arready = late && left == 4'd0;
    examination #(.ENTRIES_LOG2(12), .COMMAND_WIDTH(18), .ROWS_LOG2(6)) dut (
        .clk(clk), .rst(rst), .core_held(1'b0), .reg_write(reg_write), .reg_read(reg_read), .reg_offset(reg_offset),
        .reg_wdata(reg_wdata), .reg_rdata(reg_rdata), .fetch_req(fetch_req), .fetch_gnt(fetch_gnt),
        .fetch_address(fetch_address), .fetch_write(fetch_write), .fetch_wdata(fetch_wdata),
        .fetch_rvalid(fetch_rvalid), .fetch_rdata(fetch_rdata),
        .m_araddr(m_araddr), .m_arlen(), .m_arsize(), .m_arvalid(m_arvalid), .m_arready(m_arready), .m_rdata(m_rdata),
        .m_rresp(2'b00), .m_rlast(m_rlast), .m_rvalid(m_rvalid)
    );
    reg [31:0] command [0:65535];
    reg [31:0] system [0:65535];
    integer    lane;
    always @(posedge clk) begin
        late         <= !late || !(fetch_req || m_arvalid);
        fetch_rvalid <= fetch_gnt;
        fetch_rdata  <= command[fetch_address[17:2]];
        for (lane = 0; lane < 4; lane = lane + 1)
            if (fetch_gnt && fetch_write[lane])
                command[fetch_address[17:2]][8*lane +: 8] <= fetch_wdata[8*lane +: 8];
    end
    // A burst of eight beats at a time.
    reg [3:0]  left = 4'd0;
    reg [15:0] from;
    always @(posedge clk) begin
        m_rvalid <= left != 4'd0;
        m_rlast  <= left == 4'd1;
        m_rdata  <= {system[from + 16'd1], system[from]};
        if (left != 4'd0) begin
            left <= left - 4'd1;
            from <= from + 16'd2;
        end else if (m_arvalid && m_arready) begin
            left <= 4'd8;
            from <= m_araddr[17:2];
        end
    end

    integer         file, count, passed, cycles;
    reg [8*256-1:0] path;
    reg [7:0]       what;
    reg [31:0]      a, b;
    initial begin
        if (!$value$plusargs("record=%s", path)) $fatal(1, "+record=FILE");
        file = $fopen(path, "r");
        if (file == 0) $fatal(1, "no such file");
        repeat (3) @(negedge clk);
        rst    = 1'b0;
        passed = 0;
        count  = $fscanf(file, "%c %h %h\n", what, a, b);
        while (count == 3) begin
            if (what == "c") command[a[15:0]] = b;
            if (what == "m") system[a[15:0]] = b;
            if (what == "k" && command[a[15:0]] !== b)
                $fatal(1, "command RAM %h: %h, expected %h", a, command[a[15:0]], b);
            if (what == "w") begin
                reg_write  = 1'b1;
                reg_offset = a[7:0];
                reg_wdata  = b;
                @(negedge clk);
                reg_write  = 1'b0;
            end
            if (what == "r" || what == "s") begin
                reg_offset = a[7:0];
                cycles     = 0;
                #1;
                while (what == "s" && reg_rdata[1] !== 1'b0 && cycles < 100000) begin
                    @(negedge clk);
                    #1 cycles = cycles + 1;
                end
                if (reg_rdata !== b) $fatal(1, "register %h: %h, expected %h", a, reg_rdata, b);
                reg_read = what == "r";
                @(negedge clk);
                reg_read = 1'b0;
                passed   = passed + 1;
            end
            count = $fscanf(file, "%c %h %h\n", what, a, b);
        end
        if (passed == 0) $fatal(1, "an empty record");
        $display("%0d passed, 0 failed", passed);
        $finish;
    end
endmodule
`default_nettype wire
