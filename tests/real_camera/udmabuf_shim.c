/* LD_PRELOAD library that lets libcamera's virtual camera run on any kernel and at a real camera's pace.
 *
 * DMA buffers: the kernel may have neither /dev/udmabuf nor /dev/dma_heap, so each "DMA buffer" is a memfd, which can
 * be mapped and duplicated in the same way.
 *
 * Pace: the virtual camera makes frames as fast as the processor can. It calls libyuv once per frame, ARGBToNV12 for its
 * test pattern and NV12Copy for an image from a file; both wait here.
 *   VIRTUAL_CAMERA_FPS           frames per second
 *   VIRTUAL_CAMERA_STALL_FILE    while this file exists, libcamera's thread stands still */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct udmabuf_create { uint32_t memfd, flags; uint64_t offset, size; };
struct dma_heap_allocation { uint64_t len; uint32_t fd, fd_flags; uint64_t heap_flags; };
#define UDMABUF_CREATE _IOW('u', 0x42, struct udmabuf_create)
#define DMA_HEAP_IOCTL_ALLOC _IOWR('H', 0, struct dma_heap_allocation)
#define DMA_BUF_IOCTL_SYNC _IOW('b', 0, uint64_t)
#define DMA_BUF_SET_NAME _IOW('b', 1, const char *)

static int is_buffer_provider(const char *path)
{
	return path && (!strcmp(path, "/dev/udmabuf") || !strncmp(path, "/dev/dma_heap/", 14));
}

#define OPEN(name) \
	int name(const char *path, int flags, ...) \
	{ \
		static int (*next)(const char *, int, ...); \
		if (is_buffer_provider(path)) return memfd_create("dma-provider", MFD_CLOEXEC); \
		if (!next) next = dlsym(RTLD_NEXT, #name); \
		va_list arguments; va_start(arguments, flags); int mode = va_arg(arguments, int); va_end(arguments); \
		return next(path, flags, mode); \
	}
#define OPENAT(name) \
	int name(int dir, const char *path, int flags, ...) \
	{ \
		static int (*next)(int, const char *, int, ...); \
		if (is_buffer_provider(path)) return memfd_create("dma-provider", MFD_CLOEXEC); \
		if (!next) next = dlsym(RTLD_NEXT, #name); \
		va_list arguments; va_start(arguments, flags); int mode = va_arg(arguments, int); va_end(arguments); \
		return next(dir, path, flags, mode); \
	}
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int, unsigned long, ...);
	va_list arguments; va_start(arguments, request); void *argument = va_arg(arguments, void *); va_end(arguments);
	switch ((uint32_t)request) {
	case UDMABUF_CREATE:
		return fcntl(((struct udmabuf_create *)argument)->memfd, F_DUPFD_CLOEXEC, 0);
	case DMA_HEAP_IOCTL_ALLOC: {
		struct dma_heap_allocation *allocation = argument;
		int buffer = memfd_create("dma-buffer", MFD_CLOEXEC);
		if (buffer < 0 || ftruncate(buffer, allocation->len)) return -1;
		allocation->fd = buffer;
		return 0;
	}
	case DMA_BUF_IOCTL_SYNC:
	case (uint32_t)DMA_BUF_SET_NAME:
		return 0;
	}
	if (!next) next = dlsym(RTLD_NEXT, "ioctl");
	return next(fd, request, argument);
}

/* Wait until the next frame is due. Only libcamera's own thread calls this, so it needs no lock. */
static void wait_for_next_frame(void)
{
	static int64_t next_ns;
	const char *stall = getenv("VIRTUAL_CAMERA_STALL_FILE"), *fps = getenv("VIRTUAL_CAMERA_FPS");
	while (stall && !access(stall, F_OK)) usleep(1000);
	if (!fps) return;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t now_ns = now.tv_sec * 1000000000LL + now.tv_nsec, wait_ns = next_ns - now_ns;
	if (wait_ns > 0) usleep(wait_ns / 1000);
	next_ns = (wait_ns > -20000000 ? next_ns : now_ns) + (int64_t)(1e9 / atof(fps));
}

/* Python loads libcamera, and with it libyuv, where RTLD_NEXT does not look. */
static void *find_in_libyuv(const char *name)
{
	return dlsym(dlopen("libyuv.so.0", RTLD_NOW), name);
}

int ARGBToNV12(const uint8_t *argb, int stride, uint8_t *y, int stride_y, uint8_t *uv, int stride_uv, int width,
	       int height)
{
	static int (*next)(const uint8_t *, int, uint8_t *, int, uint8_t *, int, int, int);
	if (!next) next = find_in_libyuv("ARGBToNV12");
	wait_for_next_frame();
	return next(argb, stride, y, stride_y, uv, stride_uv, width, height);
}

int NV12Copy(const uint8_t *y, int stride_y, const uint8_t *uv, int stride_uv, uint8_t *to_y, int to_stride_y,
	     uint8_t *to_uv, int to_stride_uv, int width, int height)
{
	static int (*next)(const uint8_t *, int, const uint8_t *, int, uint8_t *, int, uint8_t *, int, int, int);
	if (!next) next = find_in_libyuv("NV12Copy");
	wait_for_next_frame();
	return next(y, stride_y, uv, stride_uv, to_y, to_stride_y, to_uv, to_stride_uv, width, height);
}
