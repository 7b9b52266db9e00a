// SPDX-License-Identifier: Apache-2.0
//
// The control core's single accesses on the fabric, with line buffers for system memory.
//
// Segments and aperture: one beat for each load or store; a store waits for its write response. System memory: a load
// reads an aligned line of 64 bytes as a burst, and is answered by its beat. Later loads of that line are answered at
// once. One buffer is for even lines and one for odd lines. A load of any word but a line's first reads the next line
// ahead, inside the same 4 KB page, because the host has named no other page.
//
// A store to system memory and `invalidate` empty both buffers. A load fails if its own beat has an error. A line with
// an error in any beat is not kept. A line that was read ahead with an error is read again when it is needed.
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

    // ------------------------------------------------------------------ line buffers
    // The bit of the address above the line tells which. Single beats of other spaces pass by.
    reg [DATA_WIDTH-1:0] line [0:2*LINE_BEATS-1];
    reg [1:0]            valid;
    reg [31:7]           tag0, tag1;

    // The read under way.
    reg                  reading;
    reg                  is_line;           // it is a line of system memory
    reg [31:6]           fill_line;
    reg [W_BEAT-1:0]     fill_beat;         // the beat that comes next
    reg                  fill_error;        // one that came had an error
    reg                  fill_dropped;      // too old by now
    reg                  wanted;            // a load waits for its beat `at`
    reg                  waits;             // a load waits for its end, to read something else
    reg                  ahead_asked;       // the line after the one that was loaded from is worth reading
    reg                  writing;
    reg [31:2]           held;              // the load's address

    // ------------------------------------------------------------------ where a load finds its word
    wire              is_system = address[31];
    wire [W_BEAT-1:0] beat_of   = address[5:W_BYTE];
    wire              is_kept   = is_system && !invalidate &&
                                  (address[6] ? valid[1] && tag1 == address[31:7] : valid[0] && tag0 == address[31:7]);
    wire              is_coming = is_system && !invalidate && reading && is_line && !fill_error && !fill_dropped &&
                                  fill_line == address[31:6];
    wire              has_come  = is_coming && fill_beat > beat_of;
    wire              comes_now = is_coming && fill_beat == beat_of && m_rvalid;
    wire              is_load   = start && !we;

    wire [W_BEAT-1:0] beat_held = held[5:W_BYTE];
    wire              arrives   = wanted && m_rvalid && (!is_line || fill_beat == beat_held);

    // Register the beat that holds the word when it is known, then select the word.
    reg  [DATA_WIDTH-1:0] beat;
    wire [W_BEAT:0]       place_of   = address[6:W_BYTE];
    wire [W_BEAT:0]       place_fill = {fill_line[6], fill_beat};
    always @(posedge clk) begin
        if (reading && is_line && m_rvalid) line[place_fill] <= m_rdata;
        if (arrives || (is_load && comes_now)) beat <= m_rdata;
        else if (is_load)                      beat <= line[place_of];
    end

    wire [31:0]           word_held    = {held, 2'b00};
    wire [W_BYTE-1:0]     byte_in_beat = word_held[W_BYTE-1:0];
    wire [DATA_WIDTH-1:0] beat_shifted = beat >> {byte_in_beat, 3'd0};
    assign rdata = beat_shifted[31:0];

    // ------------------------------------------------------------------ which read begins
    // A load's own at once or when the read under way has ended; else the next line.
    wire        begins_load  = is_load && !is_kept && !is_coming && !reading;
    wire        begins_late  = waits && !reading;
    wire [31:6] next_line    = {held[31:12], held[11:6] + 6'd1};
    wire        next_kept    = next_line[6] ? valid[1] && tag1 == next_line[31:7] : valid[0] && tag0 == next_line[31:7];
    wire        begins_ahead = ahead_asked && !next_kept && !reading && !waits && !start && !invalidate;
    wire        begins       = begins_load || begins_late || begins_ahead;
    wire [31:2] begins_at    = begins_load ? address[31:2] : begins_late ? held : {next_line, 4'd0};
    wire        begins_line  = begins_at[31];

    // ------------------------------------------------------------------ one access
    assign m_arlen = is_line ? LAST_BEAT[7:0] : 8'd0;
    assign m_arsize = is_line ? W_BYTE[2:0] : SIZE_WORD;
    assign m_awsize = SIZE_WORD;

    reg [31:0] write_word;
    assign m_wdata = {DATA_WIDTH/32{write_word}};
    wire [31:0] word_address = {address[31:2], 2'b00};
    wire [W_BYTE-1:0] start_byte = word_address[W_BYTE-1:0];
    wire [DATA_WIDTH/8+3:0] strobes = {{DATA_WIDTH/8{1'b0}}, be} << start_byte;
    wire is_emptied = invalidate || (start && we && is_system);

    always @(posedge clk)
        if (rst) begin
            {done, error}                     <= 2'b00;
            {m_arvalid, m_awvalid, m_wvalid}  <= 3'b000;
            {reading, writing, wanted, waits} <= 4'b0000;
            ahead_asked                       <= 1'b0;
            valid                             <= 2'b00;
            fill_beat                         <= {W_BEAT{1'b0}};
            fill_error                        <= 1'b0;
            fill_dropped                      <= 1'b0;
            is_line                           <= 1'b0;
        end else begin
            done  <= 1'b0;
            error <= 1'b0;
            if (m_arready) m_arvalid <= 1'b0;
            if (m_awready) m_awvalid <= 1'b0;
            if (m_wready)  m_wvalid  <= 1'b0;

            if (is_load) begin
                held        <= address[31:2];
                ahead_asked <= is_system && address[5:2] != 4'd0 && address[11:6] != 6'd63;
                done        <= is_kept || has_come || comes_now;
                error       <= comes_now && m_rresp[1];
                wanted      <= begins_load || (is_coming && !has_come && !comes_now);
                waits       <= !is_kept && !is_coming && reading;
            end else if (begins_ahead || next_kept)
                ahead_asked <= 1'b0;
            if (begins_late) {waits, wanted} <= 2'b01;

            if (begins) begin
                reading      <= 1'b1;
                m_arvalid    <= 1'b1;
                m_araddr     <= begins_line ? {begins_at[31:6], 6'd0} : {begins_at, 2'b00};
                is_line      <= begins_line;
                fill_line    <= begins_at[31:6];
                fill_beat    <= {W_BEAT{1'b0}};
                fill_error   <= 1'b0;
                fill_dropped <= 1'b0;
                if (begins_line) begin
                    valid[begins_at[6]] <= 1'b0;
                    if (begins_at[6]) tag1 <= begins_at[31:7];
                    else              tag0 <= begins_at[31:7];
                end
            end

            if (reading && m_rvalid) begin
                fill_beat  <= fill_beat + 1'b1;
                fill_error <= fill_error || m_rresp[1];
                if (m_rlast) begin
                    reading <= 1'b0;
                    if (is_line) valid[fill_line[6]] <= !fill_error && !m_rresp[1] && !fill_dropped;
                end
            end
            if (arrives) begin
                wanted <= 1'b0;
                done   <= 1'b1;
                error  <= m_rresp[1];
            end

            if (start && we) begin
                writing    <= 1'b1;
                m_awvalid  <= 1'b1;
                m_awaddr   <= word_address;
                m_wvalid   <= 1'b1;
                m_wstrb    <= strobes[DATA_WIDTH/8-1:0];
                write_word <= wdata;
            end
            if (writing && m_bvalid) begin
                writing <= 1'b0;
                done    <= 1'b1;
                error   <= m_bresp[1];
            end

            if (is_emptied) begin
                valid        <= 2'b00;
                fill_dropped <= !begins; // what begins now is not too old
                if (!is_load) ahead_asked <= 1'b0;
            end
        end

    // ------------------------------------------------------------------ assertions
`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            // One access at a time; data and responses only come to one that is under way.
            assert (!start || (!wanted && !waits && !writing));
            assert (!wanted || reading);
            assert (!m_rvalid || reading);
            assert (!m_bvalid || writing);
            // A line's burst has exactly as many beats as were asked for.
            assert (!(reading && m_rvalid) || m_rlast == ({{8-W_BEAT{1'b0}}, fill_beat} == m_arlen));
        end
`endif
    wire unused = &{1'b0, address[1:0], word_held, m_rresp[0], m_bresp[0], beat_shifted,
                    strobes[DATA_WIDTH/8+3:DATA_WIDTH/8]};
endmodule
`default_nettype wire
