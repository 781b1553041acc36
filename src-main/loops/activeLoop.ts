import { AppError } from '@shared/contract/errors'
import type { AgentRun } from '@shared/contract/agents'
import {
  MAX_LOOP_AGENTS,
  type Loop as LoopView,
  type LoopAgent,
  type LoopLine,
  type LogLevel,
  type LoopName,
} from '@shared/contract/loops'

const MAX_LINES = 2_000
const MAX_LINE_LENGTH = 2_000
const MAX_TEXT_LENGTH = 500

export class ActiveLoop {
  readonly #onChanged: (loop: ActiveLoop) => void
  readonly #lines: LoopLine[] = []
  readonly #stop = new AbortController()
  readonly #pause = new AbortController()
  readonly #stillAlive: number[] = []
  readonly #agents = new Map<symbol, LoopAgent>()
  #view: LoopView

  constructor(
    name: LoopName,
    first: Partial<LoopView> & Pick<LoopView, 'state' | 'startedAt' | 'message'>,
    onChanged: (loop: ActiveLoop) => void,
  ) {
    this.#onChanged = onChanged
    const { project, system, place } = name
    this.#view = {
      project,
      system,
      place,
      outcome: null,
      step: null,
      agents: [],
      hint: null,
      lines: 0,
      since: Date.now(),
      ...first,
      message: first.message.slice(0, MAX_TEXT_LENGTH),
    }
  }

  get view(): LoopView {
    return this.#view
  }

  get isActive(): boolean {
    return ['running', 'pausing', 'stopping'].includes(this.#view.state)
  }

  get isPausing(): boolean {
    return this.#pause.signal.aborted
  }

  get pauses(): AbortSignal {
    return this.#pause.signal
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  linesAfter(number: number, count: number): LoopLine[] {
    const from = this.#lines.findIndex((line) => line.number > number)
    return from < 0 ? [] : this.#lines.slice(from, from + count)
  }

  pause(): void {
    if (this.#view.state !== 'running') return
    this.change({ state: 'pausing', since: Date.now() })
    this.#pause.abort()
  }

  stop(why: string): void {
    if (!this.isActive || this.#view.state === 'stopping') return
    this.change({ state: 'stopping', since: Date.now() })
    this.#stop.abort(new AppError('CANCELLED', why))
  }

  addAgent(name: string, role: string): { readonly follow: (run: AgentRun) => void; readonly end: () => void } {
    const id = Symbol(name)
    const show = () => this.change({ agents: [...this.#agents.values()].slice(0, MAX_LOOP_AGENTS) })
    this.#agents.set(id, { name, role, state: 'waiting', since: Date.now(), reason: '', run: null })
    show()
    return {
      follow: ({ run, state, reason }) => {
        const known = this.#agents.get(id)
        if (!known || state === 'left' || state === 'ended') return
        const since = state === known.state ? known.since : Date.now()
        this.#agents.set(id, { ...known, run, state, since, reason: reason.slice(0, MAX_TEXT_LENGTH) })
        show()
      },
      end: () => {
        this.#agents.delete(id)
        show()
      },
    }
  }

  noteStillAlive(pids: readonly number[]): void {
    this.#stillAlive.push(...pids)
  }

  step(text: string): void {
    this.change({ step: text.slice(0, MAX_TEXT_LENGTH) })
    this.log('info', text)
  }

  log(level: LogLevel, text: string): void {
    const number = this.#view.lines + 1
    this.#lines.push({ number, time: Date.now(), level, text: text.slice(0, MAX_LINE_LENGTH) })
    if (this.#lines.length > MAX_LINES) this.#lines.shift()
    this.change({ lines: number, message: text.slice(0, MAX_TEXT_LENGTH) })
  }

  end(end: Partial<LoopView> & { readonly message: string }): void {
    this.log(levelOf(end), end.message)
    const message = end.message.slice(0, MAX_TEXT_LENGTH)
    this.change({ ...end, message, step: null, agents: [], since: Date.now() })
  }

  endStopped(): void {
    const reason: unknown = this.signal.reason
    const why = reason instanceof AppError ? reason.message : 'Stopped.'
    const left =
      this.#stillAlive.length === 0 ? 'No process is left.' : `Still running: process ${this.#stillAlive.join(', ')}.`
    this.end({ state: 'stopped', message: `${why} ${left}` })
  }

  change(changes: Partial<LoopView>): void {
    this.#view = { ...this.#view, ...changes }
    this.#onChanged(this)
  }
}

function levelOf({ state, outcome }: Partial<LoopView>): LogLevel {
  if (state === 'failed' || outcome === 'failed') return 'error'
  return state === 'paused' || outcome === 'done' || outcome === 'gate' ? 'info' : 'warn'
}
