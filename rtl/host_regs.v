// SPDX-License-Identifier: Apache-2.0
//
// Block HOST of gpu.def: identity, boot control, interrupt to the host, ring pointers, limits.
//
// A write from a side without the right is ignored; a read of a register the side may not see is zero.
// While the core is held (CONTROL.CORE_RUN = 0) the host reaches core memory and the firmware's region through
// LOAD_ADDRESS and LOAD_DATA, and what the firmware writes here (BOOT_STATUS, PANIC_*, its counts of both rings) is
// zero, so that a second boot starts like the first.
`default_nettype none
module host_regs #(
    parameter TCM_BYTES = 65536,           // multiple of 4; LOAD_DATA past it reads zero and writes nothing
    parameter FIRMWARE_BYTES = 131072       // likewise the firmware's region; power of two or 0
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
    localparam W_FORCE = HOST_FORCE_STEP_PLAN_LSB + HOST_FORCE_STEP_PLAN_WIDTH;
    localparam W_BOOT  = HOST_BOOT_OPTIONS_PAGING_WORDS_LSB + HOST_BOOT_OPTIONS_PAGING_WORDS_WIDTH;
    localparam [31:0] TCM_END = TCM_BYTES, REGION_MASK = FIRMWARE_BYTES - 1;

    reg              core_run;
    reg [W_IRQ-1:0]  irq_status;
    reg [W_FORCE-1:0] force_modes;
    reg [W_BOOT-1:0] boot_options;
    reg [31:0] irq_enable, load_at, submit_base, submit_size, submit_tail, submit_head;
    reg [31:0] complete_base, complete_size, complete_tail, complete_head;
    reg [31:0] system_pages, dummy_page, segment1_limit, segment2_limit, commit_limit, allocations;
    reg [31:0] contexts;
    reg [31:0] list_entries, dma_bytes;
    reg [31:0] boot_status, panic_code, panic_place, panic_cause, panic_address, abi_host, timeout, scratch;
    reg [31:0] preempt_delay, portion_limit, recovery_limit, recovery_window;

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
    assign irq      = |(irq_status & irq_enable[W_IRQ-1:0]);
    assign panicked = irq_status[HOST_IRQ_STATUS_PANIC_LSB];

    // ------------------------------------------------------------------ writes
    wire [W_IRQ-1:0] irq_bits  = reg_wdata[W_IRQ-1:0];
    wire [W_IRQ-1:0] irq_set   = irq_bits & {W_IRQ{core_write && reg_offset == HOST_IRQ_RAISE_OFFSET}};
    wire [W_IRQ-1:0] irq_clear = irq_bits & {W_IRQ{host_write && reg_offset == HOST_IRQ_STATUS_OFFSET}};

    always @(posedge clk)
        if (rst) begin
            core_run       <= 1'b0;
            irq_status     <= {W_IRQ{1'b0}};
            force_modes    <= {W_FORCE{1'b0}};
            irq_enable     <= 32'd0;
            load_at        <= 32'd0;
            submit_base    <= 32'd0;
            submit_size    <= 32'd0;
            submit_tail    <= 32'd0;
            submit_head    <= 32'd0;
            complete_base  <= 32'd0;
            complete_size  <= 32'd0;
            complete_tail  <= 32'd0;
            complete_head  <= 32'd0;
            system_pages   <= 32'd0;
            dummy_page     <= 32'd0;
            segment1_limit <= 32'd0;
            segment2_limit <= 32'd0;
            boot_status    <= 32'd0;
            panic_code     <= 32'd0;
            panic_place    <= 32'd0;
            panic_cause    <= 32'd0;
            panic_address  <= 32'd0;
            abi_host       <= 32'd0;
            timeout        <= 32'd0;
            preempt_delay  <= 32'd0;
            portion_limit  <= 32'd0;
            recovery_limit <= 32'd0;
            recovery_window <= 32'd0;
            scratch        <= 32'd0;
            boot_options   <= {W_BOOT{1'b0}};
            commit_limit   <= 32'd0;
            allocations    <= 32'd0;
            contexts       <= 32'd0;
            list_entries   <= 32'd0;
            dma_bytes      <= 32'd0;
        end else begin
            irq_status <= (irq_status & ~irq_clear) | irq_set;
            if (host_write)
                case (reg_offset)
                    HOST_CONTROL_OFFSET:        core_run       <= reg_wdata[HOST_CONTROL_CORE_RUN_LSB];
                    HOST_IRQ_ENABLE_OFFSET:     irq_enable     <= reg_wdata;
                    HOST_LOAD_ADDRESS_OFFSET:   load_at        <= reg_wdata;
                    HOST_SUBMIT_BASE_OFFSET:    submit_base    <= reg_wdata;
                    HOST_SUBMIT_SIZE_OFFSET:    submit_size    <= reg_wdata;
                    HOST_SUBMIT_TAIL_OFFSET:    submit_tail    <= reg_wdata;
                    HOST_COMPLETE_BASE_OFFSET:  complete_base  <= reg_wdata;
                    HOST_COMPLETE_SIZE_OFFSET:  complete_size  <= reg_wdata;
                    HOST_COMPLETE_HEAD_OFFSET:  complete_head  <= reg_wdata;
                    HOST_SYSTEM_PAGES_OFFSET:   system_pages   <= reg_wdata;
                    HOST_DUMMY_PAGE_OFFSET:     dummy_page     <= reg_wdata;
                    HOST_SEGMENT1_LIMIT_OFFSET: segment1_limit <= reg_wdata;
                    HOST_SEGMENT2_LIMIT_OFFSET: segment2_limit <= reg_wdata;
                    HOST_ABI_HOST_OFFSET:       abi_host       <= reg_wdata;
                    HOST_FORCE_OFFSET:          force_modes    <= reg_wdata[W_FORCE-1:0];
                    HOST_TIMEOUT_OFFSET:        timeout        <= reg_wdata;
                    HOST_BOOT_OPTIONS_OFFSET:   boot_options   <= reg_wdata[W_BOOT-1:0];
                    HOST_COMMIT_LIMIT_OFFSET:   commit_limit   <= reg_wdata;
                    HOST_ALLOCATIONS_OFFSET:    allocations    <= reg_wdata;
                    HOST_CONTEXTS_OFFSET:       contexts       <= reg_wdata;
                    HOST_LIST_ENTRIES_OFFSET:   list_entries   <= reg_wdata;
                    HOST_DMA_BYTES_OFFSET:      dma_bytes      <= reg_wdata;
                    HOST_PREEMPT_DELAY_OFFSET:  preempt_delay  <= reg_wdata;
                    HOST_PORTION_LIMIT_OFFSET:  portion_limit  <= reg_wdata;
                    HOST_RECOVERY_LIMIT_OFFSET: recovery_limit <= reg_wdata;
                    HOST_RECOVERY_WINDOW_OFFSET: recovery_window <= reg_wdata;
                    HOST_SCRATCH_OFFSET:        scratch        <= reg_wdata;
                    default: ;
                endcase
            if (core_write)
                case (reg_offset)
                    HOST_SUBMIT_HEAD_OFFSET:    submit_head    <= reg_wdata;
                    HOST_COMPLETE_TAIL_OFFSET:  complete_tail  <= reg_wdata;
                    HOST_BOOT_STATUS_OFFSET:    boot_status    <= reg_wdata;
                    HOST_PANIC_CODE_OFFSET:     panic_code     <= reg_wdata;
                    HOST_PANIC_PLACE_OFFSET:    panic_place    <= reg_wdata;
                    HOST_PANIC_CAUSE_OFFSET:    panic_cause    <= reg_wdata;
                    HOST_PANIC_ADDRESS_OFFSET:  panic_address  <= reg_wdata;
                    HOST_SCRATCH_OFFSET:        scratch        <= reg_wdata;
                    default: ;
                endcase
            if (load_access && (reg_write || reg_read)) load_at <= load_at + 32'd4;
            if (core_held) begin
                boot_status   <= 32'd0;
                panic_code    <= 32'd0;
                panic_place   <= 32'd0;
                panic_cause   <= 32'd0;
                panic_address <= 32'd0;
                submit_head   <= 32'd0;
                complete_tail <= 32'd0;
            end
        end

    // ------------------------------------------------------------------ reads
    always @(*)
        case (reg_offset)
            HOST_ID_OFFSET:             reg_rdata = HOST_ID_RESET;
            HOST_ABI_OFFSET:            reg_rdata = GPU_ABI_HASH;
            HOST_CONTROL_OFFSET:        reg_rdata = {31'd0, core_run};
            HOST_IRQ_STATUS_OFFSET:     reg_rdata = {{32-W_IRQ{1'b0}}, irq_status};
            HOST_IRQ_ENABLE_OFFSET:     reg_rdata = irq_enable;
            HOST_LOAD_ADDRESS_OFFSET:   reg_rdata = load_at;
            HOST_LOAD_DATA_OFFSET:      reg_rdata = load_access && in_memory ? load_rdata : 32'd0;
            HOST_SUBMIT_BASE_OFFSET:    reg_rdata = submit_base;
            HOST_SUBMIT_SIZE_OFFSET:    reg_rdata = submit_size;
            HOST_SUBMIT_TAIL_OFFSET:    reg_rdata = submit_tail;
            HOST_SUBMIT_HEAD_OFFSET:    reg_rdata = submit_head;
            HOST_COMPLETE_BASE_OFFSET:  reg_rdata = complete_base;
            HOST_COMPLETE_SIZE_OFFSET:  reg_rdata = complete_size;
            HOST_COMPLETE_TAIL_OFFSET:  reg_rdata = complete_tail;
            HOST_COMPLETE_HEAD_OFFSET:  reg_rdata = complete_head;
            HOST_SYSTEM_PAGES_OFFSET:   reg_rdata = system_pages;
            HOST_DUMMY_PAGE_OFFSET:     reg_rdata = dummy_page;
            HOST_SEGMENT1_LIMIT_OFFSET: reg_rdata = segment1_limit;
            HOST_SEGMENT2_LIMIT_OFFSET: reg_rdata = segment2_limit;
            HOST_BOOT_STATUS_OFFSET:    reg_rdata = boot_status;
            HOST_PANIC_CODE_OFFSET:     reg_rdata = panic_code;
            HOST_PANIC_PLACE_OFFSET:    reg_rdata = panic_place;
            HOST_PANIC_CAUSE_OFFSET:    reg_rdata = panic_cause;
            HOST_PANIC_ADDRESS_OFFSET:  reg_rdata = panic_address;
            HOST_ABI_HOST_OFFSET:       reg_rdata = abi_host;
            HOST_FORCE_OFFSET:          reg_rdata = {{32-W_FORCE{1'b0}}, force_modes};
            HOST_TIMEOUT_OFFSET:        reg_rdata = timeout;
            HOST_BOOT_OPTIONS_OFFSET:   reg_rdata = {{32-W_BOOT{1'b0}}, boot_options};
            HOST_COMMIT_LIMIT_OFFSET:   reg_rdata = commit_limit;
            HOST_ALLOCATIONS_OFFSET:    reg_rdata = allocations;
            HOST_CONTEXTS_OFFSET:       reg_rdata = contexts;
            HOST_LIST_ENTRIES_OFFSET:   reg_rdata = list_entries;
            HOST_DMA_BYTES_OFFSET:      reg_rdata = dma_bytes;
            HOST_PREEMPT_DELAY_OFFSET:  reg_rdata = preempt_delay;
            HOST_PORTION_LIMIT_OFFSET:  reg_rdata = portion_limit;
            HOST_RECOVERY_LIMIT_OFFSET: reg_rdata = recovery_limit;
            HOST_RECOVERY_WINDOW_OFFSET: reg_rdata = recovery_window;
            HOST_SCRATCH_OFFSET:        reg_rdata = scratch;
            default:                    reg_rdata = 32'd0;
        endcase
endmodule
`default_nettype wire
