/* SPDX-License-Identifier: Apache-2.0
 *
 * See picture_writer.h. The picture is the caller's while the writer is idle, and the thread's while it is not.
 */
#include "virtio/picture_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/picture/image_png.h"
#include "virtio/guest_report.h"

struct picture_writer {
    const char *folder;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool has_picture, is_over;
    uint8_t *picture;
    size_t bytes;
    uint32_t number, width, height;
};

/* latest.png is a link that is renamed, so a reader never finds it missing or half written. */
static void write_picture(const struct picture_writer *writer)
{
    char path[4096], latest[4096], next[4096], message[256];
    snprintf(path, sizeof path, "%.4000s/frame-%0*" PRIu32 ".png", writer->folder, GUEST_REPORT_DIGITS, writer->number);
    snprintf(latest, sizeof latest, "%.4000s/latest.png", writer->folder);
    snprintf(next, sizeof next, "%.4000s/.next.png", writer->folder);
    if (image_png_write_rgb888(path, writer->picture, writer->width, writer->height, message) != 0) {
        fprintf(stderr, "tessera-gpu: %s\n", message);
        return;
    }
    (void)unlink(next);
    if (link(path, next) != 0 || rename(next, latest) != 0)
        fprintf(stderr, "tessera-gpu: cannot link %s: %s. Name a folder on a file system with links.\n", latest,
                strerror(errno));
    (void)unlink(next); /* it stays if both were the same file */
}

static void *run(void *context)
{
    struct picture_writer *writer = context;
    pthread_mutex_lock(&writer->mutex);
    for (;;) {
        while (!writer->has_picture && !writer->is_over) pthread_cond_wait(&writer->changed, &writer->mutex);
        if (!writer->has_picture) break;
        pthread_mutex_unlock(&writer->mutex);
        write_picture(writer);
        pthread_mutex_lock(&writer->mutex);
        writer->has_picture = false;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

/* Signals are for the thread that ends the program. */
static bool begin(struct picture_writer *writer)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int status = pthread_create(&writer->thread, NULL, run, writer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status == 0;
}

struct picture_writer *picture_writer_create(const char *folder)
{
    struct picture_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) return NULL;
    writer->folder = folder;
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->changed, NULL);
    if (begin(writer)) return writer;
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->mutex);
    free(writer);
    return NULL;
}

void picture_writer_destroy(struct picture_writer *writer)
{
    if (writer == NULL) return;
    pthread_mutex_lock(&writer->mutex);
    writer->is_over = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    (void)pthread_join(writer->thread, NULL);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->mutex);
    free(writer->picture);
    free(writer);
}

bool picture_writer_is_idle(struct picture_writer *writer)
{
    pthread_mutex_lock(&writer->mutex);
    const bool is_idle = !writer->has_picture;
    pthread_mutex_unlock(&writer->mutex);
    return is_idle;
}

static bool make_room(struct picture_writer *writer, size_t bytes)
{
    if (bytes <= writer->bytes) return true;
    uint8_t *picture = realloc(writer->picture, bytes);
    if (picture == NULL) return false;
    writer->picture = picture;
    writer->bytes = bytes;
    return true;
}

bool picture_writer_take(struct picture_writer *writer, uint32_t number, const uint8_t *picture, uint32_t width,
                         uint32_t height)
{
    const size_t bytes = (size_t)width * height * 4u;
    pthread_mutex_lock(&writer->mutex);
    while (writer->has_picture) pthread_cond_wait(&writer->changed, &writer->mutex);
    const bool has_room = make_room(writer, bytes);
    if (has_room) {
        memcpy(writer->picture, picture, bytes);
        writer->number = number;
        writer->width = width;
        writer->height = height;
        writer->has_picture = true;
        pthread_cond_broadcast(&writer->changed);
    }
    pthread_mutex_unlock(&writer->mutex);
    return has_room;
}
