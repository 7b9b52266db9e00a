// SPDX-License-Identifier: Apache-2.0
//
// The end of the control core's data port: decodes the address and carries the access to its target.
//
// Targets: core memory, the firmware's region (core_caches.v), registers, command RAM, the fabric (core_bridge_bus.v).
// Answers come in order. One access is under way at a time; the next may be accepted in the cycle of the answer.
//
//   core memory, command RAM   answered in the cycle after acceptance. A store waits in a register until the port reads
//                              for no load, and a load sees it there: the memories' blocks lie all over the chip, too
//                              far for the way from protection to them.
//   registers, fabric          a cycle in registers of the bridge, then the access, then the answer: behind the core's
//                              adder they would be the longest path. A store to the fabric is answered after its
//                              write response, so that a later register write follows it.
//
// What is asked for does not matter for the grant: while the cache cannot take an access, none is accepted.
//
// Answered with err: an address in no space or past a memory's size, and a register store that is not a whole word.
//
// An access interrupted by the core's reset is finished, and its answer dropped. While the core is held, the host uses
// the data port through load_*, also for the firmware's region, past the empty cache. The word at load_address is read
// ahead; load_busy lasts until it is there.
`default_nettype none
module core_bridge #(
    parameter DATA_WIDTH    = 64,
    parameter TCM_BYTES     = 65536,        // multiple of 4
    parameter COMMAND_BYTES = 65536,        // power of two
    parameter FIRMWARE_BYTES = 262144,      // the firmware's region, power of two; 0: there is none
    parameter [31:0] FIRMWARE_AT = 32'h10040000 // where the fabric has it: behind what its segment has for everyone
) (
    input  wire        clk,
    input  wire        rst,

    // Core's data port (OBI-like): an access is accepted in a cycle with req and gnt, which depends on neither req nor
    // payload; its answer is rvalid with rdata and err, in order, one or more cycles later. A core that is held
    // asks for nothing, from its second cycle at the latest, and looks at nothing.
    input  wire        d_req,
    output wire        d_gnt,
    input  wire        d_we,
    input  wire [31:0] d_addr,
    input  wire [3:0]  d_be,
    input  wire [31:0] d_wdata,
    input  wire [31:0] d_store_addr,        // d_addr and d_be of a store, known early
    input  wire [3:0]  d_store_be,
    input  wire [31:0] d_load_addr,         // d_addr of a load
    input  wire        d_loads,             // an access may be a load, known early; d_we comes before it
    output wire        d_rvalid,
    output wire        d_frees,              // that answer is good, and the next access may be accepted beside it
    output reg  [31:0] d_rdata,
    output wire        d_err,

    // The host's access to core memory while core_held.
    input  wire        core_held,
    input  wire [31:0] load_address,
    input  wire        load_write,
    input  wire [31:0] load_wdata,
    output reg  [31:0] load_rdata,          // of the region, while load_address is in it and not load_busy
    output wire        load_busy,           // the host has to wait; rises in the cycle after what caused it

    // The firmware's region: the data cache's side of the core (core_cache.v), and whether it is at work.
    output wire        cache_req,
    input  wire        cache_gnt,
    input  wire        cache_rvalid,
    input  wire [31:0] cache_rdata,
    input  wire        cache_err,
    input  wire        cache_busy,

    // Core memory's data port; tcm_rdata in the cycle after.
    output wire [3:0]  tcm_write,
    output wire [$clog2(TCM_BYTES)-3:0] tcm_word,
    output wire [31:0] tcm_wdata,
    input  wire [31:0] tcm_rdata,

    // Register bus: req with stable payload until gnt; rdata in the cycle after gnt.
    output wire        reg_req,
    output wire        reg_we,
    output wire [11:0] reg_address,
    output wire [31:0] reg_wdata,
    input  wire        reg_gnt,
    input  wire [31:0] reg_rdata,

    // Command RAM's core port; command_rdata in the cycle after.
    output wire [3:0]  command_write,
    output wire [$clog2(COMMAND_BYTES)-3:0] command_word,
    output wire [31:0] command_wdata,
    input  wire [31:0] command_rdata,

    input  wire        invalidate,          // pulse: empty the system line buffers

    // Fabric, AXI4 without ids: single beats, and bursts of 64 bytes for the line buffers. rready is always 1.
    output wire [31:0] m_araddr,
    output wire [7:0]  m_arlen,
    output wire [2:0]  m_arsize,
    output wire        m_arvalid,
    input  wire        m_arready,
    input  wire [DATA_WIDTH-1:0] m_rdata,
    input  wire [1:0]  m_rresp,
    input  wire        m_rlast,
    input  wire        m_rvalid,
    output wire [31:0] m_awaddr,
    output wire [2:0]  m_awsize,
    output wire        m_awvalid,
    input  wire        m_awready,
    output wire [DATA_WIDTH-1:0] m_wdata,
    output wire [DATA_WIDTH/8-1:0] m_wstrb,
    output wire        m_wvalid,
    input  wire        m_wready,
    input  wire [1:0]  m_bresp,
    input  wire        m_bvalid
);
`include "gpu_spec.vh"
    localparam [31:0] TCM_END = TCM_BYTES, COMMAND_END = COMMAND_BYTES;

    // ------------------------------------------------------------------ decode
    localparam [2:0] FROM_TCM = 3'd0, FROM_REGISTER = 3'd1, FROM_COMMAND = 3'd2, FROM_BUS = 3'd3, FROM_NOWHERE = 3'd4,
                     FROM_CACHE = 3'd5;
    localparam [31:0] REGION_MASK = FIRMWARE_BYTES - 1;

    wire [3:0] space = d_addr[31:28];
    wire is_tcm      = space == LIMIT_ADDR_TCM[31:28] && d_addr < TCM_END;
    wire is_register = space == LIMIT_ADDR_REGISTERS[31:28] && d_addr[27:12] == 16'd0 && (!d_we || (&d_be));
    wire is_command  = space == LIMIT_ADDR_COMMAND[31:28] && {4'd0, d_addr[27:0]} < COMMAND_END;
    // The core reaches its region through the cache only, or the two would know different words.
    wire is_behind   = FIRMWARE_BYTES != 0 && space == FIRMWARE_AT[31:28] && d_addr >= FIRMWARE_AT;
    wire is_local    = (space == LIMIT_ADDR_SEGMENT1[31:28] || space == LIMIT_ADDR_SEGMENT2[31:28]) && !is_behind;
    wire is_bus      = d_addr[31] || is_local || space == LIMIT_ADDR_APERTURE[31:28];
    wire is_region   = (d_addr & ~REGION_MASK) == LIMIT_ADDR_FIRMWARE;
    wire is_slow     = is_register || is_bus || is_region;

    // ------------------------------------------------------------------ one access at a time
    reg        pending;             // accepted, not answered yet
    reg        drop;                // the core was reset since: nothing waits for the answer
    reg  [2:0] from;                // what answers
    wire       bus_done, bus_error;
    wire [31:0] bus_rdata;

    reg        reg_asks, reg_answers;
    reg        answers_now;         // accepted in the last cycle by what answers in this one
    wire       nowhere = answers_now && from == FROM_NOWHERE;
    reg        loading;             // the access on the fabric is the host's
    wire answer     = answers_now || reg_answers || (bus_done && !loading) || cache_rvalid;
    wire is_free    = !loading && (!pending || answer);
    assign d_gnt    = is_free && cache_gnt;
    wire accept     = d_req && d_gnt;

    assign d_rvalid = answer && !drop;
    assign d_frees  = ((answers_now && !nowhere) || reg_answers || (bus_done && !bus_error && !loading) ||
                       (cache_rvalid && !cache_err)) && !drop;
    assign d_err    = nowhere || bus_error || (cache_rvalid && cache_err);

    always @(posedge clk)
        if (rst) begin
            pending     <= 1'b0;
            answers_now <= 1'b0;
            drop        <= 1'b0;
            from        <= FROM_TCM;
        end else begin
            answers_now <= accept && !is_slow;
            pending <= accept || (pending && !answer);
            drop    <= (drop || core_held) && pending && !answer;
            if (accept)
                from <= is_tcm ? FROM_TCM : is_register ? FROM_REGISTER : is_command ? FROM_COMMAND
                        : is_bus ? FROM_BUS : is_region ? FROM_CACHE : FROM_NOWHERE;
        end

    // Bytes that a load finds in the store that waits.
    wire        is_same = posted_at[31:2] == held_address[31:2];
    wire [3:0]  is_posted = posted_be & {4{is_same && (posts_tcm || posts_command)}};
    wire [31:0] posted_bits = {{8{is_posted[3]}}, {8{is_posted[2]}}, {8{is_posted[1]}}, {8{is_posted[0]}}};
    always @(*)
        case (from)
            FROM_TCM:      d_rdata = (tcm_rdata & ~posted_bits) | (posted_word & posted_bits);
            FROM_REGISTER: d_rdata = reg_rdata;
            FROM_COMMAND:  d_rdata = (command_rdata & ~posted_bits) | (posted_word & posted_bits);
            FROM_BUS:      d_rdata = bus_rdata;
            FROM_CACHE:    d_rdata = cache_rdata;
            default:       d_rdata = 32'd0;
        endcase

    // ------------------------------------------------------------------ targets
    // Both memories read in every cycle in which they do not write: only the word after an acceptance is looked at.
    wire [3:0] store_space  = d_store_addr[31:28];
    wire       to_tcm       = store_space == LIMIT_ADDR_TCM[31:28] && d_store_addr < TCM_END;
    wire       to_command   = store_space == LIMIT_ADDR_COMMAND[31:28] && {4'd0, d_store_addr[27:0]} < COMMAND_END;

    // The store that waits: the core's, or while it is held the host's. A store leaves no load its turn, so there is
    // room for it.
    reg         posts_tcm, posts_command;
    reg  [31:0] posted_at, posted_word;
    reg  [3:0]  posted_be;
    wire        is_stored = core_held || d_we || !d_loads;
    wire        has_stored = d_we && accept;
    wire        is_hosts   = core_held && load_write;
    always @(posedge clk) begin
        posts_tcm     <= !rst && (core_held ? is_hosts && !load_in_region : (has_stored && to_tcm)
                                  || (posts_tcm && !is_stored));
        posts_command <= !rst && ((has_stored && to_command) || (posts_command && !is_stored));
        if (is_hosts || has_stored) begin
            posted_at   <= is_hosts ? load_address : d_store_addr;
            posted_word <= is_hosts ? load_wdata : d_wdata;
            posted_be   <= is_hosts ? 4'd15 : d_store_be;
        end
    end

    assign tcm_write  = posted_be & {4{posts_tcm && is_stored}};
    assign tcm_word   = posts_tcm && is_stored ? posted_at[$clog2(TCM_BYTES)-1:2]
                        : core_held ? load_address[$clog2(TCM_BYTES)-1:2] : d_load_addr[$clog2(TCM_BYTES)-1:2];
    assign tcm_wdata  = posted_word;

    reg         held_we, bus_asks;
    reg  [31:0] held_address, held_wdata;
    reg  [3:0]  held_be;
    assign reg_req     = reg_asks;
    assign reg_we      = held_we;
    assign reg_address = held_address[11:0];
    assign reg_wdata   = held_wdata;

    always @(posedge clk) begin
        reg_asks    <= !rst && ((accept && is_register) || (reg_asks && !reg_gnt));
        reg_answers <= !rst && reg_asks && reg_gnt;
        bus_asks    <= !rst && ((accept && is_bus) || load_start);
        if (accept || load_start) begin
            held_we      <= load_start ? stores : d_we;
            held_address <= load_start ? load_from : d_addr;
            held_be      <= load_start ? 4'd15 : d_be;
            held_wdata   <= load_start ? posted_word : d_wdata;
        end
    end

    assign command_write  = posted_be & {4{posts_command && is_stored}};
    assign command_word   = posts_command && is_stored ? posted_at[$clog2(COMMAND_BYTES)-1:2]
                            : d_load_addr[$clog2(COMMAND_BYTES)-1:2];
    assign command_wdata  = posted_word;

    assign cache_req = d_req && is_free && is_region;

    // ------------------------------------------------------------------ the host loads the region
    wire [31:0] load_offset    = load_address & REGION_MASK;
    wire        load_in_region = (load_address & ~REGION_MASK) == LIMIT_ADDR_FIRMWARE;
    reg  [1:0]  held;               // for so long that the core asks for nothing any more
    reg         stored_tcm;         // a word was stored in core memory in the last cycle
    reg         stores;             // one that the host wrote waits for its turn in the region
    reg         has_word;           // load_rdata is the word at word_at
    reg  [31:0] word_at;
    wire        wants_word = core_held && load_in_region && !(has_word && word_at == load_offset);
    reg         idle;               // in the last cycle neither the bridge nor the cache was at work
    wire        loads      = (&held) && core_held; // the core asks for nothing
    wire        load_start = loads && (stores || wants_word) && idle && !loading;
    wire [31:0] load_from  = FIRMWARE_AT + (stores ? posted_at & REGION_MASK : load_offset);
    assign load_busy = (posts_tcm && core_held) || stored_tcm || stores || loading || wants_word
                       || (FIRMWARE_BYTES != 0 && core_held && (pending || cache_busy || !(&held)));

    always @(posedge clk) begin
        held    <= {held[0] && core_held, core_held};
        idle    <= !pending && !cache_busy;
        loading <= !rst && (load_start || (loading && !bus_done));
        stores  <= !rst && ((core_held && load_write && load_in_region) || (stores && !load_start));
        stored_tcm <= !rst && posts_tcm && core_held;
        if (load_start) word_at <= load_offset;
        if (rst || !core_held || load_start) has_word <= load_start && !stores && core_held && !rst;
        if (loading && bus_done) load_rdata <= bus_rdata;
    end

    core_bridge_bus #(.DATA_WIDTH(DATA_WIDTH)) bus (
        .clk        (clk),
        .rst        (rst),
        .start      (bus_asks),
        .we         (held_we),
        .address    (held_address),
        .be         (held_be),
        .wdata      (held_wdata),
        .done       (bus_done),
        .error      (bus_error),
        .rdata      (bus_rdata),
        .invalidate (invalidate || core_held),
        .m_araddr   (m_araddr),
        .m_arlen    (m_arlen),
        .m_arsize   (m_arsize),
        .m_arvalid  (m_arvalid),
        .m_arready  (m_arready),
        .m_rdata    (m_rdata),
        .m_rresp    (m_rresp),
        .m_rlast    (m_rlast),
        .m_rvalid   (m_rvalid),
        .m_awaddr   (m_awaddr),
        .m_awsize   (m_awsize),
        .m_awvalid  (m_awvalid),
        .m_awready  (m_awready),
        .m_wdata    (m_wdata),
        .m_wstrb    (m_wstrb),
        .m_wvalid   (m_wvalid),
        .m_wready   (m_wready),
        .m_bresp    (m_bresp),
        .m_bvalid   (m_bvalid)
    );

    // ------------------------------------------------------------------ assertions
`ifdef GPU_ASSERT
    always @(posedge clk)
        if (!rst) begin
            // An error comes with an answer only.
            assert (!bus_error || bus_done);
            // At most one target takes an access.
            assert (!accept || ({3'd0, is_tcm} + {3'd0, is_register} + {3'd0, is_command} + {3'd0, is_bus}
                                + {3'd0, is_region}) <= 4'd1);
            // Nothing is accepted while an unfinished access is under way, and the fabric answers only when asked.
            assert (!accept || !pending || answer);
            assert (!bus_done || loading || (pending && from == FROM_BUS));
            assert (!loading || !pending);
            assert (!reg_answers || (pending && from == FROM_REGISTER));
            assert (!answers_now || (pending && from != FROM_BUS && from != FROM_REGISTER && from != FROM_CACHE));
            assert (!cache_rvalid || (pending && from == FROM_CACHE));
        end
`endif
    wire unused = &{1'b0, load_address, d_load_addr};
endmodule
`default_nettype wire
