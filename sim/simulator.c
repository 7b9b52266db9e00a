/* SPDX-License-Identifier: Apache-2.0
 *
 * See simulator.h. The clock, what is watched in each cycle, and the transport's verbs. The host's program
 * runs while the chip stands still; time passes only in register accesses (a few cycles each) and in wait.
 */
#include "simulator_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_spec.h"
#include "interrupt.h"

enum { SETTLE_PATIENCE = 20000, READY_PATIENCE = 100000 }; /* cycles */
enum { RESET_CYCLES = 8, DEFAULT_MEMORY = 64 << 20, DEFAULT_READ_LATENCY = 20, DEFAULT_WRITE_LATENCY = 10 };

/* ------------------------------------------------------------------ the end of a simulation */

static void say(struct simulator *simulator, const char *text)
{
    if (simulator->error) snprintf(simulator->error, sizeof((struct transport *)0)->error, "%s", text);
}

static void end(struct simulator *simulator, int result, bool report, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void end(struct simulator *simulator, int result, bool report, const char *format, ...)
{
    if (simulator->ended != TRANSPORT_OK) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(simulator->why, sizeof simulator->why, format, arguments);
    va_end(arguments);
    simulator->ended = result;
    say(simulator, simulator->why);
    if (simulator->is_tracing) chip_trace_stop(simulator->chip);
    simulator->is_tracing = false;
    if (report) simulator_report(simulator);
}

/* ------------------------------------------------------------------ watching */

void simulator_packet_words(const struct simulator *simulator, unsigned node, uint32_t offset,
                            uint32_t words[PACKET_WORDS])
{
    uint32_t base = simulator->pins.ring_base >> 16 * node & 0xffffu;
    uint32_t ring_bytes = 4u << (simulator->pins.ring_size >> 16 * node & 0xfu);
    bool is_in_ring = offset >= base && offset - base < ring_bytes;
    for (uint32_t i = 0; i < PACKET_WORDS; i++) {
        uint32_t at = offset + 4 * i;
        if (is_in_ring) at = base + (at - base) % ring_bytes;
        words[i] = chip_command_word(simulator->chip, at);
    }
}

static void show_counters(struct simulator *simulator)
{
    struct probe_counters counters;
    if (simulator->probe.counters == NULL) return;
    chip_counters(simulator->chip, &counters);
    simulator->probe.counters(simulator->probe.context, simulator->cycle, &counters);
}

static void watch_packets(struct simulator *simulator)
{
    const struct pins *pins = &simulator->pins;
    if (pins->probe_begin | pins->probe_end || simulator->cycle % PROBE_SAMPLE == 0) show_counters(simulator);
    for (unsigned node = 0; node < 2; node++) {
        struct node_view *view = &simulator->node[node];
        if (pins->probe_begin >> node & 1) {
            uint32_t offset = (uint32_t)(pins->probe_offset >> 32 * node), words[PACKET_WORDS];
            if (view->depth < RUN_DEPTH) {
                view->packet[view->depth].offset = offset;
                view->packet[view->depth].opcode = (uint8_t)(pins->probe_opcode >> 8 * node);
                view->packet[view->depth].cycle = simulator->cycle;
                view->depth++;
            }
            if (simulator->probe.packet_begin) {
                simulator_packet_words(simulator, node, offset, words);
                simulator->probe.packet_begin(simulator->probe.context, simulator->cycle, node, offset, words);
            }
        }
        if (pins->probe_end >> node & 1) {
            if (view->depth) view->depth--;
            if (simulator->probe.packet_end)
                simulator->probe.packet_end(simulator->probe.context, simulator->cycle, node);
        }
    }
}

static void watch_misses(struct simulator *simulator)
{
    const struct pins *pins = &simulator->pins;
    struct misses_seen seen;
    if (chip_misses(simulator->chip, &seen)) misses_count(simulator->misses, &seen);
    if (pins->retire_valid) misses_retire(simulator->misses, pins->retire_pc);
    if (pins->core_held) misses_reset(simulator->misses);
}

static void keep_event(struct simulator *simulator)
{
    uint32_t *kept = simulator->events[simulator->event_count++ % EVENTS_KEPT];
    kept[0] = (uint32_t)simulator->cycle;
    kept[1] = (uint32_t)(simulator->cycle >> 32);
    kept[2] = simulator->pins.trace_event;
    kept[3] = simulator->pins.trace_argument;
}

static void watch_core(struct simulator *simulator)
{
    const struct pins *pins = &simulator->pins;
    const struct probe *probe = &simulator->probe;
    if (pins->retire_valid) {
        simulator->retired[simulator->retired_count++ % RETIRED_KEPT] = pins->retire_pc;
        if (simulator->profile) profile_retire(simulator->profile, pins->retire_pc, simulator->cycle);
    }
    if (pins->core_held && simulator->profile) profile_reset(simulator->profile, simulator->cycle);
    if (simulator->misses) watch_misses(simulator);
    if (pins->trace_valid) keep_event(simulator);
    if (pins->trace_valid && probe->firmware) {
        show_counters(simulator);
        probe->firmware(probe->context, simulator->cycle, pins->trace_event, pins->trace_argument);
    }
    if (pins->console_valid) {
        simulator->console[simulator->console_count++ % CONSOLE_KEPT] = (char)pins->console_char;
        if (probe->console) probe->console(probe->context, (char)pins->console_char);
    }
    if (pins->exit_valid) {
        simulator->has_exited = true;
        simulator->exit_code = pins->exit_code;
        end(simulator, TRANSPORT_DEAD, false, "the firmware ended the simulation with code %" PRIu32, pins->exit_code);
    }
    if (!pins->panicked) simulator->is_reported = false;
    else if (!simulator->is_reported && !simulator->is_reporting) simulator_report(simulator);
}

/* ------------------------------------------------------------------ the clock */

static void digest(struct simulator *simulator, const void *data, size_t bytes);

static void trace_window(struct simulator *simulator)
{
    const struct simulator_options *options = &simulator->options;
    bool is_inside = options->fst_path && simulator->cycle >= options->fst_from &&
                     (options->fst_to == 0 || simulator->cycle < options->fst_to) && simulator->ended == TRANSPORT_OK;
    if (is_inside && !simulator->is_tracing) {
        if (chip_trace_start(simulator->chip, options->fst_path)) simulator->is_tracing = true;
        else end(simulator, TRANSPORT_IO, false, "cannot write the waveform %s", options->fst_path);
    } else if (!is_inside && simulator->is_tracing) {
        chip_trace_stop(simulator->chip);
        simulator->is_tracing = false;
        simulator->options.fst_path = NULL; /* one window */
    }
}

bool simulator_cycle(struct simulator *simulator)
{
    if (simulator->ended != TRANSPORT_OK && !simulator->is_reporting) return false;
    if (simulator->options.fst_path) trace_window(simulator);
    simulator_fault_step(simulator);
    if (simulator->world) world_drive(simulator->world, &simulator->pins);
    bool is_sound = chip_cycle(simulator->chip, &simulator->pins);
    simulator_fault_flip(simulator);
    if (simulator->has_digest) digest(simulator, &simulator->pins, sizeof simulator->pins);
    if (simulator->pins.d_clock)
        monitor_take(&simulator->monitor, simulator->pins.d_vsync, simulator->pins.d_visible, simulator->pins.d_colour,
                     simulator->cycle);
    if (!is_sound) end(simulator, TRANSPORT_DEAD, true, "an assertion in the hardware failed");
    const char *broken = simulator->world ? world_observe(simulator->world, &simulator->pins) : NULL;
    if (broken) end(simulator, TRANSPORT_DEAD, true, "the chip broke a rule of the system-memory bus: %s", broken);
    if (!simulator->pins.rst) {
        watch_packets(simulator);
        watch_core(simulator);
    }
    simulator->cycle++;
    if (simulator->options.max_cycles && simulator->cycle >= simulator->options.max_cycles)
        end(simulator, TRANSPORT_TIMEOUT, true, "the limit of %" PRIu64 " cycles is reached",
            simulator->options.max_cycles);
    if (simulator->options.end_cycle && simulator->cycle >= simulator->options.end_cycle) {
        simulator->has_reached_end = simulator->ended == TRANSPORT_OK;
        end(simulator, TRANSPORT_DEAD, false, "the simulation has reached its end, cycle %" PRIu64,
            simulator->options.end_cycle);
    }
    if (interrupt_asked()) end(simulator, TRANSPORT_DEAD, true, "interrupted");
    return simulator->ended == TRANSPORT_OK;
}

/* ------------------------------------------------------------------ registers */

int simulator_register(struct simulator *simulator, bool is_write, uint32_t offset, uint32_t *value)
{
    struct pins *pins = &simulator->pins;
    bool is_done = false;
    uint8_t response = 0;
    pins->h_awaddr = pins->h_araddr = (uint16_t)(offset & 0xfffu);
    pins->h_wdata = *value;
    pins->h_wstrb = 0xf;
    pins->h_awvalid = pins->h_wvalid = pins->h_bready = is_write;
    pins->h_arvalid = pins->h_rready = !is_write;
    for (unsigned patience = REGISTER_PATIENCE; patience && !is_done; patience--) {
        struct pins offered = *pins; /* the port that was asking in the cycle that now runs */
        bool is_running = simulator_cycle(simulator);
        if (offered.h_awvalid && pins->h_awready) pins->h_awvalid = 0;
        if (offered.h_wvalid && pins->h_wready) pins->h_wvalid = 0;
        if (offered.h_arvalid && pins->h_arready) pins->h_arvalid = 0;
        is_done = is_write ? pins->h_bvalid : pins->h_rvalid;
        if (!is_running && !simulator->is_reporting) break;
    }
    response = is_write ? pins->h_bresp : pins->h_rresp;
    if (!is_write && is_done) *value = pins->h_rdata;
    pins->h_awvalid = pins->h_wvalid = pins->h_arvalid = 0;
    pins->h_bready = pins->h_rready = 1; /* a late answer is not left on the bus */
    return is_done && response == 0 ? TRANSPORT_OK : TRANSPORT_IO;
}

static int transfer(struct simulator *simulator, bool is_write, uint32_t offset, uint32_t *value)
{
    if (simulator->ended == TRANSPORT_OK) {
        int result = simulator_register(simulator, is_write, offset, value);
        if (simulator->ended == TRANSPORT_OK) {
            if (result != TRANSPORT_OK) say(simulator, "the chip did not answer a register access");
            return result;
        }
    }
    say(simulator, simulator->why);
    return simulator->ended;
}

static int register_read(void *context, uint32_t offset, uint32_t *value)
{
    *value = 0;
    return transfer(context, false, offset, value);
}

static int register_write(void *context, uint32_t offset, uint32_t value)
{
    return transfer(context, true, offset, &value);
}

/* ------------------------------------------------------------------ memory, time */

static uint8_t *memory_range(struct simulator *simulator, uint32_t address, size_t bytes)
{
    if (bytes <= simulator->options.memory_bytes && address <= simulator->options.memory_bytes - bytes)
        return simulator->memory + address;
    say(simulator, "an access outside system memory");
    return NULL;
}

/* What the chip has been told is written has to be there before the host looks. Over a board's wire the host's read
 * would wait in the same queue. */
static bool settle(struct simulator *simulator)
{
    const uint32_t queued = chip_board_queued(simulator->chip);
    for (unsigned patience = SETTLE_PATIENCE; patience && !chip_board_written(simulator->chip, queued); patience--)
        if (!simulator_cycle(simulator)) break;
    if (chip_board_written(simulator->chip, queued)) return true;
    say(simulator, simulator->ended != TRANSPORT_OK ? simulator->why : "the SDRAM does not take what was written");
    return false;
}

static int memory_read(void *context, uint32_t address, void *data, size_t bytes)
{
    const uint8_t *source = memory_range(context, address, bytes);
    if (!source || !settle(context)) return TRANSPORT_IO;
    memcpy(data, source, bytes);
    return TRANSPORT_OK;
}

static int memory_write(void *context, uint32_t address, const void *data, size_t bytes)
{
    uint8_t *target = memory_range(context, address, bytes);
    if (!target) return TRANSPORT_IO;
    memcpy(target, data, bytes);
    return TRANSPORT_OK;
}

static int wait_cycles(void *context, uint32_t cycles)
{
    struct simulator *simulator = context;
    for (uint32_t i = 0; i < cycles; i++) {
        if (simulator->pins.irq && simulator->ended == TRANSPORT_OK) return TRANSPORT_OK;
        if (!simulator_cycle(simulator)) break;
        if (simulator->pins.panicked && !simulator->pins.irq) {
            say(simulator, "the firmware stopped (panic)");
            return TRANSPORT_DEAD;
        }
    }
    if (simulator->ended != TRANSPORT_OK) say(simulator, simulator->why);
    return simulator->ended;
}

static uint64_t cycles(void *context) { return ((struct simulator *)context)->cycle; }

/* ------------------------------------------------------------------ digest, see simulator.h */

static void digest(struct simulator *simulator, const void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)data + at, sizeof word);
        simulator->digest = (simulator->digest ^ word) * 0x9e3779b97f4a7c15u;
        simulator->digest ^= simulator->digest >> 29;
    }
}

