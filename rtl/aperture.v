// SPDX-License-Identifier: Apache-2.0
//
// The system-memory aperture: a page table from aperture pages to system pages of 4 KB.
//
// In: read and write burst addresses; MAP and UNMAP packets of both nodes; register accesses (block APERTURE). Out:
// the same bursts with bus addresses, in order.
//
// After reset a sweep sets every entry to "never mapped", one a cycle; lookups and maps wait for its end. An entry
// that was never mapped leads to the page in DUMMY, an unmapped one to the page that its UNMAP named. Both count in
// DUMMY_HITS. A map writes one entry a cycle through its own port, so lookups of other pages do not wait. A lookup
// sees an entry before or after a map, never a mixture.
`default_nettype none

module aperture #(
    parameter PAGES            = 1024, // power of two, 16 .. 65536
    parameter ATTRIBUTES_WIDTH = 11    // of a burst, carried along: size and length
) (
    input  wire                        clk,
    input  wire                        rst,

    // Read bursts: engine address in, bus address out (see aperture_path.v). Addresses below ADDR_SYSTEM must
    // be aperture addresses below PAGES; system addresses pass with ADDR_SYSTEM taken off.
    input  wire [31:0]                 ar_in_address,
    input  wire [ATTRIBUTES_WIDTH-1:0] ar_in_attributes,
    input  wire                        ar_in_valid,
    output wire                        ar_in_ready,
    output wire [31:0]                 ar_out_address,
    output wire [ATTRIBUTES_WIDTH-1:0] ar_out_attributes,
    output wire                        ar_out_coherent,
    output wire                        ar_out_valid,
    input  wire                        ar_out_ready,

    // Write bursts, the same.
    input  wire [31:0]                 aw_in_address,
    input  wire [ATTRIBUTES_WIDTH-1:0] aw_in_attributes,
    input  wire                        aw_in_valid,
    output wire                        aw_in_ready,
    output wire [31:0]                 aw_out_address,
    output wire [ATTRIBUTES_WIDTH-1:0] aw_out_attributes,
    output wire                        aw_out_coherent,
    output wire                        aw_out_valid,
    input  wire                        aw_out_ready,

    // Maps, node 0 in the low bits: held until map_ready: all entries are written then, and
    // lookups accepted from the next cycle on see them. Entries past PAGES are not written.
    input  wire [1:0]                  map_valid,
    output wire [1:0]                  map_ready,
    input  wire [2*16-1:0]             map_first,
    input  wire [2*16-1:0]             map_count,
    input  wire [2*20-1:0]             map_frame,
    input  wire [1:0]                  map_increment,
    input  wire [1:0]                  map_mapped,
    input  wire [1:0]                  map_coherent,

    // Registers: written in the one cycle of reg_write; reg_rdata is combinational from reg_offset.
    input  wire                        reg_write,
    input  wire [7:0]                  reg_offset,
    input  wire [31:0]                 reg_wdata,
    output reg  [31:0]                 reg_rdata
);
`include "gpu_spec.vh"
    localparam INDEX_WIDTH = $clog2(PAGES);

    // ------------------------------------------------------------------ writes: the sweep, then maps
    reg                    sweeping;
    reg                    writing;  // a map is under way ...
    reg                    node;     // ... of this node; else the node served last
    wire                   other     = !node;
    wire                   takes     = map_valid[other] ? other : node;
    reg  [15:0]            left;     // entries to write
    reg  [16:0]            page;     // the next one
    reg  [19:0]            frame;
    reg                    increment, mapped, coherent;
    wire                   ends      = left[15:1] == 15'd0;
    wire                   in_table  = {15'd0, page} < PAGES;

    wire                   write_enable = sweeping || (writing && in_table && left != 16'd0);
    wire [INDEX_WIDTH-1:0] write_index  = page[INDEX_WIDTH-1:0];
    reg  [22:0]            write_entry;
    always @(*) begin
        write_entry = 23'd0;
        if (!sweeping) begin
            write_entry[APERTURE_ENTRY_FRAME_LSB +: APERTURE_ENTRY_FRAME_WIDTH] = frame;
            write_entry[APERTURE_ENTRY_VALID_LSB]    = 1'b1;
            write_entry[APERTURE_ENTRY_MAPPED_LSB]   = mapped;
            write_entry[APERTURE_ENTRY_COHERENT_LSB] = coherent && mapped;
        end
    end

    assign map_ready = {writing && ends && node, writing && ends && !node};
    always @(posedge clk) begin
        if (sweeping || writing) begin
            page  <= page + 17'd1;
            frame <= frame + {19'd0, increment};
            left  <= left - 16'd1;
        end
        if (sweeping) begin
            if ({15'd0, page} == PAGES - 1) sweeping <= 1'b0;
        end else if (writing) begin
            if (ends) writing <= 1'b0;
        end else if (|map_valid) begin
            // The nodes take turns.
            node      <= takes;
            writing   <= 1'b1;
            page      <= {1'b0, takes ? map_first[31:16] : map_first[15:0]};
            left      <= takes ? map_count[31:16] : map_count[15:0];
            frame     <= takes ? map_frame[39:20] : map_frame[19:0];
            increment <= takes ? map_increment[1] : map_increment[0];
            mapped    <= takes ? map_mapped[1] : map_mapped[0];
            coherent  <= takes ? map_coherent[1] : map_coherent[0];
        end
        if (rst) begin
            sweeping <= 1'b1;
            writing  <= 1'b0;
            node     <= 1'b0;
            page     <= 17'd0;
        end
    end

    // ------------------------------------------------------------------ lookups
    reg  [19:0]            dummy;
    reg  [INDEX_WIDTH-1:0] peek_index;
    reg                    peek_asked, peek_comes;
    wire [22:0]            peek_entry, peek_unused;
    wire                   read_looked_up, read_dummy_hit, write_looked_up, write_dummy_hit;

    aperture_path #(.PAGES(PAGES), .ATTRIBUTES_WIDTH(ATTRIBUTES_WIDTH)) reads (
        .clk            (clk),
        .rst            (rst),
        .hold           (sweeping),
        .dummy          (dummy),
        .in_address     (ar_in_address),
        .in_attributes  (ar_in_attributes),
        .in_valid       (ar_in_valid),
        .in_ready       (ar_in_ready),
        .out_address    (ar_out_address),
        .out_attributes (ar_out_attributes),
        .out_coherent   (ar_out_coherent),
        .out_valid      (ar_out_valid),
        .out_ready      (ar_out_ready),
        .write_enable   (write_enable),
        .write_index    (write_index),
        .write_entry    (write_entry),
        .peek_enable    (1'b0),
        .peek_index     ({INDEX_WIDTH{1'b0}}),
        .peek_entry     (peek_unused),
        .looked_up      (read_looked_up),
        .dummy_hit      (read_dummy_hit)
    );

    aperture_path #(.PAGES(PAGES), .ATTRIBUTES_WIDTH(ATTRIBUTES_WIDTH)) writes (
        .clk            (clk),
        .rst            (rst),
        .hold           (sweeping),
        .dummy          (dummy),
        .in_address     (aw_in_address),
        .in_attributes  (aw_in_attributes),
        .in_valid       (aw_in_valid),
        .in_ready       (aw_in_ready),
        .out_address    (aw_out_address),
        .out_attributes (aw_out_attributes),
        .out_coherent   (aw_out_coherent),
        .out_valid      (aw_out_valid),
        .out_ready      (aw_out_ready),
        .write_enable   (write_enable),
        .write_index    (write_index),
        .write_entry    (write_entry),
        .peek_enable    (peek_asked),
        .peek_index     (peek_index),
        .peek_entry     (peek_entry),
        .looked_up      (write_looked_up),
        .dummy_hit      (write_dummy_hit)
    );

    // ------------------------------------------------------------------ registers
    // The entry at INDEX is fetched when INDEX is written and again after every map, in one idle cycle of the write
    // direction's table. It stands in ENTRY three cycles after the write, where no master comes earlier.
    reg [22:0] peeked;
    reg [31:0] lookups, dummy_hits;
    wire       write_index_now = reg_write && reg_offset == APERTURE_INDEX_OFFSET;
    always @(posedge clk) begin
        peek_asked <= write_index_now || (|map_ready) || sweeping;
        peek_comes <= peek_asked;
        if (peek_comes) peeked <= peek_entry;
        if (write_index_now) peek_index <= reg_wdata[INDEX_WIDTH-1:0];
        if (reg_write && reg_offset == APERTURE_DUMMY_OFFSET) dummy <= reg_wdata[19:0];
        lookups    <= lookups + {31'd0, read_looked_up} + {31'd0, write_looked_up};
        dummy_hits <= dummy_hits + {31'd0, read_dummy_hit} + {31'd0, write_dummy_hit};
        if (rst) begin
            peek_asked <= 1'b0;
            peek_comes <= 1'b0;
            peeked     <= 23'd0;
            peek_index <= 0;
            dummy      <= 20'd0;
            lookups    <= 32'd0;
            dummy_hits <= 32'd0;
        end
    end
    always @(*) begin
        reg_rdata = 32'd0;
        case (reg_offset)
            APERTURE_PAGES_OFFSET:      reg_rdata = PAGES;
            APERTURE_DUMMY_OFFSET:      reg_rdata = {12'd0, dummy};
            APERTURE_LOOKUPS_OFFSET:    reg_rdata = lookups;
            APERTURE_DUMMY_HITS_OFFSET: reg_rdata = dummy_hits;
            APERTURE_INDEX_OFFSET:      reg_rdata = {{(32-INDEX_WIDTH){1'b0}}, peek_index};
            APERTURE_ENTRY_OFFSET:      reg_rdata = {9'd0, peeked};
            default:                    reg_rdata = 32'd0;
        endcase
    end

    wire unused = &{1'b0, peek_unused, page, reg_wdata, 1'b0};

`ifdef GPU_ASSERT
    // A map that is carried out stays asked for; at most one is answered at a time.
    always @(posedge clk)
        if (!rst) begin
            assert (!writing || map_valid[node]);
            assert (map_ready != 2'b11);
        end
`endif
endmodule

`default_nettype wire
