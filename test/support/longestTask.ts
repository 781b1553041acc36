import { performance } from 'node:perf_hooks'

/** The longest task of this thread, in processor time and with its waits for a free core and the disk. */
export class LongestTask {
  /** Linux counts it in steps of up to 4 ms while a thread is not interrupted, so that it may be less; ms. */
  cpu = 0
  /** ms. */
  elapsed = 0
  #last = now()
  readonly #timer = setInterval(() => this.#tick(), 1)

  stop(): this {
    this.#tick()
    clearInterval(this.#timer)
    return this
  }

  #tick(): void {
    const before = this.#last
    this.#last = now()
    const elapsed = this.#last.active - before.active
    this.elapsed = Math.max(this.elapsed, elapsed)
    this.cpu = Math.max(this.cpu, Math.min(elapsed, this.#last.cpu - before.cpu))
  }
}

function now(): { readonly active: number; readonly cpu: number } {
  const { user, system } = process.threadCpuUsage()
  return { active: performance.eventLoopUtilization().active, cpu: (user + system) / 1000 }
}