static void digest_end(struct simulator *simulator)
{
    struct probe_counters counters;
    chip_counters(simulator->chip, &counters);
    /* Not what lies between its members. */
    _Static_assert(sizeof counters.node % sizeof(uint64_t) == 0, "whole words");
    digest(simulator, counters.node, sizeof counters.node);
    digest(simulator, counters.cycles, sizeof counters.cycles);
    digest(simulator, counters.port_cycles, sizeof counters.port_cycles);
    for (unsigned port = 0; port < PROBE_PORTS; port++) {
        const uint64_t beats = counters.beats[port];
        digest(simulator, &beats, sizeof beats);
    }
    digest(simulator, simulator->memory, simulator->options.memory_bytes);
    fprintf(stderr, "digest of %" PRIu64 " cycles: %016" PRIx64 "\n", simulator->cycle, simulator->digest);
}

/* ------------------------------------------------------------------ life */

static void destroy(void *context)
{
    struct simulator *simulator = context;
    if (!simulator) return;
    if (simulator->chip) show_counters(simulator); /* what came after the last packet */
    if (simulator->chip && simulator->memory && simulator->has_digest) digest_end(simulator);
    if (simulator->chip) chip_destroy(simulator->chip);
    if (simulator->world) world_destroy(simulator->world);
    if (simulator->misses && !misses_write(simulator->misses, getenv("TESSERA_MISSES")))
        fprintf(stderr, "simulator: cannot write TESSERA_MISSES=%s\n", getenv("TESSERA_MISSES"));
    misses_free(simulator->misses);
    profile_free(simulator->profile);
    symbols_free(simulator->symbols);
    monitor_free(&simulator->monitor);
    free(simulator);
}

