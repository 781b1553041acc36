import { listNames } from '@shared/listNames'
import { turnRecordRange, turnRecords, type TurnRecord } from '@shared/turnRecord'
import type { ActionPlan } from './edit/action'
import type { Offer, Offers } from './edit/offer'
import type { Reading, Remembered, RunFiles } from './format'

const RULE = 'uncommitted rule'
export const UNCOMMITTED_DEFAULT = 'uncommitted default'
const UNCOMMITTED_SETTLED = 'uncommitted settled'

export type LeftUncommitted = TurnRecord & { readonly number: number }

/** @returns undefined where nothing is left, or the matter was settled */
export function leftUncommitted(remembered: Remembered): LeftUncommitted | undefined {
  const newest = turnRecords(remembered).at(-1)
  if (!newest || newest.uncommitted.length === 0) return undefined
  return remembered.get(UNCOMMITTED_SETTLED) === String(newest.number) ? undefined : newest
}

export const settleUncommitted = ({ number }: LeftUncommitted): Readonly<Record<string, string>> => ({
  [UNCOMMITTED_SETTLED]: String(number),
})

export const unsettledChanges = (remembered: Remembered): LeftUncommitted | undefined =>
  (remembered.get(RULE) ?? remembered.get(UNCOMMITTED_DEFAULT)) === 'ask' ? leftUncommitted(remembered) : undefined

export const describeUncommitted = ({ role, task, uncommitted }: LeftUncommitted): string =>
  `The ${role}${task === null ? '' : ` of task ${task}`} left uncommitted changes in ${listNames(uncommitted)}.`

type Read<Details> = (files: RunFiles) => Reading<Details> | undefined

export const withUncommittedNeed =
  <Details>(read: Read<Details>): Read<Details> =>
  (files) => {
    const reading = read(files)
    const left = unsettledChanges(files.remembered)
    const state = reading?.view.state
    if (!reading || !left || !state || reading.view.archived || state.value === 'done') return reading
    const { view } = reading
    const source = sourceOf(files)
    const title = describeUncommitted(left)
    const waits = ['planning', 'running', 'ready'].includes(state.value ?? '')
    return {
      ...reading,
      view: {
        ...view,
        ...(waits ? { state: { ...state, value: 'waiting' as const }, reason: { value: title, source } } : {}),
        needs: [
          ...view.needs,
          {
            kind: 'approval',
            title,
            source,
            options: [],
            unblocks: [],
            detail: `${left.uncommitted.join('\n')}\n\nCommit, stash or leave them; then the run can continue.`,
            since: { value: left.endedAt, source: null },
          },
        ],
      },
    }
  }

/** The marker may be a folder, which cannot be shown. */
const sourceOf = ({ candidate: { marker }, files }: RunFiles) => ({
  file: files.has(marker) ? marker : ([...files.keys()][0] ?? marker),
  line: 1,
})

export const withUncommittedOffers =
  (offers: (files: RunFiles) => Offers) =>
  (files: RunFiles): Offers => {
    const own = offers(files)
    if (files.candidate.archived || !turnRecordRange(files.remembered)) return own
    const left = leftUncommitted(files.remembered)
    return { ...own, offers: [...own.offers, ...(left ? settling(files, left) : []), ruleOffer(files)] }
  }

function settling(files: RunFiles, left: LeftUncommitted): Offer[] {
  const { role, task, uncommitted } = left
  const work = `${role}${task === null ? '' : `, task ${task}`}`
  const offer = (
    { name, title, effect }: Pick<Offer, 'name' | 'title' | 'effect'>,
    fields: Offer['fields'],
    plan: (message: string) => Pick<ActionPlan, 'summary' | 'warnings' | 'git'>,
  ): Offer => ({
    name,
    title,
    effect,
    fields,
    target: '',
    source: sourceOf(files),
    answersNeed: unsettledChanges(files.remembered) !== undefined,
    plan: (values) => ({
      ...plan(values.text('message') ?? `Left by ${work}`),
      changes: [],
      remember: settleUncommitted(left),
    }),
  })
  const named = listNames(uncommitted)
  const message: Offer['fields'][number] = {
    name: 'message',
    label: 'Message',
    kind: 'line',
    value: `Left by ${work}`,
  }
  return [
    offer(
      {
        name: 'commit-changes',
        title: 'Commit what the turn left',
        effect: `Commits the changes in ${named}, and nothing else. Needs a trusted git repository.`,
      },
      [message],
      (text) => ({
        summary: `Committed what the ${role} left`,
        warnings: [],
        git: { kind: 'commit', files: uncommitted, message: text },
      }),
    ),
    offer(
      {
        name: 'stash-changes',
        title: 'Stash what the turn left',
        effect: `Puts the changes in ${named} away; git stash pop brings them back. Needs a trusted git repository.`,
      },
      [message],
      (text) => ({
        summary: `Stashed what the ${role} left`,
        warnings: [],
        git: { kind: 'stash', files: uncommitted, message: text },
      }),
    ),
    offer(
      {
        name: 'leave-changes',
        title: 'Leave them uncommitted',
        effect: 'Changes no file. The next turn finds them as they are.',
      },
      [],
      () => ({ summary: `Left the changes of the ${role} uncommitted`, warnings: [] }),
    ),
  ]
}

const ruleOffer = (files: RunFiles): Offer => ({
  name: 'set-uncommitted',
  target: '',
  title: 'Set what happens to uncommitted changes',
  effect:
    'Stores in Bridgedeck whether this run waits when a turn leaves changes uncommitted. No project file changes.',
  fields: [
    {
      name: 'rule',
      label: 'When a turn leaves changes',
      kind: 'choice',
      value: files.remembered.get(RULE) ?? 'default',
      options: [
        { value: 'ask', label: 'Wait for me' },
        { value: 'report', label: 'Report it and go on' },
        { value: 'default', label: 'As the settings say' },
      ],
    },
  ],
  source: sourceOf(files),
  answersNeed: false,
  plan: (values) => {
    const rule = values.text('rule')
    return {
      summary: 'Set what happens to uncommitted changes',
      changes: [],
      warnings: [],
      remember: { [RULE]: rule === 'default' ? null : (rule ?? null) },
    }
  },
})
