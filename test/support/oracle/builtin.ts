/** The built-in C64, in this process. The only file of the oracle that knows how it is run. */
import { readFileSync } from 'node:fs'
import { C64 } from '../../../src-main/machine/builtin/c64'
import { ownRoms } from '../../vice/support'
import { casesLeft, FINISHED, START } from './image'
import { watchForKnownDifference } from './knownDifference'
import type { CiaModel, VideoStandard } from '@shared/contract/machine'
import type { Run, TestedMachine } from './machine'

const rom = (name: string): Uint8Array => new Uint8Array(readFileSync(name))

/** An image takes about a hundred frames; with the display on, which waits for the raster, a frame for each case. */
const MAX_FRAMES = 5_000
const INTERRUPTS_OFF = 0x24

export function createBuiltin(model: CiaModel, standard: VideoStandard = 'pal'): TestedMachine {
  const { kernal, basic, character } = ownRoms
  const machine = new C64({ kernal: rom(kernal), basic: rom(basic), character: rom(character) }, standard, model)
  const knownDifferences = new Set<number>()
  watchForKnownDifference(machine, () => knownDifferences.add(casesLeft(machine.space.ram)))
  return {
    run(image) {
      knownDifferences.clear()
      machine.space.ram.set(image.subarray(0x0002), 0x0002)
      start(machine)
      for (let frame = 0; frame < MAX_FRAMES; frame++) {
        machine.runFrame()
        if (machine.space.ram[FINISHED] === 0xff)
          return Promise.resolve({ ram: machine.space.ram.slice(), knownDifferences })
        if (machine.jam !== null) return stop(machine, machine.jam)
      }
      return stop(machine, 'It never gets through the case.')
    },
  }
}

function stop(machine: C64, stopped: string): Promise<Run> {
  const ram = machine.space.ram.slice()
  machine.reset('soft')
  return Promise.resolve({ ram, stopped })
}

function start({ cpu }: C64): void {
  cpu.restore({ ...cpu.save(), pc: START, flags: INTERRUPTS_OFF, interrupted: false, jammedAt: null })
}
