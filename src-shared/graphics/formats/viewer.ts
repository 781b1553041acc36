import { AppError } from '../../contract/errors'
import {
  CHARACTER_BYTES,
  SCREEN_CELLS,
  SCREEN_COLUMNS,
  SCREEN_ROWS,
  type Artwork,
  type CharacterSet,
  type TextScreen,
} from '../artwork'
import type { GraphicsFormat } from '../format'
import { bitmapViewer, screenViewer } from '../viewer/pictureViewer'
import { spriteViewer } from '../viewer/spriteViewer'

const SHOWN_CHARACTERS = 256
const CHARACTERS_ROW = 32

export const viewer: GraphicsFormat = {
  id: 'viewer',
  title: 'Program that shows it (PRG)',
  extensions: ['prg'],
  kinds: ['sprites', 'characters', 'screen', 'bitmap'],
  holdsMany: false,
  options: [],
  write: ([artwork]) => write(artwork),
}

function write(artwork: Artwork | undefined): Uint8Array {
  switch (artwork?.kind) {
    case 'sprites':
      return spriteViewer(artwork)
    case 'characters':
      return screenViewer(setOnScreen(artwork))
    case 'screen':
      return screenViewer(artwork)
    case 'bitmap':
      return bitmapViewer(artwork)
    case undefined:
      throw new AppError('INVALID', 'There is nothing to show.')
  }
}

export function setOnScreen(set: CharacterSet): TextScreen {
  const count = set.bytes.length / CHARACTER_BYTES
  const most = set.mode === 'extendedText' ? SHOWN_CHARACTERS / 4 : SHOWN_CHARACTERS
  if (count > most) throw new AppError('INVALID', `The VIC-II shows ${most} characters at once; this set has ${count}.`)
  const characters = new Uint8Array(SHOWN_CHARACTERS * CHARACTER_BYTES)
  characters.set(set.bytes)
  const codes = new Uint8Array(SCREEN_CELLS)
  // Outside the set, the last code is drawn in the background's colours.
  const colours = new Uint8Array(SCREEN_CELLS).fill(set.backgrounds[0] & (set.mode === 'multicolourText' ? 7 : 15))
  codes.fill(most - 1)
  for (let code = 0; code < count; code++) {
    const at = Math.floor(code / CHARACTERS_ROW) * SCREEN_COLUMNS + (code % CHARACTERS_ROW)
    codes[at] = code
    colours[at] = set.colours?.[code] ?? set.colour
  }
  return {
    kind: 'screen',
    name: set.name,
    mode: set.mode,
    columns: SCREEN_COLUMNS,
    rows: SCREEN_ROWS,
    codes,
    colours,
    characters,
    backgrounds: set.backgrounds,
    border: set.backgrounds[0],
  }
}
