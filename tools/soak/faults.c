/* For LD_PRELOAD: makes calls on the files of one folder fail, write half, or end the process; records them; and moves
 * the wall clock. Orders are in the file $THROWLOCK_SOAK_FAULTS, a `struct orders`; tools/soak/shim.py writes it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum call { WRITE = 1, SYNC = 2, TRUNCATE = 4, UNLINK = 8 };
enum action { NOTHING, FAIL, SHORT, KILL_BEFORE, KILL_HALFWAY, KILL_AFTER, SKIP_SYNC };

struct orders {
    volatile int64_t clock_offset_s, calls_left, faults_left, faults_done;
    int64_t calls, action, error;
    char folder[1024]; /* ends with a slash */
    char record[1024]; /* the file that gets a struct recorded_call for each call, or "" */
};

struct recorded_call {
    int64_t call, offset, size, path_size; /* the path follows, and what was written */
};

#define REAL(result, name, ...) ((result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

static struct orders *orders;

__attribute__((constructor)) static void open_orders(void) {
    const char *name = getenv("THROWLOCK_SOAK_FAULTS");
    int handle = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
    if (handle < 0) return;
    void *memory = mmap(NULL, sizeof(struct orders), PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
    close(handle);
    if (memory != MAP_FAILED) orders = memory;
}

static int is_in_folder(const char *path) {
    return orders->folder[0] && strncmp(path, orders->folder, strlen(orders->folder)) == 0;
}

/* Whether `handle` is a file in the folder; `path` gets its name. */
static int find_path(int handle, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, size - 2);
    if (length < 0) return 0;
    path[length] = 0;
    if (strlen(orders->folder) == (size_t)length + 1) strcat(path, "/"); /* perhaps the folder itself */
    return is_in_folder(path);
}

static int64_t next_action(enum call call, int handle) {
    char path[4096];
    if (!orders || !orders->faults_left || !(orders->calls & call) || !find_path(handle, path, sizeof path))
        return NOTHING;
    if (orders->calls_left > 0) {
        orders->calls_left--;
        return NOTHING;
    }
    orders->faults_left--;
    orders->faults_done++;
    return orders->action;
}

static void record(enum call call, const char *path, int64_t offset, const void *data, int64_t size) {
    ssize_t (*real_write)(int, const void *, size_t) = REAL(ssize_t, "write", int, const void *, size_t);
    struct recorded_call head = {call, offset, size, (int64_t)strlen(path)};
    int handle = open(orders->record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    real_write(handle, &head, sizeof head);
    real_write(handle, path, strlen(path));
    if (data) real_write(handle, data, size);
    close(handle);
}

static void record_handle(enum call call, int handle, int64_t offset, const void *data, int64_t size) {
    char path[4096];
    int error = errno;
    if (orders && orders->record[0] && find_path(handle, path, sizeof path)) record(call, path, offset, data, size);
    errno = error;
}

__attribute__((noreturn)) static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Write at `offset`, or at the file's own position if that is negative. */
static ssize_t write_and_record(int handle, const void *data, size_t size, off64_t offset) {
    ssize_t written = offset < 0
        ? REAL(ssize_t, "write", int, const void *, size_t)(handle, data, size)
        : REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t)(handle, data, size, offset);
    if (written >= 0) record_handle(WRITE, handle, offset, data, written);
    return written;
}

static ssize_t write_with_faults(int handle, const void *data, size_t size, off64_t offset) {
    int64_t action = next_action(WRITE, handle);
    if (action == NOTHING) return write_and_record(handle, data, size, offset);
    if (action == KILL_HALFWAY) write_and_record(handle, data, size / 2, offset);
    if (action == KILL_AFTER) write_and_record(handle, data, size, offset);
    if (action >= KILL_BEFORE) die();
    if (action == SHORT && size > 1) return write_and_record(handle, data, size / 2, offset);
    errno = (int)orders->error;
    return -1;
}

ssize_t write(int handle, const void *data, size_t size) { return write_with_faults(handle, data, size, -1); }
ssize_t pwrite(int handle, const void *data, size_t size, off_t offset) {
    return write_with_faults(handle, data, size, offset);
}
ssize_t pwrite64(int handle, const void *data, size_t size, off64_t offset) {
    return write_with_faults(handle, data, size, offset);
}

/* Whether a call that has no halves is to fail; ends the process if that was ordered. */
static int fails(int64_t action) {
    if (action == KILL_BEFORE || action == KILL_HALFWAY) die();
    if (action == FAIL || action == SHORT) errno = (int)orders->error;
    return action == FAIL || action == SHORT;
}

static int sync_with_faults(const char *name, int handle) {
    int64_t action = next_action(SYNC, handle);
    if (fails(action)) return -1;
    int result = action == SKIP_SYNC ? 0 : REAL(int, name, int)(handle);
    if (result == 0) record_handle(SYNC, handle, 0, NULL, 0);
    if (action == KILL_AFTER) die();
    return result;
}

int fsync(int handle) { return sync_with_faults("fsync", handle); }
int fdatasync(int handle) { return sync_with_faults("fdatasync", handle); }

static int truncate_with_faults(int handle, off64_t size) {
    int64_t action = next_action(TRUNCATE, handle);
    if (fails(action)) return -1;
    int result = REAL(int, "ftruncate64", int, off64_t)(handle, size);
    if (result == 0) record_handle(TRUNCATE, handle, 0, NULL, size);
    if (action == KILL_AFTER) die();
    return result;
}

int ftruncate(int handle, off_t size) { return truncate_with_faults(handle, size); }
int ftruncate64(int handle, off64_t size) { return truncate_with_faults(handle, size); }

int unlink(const char *path) {
    int result = REAL(int, "unlink", const char *)(path);
    int error = errno;
    if (result == 0 && orders && orders->record[0] && is_in_folder(path)) record(UNLINK, path, 0, NULL, 0);
    errno = error;
    return result;
}

static int64_t clock_offset_s(void) { return orders ? orders->clock_offset_s : 0; }

int clock_gettime(clockid_t clock, struct timespec *result) {
    int status = REAL(int, "clock_gettime", clockid_t, struct timespec *)(clock, result);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) result->tv_sec += clock_offset_s();
    return status;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    int status = REAL(int, "gettimeofday", struct timeval *, void *)(result, zone);
    if (status == 0) result->tv_sec += clock_offset_s();
    return status;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
