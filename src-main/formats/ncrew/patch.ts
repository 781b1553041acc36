/** What a person does with an ncrew project, in the bytes that specification 002 has for it. */
import { AppError } from '@shared/contract/errors'
import type { Action, ActionField, ActionPlan, ActionRequest } from '../edit/action'
import { Draft } from '../edit/draft'
import { quote, type TextEdit } from '../finding'
import type { RunFiles } from '../format'
import { parseLockHolder } from '../edit/lockHolder'
import { field, numberOf, textOf } from '../text/located'
import { listed, planOffer, sorted, type Offer, type Offers, type Refusal, type Values } from '../edit/offer'
import { pathTo, replaceSpan, type Path } from '../text/splice'
import type { StateText } from '../text/stateFile'
import { approvedAt, gateName, openGate } from './gates'
import {
  answerLine,
  emoji,
  indexField,
  isFilledIn,
  isPending,
  isProject,
  limitOf,
  locate,
  maxCost,
  maxIterations,
  statusOf,
  type MarkdownFile,
  type Phase,
  type Question,
  type State,
} from './state'

export const actions = (files: RunFiles): Action[] => listed(offersFor(files))
export const plan = (files: RunFiles, request: ActionRequest): ActionPlan => planOffer(offersFor(files), request)

type Task = Phase['tasks'][number]

function offersFor(files: RunFiles): Offers {
  const state = locate(files)
  if (files.candidate.archived || !isProject(files, state)) return { offers: [], refusals: [] }
  const { tasks } = state
  return sorted([
    ...state.questions.map((question) => answer(files, state, question)),
    ...approve(files, state),
    ...(tasks
      ? state.phases.flatMap((phase) => phase.tasks.map((task) => tick(files, state, tasks, phase, task)))
      : []),
    ...raiseLimits(files, state),
    ...reopen(files, state),
    ...unlock(files, state),
    ...gitSteps(files),
  ])
}

/** The decision, the reason and the date in their lines, and the status of the front matter; nothing else. */
function answer(files: RunFiles, state: State, question: Question): Offer | Refusal {
  const { file, title, status, decision, reason, decisionLine } = question
  const path = file.text.path
  const refuse = (because: string, hint: string): Refusal => ({ name: 'answer', target: path, because, hint })
  if (!isPending(question))
    return refuse(
      `${path} is answered already: its status is ${quote(textOf(status) ?? null)}.`,
      'Change it in an editor if the answer has to be another one.',
    )
  if (!decisionLine)
    return refuse(
      `${path} has no line **Decision:** for the answer.`,
      'Add the line in an editor, or write the answer there and set status: resolved.',
    )
  const reasonLine = answerLine(file, 'Reason')
  const fields: ActionField[] = [
    { name: 'decision', label: 'Decision', kind: 'line', value: decision ?? '', suggestions: question.options },
    ...(reasonLine
      ? [{ name: 'reason', label: 'Reason', kind: 'line', value: reason ?? '', optional: true } as const]
      : []),
  ]
  return {
    name: 'answer',
    target: path,
    title: `Answer: ${title}`,
    effect: 'Your decision is written into the question, which is then resolved; the next expert reads it there.',
    fields,
    source: { file: path, line: decisionLine.line },
    answersNeed: true,
    plan: (values) => {
      const draft = new Draft(files)
      const dateLine = answerLine(file, 'Date')
      const dated = dateLine && !isFilledIn(dateLine.value) ? fillIn(file, 'Date', values.time.slice(0, 10)) : []
      draft.edit(path, [
        ...fillIn(file, 'Decision', values.text('decision')),
        ...fillIn(file, 'Reason', values.text('reason')),
        ...dated,
      ])
      draft.front(path, ['status'], 'resolved')
      const open = state.questions.filter((other) => isPending(other)).length - 1
      return {
        summary: `Answered ${path}`,
        changes: draft.changes,
        warnings: [
          ...(open > 0
            ? [
                `${open} more ${open === 1 ? 'question waits' : 'questions wait'} for an answer before the loop can go on.`,
              ]
            : []),
          ...(textOf(indexField(state, 'status')) === 'blocked'
            ? ['INDEX.md stays blocked until the next expert’s turn: resume the loop for that.']
            : []),
        ],
      }
    },
  }
}