static struct simulator *fail(struct simulator *simulator, char *error, const char *text)
{
    snprintf(error, 256, "%s", text); /* first: the text may be the simulator's */
    destroy(simulator);
    return NULL;
}

static bool options_complete(struct simulator_options *options)
{
    if (options->memory_bytes == 0) options->memory_bytes = DEFAULT_MEMORY;
    if (options->read_latency == 0) options->read_latency = DEFAULT_READ_LATENCY;
    if (options->write_latency == 0) options->write_latency = DEFAULT_WRITE_LATENCY;
    bool is_window = options->fst_to == 0 || options->fst_from < options->fst_to;
    return options->memory_bytes % GPU_LIMIT(PAGE_BYTES) == 0 && options->stall_percent <= 90 && is_window;
}

/* System memory: a board's SDRAM, or the world around the chip. */
static bool create_memory(struct simulator *simulator)
{
    struct simulator_options *options = &simulator->options;
    simulator->memory = chip_board_memory(simulator->chip, &options->memory_bytes);
    if (simulator->memory) return true;
    simulator->world =
        world_create(&(struct world_options){options->memory_bytes, options->read_latency, options->write_latency,
                                             options->stall_percent, options->seed, options->memory});
    if (simulator->world) simulator->memory = world_memory(simulator->world);
    return simulator->memory != NULL;
}

