/* SPDX-License-Identifier: Apache-2.0
 *
 * See isa_model.h. Each instruction: fetch, expand, execute into locals; a trap found on the way changes nothing but
 * the trap registers and pc.
 */
#include "isa_model.h"

#include <string.h>

enum {
    CAUSE_FETCH = 1,
    CAUSE_ILLEGAL = 2,
    CAUSE_BREAKPOINT = 3,
    CAUSE_MISALIGNED_LOAD = 4,
    CAUSE_LOAD = 5,
    CAUSE_MISALIGNED_STORE = 6,
    CAUSE_STORE = 7,
    CAUSE_ECALL_M = 11,
    INTERRUPT_BITS = 1 << 3 | 1 << 7 | 1 << 11 | 7 << 16,
};

enum pmp_access { PMP_READ = 1, PMP_WRITE = 2, PMP_EXECUTE = 4 };

void isa_model_reset(struct isa_model *model, uint32_t reset_vector)
{
    struct isa_model fresh = {.pc = reset_vector,
                              .pmp_ranges_only = model->pmp_ranges_only,
                              .fetch = model->fetch,
                              .read = model->read,
                              .write = model->write,
                              .context = model->context};
    *model = fresh;
}

/* ------------------------------------------------------------------------------------------ protection */

/* Whether region `n` covers the word at `address`. Addresses in units of 4 bytes, 64 bits so nothing wraps. */
static bool pmp_matches(const struct isa_model *model, unsigned n, uint32_t address)
{
    uint64_t word = address >> 2, base = model->pmp_address[n], low = n > 0 ? model->pmp_address[n - 1] : 0;
    switch (model->pmp_configuration[n] >> 3 & 3) {
    case 1: return word >= low && word < base;
    case 2: return word == base;
    case 3: {
        uint64_t size = 2; /* NAPOT: 2^(trailing ones + 1) words */
        while (base & size >> 1) size <<= 1;
        base &= ~(size - 1);
        return word >= base && word < base + size;
    }
    default: return false;
    }
}

static bool pmp_allows(const struct isa_model *model, uint32_t address, enum pmp_access access)
{
    for (unsigned n = 0; n < ISA_PMP_REGIONS; n++) {
        if (!pmp_matches(model, n, address)) continue;
        return !(model->pmp_configuration[n] & 0x80) || (model->pmp_configuration[n] & access);
    }
    return true;
}

static bool pmp_locked(const struct isa_model *model, unsigned n) { return model->pmp_configuration[n] & 0x80; }

static void pmp_write(struct isa_model *model, uint32_t number, uint32_t value)
{
    if (number == 0x3a0 || number == 0x3a1) {
        for (unsigned n = 4 * (number & 1); n < 4 * (number & 1) + 4; n++) {
            uint8_t byte = value >> 8 * (n & 3) & 0x9f;
            if ((byte & 3) == PMP_WRITE) byte &= (uint8_t)~PMP_WRITE; /* W without R is reserved */
            if (model->pmp_ranges_only && byte & 0x10) byte &= 0x87;  /* NA4 or NAPOT is OFF */
            if (!pmp_locked(model, n)) model->pmp_configuration[n] = byte;
        }
    } else if (number >= 0x3b0 && number < 0x3b0 + ISA_PMP_REGIONS) {
        unsigned n = number - 0x3b0;
        bool above_locks =
            n + 1 < ISA_PMP_REGIONS && pmp_locked(model, n + 1) && (model->pmp_configuration[n + 1] >> 3 & 3) == 1;
        if (!pmp_locked(model, n) && !above_locks) model->pmp_address[n] = value & 0x3fffffff;
    }
}

/* ------------------------------------------------------------------------------------------ CSRs */

static uint32_t pmp_configuration_word(const struct isa_model *model, unsigned first)
{
    uint32_t word = 0;
    for (unsigned n = 0; n < 4; n++) word |= (uint32_t)model->pmp_configuration[first + n] << 8 * n;
    return word;
}

