/** A test program in the built-in C64, from power-on to its end. */
import { displayY, unpackPixels } from '@shared/c64/picture'
import { startProgram } from '../../src-main/machine/builtin/autostart'
import { C64 } from '../../src-main/machine/builtin/c64'
import { Checkpoints } from '../../src-main/machine/builtin/checkpoints'
import type { Roms } from '../../src-main/machine/builtin/pla'
import type { Chips } from './run'
import type { Ending } from './verdict'
import { borderOf, textOf, type Pixels } from './screen'

const IO = 0xd000
const DEBUG_CARTRIDGE = 0xd7ff
/** What the program wrote last is on the screen by then. */
const FRAMES_AFTER = 2

export function runBuiltin(program: Uint8Array, roms: Roms, limit: number, chips: Chips): Ending {
  const machine = new C64(roms, chips.standard, chips)
  const checkpoints = new Checkpoints()
  checkpoints.set({
    start: DEBUG_CARTRIDGE,
    end: DEBUG_CARTRIDGE,
    operations: ['store'],
    enabled: true,
    stop: true,
    temporary: false,
    condition: null,
    fromHit: 1,
    log: null,
  })
  const start = machine.clock
  startProgram(machine, program)
  let stopped = false
  while (!stopped && machine.jam === null && machine.clock - start < limit) {
    stopped = machine.runFrame(checkpoints) !== undefined
  }
  const cycles = machine.clock - start
  const written = stopped ? (machine.peekIo()[DEBUG_CARTRIDGE - IO] ?? 0) : null
  for (let frame = 0; frame < FRAMES_AFTER && machine.jam === null; frame++) machine.runFrame()
  const pixels: Pixels = { colors: unpackPixels(machine.picture().pixels), displayY: displayY(chips.standard) }
  return {
    written,
    pixels: pixels.colors,
    border: borderOf(pixels),
    text: textOf(pixels, roms.character),
    cycles,
  }
}
