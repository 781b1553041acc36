/**
 * The VIC-II of the built-in C64 puts off whole lines where nothing can tell the difference from doing each cycle when it
 * comes: random programs that write any register at any cycle must end in the same state, with the same picture.
 */
import { describe, expect, it } from 'vitest'
import { C64 } from '../../src-main/machine/builtin/c64'
import { defaultModels, vicModels, type VicModel } from '@shared/contract/machine'
import { seed } from '../support/fixedSeed'
import { START, START_FLAGS } from '../support/oracle/image'
import { chance } from '../support/oracle/random'
import { imageOf, vicCase } from '../support/oracle/vicCases'
import { romsWith } from '../support/tinyRom'

const CASES = Number(process.env['BRIDGEDECK_FUZZ_CASES'] ?? 12)
/** Programs wait for a frame, and take one. */
const MAX_CYCLES = 4 * 19_656

const machineWith = (image: Uint8Array, standard: 'pal' | 'ntsc', vicModel: VicModel): C64 => {
  const machine = new C64(romsWith([0x4c, 0x00, 0xe0]), standard, { ...defaultModels, vicModel })
  machine.space.ram.set(image.subarray(2), 2)
  machine.cpu.restore({ ...machine.cpu.save(), pc: START, flags: START_FLAGS })
  return machine
}

describe.each(['pal', 'ntsc'] as const)('lines of %s that are put off', (standard) => {
  it.each(vicModels)('are those that are done cycle by cycle, %s', { timeout: 0 }, (vicModel) => {
    let putOff = 0
    for (let index = 0; index < CASES; index++) {
      const image = imageOf(vicCase(seed, index), standard)
      const fast = machineWith(image, standard, vicModel)
      const exact = machineWith(image, standard, vicModel)
      exact.vic.putOff = () => undefined
      const finishLine = fast.vic.finishLine.bind(fast.vic)
      fast.vic.finishLine = () => {
        putOff++
        finishLine()
      }
      const { below } = chance(seed, index)
      for (let clock = 0; clock < MAX_CYCLES;) {
        clock += below(5_000)
        for (const machine of [fast, exact]) machine.runTo(clock)
        expect(fast.save(), `case ${index}, cycle ${clock}`).toEqual(exact.save())
        expect(Buffer.compare(fast.picture().pixels, exact.picture().pixels), `case ${index}, cycle ${clock}`).toBe(0)
      }
    }
    expect(putOff).toBeGreaterThan(200 * CASES)
  })
})