function fillIn(file: MarkdownFile, name: 'Decision' | 'Reason' | 'Date', text: string | undefined): TextEdit[] {
  const place = answerLine(file, name)
  if (text === undefined || !place) return []
  if (!isFilledIn(text))
    throw new AppError('INVALID', `${quote(text)} would read as a blank to be filled in.`, {
      hint: 'Write more than underscores, and not all of it in brackets.',
    })
  return place.value === text ? [] : [replaceSpan(place, `${place.gap}${text}`)]
}

/** A gate's approval has no place in the project's files: it would be committed by the next expert, or cleaned away. */
function approve(files: RunFiles, state: State): Offer[] {
  const gate =
    state.complete === undefined && !state.questions.some(isPending) ? openGate(state, files.remembered) : undefined
  if (!gate || !state.manifest) return []
  const { key, name } = gate.phase
  return [
    {
      name: 'approve',
      target: key,
      title: `Approve the phase ${name}`,
      effect:
        'Bridgedeck remembers the approval, so the loop goes on with the next phase; no file of the project changes.',
      fields: [],
      source: state.manifest.source(gate.entry),
      answersNeed: true,
      plan: ({ now }) => ({
        summary: `Approved the phase ${name}`,
        changes: [],
        warnings: [
          'Only Bridgedeck knows of the approval: a loop that is run by something else stops at this gate again.',
        ],
        remember: { [gateName(gate.phase)]: approvedAt(now) },
      }),
    },
  ]
}

/** One byte between the brackets; the heading and the time of tasks.md only when asked for. */
function tick(files: RunFiles, state: State, tasks: MarkdownFile, phase: Phase, { key, line }: Task): Offer {
  const checked = !line.checked
  const done = phase.tasks.filter((task) => task.line.checked).length + (checked ? 1 : -1)
  const becomes = statusOf(done, phase.tasks.length)
  const heading = becomes === phase.claimed ? [] : headingEdit(tasks.text, phase, becomes)
  const updated = field(tasks.front.document.root, 'updated')
  const also = [
    ...(heading.length === 0 ? [] : [{ value: 'heading', label: `The phase’s heading: ${becomes}` }]),
    ...(updated ? [{ value: 'updated', label: 'The time of the list' }] : []),
  ]
  const file = tasks.text.path
  const all = state.phases.flatMap((other) => other.tasks)
  return {
    name: checked ? 'tick' : 'untick',
    target: key,
    title: checked ? `Mark “${line.text}” as done` : `Mark “${line.text}” as not done`,
    effect: checked
      ? 'Its box is ticked, so no expert takes it any more.'
      : 'Its box is emptied, so an expert does it again when its turn comes.',
    fields:
      also.length === 0
        ? []
        : [{ name: 'also', label: 'Change as well', kind: 'several', value: [], options: also, optional: true }],
    source: { file, line: line.line },
    answersNeed: false,
    plan: (values) => {
      const also = values.several('also')
      const draft = new Draft(files)
      draft.edit(file, [
        { offset: line.mark, length: 1, text: checked ? 'x' : ' ' },
        ...(also.includes('heading') ? heading : []),
      ])
      if (also.includes('updated')) draft.front(file, ['updated'], updatedAs(textOf(updated), values))
      return {
        summary: checked ? `Marked “${line.text}” as done` : `Marked “${line.text}” as not done`,
        changes: draft.changes,
        warnings: [
          ...(checked && all.every((task) => task.key === key || task.line.checked)
            ? [
                'This is the last open task. The project is complete only when an expert, or you, makes the file CREW_COMPLETE.',
              ]
            : []),
          ...(!checked && state.complete !== undefined
            ? ['CREW_COMPLETE is there, so the loop does not start: reopen the project for that.']
            : []),
        ],
      }
    },
  }
}

