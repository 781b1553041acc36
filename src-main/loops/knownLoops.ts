import type { Output } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { loopSystems, type Loop, type LoopName } from '@shared/contract/loops'
import { NotifyTimer } from '../rpc/notifyTimer'
import type { Host } from '../storage/hosts'
import { ActiveLoop } from './activeLoop'

const NOTIFY_DELAY_MS = 30
const MAX_ENDED = 100
const MAX_LISTED = 500

export const loopKey = ({ project, system, place }: LoopName): string => `${project} ${system} ${place}`

export class KnownLoops {
  readonly #loops = new Map<string, ActiveLoop>()
  readonly #changed = new Set<ActiveLoop>()
  readonly #notifyTimer = new NotifyTimer(NOTIFY_DELAY_MS, () => this.#notify())
  readonly #onChanged: (loops: Loop[]) => void

  constructor(onChanged: (loops: Loop[]) => void) {
    this.#onChanged = onChanged
  }

  list(): Output<'loops.list'> {
    return { loops: [...this.#loops.values()].map(({ view }) => view).slice(-MAX_LISTED) }
  }

  /** @throws AppError NOT_FOUND */
  require(name: LoopName): ActiveLoop {
    const active = this.#loops.get(loopKey(name))
    if (!active) throw new AppError('NOT_FOUND', 'Bridgedeck has not started this run.')
    return active
  }

  /** @throws AppError NOT_FOUND, CONFLICT */
  requireActive(name: LoopName): ActiveLoop {
    const active = this.require(name)
    if (!active.isActive) throw new AppError('CONFLICT', 'This run is not running.', { hint: 'Start it to continue.' })
    return active
  }

  put(name: LoopName, first: ConstructorParameters<typeof ActiveLoop>[1]): ActiveLoop {
    const active = new ActiveLoop(name, first, (loop) => this.#noteChanged(loop))
    this.#loops.delete(loopKey(name))
    this.#loops.set(loopKey(name), active)
    const ended = [...this.#loops].filter(([, { isActive }]) => !isActive)
    for (const [key] of ended.slice(0, Math.max(0, this.#loops.size - MAX_ENDED))) this.#loops.delete(key)
    this.#noteChanged(active)
    return active
  }

  putInterrupted(host: Host): void {
    const { startedAt, resumeHint, project, system, place } = host
    const known = loopSystems.find((candidate) => candidate === system)
    if (known === undefined) return
    this.put(
      { project, system: known, place },
      {
        state: 'interrupted',
        startedAt,
        message: interruptedText(host),
        hint: resumeHint ?? 'Start it to continue from its files.',
      },
    )
  }

  stopAll(why: string): void {
    for (const active of this.#loops.values()) active.stop(why)
  }

  close(): void {
    this.#notifyTimer.cancel()
  }

  #noteChanged(active: ActiveLoop): void {
    this.#changed.add(active)
    this.#notifyTimer.schedule()
  }

  #notify(): void {
    const loops = [...this.#changed].map(({ view }) => view)
    this.#changed.clear()
    for (let from = 0; from < loops.length; from += MAX_LISTED) this.#onChanged(loops.slice(from, from + MAX_LISTED))
  }
}

export const interruptedText = ({ pid, step }: Host): string =>
  `Bridgedeck (process ${pid}) ended during this run${step === null ? '' : `, at: ${step}`}.`
