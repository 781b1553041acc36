/** Starting a program as a person would: switch on, load, type RUN. */
import { textToPetscii } from '@shared/c64/petscii'
import { parsePrg } from '@shared/c64/prg'
import { AppError } from '@shared/contract/errors'
import type { C64 } from './c64'

/** The most frames that a ROM may take from power-on to its prompt: six seconds of PAL, twice what Commodore's takes. */
const BOOT_FRAMES = 300

/** Where BASIC programs lie, and its pointers to their end: VARTAB, ARYTAB, STREND; and where LOAD says that it ended. */
const BASIC_START = 0x0801
const BASIC_POINTERS = [0x2d, 0x2f, 0x31]
const LOAD_END = 0xae

/** Runs on, as fast as the host can, to the prompt. False when the ROM shows none. */
export function bootToPrompt(c64: C64): boolean {
  for (let frame = 0; frame < BOOT_FRAMES && c64.jam === null; frame++) {
    c64.runFrame()
    if (c64.atPrompt) return true
  }
  return false
}

/**
 * Switches the machine off and on, waits for the prompt, puts the program into RAM, and types RUN, or SYS with its
 * address when it does not start where BASIC programs do.
 * @param file a PRG or P00 file
 * @throws AppError INVALID for what is no program, TIMEOUT when the ROM shows no prompt
 */
export function startProgram(c64: C64, file: Uint8Array): void {
  const { loadAddress, bytes, end } = parsePrg(file)
  c64.reset('power')
  if (!bootToPrompt(c64)) {
    throw new AppError('TIMEOUT', 'The C64 did not reach its prompt, so the program was not started.', {
      hint: 'Check the ROM files in the settings.',
    })
  }
  const { ram } = c64.space
  ram.set(bytes, loadAddress)
  // Programs that cover the port are rare; what it switches is kept.
  c64.space.port = { ...c64.space.port }
  const pointers = loadAddress === BASIC_START ? [...BASIC_POINTERS, LOAD_END] : [LOAD_END]
  for (const pointer of pointers) {
    ram[pointer] = end & 0xff
    ram[pointer + 1] = (end >> 8) & 0xff
  }
  c64.type(textToPetscii(loadAddress === BASIC_START ? 'run\n' : `sys${loadAddress}\n`))
}
