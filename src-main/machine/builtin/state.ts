/**
 * A saved machine, little-endian: `BDC64STA`, u16 version, u32 CRC-32 of all that follows, u32 length of the JSON, the
 * JSON (chips and the CRC-32 of the ROMs), 64 KiB RAM, 1 KiB colour RAM. Held keys and joysticks are not in it.
 */
import { crc32 } from 'node:zlib'
import { ciaModels, videoStandards, vicModels } from '@shared/contract/machine'
import { AppError } from '@shared/contract/errors'
import { z } from 'zod'
import { ciaSchema } from './cia'
import { cpuSchema } from './cpu'
import type { Roms } from './pla'
import { portSchema } from './processorPort'
import { chipsFromV1 } from './stateV1'
import { chipsFromV2 } from './stateV2'
import { vicSchema } from './vicii'
import { byte } from './numbers'

/** Above what one call of the contract brings. */
export const MAX_TYPING = 20_000

/** Limit of how far a chip may lag behind the machine's clock: far more than a frame, but quick to catch up. */
const MAX_LAG_CYCLES = 100_000
const MAX_CLOCK = 2 ** 52

const chipsSchema = z
  .strictObject({
    standard: z.enum(videoStandards),
    ciaModel: z.enum(ciaModels),
    vicModel: z.enum(vicModels),
    /** Cycles since the machine was made. A number too large to be counted up by one would never end a frame. */
    clock: z.int().min(0).max(MAX_CLOCK),
    port: portSchema,
    cpu: cpuSchema,
    vic: vicSchema,
    cia1: ciaSchema,
    cia2: ciaSchema,
    sid: z.array(byte).length(32),
    typing: z.array(byte).max(MAX_TYPING),
  })
  .refine(({ clock, cia1, cia2 }) => [cia1.now, cia2.now].every((now) => now <= clock && now > clock - MAX_LAG_CYCLES))

export interface MachineImage {
  readonly chips: z.infer<typeof chipsSchema>
  readonly ram: Uint8Array
  readonly colorRam: Uint8Array
}

const roms = z.int().min(0)
const fileSchema = z.strictObject({ roms, chips: chipsSchema })

const fileSchemas = [
  z.strictObject({ roms, chips: chipsFromV1.pipe(chipsFromV2).pipe(chipsSchema) }),
  z.strictObject({ roms, chips: chipsFromV2.pipe(chipsSchema) }),
  fileSchema,
]

const MAGIC = 'BDC64STA'
export const STATE_VERSION = fileSchemas.length
const HEADER = MAGIC.length + 2 + 4 + 4
const RAM = 0x10000
const COLOR_RAM = 0x400

/** Tells ROMs apart, so that a state is not resumed with other ROMs than it was saved with. */
const romsCheck = ({ kernal, basic, character }: Roms): number => crc32(character, crc32(basic, crc32(kernal)))

export function encodeState({ chips, ram, colorRam }: MachineImage, roms: Roms): Uint8Array<ArrayBuffer> {
  const file: z.infer<typeof fileSchema> = { roms: romsCheck(roms), chips }
  const json = new TextEncoder().encode(JSON.stringify(file))
  const bytes = new Uint8Array(HEADER + json.length + RAM + COLOR_RAM)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(MAGIC))
  view.setUint16(MAGIC.length, STATE_VERSION, true)
  view.setUint32(HEADER - 4, json.length, true)
  bytes.set(json, HEADER)
  bytes.set(ram, HEADER + json.length)
  bytes.set(colorRam, HEADER + json.length + RAM)
  view.setUint32(HEADER - 8, crc32(bytes.subarray(HEADER - 4)), true)
  return bytes
}

export function versionOfState(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEADER || new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) return undefined
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint16(MAGIC.length, true)
}

/** @throws AppError INVALID for what is no state of this version, CONFLICT when it needs other ROMs. */
export function decodeState(bytes: Uint8Array, roms: Roms): MachineImage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = versionOfState(bytes)
  if (version === undefined) {
    throw new AppError('INVALID', 'This is not a saved state of the built-in C64.', {
      hint: 'Choose a file that “Save the machine’s state” wrote.',
    })
  }
  const schema = fileSchemas[version - 1]
  if (!schema) {
    throw new AppError(
      'INVALID',
      `The saved state has version ${version}; this Bridgedeck reads versions 1 to ${STATE_VERSION}.`,
      { hint: 'Update Bridgedeck, or load the state with the Bridgedeck that saved it.' },
    )
  }
  const jsonLength = view.getUint32(HEADER - 4, true)
  if (
    bytes.length !== HEADER + jsonLength + RAM + COLOR_RAM ||
    view.getUint32(HEADER - 8, true) !== crc32(bytes.subarray(HEADER - 4))
  ) {
    throw new AppError('INVALID', 'The saved state is damaged: its length or checksum is wrong.', {
      hint: 'Save the state again.',
    })
  }
  const file = schema.safeParse(parseJson(new TextDecoder().decode(bytes.subarray(HEADER, HEADER + jsonLength))))
  if (!file.success)
    throw new AppError('INVALID', 'The saved state is damaged: a chip’s state is impossible.', {
      hint: 'Save the state again.',
    })
  if (file.data.roms !== romsCheck(roms)) {
    throw new AppError('CONFLICT', 'The saved state was made with other ROMs than the built-in C64 has now.', {
      hint: 'Choose the same ROM files in the settings, then load it again.',
    })
  }
  const ram = HEADER + jsonLength
  return { chips: file.data.chips, ram: bytes.slice(ram, ram + RAM), colorRam: bytes.slice(ram + RAM) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
