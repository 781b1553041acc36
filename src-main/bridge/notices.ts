import { createHash } from 'node:crypto'
import type { Payload } from '@shared/contract/contract'
import type { Run, RunNeed } from '@shared/contract/orchestration'
import type { SteeringQuestion } from '@shared/contract/steering'
import type { Task } from '@shared/contract/tasks'
import { rightMeanings } from '@shared/rightMeanings'
import { taskEnd } from '@shared/taskEnd'
import { z } from 'zod'

/** ms; a need that was gone for longer counts as new when it comes again. */
const GONE_MS = 60_000

/** Notified needs are kept in the sidecar, so that a restart does not repeat them. */
const SIDECAR_FIELD = 'needs-told'

const MAX_NEEDS_PER_RUN = 200

/** By need: gone since when, ms since 1970; null while it waits. */
const notifiedSchema = z.record(z.string(), z.number().nullable())
type NotifiedNeeds = z.infer<typeof notifiedSchema>

interface NoticesOptions {
  readonly remembered: (project: number, run: string) => ReadonlyMap<string, string>
  /** By run and name; null removes one. All runs of one call are written together. */
  readonly remember: (project: number, runs: ReadonlyMap<string, Readonly<Record<string, string | null>>>) => void
  readonly raise: (notice: Payload<'notice.raised'>) => void
  readonly now?: () => number
}

export class Notices {
  readonly #options: NoticesOptions
  readonly #notified = new Map<string, NotifiedNeeds>()
  readonly #tasks = new Map<string, Task>()
  #lastQuestion = 0

  constructor(options: NoticesOptions) {
    this.#options = options
  }

  /** @param isNew false for what is there when its project is opened: it is known from then on, without a notice */
  runs(project: number, runs: readonly Run[], isNew: boolean): void {
    const changed = new Map<string, Record<string, string | null>>()
    const fresh: { readonly run: Run; readonly need: RunNeed }[] = []
    for (const run of runs) {
      const before = this.#notifiedOf(project, run.key)
      const { notified, needs } = this.#compare(run, before)
      if (JSON.stringify(notified) !== JSON.stringify(before)) {
        this.#notified.set(`${project} ${run.key}`, notified)
        changed.set(run.key, { [SIDECAR_FIELD]: Object.keys(notified).length === 0 ? null : JSON.stringify(notified) })
      }
      for (const need of needs) fresh.push({ run, need })
    }
    if (changed.size > 0) this.#options.remember(project, changed)
    if (isNew) for (const { run, need } of fresh) this.#options.raise(describe(project, run, need))
  }

  #compare(run: Run, before: NotifiedNeeds): { notified: NotifiedNeeds; needs: RunNeed[] } {
    // For an unreadable run the last good version is shown: nothing in it is new.
    if (run.archived || run.stale !== null) return { notified: before, needs: [] }
    const { now = Date.now } = this.#options
    const notified: NotifiedNeeds = {}
    const fresh: RunNeed[] = []
    for (const need of run.needs) {
      const id = identityOf(need)
      const gone = before[id]
      if (gone === undefined || (gone !== null && now() - gone > GONE_MS)) fresh.push(need)
      notified[id] = null
    }
    for (const [id, gone] of Object.entries(before))
      if (!(id in notified) && Object.keys(notified).length < MAX_NEEDS_PER_RUN) notified[id] = gone ?? now()
    return { notified, needs: fresh }
  }

  tasks(changed: readonly Task[], removed: readonly string[]): void {
    const { now = Date.now, raise } = this.#options
    for (const task of changed) {
      const end = taskEnd(this.#tasks.get(task.id), task, now())
      if (task.status === 'running') this.#tasks.set(task.id, task)
      else this.#tasks.delete(task.id)
      if (end)
        raise({
          title: end.failed ? 'A task failed' : 'A task found its text',
          body: end.text.slice(0, 600),
          about: { kind: 'task', id: task.id },
        })
    }
    for (const id of removed) this.#tasks.delete(id)
  }

  questions(open: readonly SteeringQuestion[]): void {
    for (const { question, name, right, text } of open) {
      if (question <= this.#lastQuestion) continue
      this.#lastQuestion = question
      this.#options.raise({
        title: 'An agent asks you',
        body: `${name} wants to ${rightMeanings[right]}.\n${text}`,
        about: { kind: 'steering' },
      })
    }
  }

  #notifiedOf(project: number, run: string): NotifiedNeeds {
    const known = this.#notified.get(`${project} ${run}`)
    if (known) return known
    const remembered = this.#options.remembered(project, run).get(SIDECAR_FIELD)
    return remembered === undefined ? {} : (notifiedSchema.safeParse(parse(remembered)).data ?? {})
  }
}

/** Lines and times move with every rewrite; what is asked, and in which file, does not. */
const identityOf = ({ kind, title, source }: RunNeed): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, title, source.file]))
    .digest('hex')
    .slice(0, 16)

const titles: Readonly<Record<RunNeed['kind'], string>> = {
  question: 'A question needs you',
  gate: 'A gate needs you',
  approval: 'An approval needs you',
  failure: 'Something failed',
  limit: 'A limit is reached',
  unreadable: 'A file cannot be read',
}

const describe = (project: number, run: Run, need: RunNeed): Payload<'notice.raised'> => ({
  title: titles[need.kind],
  body: `${need.title.slice(0, 300)}\n${(run.title.value ?? run.id.value ?? run.folder).slice(0, 200)}`,
  about: { kind: 'need', project, run: run.key, source: need.source },
})

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
