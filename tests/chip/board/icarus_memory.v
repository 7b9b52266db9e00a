// SPDX-License-Identifier: Apache-2.0
//
// memory_bench.v with clocks of its own, for Icarus: 100 MHz and a little less than 50.
`timescale 1ps/1ps
`default_nettype none

module icarus_memory;
    reg  clk = 1'b0, sdram_clk = 1'b0, rst = 1'b1;
    wire finished;
    wire [31:0] errors, beats, read_cycles, write_cycles, longest_wait;
    always #10006 clk = !clk;
    always #5000 sdram_clk = !sdram_clk;
    memory_bench #(.ROUNDS(30), .STREAM_BURSTS(16)) bench (
        .clk(clk), .rst(rst), .sdram_clk(sdram_clk), .sdram_rst(rst), .finished(finished), .errors(errors),
        .beats(beats), .read_cycles(read_cycles), .write_cycles(write_cycles), .longest_wait(longest_wait)
    );
    initial begin
        #400000 rst = 1'b0;
        wait (finished);
        // 16 bursts of 128 beats of four transfers; at least 0.8 of the pins' rate.
        if (errors == 0 && beats > 1000 && read_cycles * 4 < 16 * 512 * 5 && write_cycles * 4 < 16 * 512 * 5) begin
            $display("%0d beats compared\n1 passed, 0 failed", beats);
            $finish;
        end
        $display("%0d errors in %0d beats; streams took %0d and %0d cycles\n0 passed, 1 failed", errors, beats,
                 read_cycles, write_cycles);
        $fatal;
    end
    initial begin
        #2000000000 $display("the bench hangs\n0 passed, 1 failed");
        $fatal;
    end
endmodule
`default_nettype wire
