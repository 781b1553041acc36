import { matchesMachine } from './machineChoice'
import { CheckedMachine } from './checkedMachine'
import type { Baselines } from './pictures'
import type { ReadyCase, ReadyPlan } from './planFiles'
import type { CaseResult } from './results'
import { describeFailure, toFailure } from '@shared/contract/errors'
import { runCase } from './runCase'
import type { Session } from '../session'

export interface PlannedCase {
  readonly plan: ReadyPlan
  readonly ready: ReadyCase
  readonly machine: string
  readonly skipped: string | null
}

/** @param machines replace those that the plans name; empty for theirs */
export const planCases = (
  plans: readonly ReadyPlan[],
  machines: readonly string[],
  only: readonly string[],
): PlannedCase[] =>
  plans.flatMap((plan) =>
    plan.cases
      .filter(({ case: { name } }) => only.length === 0 || only.includes(name))
      .flatMap((ready) =>
        [...new Set(machines.length > 0 ? machines : plan.machines)].map((machine) => {
          const suited = ready.case.machines
          const isSuited = suited?.some((each) => matchesMachine(machine, each)) ?? true
          return { plan, ready, machine, skipped: isSuited ? null : `It is for ${suited?.join(', ') ?? ''} only.` }
        }),
      ),
  )

interface Run {
  readonly session: Session
  readonly baselines: Baselines
  readonly onResult: (result: CaseResult) => void
  readonly onStart: (planned: PlannedCase) => void
}

export async function runChecks(cases: readonly PlannedCase[], run: Run, signal: AbortSignal): Promise<CaseResult[]> {
  const results = new Map<PlannedCase, CaseResult>()
  const note = (planned: PlannedCase, result: CaseResult): void => {
    results.set(planned, result)
    run.onResult(result)
  }
  for (const planned of cases)
    if (planned.skipped !== null)
      note(planned, { ...emptyResult(planned), outcome: 'skipped', reason: planned.skipped })
  const machines = new Map<string, PlannedCase[]>()
  for (const planned of cases)
    if (planned.skipped === null) machines.set(planned.machine, [...(machines.get(planned.machine) ?? []), planned])
  await Promise.all([...machines].map(([machine, own]) => runOn(machine, own, { ...run, note }, signal)))
  return cases.map(
    (planned) =>
      results.get(planned) ?? { ...emptyResult(planned), outcome: 'notRun', reason: 'The run was interrupted.' },
  )
}

async function runOn(
  name: string,
  cases: readonly PlannedCase[],
  { session, baselines, note, onStart }: Run & { readonly note: (planned: PlannedCase, result: CaseResult) => void },
  signal: AbortSignal,
): Promise<void> {
  let machine: CheckedMachine
  try {
    machine = await CheckedMachine.open(session, name, signal)
  } catch (error) {
    if (!signal.aborted) for (const planned of cases) note(planned, unreachable(planned, error))
    return
  }
  try {
    for (const planned of cases) {
      onStart(planned)
      note(planned, await runCase({ ...planned, machine, baselines }, signal))
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await machine.end()
  }
}

function unreachable(planned: PlannedCase, error: unknown): CaseResult {
  const failure = toFailure(error)
  const where = `${planned.plan.file}:${planned.ready.case.line}: machine`
  const problem = {
    kind: 'error',
    where,
    code: failure.code,
    message: describeFailure(failure),
    expected: '',
    found: '',
  } as const
  return { ...emptyResult(planned), outcome: 'error', problems: [problem] }
}

const emptyResult = ({ plan, ready, machine }: PlannedCase) => ({
  file: plan.file,
  name: ready.case.name,
  machine,
  reason: '',
  seconds: 0,
  problems: [],
  files: [],
  screen: null,
  pictures: [],
})