/* Reset, and on a board what its SDRAM takes to come up. */
static void start(struct simulator *simulator)
{
    simulator->pins.rst = 1;
    simulator->pins.h_bready = simulator->pins.h_rready = 1;
    for (int i = 0; i < RESET_CYCLES; i++) simulator_cycle(simulator);
    simulator->pins.rst = 0;
    for (unsigned i = 0; i < READY_PATIENCE && !chip_board_ready(simulator->chip); i++) simulator_cycle(simulator);
    if (!chip_board_ready(simulator->chip)) end(simulator, TRANSPORT_DEAD, false, "the SDRAM is not initialised");
    simulator->cycle = 0;
}

struct simulator *simulator_create(const struct simulator_options *options, char *error)
{
    struct simulator *simulator = calloc(1, sizeof *simulator);
    if (!simulator) return fail(NULL, error, "out of memory");
    simulator->options = *options;
    if (!options_complete(&simulator->options))
        return fail(simulator, error,
                    "impossible option: system memory must be whole pages, stalls 0 to 90 percent, and --fst-from less "
                    "than --fst-to");
    if (simulator->options.fst_path && !chip_can_trace())
        return fail(simulator, error, "this simulator is built without wave forms. Build it with make SIM_TRACE=1.");
    const struct simulator_options *complete = &simulator->options;
    simulator->chip = chip_create(complete->seed);
    if (simulator->chip && complete->memory && chip_board_memory(simulator->chip, &(uint32_t){0}))
        return fail(simulator, error, "a board's chip has its own memory. Give it none.");
    if (!simulator->chip || !create_memory(simulator)) return fail(simulator, error, "out of memory");
    const char *digest_of = getenv("TESSERA_DIGEST");
    simulator->has_digest = digest_of != NULL;
    if (digest_of && strcmp(digest_of, "plain") == 0) chip_never_sleep(simulator->chip);
    if (complete->firmware_elf) simulator->symbols = symbols_read(complete->firmware_elf);
    if (simulator->symbols) simulator->profile = profile_create(simulator->symbols);
    if (simulator->symbols && getenv("TESSERA_MISSES") != NULL)
        simulator->misses = misses_create(simulator->symbols, chip_registers(simulator->chip));

