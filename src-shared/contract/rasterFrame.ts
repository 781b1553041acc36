import { z } from 'zod'
import { videoStandards } from './machine'
import { bytesSchema, pictureSchema } from './memory'

/** Use of the second half of a cycle. `waits`: the CPU wants to read, and the VIC-II holds the bus or is about to. */
export const secondHalves = ['reads', 'writes', 'waits', 'matrix', 'sprite'] as const
export type SecondHalf = (typeof secondHalves)[number]
export const firstHalves = ['idle', 'refresh', 'graphics', 'pointer', 'sprite'] as const
export type FirstHalf = (typeof firstHalves)[number]

/** A cycle as a byte: the second half in bits 0 to 3, the first half in bits 4 to 7, as indices of the lists above. */
export const cycleByte = (first: number, second: number): number => (first << 4) | second
export const halvesOf = (byte: number): { readonly first: FirstHalf; readonly second: SecondHalf } => ({
  first: firstHalves[byte >> 4] ?? 'idle',
  second: secondHalves[byte & 15] ?? 'reads',
})

/** Upper limit, above what a program can write in a frame. */
export const MAX_CHIP_WRITES = 8_000

const chipWriteSchema = z.strictObject({
  line: z.int().min(0).max(311),
  cycle: z.int().min(0).max(64),
  /** The VIC-II from $D000 to $D02E, or $DD00, which chooses its bank. */
  address: z.int().min(0).max(0xffff),
  value: z.int().min(0).max(0xff),
})
export type ChipWrite = z.infer<typeof chipWriteSchema>

export const rasterFrameSchema = z
  .strictObject({
    standard: z.enum(videoStandards),
    cyclesPerLine: z.int().min(1).max(65),
    linesPerFrame: z.int().min(1).max(312),
    /** Line by line, a byte for each cycle; see `cycleByte`. */
    cycles: bytesSchema(65 * 312),
    /** For each cycle the address of the instruction that the CPU runs or waits in; two bytes, the low byte first. */
    instructions: bytesSchema(2 * 65 * 312),
    sprites: z.array(z.int().min(0).max(7).nullable()),
    writes: z.array(chipWriteSchema).max(MAX_CHIP_WRITES),
    picture: pictureSchema,
  })
  .refine(({ cycles, cyclesPerLine, linesPerFrame }) => cycles.length === cyclesPerLine * linesPerFrame)
  .refine(({ cycles, instructions }) => instructions.length === 2 * cycles.length)
  .refine(({ sprites, cyclesPerLine }) => sprites.length === cyclesPerLine)
export type RasterFrame = z.infer<typeof rasterFrameSchema>
