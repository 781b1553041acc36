import { markdownLines, type MarkdownLine } from '../../text/markdown'

export interface PlannedPhase {
  readonly id: string
  readonly name: string
  readonly agents: readonly string[]
  readonly blockedBy: readonly string[]
  readonly files: readonly string[]
}

const MAX_PHASES = 200

export function readPlannedPhases(plan: string): readonly PlannedPhase[] {
  const lines = markdownLines(plan)
  for (const [index, line] of lines.entries()) {
    const columns = line.fenced ? undefined : columnsOf(cellsOf(line))
    if (!columns || !/^[\s|:-]+$/.test(textOf(lines[index + 1]))) continue
    const phases = rowsFrom(lines, index + 2)
      .slice(0, MAX_PHASES)
      .map((cells) => phaseOf(cells, columns))
      .filter(({ id }) => id !== '')
    return phases.map((phase) => ({ ...phase, files: [...phase.files, ...filesOf(plannedText(plan, phase.id))] }))
  }
  return []
}

interface Columns {
  readonly phase: number
  readonly name: number
  readonly agent: number
  readonly waits: number
  readonly files: number
}

function columnsOf(titles: readonly string[]): Columns | undefined {
  const find = (title: RegExp) => titles.findIndex((cell) => title.test(cell))
  const columns = {
    phase: find(/^(?:phase|id|#)$/i),
    name: find(/^(?:name|title|phase name)$/i),
    agent: find(/^agents?(?:\(s\))?$/i),
    waits: find(/^(?:waits for|blocked by|depends on|dependencies)$/i),
    files: find(/^files$/i),
  }
  return columns.phase >= 0 && columns.agent >= 0 ? columns : undefined
}

const textOf = (line: MarkdownLine | undefined): string => (line?.kind === 'text' ? line.text : '')

const cellsOf = (line: MarkdownLine | undefined): string[] => {
  const text = textOf(line).trim()
  return text.startsWith('|')
    ? text
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim())
    : []
}

function rowsFrom(lines: readonly MarkdownLine[], from: number): string[][] {
  const rows: string[][] = []
  for (let at = from; at < lines.length; at++) {
    const cells = cellsOf(lines[at])
    if (cells.length === 0) break
    rows.push(cells)
  }
  return rows
}

function phaseOf(cells: readonly string[], { phase, name, agent, waits, files }: Columns): PlannedPhase {
  const [, id = '', title = ''] = /^(?:phase\s+)?([\w.-]+)\s*[:.)–-]?\s*(.*)$/i.exec(plain(cells[phase])) ?? []
  const own = plain(cells[name])
  return {
    id,
    name: own !== '' ? own : title !== '' ? title : `Phase ${id}`,
    agents: words(cells[agent]).map((each) => each.toLowerCase().replaceAll('-', '_')),
    blockedBy: words(cells[waits]).map((each) => each.replace(/^phase\s+/i, '')),
    files: words(cells[files]),
  }
}

const plain = (cell: string | undefined): string => (cell ?? '').replaceAll(/[*`]/g, '').trim()

const words = (cell: string | undefined): string[] =>
  plain(cell)
    .split(/\s*[,;]\s*|\s+and\s+/)
    .filter((word) => word !== '' && !/^(?:none|n\/a|-|–|—)$/i.test(word))

export function plannedText(plan: string, id: string): string {
  const lines = markdownLines(plan)
  const start = lines.findIndex((line) => line.kind === 'heading' && /^phase\s+([\w.-]+)/i.exec(line.text)?.[1] === id)
  const heading = lines[start]
  if (heading?.kind !== 'heading') return ''
  const end = lines.findIndex((line, index) => index > start && line.kind === 'heading' && line.level <= heading.level)
  return plan.slice(heading.end, end < 0 ? plan.length : lines[end]?.start).trim()
}

function filesOf(section: string): string[] {
  const files: string[] = []
  let isListed = false
  for (const line of markdownLines(section)) {
    if (line.kind === 'heading') isListed = /^files\b/i.test(line.text)
    else if (isListed && line.kind === 'text' && !line.fenced) {
      const [, quoted, bare] = /^\s*[-*+]\s+(?:`([^`]+)`|(\S+))/.exec(line.text) ?? []
      const path = quoted ?? bare
      if (path !== undefined && !/^(?:none|n\/a)\.?$/i.test(path)) files.push(path)
    }
  }
  return files
}
