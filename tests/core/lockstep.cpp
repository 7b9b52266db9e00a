// SPDX-License-Identifier: Apache-2.0
//
// Goal: the core does what the ISA model does, instruction by instruction.
// Method: random programs (random_program.h) run on the Verilated core; every RVFI record is compared with one step
// of the model: instruction, pc, next pc, registers read and written, memory effect, trap. Interrupt lines rise at
// random and stay up until the core takes them; the model must then take the same one, and the core may not keep an
// enabled interrupt waiting for more than a few instructions, nor, when nothing stalls, for more than kInterruptCycles.
// The loads on the bus are those of the records, and no others but after one that protection denied. Grants and answers
// of both ports stall at random. With CACHES both ports end in small caches (cached_ports.h), FENCE.I flushes them, and
// it is their memory that stalls.
//
//   lockstep [--programs N] [--seed N] [--stall PERCENT]     the seed of a failing program is printed
#include <verilated.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "Vcore.h"
#include "disassemble.h"
#include "isa_model.h"
#include "random_program.h"
#ifdef CACHES
#include "cached_ports.h"
#endif

namespace
{

constexpr uint32_t kErrorAddress = 0x60000000; // from here on every access is a bus error
constexpr unsigned kRecords = 600;             // length of a program
constexpr unsigned kTrapsInARow = 24;          // then the program has nothing new to offer
constexpr unsigned kPatience = 4000;           // cycles without a record
constexpr unsigned kInterruptPatience = 3;     // records an enabled interrupt may wait for, wfi not counted
#ifdef CACHES
constexpr unsigned kInterruptCycles = 400;
#else
constexpr unsigned kInterruptCycles = 8; // from an enabled line to the handler's first instruction in execute
#endif
constexpr unsigned kExecuteToRecord = 2;
constexpr uint32_t kWfi = 0x10500073;

struct world {
    uint32_t code[RANDOM_CODE_BYTES / 4];
    uint32_t data[RANDOM_CODE_BYTES / 4];
};

bool fetch(void *context, uint32_t address, uint32_t *value)
{
    *value = static_cast<world *>(context)->code[address % RANDOM_CODE_BYTES / 4];
    return address < kErrorAddress;
}

bool read(void *context, uint32_t address, uint32_t *value)
{
    *value = static_cast<world *>(context)->data[address % RANDOM_CODE_BYTES / 4];
    return address < kErrorAddress;
}

bool write(void *context, uint32_t address, uint32_t value, unsigned mask)
{
    uint32_t &word = static_cast<world *>(context)->data[address % RANDOM_CODE_BYTES / 4];
    if (address >= kErrorAddress) return false;
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1) word = (word & ~(0xffu << 8 * i)) | (value & 0xffu << 8 * i);
    return true;
}

struct answer {
    uint32_t data;
    bool is_error;
};
struct queue {
    answer items[4];
    unsigned count = 0;
    void push(answer a) { items[count++] = a; }
    void pop()
    {
        for (unsigned i = 1; i < count; i++) items[i - 1] = items[i];
        count--;
    }
};

// Which source registers an instruction reads: the fields of its whole form, 0 where it has none.
struct sources {
    uint32_t rs1, rs2;
};
sources sources_of(uint32_t instruction)
{
    constexpr uint32_t load = 0x03, immediate = 0x13, store = 0x23, whole = 0x33, branch = 0x63, jalr = 0x67,
                       system = 0x73;
    const uint32_t rs1 = instruction >> 15 & 31u, rs2 = instruction >> 20 & 31u, funct3 = instruction >> 12 & 7u;
    switch (instruction & 0x7fu) {
    case load:
    case immediate:
    case jalr: return {rs1, 0};
    case store:
    case whole:
    case branch: return {rs1, rs2};
    case system: return {funct3 >= 1 && funct3 <= 3 ? rs1 : 0u, 0}; // of a CSR not with an immediate
    default: return {0, 0};
    }
}

uint32_t lines_to_mip(uint32_t lines) // software, timer, external, platform 0..2
{
    return (lines & 1) << 3 | (lines >> 1 & 1) << 7 | (lines >> 2 & 1) << 11 | (lines >> 3 & 7) << 16;
}

class lockstep
{
  public:
    lockstep(uint64_t seed, uint32_t stall_percent) : stall_percent_(stall_percent)
    {
        context_.randReset(2);
        context_.randSeed(static_cast<int>(seed));
        core_ = new Vcore{&context_};
        model_.fetch = fetch;
        model_.read = read;
        model_.write = write;
        model_.context = &model_world_;
    }
    ~lockstep() { delete core_; }
    lockstep(const lockstep &) = delete;
    lockstep &operator=(const lockstep &) = delete;

    bool run(uint64_t seed);
    uint64_t records = 0, traps = 0, interrupts = 0, cycles = 0, slowest = 0;

