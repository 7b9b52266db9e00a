/* SPDX-License-Identifier: Apache-2.0
 *
 * Goal: the gdb server (host/lib/gdb/gdb.c) answers every packet as the remote protocol says, and whatever a client
 * sends besides with a refusal, changing nothing and living on. Method: a child process runs the chip behind the
 * server; this process is the client, over TCP, with raw bytes.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/gdb/gdb.h"
#include "gpu_spec.h"
#include "rig.h"

enum { ANSWER = 8192, PATIENCE_MS = 5000 };

static struct rig checks; /* counts only */
static int connection = -1;
static uint16_t server_port;
static pid_t server;
static const char *server_ends; /* with this error; NULL: whichever */
static bool acknowledges = true;

/* ------------------------------------------------------------------ the server */

static void on_signal(int number) { (void)number; }

static void serve(int argc, char **argv, int report)
{
    struct rig rig;
    char message[256];
    const struct sigaction action = {.sa_handler = on_signal};
    alarm(90);
    (void)sigaction(SIGUSR1, &action, NULL);
    rig_open(&rig, argc, argv, "build/core/debug/directed.elf", 0);
    rig_load(&rig, "build/core/debug/directed.bin");
    const struct gdb *gdb = gdb_open(&rig.transport, 0, message);
    uint16_t port = gdb != NULL ? gdb_port(gdb) : 0;
    if (write(report, &port, sizeof port) != sizeof port || gdb == NULL) exit(3);
    rig_write(&rig, HOST_CONTROL_OFFSET, 1);
    int result = TRANSPORT_OK;
    while (result == TRANSPORT_OK) result = rig.transport.wait(rig.transport.context, 10000);
    const bool is_told = server_ends == NULL || strcmp(rig.transport.error, server_ends) == 0;
    rig.transport.close(rig.transport.context);
    exit(result != TRANSPORT_DEAD ? 4 : is_told ? 0 : 5);
}

/* ------------------------------------------------------------------ the client */

