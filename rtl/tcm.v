// SPDX-License-Identifier: Apache-2.0
//
// Core memory: the firmware's instructions and data in one dual-port block RAM. Fetch and data access never wait for
// each other; both answer in the next cycle.
//
// A fetch of the word that the data port writes in the same cycle is undefined. The core then executes FENCE.I or is
// held. Addresses are word indexes; callers check the range.
`default_nettype none
module tcm #(
    parameter BYTES = 65536,                // multiple of 4
    parameter INIT  = ""                    // hexadecimal words that a bit stream starts with; "": undefined
) (
    input  wire                      clk,
    input  wire [$clog2(BYTES)-3:0]  i_word,
    output reg  [31:0]               i_rdata,
    input  wire [3:0]                d_write,   // per byte; all zero reads
    input  wire [$clog2(BYTES)-3:0]  d_word,
    input  wire [31:0]               d_wdata,
    output reg  [31:0]               d_rdata
);
    (* no_rw_check *) // what is read while the same word is written is not used
    reg [31:0] memory [0:BYTES/4-1];
    generate
        if (INIT != "") begin : initialised
            initial $readmemh(INIT, memory);
        end
    endgenerate

    always @(posedge clk) i_rdata <= memory[i_word];

    always @(posedge clk) begin
        if (d_write[0]) memory[d_word][7:0]   <= d_wdata[7:0];
        if (d_write[1]) memory[d_word][15:8]  <= d_wdata[15:8];
        if (d_write[2]) memory[d_word][23:16] <= d_wdata[23:16];
        if (d_write[3]) memory[d_word][31:24] <= d_wdata[31:24];
        // Unconditional, so that read and write share one port of the block RAM (a store's value is not used).
        d_rdata <= memory[d_word];
    end
endmodule
`default_nettype wire
