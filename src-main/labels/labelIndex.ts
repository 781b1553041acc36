import { basename } from 'node:path'
import { parseAddressRange, parseUnambiguousAddress } from '@shared/c64/address'
import { calledIn, labelIn, parseLocation } from '@shared/c64/banking'
import { requireLogMessage } from '@shared/c64/expressions/logMessage'
import { requireCondition } from '@shared/c64/expressions/parseExpression'
import { LabelTable } from '@shared/c64/labels/labelTable'
import { addressOfWritten, labelWritten, namesOf, type NamedAddress, type Names } from '@shared/c64/labels/names'
import { checkQuery } from '@shared/c64/search/searchMemory'
import type { RequestHandlers } from '../rpc/protocol'
import { AppError } from '@shared/contract/errors'
import type { Output } from '@shared/contract/contract'
import { sourceText } from '@shared/sourceText'
import { LineTable } from './lineTable'
import type { LabelsChannel } from './messages'
import type { LabelFile, SourceLine } from './read/labelFile'
import { tassCalls } from './read/tassCalls'
import { readLabelFile } from './read/readLabelFile'

const MAX_FILE_NAME_LENGTH = 300

class Program {
  readonly files: ReadonlyMap<string, LabelFile>
  #table: LabelTable | undefined
  #lines: LineTable | undefined
  #names: Names | undefined

  constructor(files: ReadonlyMap<string, LabelFile>) {
    this.files = files
  }

  get table(): LabelTable {
    return (this.#table ??= new LabelTable([...this.files.values()].flatMap(({ labels }) => labels)))
  }

  get lines(): LineTable {
    return (this.#lines ??= new LineTable(
      [...this.files].flatMap(([debugFile, { lines }]) => lines.map((line) => ({ debugFile, line }))),
    ))
  }

