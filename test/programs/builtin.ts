/** A test program in the built-in C64, from power-on to its end, started in the same cycle as by x64sc. */
import { displayY, firstRasterLine, PICTURE_WIDTH, unpackPixels } from '@shared/c64/picture'
import { parsePrg } from '@shared/c64/prg'
import { loadedBytes } from '@shared/c64/programStart'
import { textToPetscii } from '@shared/c64/petscii'
import { rasterOf } from '@shared/c64/vicii'
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

/** x64sc waits so long before it looks for the prompt. */
const AUTOSTART_SECONDS = 3
const viceClockRates = { pal: 985_248, ntsc: 1_022_730 } as const
/** The KERNAL's flag: the cursor blinks, and is visible. */
const CURSOR_VISIBLE = 0xcf
/** More than a blink of the cursor takes. */
const BLINK_CYCLES = 1_500_000
const PORT_SIZE = 2

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
  startAsVice(machine, program)
  const isDone = () => machine.clock - start > limit
  let stopped = false
  let before = pixelsOf(machine)
  while (!stopped && machine.jam === null && !isDone()) {
    const { frames } = machine.raster
    stopped = machine.runFollowed(checkpoints, { begin: () => undefined, end: isDone }).hit !== undefined
    if (machine.raster.frames !== frames) before = pixelsOf(machine)
  }
  const cycles = machine.clock - start
  const written = stopped ? (machine.peekIo()[DEBUG_CARTRIDGE - IO] ?? 0) : null
  const momentary = momentaryPicture(machine, before)
  for (let frame = 0; frame < FRAMES_AFTER && machine.jam === null; frame++) machine.runFrame()
  const pixels: Pixels = { colors: pixelsOf(machine), displayY: displayY(chips.standard) }
  return {
    written,
    pixels: pixels.colors,
    momentary,
    border: borderOf(pixels),
    text: textOf(pixels, roms.character),
    cycles,
  }
}

/**
 * As x64sc's autostart without a random delay (measured with 3.7.1): it looks between any two instructions, loads after
 * three seconds, and types RUN when the cursor is visible.
 */
function startAsVice(machine: C64, file: Uint8Array): void {
  const power = machine.clock
  machine.reset('power')
  machine.runTo(power + AUTOSTART_SECONDS * viceClockRates[machine.standard])
  const { space } = machine
  for (const { address, bytes } of loadedBytes(parsePrg(file)))
    for (const [index, byte] of bytes.entries())
      if (address + index >= PORT_SIZE) space.setRam(address + index, byte, 'load')
  const latest = machine.clock + BLINK_CYCLES
  do machine.step(1)
  while (space.ram[CURSOR_VISIBLE] === 0 && machine.clock < latest)
  machine.input.type(textToPetscii('run:\n'))
}

const pixelsOf = (machine: C64): Uint8Array => unpackPixels(machine.picture().pixels)

/** The picture as x64sc keeps it: the line that is being drawn is the one of the frame before. */
function momentaryPicture(machine: C64, before: Uint8Array): Uint8Array {
  const { standard, rasterLine } = machine
  const pixels = pixelsOf(machine)
  const row = (rasterLine - firstRasterLine(standard) + rasterOf[standard].lines) % rasterOf[standard].lines
  const at = row * PICTURE_WIDTH
  pixels.set(before.subarray(at, at + PICTURE_WIDTH), Math.min(at, pixels.length))
  return pixels
}