  private:
    bool stalls() { return stall_percent_ != 0 && random_below(&source_, 100) < stall_percent_; }
    void reset();
    void cycle();
    void settle();
    bool compare();
    bool compare_loads();
    bool compare_sources();
    bool complain(const char *what, uint32_t core, uint32_t model);
    bool is_asleep();
    bool is_open() const; // an access of the data port is not answered

    uint32_t stall_percent_;
    VerilatedContext context_;
    Vcore *core_;
    isa_model model_{};
    isa_record record_{};
    world core_world_{}, model_world_{};
    random_source source_{};
    queue instruction_, data_;
    uint32_t loads_[8] = {}; // addresses of loads on the bus that have no record yet
    unsigned load_count_ = 0;
#ifdef CACHES
    cached_ports caches_{RANDOM_CODE_BYTES};
#endif
    uint64_t seed_ = 0, asked_ = 0; // first cycle of an interrupt that is enabled
    uint32_t lines_ = 0;
    unsigned program_records_ = 0, traps_in_a_row_ = 0, waiting_ = 0, quiet_ = 0;
    bool has_record_ = false, was_wfi_ = false;
};

void lockstep::reset()
{
    core_->rst = 1;
    for (int i = 0; i < 3; i++) {
        core_->i_rvalid = core_->d_rvalid = 0;
        core_->clk = 0;
        core_->eval();
        core_->clk = 1;
        core_->eval();
    }
    core_->rst = 0;
#ifdef CACHES
    caches_.reset(core_world_.code, core_world_.data);
#endif
    instruction_.count = data_.count = load_count_ = 0;
    lines_ = 0;
    program_records_ = traps_in_a_row_ = waiting_ = quiet_ = 0;
    model_.pmp_ranges_only = PMP_POWERS == 0;
    isa_model_reset(&model_, 0);
}

// The inputs that no memory gives; then what the core does with all of them.
void lockstep::settle()
{
    core_->irq_software = lines_ & 1;
    core_->irq_timer = lines_ >> 1 & 1;
    core_->irq_external = lines_ >> 2 & 1;
    core_->irq_platform = lines_ >> 3 & 7;
    core_->time_now = cycles;
    core_->eval();
    has_record_ = core_->rvfi_valid;
    if (core_->d_req && core_->d_gnt && !core_->d_we && load_count_ < 8) loads_[load_count_++] = core_->d_addr;
}

#ifdef CACHES
// An access below kErrorAddress goes to a cache, another to the queue of bus errors, one of both at a time.
void lockstep::cycle()
{
    core_->clk = 0;
    caches_.before([this] { return stalls(); });
    const bool answers_i = instruction_.count != 0, answers_d = data_.count != 0;
    core_->i_rvalid = answers_i || caches_.i_rvalid();
    core_->i_rdata = caches_.i_rvalid() ? caches_.i_rdata() : random_next(&source_);
    core_->i_err = answers_i;
    core_->d_rvalid = answers_d || caches_.d_rvalid();
    core_->d_rdata = caches_.d_rvalid() ? caches_.d_rdata() : random_next(&source_);
    core_->d_err = answers_d;
    core_->d_frees = 0;
    core_->i_gnt = caches_.i_gnt();
    core_->d_gnt = caches_.d_gnt();
    settle();
    const bool fetches = core_->i_req && core_->i_gnt, accesses = core_->d_req && core_->d_gnt;
    if (answers_i) instruction_.pop();
    if (answers_d) data_.pop();
    const bool is_code = core_->i_addr < kErrorAddress, is_data = core_->d_addr < kErrorAddress;
    if (fetches && !is_code) instruction_.push({0, true});
    if (accesses && !is_data) data_.push({0, true});
    caches_.after(fetches && is_code, core_->i_addr, accesses && is_data, core_->d_we, core_->d_addr, core_->d_be,
                  core_->d_wdata, core_->fence_i);
}
#else
// One clock cycle; a record handed out in it is left in the core's outputs until compared, before the edge.
void lockstep::cycle()
{
    core_->clk = 0;
    const bool answers_i = instruction_.count != 0 && !stalls(), answers_d = data_.count != 0 && !stalls();
    core_->i_gnt = instruction_.count < 4 && !stalls();
    core_->d_gnt = data_.count < 4 && !stalls();
    core_->i_rvalid = answers_i;
    core_->i_rdata = answers_i ? instruction_.items[0].data : random_next(&source_);
    core_->i_err = answers_i && instruction_.items[0].is_error;
    core_->d_rvalid = answers_d;
    core_->d_rdata = answers_d ? data_.items[0].data : random_next(&source_);
    core_->d_err = answers_d && data_.items[0].is_error;
    core_->d_frees = answers_d && !core_->d_err && !stalls();
    settle();
    const bool fetches = core_->i_req && core_->i_gnt, accesses = core_->d_req && core_->d_gnt;
    if (answers_i) instruction_.pop();
    if (answers_d) data_.pop();
    if (fetches) {
        answer a{};
        a.is_error = !fetch(&core_world_, core_->i_addr, &a.data);
        instruction_.push(a);
    }
    if (accesses) {
        answer a{};
        a.is_error = core_->d_we ? !write(&core_world_, core_->d_addr, core_->d_wdata, core_->d_be)
                                 : !read(&core_world_, core_->d_addr, &a.data);
        data_.push(a);
    }
}
#endif

