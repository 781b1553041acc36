/** Finds the command that a command line names, and reads its arguments. */
import { parseArgs } from 'node:util'
import { fullName, type Command, type CommandGroup, type Given, type Parameters } from './command'
import { didYouMean } from './nearestName'
import { flag } from './parameters'
import { UsageError } from './usageError'

export interface Target {
  readonly group: CommandGroup | undefined
  readonly command: Command | undefined
  /** The arguments after the command's name. */
  readonly rest: readonly string[]
}

/** `command` is undefined where the arguments name none. */
export function findTarget([first = '', second, ...rest]: readonly string[], commands: readonly Command[]): Target {
  const group = commands.find((command) => command.group?.name === first)?.group
  const behindFirst = second === undefined ? [] : [second, ...rest]
  if (group === undefined)
    return {
      group,
      command: commands.find((command) => command.group === undefined && command.name === first),
      rest: behindFirst,
    }
  const ofGroup = commands.filter((command) => command.group === group)
  const named = ofGroup.find(({ name }) => name === second)
  return named
    ? { group, command: named, rest }
    : { group, command: ofGroup.find(({ name }) => name === ''), rest: behindFirst }
}

/** The error for arguments that name no command. */
export function unknownCommand(
  [first = '', second]: readonly string[],
  group: CommandGroup | undefined,
  commands: readonly Command[],
): UsageError {
  if (group === undefined) {
    const elsewhere = commands.find(({ name }) => name === first)
    const hint = elsewhere ? ` Did you mean ${fullName(elsewhere)}?` : didYouMean(first, firstWords(commands))
    return new UsageError(`There is no command “${first}”.${hint}`)
  }
  const names = commands.filter((command) => command.group === group).map(({ name }) => name)
  const message =
    second === undefined
      ? `${group.name} needs a command: ${names.join(', ')}.`
      : `There is no command “${group.name} ${second}”.${didYouMean(second, names)}`
  return new UsageError(message, group.name)
}

const firstWords = (commands: readonly Command[]): Set<string> =>
  new Set(commands.map(({ group, name }) => group?.name ?? name))

export const asksForHelp = (words: readonly string[]): boolean =>
  words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h')

/** Every option of the command, some of which depend on its first positional. */
export const optionsOf = (command: Command, first: string): Parameters => ({
  ...command.moreOptions?.(first),
  ...command.options,
  ...(command.group?.hasJson === false ? {} : { json: flag('Print one JSON object { schema, ok, data or error }.') }),
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
    // Its own messages name neither the command nor similar options.
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
  const unexpected = positionals[Object.keys(command.positionals).length]
  if (unexpected !== undefined) throw wrong(`${name} does not take “${unexpected}”.`)
  return { positionals, options }
}

/** The value is probably the next option, and the option's own value is missing. */
const isDashed = ({ value, inlineValue }: { value?: string | undefined; inlineValue?: boolean | undefined }): boolean =>
  inlineValue !== true && value !== undefined && value.length > 1 && value.startsWith('-')
