/* SPDX-License-Identifier: Apache-2.0
 *
 * See drm_kernel.h. The structures are those of libdrm's copy of the kernel's header; nothing of libdrm is linked.
 */
#include "lib/device/drm_kernel.h"

#include <stdio.h>

#if __has_include(<libdrm/virtgpu_drm.h>)
#include <errno.h>
#include <fcntl.h>
#include <libdrm/virtgpu_drm.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu_spec.h"

enum { BYTES_FORMAT = 64 /* R8_UNORM */ };

struct node {
    int file;
};

static int control(const struct node *node, unsigned long request, void *argument)
{
    int result;
    do result = ioctl(node->file, request, argument);
    while (result < 0 && (errno == EINTR || errno == EAGAIN));
    return result < 0 ? -errno : 0;
}

/* The kernel waits five seconds for the GPU, then it is BUSY: a simulated chip may still show something. */
static int capset(void *context, void *data, uint32_t bytes)
{
    enum { PATIENCE = 60 };
    int result = -EBUSY;
    struct drm_virtgpu_get_caps caps = {
        .cap_set_id = PAYLOAD_IS_CAPSET, .cap_set_ver = PAYLOAD_IS_VERSION, .addr = (uintptr_t)data, .size = bytes};
    for (uint32_t i = 0; i < PATIENCE && result == -EBUSY; i++)
        result = control(context, DRM_IOCTL_VIRTGPU_GET_CAPS, &caps);
    return result;
}

static void destroy(void *context, uint32_t handle)
{
    struct drm_gem_close close_it = {.handle = handle};
    (void)control(context, DRM_IOCTL_GEM_CLOSE, &close_it);
}

static int create(void *context, uint32_t bytes, uint32_t *handle, uint32_t *resource)
{
    struct drm_virtgpu_resource_create made = {
        .format = BYTES_FORMAT, .width = bytes, .height = 1, .depth = 1, .array_size = 1, .size = bytes};
    const int result = control(context, DRM_IOCTL_VIRTGPU_RESOURCE_CREATE, &made);
    *handle = made.bo_handle;
    *resource = made.res_handle;
    return result;
}

static int map(void *context, uint32_t handle, void *at, size_t bytes)
{
    const struct node *node = context;
    struct drm_virtgpu_map where = {.handle = handle};
    const int result = control(node, DRM_IOCTL_VIRTGPU_MAP, &where);
    if (result != 0) return result;
    void *mapped = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, node->file, (off_t)where.offset);
    return mapped == MAP_FAILED ? -errno : 0;
}

static int submit(void *context, const void *payload, uint32_t bytes, const uint32_t *handles, uint32_t count,
                  struct drm_fences *fences)
{
    struct drm_virtgpu_execbuffer buffer = {.size = bytes,
                                            .command = (uintptr_t)payload,
                                            .bo_handles = (uintptr_t)handles,
                                            .num_bo_handles = count,
                                            .fence_fd = fences->in};
    if (fences->in >= 0) buffer.flags |= VIRTGPU_EXECBUF_FENCE_FD_IN;
    if (fences->gives_out) buffer.flags |= VIRTGPU_EXECBUF_FENCE_FD_OUT;
    const int result = control(context, DRM_IOCTL_VIRTGPU_EXECBUFFER, &buffer);
    if (result == 0 && fences->gives_out) fences->out = buffer.fence_fd;
    return result;
}

static int wait_for(void *context, uint32_t handle)
{
    struct drm_virtgpu_3d_wait wait = {.handle = handle};
    return control(context, DRM_IOCTL_VIRTGPU_WAIT, &wait);
}

static void close_node(void *context)
{
    struct node *node = context;
    (void)close(node->file);
    free(node);
}

/* A private request of another driver may mean anything: nothing is asked before the driver has said its name. */
static const char *wrong_node(const struct node *node)
{
    char name[16] = "";
    struct drm_version version = {.name_len = sizeof name - 1u, .name = name};
    uint64_t has_programs = 0;
    struct drm_virtgpu_getparam parameter = {.param = VIRTGPU_PARAM_3D_FEATURES, .value = (uintptr_t)&has_programs};
    if (control(node, DRM_IOCTL_VERSION, &version) != 0 || strcmp(name, "virtio_gpu") != 0)
        return "is not a virtio GPU. Name the render node of the one that tessera-gpu is";
    if (control(node, DRM_IOCTL_VIRTGPU_GETPARAM, &parameter) != 0 || has_programs == 0)
        return "serves no programs: the GPU of this machine only shows. Start the machine with build/tessera-gpu";
    return NULL;
}

int drm_kernel_open(struct drm_kernel *kernel, const char *path, char message[256])
{
    struct node *node = malloc(sizeof *node);
    snprintf(message, 256, "out of memory");
    if (node == NULL) return -1;
    node->file = open(path, O_RDWR | O_CLOEXEC);
    if (node->file < 0) {
        const char *hint = errno == EACCES ? " Is the user in the group that owns it (render)?" : "";
        snprintf(message, 256, "cannot open %.100s: %s.%s", path, strerror(errno), hint);
        free(node);
        return -1;
    }
    const char *wrong = wrong_node(node);
    if (wrong != NULL) {
        snprintf(message, 256, "%.100s %s.", path, wrong);
        close_node(node);
        return -1;
    }
    *kernel = (struct drm_kernel){node, capset, create, map, destroy, submit, wait_for, close_node};
    return 0;
}

#else

int drm_kernel_open(struct drm_kernel *kernel, const char *path, char message[256])
{
    (void)kernel;
    snprintf(message, 256,
             "cannot open %.60s: this program was built without DRM. Install libdrm-dev, then build it again.", path);
    return -1;
}

#endif
