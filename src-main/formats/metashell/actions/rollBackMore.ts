import { isCommitName, isSameCommit } from '@shared/commitName'
import { turnRecords } from '@shared/turnRecord'
import type { Offer } from '../../edit/offer'
import { countText, needsRepository } from '../../edit/rollBack'
import { phaseCommits, replacedCommits, textsOf, variable } from '../state'
import { resume, revert, setBack } from './rollBackParts'
import { SessionDraft } from './sessionDraft'
import { commitsOf, type SessionRun } from './sessionRun'

interface Part {
  readonly name: string
  readonly target: string
  readonly what: string
  readonly commits: readonly string[]
  readonly effect: string
  readonly warnings?: readonly string[]
  readonly write: (draft: SessionDraft) => void
}

export function rollBackMore(run: SessionRun): Offer[] {
  const { session, state, tasks } = run
  const ofTasks = tasks.flatMap((task) => commitsOf(task))
  const replaced = textsOf(variable(state, replacedCommits))
  const phases = phaseCommits(state)
  const forgetReplaced = (draft: SessionDraft) => {
    if (replaced.length > 0) draft.removeVariable(replacedCommits)
  }
  const whole = wholeRun(run, [...ofTasks, ...replaced, ...phases.flatMap(({ commits }) => commits)])
  const hasMoreThanPhase = whole.some((commit) => !ofTasks.includes(commit) && !replaced.includes(commit))
  const parts: Part[] = [
    {
      name: 'roll-back-phase',
      target: '',
      what: 'this phase',
      commits: [...ofTasks, ...replaced],
      effect: 'sets its tasks to pending',
      write: (draft) => {
        setAllBack(run, draft, 'The phase')
        forgetReplaced(draft)
      },
    },
    {
      name: 'roll-back-replaced',
      target: '',
      what: 'the replaced plans',
      commits: replaced,
      effect: 'leaves the tasks of the present plan as they are',
      write: forgetReplaced,
    },
    ...phases.map(({ phase, node, commits }): Part => ({
      name: 'roll-back-phase',
      target: phase,
      what: `phase ${phase}`,
      commits,
      effect: 'stays in the present phase',
      warnings: [`Phase ${phase} is not planned again: the session goes on with its present phase.`],
      write: (draft) => draft.set(session, node, []),
    })),
    {
      name: 'roll-back-run',
      target: '',
      what: 'the whole run',
      commits: hasMoreThanPhase ? whole : [],
      effect: 'sets the tasks of the present phase to pending',
      write: (draft) => {
        setAllBack(run, draft, 'The run')
        for (const { node } of phases) draft.set(session, node, [])
        forgetReplaced(draft)
      },
    },
  ]
  return parts.flatMap((part) => offerOf(run, part))
}

function wholeRun({ files, state }: SessionRun, commits: readonly string[]): string[] {
  const apart = turnRecords(files.remembered).flatMap((turn) => (turn.task === null ? turn.commits : []))
  const reverted = textsOf(variable(state, 'reverted_commits'))
  const whole: string[] = []
  for (const commit of [...commits, ...apart])
    if (![...whole, ...reverted].some((known) => isSameCommit(known, commit))) whole.push(commit)
  return whole
}

function offerOf(run: SessionRun, { name, target, what, commits, effect, warnings = [], write }: Part): Offer[] {
  if (commits.length === 0 || !commits.every(isCommitName)) return []
  return [
    {
      name,
      target,
      title: `Roll back ${what}`,
      fields: [],
      answersNeed: false,
      effect: `Reverts ${countText(commits)} with git, and ${effect}. ${needsRepository}`,
      source: { file: run.session.file },
      plan: () => {
        const draft = new SessionDraft(run)
        write(draft)
        draft.remember('reverted_commits', commits)
        return { summary: `Rolled back ${what}`, changes: draft.draft.changes, warnings, ...revert(run, commits) }
      },
    },
  ]
}

function setAllBack(run: SessionRun, draft: SessionDraft, what: string): void {
  setBack(draft, run.tasks)
  if (run.cursor !== undefined && run.cursor > 0) draft.setCursor(0)
  resume(run, draft, `${what} was rolled back; its tasks are pending.`, run.tasks)
}
