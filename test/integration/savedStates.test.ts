/** States that 0.1 saved (test/fixtures/builtinStates) go on as they did there. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { screenCodeToText } from '@shared/c64/screenCodes'
import { C64 } from '../../src-main/machine/builtin/c64'
import type { Roms } from '../../src-main/machine/builtin/pla'
import { decodeState } from '../../src-main/machine/builtin/state'

const folder = resolve('test/fixtures/builtinStates')
const unpack = (name: string) => new Uint8Array(gunzipSync(readFileSync(resolve(folder, name))))

const expectedSchema = z.record(
  z.string(),
  z.object({ frames: z.int(), screen: z.array(z.string()), ram: z.string(), picture: z.string() }),
)
const expected = expectedSchema.parse(JSON.parse(readFileSync(resolve(folder, 'expected.json'), 'utf8')))

const images = unpack('roms.gz')
const roms: Roms = {
  kernal: images.subarray(0, 0x2000),
  basic: images.subarray(0x2000, 0x4000),
  character: images.subarray(0x4000),
}

function resume(name: string, frames: number): C64 {
  const state = decodeState(unpack(`${name}.state.gz`), roms)
  const machine = new C64(roms, state.chips.standard)
  machine.restore(state)
  for (let frame = 0; frame < frames; frame++) machine.runFrame()
  return machine
}

function screen(machine: C64): string[] {
  const row = (number: number) => Array.from(machine.space.ram.subarray(0x0400 + 40 * number, 0x0428 + 40 * number))
  return Array.from({ length: 25 }, (_, number) =>
    row(number)
      .map((code) => screenCodeToText(code & 0x7f, 'upper'))
      .join('')
      .trim(),
  ).filter((text) => text !== '')
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('A state that 0.1 saved', () => {
  it.each(['prompt', 'ntscTyping', 'demo', 'demoNtsc', 'timers', 'kil'])('goes on as it did there: %s', (name) => {
    const { frames = 0, ...then } = expected[name] ?? {}
    const machine = resume(name, frames)
    const ram = machine.space.ram.slice().fill(0, 0x0100, 0x0200)
    expect({ screen: screen(machine), ram: sha256(ram), picture: sha256(machine.picture().pixels) }).toEqual(then)
  })

  it('stands where its CPU was jammed', () => {
    expect(resume('kil', 1).jam).toContain('$1006')
  })

  it('is refused where a register holds what it cannot', () => {
    expect(() => resume('decimal', 0)).toThrow('a chip’s state is impossible')
  })
})