    interrupt_watch();
    start(simulator);
    if (simulator->ended != TRANSPORT_OK) return fail(simulator, error, simulator->why);
    return simulator;
}

/* `first` of so many are passed over; how many are kept of `total`. */
static uint64_t oldest(uint64_t total, uint64_t kept, uint32_t first)
{
    return total - (total < kept ? total : kept) + first;
}

static uint32_t look(void *context, enum transport_view view, uint32_t first, uint32_t *words, uint32_t count)
{
    const struct simulator *simulator = context;
    uint32_t done = 0;
    if (view == TRANSPORT_COMMAND)
        for (; done < count && first + done < COMMAND_WORDS; done++)
            words[done] = chip_command_word(simulator->chip, (first + done) * 4u);
    if (view == TRANSPORT_INSTRUCTIONS)
        for (uint64_t i = oldest(simulator->retired_count, RETIRED_KEPT, first);
             i < simulator->retired_count && done < count; i++)
            words[done++] = simulator->retired[i % RETIRED_KEPT];
    if (view == TRANSPORT_EVENTS)
        for (uint64_t i = oldest(simulator->event_count, EVENTS_KEPT, first);
             i < simulator->event_count && count - done >= EVENT_WORDS; i++, done += EVENT_WORDS)
            memcpy(words + done, simulator->events[i % EVENTS_KEPT], sizeof simulator->events[0]);
    return done;
}

void simulator_transport(struct simulator *simulator, struct transport *transport)
{
    *transport = (struct transport){
        .context = simulator,
        .register_read = register_read,
        .register_write = register_write,
        .memory_read = memory_read,
        .memory_write = memory_write,
        .wait = wait_cycles,
        .cycles = cycles,
        .close = destroy,
        .inside = {simulator, look},
        .memory_bytes = simulator->options.memory_bytes,
    };
    simulator->error = transport->error;
}

bool simulator_display(struct simulator *simulator, simulator_frame frame, void *context)
{
    return monitor_watch(&simulator->monitor, frame, context);
}

void simulator_probe(struct simulator *simulator, const struct probe *probe)
{
    if (probe) simulator->probe = *probe;
    else memset(&simulator->probe, 0, sizeof simulator->probe);
}

const struct profile *simulator_profile(const struct simulator *simulator) { return simulator->profile; }

bool simulator_exited(const struct simulator *simulator, uint32_t *code)
{
    *code = simulator->exit_code;
    return simulator->has_exited;
}

const char *simulator_board(void) { return chip_board(); }

uint32_t simulator_clock_hz(void) { return chip_clock_hz(); }

void simulator_wire(struct simulator *simulator) { chip_board_wire(simulator->chip); }

bool simulator_reached_end(const struct simulator *simulator) { return simulator->has_reached_end; }