/* False when the CSR does not exist. */
static bool csr_read(const struct isa_model *model, uint32_t number, uint32_t *value, bool *is_time)
{
    *value = 0;
    switch (number) {
    case 0x300: *value = 0x1800u | (uint32_t)model->mpie << 7 | (uint32_t)model->mie << 3; return true;
    case 0x301: *value = 0x40001104; return true;
    case 0x304: *value = model->interrupt_enable; return true;
    case 0x305: *value = model->mtvec; return true;
    case 0x340: *value = model->mscratch; return true;
    case 0x341: *value = model->mepc; return true;
    case 0x342: *value = model->mcause; return true;
    case 0x343: *value = model->mtval; return true;
    case 0x344: *is_time = true; return true; /* lines move with time */
    case 0xb00:
    case 0xb02:
    case 0xb80:
    case 0xb82:
    case 0xc00:
    case 0xc01:
    case 0xc02:
    case 0xc80:
    case 0xc81:
    case 0xc82: *is_time = true; return true;
    case 0x3a0: *value = pmp_configuration_word(model, 0); return true;
    case 0x3a1: *value = pmp_configuration_word(model, 4); return true;
    case 0x310:
    case 0x320: return true;
    default: break;
    }
    if (number >= 0x3b0 && number < 0x3b0 + ISA_PMP_REGIONS) *value = model->pmp_address[number - 0x3b0];
    return (number >= 0x3a0 && number <= 0x3a3) || (number >= 0x3b0 && number <= 0x3bf) ||
           (number >= 0x323 && number <= 0x33f) || (number >= 0xb03 && number <= 0xb1f) ||
           (number >= 0xb83 && number <= 0xb9f) || (number >= 0xf11 && number <= 0xf15) ||
           (number >= 0x7a0 && number <= 0x7a3);
}

static void csr_write(struct isa_model *model, uint32_t number, uint32_t value)
{
    switch (number) {
    case 0x300: model->mie = value >> 3 & 1, model->mpie = value >> 7 & 1; break;
    case 0x304: model->interrupt_enable = value & INTERRUPT_BITS; break;
    case 0x305: model->mtvec = value & ~2u; break;
    case 0x340: model->mscratch = value; break;
    case 0x341: model->mepc = value & ~1u; break;
    case 0x342: model->mcause = value & 0x8000001f; break;
    case 0x343: model->mtval = value; break;
    default: pmp_write(model, number, value); break;
    }
}

/* ------------------------------------------------------------------------------------------ traps */

static void enter(struct isa_model *model, uint32_t pc, uint32_t cause, uint32_t value)
{
    model->mepc = pc;
    model->mcause = cause;
    model->mtval = value;
    model->mpie = model->mie;
    model->mie = false;
    model->pc = model->mtvec & ~3u;
    if ((cause >> 31) != 0 && (model->mtvec & 1)) model->pc += 4 * (cause & 31);
}

bool isa_model_interrupt(struct isa_model *model, uint32_t lines)
{
    static const uint8_t order[] = {11, 3, 7, 16, 17, 18};
    uint32_t asking = lines & model->interrupt_enable;
    if (!model->mie) return false;
    for (unsigned i = 0; i < sizeof order; i++) {
        if (!(asking >> order[i] & 1)) continue;
        enter(model, model->pc, 0x80000000u | order[i], 0);
        return true;
    }
    return false;
}

static void trap(struct isa_model *model, struct isa_record *record, uint32_t cause, uint32_t value)
{
    enter(model, record->pc, cause, value);
    record->trapped = true;
    record->rd = record->rd_value = 0;
    record->read_mask = record->write_mask = 0;
    record->next_pc = model->pc;
}

/* ------------------------------------------------------------------------------------------ instructions */

static uint32_t sign(uint32_t value, unsigned bits_kept)
{
    uint32_t top = 1u << (bits_kept - 1);
    return (value & (top | (top - 1))) - ((value & top) << 1);
}

static uint32_t compute(uint32_t funct3, bool alternative, uint32_t a, uint32_t b)
{
    switch (funct3) {
    case 0: return alternative ? a - b : a + b;
    case 1: return a << (b & 31);
    case 2: return (int32_t)a < (int32_t)b;
    case 3: return a < b;
    case 4: return a ^ b;
    case 5: return a >> (b & 31) | (alternative && (int32_t)a < 0 && (b & 31) ? ~0u << (32 - (b & 31)) : 0);
    case 6: return a | b;
    default: return a & b;
    }
}

