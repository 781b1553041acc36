import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, toFailure } from '@shared/contract/errors'
import type { ActionPlan } from '../../../formats/edit/action'
import { Values } from '../../../formats/edit/offer'
import type { RunFiles } from '../../../formats/format'
import { compareAndSwap } from '../../../files/compareAndSwap'
import { Listing, within } from '../../../formats/listing'
import { openSession, type MaestroRun } from '../../../formats/maestro/actions/maestroRun'
import { activeSession, detect } from '../../../formats/maestro/detect'
import { maestro } from '../../../formats/maestro/format'
import { idOf, openRun } from '../../../formats/maestro/state'
import { readFrontMatter } from '../../../formats/text/frontMatter'
import { field, textOf } from '../../../formats/text/located'
import { isUnreadable, StateText } from '../../../formats/text/stateFile'
import { projectPath } from '../../../formats/text/namedPath'
import { signatureOf } from '../../../projects/edits/fieldChanges'
import { settleEdit, writeEdit, type Editing } from '../../../projects/edits/writeEdit'
import { diskSource, readRun, runLimits } from '../../../projects/read/readRun'
import { readStateFile } from '../../../projects/read/readStateFile'
import { scanProject } from '../../../projects/read/scanProject'
import type { AnnounceWrite, Remembered } from '../../loop'
import { readSettled } from '../../readSettled'
import { holdDeleted } from '../../runGuard'

const MAX_ATTEMPTS = 20

interface SessionPlace {
  readonly root: string
  readonly stateDir: string
  readonly signal: AbortSignal
  readonly announceWrite?: AnnounceWrite | undefined
  readonly holds?: Remembered
}

export class SessionStore {
  readonly #place: SessionPlace
  #last: { readonly id: string | null; readonly text: string } | undefined

  constructor(place: SessionPlace) {
    this.#place = place
  }

  get file(): string {
    return activeSession(this.#place.stateDir)
  }

  exists(): Promise<boolean> {
    return this.#has(this.file)
  }

  /**
   * @throws AppError NOT_FOUND where there is none, INVALID with its place where it stays unreadable, RunHeld where it
   * was deleted
   */
  async read(): Promise<MaestroRun> {
    const { run, problem, missing } = await readSettled(
      async () => {
        const files = await this.#files().catch((error: unknown) => {
          if (this.#last && toFailure(error).code === 'NOT_FOUND') return undefined
          throw error
        })
        if (!files) return { missing: this.#last }
        const state = openRun(files)
        const problem = state.findings.find(
          (finding) => finding.file === this.file && (isUnreadable(finding) || finding.severity === 'error'),
        )
        return { run: openSession(files, state, maestro.read(files)?.view.needs ?? []), problem }
      },
      ({ run, problem }) => run !== undefined && !problem,
    )
    if (problem)
      throw new AppError(
        'INVALID',
        `${problem.file}:${problem.line}:${problem.column}: found ${problem.found}; expected ${problem.expected}.`,
        { hint: 'Fix it in an editor, then try again.' },
      )
    if (missing) throw await this.#deleted(missing)
    if (!run) throw new AppError('INVALID', `${this.file} has no map of values as its front matter.`)
    const { text } = run.files.files.get(this.file) ?? {}
    if (this.#place.holds && typeof text === 'string') this.#last = { id: idOf(run.files, run.session).value, text }
    return run
  }

  /** A session that was there is written back, unless it lies in the archive. */
  async #deleted({ id, text }: { readonly id: string | null; readonly text: string }): Promise<AppError> {
    const { root, holds } = this.#place
    if (!holds || (await this.#isArchived(id)))
      return new AppError('NOT_FOUND', `The session ${id ?? ''} was archived during the run.`, {
        hint: 'Create the next one with maestro session create.',
      })
    const change = { file: this.file, before: null, after: text }
    return holdDeleted(holds, this.file, async () => {
      const noteWritten = await this.#place.announceWrite?.(change)
      await compareAndSwap(change, { root, isStrict: true })
      noteWritten?.()
    })
  }

  async change(
    decide: (run: MaestroRun, values: Values) => ActionPlan,
  ): Promise<{ readonly plan: ActionPlan; readonly settled: Promise<unknown> }> {
    const noteWritten: (() => void)[] = []
    const { root, signal, announceWrite } = this.#place
    const planned = async (): Promise<ActionPlan> => decide(await this.read(), new Values({}, Date.now()))
    const editing: Editing = {
      root,
      isStrict: true,
      signal,
      plan: async () => {
        const plan = await planned()
        if (announceWrite) for (const change of plan.changes) noteWritten.push(await announceWrite(change))
        return plan
      },
    }
    try {
      for (let attempt = 1; ; attempt++) {
        // Nobody agreed on it beforehand, and what others wrote meanwhile may make it a different change.
        const agreed = signatureOf(await planned())
        const result = await writeEdit(editing, agreed)
        if (result.outcome === 'written')
          return { plan: result.plan, settled: settleEdit(editing, agreed, result.swaps) }
        if (attempt >= MAX_ATTEMPTS) throw new AppError('CONFLICT', result.reason)
      }
    } finally {
      for (const note of noteWritten) note()
    }
  }

  async #isArchived(id: string | null): Promise<boolean> {
    const { root, stateDir } = this.#place
    const folder = within(stateDir, 'state/archive')
    for (const name of id === null ? [] : await readdir(join(root, folder)).catch(() => [])) {
      const { text } = await readStateFile(root, within(folder, name))
      const { document } = readFrontMatter(new StateText(name, text ?? ''))
      if (textOf(field(document.root, 'session_id')) === id) return true
    }
    return false
  }

  async #files(): Promise<RunFiles> {
    const { root, stateDir, signal } = this.#place
    if (!(await this.exists()))
      throw new AppError('NOT_FOUND', `There is no active session: ${this.file} is missing.`, {
        hint: 'Create one with maestro session create.',
      })
    const { listing } = await scanProject(join(root, stateDir), signal)
    const below = [this.file, ...listing.files.map((file) => within(stateDir, file))]
    const files = await this.#read([...below, '.env'])
    const elsewhere = openRun(files).details.plans.flatMap(({ path, named }) =>
      path === null ? (projectPath(files.candidate.folder, named.value ?? '') ?? []) : [],
    )
    return elsewhere.length === 0 ? files : this.#read([...below, '.env', ...elsewhere])
  }

  async #read(names: readonly string[]): Promise<RunFiles> {
    const { root, signal } = this.#place
    const there = await Promise.all(names.map((file) => this.#has(file)))
    const listing = new Listing(names.filter((_, index) => there[index]))
    const candidate = detect(listing).find(({ marker }) => marker === this.file)
    if (!candidate) throw new AppError('NOT_FOUND', `There is no active session: ${this.file} is missing.`)
    const { files } = await readRun(maestro, candidate, diskSource(root, listing, new Map()), runLimits, { signal })
    return files
  }

  async #has(file: string): Promise<boolean> {
    return stat(join(this.#place.root, file)).then(
      (found) => found.isFile(),
      () => false,
    )
  }
}
