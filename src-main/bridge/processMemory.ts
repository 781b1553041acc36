/**
 * V8's default grows with the computer's memory, up to 64 MB for each of two semi-spaces per thread. Workers get the
 * same from `startWorker`.
 */
export const bridgeExecArgv: readonly string[] = ['--max-semi-space-size=8']

/**
 * For glibc: two arenas instead of eight per core, and blocks of 64 KiB and more go back to the system when freed.
 * https://www.gnu.org/software/libc/manual/html_node/Memory-Allocation-Tunables.html
 */
export const allocatorEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
}
