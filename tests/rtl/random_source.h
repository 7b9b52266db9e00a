// SPDX-License-Identifier: Apache-2.0
//
// Random numbers of the benches in C++, from a seed that is not 0: the same everywhere.
#ifndef RANDOM_SOURCE_H
#define RANDOM_SOURCE_H

#include <cstdint>

struct random_source {
    uint64_t state;
    uint32_t next()
    {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return (uint32_t)(state >> 16);
    }
    uint32_t below(uint32_t limit) { return next() % limit; }
    bool chance(uint32_t percent) { return below(100) < percent; }
};

#endif
