/** What the C64 does in each cycle of a frame. */
import { z } from 'zod'
import { videoStandards } from './machine'
import { bytesSchema, pictureSchema } from './memory'

/** What the second half of a cycle is used for. `waits`: the CPU wants to read, and the VIC-II holds the bus or is about to. */
export const secondHalves = ['reads', 'writes', 'waits', 'matrix', 'sprite'] as const
export type SecondHalf = (typeof secondHalves)[number]
/** What the VIC-II reads in the first half of a cycle. */
export const firstHalves = ['idle', 'refresh', 'graphics', 'pointer', 'sprite'] as const
export type FirstHalf = (typeof firstHalves)[number]

/** A cycle as a byte: its second half in bits 0 to 3, its first half in bits 4 to 7, as places in the lists above. */
export const cycleByte = (first: number, second: number): number => (first << 4) | second
export const halvesOf = (byte: number): { readonly first: FirstHalf; readonly second: SecondHalf } => ({
  first: firstHalves[byte >> 4] ?? 'idle',
  second: secondHalves[byte & 15] ?? 'reads',
})

/** More than a program can write in a frame. */
export const MAX_CHIP_WRITES = 8_000

const chipWriteSchema = z.strictObject({
  line: z.int().min(0).max(311),
  cycle: z.int().min(0).max(64),
  /** Of the VIC-II from $D000 to $D02E, or $DD00, which chooses its bank. */
  address: z.int().min(0).max(0xffff),
  value: z.int().min(0).max(0xff),
})
export type ChipWrite = z.infer<typeof chipWriteSchema>

export const rasterFrameSchema = z
  .strictObject({
    standard: z.enum(videoStandards),
    cyclesPerLine: z.int().min(1).max(65),
    linesPerFrame: z.int().min(1).max(312),
    /** Line after line, a byte for each cycle; see `cycleByte`. */
    cycles: bytesSchema(65 * 312),
    /** For each cycle the address of the instruction that the CPU is at, or waits in; two bytes, the low one first. */
    instructions: bytesSchema(2 * 65 * 312),
    /** For each cycle of a line the sprite that it is for; null for none. */
    sprites: z.array(z.int().min(0).max(7).nullable()),
    /** In the order in which they came. */
    writes: z.array(chipWriteSchema).max(MAX_CHIP_WRITES),
    picture: pictureSchema,
  })
  .refine(({ cycles, cyclesPerLine, linesPerFrame }) => cycles.length === cyclesPerLine * linesPerFrame)
  .refine(({ cycles, instructions }) => instructions.length === 2 * cycles.length)
  .refine(({ sprites, cyclesPerLine }) => sprites.length === cyclesPerLine)
export type RasterFrame = z.infer<typeof rasterFrameSchema>
