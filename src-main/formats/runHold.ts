import type { RunNeed, ValueSource } from '@shared/contract/orchestration'
import {
  allOfBatches,
  batchesIn,
  failureKinds,
  isOnlyShown,
  releaseHold,
  runHold,
  type Ceiling,
  type RunHold,
} from '@shared/runHold'
import type { Offer } from './edit/offer'
import type { Remembered } from './format'

const details: Readonly<Record<RunHold['kind'], string>> = {
  'no-progress': 'Look at its last turns, then let it continue.',
  'same-error': 'Look at its last turns, then let it continue.',
  'lost-tasks': 'Put them back, from git or the history, or let it continue without them.',
  'lost-commits': 'Bring them back with git, such as git cherry-pick, or let it continue without them.',
  'lost-state':
    'Look at the file, then let the run continue from it. To end the run, archive or delete the file yourself.',
  'no-commits':
    'Commit what they left, or let it continue: then it counts as done. A sandbox may keep the agents from writing .git.',
  agent: 'Sign in, or correct how the agent is set up; then let it continue.',
  ceiling: 'Raise the limit to continue.',
  failed: 'Look at its log, then start it again.',
  interrupted: 'Resume it: it goes on from its files.',
  check: 'Look at what the check printed. Correct the work, or open the task again; then let the run continue.',
}

export function holdNeeds(remembered: Remembered, source: ValueSource | undefined): RunNeed[] {
  const hold = runHold(remembered)
  if (!hold || !source) return []
  return [
    {
      kind: failureKinds.includes(hold.kind) || isOnlyShown(hold) ? 'failure' : 'limit',
      title: hold.message,
      source,
      options: [],
      unblocks: [],
      detail: details[hold.kind],
      since: { value: hold.since, source: null },
    },
  ]
}

export const holdOffers = (remembered: Remembered, source: ValueSource | undefined): Offer[] =>
  offersOf(remembered, source, 'This run')

function offersOf(remembered: Remembered, source: ValueSource | undefined, subject: string): Offer[] {
  const hold = runHold(remembered)
  if (!hold || !source) return []
  const { ceiling } = hold
  if (ceiling) return [raise(remembered, ceiling, source, subject)]
  return [
    {
      name: 'continue-run',
      target: '',
      title: 'Continue',
      fields: [],
      source,
      answersNeed: true,
      effect: 'Counts turns and errors from zero, and continues the run. No project file changes.',
      plan: () => ({
        summary: 'Let the run continue',
        changes: [],
        warnings: [],
        remember: releaseHold(remembered, hold),
      }),
    },
  ]
}

export const batchHoldNeeds = (remembered: Remembered, source: ValueSource | undefined): RunNeed[] =>
  holdNeeds(batchesIn(remembered), source)

export const batchHoldOffers = (remembered: Remembered, source: ValueSource | undefined): Offer[] =>
  offersOf(batchesIn(remembered), source, 'The project’s batches').map((offer) => ({
    ...offer,
    target: 'batches',
    effect: `${offer.fields.length > 0 ? 'Raises the limit for the batches of this run' : 'Lets the batches of this run continue'}, and resumes the one that stopped. No project file changes.`,
    plan: (values) => {
      const { remember = {}, ...plan } = offer.plan(values)
      return { ...plan, remember: allOfBatches(remember) }
    },
  }))

const scopes: Readonly<Record<Exclude<Ceiling['scope'], 'run'>, string>> = {
  day: 'All runs together may use today, before this one stops',
  night: 'All runs together may use this night, before this one stops',
  total: 'All runs together may use, before this one stops',
}

function raise(remembered: Remembered, ceiling: Ceiling, source: ValueSource, subject: string): Offer {
  const { scope, measure, limit } = ceiling
  const step = measure === 'cost' ? 0.01 : 0.1
  const unit = measure === 'cost' ? 'USD' : 'hours'
  return {
    name: 'raise-limit',
    target: '',
    title: 'Raise the limit and continue',
    source,
    answersNeed: true,
    effect: 'Raises the limit for this run alone, and continues it. No project file changes.',
    fields: [
      {
        name: 'limit',
        label: `New limit (${unit})`,
        kind: 'number',
        value: Math.max(limit * 2, step),
        step,
        minimum: Math.round((limit + step) * 100) / 100,
        help: `${scope === 'run' ? `${subject} may use` : scopes[scope]}. Now: ${limit}.`,
      },
    ],
    plan: (values) => ({
      summary: `Raised the limit from ${limit} to ${values.number('limit') ?? limit} ${unit}`,
      changes: [],
      warnings: [],
      remember: releaseHold(
        remembered,
        { kind: 'ceiling', message: '', since: values.now, ceiling },
        values.number('limit'),
      ),
    }),
  }
}
