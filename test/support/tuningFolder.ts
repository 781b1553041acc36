/** A folder with one skill and its tuning run, which the loop works on and the person acts on. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { EditValues } from '@shared/contract/edits'
import type { LoopOptions } from '@shared/contract/loopOptions'
import type { ActionRequest, FileChange } from '../../src-main/formats/edit/action'
import { TreeAgents } from '../../src-main/loops/treeAgents'
import { tuning } from '../../src-main/formats/tuning/format'
import { startedStateSchema } from '../../src-main/formats/tuning/schema'
import { initTuning } from '../../src-main/loops/tuning/initTuning'
import { runTuning, type TuningWork } from '../../src-main/loops/tuning/runTuning'
import { writePlanned } from '../../src-main/projects/edits/writeEdit'
import { diskSource, readRun, runLimits } from '../../src-main/projects/read/readRun'
import { scanProject } from '../../src-main/projects/read/scanProject'

const { signal } = new AbortController()
const noAgent = () => Promise.reject(new Error('No agent runs.'))

export class TuningFolder {
  readonly root = mkdtempSync(join(tmpdir(), 'bridgedeck-tuning-'))
  /** Of the run, relative to the root. */
  run = ''
  readonly log: string[] = []
  /** Every state.json that the loop wrote. */
  readonly written: string[] = []
  readonly #remembered = new Map<string, string>()

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  put(file: string, text: string): void {
    mkdirSync(dirname(join(this.root, file)), { recursive: true })
    writeFileSync(join(this.root, file), text)
  }

  text = (file: string): string => readFileSync(join(this.root, file), 'utf8')
  get stateFile(): string {
    return `${this.run}/state.json`
  }
  state = () => startedStateSchema.parse(JSON.parse(this.text(this.stateFile)))
  /** Changes the state as another program would. */
  replaceInState(from: string, to: string): void {
    this.put(this.stateFile, this.text(this.stateFile).replace(from, to))
  }

  async begin(focus: readonly string[] = []): Promise<void> {
    const options = { skill: undefined, problem: 'It grows', focus, maxIterations: undefined, signal }
    this.run = (await initTuning({ folder: this.root, ...options })).run
  }

  work(options: LoopOptions<'tuning'>, onWrite: (change: FileChange) => void = () => undefined): TuningWork {
    const remembered = this.#remembered
    const kept: TuningWork['remembered'] = {
      get: (name) => remembered.get(name),
      set: (values) => {
        for (const [name, value] of Object.entries(values))
          if (value === null) remembered.delete(name)
          else remembered.set(name, value)
      },
    }
    return {
      root: this.root,
      folder: '',
      place: this.run,
      own: join(this.root, '.own'),
      signal,
      options,
      workFolder: this.root,
      isInWorktree: false,
      isPausing: () => false,
      pauses: signal,
      hasProgram: () => false,
      trusted: () => {
        throw new Error('Nothing runs.')
      },
      rememberedOfFolder: { get: () => undefined, set: () => undefined },
      remembered: kept,
      holds: kept,
      elsewhere: new TreeAgents().elsewhere('', ''),
      agents: [],
      budget: () => {
        throw new Error('No agent runs.')
      },
      chosen: () => undefined,
      announceWrite: (change) => {
        if (change.file === this.stateFile) this.written.push(change.after ?? '')
        onWrite(change)
        return Promise.resolve(() => undefined)
      },
      spawn: noAgent,
      adopt: noAgent,
      check: () => Promise.reject(new Error('Tuning names no checks.')),
      continuesPast: () => Promise.resolve(false),
      step: (text) => this.log.push(text),
      log: (_, text) => this.log.push(text),
    }
  }

  start = (options: LoopOptions<'tuning'> = {}) => runTuning(this.work(options))

  async #read(request?: ActionRequest) {
    const { listing } = await scanProject(this.root, signal)
    const [candidate] = tuning.detect(listing)
    if (!candidate) throw new Error('There is no run.')
    const source = diskSource(this.root, listing, this.#remembered)
    return (await readRun(tuning, candidate, source, runLimits, request && { request })).files
  }

  /** What waits for the person. */
  needs = async () => tuning.read(await this.#read())?.view.needs

  /** What the person does in between. */
  async act(name: string, values: EditValues = {}, target = ''): Promise<void> {
    const request = { name, target, values, now: Date.now() }
    const plan = async () => tuning.plan(await this.#read(request), request)
    const written = await writePlanned({ root: this.root, isStrict: false, plan, signal })
    this.work({}).remembered.set(written.plan.remember ?? {})
  }
}
