// SPDX-License-Identifier: Apache-2.0
//
// The chip as a host meets it first, for FuseSoC's `sim` target: identity and hash of its table are read, a program is
// loaded into core memory and read back, the control core runs it, and its answer stands in a register. No memory is
// behind either AXI4 port: nothing may ask there. Ends with the sum; a failure stops with $fatal.
`default_nettype none
module gpu_bench;
`include "gpu_spec.vh"
    localparam [11:0] HOST = HOST_BASE;
    localparam [31:0] QUESTION = 32'h00001233;

    reg  clk = 1'b0, rst = 1'b1;
    always #5 clk = !clk;

    reg  [11:0] awaddr = 12'd0, araddr = 12'd0;
    reg  [31:0] wdata = 32'd0;
    reg         awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0;
    wire        awready, wready, bvalid, arready, rvalid, core_held, panicked;
    wire        m_arvalid, m_awvalid, l_arvalid, l_awvalid;
    wire [31:0] rdata;
    wire [1:0]  bresp, rresp;
    gpu dut (
        .clk(clk), .rst(rst),
        .h_awaddr(awaddr), .h_awvalid(awvalid), .h_awready(awready), .h_wdata(wdata), .h_wstrb(4'hf),
        .h_wvalid(wvalid), .h_wready(wready), .h_bresp(bresp), .h_bvalid(bvalid), .h_bready(1'b1),
        .h_araddr(araddr), .h_arvalid(arvalid), .h_arready(arready), .h_rdata(rdata), .h_rresp(rresp),
        .h_rvalid(rvalid), .h_rready(1'b1), .irq(),
        .pixel_clk(clk), .pixel_rst(rst), .pixel_khz(), .pixel_on(), .d_hsync(), .d_vsync(), .d_visible(), .d_colour(),
        .l_urgent(), .f_araddr(), .f_arlen(), .f_arvalid(), .f_arready(1'b0), .f_rdata(64'd0), .f_rresp(2'd0),
        .f_rlast(1'b0), .f_rvalid(1'b0),
        .m_araddr(), .m_arlen(), .m_arsize(), .m_arburst(), .m_aruser(), .m_arvalid(m_arvalid), .m_arready(1'b0),
        .m_rdata(64'd0), .m_rresp(2'd0), .m_rlast(1'b0), .m_rvalid(1'b0), .m_rready(),
        .m_awaddr(), .m_awlen(), .m_awsize(), .m_awburst(), .m_awuser(), .m_awvalid(m_awvalid), .m_awready(1'b0),
        .m_wdata(), .m_wstrb(), .m_wlast(), .m_wvalid(), .m_wready(1'b0), .m_bresp(2'd0), .m_bvalid(1'b0), .m_bready(),
        .l_araddr(), .l_arlen(), .l_arsize(), .l_arburst(), .l_arvalid(l_arvalid), .l_arready(1'b0),
        .l_rdata(64'd0), .l_rresp(2'd0), .l_rlast(1'b0), .l_rvalid(1'b0), .l_rready(),
        .l_awaddr(), .l_awlen(), .l_awsize(), .l_awburst(), .l_awvalid(l_awvalid), .l_awready(1'b0),
        .l_wdata(), .l_wstrb(), .l_wlast(), .l_wvalid(), .l_wready(1'b0), .l_bresp(2'd0), .l_bvalid(1'b0), .l_bready(),
        .probe_begin(), .probe_end(), .probe_offset(), .probe_opcode(), .trace_valid(), .trace_event(),
        .trace_argument(), .console_valid(), .console_char(), .exit_valid(), .exit_code(), .retire_valid(),
        .retire_pc(), .core_held(core_held), .panicked(panicked)
    );

    integer passed = 0;
    reg  [3:0]  was_asked = 4'd0;
    reg [31:0] got;
    reg [1:0]  taken;
    task check(input [31:0] value, input [31:0] expected, input [8*24-1:0] what);
        begin
            if (value !== expected) $fatal(1, "FAIL  %0s: %h instead of %h", what, value, expected);
            $display("ok    %0s", what);
            passed = passed + 1;
        end
    endtask
    task write(input [7:0] offset, input [31:0] value);
        begin
            @(negedge clk);
            awaddr  = HOST + {4'd0, offset};
            wdata   = value;
            awvalid = 1'b1;
            wvalid  = 1'b1;
            while (awvalid || wvalid) begin
                #4; // what is ready just before the edge is taken by it
                taken = {awready, wready};
                @(negedge clk);
                if (taken[1]) awvalid = 1'b0;
                if (taken[0]) wvalid = 1'b0;
            end
            while (!bvalid) @(negedge clk);
            if (bresp != 2'd0) $fatal(1, "FAIL  a write of register %h is refused", offset);
            @(negedge clk);
        end
    endtask
    task read(input [7:0] offset);
        begin
            @(negedge clk);
            araddr  = HOST + {4'd0, offset};
            arvalid = 1'b1;
            #4;
            while (!arready) begin @(negedge clk); #4; end
            @(negedge clk);
            arvalid = 1'b0;
            while (!rvalid) @(negedge clk);
            if (rresp != 2'd0) $fatal(1, "FAIL  a read of register %h is refused", offset);
            got = rdata;
            @(negedge clk);
        end
    endtask

    // lui t0, registers; lw t1, SCRATCH(t0); addi t1, t1, 1; sw t1, SCRATCH(t0); j .
    localparam WORDS = 5;
    reg [31:0] words [0:WORDS-1];
    reg        is_same = 1'b1;
    integer    i;
    initial begin
        words[0] = 32'h400002b7;
        words[1] = {4'd0, HOST_SCRATCH_OFFSET, 20'h2a303};
        words[2] = 32'h00130313;
        words[3] = {4'd0, HOST_SCRATCH_OFFSET[7:5], 5'd6, 5'd5, 3'd2, HOST_SCRATCH_OFFSET[4:0], 7'h23};
        words[4] = 32'h0000006f;
        repeat (4) @(negedge clk);
        rst = 1'b0;
        read(HOST_ID_OFFSET);
        check(got, HOST_ID_RESET, "identity");
        read(HOST_ABI_OFFSET);
        check(got, GPU_ABI_HASH, "the table's hash");
        check({31'd0, core_held}, 32'd1, "the core is held");
        write(HOST_LOAD_ADDRESS_OFFSET, 32'd0);
        for (i = 0; i < WORDS; i = i + 1) write(HOST_LOAD_DATA_OFFSET, words[i]);
        write(HOST_LOAD_ADDRESS_OFFSET, 32'd0);
        for (i = 0; i < WORDS; i = i + 1) begin
            read(HOST_LOAD_DATA_OFFSET);
            is_same = is_same && got === words[i];
        end
        check({31'd0, is_same}, 32'd1, "a program is loaded");
        write(HOST_SCRATCH_OFFSET, QUESTION);
        write(HOST_CONTROL_OFFSET, 32'd1);
        repeat (200) @(negedge clk);
        read(HOST_SCRATCH_OFFSET);
        check(got, QUESTION + 32'd1, "the core has answered");
        check({30'd0, core_held, panicked}, 32'd0, "it runs, without panic");
        check({28'd0, was_asked}, 32'd0, "no memory was asked");
        $display("%0d passed, 0 failed", passed);
        $finish;
    end
    always @(posedge clk) if (!rst) was_asked <= was_asked | {m_arvalid, m_awvalid, l_arvalid, l_awvalid};
endmodule
`default_nettype wire
