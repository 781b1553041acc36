/**
 * Notices that VICE hangs while nobody reads from it. Where asking can disturb the program, VICE is asked only once its
 * process stands still; where that is unknown, never.
 */
import type { MonitorClient } from './client'

export interface HeartbeatOptions {
  readonly client: Pick<MonitorClient, 'answeredAt' | 'busy' | 'silent' | 'closed'>
  readonly waits: () => boolean
  readonly ask: () => Promise<unknown>
  readonly disturbs: () => boolean
  /** VICE's processor time, seconds; undefined where it cannot be told. */
  readonly processTime: () => Promise<number | undefined>
}

const INTERVAL_MS = 750
const QUIET_MS = 1_000
const MAX_LOOK_AGE_MS = 3_000
/** Share of a processor. An emulating VICE uses more, one that waits in a dialog less. */
const MIN_WORK = 0.03

export class Heartbeat {
  readonly #options: HeartbeatOptions
  readonly #timer: NodeJS.Timeout
  #isLooking = false
  /** VICE's processor time at the last look, seconds, and when that was, ms. */
  #lastLook: { readonly time: number; readonly at: number } | undefined

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#beat(), INTERVAL_MS)
    this.#timer.unref()
  }

  async #beat(): Promise<void> {
    const { client, waits, ask, disturbs } = this.#options
    if (client.closed) {
      clearInterval(this.#timer)
      return
    }
    if (this.#isLooking || waits() || client.busy || client.silent || performance.now() - client.answeredAt < QUIET_MS)
      return
    this.#isLooking = true
    try {
      if (!disturbs() || !(await this.#works())) await ask()
    } catch {
    } finally {
      this.#isLooking = false
    }
  }

  /** True where the system does not tell processor time. */
  async #works(): Promise<boolean> {
    const time = await this.#options.processTime()
    if (time === undefined) return true
    const before = this.#lastLook
    const look = { time, at: performance.now() }
    this.#lastLook = look
    // An old look would hide a standstill behind the work before it.
    if (!before || look.at - before.at > MAX_LOOK_AGE_MS) return true
    return (look.time - before.time) * 1_000 > MIN_WORK * (look.at - before.at)
  }
}
