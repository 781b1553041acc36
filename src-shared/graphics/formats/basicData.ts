import { strToU8 } from 'fflate'
import { AppError } from '../../contract/errors'
import type { Artwork } from '../artwork'
import type { ExportOptions, GraphicsFormat } from '../format'
import { readSource } from '../source/readSource'
import type { SourceItem } from '../source/sourceItem'
import { textLikeness, titledItems } from '../source/writeSource'

/** BASIC's screen editor takes lines of 80 characters. */
const MAX_LINE_CHARS = 79
const FIRST_LINE = 1000
const LAST_LINE = 63_999
const STEP = 10

const dialect = { title: 'BASIC', extensions: ['bas'], sign: /^\s*\d+\s*data\b/im }

export const basicData: GraphicsFormat = {
  id: 'basic',
  title: 'BASIC DATA lines',
  extensions: dialect.extensions,
  kinds: ['sprites', 'characters', 'screen', 'bitmap'],
  holdsMany: true,
  options: ['name'],
  likeness: (file, extension) => textLikeness(file, extension, dialect),
  read: readSource,
  write,
}

function write(artworks: readonly Artwork[], { name }: ExportOptions): Uint8Array {
  const statements = titledItems(dialect.title, artworks, { name, numbers: 'decimal' }).flatMap(statementsOf)
  const room = LAST_LINE - FIRST_LINE + 1
  if (statements.length > room)
    throw new AppError('INVALID', `This takes ${statements.length} lines of BASIC; there are ${room} line numbers.`, {
      hint: 'Export less at once.',
    })
  const step = statements.length * STEP <= room ? STEP : 1
  const lines = statements.map((text, index) => `${FIRST_LINE + index * step} ${text}`)
  return strToU8(`${lines.join('\n')}\n`)
}

const MAX_STATEMENT_CHARS = MAX_LINE_CHARS - 6

function statementsOf(item: SourceItem): string[] {
  switch (item.kind) {
    case 'note':
      return [shortened(`rem ${item.text}`)]
    case 'constant':
      return [`rem ${item.name} = ${item.value}`]
    case 'label':
      return [`rem ${item.name}:`]
    case 'row':
      return dataOf(item.bytes)
  }
}

function shortened(text: string): string {
  let short = text
  for (let name = /"(.*)"/.exec(text)?.[1] ?? ''; short.length > MAX_STATEMENT_CHARS && name !== '';) {
    name = name.slice(0, -1).replace(/\\$/, '')
    short = text.replace(/"(.*)"/, () => `"${name}"`)
  }
  return short
}

function dataOf(bytes: ArrayLike<number>): string[] {
  const lines: string[] = []
  let line = ''
  for (const byte of Array.from(bytes)) {
    const longer = line === '' ? `data ${byte}` : `${line},${byte}`
    if (longer.length > MAX_STATEMENT_CHARS) {
      lines.push(line)
      line = `data ${byte}`
    } else line = longer
  }
  return [...lines, line]
}
