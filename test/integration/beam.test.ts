/**
 * The mark of the raster beam over the built-in C64's picture. It draws a line at once, with the registers as they stand in
 * its cycle 31, so that only the line can be compared; test/vice/beam.test.ts compares the column.
 */
import { describe, expect, it } from 'vitest'
import { beamIn } from '@shared/c64/beam'
import { videoStandards } from '@shared/contract/machine'
import { C64 } from '../../src-main/machine/builtin/c64'
import { bootToPrompt } from '../../src-main/machine/builtin/autostart'
import { BEAM_CODE, beamProgram, colourChanges, placeOfChange } from '../support/beamProgram'
import { readRoms } from '../support/ownRoms'

const DRAW_CYCLE = 31

describe.each(videoStandards)('the mark of the beam over the picture of the built-in C64, %s', (standard) => {
  it.each(colourChanges)('is in the line that changes: $register, line $line, $nops NOPs', (change) => {
    const machine = new C64(readRoms(), standard)
    bootToPrompt(machine)
    const { bytes, after, end } = beamProgram(change)
    machine.space.ram.set(bytes, BEAM_CODE)
    machine.cpu.pc = BEAM_CODE
    while (machine.cpu.pc !== after) machine.step(1)
    const { rasterLine, lineCycle } = machine
    while (machine.cpu.pc !== end) machine.step(1)
    machine.runFrame()
    const mark = beamIn(standard, rasterLine, lineCycle)
    const lastCycle = lineCycle - 1
    expect(placeOfChange(machine.picture(), change).y).toBe((mark.y ?? NaN) + (lastCycle < DRAW_CYCLE ? 0 : 1))
  })
})
