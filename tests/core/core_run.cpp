// SPDX-License-Identifier: Apache-2.0
//
// core-run: runs an ELF program on the bare control core in Verilator.
//
//   core-run ELF [--trace] [--signature FILE] [--max-cycles N] [--stall PERCENT] [--seed N] [--stats]
//
// The program ends by storing to the symbol `tohost`: 1 passes (exit status 0), an odd value v reports the failing
// test v >> 1. Memory answers in a single cycle; --stall withholds grants and answers at random, on both ports,
// with the given probability. --trace prints every retired instruction; --signature writes the words between
// begin_signature and end_signature; --stats prints cycles, instructions and their ratio.
#include <verilated.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "Vcore.h"
#include "bench_memory.h"
#include "disassemble.h"
#include "elf_image.h"

namespace
{

struct options {
    const char *elf = nullptr, *signature = nullptr;
    bool is_traced = false, has_stats = false;
    uint64_t max_cycles = 20000000, seed = 1;
    uint32_t stall_percent = 0;
};

uint64_t random_state;
uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((random_state >> 33) % limit);
}

// One port of the core: requests accepted wait here until answered, in order.
struct port {
    struct answer {
        uint32_t data;
        bool is_error;
    };
    answer queue[4];
    unsigned count = 0;
    bool is_answering = false;
    void push(answer a) { queue[count++] = a; }
    void pop()
    {
        for (unsigned i = 1; i < count; i++) queue[i - 1] = queue[i];
        count--;
    }
};

class machine
{
  public:
    explicit machine(const options &chosen) : options_(chosen)
    {
        context_.randReset(2);
        context_.randSeed(static_cast<int>(chosen.seed));
        random_state = chosen.seed;
        core_ = new Vcore{&context_};
    }
    ~machine() { delete core_; }
    machine(const machine &) = delete;
    machine &operator=(const machine &) = delete;

    int run();
    bench_memory memory{};
    elf_image image{};

  private:
    bool stalls() const { return options_.stall_percent != 0 && random_below(100) < options_.stall_percent; }
    void reset();
    void step();
    void trace();
    int finish();
    bool write_signature() const;

    const options options_;
    VerilatedContext context_;
    Vcore *core_;
    port instruction_, data_;
    uint64_t cycle_ = 0, instructions_ = 0;
};

void machine::reset()
{
    core_->rst = 1;
    core_->i_gnt = core_->i_rvalid = core_->d_gnt = core_->d_rvalid = 0;
    core_->irq_software = core_->irq_timer = core_->irq_external = core_->irq_platform = 0;
    for (int i = 0; i < 4; i++) {
        core_->clk = 0;
        core_->eval();
        core_->clk = 1;
        core_->eval();
    }
    core_->rst = 0;
}

// One clock cycle: answers and grants are set, the outputs settle, the edge, then accepted requests are done.
void machine::step()
{
    core_->clk = 0;
    bench_memory_time(&memory, cycle_);
    core_->irq_software = memory.lines & 1;
    core_->irq_timer = memory.lines >> 1 & 1;
    core_->irq_external = memory.lines >> 2 & 1;
    core_->irq_platform = memory.lines >> 3 & 7;
    core_->time_now = cycle_;
    core_->i_gnt = instruction_.count < 4 && !stalls();
    core_->d_gnt = data_.count < 4 && !stalls();
    instruction_.is_answering = instruction_.count != 0 && !stalls();
    data_.is_answering = data_.count != 0 && !stalls();
    core_->i_rvalid = instruction_.is_answering;
    core_->d_rvalid = data_.is_answering;
    core_->i_rdata = instruction_.is_answering ? instruction_.queue[0].data : 0xdeadbeef;
    core_->d_rdata = data_.is_answering ? data_.queue[0].data : 0xdeadbeef;
    core_->i_err = instruction_.is_answering && instruction_.queue[0].is_error;
    core_->d_err = data_.is_answering && data_.queue[0].is_error;
    core_->d_frees = core_->d_rvalid && !core_->d_err;
    core_->eval();

    const bool fetches = core_->i_req && core_->i_gnt, accesses = core_->d_req && core_->d_gnt;
    const uint32_t i_addr = core_->i_addr, d_addr = core_->d_addr, d_wdata = core_->d_wdata;
    const bool writes = core_->d_we;
    const unsigned enables = core_->d_be;
    if (core_->retire_valid) {
        instructions_++;
        if (options_.is_traced) trace();
    }
    core_->clk = 1;
    core_->eval();
    cycle_++;

    if (instruction_.is_answering) instruction_.pop();
    if (data_.is_answering) data_.pop();
    if (accesses) {
        port::answer answer{0xdeadbeef, false};
        answer.is_error = writes ? !bench_memory_write(&memory, d_addr, d_wdata, enables)
                                 : !bench_memory_read(&memory, d_addr, &answer.data);
        data_.push(answer);
    }
    if (fetches) {
        port::answer answer{0xdeadbeef, false};
        answer.is_error = !bench_memory_read(&memory, i_addr, &answer.data);
        instruction_.push(answer);
    }
}

