import type { Payload } from '@shared/contract/contract'
import { toFailure } from '@shared/contract/errors'
import type { Loop, LoopOutcome } from '@shared/contract/loops'
import type { Run } from '@shared/contract/orchestration'
import { formatInfo } from '@shared/formats/formats'
import { summaryOf, type RunReport } from '@shared/report/report'

interface RunEndsOptions {
  readonly isOpen: (project: number) => boolean
  readonly runOf: (loop: Loop) => Promise<Run | undefined>
  readonly reportOf: (run: Run, loop: Loop) => Promise<RunReport>
  readonly raise: (notice: Payload<'notice.raised'>) => void
  readonly log: (message: string) => void
}

const titles: Readonly<Record<LoopOutcome | 'paused', string>> = {
  done: 'A run is done',
  gate: 'A run needs you',
  waiting: 'A run needs you',
  failed: 'A run failed',
  limit: 'A run stopped at a limit',
  breaker: 'A run repeats itself',
  paused: 'A run stopped as requested',
}

const words: typeof titles = {
  done: 'done',
  gate: 'stopped at a gate',
  waiting: 'stopped',
  failed: 'failed',
  limit: 'at a limit',
  breaker: 'repeats itself',
  paused: 'stopped as requested',
}

export class RunEnds {
  readonly #options: RunEndsOptions
  readonly #active = new Map<string, Loop['state']>()

  constructor(options: RunEndsOptions) {
    this.#options = options
  }

  loops(changed: readonly Loop[]): void {
    for (const loop of changed) {
      const key = `${loop.project} ${loop.system} ${loop.place}`
      if (['running', 'pausing', 'stopping'].includes(loop.state)) {
        this.#active.set(key, loop.state)
        continue
      }
      const before = this.#active.get(key)
      this.#active.delete(key)
      if (before !== 'running') continue
      this.#raise(loop).catch((error: unknown) => this.#missed(loop, error))
    }
  }

  async #raise(loop: Loop): Promise<void> {
    const { isOpen, runOf, reportOf, raise } = this.#options
    if (!isOpen(loop.project)) return
    const how = loop.outcome ?? (loop.state === 'paused' ? 'paused' : loop.state === 'failed' ? 'failed' : undefined)
    if (how === undefined) return
    const run = await runOf(loop)
    const name = run?.title.value ?? loop.place
    const text = run ? summaryOf(words[how], await reportOf(run, loop)) : loop.message
    if (!isOpen(loop.project)) return
    raise({
      title: titles[how],
      body: `${name.slice(0, 200)} · ${formatInfo[loop.system].title}: ${text}`.slice(0, 600),
      about: run ? { kind: 'run', project: loop.project, run: run.key } : { kind: 'report' },
    })
  }
  #missed({ project, place }: Loop, error: unknown): void {
    if (this.#options.isOpen(project))
      this.#options.log(`The end of ${place.slice(0, 200)} could not be notified: ${toFailure(error).message}`)
  }
}
