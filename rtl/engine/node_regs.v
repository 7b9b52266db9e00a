// SPDX-License-Identifier: Apache-2.0
//
// The registers of block NODE, without its counters. Software sets a node's rings and modes here, reads its state, and
// sees the causes of its interrupt.
`default_nettype none

module node_regs #(
    parameter COMMAND_WIDTH = 16 // bits of a byte offset in command RAM
) (
    input  wire        clk,
    input  wire        rst,

    // The register bus; see node.v.
    input  wire        reg_write,
    input  wire [7:0]  reg_offset,
    input  wire [31:0] reg_wdata,
    output wire [31:0] reg_rdata,
    output wire        irq,

    // As software set them.
    output reg         enable,
    output reg         pause,
    output reg         resetting,       // from CONTROL.RESET until reset_done, a pulse
    input  wire        reset_done,
    output reg  [15:0] ring_base,
    output reg  [3:0]  ring_size,
    output reg  [31:0] tail,
    output reg  [19:0] page_bound,
    output wire        fence_write,     // of reg_wdata; FENCE itself is node_retire's

    // Causes of the interrupt: pulses. One that comes in the cycle in which software clears it stays.
    input  wire        halts,
    input  wire        fence_interrupt,

    // What only the node writes.
    input  wire        busy,
    input  wire        is_halted,
    input  wire        is_waiting,
    input  wire        is_paused,
    input  wire [31:0] head,
    input  wire [31:0] fence,
    input  wire [7:0]  error,
    input  wire [31:0] error_address,
    input  wire [COMMAND_WIDTH-1:0] error_packet,
    input  wire [31:0] error_word,
    input  wire [31:0] counter          // the counter at reg_offset, or zero
);
`include "gpu_spec.vh"
    reg  [1:0]  causes;           // IRQ
    wire        write_control = reg_write && reg_offset == NODE_CONTROL_OFFSET;
    wire [1:0]  clear_causes  = reg_write && reg_offset == NODE_IRQ_OFFSET ? reg_wdata[1:0] : 2'b00;
    wire [1:0]  new_causes    = ({1'b0, fence_interrupt} << NODE_IRQ_FENCE_LSB) | ({1'b0, halts} << NODE_IRQ_ERROR_LSB);
    assign fence_write = reg_write && reg_offset == NODE_FENCE_OFFSET;
    assign irq         = |causes;
    always @(posedge clk) begin
        if (write_control) enable <= reg_wdata[NODE_CONTROL_ENABLE_LSB];
        if (write_control) pause  <= reg_wdata[NODE_CONTROL_PAUSE_LSB];
        if (write_control && reg_wdata[NODE_CONTROL_RESET_LSB]) resetting <= 1'b1;
        else if (reset_done)                                    resetting <= 1'b0;
        if (reg_write && reg_offset == NODE_RING_BASE_OFFSET)  ring_base  <= {reg_wdata[15:3], 3'd0};
        if (reg_write && reg_offset == NODE_RING_SIZE_OFFSET)  ring_size  <= reg_wdata[3:0];
        if (reg_write && reg_offset == NODE_TAIL_OFFSET)       tail       <= reg_wdata;
        if (reg_write && reg_offset == NODE_PAGE_BOUND_OFFSET) page_bound <= reg_wdata[19:0];
        causes <= (causes & ~clear_causes) | new_causes;
        if (rst) begin
            enable     <= 1'b0;
            pause      <= 1'b0;
            resetting  <= 1'b0;
            ring_base  <= 16'd0;
            ring_size  <= 4'd0;
            tail       <= 32'd0;
            page_bound <= 20'd0;
            causes     <= 2'b00;
        end
    end

    reg  [31:0] register;
    always @(*) begin
        register = counter;
        case (reg_offset)
            NODE_CONTROL_OFFSET: begin
                register = 32'd0;
                register[NODE_CONTROL_ENABLE_LSB] = enable;
                register[NODE_CONTROL_PAUSE_LSB]  = pause;
                register[NODE_CONTROL_RESET_LSB]  = resetting;
            end
            NODE_STATUS_OFFSET: begin
                register = 32'd0;
                register[NODE_STATUS_BUSY_LSB]    = busy;
                register[NODE_STATUS_HALTED_LSB]  = is_halted;
                register[NODE_STATUS_WAITING_LSB] = is_waiting;
                register[NODE_STATUS_PAUSED_LSB]  = is_paused;
            end
            NODE_RING_BASE_OFFSET:     register = {16'd0, ring_base};
            NODE_RING_SIZE_OFFSET:     register = {28'd0, ring_size};
            NODE_TAIL_OFFSET:          register = tail;
            NODE_HEAD_OFFSET:          register = head;
            NODE_FENCE_OFFSET:         register = fence;
            NODE_ERROR_OFFSET:         register = {24'd0, error};
            NODE_ERROR_ADDRESS_OFFSET: register = error_address;
            NODE_ERROR_PACKET_OFFSET:  register = {{(32-COMMAND_WIDTH){1'b0}}, error_packet};
            NODE_ERROR_WORD_OFFSET:    register = error_word;
            NODE_IRQ_OFFSET:           register = {30'd0, causes};
            NODE_PAGE_BOUND_OFFSET:    register = {12'd0, page_bound};
            default: ;
        endcase
    end
    assign reg_rdata = register;
endmodule

`default_nettype wire
