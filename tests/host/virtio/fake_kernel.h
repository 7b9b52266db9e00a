/* SPDX-License-Identifier: Apache-2.0
 *
 * A virtual machine's kernel and its programs, for tests of what serves them: each program has a context, its resources
 * have pages of the machine's memory that do not lie side by side, and what it submits becomes commands of the virtio
 * GPU. Under it are the real device (host/virtio) and the golden model.
 */
#ifndef TESTS_VIRTIO_FAKE_KERNEL_H
#define TESTS_VIRTIO_FAKE_KERNEL_H

#include "lib/device/transport_drm.h"
#include "fake.h"
#include "tessera.h"
#include "virtio/submitter.h"

enum { KERNEL_PROGRAMS = 70, KERNEL_HANDLES = 500, KERNEL_LATE = 2048, KERNEL_LOCAL = 1 << 20 };

struct fake_program {
    uint32_t context;                  /* its id; 0: there is none such */
    uint32_t resource[KERNEL_HANDLES]; /* by handle - 1; 0: none */
};

struct fake_machine {
    struct tessera *tessera; /* the back end's */
    struct device *device;
    struct submitter *submitter;
    struct virtio_gpu gpu;
    struct virtio_queue queue;
    uint8_t *memory;    /* the GPU's system memory */
    bool is_late;       /* payloads wait until a program does */
    uint32_t fences_in; /* payloads that came with one */
    uint32_t errors;    /* of the protocol, each of which would be a line of the kernel's log */
    uint32_t refuses;   /* the next so many resources are refused by the kernel, ENOMEM */
    struct fake_program program[KERNEL_PROGRAMS];
};

extern struct fake_machine machine;

/* What is under it is empty. */
void fake_machine_begin(void);
/* Every program ends, and the back end goes. */
void fake_machine_end(void);
/* A program's file, and its kernel. NULL context: too many. */
struct drm_kernel fake_kernel_open(void);
/* The same file by its program. */
struct drm_kernel fake_kernel_of(uint32_t program);
/* The next program that fake_kernel_open would begin. */
uint32_t fake_kernel_next(void);
/* Everything late is done. */
void fake_kernel_flush(void);
/* A command of the kernel's for a context: the answer. */
uint32_t fake_kernel_command(uint32_t type, uint32_t context, uint32_t which);
/* Payload words for a program's context: the answer's type. */
uint32_t fake_kernel_submit(uint32_t context, const void *payload, uint32_t bytes);
/* A page of a resource, where the machine has it. */
uint8_t *fake_kernel_page(uint32_t resource, uint32_t page);
/* The resource also belongs to this program, as a descriptor passed to it does: its handle there. */
uint32_t fake_kernel_pass(uint32_t resource, uint32_t program);

#endif