static uint32_t compute_m(uint32_t funct3, uint32_t a, uint32_t b)
{
    int64_t sa = (int32_t)a, sb = (int32_t)b;
    switch (funct3) {
    case 0: return a * b;
    case 1: return (uint32_t)((uint64_t)(sa * sb) >> 32);
    case 2: return (uint32_t)((uint64_t)(sa * (int64_t)(uint64_t)b) >> 32);
    case 3: return (uint32_t)((uint64_t)a * b >> 32);
    case 4: return b == 0 ? ~0u : (uint32_t)(sa / sb);
    case 5: return b == 0 ? ~0u : a / b;
    case 6: return b == 0 ? a : (uint32_t)(sa % sb);
    default: return b == 0 ? a : a % b;
    }
}

static bool branch_taken(uint32_t funct3, uint32_t a, uint32_t b)
{
    bool result = (funct3 & 4) == 0 ? a == b : (funct3 & 2) ? a < b : (int32_t)a < (int32_t)b;
    return result != (bool)(funct3 & 1);
}

/* Loads and stores. False when the access trapped. */
static bool access_memory(struct isa_model *model, struct isa_record *record, bool is_store, uint32_t funct3,
                          uint32_t address, uint32_t value, uint32_t *loaded)
{
    unsigned bytes = 1u << (funct3 & 3), lane = address & 3, mask = ((1u << bytes) - 1) << lane;
    if (address & (bytes - 1)) {
        trap(model, record, is_store ? CAUSE_MISALIGNED_STORE : CAUSE_MISALIGNED_LOAD, address);
        return false;
    }
    record->memory_address = address & ~3u;
    uint32_t lanes = 0, bit_mask = 0;
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1) bit_mask |= 0xffu << 8 * i;
    bool good = pmp_allows(model, address, is_store ? PMP_WRITE : PMP_READ);
    if (is_store) {
        lanes = value << 8 * lane & bit_mask;
        good = good && model->write(model->context, record->memory_address, lanes, mask);
        record->write_mask = mask;
        record->write_lanes = lanes;
    } else {
        good = good && model->read(model->context, record->memory_address, &lanes);
        record->read_mask = mask;
        *loaded = (lanes & bit_mask) >> 8 * lane;
        if (!(funct3 & 4) && bytes < 4) *loaded = sign(*loaded, 8 * bytes);
    }
    if (!good) trap(model, record, is_store ? CAUSE_STORE : CAUSE_LOAD, address);
    return good;
}

/* SYSTEM instructions. Returns false when they trapped or returned (pc is then set). */
static bool execute_system(struct isa_model *model, struct isa_record *record, uint32_t word, uint32_t a,
                           uint32_t *result)
{
    uint32_t funct3 = word >> 12 & 7, number = word >> 20, source = word >> 15 & 31;
    if (funct3 == 0) {
        switch (word) {
        case 0x00000073: trap(model, record, CAUSE_ECALL_M, 0); return false;
        case 0x00100073: trap(model, record, CAUSE_BREAKPOINT, 0); return false;
        case 0x10500073: return true; /* wfi: waiting takes no instruction */
        case 0x30200073:
            model->mie = model->mpie;
            model->mpie = true;
            model->pc = record->next_pc = model->mepc;
            return false;
        default: trap(model, record, CAUSE_ILLEGAL, record->instruction); return false;
        }
    }
    bool writes = (funct3 & 3) == 1 || source != 0;
    uint32_t operand = funct3 & 4 ? source : a;
    if (funct3 == 4 || !csr_read(model, number, result, &record->reads_time) || (writes && number >> 10 == 3)) {
        record->reads_time = false;
        trap(model, record, CAUSE_ILLEGAL, record->instruction);
        return false;
    }
    uint32_t value = (funct3 & 3) == 1 ? operand : (funct3 & 3) == 2 ? *result | operand : *result & ~operand;
    if (writes) csr_write(model, number, value);
    return true;
}

