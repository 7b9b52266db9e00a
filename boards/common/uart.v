// SPDX-License-Identifier: Apache-2.0
//
// Serial line, 8 data bits, no parity, one stop bit. The bit clock is a phase accumulator, so any rate up to
// a quarter of the clock comes out right on average: STEP = rate / clock frequency * 2**32.
//
// The receiver looks at the line in the middle of each bit; a byte whose stop bit is wrong is dropped and the
// line must rest before the next.
`default_nettype none

module uart #(
    parameter [31:0] STEP = 32'd257698038 // 3 Mbit/s at 50 MHz
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       rx,                 // any timing: synchronised here
    output reg        tx,

    output reg        received,           // one cycle, with the byte
    output reg  [7:0] received_byte,
    input  wire       send,               // only while send_ready
    input  wire [7:0] send_byte,
    output wire       send_ready
);
    // ------------------------------------------------------------------ receive
    reg [2:0]  line;                      // [2] is settled
    always @(posedge clk) line <= rst ? 3'b111 : {line[1:0], rx};
    wire       level = line[2];
    reg        listening;
    reg [3:0]  bits_in;                   // seen: start bit, 8 data bits, stop bit
    reg [31:0] phase_in;
    reg [7:0]  shift_in;
    wire [32:0] next_in = {1'b0, phase_in} + {1'b0, STEP};
    always @(posedge clk) begin
        received <= 1'b0;
        if (rst) listening <= 1'b0;
        else if (!listening) begin
            listening <= !level;
            bits_in   <= 4'd0;
            phase_in  <= 32'h80000000;    // half a bit until the first look
        end else begin
            phase_in <= next_in[31:0];
            if (next_in[32]) begin
                bits_in  <= bits_in + 4'd1;
                shift_in <= {level, shift_in[7:1]};
                if (bits_in == 4'd0 && level) listening <= 1'b0; // a glitch
                if (bits_in == 4'd9) begin
                    listening     <= 1'b0;
                    received      <= level;
                    received_byte <= shift_in;
                end
            end
        end
    end

    // ------------------------------------------------------------------ send
    reg [9:0]  shift_out;                 // stop, data, start; 0 = nothing left
    reg [31:0] phase_out;
    wire [32:0] next_out = {1'b0, phase_out} + {1'b0, STEP};
    reg        sending;
    assign send_ready = !sending;
    always @(posedge clk)
        if (rst) begin
            sending <= 1'b0;
            tx      <= 1'b1;
        end else if (!sending) begin
            tx <= 1'b1;
            if (send) begin
                sending   <= 1'b1;
                tx        <= 1'b0;        // start bit
                shift_out <= {2'b01, send_byte};
                phase_out <= 32'd0;
            end
        end else begin
            phase_out <= next_out[31:0];
            if (next_out[32]) begin
                tx        <= shift_out[0];
                shift_out <= {1'b0, shift_out[9:1]};
                if (shift_out == 10'd0) begin
                    sending <= 1'b0;
                    tx      <= 1'b1;
                end
            end
        end
endmodule
`default_nettype wire
