import { Draft } from '../../edit/draft'
import type { Offer, Values } from '../../edit/offer'
import type { TextEdit } from '../../finding'
import type { RunFiles } from '../../format'
import { field, textOf } from '../../text/located'
import type { StateText } from '../../text/stateFile'
import { emoji } from '../heading'
import type { MarkdownFile } from '../markdownFile'
import { statusOf, type Phase } from '../phases'
import type { State } from '../state'

type CrewTask = Phase['tasks'][number]

export function tick(files: RunFiles, state: State, tasks: MarkdownFile, phase: Phase, { key, line }: CrewTask): Offer {
  const checked = !line.checked
  const done = phase.tasks.filter((task) => task.line.checked).length + (checked ? 1 : -1)
  const becomes = statusOf(done, phase.tasks.length)
  const heading = becomes === phase.claimed ? [] : headingEdit(tasks.text, phase, becomes)
  const updated = field(tasks.front.document.root, 'updated')
  const also = [
    ...(heading.length === 0 ? [] : [{ value: 'heading', label: `Phase heading: ${becomes}` }]),
    ...(updated ? [{ value: 'updated', label: 'Time of the list' }] : []),
  ]
  const file = tasks.text.path
  const all = state.phases.flatMap((other) => other.tasks)
  return {
    name: checked ? 'tick' : 'untick',
    target: key,
    title: checked ? `Mark “${line.text}” as done` : `Mark “${line.text}” as not done`,
    effect: checked ? 'Ticks its box, so that no expert takes it.' : 'Clears its box, so that an expert does it again.',
    fields:
      also.length === 0
        ? []
        : [{ name: 'also', label: 'Also change', kind: 'several', value: [], options: also, optional: true }],
    source: { file, line: line.line },
    answersNeed: false,
    plan: (values) => {
      const also = values.several('also')
      const draft = new Draft(files)
      draft.edit(file, [
        { offset: line.mark, length: line.written.length, text: checked ? 'x' : ' ' },
        ...(also.includes('heading') ? heading : []),
      ])
      if (also.includes('updated')) draft.front(file, ['updated'], updatedAs(textOf(updated), values))
      return {
        summary: checked ? `Marked “${line.text}” as done` : `Marked “${line.text}” as not done`,
        changes: draft.changes,
        warnings: [
          ...(checked && all.every((task) => task.key === key || task.line.checked)
            ? ['This is the last open task. The project is complete only once CREW_COMPLETE exists.']
            : []),
          ...(!checked && state.complete !== undefined
            ? ['CREW_COMPLETE exists, so the loop does not start. Reopen the project first.']
            : []),
        ],
      }
    },
  }
}

const updatedAs = (written: string | undefined, { time }: Values): string =>
  /^\d{4}-\d\d-\d\d$/.test(written ?? '')
    ? time.slice(0, 10)
    : written?.includes('.') === true
      ? time
      : time.replace(/\.\d+Z$/, 'Z')

export function headingEdit({ text }: StateText, { heading, claimed }: Phase, becomes: keyof typeof emoji): TextEdit[] {
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
