import { SCREEN_COLUMNS, SCREEN_ROWS, SPRITE_BYTES, type Bitmap, type SpriteSheet, type TextScreen } from '../artwork'
import type { PreviewArtwork } from '../previewPlan'
import type { CellColours } from './cellColours'
import type { MergedCharacters } from './mergeCharacters'
import type { PhotoOptions } from './options'

const MULTICOLOUR = 8

export function buildArtwork(
  options: PhotoOptions,
  colours: CellColours,
  bytes: Uint8Array,
  characters: MergedCharacters | null,
): PreviewArtwork {
  switch (options.target) {
    case 'bitmap':
    case 'multicolourBitmap':
      return bitmap(options, colours, bytes)
    case 'characters':
    case 'multicolourCharacters':
      return screen(options, colours, bytes, characters?.codes ?? new Uint8Array(0))
    case 'sprites':
    case 'multicolourSprites':
      return sprites(options, colours, bytes)
  }
}

function bitmap({ target, name, background }: PhotoOptions, { shared, own }: CellColours, bytes: Uint8Array): Bitmap {
  const isMulticolour = target === 'multicolourBitmap'
  const each = isMulticolour ? 3 : 2
  const cells = own.length / each
  const ground = isMulticolour ? (shared[0] ?? 0) : (background ?? 0)
  return {
    kind: 'bitmap',
    name,
    mode: isMulticolour ? 'multicolourBitmap' : 'bitmap',
    bitmap: bytes,
    screen: Uint8Array.from({ length: cells }, (_, n) => ((own[n * each] ?? 0) << 4) | (own[n * each + 1] ?? 0)),
    colours: Uint8Array.from({ length: cells }, (_, n) => (isMulticolour ? (own[n * each + 2] ?? 0) : 0)),
    background: ground,
    border: ground,
  }
}

function screen(
  { target, name }: PhotoOptions,
  { shared, own }: CellColours,
  bytes: Uint8Array,
  codes: Uint8Array,
): TextScreen {
  const isMulticolour = target === 'multicolourCharacters'
  return {
    kind: 'screen',
    name,
    mode: isMulticolour ? 'multicolourText' : 'text',
    columns: SCREEN_COLUMNS,
    rows: SCREEN_ROWS,
    codes,
    colours: isMulticolour ? own.map((colour) => colour | MULTICOLOUR) : own,
    backgrounds: [shared[0] ?? 0, shared[1] ?? 0, shared[2] ?? 0, 0],
    border: shared[0] ?? 0,
    characters: bytes,
  }
}

function sprites({ target, name }: PhotoOptions, { shared, own }: CellColours, bytes: Uint8Array): SpriteSheet {
  return {
    kind: 'sprites',
    name,
    background: shared[0] ?? 0,
    multicolour1: shared[1] ?? 0,
    multicolour2: shared[2] ?? 0,
    sprites: Array.from(own, (colour, n) => ({
      name: name === '' || own.length === 1 ? name : `${name} ${n + 1}`,
      colour,
      multicolour: target === 'multicolourSprites',
      expandX: false,
      expandY: false,
      bytes: bytes.slice(n * SPRITE_BYTES, (n + 1) * SPRITE_BYTES),
      overlay: false,
    })),
    animations: [],
  }
}
