// SPDX-License-Identifier: Apache-2.0
//
// The core and three fetchers at random in a small command RAM: each word read is what was written before, byte by
// byte, and who asks is served within three cycles.
`default_nettype none
module test_command_ram;
`include "bench.vh"
    localparam WORDS = 48, WIDTH = 8;
    reg         rst = 1'b1;
    reg  [3:0]  c_write = 4'd0, fetch_write = 4'd0;
    reg  [WIDTH-1:0] c_address, address [0:2];
    reg  [31:0] c_wdata, fetch_wdata, words [0:WORDS-1], old;
    reg  [2:0]  fetch_req = 3'd0, granted;
    wire [31:0] c_rdata, fetch_rdata;
    wire [2:0]  fetch_gnt, fetch_rvalid;
    integer     i, k, lane, at, waited [0:2];
    command_ram #(.BYTES(4 * WORDS), .WIDTH(WIDTH)) ram (
        .clk(clk), .rst(rst), .c_write(c_write), .c_address(c_address), .c_wdata(c_wdata), .c_rdata(c_rdata),
        .fetch_req(fetch_req), .fetch_gnt(fetch_gnt), .fetch_address({address[2], address[1], address[0]}),
        .fetch_write(fetch_write), .fetch_wdata(fetch_wdata), .fetch_rvalid(fetch_rvalid), .fetch_rdata(fetch_rdata)
    );
    initial begin
        {c_address, address[0], address[1], address[2]} = 32'd0;
        {waited[0], waited[1], waited[2]} = 96'd0;
        tick;
        check(fetch_rvalid, 3'd0, 0);
        rst = 1'b0;
        c_write = 4'hf;
        for (k = 0; k < WORDS; k = k + 1) begin
            {c_address, c_wdata} = {k[5:0], 2'd0, random(1'b0)};
            words[k] = c_wdata;
            tick;
        end
        for (i = 0; i < 12000; i = i + 1) begin
            c_write   = pick(2) == 0 ? random(1'b0) : 4'd0;
            c_address = pick(i[10] ? 16 : 4 * WORDS);
            c_wdata   = random(1'b0);
            for (k = 0; k < 3; k = k + 1)
                if (!fetch_req[k] && (i[8] || pick(4) == 0)) begin
                    fetch_req[k] = 1'b1;
                    address[k]   = pick(i[10] ? 16 : 4 * WORDS);
                    if (k == 2) {fetch_write, fetch_wdata} = {pick(2) == 0 ? 4'd0 : random(1'b0), random(1'b0)};
                end
            if (fetch_req[2] && fetch_write != 4'd0 && c_address[WIDTH-1:2] == address[2][WIDTH-1:2]) c_write = 4'd0;
            #1;
            granted = fetch_gnt;
            check(granted & ~fetch_req, 3'd0, i);
            check(granted & (granted - 3'd1), 3'd0, i);             // one
            check(granted != 3'd0, fetch_req != 3'd0, i);           // and none is left out without need
            for (k = 0; k < 3; k = k + 1) begin
                waited[k] = fetch_req[k] && !granted[k] ? waited[k] + 1 : 0;
                if (waited[k] > 2) check(waited[k], 2, k);
            end
            tick;
            check(fetch_rvalid, granted, i);
            at = c_address[WIDTH-1:2];
            if (c_write == 4'd0 && !(granted[2] && fetch_write != 4'd0 && address[2][WIDTH-1:2] == at))
                check(c_rdata, words[at], c_address);
            old = words[at];
            for (lane = 0; lane < 4; lane = lane + 1)
                if (c_write[lane]) words[at][8*lane +: 8] = c_wdata[8*lane +: 8];
            for (k = 0; k < 3; k = k + 1)
                if (granted[k] && (k < 2 || fetch_write == 4'd0)) begin
                    if (address[k][WIDTH-1:2] != at || fetch_rdata !== old)  // of a write now, the old or the new
                        check(fetch_rdata, words[address[k][WIDTH-1:2]], {k[7:0], address[k]});
                end else if (granted[k])
                    for (lane = 0; lane < 4; lane = lane + 1)
                        if (fetch_write[lane])
                            words[address[k][WIDTH-1:2]][8*lane +: 8] = fetch_wdata[8*lane +: 8];
            fetch_req = fetch_req & ~granted;
        end
        rst = 1'b1;
        fetch_req = 3'd1;
        tick;
        check(fetch_rvalid, 3'd0, 1);
        finish;
    end
endmodule
`default_nettype wire
