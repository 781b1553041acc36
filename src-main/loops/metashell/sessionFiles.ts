import { mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { compareAndSwap, SwapConflict } from '../../files/compareAndSwap'
import { containedPath } from '../../files/containedPath'
import { describeFileError } from '../../files/fileErrors'
import { removeAbandoned, replaceFile } from '../../files/stagedWrite'
import type { ActionPlan, ActionRequest, FileChange } from '../../formats/edit/action'
import type { RunFiles } from '../../formats/format'
import { Listing, within } from '../../formats/listing'
import { readStateFile } from '../../projects/read/readStateFile'
import { diskSource, readRun, runLimits } from '../../projects/read/readRun'
import { configuredArtifacts } from '../../formats/metashell/detect'
import { metashell } from '../../formats/metashell/format'
import { locate, type State } from '../../formats/metashell/state'
import type { AnnounceWrite, LoopWork } from '../loop'
import { withLock } from '../lock'
import { readSettled } from '../readSettled'
import { holdDeleted } from '../runGuard'
import { applyChanges, type Change } from './keyPath'
import { snapshotOf, type Snapshot } from './snapshot'

/** ms for which another host may hold the lock: the specification's lock_timeout_ms. */
const LOCK_WAIT_MS = 5_000
/** So many writes of others may come between reading and writing. */
const MAX_CONFLICTS = 200

export class SessionFiles {
  readonly root: string
  readonly folder: string
  readonly #announceWrite: AnnounceWrite | undefined
  readonly #onOverwritten: (theirs: string | undefined) => void
  readonly #holds: LoopWork['holds'] | undefined
  #last: string | undefined

  /**
   * @param onOverwritten gets what somebody wrote, as far as known, just when the host replaced session.json
   * @param place with `holds` of a run: its session is written back where it is deleted
   */
  constructor(
    {
      root,
      folder,
      announceWrite,
      holds,
    }: Pick<LoopWork, 'root' | 'folder' | 'announceWrite'> & Partial<Pick<LoopWork, 'holds'>>,
    onOverwritten: (theirs: string | undefined) => void,
  ) {
    this.root = root
    this.folder = folder
    this.#announceWrite = announceWrite
    this.#onOverwritten = onOverwritten
    this.#holds = holds
  }

  #meta(name: string): string {
    return within(this.folder, `.meta/${name}`)
  }

  get session(): string {
    return this.#meta('session.json')
  }

  /** @throws AppError NOT_FOUND without context.md */
  async context(): Promise<string> {
    const { text, findings } = await readStateFile(this.root, this.#meta('context.md'))
    if (text !== null) return text
    if (!(await this.#has(this.#meta('context.md'))))
      throw new AppError('NOT_FOUND', 'Project not initialized: there is no .meta/context.md.', {
        hint: 'Describe the project in it, then start again.',
      })
    throw new AppError('INVALID', `Cannot read .meta/context.md: ${findings[0]?.found ?? 'it is not text'}.`)
  }

  hasSession(): Promise<boolean> {
    return this.#has(this.session)
  }

  async createSession(text: string): Promise<void> {
    await this.#locked(async () => {
      if (!(await this.hasSession()))
        await compareAndSwap({ file: this.session, before: null, after: text }, { root: this.root })
    })
  }

  /**
   * A half-written file gets half a second to become whole.
   * @throws AppError INVALID with its place when it stays unreadable
   */
  async read(): Promise<{ readonly state: State; readonly snapshot: Snapshot; readonly text: string }> {
    const { state, problem, text } = await readSettled(
      async () => {
        const state = await this.#state()
        const problem = state.problems.find(({ file, severity }) => severity === 'error' && file === this.session)
        return { state, problem, text: state.session?.text.text }
      },
      ({ problem, text }) => !problem && text !== undefined,
    )
    if (problem)
      throw new AppError(
        'INVALID',
        `${problem.file}:${problem.line}:${problem.column}: found ${problem.found}; expected ${problem.expected}.`,
        { hint: 'Fix it in an editor, then start again.' },
      )
    if (text === undefined) throw await this.#missing()
    this.#last = text
    return { state, snapshot: snapshotOf(state), text }
  }

  /** A deleted session is written back, as a new one would do all its tasks again. */
  async #missing(): Promise<AppError> {
    const last = this.#last
    if (last === undefined || !this.#holds)
      return new AppError('NOT_FOUND', `${this.session} is missing.`, {
        hint: 'It was moved or deleted. Start again to create a new session.',
      })
    return holdDeleted(this.#holds, this.session, () => this.#swap({ file: this.session, before: null, after: last }))
  }

  /**
   * Each change is made in its own bytes, under the lock. Where others wrote meanwhile, the changes are decided again.
   */
  async update<T extends { readonly changes: readonly Change[] }>(decide: (session: Snapshot) => T): Promise<T> {
    return this.#untilWritten(async () => {
      const { snapshot, text } = await this.read()
      const decided = decide(snapshot)
      await this.#swap({ file: this.session, before: text, after: applyChanges(this.session, text, decided.changes) })
      return decided
    })
  }

  async planOf(action: Pick<ActionRequest, 'name' | 'target'>): Promise<ActionPlan> {
    await this.read()
    return metashell.plan(await this.#runFiles(), { ...action, values: {}, now: Date.now() })
  }

  async carryOut(action: Pick<ActionRequest, 'name' | 'target'>): Promise<void> {
    await this.#untilWritten(async () => {
      for (const change of (await this.planOf(action)).changes) await this.#swap(change)
    })
  }

  #untilWritten<T>(write: () => Promise<T>): Promise<T> {
    return this.#locked(async () => {
      for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
        try {
          return await write()
        } catch (error) {
          if (!(error instanceof SwapConflict)) throw error
        }
      }
      throw new AppError('CONFLICT', 'Another program keeps writing session.json.', {
        hint: 'Stop that program, then start again.',
      })
    })
  }

  /** @throws SwapConflict when another program wrote the file meanwhile */
  async #swap(change: FileChange): Promise<void> {
    const noteWritten = await this.#announceWrite?.(change)
    const { aftermath } = await compareAndSwap(change, { root: this.root })
    if (change.file === this.session) this.#last = change.after ?? undefined
    noteWritten?.()
    void aftermath.then((found) => found && this.#onOverwritten(found.kind === 'written' ? found.theirs : undefined))
  }

  async artefact(name: string): Promise<string | undefined> {
    const path = within(await this.#artefacts(), name)
    return (await readStateFile(this.root, path)).text ?? undefined
  }

  async writeArtefact(name: string, value: object): Promise<void> {
    const file = within(await this.#artefacts(), name)
    try {
      const path = await containedPath(file, { root: this.root })
      await mkdir(dirname(path), { recursive: true })
      await replaceFile(path, `${JSON.stringify(value, null, 2)}\n`)
    } catch (error) {
      throw describeFileError(error, file, 'written')
    }
  }

  async persona(agent: string): Promise<string | undefined> {
    return (await readStateFile(this.root, within(this.folder, `skills/${agent}.md`))).text ?? undefined
  }

  async tidy(): Promise<void> {
    for (const folder of [within(this.folder, '.meta'), await this.#artefacts()])
      await removeAbandoned(join(this.root, folder)).catch(() => undefined)
  }

  /** The folder from config.json, else the first of the two usual ones that has artefacts. */
  async #artefacts(): Promise<string> {
    const configured = configuredArtifacts(this.folder, await readStateFile(this.root, this.#meta('config.json')))
    if (configured !== undefined) return configured
    const usual = [this.#meta('artifacts'), within(this.folder, 'artifacts')]
    for (const folder of usual) {
      const names = await readdir(join(this.root, folder)).catch(() => [])
      if (names.some((name) => name.endsWith('.json'))) return folder
    }
    return this.#meta('artifacts')
  }

  async #state(): Promise<State> {
    return locate(await this.#runFiles())
  }

  async #runFiles(): Promise<RunFiles> {
    const artefacts = await this.#artefacts()
    const names = [
      this.session,
      this.#meta('context.md'),
      this.#meta('config.json'),
      within(artefacts, 'plan.json'),
      within(artefacts, 'verification.json'),
    ]
    const isThere = await Promise.all(names.map((path) => this.#has(path)))
    const listing = new Listing(names.filter((_, index) => isThere[index]))
    const candidate = { folder: this.folder, marker: this.session, archived: false, files: names }
    const source = diskSource(this.root, listing, new Map())
    return (await readRun({}, candidate, source, runLimits)).files
  }

  async #has(path: string): Promise<boolean> {
    return stat(join(this.root, path)).then(
      (found) => found.isFile(),
      () => false,
    )
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    const path = await containedPath(`${this.session}.lock`, { root: this.root })
    return withLock(path, { subject: 'session.json', waitMs: LOCK_WAIT_MS }, work)
  }
}
