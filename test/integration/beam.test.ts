/**
 * The mark of the raster beam over the built-in C64's picture, as test/vice/beam.test.ts compares it with x64sc's.
 */
import { describe, expect, it } from 'vitest'
import { beamIn } from '@shared/c64/beam'
import { videoStandards } from '@shared/contract/machine'
import { C64 } from '../../src-main/machine/builtin/c64'
import { bootToPrompt } from '../../src-main/machine/builtin/autostart'
import { BEAM_CODE, beamProgram, colourChanges, placeOfChange } from '../support/beamProgram'
import { readRoms } from '../support/ownRoms'

/** The colour registers of the 8565 show a pixel earlier than those of the 6569, behind a grey dot. */
const MAX_PIXELS_OFF = 1

describe.each(videoStandards)('the mark of the beam over the picture of the built-in C64, %s', (standard) => {
  it.each(colourChanges)('stands where the colour changes: $register, line $line, $nops NOPs', (change) => {
    const machine = new C64(readRoms(), standard)
    bootToPrompt(machine)
    const { bytes, after, end } = beamProgram(change)
    machine.space.ram.set(bytes, BEAM_CODE)
    machine.cpu.pc = BEAM_CODE
    while (machine.cpu.pc !== after) machine.step(1)
    const { rasterLine, lineCycle } = machine
    while (machine.cpu.pc !== end) machine.step(1)
    const mark = beamIn(standard, rasterLine, lineCycle)
    const shown = placeOfChange(machine.picture(), change)
    expect(mark.y).toBe(shown.y)
    expect(Math.abs((mark.x ?? Infinity) - shown.x)).toBeLessThanOrEqual(MAX_PIXELS_OFF)
  })
})
