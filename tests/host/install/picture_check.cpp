// SPDX-License-Identifier: Apache-2.0
//
// A C++ program on the installed library: every public header, the version, a query of the golden model; and it looks
// at the pictures that docs/example/picture.c has written. picture_check VERSION FILE...; exit status 0: all is right.
#include <png.h>
#include <tessera/gpu_spec.h>
#include <tessera/tessera.h>
#include <tessera/tessera_device.h>
#include <tessera/tessera_stream.h>
#include <tessera/transport.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static bool is_right(const char *path)
{
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, path) == 0) return false;
    image.format = PNG_FORMAT_RGBA;
    std::vector<unsigned char> pixels(PNG_IMAGE_SIZE(image));
    if (png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0) return false;
    static const unsigned char colour[4] = {0x33, 0x66, 0xcc, 0xff};
    for (size_t i = 0; i < pixels.size(); i++)
        if (pixels[i] != colour[i % 4]) return false;
    return image.width == 64 && image.height == 48;
}

static bool can_query()
{
    char message[256];
    tessera *gpu = nullptr;
    tessera_options options{};
    uint32_t count = 0, value = 0;
    options.segment2_pages = 512;
    if (tessera_open_device(&gpu, "model", nullptr, &options, message) != TESSERA_OK) return false;
    bool is_good = tessera_query_segments(gpu, nullptr, &count) == TESSERA_OK && count >= 3 &&
                   tessera_transport(gpu)->register_read(tessera_transport(gpu)->context, HOST_ID_OFFSET, &value) ==
                       TRANSPORT_OK &&
                   value == 0x41525354;
    tessera_close(gpu);
    return is_good && tessera_open_device(&gpu, "toaster", nullptr, nullptr, message) == TESSERA_MISUSE &&
           gpu == nullptr && std::strstr(message, "toaster") != nullptr;
}

int main(int argc, char **argv)
{
    int failures = 0;
    auto check = [&failures](bool is_good, const char *what) {
        if (!is_good) std::printf("picture_check: %s\n", what), failures++;
    };
    check(argc > 2 && std::string(tessera_version()) == argv[1], "the version");
    check(can_query(), "a query of the golden model");
    for (int i = 2; i < argc; i++) check(is_right(argv[i]), argv[i]);
    return failures;
}
