/**
 * The mark of the raster beam over the picture of a machine that stands, beside what x64sc draws: the machine stands behind
 * an instruction that changed a colour in the middle of a line.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beamIn } from '@shared/c64/beam'
import { videoStandards } from '@shared/contract/machine'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { BEAM_CODE, beamProgram, colourChanges, placeOfChange } from '../support/beamProgram'
import { lacks } from '../support/parts'
import { eventually } from './eventually'
import { attachedMachine, soon, startVice, write, type RunningVice } from './support'

/** The colour registers of the 8565, x64sc's default, show a pixel earlier than those of the 6569. */
const MAX_PIXELS_OFF = 1

async function runTo(machine: Machine, address: number): Promise<void> {
  const stop = { start: address, end: address, operations: ['exec' as const], stop: true, enabled: true }
  await requireFacet(machine, 'checkpoints').set(
    { ...stop, temporary: true, condition: null, fromHit: 1, log: null },
    soon(),
  )
  await requireFacet(machine, 'pause').resume(soon())
  // Right after it was told to go on, it may still be listed as paused.
  await eventually(() => machine.status.stop?.pc).toBe(address)
}

async function beamOf(machine: Machine): Promise<{ line: number; cycle: number }> {
  const registers = await requireFacet(machine, 'registers').read(soon())
  const value = (name: string) => registers.find((register) => register.name === name)?.value ?? -1
  return { line: value('LIN'), cycle: value('CYC') }
}

describe.skipIf(lacks('vice', 'xvfb')).each(videoStandards)('the mark of the beam beside x64sc, %s', (standard) => {
  let vice: RunningVice
  let machine: Machine
  beforeAll(async () => {
    vice = await startVice('x64sc', [`-${standard}`])
    machine = attachedMachine(vice.port)
    await machine.connect(soon())
    await requireFacet(machine, 'pause').pause(soon())
  })
  afterAll(async () => {
    await machine.disconnect()
    await vice.stop()
  })

  it.each(colourChanges)('stands where the colour changes: $register, line $line, $nops NOPs', async (change) => {
    const { bytes, after, end } = beamProgram(change)
    await write(machine, BEAM_CODE, ...bytes)
    await requireFacet(machine, 'setRegisters').write('PC', BEAM_CODE, soon())
    await runTo(machine, after)
    const { line, cycle } = await beamOf(machine)
    await runTo(machine, end)
    const shown = placeOfChange(await requireFacet(machine, 'picture').read(soon()), change)
    const mark = beamIn(standard, line, cycle)
    expect(mark.y).toBe(shown.y)
    expect(Math.abs((mark.x ?? Infinity) - shown.x), `cycle ${cycle}, shown at ${shown.x}`).toBeLessThanOrEqual(
      MAX_PIXELS_OFF,
    )
  })
})