void machine::trace()
{
    const uint32_t pc = core_->retire_pc;
    uint32_t low = 0, high = 0, distance = 0;
    bench_memory_read(&memory, pc & ~3u, &low);
    bench_memory_read(&memory, (pc & ~3u) + 4, &high);
    const uint32_t word = pc & 2 ? low >> 16 | high << 16 : low;
    char text[64];
    disassemble(word, pc, text, sizeof text);
    const char *symbol = elf_nearest(&image, pc, &distance);
    std::printf("%8" PRIu64 " %08x ", cycle_, pc);
    if ((word & 3) == 3) std::printf("%08x ", word);
    else std::printf("%04x     ", word & 0xffff);
    std::printf("%-28s <%s+0x%x>\n", text, symbol ? symbol : "?", distance);
}

bool machine::write_signature() const
{
    uint32_t begin = 0, end = 0;
    if (!elf_symbol(&image, "begin_signature", &begin) || !elf_symbol(&image, "end_signature", &end)) return false;
    FILE *file = std::fopen(options_.signature, "w");
    if (!file) return false;
    for (uint32_t address = begin & ~3u; address < end; address += 4) {
        uint32_t value = 0;
        bench_memory_read(const_cast<bench_memory *>(&memory), address, &value);
        std::fprintf(file, "%08x\n", value);
    }
    return std::fclose(file) == 0;
}

int machine::finish()
{
    if (options_.has_stats)
        std::printf("%" PRIu64 " cycles, %" PRIu64 " instructions, CPI %.3f\n", cycle_, instructions_,
                    static_cast<double>(cycle_) / static_cast<double>(instructions_ ? instructions_ : 1));
    if (options_.signature && !write_signature()) {
        std::fprintf(stderr, "core-run: no signature symbols, or %s cannot be written\n", options_.signature);
        return 2;
    }
    if (!memory.is_ended) {
        uint32_t distance = 0;
        const char *symbol = elf_nearest(&image, core_->retire_pc, &distance);
        std::fprintf(stderr, "core-run: no end after %" PRIu64 " cycles; last retired %08x <%s+0x%x>\n", cycle_,
                     core_->retire_pc, symbol ? symbol : "?", distance);
        return 2;
    }
    if (memory.exit_value == 1) return 0;
    std::fprintf(stderr, "core-run: test %u failed\n", memory.exit_value >> 1);
    return 1;
}

int machine::run()
{
    reset();
    while (!memory.is_ended && cycle_ < options_.max_cycles) step();
    core_->final();
    return finish();
}

int usage(const char *problem)
{
    std::fprintf(stderr,
                 "core-run: %s\nusage: core-run ELF [--trace] [--signature FILE] [--max-cycles N] "
                 "[--stall PERCENT] [--seed N] [--stats]\n",
                 problem);
    return 2;
}

} // namespace

int main(int argc, char **argv)
{
    options chosen;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : nullptr;
        if (!std::strcmp(word, "--trace")) chosen.is_traced = true;
        else if (!std::strcmp(word, "--stats")) chosen.has_stats = true;
        else if (word[0] != '-' && !chosen.elf) chosen.elf = word;
        else if (word[0] != '-' || !value) return usage(word[0] != '-' ? "one ELF only" : "unknown option or no value");
        else {
            i++;
            if (!std::strcmp(word, "--signature")) chosen.signature = value;
            else if (!std::strcmp(word, "--max-cycles")) chosen.max_cycles = std::strtoull(value, nullptr, 0);
            else if (!std::strcmp(word, "--stall")) chosen.stall_percent = static_cast<uint32_t>(std::atoi(value));
            else if (!std::strcmp(word, "--seed")) chosen.seed = std::strtoull(value, nullptr, 0);
            else return usage("unknown option");
        }
    }
    if (!chosen.elf) return usage("no ELF");
    if (chosen.stall_percent > 95) return usage("--stall is at most 95");

    machine *bench = new machine(chosen);
    char error[256] = "out of memory";
    int status = 2;
    if (!elf_open(&bench->image, chosen.elf, error) || !bench_memory_create(&bench->memory) ||
        !bench_memory_load(&bench->memory, &bench->image, error))
        std::fprintf(stderr, "core-run: %s\n", error);
    else status = bench->run();
    bench_memory_destroy(&bench->memory);
    elf_close(&bench->image);
    delete bench;
    return status;
}
