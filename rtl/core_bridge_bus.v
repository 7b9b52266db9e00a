// SPDX-License-Identifier: Apache-2.0
//
// The control core's single accesses on the fabric, and its line buffer for system memory.
//
// Segments and aperture: a load is one beat, a store one beat whose write response is awaited. System
// memory: a load fills a buffer of one aligned line of 64 bytes with a burst, later loads of that line
// answer at once, until any store to system memory or `invalidate` empties it. An error of any beat makes
// the load fail and leaves the buffer empty. Lines are aligned, so no burst crosses a page.
`default_nettype none
module core_bridge_bus #(
    parameter DATA_WIDTH = 64               // 32, 64, 128 or 256
) (
    input  wire        clk,
    input  wire        rst,

    // start with the access; done with error and rdata follows one or more cycles later (never in the same
    // cycle). The next start may come with done.
    input  wire        start,
    input  wire        we,
    input  wire [31:0] address,
    input  wire [3:0]  be,
    input  wire [31:0] wdata,
    output reg         done,
    output reg         error,
    output wire [31:0] rdata,

    input  wire        invalidate,

    output reg  [31:0] m_araddr,
    output wire [7:0]  m_arlen,
    output wire [2:0]  m_arsize,
    output reg         m_arvalid,
    input  wire        m_arready,
    input  wire [DATA_WIDTH-1:0] m_rdata,
    input  wire [1:0]  m_rresp,
    input  wire        m_rlast,
    input  wire        m_rvalid,
    output reg  [31:0] m_awaddr,
    output wire [2:0]  m_awsize,
    output reg         m_awvalid,
    input  wire        m_awready,
    output wire [DATA_WIDTH-1:0] m_wdata,
    output reg  [DATA_WIDTH/8-1:0] m_wstrb,
    output reg         m_wvalid,
    input  wire        m_wready,
    input  wire [1:0]  m_bresp,
    input  wire        m_bvalid
);
    localparam LINE_BYTES = 64;
    localparam LINE_BEATS = LINE_BYTES * 8 / DATA_WIDTH;
    localparam LAST_BEAT  = LINE_BEATS - 1;
    localparam W_BYTE     = $clog2(DATA_WIDTH / 8);     // address bits inside a beat
    localparam W_BEAT     = $clog2(LINE_BEATS);         // beats of a line
    localparam [2:0] SIZE_WORD = 3'd2;

    // ------------------------------------------------------------------ line buffer
    // Single beats of other spaces pass through it too (beat 0) but leave it invalid.
    reg [DATA_WIDTH-1:0] line [0:LINE_BEATS-1];
    reg                  line_valid;
    reg [31:6]           line_tag;
    reg [5:0]            at;                // place in its line of the access under way, whole words
    reg                  is_line;           // it is a load of system memory
    reg [W_BEAT-1:0]     fill_beat;
    reg                  fill_error;
    reg                  reading, writing;

    wire is_system = address[31];
    wire is_hit    = is_system && line_valid && line_tag == address[31:6];

    // Register the beat that holds the word when it is known, then select the word.
    wire [W_BEAT-1:0]     beat_at   = reading ? (is_line ? at[5:W_BYTE] : {W_BEAT{1'b0}}) : address[5:W_BYTE];
    wire [W_BEAT-1:0]     last_read = is_line ? at[5:W_BYTE] : {W_BEAT{1'b0}};
    reg  [DATA_WIDTH-1:0] beat;
    wire                  beat_arrives = reading && m_rvalid && fill_beat == last_read;
    always @(posedge clk) begin
        if (m_rvalid) line[fill_beat] <= m_rdata;
        if (beat_arrives) beat <= m_rdata;
        else if (start && !we) beat <= line[beat_at];
    end

    wire [W_BYTE-1:0]     byte_in_beat = at[W_BYTE-1:0];
    wire [DATA_WIDTH-1:0] beat_shifted = beat >> {byte_in_beat, 3'd0};
    assign rdata = beat_shifted[31:0];

    // ------------------------------------------------------------------ one access
    assign m_arlen = is_line ? LAST_BEAT[7:0] : 8'd0;
    assign m_arsize = is_line ? W_BYTE[2:0] : SIZE_WORD;
    assign m_awsize = SIZE_WORD;

    reg [31:0] write_word;
    assign m_wdata = {DATA_WIDTH/32{write_word}};
    wire [31:0] word_address = {address[31:2], 2'b00};
    wire [W_BYTE-1:0] start_byte = word_address[W_BYTE-1:0];
    wire [DATA_WIDTH/8+3:0] strobes = {{DATA_WIDTH/8{1'b0}}, be} << start_byte;

    always @(posedge clk)
        if (rst) begin
            {done, error}                     <= 2'b00;
            {m_arvalid, m_awvalid, m_wvalid}  <= 3'b000;
            {reading, writing}                <= 2'b00;
            line_valid                        <= 1'b0;
            fill_beat                         <= {W_BEAT{1'b0}};
            fill_error                        <= 1'b0;
            is_line                           <= 1'b0;
        end else begin
            done  <= 1'b0;
            error <= 1'b0;
            if (m_arready) m_arvalid <= 1'b0;
            if (m_awready) m_awvalid <= 1'b0;
            if (m_wready)  m_wvalid  <= 1'b0;

            if (start) begin
                at      <= word_address[5:0];
                is_line <= is_system && !we;
                if (we) begin
                    writing    <= 1'b1;
                    m_awvalid  <= 1'b1;
                    m_awaddr   <= word_address;
                    m_wvalid   <= 1'b1;
                    m_wstrb    <= strobes[DATA_WIDTH/8-1:0];
                    write_word <= wdata;
                    if (is_system) line_valid <= 1'b0;
                end else if (is_hit && !invalidate) begin
                    done <= 1'b1;
                end else begin
                    reading    <= 1'b1;
                    m_arvalid  <= 1'b1;
                    m_araddr   <= is_system ? {address[31:6], 6'd0} : word_address;
                    fill_beat  <= {W_BEAT{1'b0}};
                    fill_error <= 1'b0;
                    line_valid <= 1'b0;
                    line_tag   <= address[31:6];
                end
            end

            if (reading && m_rvalid) begin
                fill_beat  <= fill_beat + 1'b1;
                fill_error <= fill_error || m_rresp[1];
                if (m_rlast) begin
                    reading    <= 1'b0;
                    done       <= 1'b1;
                    error      <= fill_error || m_rresp[1];
                    line_valid <= is_line && !fill_error && !m_rresp[1];
                end
            end

            if (writing && m_bvalid) begin
                writing <= 1'b0;
                done    <= 1'b1;
                error   <= m_bresp[1];
            end

            if (invalidate) line_valid <= 1'b0;
        end

    // ------------------------------------------------------------------ assertions
`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            // One access at a time; data and responses only come to one that is under way.
            assert (!start || (!reading && !writing));
            assert (!m_rvalid || reading);
            assert (!m_bvalid || writing);
            // A line's burst has exactly as many beats as were asked for.
            assert (!(reading && m_rvalid) || m_rlast == ({{8-W_BEAT{1'b0}}, fill_beat} == m_arlen));
        end
`endif
    wire unused = &{1'b0, address[1:0], m_rresp[0], m_bresp[0], beat_shifted, strobes[DATA_WIDTH/8+3:DATA_WIDTH/8]};
endmodule
`default_nettype wire
