import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { palettes } from '@shared/c64/palettes'
import { isCharacterRom } from '@shared/c64/video'
import { AppError } from '@shared/contract/errors'
import { SPRITE_BYTES } from '@shared/graphics/artwork'
import { spriteArtPixels } from '@shared/graphics/artworkPixels'
import { sharedSpriteColours, spriteLookOf } from '@shared/graphics/grab'
import { animationOfSeen, type SeenSprite } from '@shared/graphics/seenAnimation'
import { pixelsPng } from '../../files/png'
import type { Machine } from '../../machine/machine'
import { ramOrCpu } from '../../machine/readImage'
import { defineOperation, NotNow, type OperationContext } from '../operation'
import { folderOf, keepAll, reportAddress, wholeNumber } from './arguments'
import { warnOfSampling } from './samplingRisk'
import { formatsFor, palette, savedSummary, saveArtwork, scale } from './savedArtwork'
import { readGraphicsRegisters } from './screen'

const POINTERS = 0x3f8

export const extractAnimation = defineOperation({
  name: 'extract_animation',
  title: 'Extract an animation',
  does: 'Follows a sprite for a time and saves each picture that its pointer showed (PNG), with their order and times. Where they repeat, one round of them.',
  needs: ['readMemory'],
  writes: false,
  savesFiles: true,
  arguments: z.strictObject({
    sprite: wholeNumber(0, 7, 'Which sprite of the VIC-II, 0 to 7.').prefault(0),
    durationMs: wholeNumber(20, 600_000, 'How long to follow it.').prefault(3_000),
    rate: z.number().min(1).max(60).default(50).meta({ description: 'Looks per second.' }),
    maxFrames: wholeNumber(1, 256, 'The most pictures: it ends early when there are more.').prefault(64),
    formats: formatsFor('sprites'),
    palette: palette(),
    scale: scale(),
    keepAll: keepAll(),
  }),
  run: async (context, args) => {
    const { machine, signal, artifact, iteration, log } = context
    const note = warnOfSampling(context)
    const { seen, end } = await follow(context, args)
    if (seen.length === 0) throw new AppError('UNSUPPORTED', 'This machine does not show the sprite’s memory.')
    const { io } = await readGraphicsRegisters(machine, signal)
    const colours = sharedSpriteColours({ io })
    const sheet = animationOfSeen(seen, end, `sprite ${args.sprite}`, colours)
    const folder = `${folderOf(args.keepAll, iteration)}animation/`
    const files = sheet.sprites.map((_, at) => `frame_${String(at + 1).padStart(2, '0')}`)
    for (const [at, sprite] of sheet.sprites.entries()) {
      const { pixels, width } = spriteArtPixels(sprite, sheet)
      await artifact(`${folder}${files[at] ?? ''}.png`, pixelsPng(pixels, width, palettes[args.palette]))
      await artifact(`${folder}${files[at] ?? ''}.bin`, sprite.bytes)
    }
    const frames = (sheet.animations[0]?.frames ?? []).map(({ sprite, ms }) => ({
      picture: `${files[sprite] ?? ''}.png`,
      ms,
    }))
    await artifact(`${folder}animation.json`, JSON.stringify({ sprite: args.sprite, ...colours, frames }, null, 2))
    const saved = await saveArtwork(context, `${folder}animation`, sheet, { ...args, columns: 16 })
    log(`${sheet.sprites.length} pictures, ${frames.length} steps`)
    return {
      summary: {
        sprite: args.sprite,
        pictures: sheet.sprites.length,
        steps: frames.length,
        roundMs: frames.reduce((sum, { ms }) => sum + ms, 0),
        addresses: [...new Set(seen.map(({ address }) => reportAddress(address)))],
        ...note,
        ...savedSummary(saved),
      },
      artifacts: { animationDir: `artifacts/${folder}` },
    }
  },
})

interface Followed {
  readonly sprite: number
  readonly durationMs: number
  readonly rate: number
  readonly maxFrames: number
}

type Look = SeenSprite & { readonly address: number }

async function follow(
  { machine, signal, progress }: OperationContext,
  { sprite, durationMs, rate, maxFrames }: Followed,
): Promise<{ seen: Look[]; end: number }> {
  const seen: Look[] = []
  const pictures = new Set<string>()
  const start = performance.now()
  for (let tick = 0; ; tick++) {
    const due = start + (tick * 1000) / rate
    if (due - start >= durationMs) break
    if (performance.now() > due + 1000 / rate) continue
    await sleep(Math.max(0, due - performance.now()), undefined, { signal })
    const look = await lookAt({ machine, signal }, sprite, performance.now())
    if (look) {
      pictures.add(look.bytes.join())
      if (pictures.size > maxFrames) return { seen, end: look.time }
      seen.push(look)
    }
    progress(due - start, durationMs, `${pictures.size} pictures`)
  }
  return { seen, end: performance.now() }
}

async function lookAt(
  { machine, signal }: Pick<OperationContext, 'machine' | 'signal'>,
  sprite: number,
  time: number,
): Promise<Look | null> {
  const shown = await registersInSight(machine, signal)
  if (!shown) return null
  const { io } = shown
  const { screen, bankStart } = shown.video
  const read = async (address: number, length: number) => {
    if (!isCharacterRom(address)) return machine.readMemory({ space: ramOrCpu(machine), address, length }, signal)
    const rom = { space: 'rom', address: 0xd000 | (address & 0x0fff), length } as const
    return machine.unsupported.ramUnderRom === undefined ? machine.readMemory(rom, signal) : null
  }
  const pointer = await read(screen + POINTERS + sprite, 1)
  if (!pointer) return null
  const address = bankStart + (pointer[0] ?? 0) * 64
  const bytes = await read(address, SPRITE_BYTES)
  if (!bytes) return null
  return { time, bytes, look: spriteLookOf({ io }, sprite), address }
}

async function registersInSight(machine: Machine, signal: AbortSignal) {
  try {
    return await readGraphicsRegisters(machine, signal)
  } catch (error) {
    if (error instanceof NotNow) return null
    throw error
  }
}
