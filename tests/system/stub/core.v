`default_nettype none
module core #(parameter [31:0] RESET_VECTOR = 0) (
    input wire clk, input wire rst,
    output wire i_req, input wire i_gnt, output wire [31:0] i_addr, input wire i_rvalid, input wire [31:0] i_rdata, input wire i_err,
    output wire d_req, input wire d_gnt, output wire d_we, output wire [31:0] d_addr, output wire [3:0] d_be, output wire [31:0] d_wdata,
    input wire d_rvalid, input wire [31:0] d_rdata, input wire d_err,
    input wire irq_software, input wire irq_timer, input wire irq_external, input wire [2:0] irq_platform,
    output wire retire_valid, output wire [31:0] retire_pc, output wire [63:0] instret, input wire [63:0] time_now);
    assign {i_req, d_req, d_we, d_addr, d_be, d_wdata, retire_valid, retire_pc, instret} = 0;
    assign i_addr = RESET_VECTOR;
    wire unused = &{1'b0, clk, rst, i_gnt, i_rvalid, i_rdata, i_err, d_gnt, d_rvalid, d_rdata, d_err, irq_software, irq_timer, irq_external, irq_platform, time_now};
endmodule
`default_nettype wire
