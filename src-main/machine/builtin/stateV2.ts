/**
 * The chips in version 2 of saved states, converted to the present version. That VIC-II drew whole lines; its state
 * within a line is reconstructed.
 */
import { ciaModels, videoStandards, type VicModel, type VideoStandard } from '@shared/contract/machine'
import { z } from 'zod'
import { ciaSchema } from './cia'
import { cpuSchema } from './cpu'
import { byte } from './numbers'
import { portSchema } from './processorPort'
import { powerOnPixels, type PixelsState } from './vicPixels'
import { powerOnSpritePixels } from './vicSprites'
import { lineTimings } from './vicTiming'
import { powerOnVic, type VicState } from './vicii'

const bytes = (length: number) => z.array(byte).length(length)

export const vicV2Schema = z.strictObject({
  registers: bytes(64),
  raster: z.int().min(0).max(311),
  latch: z.int().min(0).max(15),
  spriteCollisions: byte,
  backgroundCollisions: byte,
  /** Progress in the line: 0 begun, 1 matrix fetched, 2 drawn, 3 sprites fetched. */
  phase: z.int().min(0).max(3),
  badLine: z.boolean(),
  counters: z.strictObject({
    badLines: z.boolean(),
    display: z.boolean(),
    verticalBorder: z.boolean(),
    vcBase: z.int().min(0).max(0x3ff),
    rc: z.int().min(0).max(7),
    matrix: bytes(40),
    colors: bytes(40),
    lastCode: byte,
    spriteDma: byte,
    spritesShown: byte,
    spriteFlips: byte,
    spriteRows: bytes(8),
    spriteData: bytes(24),
  }),
})
type VicV2State = z.infer<typeof vicV2Schema>

/** A line and what may remain of the one before. */
const MAX_LAG_CYCLES = 300

const chipsV2Schema = z
  .strictObject({
    standard: z.enum(videoStandards),
    ciaModel: z.enum(ciaModels),
    clock: z.int().min(0),
    raster: z.strictObject({
      lineStart: z.int().min(0),
      matrixEnd: z.int().min(0),
      spritesStart: z.int().min(0),
      sprites: byte,
    }),
    port: portSchema,
    cpu: cpuSchema,
    vic: vicV2Schema,
    cia1: ciaSchema,
    cia2: ciaSchema,
    sid: bytes(32),
    typing: z.array(byte),
  })
  .refine(({ clock, raster: { lineStart } }) => lineStart <= clock && lineStart > clock - MAX_LAG_CYCLES)

export const chipsFromV2 = chipsV2Schema.transform(({ raster, vic, ...others }) => ({
  ...others,
  vicModel: '8565' as VicModel,
  vic: vicFromV2(vic, others.standard, others.clock - raster.lineStart),
}))

const DISPLAY_START = 15
const DISPLAY_END = 55
const SPRITES_COUNTED = 15
/** After this line that machine still allowed bad lines, although there were none. */
const LAST_DMA_LINE = 0xf7

function vicFromV2(vic: VicV2State, standard: VideoStandard, passed: number): VicState {
  const { registers, latch, spriteCollisions, backgroundCollisions, counters } = vic
  const { cycles, lines } = lineTimings[standard]
  const last = vic.raster * cycles + passed - 1 + cycles * lines
  const cycle = last % cycles
  const line = Math.floor(last / cycles) % lines
  // Line 0 begins a cycle late.
  const frameEnds = line === 0 && cycle === 0
  const raster = frameEnds ? lines - 1 : line

  const { badLines, display, verticalBorder, vcBase, rc, matrix, colors, spriteDma, spritesShown } = counters
  const control1 = registers[0x11] ?? 0
  const badLinesAllowed = badLines && raster <= LAST_DMA_LINE
  const column = display && cycle >= DISPLAY_START ? Math.min(cycle + 1, DISPLAY_END) - DISPLAY_START : 0
  const mainBorder = verticalBorder || cycle <= DISPLAY_START || cycle > DISPLAY_END
  const mcBase = counters.spriteRows.map((row) => row & 63)
  return {
    ...powerOnVic(lineTimings[standard]),
    registers,
    raster,
    cycle,
    frameEnds,
    latch,
    spriteCollisions,
    backgroundCollisions,
    compareMatches: raster === ((registers[0x12] ?? 0) | ((control1 & 0x80) << 1)),
    badLinesAllowed,
    badLine: badLinesAllowed && (raster & 7) === (control1 & 7),
    grace: 0,
    idle: !display,
    vcBase,
    vc: (vcBase + column) & 0x3ff,
    rc,
    column,
    matrix,
    colors: colors.map((color) => color & 0x0f),
    control1Before: control1,
    verticalBorder,
    verticalBorderDue: verticalBorder,
    mainBorder,
    spriteDma,
    spritesShown,
    expansionFlips: counters.spriteFlips | (~spriteDma & 0xff),
    mcBase,
    mc: cycle < SPRITES_COUNTED ? mcBase.map((row) => (row + 3) & 63) : mcBase,
    spriteData: spriteBits(counters.spriteData),
    spritesMoved: true,
    pixels: pixelsFromV2(vic, mainBorder),
  }
}

function pixelsFromV2({ registers, counters }: VicV2State, border: boolean): PixelsState {
  const initial = powerOnPixels()
  const control2 = registers[0x16] ?? 0
  const multicolor = (control2 & 0x10) >> 2
  return {
    ...initial,
    scroll: control2 & 7,
    mode: ((registers[0x11] ?? 0) & 0x60) >> 2,
    multicolor,
    pairs: multicolor,
    border,
    sprites: {
      ...powerOnSpritePixels(),
      priorities: registers[0x1b] ?? 0,
      paired: registers[0x1c] ?? 0,
      wide: registers[0x1d] ?? 0,
      pending: counters.spritesShown,
      bits: spriteBits(counters.spriteData),
    },
    palette: initial.palette.map((color, place) => (place < 0x20 ? color : (registers[place] ?? 0) & 0x0f)),
  }
}

const spriteBits = (data: readonly number[]): number[] =>
  Array.from({ length: 8 }, (_, sprite) =>
    data.slice(3 * sprite, 3 * sprite + 3).reduce((bits, next) => (bits << 8) | next, 0),
  )
