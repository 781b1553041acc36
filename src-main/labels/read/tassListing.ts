/**
 * Listing of 64tass (`--list` with `--line-numbers`): source lines, no labels. “9:1 >c000 1000 01 02 source”: line,
 * file where it changes, where it lies, where it runs (`.logical`), bytes. Columns are 8 wide, with tabs. Bytes go on
 * in lines without a number; `.virtual` memory has none. 64tass 1.58 numbers no lines of its first file unless a
 * definition (-D) comes before it. Source: 64tass manual, “Source listing options”; tried with 64tass 1.58.
 */
import { AppError } from '@shared/contract/errors'
import { LabelCollector, linesOf, type LabelFile } from './labelFile'

const title = /^\s*; 64tass Turbo Assembler Macro V[^\n]* listing file\r?\n/

export const isTassListing = (text: string): boolean => title.test(text.slice(0, 2000))

const options = 'Give 64tass --line-numbers --list=game.lst, and a definition such as -D BUILD=1.'
const head = /^;Line[\t ]+;Offset[\t ]+(;PC)?/
const fileName = /^(?::(\d{1,6}))?[\t ]+;\*{6} {2}(?:Processing input file|Processing file|Return to file): (.+)$/
const code = /^(?:(\d{1,10})(?::(\d{1,6}))?)?[\t ]+([.>])([0-9a-f]{4,8})(?:[\t ]+([0-9a-f]{4,8})(?![0-9a-f]))?/
const wideNumber = /^\d{1,10}:\d{1,6}$/
const repeated = /^[\t ]+;[\t ]+\.\.\.repeated (\d{1,9}) times/
const bytes = /[0-9a-f]{2}(?: [0-9a-f]{2}(?![0-9a-z]))*/y
const end = ';******  End of listing'

/** Upper limit for “repeated”: more than fits into memory. */
const MAX_REPEATED_BYTES = 0x10000

export function readTassListing(text: string): LabelFile {
  const found = new LabelCollector()
  const files = new Map<string, string>()
  let file: string | undefined
  let open: { file: string; line: number; start: number; end: number; where: string } | null = null
  let hexColumn: number | null = null
  let tabSize = 8
  let isComplete = false
  let isFirstUnnumbered = false
  let wide = ''
  const close = () => {
    if (open && open.end > open.start) found.addLine(open, open.where)
    open = null
  }
  for (const [line, number] of linesOf(text)) {
    if (hexColumn === null) {
      const pc = head.exec(line)
      if (pc) {
        hexColumn = pc[1] === undefined ? 16 : 24
        tabSize = tabSizeOf(line, hexColumn)
      } else if (line.startsWith(';Offset'))
        throw new AppError('INVALID', 'This 64tass listing has no line numbers.', { hint: options })
      continue
    }
    if (line === end) {
      isComplete = true
      break
    }
    const named = fileName.exec(line.slice(0, 2000))
    if (named) {
      close()
      const [, id, written = ''] = named
      const name = unquoted(written)
      if (id !== undefined) files.set(id, name)
      file = name
      isFirstUnnumbered ||= id === '0'
      continue
    }
    const again = repeated.exec(line.slice(0, 200))
    if (again && open) {
      open.end += Math.min(Number(again[1]) * 16, MAX_REPEATED_BYTES)
      continue
    }
    // Numbers too wide for their column have a line of their own.
    if (wideNumber.test(line.slice(0, 20))) {
      wide = line
      continue
    }
    const parts = code.exec(wide + line.slice(0, 200))
    const from = (parts?.[0].length ?? 0) - wide.length
    wide = ''
    if (!parts) continue
    const [, lineNumber, id, , offset = '', pc] = parts
    const count = bytesAt(line.slice(0, 1000), from, hexColumn, tabSize)
    const start = Number.parseInt(pc ?? offset, 16)
    if (id !== undefined) file = files.get(id)
    if (lineNumber === undefined) {
      // Without line numbers in the first file, its lines look like bytes that go on.
      if (open && !isFirstUnnumbered && open.end === start) open.end += count
      continue
    }
    close()
    const where = `line ${number}`
    if (file === undefined) found.skip(where, `expected a file that was named before, not number ${id ?? 'none'}`)
    else open = { file, line: Number(lineNumber), start, end: start + count, where }
  }
  close()
  if (hexColumn === null) found.skip('its end', 'expected “;Line ;Offset” above its columns')
  else if (!isComplete) found.skip('its end', `it ends before “${end}”`)
  if (isFirstUnnumbered) found.skip(files.get('0') ?? 'its first file', `its lines have no numbers. ${options}`)
  return found.finish('64tass listing')
}

/** A name with characters that a shell would read is in quotation marks. */
const unquoted = (name: string): string => (/^".*"$/.test(name) ? name.slice(1, -1).replaceAll(/\\(.)/g, '$1') : name)

/** The known columns of the titles tell it: wider tabs than 8 put them elsewhere. */
function tabSizeOf(line: string, hexColumn: number): number {
  const hex = line.indexOf(';Hex')
  const columns = [
    [line.indexOf(';Offset'), 8],
    [hex, hexColumn],
    [line.indexOf(';', hex + 1), hexColumn + 16],
  ] as const
  const size = [8, 1, 2, 3, 4, 5, 6, 7].find((each) =>
    columns.every(([index, column]) => columnOf(line, index, each) === column),
  )
  if (size === undefined)
    throw new AppError('INVALID', 'Unknown column layout in this 64tass listing.', {
      hint: 'Leave out --tab-size, or make it 8 or less.',
    })
  return size
}

function columnOf(line: string, index: number, tabSize: number): number {
  let column = 0
  for (let at = 0; at < index; at++) column += line[at] === '\t' ? tabSize - (column % tabSize) : 1
  return column
}

function bytesAt(line: string, from: number, hexColumn: number, tabSize: number): number {
  let at = from
  while (line[at] === '\t' || line[at] === ' ') at++
  if (columnOf(line, at, tabSize) !== hexColumn) return 0
  bytes.lastIndex = at
  const [found = ''] = bytes.exec(line) ?? []
  return (found.length + 1) / 3
}
