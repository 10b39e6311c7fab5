/* Gives a Minesweeper the same boards at each start, for benchmarks/known_answer.py.

   Loaded before a game (LD_PRELOAD); SAME_BOARD names the board, a whole number. xdemineur seeds its boards by
   srand, gnome-mines draws them by g_random_int_range, and WineMine seeds them by the second of the first click:
   in its process the calendar stands almost still, while the clocks that programs measure by go on. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BEGIN 1700000000L  /* where the calendar stands, seconds since 1970 */
#define SLOWNESS 10000L    /* how many times as slow it goes */

static long board(void)
{
    const char *name = getenv("SAME_BOARD");
    return name ? atol(name) : 0;
}

void srand(unsigned int seed)
{
    static void (*real)(unsigned int);
    (void)seed;
    if (!real)
        real = (void (*)(unsigned int))dlsym(RTLD_NEXT, "srand");
    real((unsigned int)board());
}

int32_t g_random_int_range(int32_t begin, int32_t end)
{
    static uint64_t state;
    if (!state)
        state = 88172645463325252ULL + 2654435761ULL * (uint64_t)board();
    /* xorshift64*, S. Vigna, "An experimental exploration of Marsaglia's xorshift generators" */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return begin + (int32_t)((state * 2685821657736338717ULL >> 33) % (uint64_t)(end - begin));
}

/* Whether this is the process of WineMine: wine's other ones keep the calendar. */
static int is_winemine(void)
{
    static int known = -1;
    if (known < 0) {
        char words[4096];
        FILE *file = fopen("/proc/self/cmdline", "r");
        size_t length = file ? fread(words, 1, sizeof words - 1, file) : 0;
        if (file)
            fclose(file);
        words[length] = 0;
        for (size_t at = 0; at < length; at++)
            if (!words[at])
                words[at] = ' ';
        known = strstr(words, "winemine") != NULL;
    }
    return known;
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    static int (*real)(clockid_t, struct timespec *);
    static struct timespec first;
    int done;
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    done = real(which, now);
    if (done == 0 && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) && is_winemine()) {
        int64_t passed;
        if (!first.tv_sec)
            first = *now;
        passed = (now->tv_sec - first.tv_sec) * 1000000000LL + now->tv_nsec - first.tv_nsec;
        now->tv_sec = BEGIN + board();
        now->tv_nsec = passed < 0 ? 0 : passed / SLOWNESS;
    }
    return done;
}
