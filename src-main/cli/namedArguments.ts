import { isDeepStrictEqual } from 'node:util'
import type { Command, Given } from './command'
import type { Parameter } from './parameters'
import { UsageError } from './usageError'

export const argumentName = (name: string): string => name.replaceAll('-', '_')

export interface ValueSchema {
  readonly type: 'boolean' | 'integer' | 'number' | 'string'
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

export type ArgumentSchema = ValueSchema | { readonly type: 'array'; readonly items: ValueSchema }

export function argumentSchema(parameter: Parameter<unknown>): ArgumentSchema {
  const { isRepeated } = parameter
  const one = valueSchema(parameter)
  return isRepeated ? { type: 'array', items: one } : one
}

function valueSchema({ placeholder, bounds, completes }: Parameter<unknown>): ValueSchema {
  if (placeholder === null) return { type: 'boolean' }
  if (bounds) {
    const { min, max, isWhole = true } = bounds
    return { type: isWhole ? 'integer' : 'number', minimum: min, maximum: max }
  }
  return typeof completes === 'object' ? { type: 'string', enum: completes } : { type: 'string' }
}

export function argumentsOf({ positionals, options }: Command): ReadonlyMap<string, Parameter<unknown>> {
  const all = [...Object.entries(positionals), ...Object.entries(options)]
  return new Map(all.map(([name, parameter]) => [argumentName(name), parameter]))
}

/** @throws UsageError for an unknown argument, or one of another type */
export function readNamedArguments(command: Command, given: Readonly<Record<string, unknown>>): Given {
  const known = argumentsOf(command)
  for (const name of Object.keys(given)) if (!known.has(name)) throw new UsageError(`There is no argument “${name}”.`)
  const textsOf = (name: string, parameter: Parameter<unknown>) =>
    texts(parameter, argumentName(name), given[argumentName(name)])
  const positionals: string[] = []
  for (const [name, parameter] of Object.entries(command.positionals)) {
    const words = textsOf(name, parameter)
    if (words.length === 0 && parameter.isRequired)
      throw new UsageError(`${argumentName(name)} is missing${valuesOf(parameter)}.`)
    positionals.push(...words)
  }
  const options = Object.entries(command.options).flatMap(([name, parameter]) => {
    const words = textsOf(name, parameter)
    return words.length === 0 ? [] : [[name, words] as const]
  })
  return { positionals, options: new Map(options) }
}

const flagTexts: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
])

function texts(parameter: Parameter<unknown>, name: string, value: unknown): string[] {
  if (value === undefined || value === null) return []
  const { placeholder, isRepeated } = parameter
  if (placeholder === null) {
    const isSet = typeof value === 'boolean' ? value : flagTexts.get(value)
    if (isSet === undefined) throw new UsageError(`${name} is true or false.`)
    return isSet ? [''] : []
  }
  const values: readonly unknown[] = isRepeated && Array.isArray(value) ? value : [value]
  return values.map((each) => {
    if (typeof each === 'string') return asChoice(parameter, each)
    if (typeof each === 'number') return String(each)
    if (typeof each === 'boolean' && isOnOff(parameter)) return each ? 'on' : 'off'
    throw new UsageError(`${name} is ${kindOf(parameter)}.`)
  })
}

const choicesOf = ({ completes }: Parameter<unknown>): readonly string[] =>
  typeof completes === 'object' ? completes : []

const isOnOff = (parameter: Parameter<unknown>): boolean => isDeepStrictEqual(choicesOf(parameter), ['on', 'off'])

function asChoice(parameter: Parameter<unknown>, text: string): string {
  const lower = text.toLowerCase()
  return choicesOf(parameter).find((choice) => choice === text || choice.toLowerCase() === lower) ?? text
}

function kindOf(parameter: Parameter<unknown>): string {
  const { bounds, isRepeated } = parameter
  if (bounds) return `${bounds.isWhole === false ? 'a number' : 'a whole number'} from ${bounds.min} to ${bounds.max}`
  const choices = choicesOf(parameter)
  if (choices.length > 0) return `one of ${choices.join(', ')}`
  return isRepeated ? 'a list of texts' : 'a text'
}

function valuesOf(parameter: Parameter<unknown>): string {
  const choices = choicesOf(parameter)
  return choices.length === 0 ? '' : `: ${choices.join(', ')}`
}

/** `--to-next` becomes `to_next`, `RANGE` becomes `range`. */
export function inArgumentNames(message: string, { positionals, options }: Command): string {
  const words = new Map([
    ...Object.keys(options).map((name) => [`--${name}`, argumentName(name)] as const),
    ...Object.entries(positionals).flatMap(([name, { placeholder }]) =>
      placeholder === null ? [] : [[placeholder, argumentName(name)] as const],
    ),
  ])
  return message.replaceAll(/--[a-z][a-z-]*|\b[A-Z][A-Z-]+\b/g, (word) => words.get(word) ?? word)
}