  get names(): Names {
    return (this.#names ??= namesOf(this.table))
  }
}

export function createLabelIndex() {
  const programs = new Map<string, Program>()
  const none = new Program(new Map())
  const of = (machine: string): Program => programs.get(machine) ?? none
  return {
    read({ machine, path, bytes }) {
      const { format, ...file } = readLabelFile(bytes)
      programs.set(machine, new Program(new Map([...of(machine).files, [path, file]])))
      return { format, labels: file.labels.length, lines: file.lines.length, problem: file.problem }
    },
    addCalls({ machine, path, sources }) {
      const { files } = of(machine)
      const file = files.get(path)
      if (!file) return 0
      const lines = [...file.lines, ...tassCalls(file.lines, sources)]
      programs.set(machine, new Program(new Map([...files, [path, { ...file, lines }]])))
      return lines.length
    },
    keep({ machine, paths }) {
      const { files } = of(machine)
      const kept = [...files].filter(([path]) => paths.includes(path))
      if (kept.length === 0) programs.delete(machine)
      else if (kept.length < files.size) programs.set(machine, new Program(new Map(kept)))
      return of(machine).table.all.length
    },
    search: ({ machine, text, limit }) => [...of(machine).table.search(text ?? '', limit)],
    page: ({ machine, from, limit }) => of(machine).table.all.slice(from, from + limit),
    resolve({ machine, text, range }) {
      const { names, files } = of(machine)
      const written = sourceLineWritten(text)
      if (written && names.find(text.trim()).length === 0) return lineWritten(files, written)
      const { start, end } = range
        ? parseAddressRange(text, parseUnambiguousAddress, names)
        : oneByte(parseUnambiguousAddress(text, names))
      return { start, end: end - 1, label: labelWritten(text, start, names), line: null }
    },
    named: ({ machine, label }) =>
      addressOfWritten(label, (name) =>
        of(machine)
          .table.named(name)
          .map(({ address }) => address),
      ),
    expressionNames({ machine, condition, log }) {
      const { names, used } = observed(of(machine).names)
      if (condition !== null) requireCondition(condition, names)
      if (log !== null) requireLogMessage(log, names)
      return [...used.values()]
    },
    queryNames({ machine, kind, query }) {
      const { names, used } = observed(of(machine).names)
      checkQuery({ kind, query }, names)
      return [...used.values()]
    },
    describe({ machine, locations }) {
      const { names, lines } = of(machine)
      return locations.map((location) => {
        const { space, address } = parseLocation(location)
        // Programs are loaded into RAM, also under a ROM.
        const [made] = space === 'rom' ? [] : lines.at(address, 1)
        return {
          name: labelIn(space, address, names)?.name ?? null,
          called: calledIn(space, address, names),
          isLabel: names.programLabelsAt(address).length > 0,
          source: made ? sourceText(made.line) : null,
        }
      })
    },
    sources({ machine, limit }) {
      const named = [...of(machine).files].flatMap(([debugFile, { lines }]) =>
        [...new Set(lines.map(({ file }) => file))].sort().map((file) => ({ debugFile, file })),
      )
      return named.slice(0, limit)
    },
    segments({ machine, limit }) {
      const all = [...of(machine).files].flatMap(([path, { segments }]) =>
        segments.map((segment) => ({ ...segment, file: basename(path).slice(0, MAX_FILE_NAME_LENGTH) })),
      )
      return all.toSorted((a, b) => a.start - b.start).slice(0, limit)
    },
    sourcesAt({ machine, address }) {
      const found = of(machine).lines.at(address)
      return found.map(({ debugFile, line: { file, line } }) => ({ debugFile, file, line }))
    },
    sourceCode({ machine, debugFile, file, limit }) {
      const lines = of(machine)
        .files.get(debugFile)
        ?.lines.filter((each) => each.file === file)
      if (lines === undefined || lines.length === 0) return null
      return lines
        .sort((a, b) => a.line - b.line || a.start - b.start)
        .slice(0, limit)
        .map(({ line, start, end }: SourceLine) => ({ line, start, end }))
    },
  } satisfies RequestHandlers<LabelsChannel>
}

function observed(names: Names): { readonly names: Names; readonly used: ReadonlyMap<string, NamedAddress> } {
  const used = new Map<string, NamedAddress>()
  const find: Names['find'] = (name) => {
    const found = names.find(name)
    for (const { address } of found) used.set(name, { name, address })
    return found
  }
  return { names: { ...names, find }, used }
}

interface WrittenLine {
  readonly name: string
  readonly line: number
}

function sourceLineWritten(text: string): WrittenLine | null {
  const [, name, line] = /^\s*(\S.*):(\d{1,8})\s*$/.exec(text) ?? []
  return name === undefined ? null : { name: name.replaceAll('\\', '/'), line: Number(line) }
}

/** @throws AppError INVALID for a missing or ambiguous source, and a line without code */
function lineWritten(files: Program['files'], { name, line }: WrittenLine): Output<'labels.resolve'> {
  const isNamed = (file: string): boolean => `/${file.replaceAll('\\', '/')}`.endsWith(`/${name.replace(/^\/+/, '')}`)
  const sources = [...files].flatMap(([debugFile, { lines }]) =>
    [...new Set(lines.map(({ file }) => file))].filter(isNamed).map((file) => ({ debugFile, file })),
  )
  const [source] = sources
  const loaded = 'Load the debug file of this build, or see the names in Source.'
  if (!source) throw new AppError('INVALID', `No loaded debug file names a source ${name}.`, { hint: loaded })
  if (new Set(sources.map(({ file }) => file)).size > 1)
    throw new AppError(
      'INVALID',
      `${name} is the name of several sources: ${sources.map(({ file }) => file).join(', ')}.`,
      {
        hint: 'Write more of its path.',
      },
    )
  const lines = (files.get(source.debugFile)?.lines ?? []).filter(({ file }) => file === source.file)
  const [first] = lines.filter((each) => each.line === line).sort((a, b) => a.start - b.start)
  if (!first) {
    const next = lines.reduce((least, each) => (each.line > line ? Math.min(least, each.line) : least), Infinity)
    throw new AppError('INVALID', `${name}:${line} has no code.`, {
      hint: next === Infinity ? 'Choose a line with an instruction.' : `Next line with code: ${next}.`,
    })
  }
  return { start: first.start, end: first.start, label: null, line: { ...source, line } }
}

const oneByte = (address: number) => ({ start: address, end: address + 1 })
