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
    const { frames = 0, ...then } = expectedOfOldStates[name] ?? {}
    const machine = resume(name, frames)
    const ram = machine.space.ram.slice().fill(0, 0x0100, 0x0200)
    expect({ screen: screen(machine), ram: sha256(ram), picture: sha256(machine.picture().pixels) }).toEqual(then)
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
