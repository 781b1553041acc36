import { NotifyTimer } from '../rpc/notifyTimer'

const NOTIFY_DELAY_MS = 30

/** The rest follows in the next event: many at once would keep this thread from its other work. */
const RUNS_PER_EVENT = 100

const MAX_PROJECTS = 200

interface RunName {
  readonly project: number
  readonly run: string
}

/** What one event tells. */
export interface ChangedNames {
  readonly projects: readonly number[]
  readonly forgotten: readonly number[]
  readonly runs: readonly RunName[]
  readonly removed: readonly RunName[]
}

/** Gathers which projects and runs changed into events that are not too large. */
export class ProjectChanges {
  readonly #projects = new Set<number>()
  readonly #forgotten = new Set<number>()
  readonly #runs = new Map<string, RunName>()
  readonly #removed = new Map<string, RunName>()
  readonly #timer: NotifyTimer

  constructor(notify: (changed: ChangedNames) => void) {
    this.#timer = new NotifyTimer(NOTIFY_DELAY_MS, () => {
      notify(this.#take())
      if (this.#runs.size > 0 || this.#removed.size > 0) this.#timer.schedule()
    })
  }

  addProject(project: number): void {
    this.#projects.add(project)
    this.#timer.schedule()
  }

  addForgotten(project: number): void {
    this.#forgotten.add(project)
    this.#timer.schedule()
  }

  addRun(project: number, run: string): void {
    this.#removed.delete(keyOf(project, run))
    this.#runs.set(keyOf(project, run), { project, run })
    this.#timer.schedule()
  }

  addRemoved(project: number, run: string): void {
    this.#runs.delete(keyOf(project, run))
    this.#removed.set(keyOf(project, run), { project, run })
    this.#timer.schedule()
  }

  cancel(): void {
    this.#timer.cancel()
  }

  #take(): ChangedNames {
    const changed = {
      projects: [...this.#projects].slice(0, MAX_PROJECTS),
      forgotten: [...this.#forgotten].slice(0, MAX_PROJECTS),
      runs: takeSome(this.#runs),
      removed: takeSome(this.#removed),
    }
    this.#projects.clear()
    this.#forgotten.clear()
    return changed
  }
}

const keyOf = (project: number, run: string): string => `${project} ${run}`

function takeSome(waiting: Map<string, RunName>): RunName[] {
  const taken = [...waiting].slice(0, RUNS_PER_EVENT)
  for (const [key] of taken) waiting.delete(key)
  return taken.map(([, name]) => name)
}
