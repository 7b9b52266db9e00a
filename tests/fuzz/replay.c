/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the inputs that fuzzing has found, and as many invented ones as are wished, break no promise.
 * Method: replay [--random N] [--seed N] [--write FOLDER] PATH...: every file of each folder or path, then N random
 * inputs, run one after the other by fuzz_one() (worlds, or the host's files). The first that breaks a promise aborts
 * with its name. With --write the random inputs are written there instead, for a fuzzer to begin with.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

enum { INPUT_MAX = 8192, PATH_MAX_BYTES = 512 };

static uint8_t input[INPUT_MAX];
static unsigned passed;
static char current[PATH_MAX_BYTES + 32];

/* An assertion of the firmware's does not know which input it met. */
static void on_abort(int number)
{
    if (write(STDERR_FILENO, current, strlen(current)) < 0) _exit(2);
    signal(number, SIG_DFL);
    raise(number);
}

static void run(const char *name, size_t count)
{
    snprintf(current, sizeof current, "the input was: %s\n", name);
    fuzz_name(name);
    fuzz_one(input, count);
    passed++;
}

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    const size_t count = fread(input, 1, sizeof input, file);
    fclose(file);
    run(path, count);
}

static void run_path(const char *path)
{
    struct dirent **entry;
    int count = scandir(path, &entry, NULL, alphasort);
    if (count < 0) {
        run_file(path);
        return;
    }
    for (int i = 0; i < count; i++) {
        char name[PATH_MAX_BYTES];
        snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.') run_file(name);
        free(entry[i]);
    }
    free(entry);
}

static uint32_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15ull; /* splitmix64 */
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)(z >> 32);
}

static void write_file(const char *folder, uint64_t seed, size_t count)
{
    char path[PATH_MAX_BYTES];
    snprintf(path, sizeof path, "%s/invented-%llu", folder, (unsigned long long)seed);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(input, 1, count, file) != count || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(2);
    }
    passed++;
}

static void run_random(uint64_t seed, const char *folder)
{
    char name[64];
    uint64_t state = seed * 0x100000001b3ull;
    const size_t count = fuzz_invent(input, sizeof input, next_random(&state));
    if (folder != NULL) {
        write_file(folder, seed, count);
        return;
    }
    snprintf(name, sizeof name, "--random 1 --seed %llu", (unsigned long long)seed);
    run(name, count);
}

int main(int count, char **arguments)
{
    unsigned long random = 0, seed = 1;
    const char *folder = NULL;
    signal(SIGABRT, on_abort);
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--random") == 0 && i + 1 < count) random = strtoul(arguments[++i], NULL, 0);
        else if (strcmp(arguments[i], "--seed") == 0 && i + 1 < count) seed = strtoul(arguments[++i], NULL, 0);
        else if (strcmp(arguments[i], "--write") == 0 && i + 1 < count) folder = arguments[++i];
        else run_path(arguments[i]);
    }
    for (unsigned long i = 0; i < random; i++) run_random(seed + i, folder);
    printf("%u passed, 0 failed\n", passed);
    return passed == 0;
}