/** In the form that stands there: a day alone stays one. */
const updatedAs = (written: string | undefined, { time }: Values): string =>
  /^\d{4}-\d\d-\d\d$/.test(written ?? '')
    ? time.slice(0, 10)
    : written?.includes('.') === true
      ? time
      : time.replace(/\.\d+Z$/, 'Z')

/** The status at a heading's end with the emoji before it, in place. A heading without a status gets none. */
function headingEdit({ text }: StateText, { heading, claimed }: Phase, becomes: keyof typeof emoji): TextEdit[] {
  const [suffix, mark = ''] =
    /([^\sA-Za-z0-9#-]+[ \t]+)?(?:COMPLETED?|IN[ \t]+PROGRESS|PENDING)[ \t]*$/i.exec(
      text.slice(heading.start, heading.end),
    ) ?? []
  if (claimed === undefined || suffix === undefined) return []
  // A dash before the status stays; anything else is an emoji, or what a wrong encoding left of one.
  const isEmoji = /[^\p{ASCII}\p{Pd}]/u.test(mark)
  const offset = heading.end - suffix.length + (isEmoji ? 0 : mark.length)
  const length = suffix.trimEnd().length - (isEmoji ? 0 : mark.length)
  const gap = /\s+$/.exec(mark)?.[0] ?? ''
  return [{ offset, length, text: isEmoji ? `${emoji[becomes]}${gap}${becomes}` : becomes }]
}

function raiseLimits(files: RunFiles, state: State): Offer[] {
  const { manifest } = state
  if (!manifest) return []
  const used = {
    max_iterations: numberOf(indexField(state, 'current_iteration')) ?? 0,
    max_cost: numberOf(indexField(state, 'cost_so_far')) ?? 0,
  }
  const set = (draft: Draft, name: keyof typeof used, value: number | undefined): void => {
    const node = limitOf(state, name)
    const path: Path = node ? pathTo(manifest, node) : ['execution', name]
    if (value !== undefined && value !== numberOf(node)) draft.yaml(manifest.file, path, value)
  }
  const reached = used.max_iterations >= maxIterations(state) || used.max_cost >= maxCost(state)
  return [
    {
      name: 'set-limits',
      target: '',
      title: 'Set the limits of turns and cost',
      effect: 'The manifest gets the new limits; they hold from the next turn on.',
      fields: [
        {
          name: 'iterations',
          label: 'Turns at most',
          kind: 'number',
          value: maxIterations(state),
          minimum: 1,
          step: 1,
          help: `${used.max_iterations} are used.`,
          optional: true,
        },
        {
          name: 'cost',
          label: 'Cost at most, USD',
          kind: 'number',
          value: maxCost(state),
          minimum: 0,
          step: 0.01,
          help: `${used.max_cost.toFixed(2)} are spent.`,
          optional: true,
        },
      ],
      source: { file: manifest.file },
      answersNeed: false,
      plan: (values) => {
        const iterations = values.number('iterations') ?? maxIterations(state)
        const cost = values.number('cost') ?? maxCost(state)
        if (iterations === maxIterations(state) && cost === maxCost(state))
          throw new AppError('INVALID', 'These are the limits that hold already.', {
            hint: 'Name another number of turns or another cost.',
          })
        const draft = new Draft(files)
        if (iterations !== maxIterations(state)) set(draft, 'max_iterations', iterations)
        if (cost !== maxCost(state)) set(draft, 'max_cost', cost)
        const left = [
          ...(used.max_iterations >= iterations ? ['turns'] : []),
          ...(used.max_cost >= cost ? ['cost'] : []),
        ]
        return {
          summary: `Set the limits to ${iterations} turns and ${cost} USD`,
          changes: draft.changes,
          warnings:
            left.length === 0
              ? []
              : [
                  `The limit of ${left.join(' and ')} is ${reached ? 'still' : 'then'} reached, so the loop does not go on.`,
                ],
        }
      },
    },
  ]
}

function reopen(files: RunFiles, state: State): Offer[] {
  const { complete, tasks, index } = state
  const done = state.phases.flatMap((phase) =>
    phase.tasks.filter(({ line }) => line.checked).map((task) => ({ phase, task })),
  )
  if (complete === undefined || !tasks || done.length === 0) return []
  return [
    {
      name: 'reopen',
      target: '',
      title: 'Reopen the finished project',
      effect: 'CREW_COMPLETE is deleted, INDEX.md says in_progress, and one task is to be done again.',
      fields: [
        {
          name: 'task',
          label: 'To be done again',
          kind: 'choice',
          value: done.at(-1)?.task.key ?? null,
          options: done
            .slice(-500)
            .map(({ phase, task }) => ({ value: task.key, label: `${phase.name}: ${task.line.text}` })),
        },
      ],
      source: { file: complete },
      answersNeed: false,
      plan: (values) => {
        const task = done.find((entry) => entry.task.key === values.text('task'))?.task
        const draft = new Draft(files)
        if (task) draft.edit(tasks.text.path, [{ offset: task.line.mark, length: 1, text: ' ' }])
        if (index && indexField(state, 'status')) draft.front(index.text.path, ['status'], 'in_progress')
        draft.write(complete, null)
        return { summary: 'Reopened the project', changes: draft.changes, warnings: [] }
      },
    },
  ]
}

function unlock(files: RunFiles, { lock }: State): Offer[] {
  if (lock === undefined) return []
  return [
    {
      name: 'unlock',
      target: '',
      title: 'Remove the lock',
      effect: `${lock} is deleted, so that a loop can be started again.`,
      fields: [],
      source: { file: lock },
      answersNeed: false,
      plan: () => {
        const draft = new Draft(files)
        const content = draft.text(lock).text.trim()
        draft.write(lock, null)
        const holder = parseLockHolder(content)
        const owner = content === '' ? 'It is empty, so nobody can be told to hold it.' : `It holds: ${quote(content)}.`
        return {
          summary: `Removed ${lock}`,
          changes: draft.changes,
          warnings: [`Be sure that no loop runs in this project: two would work against each other. ${owner}`],
          ...(holder ? { holder } : {}),
        }
      },
    },
  ]
}

function gitSteps({ candidate: { marker } }: RunFiles): Offer[] {
  const step = (
    name: string,
    title: string,
    effect: string,
    fields: readonly ActionField[],
    planned: Offer['plan'],
  ): Offer => ({
    name,
    target: '',
    title,
    effect: `${effect} A backup is kept under a ref of git. Needs a git repository that is trusted.`,
    fields,
    source: { file: marker },
    answersNeed: false,
    plan: planned,
  })
  const questions = 'Answers and questions that are not committed go with it.'
  return [
    step(
      'discard-turn',
      'Discard what is not committed',
      'What a failed turn left behind is taken away: changes since the last commit, and new files.',
      [],
      () => ({
        summary: 'Discarded what was not committed',
        changes: [],
        warnings: [questions],
        git: { kind: 'discard' },
      }),
    ),
    step(
      'undo-iteration',
      'Undo the last iteration',
      'The last commit is taken back: a task, INDEX.md and what was made for it together, as one commit is one task.',
      [],
      () => ({
        summary: 'Undid the last iteration',
        changes: [],
        warnings: [
          'If the last commit is not an expert’s, it is taken back all the same: look at it first.',
          questions,
        ],
        git: { kind: 'reset', commit: 'HEAD~1' },
      }),
    ),
    step(
      'reset',
      'Go back to a commit',
      'Everything after the commit is taken back.',
      [{ name: 'commit', label: 'Commit', kind: 'line', value: '', help: 'Its hash, 7 characters or more.' }],
      (values) => {
        const commit = values.text('commit') ?? ''
        if (!/^[0-9a-f]{7,40}$/i.test(commit))
          throw new AppError('INVALID', `${quote(commit)} is no hash of a commit.`, {
            hint: 'Take it from git log: 7 to 40 hexadecimal digits.',
          })
        return { summary: `Went back to ${commit}`, changes: [], warnings: [questions], git: { kind: 'reset', commit } }
      },
    ),
  ]
}
