import { z } from 'zod'
import { palettes, type PaletteName } from '@shared/c64/palettes'
import { SPRITE_WIDTH, spritePixels, type Sprite } from '@shared/c64/sprites'
import {
  selectSprites,
  SPRITE_BYTES,
  spriteCandidates,
  type FoundSprite,
  type SpriteCandidate,
} from '@shared/c64/spriteScan'
import { ioByte, isCharacterRom } from '@shared/c64/video'
import type { SpriteArt, SpriteSheet } from '@shared/graphics/artwork'
import { sharedSpriteColours, spriteLookOf } from '@shared/graphics/grab'
import { pixelsPng } from '../../files/png'
import type { Machine } from '../../machine/machine'
import { ramOrCpu, readImage, standingStill } from '../../machine/readImage'
import { defineOperation, type OperationContext } from '../operation'
import {
  address,
  byteCount,
  fitsMemory,
  flag,
  folderOf,
  imageSpace,
  keepAll,
  pastTheEnd,
  pauseDuringRead,
  reportAddress,
  wholeNumber,
} from './arguments'
import { blocksOf, cellPixels, selectCells, type SpriteCell } from './spriteCells'
import { formatsFor, palette, savedSummary, saveArtwork, scale } from './savedArtwork'
import { readGraphicsRegisters } from './screen'

const SPRITES = 8
const MAX_CELL = 8

const colour = (description: string) => wholeNumber(0, 15, description).optional()

type Look = Pick<Sprite, 'multicolour' | 'colour' | 'multicolour1' | 'multicolour2'>

interface Candidate extends SpriteCandidate {
  readonly address: number
  /** Numbers of the VIC-II's sprites, 0 to 7. */
  readonly shownBy: readonly number[]
}

export const extractSpritesFromRam = defineOperation({
  name: 'extract_sprites_from_ram',
  title: 'Extract sprites',
  does: 'Saves sprites as pictures (PNG) and as their 63 bytes: those in a range of memory, or those that the VIC-II points to.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  arguments: z
    .strictObject({
      source: z.enum(['scan', 'pointers']).default('scan').meta({
        description: 'scan searches a range; pointers takes the eight that the VIC-II’s sprite pointers select.',
      }),
      address: address('Scan: where the range starts.').prefault('$2000'),
      length: byteCount(0x10000, 'Scan: bytes of the range.').prefault(0x2000),
      stride: wholeNumber(
        SPRITE_BYTES,
        0x10000,
        'Scan: bytes from one sprite to the next, 64 in VIC-II memory; 63 without the byte between them.',
      ).prefault(64),
      across: wholeNumber(1, MAX_CELL, 'Scan: sprites across, of those that are drawn as one.').prefault(1),
      down: wholeNumber(1, MAX_CELL, 'Scan: sprites down, of those that are drawn as one.').prefault(1),
      maxSprites: wholeNumber(1, 1024, 'The most sprites to extract.').prefault(256),
      minSetBits: wholeNumber(
        0,
        504,
        'Leave out what has fewer bits set, of 504. What has none is always left out.',
      ).prefault(12),
      minNonZeroRows: wholeNumber(0, 21, 'Leave out what has fewer rows with a bit set, of 21.').prefault(4),
      skipUniform: flag(true, 'Leave out what is the same byte throughout, such as filled memory.'),
      skipDuplicates: flag(true, 'Leave out sprites with the same bytes as one found before.'),
      multicolour: z.enum(['auto', 'yes', 'no']).default('auto').meta({
        description:
          'Two bits per pixel or one. auto: as the VIC-II shows the sprite now; one bit if it does not show it.',
      }),
      colour: colour(
        'The sprites’ own colour, 0 to 15. Left out: $D027 to $D02E, that of sprite 0 where none shows it.',
      ),
      multicolour1: colour('Colour of the bit pair 01, 0 to 15. Left out: $D025.'),
      multicolour2: colour('Colour of the bit pair 11, 0 to 15. Left out: $D026.'),
      overlays: flag(
        false,
        'Formats: every second sprite is laid over the one before, as programs do for more colours.',
      ),
      formats: formatsFor('sprites'),
      columns: wholeNumber(1, 64, 'Formats: sprites a row in pictures of several.').prefault(8),
      palette: palette(),
      scale: scale(),
      space: imageSpace(),
      pauseDuringRead: pauseDuringRead(),
      persistArtifacts: flag(
        true,
        'Write the pictures and the bytes into the task’s folder, and not only where the sprites are.',
      ),
      keepAll: keepAll(),
    })
    .refine(fitsMemory, pastTheEnd),
  run: async (context, args) => {
    const space = args.space ?? ramOrCpu(context.machine)
    const { candidates, io } = await standingStill(context, args.pauseDuringRead, () =>
      readCandidates(context, space, args),
    )
    const blocks = blocksOf(args)
    const hasCells = args.source === 'scan' && blocks > 1
    const all = hasCells ? selectCells(candidates, args, args.stride, args) : selectSprites(candidates, args)
    const found = all.slice(0, hasCells ? Math.max(1, Math.floor(args.maxSprites / blocks)) * blocks : args.maxSprites)
    const folder = `${folderOf(args.keepAll, context.iteration)}sprites/`
    const saved = args.persistArtifacts ? await save(context, folder, space, found, io, args) : null
    if (hasCells && args.persistArtifacts) await saveCells(context, folder, found, io, args)
    context.log(
      `${found.length} sprites found${all.length > found.length ? `, and ${all.length - found.length} more that were not wanted` : ''}`,
    )
    return {
      summary: {
        spriteCount: found.length,
        spriteAddresses: found.map((sprite) => reportAddress(sprite.address)),
        ...(all.length > found.length ? { moreSprites: all.length - found.length } : {}),
        ...(saved ? savedSummary(saved) : {}),
      },
      ...(saved ? { artifacts: { spritesDir: `artifacts/${folder}` } } : {}),
    }
  },
})

