import type { Fact, ValueSource } from '@shared/contract/orchestration'
import type { DetailsOf } from '@shared/contract/runDetails'
import { plain, type Located } from '../text/located'
import type { MarkdownLine } from '../text/markdown'
import { variablesOf, type State } from './state'

export type MetaShellDetails = DetailsOf<'metashell'>

export function detailsOf(state: State, cursor: Fact<number>): MetaShellDetails {
  const { context, session } = state
  return {
    system: 'metashell',
    context: context ? sections(context.lines, context.text.path) : [],
    variables: session
      ? variablesOf(state).map(([name, node]) => ({ name, value: asText(node), source: session.source(node) }))
      : [],
    artefacts: state.artefacts.map(({ kind, document }) => ({
      kind,
      file: document.file,
      value: document.root ? asText(document.root) : 'null',
    })),
    cursor,
    locked: state.lock !== undefined,
  }
}

function asText(node: Located): string {
  const value = plain(node)
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function sections(lines: readonly MarkdownLine[], file: string): MetaShellDetails['context'] {
  const found: { heading: string; level: number; lines: string[]; source: ValueSource }[] = []
  for (const line of lines) {
    if (line.kind === 'heading')
      found.push({ heading: line.text, level: line.level, lines: [], source: { file, line: line.line } })
    else found.at(-1)?.lines.push(line.kind === 'text' ? line.text : `- [${line.checked ? 'x' : ' '}] ${line.text}`)
  }
  return found.map(({ lines: text, ...section }) => ({ ...section, text: text.join('\n').trim() }))
}
