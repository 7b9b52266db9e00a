/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the worlds of the golden model break no promise on the simulated chip either, with the shipped firmware.
 * Method: world_chip [--random N] [--seed N] FILE...: each world is booted again on the same chip; what only the model
 * has (reads spoiled between two words, nodes that hang) is left out, stalls of the memories are added.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "simulator.h"
#include "tessera.h"
#include "world.h"

enum { INPUT_MAX = 8192, MEMORY_BYTES = 3 << 20 };

static struct fuzz_world world;
static struct transport chip;
static uint8_t input[INPUT_MAX];

/* Declared by world_model.h, used by the target: here a world runs on the chip. */
void world_model_run(const uint8_t *bytes, size_t count);
void world_model_run(const uint8_t *bytes, size_t count)
{
    struct world_boot boot = world_read_header(bytes, count);
    memset(&world, 0, sizeof world);
    boot.spoils_register = false;
    world.client.transport = chip;
    world.client.transport.memory_bytes = MEMORY_BYTES;
    (void)world_run(&world, &boot, bytes, count);
}

static void stay_open(void *context) { (void)context; }

/* The firmware is loaded by the library. */
static void open_chip(void)
{
    const struct simulator_options options = {
        .memory_bytes = 8u << 20, .stall_percent = 10, .seed = 7, .firmware_elf = "build/firmware/gpu.elf"};
    const struct tessera_options loading = {.firmware = "build/firmware/gpu.elf"};
    struct tessera *tessera;
    char message[256];
    struct simulator *simulator = simulator_create(&options, message);
    if (simulator == NULL) world_die(message, 0);
    simulator_transport(simulator, &chip);
    struct transport loader = chip;
    loader.close = stay_open;
    if (tessera_open(&tessera, &loader, &loading, message) != TESSERA_OK) world_die(message, 0);
    tessera_close(tessera);
}

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) world_die(path, 0);
    const size_t count = fread(input, 1, sizeof input, file);
    fclose(file);
    fuzz_name(path);
    fuzz_one(input, count);
}

int main(int count, char **arguments)
{
    unsigned long random = 0, seed = 1;
    unsigned passed = 0;
    char name[64];
    open_chip();
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--random") == 0 && i + 1 < count) random = strtoul(arguments[++i], NULL, 0);
        else if (strcmp(arguments[i], "--seed") == 0 && i + 1 < count) seed = strtoul(arguments[++i], NULL, 0);
        else run_file(arguments[i]), passed++;
    }
    for (unsigned long i = 0; i < random; i++, passed++) {
        snprintf(name, sizeof name, "--random 1 --seed %lu", seed + i);
        fuzz_name(name);
        fuzz_one(input, fuzz_invent(input, sizeof input, (uint32_t)((seed + i) * 2654435761u)));
    }
    chip.close(chip.context);
    printf("%u passed, 0 failed\n", passed);
    return passed == 0u;
}
