/** Decides by the state alone: this table replaces an orchestrating model. */
import { listNames } from '@shared/listNames'
import { unverifiedText } from '../../formats/tuning/actions/complete'
import type { Step } from '../../formats/tuning/actions/steps'
import { USER_EXIT } from '../../formats/tuning/schema'
import type { LoopEnd } from '../loop'
import type { Snapshot } from './snapshot'

export interface StartState {
  readonly isAuto: boolean
  readonly resumes: boolean
  readonly undecided: ReadonlySet<string>
  readonly hasFixer: boolean
  readonly analyst: 'none' | 'there' | 'asked'
  readonly asked: ReadonlySet<string>
  readonly answered: string | null
  readonly idleRounds: number
}

export type Next = { readonly step: Step } | { readonly end: LoopEnd }

/** Another round would not help after so many that change nothing. */
const MAX_IDLE_ROUNDS = 2

export function nextStep(run: Snapshot, start: StartState): Next {
  return beforeWork(run, start) ?? inRound(run, start) ?? afterRound(run, start)
}

const step = (name: Step['name'], target = ''): Next => ({ step: { name, target } })
const rest = (outcome: LoopEnd['outcome'], message: string, hint?: string): Next => ({
  end: { outcome, message, ...(hint === undefined ? {} : { hint }) },
})
/**
 * The end, and so the exit code, follows the run's state: an agent is optional, and what it could not fix is only told.
 */
function done({ gate, unverified, unfixed }: Snapshot, { asked }: StartState): Next {
  const inVain = unfixed.filter((id) => asked.has(id))
  const message = [
    `The run is completed. Gate: ${gate ?? 'unknown'}.`,
    ...(inVain.length === 0 ? [] : [`The fixer had no fix for ${listNames(inVain)}.`]),
  ].join(' ')
  return unverified.length === 0
    ? rest('done', message)
    : rest('done', `${message} ${unverifiedText(unverified)}`, 'Give your verdict on each, or roll it back.')
}

const wait = (message: string, hint: string): Next => rest('waiting', message, hint)

function beforeWork(run: Snapshot, start: StartState): Next | undefined {
  const { resumes } = start
  const { status, gate, iterations, maxIterations } = run
  const isAtLimit = iterations >= maxIterations
  switch (status) {
    case 'completed':
      if (gate === 'pass' || !isAtLimit) return done(run, start)
      return resumes
        ? step('resume')
        : rest('limit', `Completed after ${iterations} of ${maxIterations} iterations. Gate: ${gate ?? 'unknown'}.`)
    case 'failed':
      return resumes ? step('resume') : rest('failed', 'The run was aborted.', 'Fix the cause, then resume the run.')
    case USER_EXIT:
      return resumes ? step('resume') : wait('The run was left before it completed.', 'Resume the run.')
    case 'pending':
      return wait('The run does not know its skill yet.', 'Name the skill and its problem.')
    case 'running':
      break
    default:
      return rest('failed', `Unknown status: ${status ?? 'none'}.`, 'Use pending, running, completed or failed.')
  }
  if (run.unclear !== undefined) return wait(run.unclear, 'Correct it in an editor.')
  if (run.errors >= run.maxErrors) return step('abort')
  return isAtLimit ? step('complete') : undefined
}

export const ANALYSIS = 'analysis'

function inRound(run: Snapshot, start: StartState): Next | undefined {
  const { isAuto, undecided, hasFixer, asked, answered } = start
  if (run.asksForClarity) return wait('The requirements are not clear.', 'Answer the run’s question.')
  if (run.isAnalysed)
    return wait(
      'Another program is analysing the skill.',
      'Wait until it has ended; five minutes after its start, the run goes on.',
    )
  if (run.openAreas.length > 0) return step('diagnose')
  if (!run.hasReport) return step('report')
  if (answered !== null && hasFixer && run.hasProposals && run.unfixed.includes(answered))
    return step('ask-fix', answered)
  if (needsAnalysis(run, start)) return step('analyse')
  if (run.issues > 0 && !run.hasProposals) return step('propose-fixes')
  const unfixed = hasFixer ? run.unfixed.find((id) => !asked.has(id)) : undefined
  if (unfixed !== undefined) return step('ask-fix', unfixed)
  if (run.awaitsChoice)
    return isAuto ? step('select-fixes') : rest('gate', 'Fixes are proposed.', 'Choose the fixes to apply.')
  const [pending] = run.pending
  if (pending !== undefined)
    return run.unplaced.includes(pending) ? place(run, start, pending) : step('apply-fix', pending)
  const unverified = run.unverified.find((id) => !undecided.has(id))
  if (unverified !== undefined) return step('verify-fix', unverified)
  const [left] = run.unverified
  return left === undefined || isAuto
    ? undefined
    : wait(`The scanners cannot tell whether ${left} helped.`, 'Give your verdict, or roll it back.')
}

const needsAnalysis = (run: Snapshot, { analyst, asked }: StartState): boolean =>
  !run.isDeeplyAnalysed && !asked.has(ANALYSIS) && (analyst === 'asked' || (analyst === 'there' && run.wantsAnalysis))

function place({ placedByAgent }: Snapshot, { hasFixer, asked }: StartState, id: string): Next {
  if (placedByAgent.includes(id) && hasFixer && !asked.has(id)) return step('place-fix', id)
  if (placedByAgent.includes(id) && !hasFixer)
    return wait(`No agent can place ${id}.`, 'Choose an agent as the fixer, or place the fix yourself.')
  const message = asked.has(id) ? `The agent found no place for ${id}.` : `${id} does not say where it belongs.`
  return wait(message, 'Place the fix: append it or let an agent do it, or choose other fixes.')
}

function afterRound({ gate, urgent, canIterate }: Snapshot, { isAuto, idleRounds }: StartState): Next {
  if (gate === 'pass' || urgent === 0 || !canIterate) return step('complete')
  if (idleRounds >= MAX_IDLE_ROUNDS)
    return rest(
      'breaker',
      `${idleRounds} rounds without a fix that helped. Critical and high issues left: ${urgent}.`,
      'Change the skill in an editor, then start another iteration, or end the run.',
    )
  return isAuto
    ? step('continue')
    : wait(`Critical and high issues left: ${urgent}.`, 'Start another iteration, or end the run.')
}