bool lockstep::complain(const char *what, uint32_t core, uint32_t model)
{
    char text[64];
    disassemble(core_->rvfi_insn, core_->rvfi_pc_rdata, text, sizeof text);
    std::printf("seed %" PRIu64 ", record %u: %s is %08x, model %08x, at %08x: %s\n", seed_, program_records_, what,
                core, model, core_->rvfi_pc_rdata, text);
    return false;
}

// A load whose register is read twice could change it twice.
bool lockstep::compare_loads()
{
    const bool was_denied = record_.trapped && model_.mcause == 5; // or a bus error
    if (was_denied) {
        if (load_count_ > 2) return complain("loads on the bus", load_count_, 2);
        load_count_ = 0;
    } else if (record_.trapped) {
        if (load_count_ != 0) return complain("loads on the bus after a trap", load_count_, 0);
    } else if (record_.read_mask != 0) {
        if (load_count_ == 0) return complain("loads on the bus", 0, 1);
        if (loads_[0] != record_.memory_address) return complain("bus address", loads_[0], record_.memory_address);
        std::memmove(loads_, loads_ + 1, --load_count_ * sizeof loads_[0]);
    }
    return true;
}

// The registers that a record says were read, and what was in them, before the model's step.
bool lockstep::compare_sources()
{
    const Vcore &c = *core_;
    uint32_t whole = c.rvfi_insn;
    if (c.rvfi_trap || ((whole & 3u) != 3u && !isa_expand(whole, &whole))) return true;
    const sources expected = sources_of(whole);
    if (c.rvfi_rs1_addr != expected.rs1) return complain("rs1", c.rvfi_rs1_addr, expected.rs1);
    if (c.rvfi_rs2_addr != expected.rs2) return complain("rs2", c.rvfi_rs2_addr, expected.rs2);
    const uint32_t first = model_.x[expected.rs1], second = model_.x[expected.rs2];
    if (c.rvfi_rs1_rdata != first) return complain("rs1 value", c.rvfi_rs1_rdata, first);
    return c.rvfi_rs2_rdata == second || complain("rs2 value", c.rvfi_rs2_rdata, second);
}

bool lockstep::compare()
{
    const Vcore &c = *core_;
    const uint32_t mip = lines_to_mip(lines_);
    if (c.rvfi_intr) {
        if (!isa_model_interrupt(&model_, mip)) return complain("interrupt", mip, model_.interrupt_enable);
        lines_ = 0;
        waiting_ = 0;
        interrupts++;
        const uint64_t waited = cycles - kExecuteToRecord - asked_;
        slowest = waited > slowest ? waited : slowest;
        // A wfi ends before, and may have been taken for a jump.
        if (stall_percent_ == 0 && waited > kInterruptCycles + was_wfi_)
            return complain("cycles to the handler", static_cast<uint32_t>(waited), kInterruptCycles);
    } else if (model_.mie && (mip & model_.interrupt_enable)) {
        waiting_ += c.rvfi_insn != kWfi;
        if (waiting_ > kInterruptPatience) return complain("waiting interrupt", mip, model_.interrupt_enable);
    } else {
        waiting_ = 0;
    }
    was_wfi_ = c.rvfi_insn == kWfi;
    if (!compare_sources()) return false;
    isa_model_step(&model_, &record_);
    if (record_.reads_time && record_.rd != 0 && c.rvfi_rd_addr == record_.rd)
        model_.x[record_.rd] = record_.rd_value = c.rvfi_rd_wdata;
    if (c.rvfi_pc_rdata != record_.pc) return complain("pc", c.rvfi_pc_rdata, record_.pc);
    if (c.rvfi_trap != record_.trapped) return complain("trap", c.rvfi_trap, record_.trapped);
    // What could not be fetched has no bits.
    if (!(record_.trapped && model_.mcause == 1) && c.rvfi_insn != record_.instruction)
        return complain("instruction", c.rvfi_insn, record_.instruction);
    if (c.rvfi_rd_addr != record_.rd) return complain("rd", c.rvfi_rd_addr, record_.rd);
    if (!compare_loads()) return false;
    if (c.rvfi_rd_wdata != record_.rd_value) return complain("rd value", c.rvfi_rd_wdata, record_.rd_value);
    if (c.rvfi_pc_wdata != record_.next_pc) return complain("next pc", c.rvfi_pc_wdata, record_.next_pc);
    if (record_.trapped) return true;
    const unsigned mask = record_.read_mask | record_.write_mask;
    if (c.rvfi_mem_rmask != record_.read_mask) return complain("read mask", c.rvfi_mem_rmask, record_.read_mask);
    if (c.rvfi_mem_wmask != record_.write_mask) return complain("write mask", c.rvfi_mem_wmask, record_.write_mask);
    if (mask != 0 && c.rvfi_mem_addr != record_.memory_address)
        return complain("address", c.rvfi_mem_addr, record_.memory_address);
    for (unsigned i = 0; i < 4; i++)
        if ((record_.write_mask >> i & 1) && ((c.rvfi_mem_wdata ^ record_.write_lanes) >> 8 * i & 0xff))
            return complain("stored bytes", c.rvfi_mem_wdata, record_.write_lanes);
    return true;
}

