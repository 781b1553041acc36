import type { ActionPlan } from '../../edit/action'
import { Draft } from '../../edit/draft'
import type { Offer, Refusal } from '../../edit/offer'
import { attemptField, chosenAttempt, countText, needsRepository } from '../../edit/rollBack'
import type { RunFiles } from '../../format'
import { within } from '../../listing'
import { CREW, places, questionsFolder } from '../detect'
import { gateName } from '../gates'
import { statusOf, type Phase } from '../phases'
import { recordedTurns, REVERTED, revertedCommits, type RecordedTurn } from '../recordedTurns'
import type { State } from '../state'
import { openAgain } from './reopen'
import { headingEdit } from './tick'

type CrewTask = Phase['tasks'][number]

export function rollBack(files: RunFiles, state: State): (Offer | Refusal)[] {
  const turns = recordedTurns(state, files.remembered)
  const crew = { files, state }
  return [
    ...state.phases.flatMap(({ tasks }) => tasks.flatMap((task) => rollBackTask(crew, task, turns))),
    ...state.phases.flatMap((phase) => {
      const keys = new Set(phase.tasks.map(({ key }) => key))
      const own = turns.filter(({ task }) => task !== undefined && keys.has(task))
      return offerOf(crew, { name: 'roll-back-phase', target: phase.key, what: `phase ${phase.name}`, turns: own })
    }),
    ...offerOf(crew, { name: 'roll-back-run', target: '', what: 'the whole run', turns }),
  ]
}

interface CrewRun {
  readonly files: RunFiles
  readonly state: State
}

interface Part {
  readonly name: string
  readonly target: string
  readonly what: string
  readonly turns: readonly RecordedTurn[]
}

function offerOf(crew: CrewRun, { name, target, what, turns }: Part): Offer[] {
  const { files, state } = crew
  const commits = turns.flatMap((turn) => turn.commits)
  if (commits.length === 0) return []
  const worked = new Set(turns.map(({ task }) => task))
  const tasks = state.phases.flatMap((phase) => phase.tasks.filter(({ key }) => worked.has(key)))
  const others = state.phases
    .filter(({ key }) => target === '' || key === target)
    .flatMap((phase) => phase.tasks.filter(({ key, line }) => line.checked && !worked.has(key)))
  return [
    {
      name,
      target,
      title: `Roll back ${what}`,
      fields: [],
      answersNeed: false,
      effect: `Reverts ${countText(commits)} with git and clears the boxes of its tasks. ${keeps}`,
      source: { file: state.tasks?.text.path ?? files.candidate.marker },
      plan: () =>
        planOf(crew, {
          summary: `Rolled back ${what}`,
          commits,
          tasks,
          warnings:
            others.length === 0
              ? []
              : [`${others.length === 1 ? '1 task' : `${others.length} tasks`} without a recorded turn stay checked.`],
        }),
    },
  ]
}

const keeps = `INDEX.md, tasks.md and the questions keep what else they say. ${needsRepository}`

function rollBackTask(crew: CrewRun, task: CrewTask, all: readonly RecordedTurn[]): (Offer | Refusal)[] {
  const { key, line } = task
  const attempts = all.filter((turn) => turn.task === key && turn.commits.length > 0)
  const commits = attempts.flatMap((turn) => turn.commits)
  if (commits.length === 0)
    return [
      {
        name: 'roll-back',
        target: key,
        because: `No recorded turn has commits for “${line.text}”.`,
        hint: line.checked ? 'To have it done again, clear its box with the action untick.' : 'It is open already.',
      },
    ]
  const source = { file: crew.state.tasks?.text.path ?? '', line: line.line }
  const whole: Offer = {
    name: 'roll-back',
    target: key,
    title: `Roll back “${line.text}”`,
    fields: [],
    source,
    answersNeed: false,
    effect: `Reverts ${countText(commits)} with git and clears its box. ${keeps}`,
    plan: () => planOf(crew, { summary: `Rolled back “${line.text}”`, commits, tasks: [task], warnings: [] }),
  }
  if (attempts.length < 2) return [whole]
  return [
    whole,
    {
      name: 'roll-back-attempt',
      target: key,
      title: `Roll back an attempt at “${line.text}”`,
      source,
      effect: `Reverts the commits of one turn with git and keeps those of the others. ${keeps}`,
      fields: [attemptField(attempts)],
      answersNeed: false,
      plan: (values) =>
        planOf(crew, {
          summary: `Rolled back an attempt at “${line.text}”`,
          tasks: [],
          commits: chosenAttempt(attempts, values.text('attempt')),
          warnings: [`The task stays ${line.checked ? 'checked' : 'open'}.`],
        }),
    },
  ]
}

interface Taken {
  readonly summary: string
  readonly commits: readonly string[]
  readonly tasks: readonly CrewTask[]
  readonly warnings: readonly string[]
}

function planOf({ files, state }: CrewRun, { summary, commits, tasks, warnings }: Taken): ActionPlan {
  const draft = new Draft(files)
  const cleared = new Set(tasks.flatMap(({ key, line }) => (line.checked ? key : [])))
  const touched = state.phases.filter((phase) => phase.tasks.some(({ key }) => cleared.has(key)))
  const list = state.tasks?.text
  if (list)
    draft.edit(
      list.path,
      touched.flatMap((phase) => [...reopenedHeading(phase, cleared, list), ...clearedBoxes(phase, cleared)]),
    )
  if (cleared.size > 0) openAgain(draft, state)
  const gates = touched.filter(({ derived }) => derived === 'COMPLETE').map((phase) => [gateName(phase), null] as const)
  return {
    summary,
    changes: draft.changes,
    warnings,
    git: { kind: 'revert', commits, kept: keptFiles(files, state) },
    remember: {
      ...Object.fromEntries(gates),
      [REVERTED]: JSON.stringify([...revertedCommits(files.remembered), ...commits]),
    },
  }
}

const clearedBoxes = ({ tasks }: Phase, cleared: ReadonlySet<string>) =>
  tasks
    .filter(({ key }) => cleared.has(key))
    .map(({ line }) => ({ offset: line.mark, length: line.written.length, text: ' ' }))

function reopenedHeading(phase: Phase, cleared: ReadonlySet<string>, list: NonNullable<State['tasks']>['text']) {
  const left = phase.tasks.filter(({ key, line }) => line.checked && !cleared.has(key)).length
  return phase.claimed === phase.derived ? headingEdit(list, phase, statusOf(left, phase.tasks.length)) : []
}

/** Each expert commits these files with its work: they are not reverted. */
function keptFiles({ candidate: { folder } }: RunFiles, { manifest }: State): string[] {
  const own = questionsFolder(folder, manifest?.root)
  const names = [...places.index, ...places.tasks, ...places.questions, ...places.manifest, 'CREW_COMPLETE', CREW]
  return [...new Set([...names.map((name) => within(folder, name)), ...(own === undefined ? [] : [own])])]
}
