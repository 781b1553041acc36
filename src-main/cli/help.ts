/** Makes the help from the table of commands. */
import { optionsOf, type Target } from './commandLine'
import { fullName, MACHINES_HEADING, type Command, type CommandGroup, type Parameters } from './command'
import type { Parameter } from './parameters'
import { table } from './table'

const LINE_WIDTH = 110

/** The help for a command, a group, or everything. */
export function helpOf({ group, command, rest }: Target, commands: readonly Command[]): string {
  const blocks = command
    ? commandHelp(command, rest, commands)
    : group
      ? groupHelp(group, commands)
      : wholeHelp(commands)
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** `bridgedeck read --address ADDRESS [--length N]` */
export const synopsis = (command: Command): string =>
  [
    'bridgedeck',
    fullName(command),
    ...Object.values(command.positionals).map((parameter) => inBrackets(parameter, parameter.placeholder ?? '')),
    ...Object.entries(command.options).map(([name, parameter]) => inBrackets(parameter, spell(name, parameter))),
    ...(command.moreOptions ? ['[--ARGUMENT VALUE …]'] : []),
  ].join(' ')

/** `bridgedeck maestro read-state|write-state` */
export const groupSynopsis = (group: CommandGroup, commands: readonly Command[]): string =>
  `bridgedeck ${group.name} ${commandsOf(group, commands)
    .map(({ name }) => name)
    .join('|')}`

const NO_BREAK = '\u00a0'

/** Keeps lines from breaking inside brackets, and between an option and its value. */
const unbroken = (text: string): string =>
  text.replaceAll(/\[[^\]]*\]|--\S+ [^[\s-]+/g, (part) => part.replaceAll(' ', NO_BREAK))

const inBrackets = ({ isRequired, isRepeated }: Parameter<unknown>, spelt: string): string => {
  const repeated = isRepeated ? `${spelt} …` : spelt
  return isRequired ? repeated : `[${repeated}]`
}

const spell = (name: string, { placeholder }: Parameter<unknown>): string =>
  placeholder === null ? `--${name}` : `--${name} ${placeholder}`

function commandHelp(command: Command, rest: readonly string[], commands: readonly Command[]): string[] {
  const options = optionsOf(command, rest[0] ?? '')
  const parameters = [...Object.values(command.positionals), ...Object.values(options)]
  return [
    wrap(unbroken(synopsis(command)), '    ').replaceAll(NO_BREAK, ' '),
    wrap(command.summary),
    paragraphs(command.details),
    section(
      'Arguments',
      Object.values(command.positionals).map(({ placeholder, help }) => [placeholder ?? '', help]),
    ),
    section(
      'Options',
      Object.entries(options).map(([name, parameter]) => [spell(name, parameter), parameter.help]),
    ),
    section(
      'Examples',
      (command.examples ?? []).map((example) => [`bridgedeck ${example}`]),
    ),
    isForGroup(command) ? siblings(command, commands) : '',
    abouts(parameters),
    isForGroup(command) || command.group?.details === undefined ? '' : `More: bridgedeck ${command.group.name} --help`,
  ]
}

/** Whether it is what the group's name alone does. */
const isForGroup = ({ name }: Command): boolean => name === ''

const siblings = (command: Command, commands: readonly Command[]): string =>
  section(
    'Commands',
    commandsOf(command.group, commands)
      .filter((sibling) => sibling !== command)
      .map((sibling) => [sibling.name, sibling.summary]),
  )

const groupHelp = (group: CommandGroup, commands: readonly Command[]): string[] => [
  `bridgedeck ${group.name} COMMAND`,
  wrap(group.summary),
  section(
    'Commands',
    commandsOf(group, commands).map((command) => [command.name, command.summary]),
  ),
  paragraphs(group.details),
  `bridgedeck ${group.name} COMMAND --help explains one.`,
]

function wholeHelp(commands: readonly Command[]): string[] {
  const headings = [...new Set(commands.map(headingOf))]
  return [
    'bridgedeck - see into a Commodore 64 while it runs',
    'bridgedeck COMMAND --help explains one command.',
    ...headings.map((heading) =>
      section(
        heading,
        commands
          .filter((command) => headingOf(command) === heading)
          .map((command) => [
            [
              fullName(command),
              ...Object.values(command.positionals).map((parameter) =>
                inBrackets(parameter, parameter.placeholder ?? ''),
              ),
            ].join(' '),
            command.summary,
          ]),
      ),
    ),
    abouts(commands.flatMap(({ positionals, options }) => [...parametersOf(positionals), ...parametersOf(options)])),
    paragraphs(
      '--json prints one object { schema, ok, data or error }; commands that stream print one per line.\n' +
        'Exit codes: 0 done, 1 failed, 2 usage, 3 unreachable, 4 not on this machine, 5 deadline, 6 conflict, 130 interrupted. ncrew and maestro have their own.',
    ),
  ]
}

const headingOf = ({ group }: Command): string => group?.heading ?? group?.summary ?? MACHINES_HEADING

const parametersOf = (parameters: Parameters): Parameter<unknown>[] => Object.values(parameters)

const commandsOf = (group: CommandGroup | undefined, commands: readonly Command[]): Command[] =>
  commands.filter((command) => command.group === group)

const abouts = (parameters: readonly Parameter<unknown>[]): string =>
  [...new Set(parameters.flatMap(({ about }) => about ?? []))].map(paragraphs).join('\n')

function paragraphs(text = ''): string {
  return text
    .split('\n')
    .map((paragraph) => wrap(paragraph))
    .join('\n')
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const indent = Math.max(...rows.map((row) => (row.length > 1 ? (row[0]?.length ?? 0) : 0)))
  return [title, ...table(rows).map((row) => wrap(`  ${row}`, ' '.repeat(indent + 4)))].join('\n')
}

/** Breaks lines at spaces. @param indent of the lines after the first */
function wrap(text: string, indent = ''): string {
  const lines: string[] = []
  let rest = text
  while (rest.length > LINE_WIDTH) {
    const at = rest.lastIndexOf(' ', LINE_WIDTH)
    if (at <= indent.length) break
    lines.push(rest.slice(0, at).trimEnd())
    rest = indent + rest.slice(at + 1)
  }
  return [...lines, rest].join('\n')
}
