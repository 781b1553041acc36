import { romNoteOf } from '@shared/c64/standInRom'
import { decodeVideo, ioByte } from '@shared/c64/video'
import { AppError } from '@shared/contract/errors'
import type { Artwork, SpriteSheet } from '@shared/graphics/artwork'
import {
  grabBitmap,
  grabCharacters,
  grabScreen,
  grabShown,
  ownRom,
  sharedSpriteColours,
  spriteAddresses,
  spriteAt,
  spriteLookOf,
  type GraphicsImage,
} from '@shared/graphics/grab'
import { charactersNotShown, readGraphics } from './graphicsMemory'
import type { Session } from './session'

export const subjects = ['shown', 'sprites', 'characters', 'screen', 'bitmap'] as const
type Subject = (typeof subjects)[number]

const BLOCK = 64
const ALL = [0, 1, 2, 3, 4, 5, 6, 7]

export async function readImage(session: Session, machine: string, signal: AbortSignal): Promise<GraphicsImage> {
  const { scene, io, hasRom } = await readGraphics(session, machine, signal)
  const { ram, characterRom, colorRam } = scene
  if (hasRom) return { ram, characterRom, colorRam, io }
  const standIn = await session.client.call('memory.standInRom', {}, signal)
  return { ram, characterRom: standIn.bytes, romNote: romNoteOf(standIn), colorRam, io }
}

export interface Wanted {
  readonly what: Subject
  readonly at: number | undefined
  readonly count: number
  readonly multicolour: boolean
}

/** @throws AppError NOT_FOUND where nothing is shown, UNSUPPORTED where it is in ROM that the machine does not show */
export function artworkIn(image: GraphicsImage, { what, at, count, multicolour }: Wanted): Artwork {
  switch (what) {
    case 'characters':
      if (at === undefined && decodeVideo(image.io).charactersFromRom && !ownRom(image)) throw charactersNotShown()
      return grabCharacters(image, at)
    case 'screen':
      return grabScreen(image, at)
    case 'bitmap':
      return grabBitmap(image, at === undefined ? {} : { bitmap: at })
    case 'sprites':
      return at === undefined ? shownSprites(image) : spritesAt(image, at, count, multicolour)
    case 'shown': {
      const shown = grabShown(image)
      if (!shown) throw new AppError('NOT_FOUND', 'The VIC-II is in a mode without a picture.')
      return shown
    }
  }
}

const sheetOf = (image: GraphicsImage, sprites: SpriteSheet['sprites']): SpriteSheet => ({
  kind: 'sprites',
  name: '',
  animations: [],
  sprites,
  ...sharedSpriteColours(image),
})

function shownSprites(image: GraphicsImage): SpriteSheet {
  const addresses = spriteAddresses(image)
  const on = ALL.filter((n) => (ioByte(image.io, 0xd015) >> n) & 1)
  if (on.length === 0)
    throw new AppError('NOT_FOUND', 'No sprite is switched on.', { hint: 'Give an address with --at.' })
  return sheetOf(
    image,
    on.map((n) => spriteAt(image, addresses[n] ?? 0, spriteLookOf(image, n), true)),
  )
}

function spritesAt(image: GraphicsImage, at: number, count: number, multicolour: boolean): SpriteSheet {
  const fitting = Math.min(count, Math.ceil((0x10000 - at) / BLOCK))
  const look = { ...spriteLookOf(image, 0), multicolour, expandX: false, expandY: false }
  return sheetOf(
    image,
    Array.from({ length: fitting }, (_, index) => spriteAt(image, at + index * BLOCK, look)),
  )
}
