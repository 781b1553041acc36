import { cut } from '@shared/contract/bounded'
import { AppError } from '@shared/contract/errors'
import type { OfferedAction, OfferedField, EditValues } from '@shared/contract/edits'
import type { ActionPlan, ActionRequest } from './action'
import { quote } from '../finding'
import type { Format, RunFiles } from '../format'

export const MAX_LINE_LENGTH = 2_000
const MAX_TEXT_LENGTH = 20_000

export class Values {
  readonly #values: EditValues
  /** ms since 1970. */
  readonly now: number

  constructor(values: EditValues, now: number) {
    this.#values = values
    this.now = now
  }

  text = (name: string): string | undefined => {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }
  number = (name: string): number | undefined => {
    const value = this.#values[name]
    return typeof value === 'number' ? value : undefined
  }
  several = (name: string): readonly string[] => {
    const value = this.#values[name]
    return typeof value === 'object' ? value : []
  }
  /** ISO 8601 in UTC. */
  get time(): string {
    return new Date(this.now).toISOString()
  }
}

const MAX_QUESTION_CHARACTERS = 200

export const answeredSummary = (question: string): string => `Answered “${cut(question, MAX_QUESTION_CHARACTERS)}”`

export interface Offer extends OfferedAction {
  readonly plan: (values: Values) => ActionPlan
}

export interface Refusal {
  readonly name: string
  readonly target: string
  readonly because: string
  readonly hint: string
}

export interface Offers {
  readonly offers: readonly Offer[]
  readonly refusals: readonly Refusal[]
}

export const sorted = (entries: readonly (Offer | Refusal)[]): Offers => ({
  offers: entries.filter((entry) => 'plan' in entry),
  refusals: entries.filter((entry) => 'because' in entry),
})

const listed = ({ offers }: Offers): OfferedAction[] => offers.map(({ plan: _, ...action }) => action)

export const fromOffers = (offers: (files: RunFiles) => Offers): Pick<Format, 'actions' | 'plan'> => ({
  actions: (files) => listed(offers(files)),
  plan: (files, request) => planOffer(offers(files), request),
})

function planOffer({ offers, refusals }: Offers, { name, target, values, now }: ActionRequest): ActionPlan {
  const offer = offers.find((candidate) => candidate.name === name && candidate.target === target)
  if (offer) return offer.plan(new Values(checked(offer.fields, values), now))
  const refusal = refusals.find((candidate) => candidate.name === name && candidate.target === target)
  if (refusal) throw new AppError('CONFLICT', refusal.because, { hint: refusal.hint })
  throw new AppError('NOT_FOUND', `No action ${name} for ${target === '' ? 'this run' : quote(target)} now.`, {
    hint: 'The run may have changed. Reload its actions.',
  })
}

function checked(fields: readonly OfferedField[], values: EditValues): EditValues {
  const known = new Set(fields.map((field) => field.name))
  for (const name of Object.keys(values))
    if (!known.has(name))
      throw new AppError('INVALID', `Unknown value ${quote(name)}. Expected: ${[...known].join(', ') || 'none'}.`)
  const entries = fields.flatMap((field) => {
    const value = checkedValue(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined)
    if (value === undefined && field.optional !== true)
      throw new AppError('INVALID', `${field.label} is missing.`, { hint: 'Fill it in.' })
    return value === undefined ? [] : [[field.name, value] as const]
  })
  return Object.fromEntries(entries)
}

function checkedValue(
  field: OfferedField,
  value: string | number | readonly string[] | undefined,
): string | number | readonly string[] | undefined {
  const refuse = (expected: string): AppError =>
    new AppError('INVALID', `${field.label} must be ${expected}, not ${quote(value)}.`)
  if (value === undefined) return field.kind === 'several' && field.optional === true ? [] : undefined
  switch (field.kind) {
    case 'line':
    case 'text': {
      if (typeof value !== 'string') throw refuse('text')
      const longest = field.kind === 'line' ? MAX_LINE_LENGTH : MAX_TEXT_LENGTH
      if (value.length > longest)
        throw new AppError('INVALID', `${field.label} has ${value.length} characters; ${longest} fit.`)
      // Control characters except tabs are refused, and in a line also U+2028 and U+2029, which end lines for some
      // readers.
      if (field.kind === 'line' && /[^\P{Cc}\t]|[\u2028\u2029]/u.test(value)) throw refuse('one line')
      if (/[^\P{Cc}\t\r\n]|\p{Cs}/u.test(value)) throw refuse('text without control characters')
      return value.trim() === '' ? undefined : value.trim()
    }
    case 'number': {
      const { minimum = -Infinity, maximum = Infinity, step } = field
      if (typeof value !== 'number' || !Number.isFinite(value)) throw refuse('a number')
      if (value < minimum || value > maximum)
        throw refuse(maximum === Infinity ? `${minimum} or more` : `from ${minimum} to ${maximum}`)
      if (step === 1 && !Number.isSafeInteger(value)) throw refuse('a whole number')
      return value
    }
    case 'choice':
      if (typeof value !== 'string' || !field.options.some((option) => option.value === value))
        throw refuse('one of the options')
      return value
    case 'several': {
      if (typeof value !== 'object' || value.some((one) => !field.options.some((option) => option.value === one)))
        throw refuse('some of the options')
      if (value.length === 0 && field.optional !== true) return undefined
      return field.options.map((option) => option.value).filter((one) => value.includes(one))
    }
  }
}
