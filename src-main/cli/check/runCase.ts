import { AppError, describeFailure, toFailure } from '@shared/contract/errors'
import type { TitledPicture } from '../htmlPictures'
import type { CheckedMachine } from './checkedMachine'
import { checkExpectation } from './expectations'
import { pictureOf, save, type Baselines } from './pictures'
import { resultPath, type ReadyCase, type ReadyPlan } from './planFiles'
import type { Expectation, Step } from './planSchema'
import { CheckFailed, type CaseResult, type Problem } from './results'
import { takeStep } from './steps'

/** Seconds of real time. */
const DEFAULT_CASE_SECONDS = 300

export interface CaseToRun {
  readonly plan: ReadyPlan
  readonly ready: ReadyCase
  readonly machine: CheckedMachine
  readonly baselines: Baselines
}

/** @throws only when the signal is aborted, never for what goes wrong in the case */
export async function runCase(run: CaseToRun, signal: AbortSignal): Promise<CaseResult> {
  const started = performance.now()
  const seconds = run.ready.case.timeout ?? DEFAULT_CASE_SECONDS
  const limit = AbortSignal.timeout(seconds * 1000)
  const running = new RunningCase(run, AbortSignal.any([signal, limit]))
  await running.run().catch((error: unknown) => {
    if (signal.aborted) throw error
    const late = new AppError('TIMEOUT', `The case took longer than ${seconds} s.`, {
      hint: 'Give it a longer timeout.',
    })
    running.note(limit.aborted ? late : error, run.ready.case.line, 'case')
  })
  const { problems, pictures, files, hasBegun } = running
  const outcome = problems.some(({ kind }) => kind === 'error') ? 'error' : problems.length > 0 ? 'failed' : 'passed'
  return {
    file: run.plan.file,
    name: run.ready.case.name,
    machine: run.machine.name,
    outcome,
    reason: '',
    seconds: (performance.now() - started) / 1000,
    problems,
    files,
    pictures,
    screen: outcome === 'passed' || !hasBegun ? null : await run.machine.screen(signal).catch(() => null),
  }
}

class RunningCase {
  readonly #run: CaseToRun
  readonly #signal: AbortSignal
  readonly problems: Problem[] = []
  readonly pictures: TitledPicture[] = []
  readonly files: string[] = []
  hasBegun = false

  constructor(run: CaseToRun, signal: AbortSignal) {
    this.#run = run
    this.#signal = signal
  }

  async run(): Promise<void> {
    const { machine, ready } = this.#run
    await machine.begin(ready, this.#signal)
    this.hasBegun = true
    for (const step of ready.case.steps) {
      if (!(await this.#holds(step.line, nameOf(step), () => this.#step(step)))) return
    }
    await this.#expect(ready.case.expect)
  }

  note(error: unknown, line: number, what: string): void {
    const where = `${this.#run.plan.file}:${line}: ${what}`
    if (error instanceof CheckFailed) {
      this.problems.push({ kind: 'failed', where, code: null, ...error.mismatch })
      return
    }
    const failure = toFailure(error)
    const message = describeFailure(failure)
    this.problems.push({ kind: 'error', where, code: failure.code, message, expected: '', found: '' })
  }

  async #holds(line: number, what: string, action: () => Promise<void>): Promise<boolean> {
    try {
      await action()
      return true
    } catch (error) {
      if (this.#signal.aborted) throw error
      this.note(error, line, what)
      return false
    }
  }

  async #step(step: Step): Promise<void> {
    const { machine, plan } = this.#run
    if (step.expect) await this.#expect(step.expect)
    else if (step.screenshot !== undefined) {
      const title = `${this.#title()}-${safe(step.screenshot.replace(/\.png$/i, ''))}`
      const path = await resultPath(plan.folder, title)
      await save(path, step.screenshot, await pictureOf(machine, this.#signal))
      this.files.push(path)
    } else await takeStep(step, machine, this.#signal)
  }

  /** Everything is read at one moment, except pictures and cycles, for which the machine runs on: they come last. */
  async #expect(expectations: readonly Expectation[]): Promise<void> {
    const check = async (isChecked: (each: Expectation) => boolean): Promise<void> => {
      for (const each of expectations.filter(isChecked))
        await this.#holds(each.line, nameOf(each), () => this.#check(each))
    }
    await this.#run.machine.standing(async () => {
      await check(({ picture, cycles }) => !picture && !cycles)
      await check(({ picture }) => picture !== undefined)
    }, this.#signal)
    await check(({ cycles }) => cycles !== undefined)
  }

  async #check(expectation: Expectation): Promise<void> {
    const { machine, ready, baselines, plan } = this.#run
    const signal = this.#signal
    const { picture } = expectation
    if (!picture) {
      const mismatch = await checkExpectation(expectation, { machine, contents: ready.contents, signal })
      if (mismatch) throw new CheckFailed(mismatch)
      return
    }
    const { mismatch, pictures, files } = await baselines.compare(await pictureOf(machine, signal), picture, {
      path: ready.pictures.get(picture.file) ?? '',
      folder: plan.folder,
      title: `${this.#title()}-${safe(picture.file.replace(/\.png$/i, ''))}`,
    })
    this.pictures.push(...pictures)
    this.files.push(...files)
    if (mismatch) throw new CheckFailed(mismatch)
  }

  #title(): string {
    const { machine, ready } = this.#run
    return `${safe(ready.case.name)}-${safe(machine.name)}`
  }
}

const safe = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'case'

const nameOf = (given: object): string =>
  Object.entries(given)
    .filter(([key, value]) => key !== 'line' && value !== undefined)
    .map(([key]) => key)
    .join(' ')
