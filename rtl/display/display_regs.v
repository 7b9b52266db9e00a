// SPDX-License-Identifier: Apache-2.0
//
// Block DISPLAY of gpu.def: the firmware's settings, the raster's events in the chip's clock, and the interrupt.
//
// A mode's timing does not change while the raster runs. The raster's clock may read it at any time.
`default_nettype none
module display_regs #(
    parameter [31:0] PIXEL_KHZ = 0,         // 0: what CLOCK says
    parameter [31:0] PROMISE1  = 0,
    parameter [31:0] PROMISE2  = 0,
    parameter [31:0] MIX_RATE  = 0
) (
    input  wire        clk,
    input  wire        rst,

    // Register port: write is a pulse with offset and data; rdata is combinational from offset.
    input  wire        reg_write,
    input  wire [7:0]  reg_offset,
    input  wire [31:0] reg_wdata,
    output reg  [31:0] reg_rdata,
    output wire        irq,
    input  wire [63:0] time_now,

    // To the raster, and its events.
    output reg         enable,
    output reg         hsync_high,
    output reg         vsync_high,
    output wire [11:0] h_visible,
    output wire [11:0] h_sync,
    output wire [11:0] h_sync_end,
    output wire [11:0] h_total,
    output wire [11:0] v_visible,
    output wire [11:0] v_sync,
    output wire [11:0] v_sync_end,
    output wire [11:0] v_total,
    output reg  [11:0] lead,
    output wire [31:0] pixel_khz,
    input  wire        raster_runs,
    input  wire        raster_blank,
    input  wire        raster_line,
    input  wire        raster_soon,
    input  wire        raster_take,
    input  wire        raster_missed,
    output wire        take,                // pulse
    output wire        begins,              // pulse: the raster is in the first visible line
    output reg         reserve,             // from a line before it on

    // Flips and cursor.
    output wire        flip_push,
    output reg  [28:0] flip_address,
    output reg  [31:0] flip_frame,
    output wire        flip_drop,
    input  wire [2:0]  flip_level,
    input  wire        flip_takes,
    output reg  [31:0] frame,
    output reg  [23:0] place,
    output reg  [23:0] size,
    output reg  [32:0] mix,
    output reg         hold,
    output reg  [21:0] image,
    output reg  [31:0] cursor_place,
    output wire        palette_write,
    input  wire [28:0] primary_address,
    input  wire        primary_shown,
    input  wire [28:0] overlay_address,
    input  wire        overlay_shown
);
`include "gpu_spec.vh"
    // ------------------------------------------------------------------ the raster's events
    reg  [1:0] runs_seen;
    reg  [2:0] blank_seen, line_seen, soon_seen, take_seen, missed_seen;
    reg  [1:0] blank_later;                 // after the line's pulse, which flips at the same edge
    always @(posedge clk) begin
        runs_seen   <= rst ? 2'd0 : {runs_seen[0], raster_runs};
        blank_seen  <= rst ? 3'd0 : {blank_seen[1:0], raster_blank};
        line_seen   <= rst ? 3'd0 : {line_seen[1:0], raster_line};
        soon_seen   <= rst ? 3'd0 : {soon_seen[1:0], raster_soon};
        take_seen   <= rst ? 3'd0 : {take_seen[1:0], raster_take};
        missed_seen <= rst ? 3'd0 : {missed_seen[1:0], raster_missed};
        blank_later <= rst ? 2'd0 : {blank_later[0], blank_seen[2] != blank_seen[1]};
    end
    wire blank = blank_later[1];
    wire line  = line_seen[2] != line_seen[1];
    assign take = take_seen[2] != take_seen[1];
    always @(posedge clk) reserve <= !rst && !take && (reserve || soon_seen[2] != soon_seen[1]);

    reg  [11:0] scan;
    reg  [29:0] missed;
    reg  [31:0] taken;
    reg  [63:0] blank_time;
    reg         in_blank;
    reg  [1:0]  irq_status, irq_enable;
    wire [11:0] scan_next = scan + 12'd1;
    assign begins = line && !blank && scan_next == v_total;
    assign irq = |(irq_status & irq_enable);
    always @(posedge clk)
        if (rst) begin
            scan     <= 12'd0;
            missed   <= 30'd0;
            taken    <= 32'd0;
            frame    <= 32'd0;
            in_blank <= 1'b0;
            blank_time <= 64'd0;
            irq_status <= 2'b00;
        end else begin
            if (blank) scan <= v_visible;
            else if (line) scan <= scan_next == v_total ? 12'd0 : scan_next;
            missed   <= missed + {29'd0, missed_seen[2] != missed_seen[1]};
            taken    <= taken + {31'd0, flip_takes};
            frame    <= frame + {31'd0, blank};
            in_blank <= blank || (in_blank && !take);
            if (blank) blank_time <= time_now;
            irq_status <= (irq_status & ~(reg_write && reg_offset == DISPLAY_IRQ_OFFSET ? reg_wdata[1:0] : 2'b00))
                          | {flip_takes, blank};
        end

    // ------------------------------------------------------------------ what the firmware writes
    reg  [23:0] h_show, h_line, v_show, v_line;
    reg  [23:0] khz;
    wire        is_steady = enable || runs_seen[1];
    wire [23:0] pair      = {reg_wdata[27:16], reg_wdata[11:0]};
    assign {h_sync, h_visible}   = h_show;
    assign {h_total, h_sync_end} = h_line;
    assign {v_sync, v_visible}   = v_show;
    assign {v_total, v_sync_end} = v_line;
    assign pixel_khz     = PIXEL_KHZ != 0 ? PIXEL_KHZ : {8'd0, khz};
    assign flip_push     = reg_write && reg_offset == DISPLAY_FLIP_PUSH_OFFSET;
    assign flip_drop     = reg_write && reg_offset == DISPLAY_FLIP_DROP_OFFSET;
    assign palette_write = reg_write && reg_offset == DISPLAY_PALETTE_OFFSET;
    always @(posedge clk)
        if (rst) begin
            enable     <= 1'b0;
            hsync_high <= 1'b0;
            vsync_high <= 1'b0;
            irq_enable <= 2'b00;
            hold       <= 1'b0;
            khz        <= 24'd0;
            image      <= 22'd0;
        end else if (reg_write)
            case (reg_offset)
                DISPLAY_CONTROL_OFFSET: begin
                    enable <= reg_wdata[DISPLAY_CONTROL_ENABLE_LSB];
                    if (!is_steady) {vsync_high, hsync_high} <= reg_wdata[DISPLAY_CONTROL_HSYNC_HIGH_LSB +: 2];
                end
                DISPLAY_CLOCK_OFFSET:        if (!is_steady) khz <= reg_wdata[23:0];
                DISPLAY_IRQ_ENABLE_OFFSET:   irq_enable <= reg_wdata[1:0];
                DISPLAY_HOLD_OFFSET:         hold <= reg_wdata[0];
                DISPLAY_CURSOR_IMAGE_OFFSET: image <= {|reg_wdata[29:28], reg_wdata[29], reg_wdata[27:8]};
                default: ;
            endcase
    always @(posedge clk)
        if (reg_write)
            case (reg_offset)
                DISPLAY_H_SHOW_OFFSET: if (!is_steady) h_show <= pair;
                DISPLAY_H_LINE_OFFSET: if (!is_steady) h_line <= pair;
                DISPLAY_V_SHOW_OFFSET: if (!is_steady) v_show <= pair;
                DISPLAY_V_LINE_OFFSET: if (!is_steady) v_line <= pair;
                DISPLAY_LEAD_OFFSET:   if (!is_steady) lead <= reg_wdata[11:0];
                DISPLAY_FLIP_ADDRESS_OFFSET:  flip_address <= {reg_wdata[29], reg_wdata[27:0]};
                DISPLAY_FLIP_FRAME_OFFSET:    flip_frame   <= reg_wdata;
                DISPLAY_OVERLAY_PLACE_OFFSET: place <= pair;
                DISPLAY_OVERLAY_SIZE_OFFSET:  size  <= pair;
                DISPLAY_OVERLAY_MIX_OFFSET:   mix[31:0] <= reg_wdata;
                DISPLAY_OVERLAY_MODE_OFFSET:  mix[32]   <= reg_wdata[DISPLAY_OVERLAY_MODE_KEYED_LSB];
                DISPLAY_CURSOR_PLACE_OFFSET:  cursor_place <= reg_wdata;
                default: ;
            endcase

    // ------------------------------------------------------------------ what it reads
    function [31:0] address_of(input [28:0] address, input shown);
        address_of = shown ? {2'b00, address[28], !address[28], address[27:0]} : 32'd0;
    endfunction
    always @(*)
        case (reg_offset)
            DISPLAY_CONTROL_OFFSET:       reg_rdata = {29'd0, vsync_high, hsync_high, enable};
            DISPLAY_STATUS_OFFSET:        reg_rdata = {25'd0, flip_level, 2'b00, in_blank, is_steady};
            DISPLAY_CLOCK_OFFSET:         reg_rdata = pixel_khz;
            DISPLAY_PROMISE1_OFFSET:      reg_rdata = PROMISE1;
            DISPLAY_PROMISE2_OFFSET:      reg_rdata = PROMISE2;
            DISPLAY_MIX_RATE_OFFSET:      reg_rdata = MIX_RATE;
            DISPLAY_FRAME_OFFSET:         reg_rdata = frame;
            DISPLAY_BLANK_LO_OFFSET:      reg_rdata = blank_time[31:0];
            DISPLAY_BLANK_HI_OFFSET:      reg_rdata = blank_time[63:32];
            DISPLAY_SCAN_OFFSET:          reg_rdata = {20'd0, scan};
            DISPLAY_MISSED_OFFSET:        reg_rdata = {missed, 2'b00};
            DISPLAY_IRQ_OFFSET:           reg_rdata = {30'd0, irq_status};
            DISPLAY_IRQ_ENABLE_OFFSET:    reg_rdata = {30'd0, irq_enable};
            DISPLAY_TAKEN_OFFSET:         reg_rdata = taken;
            DISPLAY_SHOWN_PRIMARY_OFFSET: reg_rdata = address_of(primary_address, primary_shown);
            DISPLAY_SHOWN_OVERLAY_OFFSET: reg_rdata = address_of(overlay_address, overlay_shown);
            DISPLAY_HOLD_OFFSET:          reg_rdata = {31'd0, hold};
            default:                      reg_rdata = 32'd0;
        endcase
endmodule
`default_nettype wire
