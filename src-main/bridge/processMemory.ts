/** What keeps a bridge's process from holding memory that it no longer uses. */

/**
 * V8's default grows with the computer's memory, up to 64 MB for each of two semi-spaces of each thread, filled before they are collected.
 * Workers have the same by `startWorker`.
 */
export const bridgeExecArgv: readonly string[] = ['--max-semi-space-size=8']

/**
 * For glibc, whatever else ignores them: two arenas instead of eight for each core, and blocks of 64 KiB and more, as frames have, go
 * back to the system when they are freed. https://www.gnu.org/software/libc/manual/html_node/Memory-Allocation-Tunables.html
 */
export const allocatorEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
}
