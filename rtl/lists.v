// SPDX-License-Identifier: Apache-2.0
//
// Reads what a SUBMIT names from the host's memory, and has it examined without the firmware. In this order:
//   - the allocation list: each handle is NULL or that of a ready allocation of the client, once;
//   - the DMA buffer into command RAM;
//   - the patch list into command RAM, each entry's index into the word that it patches, and what the entry is worth
//     into the examiner's table;
//   - the examiner's walk. If it accepts, its results go into the patch list, and the addresses into their words.
// A row of its own table says of an allocation whose it is, how large and where. The firmware keeps it true.
// At anything unusual it stops; then the firmware reads everything itself (firmware/validate, with the same rules).
// It stands between the registers and the examiner, which is its own while it is at work. model/lists_model.c is the
// same in C.
`default_nettype none
module lists #(
    parameter DATA_WIDTH    = 64,
    parameter COMMAND_WIDTH = 16, // bits of a byte offset in command RAM, 16 to 18
    parameter ENTRIES_LOG2  = 10, // of the entries of either list, as the examiner's; 5 to 12
    parameter ROWS_LOG2     = 10  // of the allocations that have a row, 6 to 14
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        core_held,           // level: ends what is under way

    // Block EXAMINE of gpu.def: the registers here begin at LISTS, the others are the examiner's.
    input  wire        reg_write,
    input  wire        reg_read,
    input  wire [7:0]  reg_offset,
    input  wire [31:0] reg_wdata,
    output wire [31:0] reg_rdata,
    output wire        x_write,
    output wire        x_read,
    output reg  [7:0]  x_offset,
    output reg  [31:0] x_wdata,
    input  wire [31:0] x_rdata,

    // Command RAM: a request is a write of the bytes in command_write, or a read, whose word comes a cycle after.
    output reg         command_req,
    input  wire        command_gnt,
    input  wire        command_waits,       // a write that was granted has not been done yet
    output reg  [3:0]  command_write,
    output wire [COMMAND_WIDTH-1:0] command_address,
    output reg  [31:0] command_wdata,
    input  wire        command_rvalid,
    input  wire [31:0] command_rdata,

    // System memory: see lists_host.v.
    output wire [31:0] m_araddr,
    output wire [7:0]  m_arlen,
    output wire [2:0]  m_arsize,
    output wire        m_arvalid,
    input  wire        m_arready,
    input  wire [DATA_WIDTH-1:0] m_rdata,
    input  wire [1:0]  m_rresp,
    input  wire        m_rlast,
    input  wire        m_rvalid
);
`include "gpu_spec.vh"
    localparam IDLE = 5'd0, WIPE = 5'd1, CLEAR = 5'd2, HANDLE = 5'd3, FLAGS = 5'd4, JUDGE = 5'd5, KEEP = 5'd6;
    localparam COPY = 5'd7, PATCH0 = 5'd8, PATCH1 = 5'd9, PATCH2 = 5'd10, PATCH3 = 5'd11, PATCH4 = 5'd12;
    localparam PATCH5 = 5'd13, PLANT = 5'd14, WRITE0 = 5'd15, WRITE1 = 5'd16, WRITE2 = 5'd17, BEGIN = 5'd18;
    localparam WALK = 5'd19, RESULT = 5'd20, LOAD0 = 5'd21, CAME0 = 5'd22, LOAD2 = 5'd23, CAME2 = 5'd24;
    localparam PLACE = 5'd25, STORE0 = 5'd26, STORE1 = 5'd27, ADDRESS = 5'd28, DRAIN = 5'd29, START = 5'd30;
    localparam E = ENTRIES_LOG2, R = ROWS_LOG2, W = COMMAND_WIDTH - 2;
    localparam [31:0] TABLE_LOG2 = ROWS_LOG2;

    // ------------------------------------------------------------------ registers
    reg  [4:0]  state;
    wire        is_busy = state != IDLE || command_waits;
    reg         named_all, sound, accepted, in_place;
    reg         wipe_due;                   // DRAIN ends with WIPE
    reg  [30:2] dma_at, list_at, patches_at;
    reg  [12:0] list_count, patch_count;
    reg  [15:0] room;                       // word of command RAM where the patch list goes
    reg  [7:0]  client;
    reg         counts;
    reg  [15:0] base;                       // of the DMA buffer in command RAM, in words
    reg  [13:0] words;
    reg  [24:0] key;
    reg  [21:0] place;
    wire        own    = reg_offset >= EXAMINE_LISTS_OFFSET;
    wire        writes = reg_write && own;
    wire        begins = writes && reg_offset == EXAMINE_READ_OFFSET && !is_busy;
    wire        stops  = core_held || (writes && reg_offset == EXAMINE_STOP_OFFSET);
    wire        forgets = writes && reg_offset == EXAMINE_STOP_OFFSET && reg_wdata[EXAMINE_STOP_FORGET_LSB];
    always @(posedge clk) if (writes) begin
        case (reg_offset)
            EXAMINE_ROW_KEY_OFFSET:
                key <= {reg_wdata[EXAMINE_ROW_KEY_READY_LSB], reg_wdata[EXAMINE_ROW_KEY_CLIENT_LSB +: 8],
                        reg_wdata[EXAMINE_ROW_KEY_GENERATION_LSB +: 16]};
            EXAMINE_ROW_PLACE_OFFSET:
                place <= {reg_wdata[EXAMINE_ROW_PLACE_WRITE_LSB], reg_wdata[EXAMINE_ROW_PLACE_READ_LSB],
                          reg_wdata[EXAMINE_ROW_PLACE_PAGE_LSB +: 20]};
            default: ;
        endcase
        if (!is_busy) case (reg_offset)
            EXAMINE_DMA_AT_OFFSET:     dma_at     <= reg_wdata[30:2];
            EXAMINE_LIST_AT_OFFSET:    list_at    <= reg_wdata[30:2];
            EXAMINE_PATCHES_AT_OFFSET: patches_at <= reg_wdata[30:2];
            EXAMINE_COUNTS_OFFSET: begin
                list_count  <= reg_wdata[EXAMINE_COUNTS_LIST_LSB +: EXAMINE_COUNTS_LIST_WIDTH];
                patch_count <= reg_wdata[EXAMINE_COUNTS_PATCHES_LSB +: EXAMINE_COUNTS_PATCHES_WIDTH];
            end
            EXAMINE_JOB_OFFSET: begin
                room   <= reg_wdata[EXAMINE_JOB_PATCHES_LSB +: EXAMINE_JOB_PATCHES_WIDTH];
                client <= reg_wdata[EXAMINE_JOB_CLIENT_LSB +: EXAMINE_JOB_CLIENT_WIDTH];
                counts <= reg_wdata[EXAMINE_JOB_TRAFFIC_LSB];
            end
            EXAMINE_READ_OFFSET: begin
                base  <= reg_wdata[EXAMINE_START_BASE_LSB +: EXAMINE_START_BASE_WIDTH];
                words <= reg_wdata[EXAMINE_START_WORDS_LSB +: EXAMINE_START_WORDS_WIDTH];
            end
            default: ;
        endcase
    end

    // ------------------------------------------------------------------ the rows of allocations
    reg  [R-1:0] count;                     // rows wiped, words of `named` cleared
    reg  [60:0] row;                        // {ready, client, generation, pages, 0, place}
    (* no_rw_check *)
    reg  [60:0] rows [0:(1<<R)-1];
    wire [13:0] row_written  = reg_wdata[EXAMINE_ROW_ALLOCATION_LSB +: EXAMINE_ROW_ALLOCATION_WIDTH];
    wire        has_row      = (row_written >> R) == 14'd0;
    wire        writes_row   = writes && reg_offset == EXAMINE_ROW_OFFSET && has_row;
    wire        wipes        = state == WIPE;
    reg  [R-1:0] row_at;
    always @(posedge clk) begin
        if (wipes || writes_row)
            rows[wipes ? count : row_written[R-1:0]] <=
                wipes ? 61'd0 : {key, reg_wdata[EXAMINE_ROW_PAGES_LSB +: 13], 1'b0, place};
        row <= rows[row_at];
    end
    wire [21:0] row_place      = row[21:0];
    wire [24:0] row_bytes      = {row[35:23], 12'd0};
    wire [15:0] row_generation = row[51:36];
    wire [7:0]  row_client     = row[59:52];
    wire        row_ready      = row[60];
    wire        row_unused     = row[22];

    // ------------------------------------------------------------------ the allocation list
    reg  [13:0] index;                      // of the entry, or of the word of the DMA buffer
    reg  [31:0] handle;
    reg  [31:0] flags;
    reg         is_good;
    reg  [12:0] entry;                      // of the list, that a patch entry names
    reg  [R+1:0] item;                      // {null, writes, allocation}
    (* no_rw_check *)
    reg  [R+1:0] list [0:(1<<E)-1];
    always @(posedge clk) begin
        if (state == KEEP) list[index[E-1:0]] <= {handle == 32'd0, flags[0], handle[R-1:0]};
        item <= list[entry[E-1:0]];
    end
    wire        item_null  = item[R+1];
    wire        item_write = item[R];
    // A bit per allocation, in words of 32.
    localparam N = R - 5;
    reg  [31:0] named [0:(1<<N)-1];
    reg  [N-1:0] named_at;
    wire [N-1:0] named_word = state == CLEAR ? count[N-1:0]
                            : state == JUDGE || state == KEEP ? handle[R-1:5] : named_at;
    wire [31:0] named_now  = named[named_word];
    wire [31:0] named_bit  = 32'd1 << handle[4:0];
    wire        names      = state == KEEP && is_good && handle != 32'd0;
    always @(posedge clk) begin
        if (state == CLEAR || names) named[named_word] <= state == CLEAR ? 32'd0 : named_now | named_bit;
        if (writes && reg_offset == EXAMINE_NAMED_AT_OFFSET) named_at <= reg_wdata[N-1:0];
        else if (reg_read && reg_offset == EXAMINE_NAMED_OFFSET) named_at <= named_at + 1'b1;
    end

    // ------------------------------------------------------------------ words of the host
    reg         host_start;
    reg  [30:2] host_at;
    reg  [14:0] host_count;
    wire        host_valid, host_failed, host_quiet;
    wire [31:0] host_word;
    wire        granted   = command_req && command_gnt;
    wire        takes_own = state == HANDLE || state == FLAGS || (state >= PATCH0 && state <= PATCH5);
    wire        host_take = !host_start && (takes_own || (state == COPY && granted));
    wire        comes     = host_valid && !host_start;
    lists_host #(.DATA_WIDTH(DATA_WIDTH)) host (
        .clk(clk), .rst(rst), .start(host_start), .address(host_at), .count(host_count), .stop(state == DRAIN),
        .valid(host_valid), .word(host_word), .take(host_take), .failed(host_failed), .is_quiet(host_quiet),
        .m_araddr(m_araddr), .m_arlen(m_arlen), .m_arsize(m_arsize), .m_arvalid(m_arvalid), .m_arready(m_arready),
        .m_rdata(m_rdata), .m_rresp(m_rresp), .m_rlast(m_rlast), .m_rvalid(m_rvalid)
    );

    // ------------------------------------------------------------------ a patch entry
    reg  [5:0]  slot;
    reg  [24:0] offset;                     // into its allocation
    reg  [24:0] left;                       // from there to its end
    reg  [13:0] patch_word, split_word;
    reg         is_bad;                     // a word of it cannot be
    reg  [W-1:0] at;                        // word of command RAM where it goes
    reg  [30:0] first;                      // of the entry as it lies there: {patch word, allocation}
    reg         write_flag;
    reg  [31:0] target;                     // the address that it stands for
    wire [15:0] allocation = item_null ? 16'hffff : {{(16-R){1'b0}}, item[R-1:0]};
    wire        is_null    = first[15:0] == 16'hffff;
    wire        in_words   = host_word[1:0] == 2'd0 && host_word[31:16] == 16'd0 && host_word[15:2] < words;
    wire [13:0] index_next = index + 14'd1;
    wire        is_last    = index_next == {1'b0, patch_count};

    // ------------------------------------------------------------------ command RAM
    reg  [W-1:0] word_at;
    wire [W-1:0] dma_base  = base[W-1:0];
    reg  [W-1:0] distance;
    assign command_address = {word_at, 2'b00};
    always @(*) begin
        distance        = {W{1'b0}};
        distance[13:0]  = state == COPY ? index : patch_word;
        word_at         = dma_base + distance;
        command_req     = 1'b0;
        command_write   = 4'b1111;
        command_wdata   = host_word;
        case (state)
            COPY:    command_req = comes;
            PLANT:   {command_req, command_wdata} = {1'b1, 18'd0, index};
            WRITE0: begin
                {command_req, command_wdata} = {1'b1, 2'b00, patch_word, allocation};
                word_at = at;
            end
            WRITE1: begin
                {command_req, command_wdata} = {1'b1, 18'd0, split_word};
                word_at = at;
            end
            WRITE2: begin
                {command_req, command_wdata} = {1'b1, offset, !item_null && item_write, slot};
                word_at = at;
            end
            LOAD0, LOAD2: begin
                {command_req, command_write} = 5'b10000;
                word_at = at;
            end
            STORE0: begin
                {command_req, command_wdata} = {1'b1, x_rdata[EXAMINE_RESULT_WRITTEN_LSB], first};
                word_at = at;
            end
            STORE1: begin
                {command_req, command_write} = 5'b11100;
                command_wdata = {counts ? x_rdata[EXAMINE_RESULT_TRAFFIC_LSB +: 16] : 16'd0, 16'd0};
                word_at = at;
            end
            ADDRESS: {command_req, command_wdata} = {1'b1, target};
            default: ;
        endcase
    end

    // ------------------------------------------------------------------ the examiner
    wire        leads    = is_busy && state != WIPE;
    reg         x_writes, x_reads;
    wire        x_busy   = x_rdata[EXAMINE_STATUS_BUSY_LSB];
    assign x_write = leads ? x_writes : reg_write && !own;
    assign x_read  = leads ? x_reads : reg_read && !own;
    always @(*) begin
        x_offset = EXAMINE_STATUS_OFFSET;
        x_wdata  = 32'd0;
        {x_writes, x_reads} = 2'b00;
        case (state)
            COPY, RESULT: {x_writes, x_offset} = {1'b1, EXAMINE_INDEX_OFFSET}; // 0
            PLANT: begin
                {x_writes, x_offset} = {1'b1, EXAMINE_ENTRY_PLACE_OFFSET};
                x_wdata[EXAMINE_ENTRY_PLACE_WRITE_LSB]   = !item_null && item_write;
                x_wdata[EXAMINE_ENTRY_PLACE_UNBINDS_LSB] = item_null;
                x_wdata[EXAMINE_ENTRY_PLACE_PATCH_WORD_LSB +: EXAMINE_ENTRY_PLACE_PATCH_WORD_WIDTH] = patch_word;
                x_wdata[EXAMINE_ENTRY_PLACE_SPLIT_WORD_LSB +: EXAMINE_ENTRY_PLACE_SPLIT_WORD_WIDTH] = split_word;
            end
            WRITE0: begin
                {x_writes, x_offset} = {command_gnt, EXAMINE_ENTRY_ROOM_OFFSET};
                x_wdata[EXAMINE_ENTRY_ROOM_BYTES_LSB +: EXAMINE_ENTRY_ROOM_BYTES_WIDTH] = left;
                x_wdata[EXAMINE_ENTRY_ROOM_SLOT_LSB +: EXAMINE_ENTRY_ROOM_SLOT_WIDTH]   = slot;
            end
            BEGIN: begin
                {x_writes, x_offset} = {1'b1, EXAMINE_ENTRIES_OFFSET};
                x_wdata[12:0] = patch_count;
            end
            START: begin
                {x_writes, x_offset} = {1'b1, EXAMINE_START_OFFSET};
                x_wdata[EXAMINE_START_BASE_LSB +: EXAMINE_START_BASE_WIDTH]   = base;
                x_wdata[EXAMINE_START_WORDS_LSB +: EXAMINE_START_WORDS_WIDTH] = words;
            end
            STORE0, ADDRESS: x_offset = EXAMINE_RESULT_OFFSET;
            STORE1: {x_reads, x_offset} = {command_gnt, EXAMINE_RESULT_OFFSET};
            default: ;
        endcase
        if (!leads) {x_offset, x_wdata} = {reg_offset, reg_wdata};
    end

    // ------------------------------------------------------------------ in order
    wire [14:0] list_words  = {1'b0, list_count, 1'b0};
    wire [15:0] patch_words = {1'b0, patch_count, 2'b00} + {2'b00, patch_count, 1'b0};
    wire        knows = handle[31:30] == 2'b01 && (handle[13:0] >> R) == 14'd0 && row_ready
                        && row_generation == handle[29:14] && row_client == client;
    always @(posedge clk) begin
        host_start <= 1'b0;
        case (state)
            IDLE: if (begins) begin
                state     <= CLEAR;
                count     <= {R{1'b0}};
                index     <= 14'd0;
                {named_all, sound, accepted} <= 3'd0;
                in_place  <= 1'b1;
            end
            WIPE: begin
                count <= count + 1'b1;
                if (&count) state <= IDLE;
            end
            CLEAR: begin
                count <= count + 1'b1;
                if (&count[N-1:0]) begin
                    host_start <= 1'b1;
                    host_at    <= list_count == 13'd0 ? dma_at : list_at;
                    host_count <= list_count == 13'd0 ? {1'b0, words} : list_words;
                    named_all  <= list_count == 13'd0;
                    state      <= list_count == 13'd0 ? COPY : HANDLE;
                end
            end
            // ---------------------------------------------------------- the allocation list
            HANDLE: if (comes) begin
                handle <= host_word;
                row_at <= host_word[R-1:0];
                state  <= FLAGS;
            end
            FLAGS: if (comes) begin
                flags <= host_word;
                state <= JUDGE;
            end
            JUDGE: begin
                is_good <= flags[31:1] == 31'd0 && (handle == 32'd0 || (knows && !named_now[handle[4:0]]));
                state   <= KEEP;
            end
            KEEP: begin
                index <= index_next;
                state <= !is_good ? DRAIN : HANDLE;
                if (is_good && index_next == {1'b0, list_count}) begin
                    named_all  <= !host_failed;
                    host_start <= 1'b1;
                    host_at    <= dma_at;
                    host_count <= {1'b0, words};
                    index      <= 14'd0;
                    state      <= host_failed ? DRAIN : COPY;
                end
            end
            // ---------------------------------------------------------- the DMA buffer
            COPY: if (granted) begin
                index <= index_next;
                if (index_next == words) begin
                    host_start <= patch_count != 13'd0;
                    host_at    <= patches_at;
                    host_count <= patch_words[14:0];
                    index      <= 14'd0;
                    at         <= room[W-1:0];
                    state      <= host_failed ? DRAIN : patch_count == 13'd0 ? BEGIN : PATCH0;
                end
            end
            // ---------------------------------------------------------- the patch list
            PATCH0: if (comes) begin
                entry  <= host_word[12:0];
                is_bad <= host_word[31:13] != 19'd0 || host_word[12:0] >= list_count;
                state  <= PATCH1;
            end
            PATCH1: if (comes) begin
                slot   <= host_word[5:0];
                is_bad <= is_bad || host_word[31:6] != 26'd0;
                state  <= PATCH2;
            end
            PATCH2: if (comes) begin
                row_at <= item[R-1:0];
                state  <= PATCH3;
            end
            PATCH3: if (comes) begin
                offset <= host_word[24:0];
                is_bad <= is_bad || host_word[31:25] != 7'd0;
                state  <= PATCH4;
            end
            PATCH4: if (comes) begin
                patch_word <= host_word[15:2];
                left       <= item_null ? 25'd0 : row_bytes - offset;
                is_bad     <= is_bad || !in_words || (!item_null && offset > row_bytes);
                state      <= PATCH5;
            end
            PATCH5: if (comes) begin
                split_word <= host_word[15:2];
                state      <= is_bad || !in_words ? DRAIN : PLANT;
            end
            PLANT:  if (command_gnt) state <= WRITE0;
            WRITE0: if (command_gnt) begin
                at    <= at + 1'b1;
                state <= WRITE1;
            end
            WRITE1: if (command_gnt) begin
                at    <= at + 1'b1;
                state <= WRITE2;
            end
            WRITE2: if (command_gnt) begin
                at    <= at + 1'b1;
                index <= index_next;
                state <= is_last ? (host_failed ? DRAIN : BEGIN) : PATCH0;
            end
            // ---------------------------------------------------------- the walk
            BEGIN: state <= START;
            START: begin
                sound <= 1'b1;
                state <= WALK;
            end
            WALK: if (!x_busy) begin
                accepted <= x_rdata[EXAMINE_STATUS_ACCEPTED_LSB];
                index    <= 14'd0;
                at       <= room[W-1:0];
                state    <= x_rdata[EXAMINE_STATUS_ACCEPTED_LSB] && patch_count != 13'd0 ? RESULT : IDLE;
            end
            // ---------------------------------------------------------- what it found, and the addresses
            RESULT: state <= LOAD0;
            LOAD0: if (command_gnt) begin
                at    <= at + {{(W-2){1'b0}}, 2'd2};
                state <= CAME0;
            end
            CAME0: if (command_rvalid) begin
                first      <= command_rdata[30:0];
                row_at     <= command_rdata[R-1:0];
                patch_word <= command_rdata[29:16];
                state      <= LOAD2;
            end
            LOAD2: if (command_gnt) begin
                at    <= at - {{(W-2){1'b0}}, 2'd2};
                state <= CAME2;
            end
            CAME2: if (command_rvalid) begin
                offset     <= command_rdata[31:7];
                write_flag <= command_rdata[6];
                state      <= PLACE;
            end
            PLACE: begin
                target   <= is_null ? 32'd0 : {row_place[19:0], 12'd0} + {7'd0, offset};
                in_place <= in_place && (is_null || (write_flag ? row_place[21] : row_place[20]));
                state    <= STORE0;
            end
            STORE0: if (command_gnt) begin
                at    <= at + 1'b1;
                state <= STORE1;
            end
            STORE1: if (command_gnt) begin
                at    <= at + {{(W-2){1'b0}}, 2'd2};
                state <= ADDRESS;
            end
            ADDRESS: if (command_gnt) begin
                index <= index_next;
                state <= is_last ? IDLE : LOAD0;
            end
            // ---------------------------------------------------------- given up
            default: if (host_quiet && !x_busy) begin
                state    <= wipe_due ? WIPE : IDLE;
                wipe_due <= 1'b0;
            end
        endcase
        if (stops) {named_all, sound, accepted} <= 3'd0;
        if (stops && (is_busy || forgets) && state != WIPE) begin
            state      <= DRAIN;
            host_start <= 1'b0;
            count      <= {R{1'b0}};
            wipe_due   <= forgets || (wipe_due && is_busy);
        end
        if (rst) begin
            state      <= IDLE;
            host_start <= 1'b0;
            {named_all, sound, accepted, in_place, wipe_due} <= 5'd0;
        end
    end

    // ------------------------------------------------------------------ answers
    reg [31:0] answer;
    always @(*) begin
        answer = 32'd0;
        if (reg_offset == EXAMINE_LISTS_OFFSET) begin
            answer[EXAMINE_LISTS_PRESENT_LSB]  = 1'b1;
            answer[EXAMINE_LISTS_BUSY_LSB]     = is_busy;
            answer[EXAMINE_LISTS_NAMED_LSB]    = named_all;
            answer[EXAMINE_LISTS_SOUND_LSB]    = sound;
            answer[EXAMINE_LISTS_ACCEPTED_LSB] = accepted;
            answer[EXAMINE_LISTS_IN_PLACE_LSB] = accepted && in_place;
            answer[EXAMINE_LISTS_ROWS_LSB +: EXAMINE_LISTS_ROWS_WIDTH] = TABLE_LOG2[3:0];
        end
        if (reg_offset == EXAMINE_NAMED_OFFSET) answer = named_now;
    end
    assign reg_rdata = own ? answer : x_rdata;
    wire unused = &{1'b0, row_unused, entry, base, room, x_rdata, patch_words[15]};
endmodule
`default_nettype wire
