/** States that 0.1 saved (test/fixtures/builtinStates) go on as they did there. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { screenCodeToText } from '@shared/c64/screenCodes'
import { C64 } from '../../src-main/machine/builtin/c64'
import { decodeState } from '../../src-main/machine/builtin/state'
import { expectedOfOldStates, oldRoms, oldState } from '../support/oldStates'

const roms = oldRoms()

function resume(name: string, frames: number): C64 {
  const state = decodeState(oldState(name), roms)
  const machine = new C64(roms, state.chips.standard)
  machine.restore(state)
  for (let frame = 0; frame < frames; frame++) machine.runFrame()
  // 0.1 ended a frame with the first cycle of the next line; in NTSC four lines earlier.
  const isNtsc = machine.standard === 'ntsc'
  while (isNtsc && frames > 0 && machine.rasterLine !== lastLine.ntsc) machine.step(1)
  while (machine.rasterLine === lastLine[machine.standard]) machine.step(1)
  return machine
}

const lastLine = { pal: 287, ntsc: 7 } as const
/** The KERNAL keeps the colour under the cursor there, with what floats beside it, which was 0 in 0.1. */
const CURSOR_COLOR = 0x0287

function screen(machine: C64): string[] {
  const row = (number: number) => Array.from(machine.space.ram.subarray(0x0400 + 40 * number, 0x0428 + 40 * number))
  return Array.from({ length: 25 }, (_, number) =>
    row(number)
      .map((code) => screenCodeToText(code & 0x7f, 'upper'))
      .join('')
      .trim(),
  ).filter((text) => text !== '')
}

/** The lines that 0.1 had: in NTSC three fewer at the top, and four at the bottom. */
function oldPicture(machine: C64): Uint8Array {
  const { width, pixels } = machine.picture()
  const line = width / 2
  return machine.standard === 'pal' ? pixels : pixels.subarray(3 * line, 243 * line)
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('A state that 0.1 saved', () => {
  it.each(['prompt', 'ntscTyping', 'demo', 'demoNtsc', 'timers', 'kil'])('goes on as it did there: %s', (name) => {
    const { frames = 0, picture, ...then } = expectedOfOldStates[name] ?? {}
    const machine = resume(name, frames)
    const ram = machine.space.ram.slice().fill(0, 0x0100, 0x0200)
    ram[CURSOR_COLOR] = (ram[CURSOR_COLOR] ?? 0) & 0x0f
    expect({ screen: screen(machine), ram: sha256(ram) }).toEqual(then)
    // 0.1 drew the demo's splits with whole lines.
    if (!name.startsWith('demo')) expect(sha256(oldPicture(machine))).toBe(picture)
  })

  it('stands where its CPU was jammed', () => {
    expect(resume('kil', 1).jam).toContain('$1006')
  })

  it('goes on where 0.1 could not run an opcode', () => {
    const machine = resume('sre', 1)
    expect([machine.jam, screen(machine)[0]]).toEqual([null, 'CD'])
  })

  it('is refused where a register holds what it cannot', () => {
    expect(() => resume('decimal', 0)).toThrow('a chip’s state is impossible')
  })
})
