import { strFromU8, strToU8 } from 'fflate'
import type { Artwork } from '../artwork'
import type { ExportOptions, GraphicsFormat, Likeness } from '../format'
import { artworkItems } from './artworkItems'
import { readSource } from './readSource'
import type { SourceItem } from './sourceItem'

export interface Dialect {
  readonly id: string
  readonly title: string
  readonly extensions: readonly string[]
  readonly sign: RegExp
  readonly comment: string
  readonly hex: string
  readonly binary: string
  readonly constant: (name: string, value: string) => string
  readonly label: (name: string) => string
  readonly bytes: (values: string) => string
  readonly end?: string
}

const headOf = (title: string): string => `Graphics for ${title}, made by Bridgedeck`
const HEAD_BYTES = 4096

export const sourceFormat = (dialect: Dialect): GraphicsFormat => ({
  id: dialect.id,
  title: `${dialect.title} source`,
  extensions: dialect.extensions,
  kinds: ['sprites', 'characters', 'screen', 'bitmap'],
  holdsMany: true,
  options: ['name', 'numbers'],
  likeness: (file, extension) => textLikeness(file, extension, dialect),
  read: readSource,
  write: (artworks, options) => strToU8(writeSource(dialect, artworks, options)),
})

export function textLikeness(
  file: Uint8Array,
  extension: string,
  { title, extensions, sign }: Pick<Dialect, 'title' | 'extensions' | 'sign'>,
): Likeness {
  const head = file.subarray(0, HEAD_BYTES)
  if (head.includes(0)) return 'no'
  const text = strFromU8(head, true)
  if (text.includes(headOf(title))) return 'certain'
  if (!extensions.includes(extension)) return 'no'
  return sign.test(text) ? 'likely' : 'possible'
}

export const titledItems = (
  title: string,
  artworks: readonly Artwork[],
  options: Pick<ExportOptions, 'name' | 'numbers'>,
): SourceItem[] => [{ kind: 'note', text: headOf(title) }, ...artworkItems(artworks, options)]

function writeSource(dialect: Dialect, artworks: readonly Artwork[], options: ExportOptions): string {
  const lines: string[] = []
  let isOpen = false
  const close = () => {
    if (isOpen && dialect.end) lines.push(dialect.end)
    isOpen = false
  }
  for (const item of titledItems(dialect.title, artworks, options)) {
    if (item.kind === 'label' || item.kind === 'constant') close()
    switch (item.kind) {
      case 'note':
        if (/^(?:Sprites|Characters|Screen|Bitmap|Animation|Tile 0) /.test(item.text)) {
          close()
          lines.push('')
        }
        lines.push(`${dialect.comment} ${item.text}`)
        break
      case 'constant':
        lines.push(dialect.constant(item.name, String(item.value)))
        break
      case 'label':
        lines.push(dialect.label(item.name))
        isOpen = true
        break
      case 'row':
        lines.push(
          dialect.bytes(
            Array.from(item.bytes, (byte) => numberText(byte, item.arePixels, dialect, options)).join(', '),
          ),
        )
    }
  }
  close()
  return `${lines.join('\n')}\n`
}

function numberText(value: number, arePixels: boolean, { hex, binary }: Dialect, { numbers }: ExportOptions): string {
  if (numbers === 'decimal') return String(value)
  return numbers === 'binary' && arePixels
    ? `${binary}${value.toString(2).padStart(8, '0')}`
    : `${hex}${value.toString(16).padStart(2, '0')}`
}
