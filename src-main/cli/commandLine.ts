import { parseArgs } from 'node:util'
import { fullName, type Command, type CommandGroup, type Given, type Parameters } from './command'
import { didYouMean } from './nearestName'
import { flag } from './parameters'
import { UsageError } from './usageError'

export interface Target {
  readonly group: CommandGroup | undefined
  readonly command: Command | undefined
  readonly isByNoun: boolean
  readonly rest: readonly string[]
}

export function findTarget([first = '', ...rest]: readonly string[], commands: readonly Command[]): Target {
  const group = commands.find((command) => command.group && isCalled(command.group, first))?.group
  if (group) {
    const [verb, ...behindVerb] = rest
    const ofGroup = commands.filter((command) => command.group === group)
    if (verb !== undefined && !verb.startsWith('-'))
      return { group, command: ofGroup.find((command) => isCalled(command, verb)), rest: behindVerb, isByNoun: false }
    return { group, command: ofGroup.find(({ name }) => name === group.defaultVerb), rest, isByNoun: true }
  }
  const command = commands.find((known) => isShort(known) && isCalled(known, first))
  return { group: command?.group, command, rest, isByNoun: false }
}

const isCalled = ({ name, aliases }: Pick<Command | CommandGroup, 'name' | 'aliases'>, word: string): boolean =>
  name === word || aliases?.includes(word) === true

export const isShort = ({ group, name }: Command): boolean =>
  group === undefined || (group.mayBeOmitted === true && name !== group.defaultVerb)

export function unknownCommand(
  [first = '', second]: readonly string[],
  group: CommandGroup | undefined,
  commands: readonly Command[],
): UsageError {
  const shown = commands.filter(({ isHidden }) => !isHidden)
  if (group === undefined) {
    if (first.startsWith('-'))
      return new UsageError(`Options stand behind the command; “${first}” is in front of it.`, '')
    const elsewhere = shown.find((command) => isCalled(command, first))
    const hint = elsewhere ? ` Did you mean ${fullName(elsewhere)}?` : didYouMean(first, firstWords(shown))
    return new UsageError(`There is no command “${first}”.${hint}`, '')
  }
  const names = shown.filter((command) => command.group === group).map(({ name }) => name)
  const message =
    second === undefined || second.startsWith('-')
      ? `${group.name} needs a command: ${names.join(', ')}.`
      : `There is no command “${group.name} ${second}”.${didYouMean(second, names)}`
  return new UsageError(message, group.name)
}

const firstWords = (commands: readonly Command[]): Set<string> =>
  new Set(
    commands.flatMap((command) => [command.group?.name ?? command.name, ...(isShort(command) ? [command.name] : [])]),
  )

export interface Asked {
  readonly help: boolean
  readonly version: boolean
  readonly words: readonly string[]
}

export function readAsked(words: readonly string[]): Asked {
  const end = words.indexOf('--')
  const options = end < 0 ? words : words.slice(0, end)
  const help = options.some(isHelp)
  const version = options.some(isVersion)
  const others = [
    ...options.filter((word) => !isHelp(word) && !isVersion(word)),
    ...words.slice(end < 0 ? words.length : end),
  ]
  const first = others.findIndex((word) => word !== '--json')
  return { help, version, words: help || version ? others.slice(first < 0 ? others.length : first) : words }
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h'
const isVersion = (word: string): boolean => word === '--version'

const takesJson = ({ printsPlainText }: Command): boolean => printsPlainText !== true

export const optionsOf = (command: Command, first: string): Parameters => ({
  ...command.moreOptions?.(first),
  ...command.options,
  ...(takesJson(command)
    ? { json: flag('Print one JSON object { schema, ok, data }; an error is one on standard error.') }
    : {}),
})

/** @throws UsageError for arguments that the command does not take */
export function readArguments(command: Command, words: readonly string[]): Given {
  const name = fullName(command)
  const accepted = optionsOf(command, words[0] ?? '')
  const wrong = (message: string) => new UsageError(message, name)
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(accepted).map(([option, { placeholder }]) => [
        option,
        { type: placeholder === null ? ('boolean' as const) : ('string' as const) },
      ]),
    ),
    // parseArgs names neither the command nor similar options in its messages.
    strict: false,
    tokens: true,
  })
  const options = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(accepted, token.name) ? accepted[token.name] : undefined
    if (option === undefined || !token.rawName.startsWith('--'))
      throw wrong(
        `${name} has no option ${token.rawName}.${didYouMean(
          token.rawName,
          Object.keys(accepted).map((known) => `--${known}`),
        )}`,
      )
    if (option.placeholder === null && token.value !== undefined) throw wrong(`${token.rawName} takes no value.`)
    if (option.placeholder !== null && (token.value === undefined || isDashed(token)))
      throw wrong(
        `${token.rawName} needs a value${token.value === undefined ? '' : `; write ${token.rawName}=${token.value} if it is “${token.value}”`}.`,
      )
    options.set(token.name, [...(options.get(token.name) ?? []), token.value ?? ''])
  }
  const taken = Object.values(command.positionals)
  const unexpected = taken.at(-1)?.isRepeated ? undefined : positionals[taken.length]
  if (unexpected !== undefined) throw wrong(`${name} does not take “${unexpected}”.`)
  return { positionals, options }
}

const isDashed = ({ value, inlineValue }: { value?: string | undefined; inlineValue?: boolean | undefined }): boolean =>
  inlineValue !== true && value !== undefined && value.length > 1 && value.startsWith('-')
