import { z } from 'zod'
import { paletteNames, palettes } from '@shared/c64/palettes'
import { SPRITE_WIDTH, spritePixels, type Sprite } from '@shared/c64/sprites'
import {
  selectSprites,
  SPRITE_BYTES,
  spriteCandidates,
  type FoundSprite,
  type SpriteCandidate,
} from '@shared/c64/spriteScan'
import { ioByte, isCharacterRom } from '@shared/c64/video'
import { pixelsPng } from '../../files/png'
import type { Machine } from '../../machine/machine'
import { ramOrCpu, readImage, standingStill } from '../../machine/readImage'
import { defineOperation } from '../operation'
import {
  address,
  byteCount,
  fitsMemory,
  flag,
  imageSpace,
  pastTheEnd,
  pauseDuringRead,
  reportAddress,
  wholeNumber,
} from './arguments'
import { readGraphicsRegisters } from './screen'

const SPRITES = 8
const SPRITES_DIR = 'artifacts/sprites/'

const colour = (description: string) => wholeNumber(0, 15, description).optional()

type Look = Pick<Sprite, 'multicolour' | 'colour' | 'multicolour1' | 'multicolour2'>

/** Something that may be a sprite, and how it would be shown. */
interface Candidate extends SpriteCandidate {
  readonly address: number
  /** The sprites of the VIC-II that show it now, 0 to 7. */
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
      palette: z.enum(paletteNames).default('pepto').meta({ description: 'Palette of the pictures.' }),
      space: imageSpace(),
      pauseDuringRead: pauseDuringRead(),
      persistArtifacts: flag(
        true,
        'Write the pictures and the bytes into the task’s folder, and not only where the sprites are.',
      ),
    })
    .refine(fitsMemory, pastTheEnd),
  run: async (context, args) => {
    const { machine, signal, artifact, log, progress } = context
    const space = args.space ?? ramOrCpu(machine)
    const { candidates, io } = await standingStill(context, args.pauseDuringRead, async () => {
      const { io, shown } = await readShown(machine, space, signal)
      if (args.source === 'scan') {
        const { bytes } = await readImage(machine, { space, address: args.address, length: args.length }, signal)
        const found = spriteCandidates(bytes, args.stride)
        return {
          io,
          candidates: found.map((one): Candidate => ({
            ...one,
            address: args.address + one.offset,
            shownBy: shown.get(args.address + one.offset) ?? [],
          })),
        }
      }
      const candidates: Candidate[] = []
      for (const [address, shownBy] of shown) {
        if (isCharacterRom(address)) {
          log(`sprite ${shownBy.join(', ')} shows character ROM at ${reportAddress(address)}, which is no RAM`)
          continue
        }
        candidates.push({
          offset: 0,
          bytes: await machine.readMemory({ space, address, length: SPRITE_BYTES }, signal),
          address,
          shownBy,
        })
      }
      return { io, candidates }
    })

    const all = selectSprites(candidates, args)
    const found = all.slice(0, args.maxSprites)
    if (args.persistArtifacts) {
      const entries = []
      for (const [done, sprite] of found.entries()) {
        signal.throwIfAborted()
        const name = `sprite_${sprite.address.toString(16).toUpperCase().padStart(4, '0')}`
        const look = lookOf(sprite, io, args)
        await artifact(
          `sprites/${name}.png`,
          pixelsPng(spritePixels(sprite.bytes, look), SPRITE_WIDTH, palettes[args.palette]),
        )
        await artifact(`sprites/${name}.bin`, sprite.bytes)
        entries.push(entryOf(name, sprite, look))
        progress(done + 1, found.length, `${done + 1} of ${found.length} sprites`)
      }
      await artifact('sprites/sprites.json', JSON.stringify({ space, sprites: entries }, null, 2))
    }
    log(
      `${found.length} sprites found${all.length > found.length ? `, and ${all.length - found.length} more that were not wanted` : ''}`,
    )
    return {
      summary: {
        spriteCount: found.length,
        spriteAddresses: found.map((sprite) => reportAddress(sprite.address)),
        ...(all.length > found.length ? { moreSprites: all.length - found.length } : {}),
      },
      ...(args.persistArtifacts ? { artifacts: { spritesDir: SPRITES_DIR } } : {}),
    }
  },
})

/** Which sprites the VIC-II would show from where. */
async function readShown(
  machine: Machine,
  space: 'ram' | 'cpu',
  signal: AbortSignal,
): Promise<{ io: Uint8Array; shown: Map<number, number[]> }> {
  const { io, video } = await readGraphicsRegisters(machine, signal)
  const shown = new Map<number, number[]>()
  // Where the pointers are in character ROM, nobody can move them, and no program has them there.
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

/** As told, and for the rest as the first sprite that shows it has it. */
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
