// SPDX-License-Identifier: Apache-2.0
//
// A memory that misbehaves, for tests: stands between the chip and the memory on one AXI4 port and, while KIND
// says so, withholds what the memory answers to some of the chip's masters, or answers with an error. Without a
// fault it is wires. Whatever it does, the bus stays legal on both sides; what the chip shows is checked here.
//
//   1 hold reads      read data of the masters in `readers` does not arrive
//   2 hold answers    write answers of the masters in `writers` do not arrive
//   3 hold addresses  no address is taken, whoever shows it
//   4 read error      the next burst read by one of `readers` is answered SLVERR
//   5 write error     the next burst written by one of `writers` is answered SLVERR
//
// Data comes back in order, so a held burst holds all later ones.
`default_nettype none

module fault_gate (
    input  wire        clk,
    input  wire        rst,

    input  wire [2:0]  kind,
    input  wire [3:0]  readers,      // masters of the fabric, as in fabric.v
    input  wire [2:0]  writers,
    input  wire [3:0]  read_owner,   // whose burst the memory answers next
    input  wire [2:0]  answer_owner,
    output reg         fired,        // level, until kind is 0: it has held or spoilt something

    // Names: c_ is the chip's side, m_ the memory's.
    input  wire [42:0] c_ar,         // payload, to be stable while it waits
    input  wire        c_arvalid,
    output wire        c_arready,
    output wire        m_arvalid,
    input  wire        m_arready,
    input  wire        m_rvalid,
    input  wire        m_rlast,
    input  wire [1:0]  m_rresp,
    output wire        c_rvalid,
    output wire [1:0]  c_rresp,
    output wire        r_held,       // the memory's beat is not taken in this cycle

    input  wire [42:0] c_aw,
    input  wire        c_awvalid,
    output wire        c_awready,
    output wire        m_awvalid,
    input  wire        m_awready,
    input  wire        m_bvalid,
    input  wire [1:0]  m_bresp,
    output wire        c_bvalid,
    output wire [1:0]  c_bresp,
    input  wire        c_bready,
    output wire        b_held
);
    localparam HOLD_READS = 3'd1, HOLD_ANSWERS = 3'd2, HOLD_ADDRESSES = 3'd3, READ_ERROR = 3'd4, WRITE_ERROR = 3'd5;
    localparam [1:0] SLVERR = 2'b10;

    wire meant_read  = m_rvalid && |(readers & read_owner);
    wire meant_write = m_bvalid && |(writers & answer_owner);

    // An answer that is shown stays until it is taken, so it cannot be held any more.
    reg  b_shown;
    assign r_held = kind == HOLD_READS && meant_read;
    assign b_held = kind == HOLD_ANSWERS && meant_write && !b_shown;
    wire spoil_r  = kind == READ_ERROR && meant_read && !fired;
    wire spoil_b  = kind == WRITE_ERROR && meant_write && !fired;

    // An address that the memory has been shown stays shown.
    reg  ar_shown, aw_shown;
    wire ar_held = kind == HOLD_ADDRESSES && !ar_shown;
    wire aw_held = kind == HOLD_ADDRESSES && !aw_shown;

    assign m_arvalid = c_arvalid && !ar_held;
    assign c_arready = m_arready && !ar_held;
    assign m_awvalid = c_awvalid && !aw_held;
    assign c_awready = m_awready && !aw_held;
    assign c_rvalid  = m_rvalid && !r_held;
    assign c_rresp   = spoil_r ? SLVERR : m_rresp;
    assign c_bvalid  = m_bvalid && !b_held;
    assign c_bresp   = spoil_b ? SLVERR : m_bresp;

    always @(posedge clk) begin
        ar_shown <= m_arvalid && !m_arready && !rst;
        aw_shown <= m_awvalid && !m_awready && !rst;
        b_shown  <= c_bvalid && !c_bready && !rst;
        if (rst || kind == 3'd0) fired <= 1'b0;
        else if (r_held || b_held || (ar_held && c_arvalid) || (aw_held && c_awvalid) || (spoil_r && m_rlast)
                 || (spoil_b && c_bready)) fired <= 1'b1;
    end

`ifdef GPU_ASSERT
    // What the chip shows stays as it is until it is taken, resets of a node included.
    reg        ar_waits, aw_waits;
    reg [42:0] ar_last, aw_last;
    always @(posedge clk) begin
        ar_waits <= c_arvalid && !c_arready && !rst;
        aw_waits <= c_awvalid && !c_awready && !rst;
        ar_last  <= c_ar;
        aw_last  <= c_aw;
        if (!rst) begin
            assert (!ar_waits || (c_arvalid && c_ar == ar_last));
            assert (!aw_waits || (c_awvalid && c_aw == aw_last));
        end
    end
`endif
endmodule
`default_nettype wire