/* Whether the fixed fields of a 32-bit instruction make it one of this core's (SYSTEM is judged above). */
static bool is_legal(uint32_t word)
{
    uint32_t funct3 = word >> 12 & 7, funct7 = word >> 25;
    switch (word & 0x7f) {
    case 0x37:
    case 0x17:
    case 0x6f:
    case 0x73: return true;
    case 0x67: return funct3 == 0;
    case 0x63: return funct3 != 2 && funct3 != 3;
    case 0x03: return funct3 != 3 && funct3 < 6;
    case 0x23: return funct3 < 3;
    case 0x13: return funct3 == 1 ? funct7 == 0 : funct3 == 5 ? funct7 == 0 || funct7 == 0x20 : true;
    case 0x33: return funct7 <= 1 || (funct7 == 0x20 && (funct3 == 0 || funct3 == 5));
    case 0x0f: return funct3 < 2;
    default: return false;
    }
}

static void execute(struct isa_model *model, struct isa_record *record, uint32_t word)
{
    uint32_t funct3 = word >> 12 & 7, a = model->x[word >> 15 & 31], b = model->x[word >> 20 & 31];
    uint32_t imm_i = sign(word >> 20, 12);
    uint32_t imm_s = sign((word >> 25) << 5 | (word >> 7 & 31), 12);
    uint32_t imm_b =
        sign((word >> 31) << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 63) << 5 | (word >> 8 & 15) << 1, 13);
    uint32_t imm_j =
        sign((word >> 31) << 20 | (word >> 12 & 255) << 12 | (word >> 20 & 1) << 11 | (word >> 21 & 1023) << 1, 21);
    uint32_t result = 0, target = record->next_pc;
    bool writes = true;
    switch (word & 0x7f) {
    case 0x37: result = word & 0xfffff000; break;
    case 0x17: result = record->pc + (word & 0xfffff000); break;
    case 0x6f: result = target, target = record->pc + imm_j; break;
    case 0x67: result = target, target = (a + imm_i) & ~1u; break;
    case 0x63:
        if (branch_taken(funct3, a, b)) target = record->pc + imm_b;
        writes = false;
        break;
    case 0x03:
        if (!access_memory(model, record, false, funct3, a + imm_i, 0, &result)) return;
        break;
    case 0x23:
        if (!access_memory(model, record, true, funct3, a + imm_s, b, &result)) return;
        writes = false;
        break;
    case 0x13: result = compute(funct3, funct3 == 5 && word >> 30 & 1, a, imm_i); break;
    case 0x33: result = word >> 25 == 1 ? compute_m(funct3, a, b) : compute(funct3, word >> 30 & 1, a, b); break;
    case 0x73:
        if (!execute_system(model, record, word, a, &result)) return;
        writes = funct3 != 0;
        break;
    default: writes = false; break; /* fences */
    }
    uint32_t rd = word >> 7 & 31;
    if (writes && rd != 0) {
        model->x[rd] = result;
        record->rd = rd;
        record->rd_value = result;
    }
    model->pc = record->next_pc = target;
}

/* Fetches 16 bits; on failure takes the trap, whose value is the address of the failing half. */
static bool fetch_half(struct isa_model *model, struct isa_record *record, uint32_t address, uint32_t *half)
{
    uint32_t word = 0;
    if (!pmp_allows(model, address & ~3u, PMP_EXECUTE) || !model->fetch(model->context, address & ~3u, &word)) {
        trap(model, record, CAUSE_FETCH, address);
        return false;
    }
    *half = address & 2 ? word >> 16 : word & 0xffff;
    return true;
}

void isa_model_step(struct isa_model *model, struct isa_record *record)
{
    memset(record, 0, sizeof *record);
    record->pc = model->pc;
    uint32_t low, high, word;
    if (!fetch_half(model, record, model->pc, &low)) return;
    bool is_legal_word;
    if ((low & 3) == 3) {
        if (!fetch_half(model, record, model->pc + 2, &high)) return;
        word = record->instruction = low | high << 16;
        record->next_pc = model->pc + 4;
        is_legal_word = is_legal(word);
    } else {
        record->instruction = low;
        record->next_pc = model->pc + 2;
        is_legal_word = isa_expand(low, &word);
    }
    if (is_legal_word) execute(model, record, word);
    else trap(model, record, CAUSE_ILLEGAL, record->instruction);
}
