// SPDX-License-Identifier: Apache-2.0
//
// core_caches_bench.v in Icarus, an event-driven four-state simulator: nothing of what Verilator settles by itself
// (unknown start values, order of evaluation) may matter. Ends with the sum; a failure stops with $fatal.
`timescale 1ns / 1ps
`default_nettype none
module icarus_core_caches;
    reg clk = 1'b0;
    always #5 clk = !clk;
    wire        done;
    wire [31:0] failures;
    core_caches_bench #(.SEED(2), .CYCLES(40000)) bench (.clk(clk), .done(done), .failures(failures));
    always @(posedge clk)
        if (done) begin
            $display("%0d passed, %0d failed", failures == 0, failures != 0);
            if (failures != 0) $fatal;
            $finish;
        end
endmodule
`default_nettype wire
