import type { Offer, Refusal } from '../../edit/offer'
import { booleanOf, field, numberOf, stringOf } from '../../text/located'
import { cursorOf, fieldNames, PHASE_COMMITS, replacedCommits, textsOf, variable, verificationOf } from '../state'
import { isLastPhase } from '../phases'
import { SessionDraft } from './sessionDraft'
import { answering, commitsOf, statusOf, type SessionRun } from './sessionRun'

export function nextPhase(run: SessionRun): (Offer | Refusal)[] {
  const { session, state, status, tasks, view, need } = run
  const node = field(session.root, ...fieldNames.currentPhase)
  const number = numberOf(node)
  const refuse = (because: string, hint: string): Refusal[] => [{ name: 'next-phase', target: '', because, hint }]
  if (status !== 'halted')
    return refuse(
      `The session is not halted (status: ${status ?? 'unknown'}).`,
      'A phase ends when its verification halts the session.',
    )
  const open = tasks.find((task) => statusOf(task) !== 'complete')
  if (open || tasks.length === 0)
    return refuse(
      open
        ? `Task ${open.id} is not complete (status: ${statusOf(open) ?? 'unknown'}).`
        : 'The phase has no tasks yet.',
      'Finish or skip its open tasks first.',
    )
  if (!node || number === undefined) return refuse(`${session.file} has no phase number.`, 'Correct it in an editor.')
  const passed = booleanOf(field(verificationOf(state)?.document.root, 'passed'))
  if (passed === false)
    return refuse('The verification of this phase did not pass.', 'Allow re-plans again to close its gaps.')
  if (isLastPhase(state))
    return refuse(
      `The project is complete: context.md names no phase after phase ${number}.`,
      'To continue, add the next phase to context.md.',
    )
  const answers = answering(run, 'gate')
  const next = String(number + 1)
  const title = view.phases.find(({ key }) => key === next)?.title.value
  return [
    {
      name: 'next-phase',
      target: '',
      title: `Start phase ${next}${title === null || title === undefined ? '' : `: ${title}`}`,
      effect: 'Moves the session to the next phase and plans it. The plan of this phase is removed from the session.',
      fields: [],
      source: answers && need ? need.source : session.source(node),
      answersNeed: answers,
      ...(passed === true ? { unattended: {} } : {}),
      plan: () => {
        const draft = new SessionDraft(run)
        const written = stringOf(node)
        draft.set(session, node, written === undefined ? number + 1 : next.padStart(written.trim().length, '0'))
        draft.setField(field(session.root, ...fieldNames.gapCount), fieldNames.gapCount, 0)
        draft.removeVariable('research_done')
        keepCommits(run, draft, String(number))
        const cursor = cursorOf(session.root)
        const planNode = field(session.root, 'plan')
        const cursorOutside = cursor && (!planNode || cursor.start < planNode.start || cursor.end > planNode.end)
        if (cursorOutside) draft.set(session, cursor, undefined)
        if (planNode) draft.set(session, planNode, undefined)
        draft.setStatus('planning')
        return {
          summary: `Started phase ${next}`,
          changes: draft.draft.changes,
          warnings: [
            ...(passed === undefined ? ['This phase has no verification result.'] : []),
            ...(title === undefined || title === null
              ? [`context.md names no phase ${next}; the planner must infer it from the text.`]
              : []),
          ],
        }
      },
    },
  ]
}

/** With its plan a phase would lose what it can be rolled back by. */
function keepCommits({ state, tasks }: SessionRun, draft: SessionDraft, phase: string): void {
  const known = variable(state, PHASE_COMMITS)
  const replaced = variable(state, replacedCommits)
  const commits = [...textsOf(field(known, phase)), ...textsOf(replaced), ...tasks.flatMap((task) => commitsOf(task))]
  if (commits.length === 0) return
  draft.setInVariable(PHASE_COMMITS, phase, commits)
  if (replaced) draft.removeVariable(replacedCommits)
}
