// SPDX-License-Identifier: Apache-2.0
//
// Local memory of the small system: one RAM port of 64 bits, shared in turns of one cycle by the core (first), the
// wire, the mover's writes and the mover's reads. No master waits for ever: the core does not ask in every cycle, the
// wire has a word in hundreds of cycles, and a mover's write needs a beat that was read before.
`default_nettype none

module small_memory #(
    parameter [31:0] BASE = 32'h10000000, // GPU address of byte 0
    parameter LOG2_WORDS  = 14            // of 8 bytes
) (
    input  wire        clk,
    input  wire        rst,

    // Core: taken at once, its word in the next cycle. An address is a byte's inside the memory.
    input  wire        c_req,
    input  wire [3:0]  c_write,           // per byte; all zero reads
    input  wire [LOG2_WORDS+2:0] c_address,
    input  wire [31:0] c_wdata,
    output wire [31:0] c_rdata,

    // Wire: as the ports of wire_bridge.v. It waits for an answer before it asks again.
    input  wire [LOG2_WORDS+2:0] h_address,
    input  wire        h_awvalid,         // with its data
    output wire        h_awready,
    input  wire [31:0] h_wdata,
    output reg         h_bvalid,
    input  wire        h_arvalid,
    output wire        h_arready,
    output reg         h_rvalid,          // the word's half is h_address's

    // Mover: AXI4, bursts of 8-byte beats inside 256 bytes; outside the memory all beats answer SLVERR.
    input  wire [31:0] r_araddr,
    input  wire [4:0]  r_arlen,
    input  wire        r_arvalid,
    output wire        r_arready,
    output reg         r_rvalid,
    output reg         r_rlast,
    output reg         r_rerror,
    input  wire [31:0] w_awaddr,
    input  wire        w_awvalid,
    output wire        w_awready,
    input  wire [63:0] w_wdata,
    input  wire [7:0]  w_wstrb,
    input  wire        w_wlast,
    input  wire        w_wvalid,
    output wire        w_wready,
    output wire        w_bvalid,
    output wire        w_berror,
    input  wire        w_bready,
    output wire [63:0] rdata,             // of wire and mover

    // The RAM: what is read is there in the next cycle.
    output wire [LOG2_WORDS-1:0] ram_word,
    output wire [7:0]  ram_write,         // per byte
    output wire [63:0] ram_wdata,
    input  wire [63:0] ram_rdata
);
    localparam TOP = LOG2_WORDS + 3;
    assign rdata = ram_rdata;

    // ------------------------------------------------------------------ turns
    reg  reading, writing, answering;
    wire take_host  = !c_req && (h_awvalid || h_arvalid);
    wire take_write = !c_req && !take_host && writing && w_wvalid;
    wire take_read  = !c_req && !take_host && !take_write && reading;
    assign h_awready = take_host;
    assign h_arready = take_host;
    assign w_wready  = take_write;
    always @(posedge clk) begin
        h_bvalid <= !rst && take_host && h_awvalid;
        h_rvalid <= !rst && take_host && h_arvalid;
    end

    // ------------------------------------------------------------------ mover's bursts
    reg  [LOG2_WORDS-1:0] r_word, w_word;
    reg  [4:0]            r_left;
    reg                   r_outside, w_outside;
    assign r_arready = !reading;
    assign w_awready = !writing && !answering;
    assign w_bvalid  = answering;
    assign w_berror  = w_outside;
    always @(posedge clk)
        if (rst) begin
            reading   <= 1'b0;
            writing   <= 1'b0;
            answering <= 1'b0;
            r_rvalid  <= 1'b0;
        end else begin
            r_rvalid <= take_read;
            if (r_arvalid && r_arready)           reading <= 1'b1;
            else if (take_read && r_left == 5'd0) reading <= 1'b0;
            if (w_awvalid && w_awready)           writing <= 1'b1;
            else if (take_write && w_wlast)       writing <= 1'b0;
            if (take_write && w_wlast)            answering <= 1'b1;
            else if (w_bready)                    answering <= 1'b0;
        end
    always @(posedge clk) begin
        r_rlast  <= r_left == 5'd0;
        r_rerror <= r_outside;
        if (r_arvalid && r_arready) begin
            r_word    <= r_araddr[TOP-1:3];
            r_left    <= r_arlen;
            r_outside <= r_araddr[31:TOP] != BASE[31:TOP];
        end else if (take_read) begin
            r_word[4:0] <= r_word[4:0] + 5'd1;
            r_left      <= r_left - 5'd1;
        end
        if (w_awvalid && w_awready) begin
            w_word    <= w_awaddr[TOP-1:3];
            w_outside <= w_awaddr[31:TOP] != BASE[31:TOP];
        end else if (take_write) w_word[4:0] <= w_word[4:0] + 5'd1;
    end

    // ------------------------------------------------------------------ the RAM
    wire [TOP-1:2] word32   = c_req ? c_address[TOP-1:2] : h_address[TOP-1:2];
    wire [3:0]     write32  = c_req ? c_write : {4{h_awvalid}};
    wire [31:0]    wdata32  = c_req ? c_wdata : h_wdata;
    wire           single   = c_req || take_host;
    assign ram_word  = single ? word32[TOP-1:3] : take_write ? w_word : r_word;
    assign ram_wdata = single ? {2{wdata32}} : w_wdata;
    assign ram_write = single ? {write32 & {4{word32[2]}}, write32 & {4{!word32[2]}}}
                              : w_wstrb & {8{take_write && !w_outside}};
    reg c_half;
    always @(posedge clk) c_half <= c_address[2];
    assign c_rdata = c_half ? ram_rdata[63:32] : ram_rdata[31:0];

    wire unused = &{1'b0, r_araddr[2:0], w_awaddr[2:0], c_address[1:0], h_address[1:0]};
`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            // One has the port, and a burst stays inside its 256 bytes.
            assert (!(take_write && take_read) && !(single && (take_write || take_read)));
            assert (!(r_arvalid && r_arready) || {1'b0, r_araddr[7:3]} + {1'b0, r_arlen} < 6'd32);
            assert (!(take_write && !w_wlast) || w_word[4:0] != 5'd31);
        end
`endif
endmodule
`default_nettype wire