interface Wanted {
  readonly source: 'scan' | 'pointers'
  readonly address: number
  readonly length: number
  readonly stride: number
}

async function readCandidates(
  { machine, signal, log }: OperationContext,
  space: 'ram' | 'cpu',
  { source, address, length, stride }: Wanted,
): Promise<{ io: Uint8Array; candidates: Candidate[] }> {
  const { io, shown } = await readShown(machine, space, signal)
  if (source === 'scan') {
    const { bytes } = await readImage(machine, { space, address, length }, signal)
    const candidates = spriteCandidates(bytes, stride).map((one): Candidate => ({
      ...one,
      address: address + one.offset,
      shownBy: shown.get(address + one.offset) ?? [],
    }))
    return { io, candidates }
  }
  const candidates: Candidate[] = []
  for (const [address, shownBy] of shown) {
    if (isCharacterRom(address)) {
      log(`sprite ${shownBy.join(', ')} shows character ROM at ${reportAddress(address)}, which is no RAM`)
      continue
    }
    const bytes = await machine.readMemory({ space, address, length: SPRITE_BYTES }, signal)
    candidates.push({ offset: 0, bytes, address, shownBy })
  }
  return { io, candidates }
}

async function saveCells(
  { artifact, signal }: OperationContext,
  folder: string,
  found: readonly (Candidate & FoundSprite)[],
  io: Uint8Array,
  args: SaveArguments & SpriteCell,
): Promise<void> {
  const size = blocksOf(args)
  for (let first = 0; first < found.length; first += size) {
    signal.throwIfAborted()
    const blocks = found.slice(first, first + size)
    const pixels = cellPixels(
      blocks.map((sprite) => spritePixels(sprite.bytes, lookOf(sprite, io, args))),
      args,
    )
    const name = `grid_${hexName(blocks[0]?.address ?? 0)}.png`
    await artifact(`${folder}${name}`, pixelsPng(pixels, args.across * SPRITE_WIDTH, palettes[args.palette]))
  }
}

const hexName = (address: number): string => address.toString(16).toUpperCase().padStart(4, '0')

