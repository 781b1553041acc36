import { findTarget, isShort, optionsOf } from './commandLine'
import type { Command, Parameters } from './command'
import type { Parameter } from './parameters'

interface Suggestion {
  readonly word: string
  readonly help: string
}

export interface Completion {
  readonly suggestions: readonly Suggestion[]
  readonly also?: 'file' | 'folder' | 'machine'
}

const NOTHING: Completion = { suggestions: [] }

/** @param before the words between `bridgedeck` and the one that is typed */
export function complete(before: readonly string[], typed: string, commands: readonly Command[]): Completion {
  const shown = commands.filter(({ isHidden }) => !isHidden)
  const completion = before[0] === 'help' ? completeTopic(before.slice(1), shown) : completeCall(before, typed, shown)
  return { ...completion, suggestions: completion.suggestions.filter(({ word }) => word.startsWith(typed)) }
}

function completeCall(before: readonly string[], typed: string, commands: readonly Command[]): Completion {
  const names = namesAfter(before, commands)
  const { command, rest } = findTarget(before, commands)
  if (!command) return { suggestions: names }
  const { positionals, waiting } = readWords(command, rest)
  const options = optionsOf(command, positionals[0] ?? '')
  if (waiting !== undefined) return valuesOf(options[waiting])
  const [, option = '', start] = /^--([^=]+)=(.*)$/.exec(typed) ?? []
  if (start !== undefined) return inline(option, valuesOf(options[option]))
  if (typed.startsWith('-')) return { suggestions: optionNames(options, rest) }
  const taken = Object.values(command.positionals)
  const { suggestions, also } = valuesOf(taken[positionals.length] ?? taken.find(({ isRepeated }) => isRepeated))
  return { suggestions: [...names, ...suggestions], ...(also === undefined ? {} : { also }) }
}

function completeTopic(before: readonly string[], commands: readonly Command[]): Completion {
  const help = commands.find(({ name, group }) => group === undefined && name === 'help')
  const topics = before.length === 0 ? valuesOf(help?.positionals.topic).suggestions : []
  return { suggestions: [...namesAfter(before, commands), ...topics] }
}

function namesAfter(before: readonly string[], commands: readonly Command[]): Suggestion[] {
  const [noun, ...others] = before
  if (noun === undefined) {
    const nouns = new Map(commands.flatMap(({ group }) => (group ? [[group.name, group.summary] as const] : [])))
    const short = commands.filter(isShort).map(({ name, summary }) => [name, summary] as const)
    return [...nouns, ...short].map(([word, help]) => ({ word, help }))
  }
  const { group } = findTarget(before, commands)
  const isNoun = group !== undefined && (noun === group.name || group.aliases?.includes(noun) === true)
  if (!isNoun || others.length > 0) return []
  return commands
    .filter((command) => command.group === group)
    .map(({ name, summary }) => ({ word: name, help: summary }))
}

function readWords(
  command: Command,
  words: readonly string[],
): { positionals: readonly string[]; waiting: string | undefined } {
  const positionals: string[] = []
  let waiting: string | undefined
  for (const word of words) {
    const name = /^--([^=]+)$/.exec(word)?.[1]
    if (waiting !== undefined) waiting = undefined
    else if (name === undefined) {
      if (!word.startsWith('--')) positionals.push(word)
    } else {
      const takesValue = (optionsOf(command, positionals[0] ?? '')[name]?.placeholder ?? null) !== null
      if (takesValue) waiting = name
    }
  }
  return { positionals, waiting }
}

const optionNames = (options: Parameters, given: readonly string[]): Suggestion[] =>
  Object.entries(options)
    .filter(([name, { isRepeated }]) => isRepeated || !given.some((word) => word.split('=')[0] === `--${name}`))
    .map(([name, { help }]) => ({ word: `--${name}`, help }))

function valuesOf(parameter: Parameter<unknown> | undefined): Completion {
  const { completes } = parameter ?? {}
  if (completes === undefined) return NOTHING
  return typeof completes === 'string'
    ? { suggestions: [], also: completes }
    : { suggestions: completes.map((word) => ({ word, help: '' })) }
}

const inline = (option: string, { suggestions }: Completion): Completion => ({
  suggestions: suggestions.map(({ word, help }) => ({ word: `--${option}=${word}`, help })),
})
