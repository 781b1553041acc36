import { isShort, optionsOf, type Target } from './commandLine'
import { exitCodes, specialExitCodes, specialExitCodesOf } from './exitCodes'
import { ABOUT_HEADING, fullName, type Command, type CommandGroup, type Parameters } from './command'
import type { Parameter } from './parameters'
import { printedText, table } from './printed'
import { wrapText } from './textWidth'

const MAX_WIDTH = 110

type Block = string | { readonly text: string; readonly indent: string } | Section

interface Section {
  readonly title: string
  readonly rows: readonly (readonly string[])[]
}

export function helpOf(
  { group, command, rest, isByNoun }: Target,
  commands: readonly Command[],
  width = Infinity,
  window = '',
): string {
  return textOf(
    command && !isByNoun
      ? commandHelp(command, rest)
      : group
        ? groupHelp(group, commands)
        : wholeHelp(commands, window),
    width,
  )
}

const textOf = (blocks: readonly Block[], width: number): string =>
  `${blocks
    .map((block) => blockText(block, Math.min(MAX_WIDTH, width)))
    .filter((text) => text !== '')
    .join('\n\n')}\n`

function blockText(block: Block, width: number): string {
  if (typeof block === 'string') return wrapText(block, width).join('\n')
  if ('indent' in block)
    return wrapText(block.text, width - block.indent.length)
      .join(`\n${block.indent}`)
      .replaceAll(NO_BREAK, ' ')
  if (block.rows.length === 0) return ''
  const indented = block.rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest])
  return [block.title, printedText(table(indented), { width, hasColours: false })].join('\n')
}

export const synopsis = (command: Command): string =>
  [
    'bridgedeck',
    fullName(command),
    ...Object.values(command.positionals).map((parameter) => inBrackets(parameter, parameter.placeholder ?? '')),
    ...Object.entries(command.options).map(([name, parameter]) => inBrackets(parameter, spell(name, parameter))),
    ...(command.moreOptions ? ['[--ARGUMENT VALUE …]'] : []),
  ].join(' ')

export const groupSynopsis = (group: CommandGroup, commands: readonly Command[]): string =>
  `bridgedeck ${group.name} ${commandsOf(group, commands)
    .map(({ name }) => name)
    .join('|')}`

export const shortName = (command: Command): string => (isShort(command) ? command.name : fullName(command))

const spellings = (command: Command): string => {
  const { group, name, aliases = [] } = command
  return also([
    ...(group && isShort(command) ? [name] : []),
    ...(group?.defaultVerb === name ? [group.name] : []),
    ...aliases.map((alias) => (group ? `${group.name} ${alias}` : alias)),
  ])
}

const also = (spelt: readonly string[]): string => (spelt.length === 0 ? '' : `Also: ${spelt.join(', ')}.`)

export const exitCodesHelp = (width: number): string =>
  textOf(
    [
      {
        title: 'Exit codes',
        rows: [
          ...exitCodes.map(({ code, errors, meaning }) => [String(code), '', errors.join(', '), meaning]),
          ...specialExitCodes.map(({ code, commands, errors, meaning }) => [
            String(code),
            commands,
            errors.join(', '),
            meaning,
          ]),
        ],
      },
    ],
    width,
  )

const NO_BREAK = '\u00a0'

const unbroken = (text: string): string =>
  text.replaceAll(/\[[^\]]*\]|--\S+ [^[\s-]+/g, (part) => part.replaceAll(' ', NO_BREAK))

const inBrackets = ({ isRequired, isRepeated }: Parameter<unknown>, spelt: string): string => {
  const repeated = isRepeated ? `${spelt} …` : spelt
  return isRequired ? repeated : `[${repeated}]`
}

const spell = (name: string, { placeholder }: Parameter<unknown>): string =>
  placeholder === null ? `--${name}` : `--${name} ${placeholder}`

function commandHelp(command: Command, rest: readonly string[]): Block[] {
  const options = optionsOf(command, rest[0] ?? '')
  const parameters = [...Object.values(command.positionals), ...Object.values(options)]
  return [
    { text: unbroken(synopsis(command)), indent: '    ' },
    command.summary,
    spellings(command),
    command.details ?? '',
    section(
      'Arguments',
      Object.values(command.positionals).map(({ placeholder, help }) => [placeholder ?? '', help]),
    ),
    section(
      'Options',
      Object.entries(options).map(([name, parameter]) => [spell(name, parameter), parameter.help]),
    ),
    section('Data of --json', Object.entries(command.data ?? {})),
    section(
      'Examples',
      (command.examples ?? []).map((example) => [`bridgedeck ${example}`]),
    ),
    abouts(parameters),
    command.group?.details === undefined ? '' : `More: bridgedeck help ${command.group.name}`,
  ]
}

const groupHelp = (group: CommandGroup, commands: readonly Command[]): Block[] => [
  `bridgedeck ${group.name} COMMAND`,
  `${group.summary}.`,
  also(group.aliases ?? []),
  section(
    'Commands',
    commandsOf(group, commands).map((command) => [command.name, command.summary]),
  ),
  group.defaultVerb === undefined ? '' : `${group.name} alone is ${group.name} ${group.defaultVerb}.`,
  group.details ?? '',
  section(
    'Exit codes beside those of all commands (bridgedeck help exit-codes)',
    specialExitCodesOf(group.name).map(({ code, commands, meaning }) => [String(code), commands, meaning]),
  ),
  `bridgedeck help ${group.name} COMMAND explains one.`,
]

function wholeHelp(commands: readonly Command[], window: string): Block[] {
  const headings = [...new Set(commands.map(headingOf))]
  return [
    'bridgedeck - see into a Commodore 64 while it runs',
    'bridgedeck NOUN VERB [ARGUMENT…] [--options]: the commands of a machine need no noun.\nbridgedeck help COMMAND explains one, and so does --help (-h) anywhere beside it; --version prints the version.',
    ...headings.map((heading) =>
      section(
        heading,
        commands
          .filter((command) => headingOf(command) === heading && !command.isHidden)
          .map((command) => [
            [
              shortName(command),
              ...Object.values(command.positionals).map((parameter) =>
                inBrackets(parameter, parameter.placeholder ?? ''),
              ),
            ].join(' '),
            command.summary,
          ]),
      ),
    ),
    abouts(commands.flatMap(({ positionals, options }) => [...parametersOf(positionals), ...parametersOf(options)])),
    '--json prints one object { schema, ok, data }; commands that stream print one per line. An error is one object { schema, ok, error } on standard error.\n' +
      'bridgedeck help exit-codes lists the exit codes.',
    window === '' ? '' : `${window}.`,
  ]
}

const headingOf = ({ group }: Command): string => group?.heading ?? group?.summary ?? ABOUT_HEADING

const parametersOf = (parameters: Parameters): Parameter<unknown>[] => Object.values(parameters)

const commandsOf = (group: CommandGroup | undefined, commands: readonly Command[]): Command[] =>
  commands.filter((command) => command.group === group && !command.isHidden)

const abouts = (parameters: readonly Parameter<unknown>[]): string =>
  [...new Set(parameters.flatMap(({ about }) => about ?? []))].join('\n')

const section = (title: string, rows: Section['rows']): Section => ({ title, rows })
