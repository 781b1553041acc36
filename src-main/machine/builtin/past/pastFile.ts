/**
 * Little-endian: `BDC64PST`, u16 version, u32 CRC-32 of all that follows, u32 length of a saved state, that state (see
 * state.ts), and JSON with the inputs after it.
 */
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { c64Keys, joystickInputs } from '@shared/c64/keyboardMatrix'
import { AppError } from '@shared/contract/errors'
import { spaces } from '@shared/contract/memory'
import type { Snapshot } from '../c64'
import { byte } from '../numbers'
import type { Roms } from '../pla'
import { decodeState, encodeState, MAX_TYPING, type MachineImage } from '../state'
import type { TimedInput } from './past'

const MAGIC = 'BDC64PST'
const VERSION = 1
const HEADER = MAGIC.length + 2 + 4 + 4
/** Bytes of one input and of all: far more than a person or a program gives in ten minutes. */
const MAX_BYTES = 0x10000
const MAX_PROGRAM_BYTES = 0x28_0000
const MAX_INPUTS = 200_000
/** Eleven minutes: a replay runs no faster than warp. */
const MAX_CYCLES = 11 * 60 * 1_022_727

export interface SavedPast {
  readonly begin: Snapshot
  readonly inputs: readonly TimedInput[]
  readonly end: number
  readonly check: number
}

export const checkOf = (image: MachineImage, roms: Roms): number => crc32(encodeState(image, roms))

const clock = z
  .int()
  .min(0)
  .max(2 ** 52)
const keys = z.array(z.enum(c64Keys)).max(c64Keys.length)
const bytes = (max: number) =>
  z
    .base64()
    .max(Math.ceil(max / 3) * 4)
    .transform((text) => new Uint8Array(Buffer.from(text, 'base64')))
const inputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('keys'), keys }),
  z.strictObject({
    kind: z.literal('joystick'),
    port: z.literal([1, 2]),
    inputs: z.array(z.enum(joystickInputs)).max(joystickInputs.length),
  }),
  z.strictObject({ kind: z.literal('text'), keys: z.array(byte).max(MAX_TYPING) }),
  z.strictObject({
    kind: z.literal('memory'),
    space: z.enum(spaces),
    address: z.int().min(0).max(0xffff),
    bytes: bytes(MAX_BYTES),
  }),
  z.strictObject({ kind: z.literal('register'), name: z.string().max(20), value: z.int().min(0).max(0xffff) }),
  z.strictObject({ kind: z.literal('reset'), reset: z.enum(['soft', 'power']) }),
  z.strictObject({ kind: z.literal('program'), file: bytes(MAX_PROGRAM_BYTES) }),
])
const restSchema = z
  .strictObject({
    keyboard: z.strictObject({ down: keys, waiting: z.array(keys).max(1_000), age: z.int().min(0) }),
    joysticks: z.tuple([byte, byte]),
    restoreHeld: z.boolean(),
    inputs: z.array(z.strictObject({ clock, input: inputSchema })).max(MAX_INPUTS),
    end: clock,
    check: z.int().min(0),
  })
  .refine(({ inputs, end }) =>
    inputs.every((each, index) => each.clock <= end && each.clock >= (inputs[index - 1]?.clock ?? 0)),
  )

export function encodePast({ begin, inputs, end, check }: SavedPast, roms: Roms): Uint8Array<ArrayBuffer> {
  const { image, ...hostInput } = begin
  const state = encodeState(image, roms)
  const rest = { ...hostInput, inputs, end, check }
  const json = new TextEncoder().encode(JSON.stringify(rest, (_, value: unknown) => base64(value)))
  const file = new Uint8Array(HEADER + state.length + json.length)
  const view = new DataView(file.buffer)
  file.set(new TextEncoder().encode(MAGIC))
  view.setUint16(MAGIC.length, VERSION, true)
  view.setUint32(HEADER - 4, state.length, true)
  file.set(state, HEADER)
  file.set(json, HEADER + state.length)
  view.setUint32(HEADER - 8, crc32(file.subarray(HEADER - 4)), true)
  return file
}

const base64 = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value

export const isPast = (file: Uint8Array): boolean => new TextDecoder().decode(file.subarray(0, MAGIC.length)) === MAGIC

/** @throws AppError INVALID for what is no past of this version, CONFLICT when it needs other ROMs */
export function decodePast(file: Uint8Array, roms: Roms): SavedPast {
  const damaged = new AppError('INVALID', 'The file of the machine’s past is damaged.', { hint: 'Save it again.' })
  if (!isPast(file) || file.length < HEADER) throw damaged
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const version = view.getUint16(MAGIC.length, true)
  if (version !== VERSION)
    throw new AppError(
      'INVALID',
      `The machine’s past has version ${version}; this Bridgedeck reads version ${VERSION}.`,
      {
        hint: 'Update Bridgedeck, or replay it with the Bridgedeck that saved it.',
      },
    )
  if (view.getUint32(HEADER - 8, true) !== crc32(file.subarray(HEADER - 4))) throw damaged
  const stateEnd = HEADER + view.getUint32(HEADER - 4, true)
  const image = decodeState(file.subarray(HEADER, stateEnd), roms)
  const { data } = restSchema.safeParse(parseJson(new TextDecoder().decode(file.subarray(stateEnd))))
  const { clock: begin } = image.chips
  if (!data || (data.inputs[0]?.clock ?? data.end) < begin || data.end - begin > MAX_CYCLES) throw damaged
  const { keyboard, joysticks, restoreHeld, ...past } = data
  return { ...past, begin: { image, keyboard, joysticks, restoreHeld } }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