bool lockstep::is_open() const
{
#ifdef CACHES
    return data_.count != 0 || caches_.is_open();
#else
    return data_.count != 0;
#endif
}

// The core waits in WFI for an interrupt that nobody has enabled.
bool lockstep::is_asleep()
{
    uint32_t low, high;
    return fetch(&model_world_, model_.pc & ~3u, &low) && fetch(&model_world_, (model_.pc & ~3u) + 4, &high) &&
           (model_.pc & 2 ? low >> 16 | high << 16 : low) == 0x10500073 &&
           !(lines_to_mip(63) & model_.interrupt_enable);
}

bool lockstep::run(uint64_t seed)
{
    const random_options everything{false, 0, 0};
    seed_ = seed;
    source_.state = seed * 0x9e3779b97f4a7c15u + 1;
    random_program(&source_, &everything, core_world_.code);
    for (uint32_t &word : core_world_.data) word = random_next(&source_);
    model_world_ = core_world_;
    reset();
    // The end waits for the data port: the core may be one store ahead of its records.
    while ((program_records_ < kRecords && traps_in_a_row_ < kTrapsInARow) || is_open()) {
        cycle();
        if (has_record_) {
            if (!compare()) return false;
            program_records_++;
            records++;
            traps += record_.trapped;
            traps_in_a_row_ = record_.trapped ? traps_in_a_row_ + 1
                              : record_.pc % RANDOM_CODE_BYTES >= RANDOM_HANDLER &&
                                      record_.pc % RANDOM_CODE_BYTES < RANDOM_HANDLER + 0x60
                                  ? traps_in_a_row_
                                  : 0;
            quiet_ = 0;
        } else if (++quiet_ > kPatience) {
            return is_asleep() || complain("cycles without a record", quiet_, 0);
        }
        // Lines change only while none is up, or nothing happens: a core in WFI gets all of them.
        if (lines_ == 0 && random_below(&source_, 64) == 0) lines_ = random_next(&source_) & 63;
        if (quiet_ == 300) lines_ = 63;
        if (!model_.mie || !(lines_to_mip(lines_) & model_.interrupt_enable)) asked_ = cycles + 2;
        core_->clk = 1;
        core_->eval();
        cycles++;
    }
#ifdef CACHES
    if (!caches_.flush(core_world_.data)) return complain("busy caches", 1, 0);
#endif
    if (std::memcmp(core_world_.data, model_world_.data, sizeof core_world_.data) != 0)
        return complain("data memory", 1, 0);
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    uint64_t programs = 1000, seed = 1;
    uint32_t stall = 25;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!std::strcmp(argv[i], "--programs")) programs = std::strtoull(argv[i + 1], nullptr, 0);
        else if (!std::strcmp(argv[i], "--seed")) seed = std::strtoull(argv[i + 1], nullptr, 0);
        else if (!std::strcmp(argv[i], "--stall")) stall = static_cast<uint32_t>(std::atoi(argv[i + 1]));
        else {
            std::fprintf(stderr, "usage: lockstep [--programs N] [--seed N] [--stall PERCENT]\n");
            return 2;
        }
    }
    lockstep bench(seed, stall);
    uint64_t passed = 0, failed = 0;
    for (uint64_t i = 0; i < programs && failed < 10; i++) (bench.run(seed + i) ? passed : failed)++;
    std::printf("%" PRIu64 " instructions, %" PRIu64 " traps, %" PRIu64 " interrupts after at most %" PRIu64
                " cycles, %" PRIu64 " cycles\n",
                bench.records, bench.traps, bench.interrupts, bench.slowest, bench.cycles);
    // Programs that do nothing would prove nothing.
    if (bench.records < programs * 50 || bench.interrupts == 0 || bench.traps == 0) {
        std::printf("the programs were too short\n");
        failed++;
    }
    std::printf("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, failed);
    return failed != 0;
}
