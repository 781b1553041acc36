import { z } from 'zod'
import { MAX_SHOWN_BYTES, searchKinds } from '../c64/search/searchMemory'
import { bridgeCommand } from './define'
import { machineNameSchema } from './machine'

/**
 * `cpu`: what the 6510 sees with the present `$00/$01` and cartridge. `ram`: all 64 KiB of RAM, also under ROM and I/O.
 * `rom`: BASIC at $A000, character ROM at $D000, KERNAL at $E000; RAM elsewhere. `io`: chip registers at $D000-$DFFF,
 * read without side effects. `colorRam`: $D800-$DBFF, low nibbles.
 */
export const spaces = ['cpu', 'ram', 'rom', 'io', 'colorRam'] as const
export type Space = (typeof spaces)[number]

export const driveSpaces = ['drive8', 'drive9', 'drive10', 'drive11'] as const
export type DriveSpace = (typeof driveSpaces)[number]

/** Drives' memory is read and written on request; samples hold only the memory of the C64. */
const memorySpaces = [...spaces, ...driveSpaces] as const
export type MemorySpace = (typeof memorySpaces)[number]

export const isDriveSpace = (space: MemorySpace): space is DriveSpace => space.startsWith('drive')

export const address = z.int().min(0).max(0xffff)
const length = z.int().min(1).max(0x10000)

export const bytesSchema = (max: number): z.ZodType<Uint8Array> =>
  z.instanceof(Uint8Array).refine((bytes) => bytes.byteLength <= max, { error: `at most ${max} bytes` })

const range = z
  .strictObject({ machine: machineNameSchema, space: z.enum(memorySpaces), address, length })
  .refine((range) => range.address + range.length <= 0x10000, { error: 'the range goes past $FFFF', path: ['length'] })

export const MAX_RUNS = 1_024

const runSchema = z
  .strictObject({ space: z.enum(spaces), address, bytes: bytesSchema(0x10000) })
  .refine(({ address, bytes }) => bytes.byteLength >= 1 && address + bytes.byteLength <= 0x10000, {
    error: 'one byte at least, and none past $FFFF',
    path: ['bytes'],
  })
export type MemoryRun = z.infer<typeof runSchema>

export const MAX_MATCHES = 1_000

const searchMatchSchema = z.strictObject({
  address,
  length,
  bytes: bytesSchema(MAX_SHOWN_BYTES),
  what: z.string().max(400).nullable(),
})

export const registerSchema = z.strictObject({
  name: z.string().max(20),
  value: z.int().min(0).max(0xffff),
  bits: z.int().min(1).max(16),
})
/** By the machine's own name: PC, A, X, Y, SP, FL, and `00`/`01` for the 6510 port. */
export type Register = z.infer<typeof registerSchema>

/**
 * With borders: 384 pixels wide, 272 (PAL) or 247 (NTSC) lines, 240 in the Ultimate's NTSC stream and in older
 * recordings. 4 bits a pixel, a VIC-II colour; the low nibble is the left pixel.
 */
export const pictureSchema = z.strictObject({
  width: z.literal(384),
  height: z.union([z.literal(272), z.literal(247), z.literal(240)]),
  pixels: bytesSchema((384 * 272) / 2),
})
export type Picture = z.infer<typeof pictureSchema>

export const memoryCommands = {
  /** Reads without side effects. `time` is when the machine was read, ms since 1970. */
  'memory.read': bridgeCommand({
    effect: 'reads',
    input: range,
    output: z.strictObject({ bytes: bytesSchema(0x10000), time: z.number() }),
  }),
  /** Matches begin in the range, and may end after it. */
  'memory.search': bridgeCommand({
    effect: 'reads',
    input: range.safeExtend({ kind: z.enum(searchKinds), query: z.string().regex(/^\P{Cc}{0,4000}$/u) }),
    output: z.strictObject({ matches: z.array(searchMatchSchema).max(MAX_MATCHES), total: z.int().min(0) }),
  }),
  'memory.write': bridgeCommand({
    effect: 'writes',
    input: z
      .strictObject({ machine: machineNameSchema, space: z.enum(memorySpaces), address, bytes: bytesSchema(0x10000) })
      .refine(({ address, bytes }) => bytes.byteLength >= 1 && address + bytes.byteLength <= 0x10000, {
        error: 'one byte at least, and none past $FFFF',
        path: ['bytes'],
      }),
    output: z.strictObject({ written: z.int() }),
  }),
  'memory.writeRuns': bridgeCommand({
    effect: 'writes',
    input: z.strictObject({ machine: machineNameSchema, runs: z.array(runSchema).min(1).max(MAX_RUNS) }),
    output: z.strictObject({ written: z.int() }),
  }),
  'memory.registers': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ machine: machineNameSchema }),
    output: z.strictObject({ registers: z.array(registerSchema).max(64) }),
  }),
  'memory.setRegister': bridgeCommand({
    effect: 'runs',
    input: z.strictObject({ machine: machineNameSchema, name: z.string().max(20), value: z.int().min(0).max(0xffff) }),
    output: z.strictObject({ registers: z.array(registerSchema).max(64) }),
  }),
  'memory.standInRom': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({}),
    output: z.strictObject({
      bytes: bytesSchema(0x1000),
      file: z.string().max(1000).nullable(),
      problem: z.string().max(2000).nullable(),
    }),
  }),
  'memory.picture': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ machine: machineNameSchema }),
    output: pictureSchema,
  }),
  /** The sixteen colours as the machine itself shows them, 0xRRGGBB; null where it has no palette of its own. */
  'memory.palette': bridgeCommand({
    effect: 'reads',
    input: z.strictObject({ machine: machineNameSchema }),
    output: z.strictObject({ colours: z.array(z.int().min(0).max(0xffffff)).length(16).nullable() }),
  }),
} as const
