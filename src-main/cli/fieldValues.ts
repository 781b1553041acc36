import type { EditValues, OfferedField } from '@shared/contract/edits'
import { editRequestSchema } from '@shared/contract/edits'
import { parseJson } from '@shared/json'
import { listNames } from '@shared/listNames'
import { didYouMean } from './nearestName'
import { asUsage, UsageError } from './usageError'

/**
 * @param settings each NAME=VALUE or a JSON object of values
 * @throws UsageError for an unknown name, an invalid value or a missing one
 */
export function readFieldValues(settings: readonly string[], fields: readonly OfferedField[]): EditValues {
  const values: EditValues = {}
  const typed = new Map<string, string[]>()
  const requireField = (name: string): OfferedField => {
    const field = fields.find((candidate) => candidate.name === name)
    if (!field) throw unknownField(name, fields)
    if (Object.hasOwn(values, name)) throw new UsageError(`--set gives ${name} twice.`)
    return field
  }
  for (const setting of settings) {
    const [, name, text] = /^([^={[]+)=(.*)$/s.exec(setting) ?? []
    if (name !== undefined && text !== undefined) {
      requireField(name)
      typed.set(name, [...(typed.get(name) ?? []), text])
      continue
    }
    for (const [given, value] of Object.entries(readObject(setting))) {
      requireField(given)
      values[given] = value
    }
  }
  for (const [name, texts] of typed) values[name] = readValue(requireField(name), texts)
  const missing = fields.filter((field) => field.optional !== true && !Object.hasOwn(values, field.name))
  if (missing.length > 0) throw new UsageError(`--set is missing for ${missing.map(describeField).join('; ')}.`)
  return values
}

function unknownField(name: string, fields: readonly OfferedField[]): UsageError {
  const names = fields.map((field) => field.name)
  return new UsageError(
    names.length === 0
      ? `This action takes no values, so “${name}” cannot be set.`
      : `This action has no value “${name}”.${didYouMean(name, names)} Available: ${names.join(', ')}.`,
  )
}

export function describeField(field: OfferedField): string {
  const optional = field.optional === true ? ' (optional)' : ''
  switch (field.kind) {
    case 'line':
    case 'text':
      return `${field.name}: ${field.label}${optional}`
    case 'number':
      return `${field.name}: ${field.label}, a number${optional}`
    case 'choice':
      return `${field.name}: ${field.label}, ${choiceOf(field)}${optional}`
    case 'several':
      return `${field.name}: ${field.label}, any of ${namesOf(field)}${optional}`
  }
}

type Choosing = Extract<OfferedField, { kind: 'choice' | 'several' }>

const MAX_NAMED_OPTIONS = 20

const namesOf = ({ options }: Choosing): string =>
  options.length === 0
    ? 'no options'
    : listNames(
        options.map(({ value }) => value),
        MAX_NAMED_OPTIONS,
      )
const choiceOf = (field: Choosing): string => `one of ${namesOf(field)}`

function readObject(setting: string): EditValues {
  const expected = '--set takes NAME=VALUE, once for each value, or a JSON object such as {"decision":"A"}.'
  if (!setting.trimStart().startsWith('{')) throw new UsageError(`${expected} “${setting}” is neither.`)
  const { data } = editRequestSchema.safeParse({
    kind: 'action',
    name: 'set',
    target: '',
    values: asUsage(() => parseJson(setting, '--set')),
  })
  if (data?.kind !== 'action') throw new UsageError(expected)
  return data.values
}

function readValue(field: OfferedField, texts: readonly string[]): EditValues[string] {
  if (field.kind === 'several') return readSeveral(field, texts)
  const [text = '', ...more] = texts
  if (more.length > 0) throw new UsageError(`--set gives ${field.name} ${texts.length} times; it takes one value.`)
  switch (field.kind) {
    case 'line':
    case 'text':
      return text
    case 'number': {
      const number = Number(text)
      if (text.trim() === '' || !Number.isFinite(number))
        throw new UsageError(`${field.name} takes a number, not “${text}”.`)
      return number
    }
    case 'choice': {
      const chosen = optionOf(field, text)
      if (chosen === undefined) throw new UsageError(`${field.name} takes ${choiceOf(field)}, not “${text}”.`)
      return chosen
    }
  }
}

function readSeveral(field: Choosing, texts: readonly string[]): string[] {
  const values = texts.flatMap((text) => (text.startsWith('[') ? readList(field, text) : text === '' ? [] : [text]))
  return values.map((text) => {
    const chosen = optionOf(field, text)
    if (chosen === undefined) throw new UsageError(`${field.name} takes any of ${namesOf(field)}, not “${text}”.`)
    return chosen
  })
}

function readList({ name }: Choosing, text: string): string[] {
  const list = asUsage(() => parseJson(text, `The list for ${name}`))
  if (!Array.isArray(list) || !list.every((value) => typeof value === 'string'))
    throw new UsageError(`${name} takes a list of texts, such as ["A","B"].`)
  return list
}

const synonyms: ReadonlyMap<string, readonly string[]> = new Map([
  ['yes', ['y', 'true']],
  ['no', ['n', 'false']],
])

function optionOf({ options }: Choosing, text: string): string | undefined {
  const wanted = text.trim().toLowerCase()
  const option =
    options.find(({ value }) => value === text) ??
    options.find(({ value }) => value.toLowerCase() === wanted || synonyms.get(value)?.includes(wanted) === true) ??
    options.find(({ label }) => label.toLowerCase() === wanted)
  return option?.value
}
