import { AppError } from '@shared/contract/errors'
import {
  allOfBatches,
  batchesIn,
  failureKinds,
  HOLD,
  isOnlyShown,
  raisedCeilings,
  runHold,
  type RunHold,
} from '@shared/runHold'
import type { AgentResult } from '../agents/agent'
import { afterTurn, atState, trippedBreaker } from './breakers'
import { reachedCeiling, type Budget } from './ceilings'
import type { LoopEnd, LoopWork, Remembered } from './loop'

export type HeldEnd = LoopEnd & { readonly code: number; readonly hint: string }

export function endOfHold({ kind, ceiling, message }: RunHold): HeldEnd {
  const hint = 'Let it continue in the inbox or with project answer, then resume it.'
  if (failureKinds.includes(kind)) return { outcome: 'waiting', code: 10, message, hint }
  if (!ceiling) return { outcome: 'breaker', code: 22, message, hint }
  return { outcome: 'limit', code: ceiling.measure === 'cost' ? 21 : 20, message, hint }
}

export const holdsOfBatches = (run: Remembered): Remembered => ({
  ...batchesIn(run),
  set: (values) => run.set(allOfBatches(values)),
})

export function holdRun(holds: Remembered, kind: RunHold['kind'], message: string): RunHold {
  return keepHold(holds, { kind, message: message.slice(0, 2_000), since: Date.now() })
}

export function holdAtCeiling(holds: Remembered, budget: Budget): RunHold | undefined {
  const reached = budgetHold(budget, holds)
  return reached && keepHold(holds, { ...reached, since: Date.now() })
}

function keepHold(holds: Remembered, held: RunHold): RunHold {
  holds.set({ [HOLD]: JSON.stringify(held) })
  return held
}

export class RunHeld extends AppError {
  readonly end: HeldEnd

  constructor(held: RunHold) {
    const end = endOfHold(held)
    super('CONFLICT', end.message, { hint: end.hint })
    this.end = end
  }
}

/** The deleted file is written back as it was last seen. */
export async function holdDeleted(
  holds: Remembered,
  file: string,
  writeBack: () => Promise<unknown>,
): Promise<RunHeld> {
  await writeBack()
  const message = `${file} was deleted during the run. Bridgedeck wrote it back as it was before.`
  return new RunHeld(holdRun(holds, 'lost-state', message))
}

export class RunGuard {
  readonly #work: Pick<LoopWork, 'holds' | 'budget'>
  #history = atState(undefined, '')

  constructor(work: Pick<LoopWork, 'holds' | 'budget'>) {
    this.#work = work
    const shown = runHold(work.holds)
    if (shown && isOnlyShown(shown)) work.holds.set({ [HOLD]: null })
  }

  /** @param hasChanged whether a file or commit changed; null where unknown */
  noteTurn({ status, reason }: AgentResult, hasChanged: boolean | null): void {
    if (status === 'stopped') return
    const error = status === 'success' ? null : reason
    this.#history = afterTurn(this.#history, { hasChanged, error })
  }

  check(tasks = this.#history.tasks): HeldEnd | undefined {
    this.#history = atState(this.#history, tasks)
    const held = this.#hold()
    return held && endOfHold(held)
  }

  hold(kind: RunHold['kind'], message: string): HeldEnd {
    return endOfHold(holdRun(this.#work.holds, kind, message))
  }

  #hold(): RunHold | undefined {
    const { holds, budget } = this.#work
    const known = runHold(holds)
    if (known && !known.ceiling) return known
    const reached = trippedBreaker(this.#history) ?? budgetHold(budget(), holds)
    const held = reached && { ...reached, since: known?.since ?? Date.now() }
    if (held || known) holds.set({ [HOLD]: held ? JSON.stringify(held) : null })
    return held
  }
}

function budgetHold(budget: Budget, holds: Remembered): Omit<RunHold, 'since'> | undefined {
  const { costProblem } = budget
  if (costProblem !== null)
    return { kind: 'agent', message: `The cost limit cannot be kept, as your prices cannot be read. ${costProblem}` }
  const reached = reachedCeiling(budget, raisedCeilings(holds))
  return reached && { kind: 'ceiling', ...reached }
}
