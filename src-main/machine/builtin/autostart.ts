import { textToPetscii } from '@shared/c64/petscii'
import { parsePrg } from '@shared/c64/prg'
import { loadedBytes, startCommand } from '@shared/c64/programStart'
import { AppError } from '@shared/contract/errors'
import type { C64 } from './c64'

/** Frames from power-on to the prompt: six seconds of PAL, twice what Commodore's ROM takes. */
const BOOT_FRAMES = 300

/** The 6510's port at $00 and $01 keeps its value when a program is loaded over it. */
const PORT_SIZE = 2

export function bootToPrompt(c64: C64): boolean {
  for (let frame = 0; frame < BOOT_FRAMES && c64.jam === null; frame++) {
    c64.runFrame()
    if (c64.atPrompt) return true
  }
  return false
}

/**
 * Power-cycles the machine first.
 * @param file a PRG or P00 file
 * @throws AppError INVALID for what is no program, TIMEOUT when the ROM shows no prompt
 */
export function startProgram(c64: C64, file: Uint8Array): void {
  const program = parsePrg(file)
  c64.reset('power')
  if (!bootToPrompt(c64)) {
    throw new AppError('TIMEOUT', 'The C64 did not reach its prompt, so the program was not started.', {
      hint: 'Check the ROM files in the settings.',
    })
  }
  for (const { address, bytes } of loadedBytes(program))
    for (const [index, byte] of bytes.entries())
      if (address + index >= PORT_SIZE) c64.space.setRam(address + index, byte, 'load')
  c64.input.type(textToPetscii(startCommand(program)))
}