interface SaveArguments extends LookArguments {
  readonly overlays: boolean
  readonly formats?: readonly string[] | undefined
  readonly columns: number
  readonly palette: PaletteName
  readonly scale: number
}

async function save(
  context: OperationContext,
  folder: string,
  space: 'ram' | 'cpu',
  found: readonly (Candidate & FoundSprite)[],
  io: Uint8Array,
  args: SaveArguments,
) {
  const { signal, artifact, progress } = context
  const entries = []
  const sprites: SpriteArt[] = []
  for (const [index, sprite] of found.entries()) {
    signal.throwIfAborted()
    const name = `sprite_${hexName(sprite.address)}`
    const look = lookOf(sprite, io, args)
    await artifact(
      `${folder}${name}.png`,
      pixelsPng(spritePixels(sprite.bytes, look), SPRITE_WIDTH, palettes[args.palette]),
    )
    await artifact(`${folder}${name}.bin`, sprite.bytes)
    entries.push(entryOf(name, sprite, look))
    const size = spriteLookOf({ io }, sprite.shownBy[0] ?? 0)
    const isShown = sprite.shownBy.length > 0
    const { colour, multicolour } = look
    const { bytes } = sprite
    sprites.push({
      name,
      bytes,
      colour,
      multicolour,
      overlay: args.overlays && index % 2 === 1,
      expandX: isShown && size.expandX,
      expandY: isShown && size.expandY,
    })
    progress(index + 1, found.length, `${index + 1} of ${found.length} sprites`)
  }
  await artifact(`${folder}sprites.json`, JSON.stringify({ space, sprites: entries }, null, 2))
  if (sprites.length === 0) return { files: [], refused: [] }
  const { multicolour1, multicolour2 } = args
  const sheet: SpriteSheet = {
    kind: 'sprites',
    name: 'sprites',
    sprites,
    animations: [],
    ...sharedSpriteColours({ io }),
    ...(multicolour1 === undefined ? {} : { multicolour1 }),
    ...(multicolour2 === undefined ? {} : { multicolour2 }),
  }
  const [first] = found
  return saveArtwork(context, `${folder}sprites`, sheet, { ...args, ...(first ? { address: first.address } : {}) })
}

async function readShown(
  machine: Machine,
  space: 'ram' | 'cpu',
  signal: AbortSignal,
): Promise<{ io: Uint8Array; shown: Map<number, number[]> }> {
  const { io, video } = await readGraphicsRegisters(machine, signal)
  const shown = new Map<number, number[]>()
  if (isCharacterRom(video.screen)) return { io, shown }
  const pointers = await machine.readMemory({ space, address: video.screen + 0x3f8, length: SPRITES }, signal)
  pointers.forEach((pointer, n) => {
    const address = video.bankStart + pointer * 64
    shown.set(address, [...(shown.get(address) ?? []), n])
  })
  return { io, shown }
}

interface LookArguments {
  readonly multicolour: 'auto' | 'yes' | 'no'
  readonly colour?: number | undefined
  readonly multicolour1?: number | undefined
  readonly multicolour2?: number | undefined
}

function lookOf({ shownBy }: Candidate, io: Uint8Array, args: LookArguments): Look {
  const [shown] = shownBy
  const isMulticolour = shown !== undefined && ((ioByte(io, 0xd01c) >> shown) & 1) === 1
  return {
    multicolour: args.multicolour === 'auto' ? isMulticolour : args.multicolour === 'yes',
    colour: args.colour ?? ioByte(io, 0xd027 + (shown ?? 0)) & 0x0f,
    multicolour1: args.multicolour1 ?? ioByte(io, 0xd025) & 0x0f,
    multicolour2: args.multicolour2 ?? ioByte(io, 0xd026) & 0x0f,
  }
}

const entryOf = (name: string, { address, setBits, nonZeroRows, shownBy }: Candidate & FoundSprite, look: Look) => ({
  address: reportAddress(address),
  picture: `${name}.png`,
  bytes: `${name}.bin`,
  setBits,
  nonZeroRows,
  shownBy,
  ...look,
})
