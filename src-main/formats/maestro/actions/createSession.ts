import { Draft } from '../../edit/draft'
import type { Offer, Refusal } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { nameOf } from '../../listing'
import { activeSession, archivedSessions } from '../detect'
import { newSession, phaseLines, readPhaseLines } from '../session/newSession'
import { readPlannedPhases, type PlannedPhase } from '../session/planTable'
import type { MaestroState } from '../state'

export function createSession(files: RunFiles, { details, stateDir }: MaestroState): (Offer | Refusal)[] {
  if (details.plans.length + details.designGates.length === 0) return []
  const gate = details.designGates.find(({ open }) => open)
  if (gate)
    return [
      {
        name: 'create-session',
        target: '',
        because: 'The design is not approved yet.',
        hint: 'Approve the design first.',
      },
    ]
  const paths = (kind: 'design' | 'implementation') =>
    details.plans.flatMap((plan) => (plan.kind === kind && plan.path !== null ? [plan.path] : []))
  const choiceOf = (name: string, label: string, options: readonly string[]) =>
    options.length === 0
      ? []
      : [
          {
            name,
            label,
            kind: 'choice' as const,
            optional: true,
            value: options.length === 1 ? (options[0] ?? null) : null,
            options: options.slice(0, 100).map((path) => ({ value: path, label: nameOf(path) })),
          },
        ]
  const planned = paths('implementation')
  const phasesOf = (plan: string | undefined): readonly PlannedPhase[] =>
    plan === undefined ? [] : readPlannedPhases(files.files.get(plan)?.text ?? '')
  const [onlyPlan] = planned.length === 1 ? planned : []
  const [design] = details.plans.filter(({ kind }) => kind === 'design')
  const source = { file: planned[0] ?? design?.path ?? details.designGates[0]?.approvedAt.source?.file ?? stateDir }
  return [
    {
      name: 'create-session',
      target: '',
      title: 'Create the session',
      effect: 'Writes the session file with all phases pending, so that they can run.',
      fields: [
        { name: 'task', label: 'Task', kind: 'line', value: design?.title.value?.slice(0, 500) ?? '' },
        ...choiceOf('design', 'Design', paths('design')),
        ...choiceOf('plan', 'Plan', planned),
        {
          name: 'phases',
          label: 'Phases',
          kind: 'text',
          value: phaseLines(phasesOf(onlyPlan)).slice(0, 10_000),
          help: 'One phase per line: Music: debugger, after 1. Left empty, they are those of the plan.',
          optional: true,
        },
      ],
      source,
      answersNeed: false,
      plan: (values) => {
        const draft = new Draft(files)
        const plan = values.text('plan')
        const fromPlan = phasesOf(plan)
        const lines = values.text('phases')
        const { id, text } = newSession({
          task: values.text('task') ?? '',
          design: inProject(files, values.text('design')),
          plan: inProject(files, plan),
          phases: lines === undefined || lines === phaseLines(fromPlan) ? fromPlan : readPhaseLines(lines),
          time: values.time,
          taken: archivedSessions(files.listing, stateDir).map((file) => nameOf(file).replace(/\.md$/, '')),
        })
        draft.write(activeSession(stateDir), text)
        return { summary: `Created the session ${id}`, changes: draft.changes, warnings: [] }
      },
    },
  ]
}

function inProject({ candidate: { folder } }: RunFiles, path: string | undefined): string | null {
  if (path === undefined) return null
  return folder === '' ? path : path.slice(folder.length + 1)
}
