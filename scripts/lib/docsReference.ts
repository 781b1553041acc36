/** Makes the pages of the site’s reference from the table of commands and the schemas of the agents’ tools. */
import { docChapters } from '../../src-shared/docPages.ts'
import { commands } from '../../src-main/cli/commands/index.ts'
import { fullName, type Command } from '../../src-main/cli/command.ts'
import { findTarget } from '../../src-main/cli/commandLine.ts'
import { helpOf } from '../../src-main/cli/help.ts'
import { argumentsFor, type Operation } from '../../src-main/cli/mcp/tool.ts'
import { tools } from '../../src-main/cli/mcp/tools.ts'
import { typeOf } from './clientTypes.ts'

export { docChapters }

export interface ReferencePage {
  readonly name: string
  readonly title: string
  /** Markdown. */
  readonly text: string
}

const OTHERS = 'others'

/** A page for each noun of the command line, and one for the tools of agents. */
export function referencePages(): readonly ReferencePage[] {
  const shown = commands.filter(({ isHidden }) => !isHidden)
  const nouns = [...new Set(shown.map(nounOf))]
  return [
    ...nouns.map((noun) =>
      nounPage(
        noun,
        shown.filter((command) => nounOf(command) === noun),
      ),
    ),
    toolsPage(),
  ]
}

const nounOf = ({ group }: Command): string => group?.name ?? OTHERS

function nounPage(noun: string, verbs: readonly Command[]): ReferencePage {
  const title = noun === OTHERS ? 'bridgedeck: other commands' : `bridgedeck ${noun}`
  const sections = verbs.map((command) => {
    const name = fullName(command)
    return `## ${name}\n\n${fenced(helpOf(findTarget(name.split(' '), commands), commands))}`
  })
  return { name: `command-${noun}`, title, text: pageText(title, sections) }
}

function toolsPage(): ReferencePage {
  const title = 'Tools of agents'
  const sections = tools.map(({ name, title: job, about, operations }) => {
    const all = Object.entries(operations).map(([op, operation]) => operationSection(`${name} ${op}`, operation))
    return [`## ${name}`, `${job}. ${about}`, ...all].join('\n\n')
  })
  return { name: 'tools', title, text: pageText(title, sections) }
}

function operationSection(title: string, operation: Operation): string {
  const { command } = operation
  const parameters = new Map(Object.entries({ ...command.positionals, ...command.options }))
  const rows = [...argumentsFor(operation)].map(([name, { schema, isRequired }]) => {
    const help = parameters.get(name.replaceAll('_', '-'))?.help ?? ''
    return row(code(name), code(typeOf(schema)), isRequired ? 'yes' : '', help)
  })
  return [
    `### ${title}`,
    `${command.summary} Right: ${operation.right}. On the command line: \`bridgedeck ${fullName(command)}\`.`,
    ...(rows.length === 0
      ? []
      : [[row('Argument', 'Type', 'Required', 'What'), '| --- | --- | --- | --- |', ...rows].join('\n')]),
  ].join('\n\n')
}

const code = (text: string): string => `\`${text}\``

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')).join(' | ')} |`

const pageText = (title: string, sections: readonly string[]): string => [`# ${title}`, ...sections, ''].join('\n\n')

const fenced = (text: string): string => `\`\`\`\`text\n${text.trimEnd()}\n\`\`\`\``
