/** All of them stay in the project. */
import { AppError } from '@shared/contract/errors'
import type { ActionPlan } from '../../formats/edit/action'
import type { RunFiles } from '../../formats/format'
import type { Step } from '../../formats/tuning/actions/steps'
import { tuning } from '../../formats/tuning/format'
import { openState, type TuningState } from '../../formats/tuning/state'
import { writePlanned, type Swap } from '../../projects/edits/writeEdit'
import { diskSource, readRun, runLimits } from '../../projects/read/readRun'
import { scanProject } from '../../projects/read/scanProject'
import type { LoopWork } from '../loop'
import { readSettled } from '../readSettled'

type TuningPlace = Pick<LoopWork, 'root' | 'place' | 'signal' | 'remembered' | 'announceWrite'>

export function unreadablePlace({ findings }: TuningState): AppError | undefined {
  const problem = findings.find(({ severity }) => severity === 'error')
  if (!problem) return undefined
  const { file, line, column, found, expected } = problem
  return new AppError('INVALID', `${file}:${line}:${column}: found ${found}; expected ${expected}.`, {
    hint: 'Fix it in an editor, then start again.',
  })
}

export class TuningFiles {
  readonly #place: TuningPlace
  readonly #onOverwritten: (file: string, theirs: string | undefined) => void

  /** @param onOverwritten gets what somebody wrote, as far as known, just when the loop replaced the file */
  constructor(place: TuningPlace, onOverwritten: (file: string, theirs: string | undefined) => void) {
    this.#place = place
    this.#onOverwritten = onOverwritten
  }

  /**
   * A state that is half written gets half a second to become whole.
   * @throws AppError INVALID with its place when it stays unreadable
   */
  async state(): Promise<TuningState> {
    const state = await readSettled(
      async () => openState(await this.read()),
      (found) => !unreadablePlace(found),
    )
    const problem = unreadablePlace(state)
    if (problem) throw problem
    return state
  }

  /** @throws AppError as `plan` does, and what the disk does not allow */
  async write(step: Step, plan: (files: RunFiles) => ActionPlan): Promise<ActionPlan> {
    const { root, signal, announceWrite, remembered } = this.#place
    const written = await writePlanned({
      root,
      isStrict: false,
      signal,
      announceWrite,
      plan: async () => plan(await this.read(step)),
    })
    for (const swap of written.swaps) this.#watch(swap)
    if (written.plan.remember) remembered.set(written.plan.remember)
    return written.plan
  }

  #watch({ change: { file }, swapped }: Swap): void {
    void swapped.aftermath.then(
      (found) => found && this.#onOverwritten(file, found.kind === 'written' ? found.theirs : undefined),
    )
  }

  async read(step?: Step): Promise<RunFiles> {
    const { root, place, signal, remembered } = this.#place
    const { listing } = await scanProject(root, signal)
    const candidate = tuning.detect(listing).find(({ marker }) => marker === place)
    if (!candidate)
      throw new AppError('NOT_FOUND', `There is no tuning run in ${place}.`, {
        hint: 'Its folder was moved or deleted.',
      })
    const request = step && { ...step, values: {}, now: Date.now() }
    const source = diskSource(root, listing, remembered)
    const { files } = await readRun(tuning, candidate, source, runLimits, { request, signal })
    return files
  }
}
