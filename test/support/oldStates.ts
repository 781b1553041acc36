/** What Bridgedeck 0.1 saved of the built-in C64, and what it made of that: test/fixtures/builtinStates. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Roms } from '../../src-main/machine/builtin/pla'

const folder = resolve(import.meta.dirname, '../fixtures/builtinStates')
const unpack = (name: string) => new Uint8Array(gunzipSync(readFileSync(resolve(folder, name))))

const expectedSchema = z.record(
  z.string(),
  z.object({ frames: z.int(), screen: z.array(z.string()), ram: z.string(), picture: z.string() }),
)

/** By the name of the state. */
export const expectedOfOldStates = expectedSchema.parse(
  JSON.parse(readFileSync(resolve(folder, 'expected.json'), 'utf8')),
)

export const oldState = (name: string): Uint8Array => unpack(`${name}.state.gz`)

export function oldRoms(): Roms {
  const images = unpack('roms.gz')
  return {
    kernal: images.subarray(0, 0x2000),
    basic: images.subarray(0x2000, 0x4000),
    character: images.subarray(0x4000),
  }
}
