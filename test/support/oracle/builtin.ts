/** The built-in C64, in this process. The only file of the oracle that knows how it is run. */
import { unpackPixels } from '@shared/c64/picture'
import { C64 } from '../../../src-main/machine/builtin/c64'
import { readRoms } from '../ownRoms'
import { casesLeft, FINISHED, START, START_FLAGS } from './image'
import { watchForKnownDifference } from './knownDifference'
import { defaultModels, type ChipModels, type VideoStandard } from '@shared/contract/machine'
import type { Run, TestedMachine } from './machine'

/** An image takes about a hundred frames; with the display on, which waits for the raster, a frame for each case. */
const MAX_CYCLES = 5_000 * 19_656
/** Few enough that a machine which finished below its picture does not begin the next one. */
const INSTRUCTIONS = 50

export function createBuiltin(models: ChipModels = defaultModels, standard: VideoStandard = 'pal'): TestedMachine {
  const machine = new C64(readRoms(), standard, models)
  const knownDifferences = new Set<number>()
  watchForKnownDifference(machine, () => knownDifferences.add(casesLeft(machine.space.ram)))
  return {
    run(image) {
      knownDifferences.clear()
      machine.space.ram.set(image.subarray(0x0002), 0x0002)
      start(machine)
      const end = machine.clock + MAX_CYCLES
      while (machine.clock < end) {
        machine.step(INSTRUCTIONS)
        if (machine.space.ram[FINISHED] === 0xff)
          return Promise.resolve({ ram: machine.space.ram.slice(), knownDifferences })
        if (machine.jam !== null) return stop(machine, machine.jam)
      }
      return stop(machine, 'It never gets through the case.')
    },
    picture: () => Promise.resolve(unpackPixels(machine.picture().pixels)),
  }
}

function stop(machine: C64, stopped: string): Promise<Run> {
  const ram = machine.space.ram.slice()
  machine.reset('soft')
  return Promise.resolve({ ram, stopped })
}

function start({ cpu }: C64): void {
  cpu.restore({ ...cpu.save(), pc: START, flags: START_FLAGS, interrupted: false, jammedAt: null })
}
