import { formatAddress, formatByte } from '../c64/address'
import { colourName } from '../c64/palettes'
import { screenCodeToPetscii } from '../c64/petscii'
import type { CharactersShown } from './charactersShown'
import { colourOf } from './charactersShown'
import { shapeOf } from './characterUse'
import { unicodeText, type CellFact } from './pictureCell'

export function characterFacts({ set, address, rom, use }: CharactersShown, code: number): CellFact[] {
  const at = address + shapeOf(set.mode, code) * 8
  const shape = shapeOf(set.mode, code) * 8
  const bytes = [...set.bytes.subarray(shape, shape + 8)].map((byte) => formatByte(byte).slice(1)).join(' ')
  const colour = colourOf(set, code)
  return [
    { label: 'Code', text: `${formatByte(code)} = ${code}` },
    { label: 'PETSCII', text: formatByte(screenCodeToPetscii(code)) },
    { label: rom ? 'Unicode' : 'In ROM’s set', text: unicodeText(code, rom ?? 'upper') },
    rom
      ? { label: 'Address', text: `${formatAddress(at)}, ROM` }
      : { label: 'Address', text: formatAddress(at), address: at },
    { label: 'Bytes', text: bytes },
    { label: 'Colour', text: `${colour} ${colourName(colour)}` },
    { label: 'On screen', text: use ? cellCount(use.cells[code] ?? 0) : 'set not in use' },
  ]
}

const cellCount = (count: number): string => (count === 1 ? '1 cell' : `${count} cells`)
