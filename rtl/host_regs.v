// SPDX-License-Identifier: Apache-2.0
//
// Block HOST of gpu.def: identity, boot control, interrupt to the host, ring pointers, limits.
//
// A write without the right is ignored; a read without the right is zero. While the core is held (CONTROL.CORE_RUN =
// 0) the host reaches core memory and the firmware's region through LOAD_ADDRESS and LOAD_DATA. All that the firmware
// writes here is then zero: BOOT_STATUS, PANIC_*, its ring counts. So a second boot starts like the first.
`default_nettype none
module host_regs #(
    parameter TCM_BYTES = 65536,            // multiple of 4; LOAD_DATA past it reads zero and writes nothing
    parameter FIRMWARE_BYTES = 262144       // likewise the firmware's region; power of two or 0
) (
    input  wire        clk,
    input  wire        rst,

    // Register port: write/read are pulses with offset and data; rdata is combinational from offset.
    input  wire        reg_write,
    input  wire        reg_read,
    input  wire        reg_from_host,
    input  wire [7:0]  reg_offset,
    input  wire [31:0] reg_wdata,
    output reg  [31:0] reg_rdata,

    output wire        core_held,           // the core stays in reset
    output wire        doorbell,            // pulse: the host moved SUBMIT_TAIL or COMPLETE_HEAD
    output wire        irq,                 // level to the host
    output wire        panicked,            // level: IRQ_STATUS.PANIC

    // Core memory's data port and the way to the region (core_bridge.v), used while the core is held. load_rdata is the
    // word at load_address of the cycle before, the region's while the bridge is not busy; the address is still long
    // before the next LOAD_DATA read (reg_bus_axi keeps them apart, and the busy bridge holds the host off).
    output wire [31:0] load_address,
    output wire        load_write,
    output wire [31:0] load_wdata,
    input  wire [31:0] load_rdata
);
`include "gpu_spec.vh"
    localparam W_IRQ   = HOST_IRQ_STATUS_PANIC_LSB + 1;
    localparam W_FORCE = HOST_FORCE_NO_LISTS_LSB + HOST_FORCE_NO_LISTS_WIDTH;
    localparam W_BOOT  = HOST_BOOT_OPTIONS_PAGING_WORDS_LSB + HOST_BOOT_OPTIONS_PAGING_WORDS_WIDTH;
    localparam [31:0] TCM_END = TCM_BYTES, REGION_MASK = FIRMWARE_BYTES - 1;

    reg              core_run;
    reg [W_IRQ-1:0]  irq_status, irq_enable;
    reg [31:0]       load_at;

    wire host_write = reg_write && reg_from_host;
    wire core_write = reg_write && !reg_from_host;

    // ------------------------------------------------------------------ core memory through LOAD_DATA
    wire in_memory   = load_at < TCM_END || (load_at & ~REGION_MASK) == LIMIT_ADDR_FIRMWARE;
    wire load_access = reg_from_host && reg_offset == HOST_LOAD_DATA_OFFSET && core_held;
    assign core_held    = !core_run;
    assign load_address = {load_at[31:2], 2'b00};
    assign load_write   = reg_write && load_access && in_memory;
    assign load_wdata   = reg_wdata;

    // ------------------------------------------------------------------ lines out
    assign doorbell = host_write && (reg_offset == HOST_SUBMIT_TAIL_OFFSET || reg_offset == HOST_COMPLETE_HEAD_OFFSET);
    assign irq      = |(irq_status & irq_enable);
    assign panicked = irq_status[HOST_IRQ_STATUS_PANIC_LSB];

    // ------------------------------------------------------------------ words that are only kept
    // What hardware does not look at lies in distributed RAM: a register for each, and the choice among all of them,
    // would take four times the cells. A RAM has no reset, so a word reads zero until it has been written. Of
    // IRQ_ENABLE, which is read back whole, hardware has the bits that it looks at in a register besides.
    function [63:0] at(input [5:0] index);
        at = 64'd1 << index;
    endfunction
    localparam [63:0] OF_BOTH = at(HOST_SCRATCH_OFFSET[7:2]);
    localparam [63:0] OF_HOST = OF_BOTH | at(HOST_IRQ_ENABLE_OFFSET[7:2])
        | at(HOST_SUBMIT_BASE_OFFSET[7:2]) | at(HOST_SUBMIT_SIZE_OFFSET[7:2]) | at(HOST_SUBMIT_TAIL_OFFSET[7:2])
        | at(HOST_COMPLETE_BASE_OFFSET[7:2]) | at(HOST_COMPLETE_SIZE_OFFSET[7:2]) | at(HOST_COMPLETE_HEAD_OFFSET[7:2])
        | at(HOST_SYSTEM_PAGES_OFFSET[7:2]) | at(HOST_DUMMY_PAGE_OFFSET[7:2])
        | at(HOST_SEGMENT1_LIMIT_OFFSET[7:2]) | at(HOST_SEGMENT2_LIMIT_OFFSET[7:2]) | at(HOST_COMMIT_LIMIT_OFFSET[7:2])
        | at(HOST_ABI_HOST_OFFSET[7:2]) | at(HOST_FORCE_OFFSET[7:2]) | at(HOST_BOOT_OPTIONS_OFFSET[7:2])
        | at(HOST_ALLOCATIONS_OFFSET[7:2]) | at(HOST_CONTEXTS_OFFSET[7:2]) | at(HOST_LIST_ENTRIES_OFFSET[7:2])
        | at(HOST_DMA_BYTES_OFFSET[7:2]) | at(HOST_TIMEOUT_OFFSET[7:2]) | at(HOST_PREEMPT_DELAY_OFFSET[7:2])
        | at(HOST_PORTION_LIMIT_OFFSET[7:2])
        | at(HOST_RECOVERY_LIMIT_OFFSET[7:2]) | at(HOST_RECOVERY_WINDOW_OFFSET[7:2]);
    localparam [63:0] OF_FIRMWARE = at(HOST_SUBMIT_HEAD_OFFSET[7:2]) | at(HOST_COMPLETE_TAIL_OFFSET[7:2])
        | at(HOST_BOOT_STATUS_OFFSET[7:2]) | at(HOST_PANIC_CODE_OFFSET[7:2]) | at(HOST_PANIC_PLACE_OFFSET[7:2])
        | at(HOST_PANIC_CAUSE_OFFSET[7:2]) | at(HOST_PANIC_ADDRESS_OFFSET[7:2]);
    localparam [63:0] OF_CORE = OF_BOTH | OF_FIRMWARE;
    localparam WORDS = 48;      // all of these lie below

    (* ram_style = "distributed" *)
    reg  [31:0] words [0:WORDS-1];
    reg  [63:0] is_written;
    wire [5:0]  word  = reg_offset[7:2];
    wire        is_aligned = reg_offset[1:0] == 2'd0;
    wire        keeps = is_aligned && ((host_write && OF_HOST[word]) || (core_write && OF_CORE[word]));
    // Of these two only the bits that have a meaning.
    wire [31:0] kept  = reg_offset == HOST_FORCE_OFFSET        ? {{32-W_FORCE{1'b0}}, reg_wdata[W_FORCE-1:0]}
                      : reg_offset == HOST_BOOT_OPTIONS_OFFSET ? {{32-W_BOOT{1'b0}}, reg_wdata[W_BOOT-1:0]} : reg_wdata;
    integer     i;
    always @(posedge clk) begin
        if (keeps) words[word] <= kept;
        for (i = 0; i < 64; i = i + 1)
            if (rst || !(OF_HOST[i] || OF_CORE[i]) || (core_held && OF_FIRMWARE[i])) is_written[i] <= 1'b0;
            else if (keeps && word == i[5:0])                                        is_written[i] <= 1'b1;
    end
    wire [31:0] word_read = words[word] & {32{is_written[word] && is_aligned}};

    // ------------------------------------------------------------------ writes
    wire [W_IRQ-1:0] irq_bits  = reg_wdata[W_IRQ-1:0];
    wire [W_IRQ-1:0] irq_set   = irq_bits & {W_IRQ{core_write && reg_offset == HOST_IRQ_RAISE_OFFSET}};
    wire [W_IRQ-1:0] irq_clear = irq_bits & {W_IRQ{host_write && reg_offset == HOST_IRQ_STATUS_OFFSET}};

    always @(posedge clk)
        if (rst) begin
            core_run   <= 1'b0;
            irq_status <= {W_IRQ{1'b0}};
            irq_enable <= {W_IRQ{1'b0}};
            load_at    <= 32'd0;
        end else begin
            irq_status <= (irq_status & ~irq_clear) | irq_set;
            if (host_write && reg_offset == HOST_CONTROL_OFFSET)
                core_run <= reg_wdata[HOST_CONTROL_CORE_RUN_LSB];
            if (host_write && reg_offset == HOST_IRQ_ENABLE_OFFSET)
                irq_enable <= irq_bits;
            if (host_write && reg_offset == HOST_LOAD_ADDRESS_OFFSET)
                load_at <= reg_wdata;
            else if (load_access && (reg_write || reg_read))
                load_at <= load_at + 32'd4;
        end

    // ------------------------------------------------------------------ reads
    always @(*)
        case (reg_offset)
            HOST_ID_OFFSET:           reg_rdata = HOST_ID_RESET;
            HOST_ABI_OFFSET:          reg_rdata = GPU_ABI_HASH;
            HOST_CONTROL_OFFSET:      reg_rdata = {31'd0, core_run};
            HOST_IRQ_STATUS_OFFSET:   reg_rdata = {{32-W_IRQ{1'b0}}, irq_status};
            HOST_LOAD_ADDRESS_OFFSET: reg_rdata = load_at;
            HOST_LOAD_DATA_OFFSET:    reg_rdata = load_access && in_memory ? load_rdata : 32'd0;
            default:                  reg_rdata = word_read;
        endcase
endmodule
`default_nettype wire