static int dial(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(server_port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int yes = 1, client = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(client, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("connect");
        exit(1);
    }
    return client;
}

static void raw(const char *bytes, size_t count)
{
    if (send(connection, bytes, count, MSG_NOSIGNAL) != (ssize_t)count) rig_check(&checks, false, "the server is gone");
}

/* One byte, or -1: nothing came in time, or the connection is closed. */
static int next_byte(int patience)
{
    unsigned char byte;
    struct pollfd port = {connection, POLLIN, 0};
    if (poll(&port, 1, patience) != 1 || recv(connection, &byte, 1, 0) != 1) return -1;
    return byte;
}

/* The text of the next frame; false when none comes. */
static bool answer(char text[ANSWER])
{
    size_t length = 0;
    int byte;
    do byte = next_byte(PATIENCE_MS);
    while (byte == '+');
    if (byte != '$') return false;
    while ((byte = next_byte(PATIENCE_MS)) != '#' && byte >= 0 && length < ANSWER - 1) text[length++] = (char)byte;
    text[length] = 0;
    uint8_t sum = 0;
    for (size_t i = 0; i < length; i++) sum = (uint8_t)(sum + (uint8_t)text[i]);
    char sent[3] = {(char)next_byte(PATIENCE_MS), (char)next_byte(PATIENCE_MS), 0}, right[3];
    snprintf(right, sizeof right, "%02x", sum);
    if (acknowledges) raw("+", 1);
    return strcmp(sent, right) == 0;
}

static size_t frame(char *target, const char *packet, size_t length)
{
    uint8_t sum = 0;
    target[0] = '$';
    memcpy(target + 1, packet, length);
    for (size_t i = 0; i < length; i++) sum = (uint8_t)(sum + (uint8_t)packet[i]);
    return length + 1 + (size_t)sprintf(target + 1 + length, "#%02x", sum);
}

static void post(const char *packet)
{
    char text[ANSWER];
    raw(text, frame(text, packet, strlen(packet)));
}

static const char *ask(const char *packet)
{
    static char text[ANSWER];
    post(packet);
    if (!answer(text)) strcpy(text, "(nothing)");
    return text;
}

static void expect(const char *packet, const char *expected)
{
    const char *text = ask(packet);
    rig_check(&checks, strcmp(text, expected) == 0, "'%s' is answered '%s', not '%s'", packet, text, expected);
}

/* ------------------------------------------------------------------ frames */

static void test_frames(void)
{
    char text[ANSWER], frame_text[ANSWER];
    raw("garbage+-", 9);
    expect("?", "T02");
    raw("$?#00", 5);
    rig_check(&checks, next_byte(PATIENCE_MS) == '-', "a wrong checksum is accepted");
    raw("$?#zz", 5);
    rig_check(&checks, next_byte(PATIENCE_MS) == '-', "a checksum of no digits is accepted");
    raw("$?}#bc", 6);
    rig_check(&checks, next_byte(PATIENCE_MS) == '+' && answer(text), "an escape of nothing is no byte of its packet");
    for (const char *byte = "$?#3f"; *byte; byte++) raw(byte, 1), usleep(2000); /* in pieces */
    rig_check(&checks, answer(text) && strcmp(text, "T02") == 0, "a packet in pieces");
    memset(text, 'm', sizeof text);
    raw("$", 1), raw(text, 5000);
    raw("#00", 3);
    rig_check(&checks, next_byte(PATIENCE_MS) == '-', "a packet that is too long is accepted");
    expect("?", "T02");
    size_t length = frame(frame_text, "?", 1), twice = length + frame(frame_text + length, "qC", 2);
    raw(frame_text, twice); /* two in one piece */
    rig_check(&checks, answer(text) && strcmp(text, "T02") == 0 && answer(text) && strcmp(text, "QC1") == 0,
              "two packets at once");
    int second = dial();
    struct pollfd port = {second, POLLIN, 0};
    char byte;
    rig_check(&checks, poll(&port, 1, PATIENCE_MS) == 1 && recv(second, &byte, 1, 0) == 0, "a second client is let in");
    close(second);
    expect("", "");
    expect("!", "");
    expect("vMustReplyEmpty", "");
    expect("qXfer:features:read:other.xml:0,100", "E00");
}

/* ------------------------------------------------------------------ packets */

static void test_registers(void)
{
    rig_check(&checks, strlen(ask("g")) == 33 * 8, "g: %zu digits", strlen(ask("g")));
    expect("p20", "00000000");
    expect("P1=78563412", "OK");
    expect("p1", "78563412");
    expect("P1=89ABCDEF", "OK"); /* either case */
    expect("p1", "89abcdef");
    expect("P1=78563412", "OK");
    expect("P0=ffffffff", "OK");
    expect("p0", "00000000");
    expect("p342", "04110040");    /* misa = 0x301 */
    expect("P381=11223344", "OK"); /* mscratch */
    expect("p381", "11223344");
    char all[8 * 33 + 2] = "G";
    for (unsigned i = 0; i < 33; i++) sprintf(all + 1 + 8 * i, "%02x000000", i == 32 ? 0 : i * 3);
    expect(all, "OK");
    rig_check(&checks, strcmp(ask("g"), all + 1) == 0, "G, then g");
    static const char *const bad[] = {"p",           "p21",          "pxyz", "p1 ",  "p40",          "p1041",
                                      "pffffffffff", "P1",           "P1=",  "P1=0", "P1=000000000", "P1=0000000g",
                                      "P=00000000",  "P21=00000000", "G00",  "G",    "P1:78563412"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect(bad[i], "E16");
    expect("p801", "E0e");          /* CSR 0x7c0 */
    expect("Pf52=00000000", "E0e"); /* mvendorid */
    rig_check(&checks, strcmp(ask("g"), all + 1) == 0, "refused packets changed a register");
}

static void test_memory(void)
{
    char text[ANSWER];
    expect("M8000,8:0102030405060708", "OK");
    expect("m8000,8", "0102030405060708");
    expect("m8001,5", "0203040506");
    expect("M8003,1:ff", "OK");
    expect("m8000,8", "010203ff05060708");
    expect("m8000,0", "");
    raw(text, frame(text, "X8000,4:}\x03}\x04}]!", 15)); /* the bytes 23 24 7d 21 */
    rig_check(&checks, answer(text) && strcmp(text, "OK") == 0, "X: '%s'", text);
    expect("m8000,4", "23247d21");
    expect("X8000,0:", "OK");
    expect("m50000100,4", ask("m50000100,4"));
    expect("m40000000,4", "54535241");
    static const char *const bad[] = {"m",
                                      "m,",
                                      "m8000",
                                      "m8000,",
                                      "m8000,4x",
                                      "m8000;4",
                                      "M8000;1:00",
                                      "M8000,1;00",
                                      "mxyz,4",
                                      "M",
                                      "M8000,4",
                                      "M8000,4:",
                                      "M8000,4:00",
                                      "M8000,4:0000000g",
                                      "M8000,1:0000",
                                      "M8000,ffffffff:00",
                                      "X8000,4:abc",
                                      "X8000,ffff:abc",
                                      "X,4:abcd"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect(bad[i], "E16");
    expect("m60000000,4", "E0e");
    expect("M60000000,4:00000000", "E0e");
    expect("M40000068,1:00", "E0e"); /* a byte of a register */
    expect("m800fffff,1", ask("m800fffff,1"));
    expect("m80100000,1", "E0e"); /* past system memory */
    expect("m8000,4", "23247d21");
}

/* What one packet holds of memory, which is what gdb asks for at once when an object is larger: all of it comes. */
static void test_large_reads(void)
{
    char packet[64], whole[ANSWER];
    const char *text = ask("qSupported");
    unsigned room = 0;
    rig_check(&checks, sscanf(text, "PacketSize=%x", &room) == 1 && room >= 1024 && room < ANSWER, "'%s'", text);
    for (unsigned at = 0; at < room / 2; at += 64) {
        int length = snprintf(packet, sizeof packet, "M%x,40:", 0x8000 + at);
        char *end = whole + sprintf(whole, "%.*s", length, packet);
        for (unsigned i = 0; i < 64; i++) end += sprintf(end, "%02x", (at / 64 + i * 7) & 255u);
        expect(whole, "OK");
    }
    snprintf(packet, sizeof packet, "m8000,%x", room / 2);
    snprintf(whole, sizeof whole, "%s", ask(packet));
    rig_check(&checks, strlen(whole) == room, "a read of %u bytes is answered with %zu digits", room / 2,
              strlen(whole));
    for (unsigned i = 0, byte; i < room / 2 && 2 * i < strlen(whole); i++)
        if (sscanf(whole + 2 * i, "%2x", &byte) != 1 || byte != ((i / 64 + i % 64 * 7) & 255u)) {
            rig_check(&checks, false, "byte %u of a large read", i);
            break;
        }
    snprintf(packet, sizeof packet, "m8000,%x", room);
    rig_check(&checks, strcmp(ask(packet), whole) == 0, "a read of more than a packet holds: the first part of it");
    rig_check(&checks, strcmp(ask("m8000,ffffffff"), whole) == 0, "a read of everything: the first part of it");
    expect("M8000,4:23247d21", "OK");
}

static void test_breakpoints(void)
{
    expect("Z1,104,4", "OK");
    expect("Z1,106,2", "OK");
    expect("Z1,108,4", "OK");
    expect("Z1,110,4", "OK");
    expect("Z1,118,4", "E1c");
    expect("z1,110,4", "OK");
    expect("z1,110,4", "OK");
    expect("z1,108,4", "OK");
    expect("Z0,104,4", ""); /* gdb writes ebreak itself */
    expect("Z5,104,4", "");
    expect("Z2,8000,4", "OK");
    expect("Z2,8004,8", "E1c");
    expect("z2,8000,4", "OK");
    expect("Z1,104,4;X1,0", "");
    static const char *const bad[] = {"Z",        "Z1",      "Z1,",      "Z1,104",  "Z1,104,",
                                      "Zx,104,4", "z1,zz,4", "Z1;104,4", "Z1,104;4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect(bad[i], "E16");
}

static void test_running(void)
{
    char text[ANSWER];
    expect("vCont?", "vCont;c;C;s;S");
    expect("P20=00010000", "OK"); /* pc := 0x100 */
    expect("vCont;c:1", "T05");
    expect("p20", "04010000");
    expect("z1,104,4", "OK");
    expect("s", "T05");
    expect("p20", "06010000");
    expect("c", "T05"); /* the breakpoint at 0x106, before anything is executed */
    expect("z1,106,2", "OK");
    expect("P5=00800000", "OK");
    expect("Z2,8000,4", "OK");
    expect("c160", "T05watch:00008000;");
    expect("p20", "68010000");
    expect("z2,8000,4", "OK");
    expect("Z3,8008,4", "OK");
    expect("c", "T05rwatch:00008008;");
    expect("z3,8008,4", "OK");
    expect("Z4,800c,2", "OK");
    expect("c", "T05awatch:0000800c;");
    expect("z4,800c,2", "OK");
    expect("cxyz", "E16");
    expect("s140q", "E16");
    expect("c140", "T05"); /* ebreak */
    expect("p20", "44010000");
    post("c160");
    usleep(100000);
    expect("g", ""); /* no say while it runs */
    raw("\3", 1);
    rig_check(&checks, answer(text) && strcmp(text, "T02") == 0, "an interrupt: '%s'", text);
}

static void test_description(void)
{
    static char whole[ANSWER];
    char packet[64];
    size_t length = 0;
    const char *piece;
    do {
        snprintf(packet, sizeof packet, "qXfer:features:read:target.xml:%zx,40", length);
        piece = ask(packet);
        length += (size_t)snprintf(whole + length, sizeof whole - length, "%s", piece + (piece[0] != 0));
    } while (piece[0] == 'm' && length < sizeof whole - 100);
    rig_check(&checks, piece[0] == 'l' && length > 100 && strcmp(whole + length - 9, "</target>") == 0,
              "the description ends in '%s'", piece);
    unsigned registers = 0;
    for (const char *at = whole; (at = strstr(at, "<reg ")) != NULL; at++) registers++;
    rig_check(&checks, registers == 33 + 16, "the description has %u registers", registers);
    uint32_t sum = 5381; /* of the text that gdb has been tried with */
    for (size_t i = 0; i < length; i++) sum = sum * 33u + (uint8_t)whole[i];
    rig_check(&checks, sum == 0x6f427398u, "the description has another text: sum %08x", sum);
    expect("qXfer:features:read:target.xml:9999,40", "E16");
    expect("qXfer:features:read:target.xml:0", "E16");
    expect("qXfer:features:read:target.xml:0;40", "E16");
}

/* What gdb asks to know what is here. */
static void test_queries(void)
{
    static const char *const answers[][2] = {
        {"qAttached", "1"},     {"qAttached:1", "1"},     {"qC", "QC1"}, {"qC1", ""},  {"qfThreadInfo", "m1"},
        {"qsThreadInfo", "l"},  {"qSymbol::", "OK"},      {"Hg0", "OK"}, {"T1", "OK"}, {"vCont;t", ""},
        {"QStartNoAckMod", ""}, {"qXfer:memory:r", ""},   {"v", ""},     {"H", "OK"},  {"QNonStop:1", ""},
        {"qTStatus", ""},       {"QStartNoAckModes", ""}, {"b", ""}};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) expect(answers[i][0], answers[i][1]);
    rig_check(&checks, strstr(ask("qSupported:x"), ";QStartNoAckMode+;qXfer:features:read+;vContSupported+") != NULL,
              "what it says it can");
}

/* Any packet gets one answer that is a frame; the registers stay. */
static void test_anything(void)
{
    static const char letters[] = "gpPmMXZzHTqvF0123456789abcdef,:;=#%$}*\3 \177";
    char packet[64], text[ANSWER], before[ANSWER];
    unsigned answered = 0;
    srand(1);
    snprintf(before, sizeof before, "%s", ask("p20"));
    for (unsigned i = 0; i < 400; i++) {
        size_t length = (size_t)(rand() % 20);
        for (size_t n = 0; n < length; n++) packet[n] = letters[(size_t)rand() % (sizeof letters - 1)];
        for (size_t n = 0; n < length; n++)
            if (strchr("$#}\3", packet[n]) != NULL) packet[n] = 'x';
        if (length > 0 && strchr("PMX", packet[0]) != NULL) packet[0] = 'w'; /* may be right by chance */
        packet[length] = 0;
        raw(text, frame(text, packet, length));
        answered += answer(text);
    }
    rig_check(&checks, answered == 400, "%u of 400 random packets are answered", answered);
    rig_check(&checks, strcmp(ask("p20"), before) == 0, "random packets moved the pc");
}

static void test_sessions(void)
{
    char text[ANSWER];
    post("QStartNoAckMode");
    rig_check(&checks, answer(text) && strcmp(text, "OK") == 0, "QStartNoAckMode");
    acknowledges = false;
    post("?");
    rig_check(&checks, next_byte(PATIENCE_MS) == '$', "an acknowledgement after QStartNoAckMode");
    while (next_byte(200) >= 0) {}
    expect("D", "OK");
    rig_check(&checks, next_byte(PATIENCE_MS) == -1, "the connection is kept after a detach");
    close(connection);
    connection = dial(); /* stops the running core */
    acknowledges = true;
    expect("?", "T02");
    close(connection); /* without a word: the core stays stopped */
    connection = dial();
    expect("?", "T02");
    post("k");
}

/* vKill is answered before all ends. */
static void test_kill(void)
{
    expect("?", "T02");
    expect("vKill;1", "OK");
}

static void test_all(void)
{
    test_frames();
    test_registers();
    test_memory();
    test_large_reads();
    test_breakpoints();
    test_running();
    test_description();
    test_queries();
    test_anything();
    test_sessions();
}

/* With a server of its own, which it ends. */
/* A signal while the core is stopped, and nothing but gdb would end that: the wait does. */
static void test_interrupt(void)
{
    siginfo_t ended = {0};
    const struct timespec while_it_waits = {0, 20000000};
    expect("?", "T02");
    for (unsigned tries = 0; tries < 500 && ended.si_pid == 0; tries++) {
        (void)kill(server, SIGUSR1);
        (void)nanosleep(&while_it_waits, NULL);
        (void)waitid(P_PID, (id_t)server, &ended, WEXITED | WNOHANG | WNOWAIT);
    }
    rig_check(&checks, ended.si_pid == server, "a signal ends the wait for gdb");
    if (ended.si_pid == 0) (void)kill(server, SIGKILL);
}

static void with_server(int argc, char **argv, void (*test)(void))
{
    int report[2], status = 0;
    if (pipe(report) != 0) exit(2);
    fflush(stdout);
    pid_t child = server = fork();
    if (child == 0) serve(argc, argv, report[1]);
    close(report[1]);
    if (read(report[0], &server_port, sizeof server_port) != sizeof server_port || server_port == 0) exit(2);
    close(report[0]);
    connection = dial();
    test();
    rig_check(&checks, waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0,
              "the server ends with status 0x%x", (unsigned)status);
    close(connection);
}

int main(int argc, char **argv)
{
    alarm(90); /* whatever hangs, this test ends */
    with_server(argc, argv, test_all);
    with_server(argc, argv, test_kill);
    server_ends = "interrupted";
    with_server(argc, argv, test_interrupt);
    printf("%u passed, %u failed\n", checks.passed, checks.failed);
    return checks.failed != 0;
}
