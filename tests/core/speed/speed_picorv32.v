// SPDX-License-Identifier: Apache-2.0
//
// PicoRV32 (from the user's checkout) with fast multiplier, divider and barrel shifter over the same memory, through
// its look-ahead port, so that every access takes one cycle.
`default_nettype none
module speed_picorv32 (
    input  wire        clk,
    input  wire        rst,
    output wire        retires, // the first cycle of an instruction's fetch
    output wire [31:0] address
);
    reg  [31:0] memory [0:16383];
    initial $readmemh("build/core/speed/speed.hex", memory);
    wire        mem_valid, mem_instr, la_read, la_write;
    wire [31:0] la_addr, la_wdata;
    wire [3:0]  la_wstrb;
    reg  [31:0] rdata;
    picorv32 #(
        .ENABLE_FAST_MUL(1), .ENABLE_DIV(1), .BARREL_SHIFTER(1), .STACKADDR(32'd65536)
    ) pico (
        .clk(clk), .resetn(!rst), .mem_valid(mem_valid), .mem_instr(mem_instr), .mem_ready(1'b1), .mem_rdata(rdata),
        .mem_la_read(la_read), .mem_la_write(la_write), .mem_la_addr(la_addr), .mem_la_wdata(la_wdata),
        .mem_la_wstrb(la_wstrb), .pcpi_wr(1'b0), .pcpi_rd(32'd0), .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq(32'd0)
    );
    assign retires = mem_valid && mem_instr;
    assign address = la_addr;
    always @(posedge clk) begin
        if (la_read) rdata <= memory[la_addr[15:2]];
        if (la_write) begin
            if (la_wstrb[0]) memory[la_addr[15:2]][7:0]   <= la_wdata[7:0];
            if (la_wstrb[1]) memory[la_addr[15:2]][15:8]  <= la_wdata[15:8];
            if (la_wstrb[2]) memory[la_addr[15:2]][23:16] <= la_wdata[23:16];
            if (la_wstrb[3]) memory[la_addr[15:2]][31:24] <= la_wdata[31:24];
        end
    end
endmodule
`default_nettype wire
