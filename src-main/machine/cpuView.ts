/** What can be done to memory through the CPU's view of it alone, as by DMA from the expansion port. */
import { setTimeout as sleep } from 'node:timers/promises'
import { formatAddress } from '@shared/c64/address'
import { textToPetscii } from '@shared/c64/petscii'
import { AppError } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import type { MemoryRange } from './machine'
import { hasSideEffect } from './readPlan'

/**
 * Refuses what cannot be reached for certain where only the CPU's view is known and `$01` is not. Throws INVALID, UNSUPPORTED.
 * @param device to begin a sentence with
 */
export function checkReachable(
  device: string,
  space: Space,
  address: number,
  length: number,
  verb: 'read' | 'write',
): void {
  const end = address + length
  if (length === 0) throw new AppError('INVALID', `There is nothing to ${verb}.`)
  if (end > 0x10000) throw new AppError('INVALID', 'The range goes past $FFFF.')
  const within = (start: number, last: number): boolean => address >= start && end <= last
  const refuse = (message: string): AppError =>
    new AppError('UNSUPPORTED', message, {
      hint: 'Use what the CPU sees (space cpu).',
      details: { capability: 'ramUnderRom' },
    })
  switch (space) {
    case 'cpu':
      return
    case 'ram':
      if (within(0x0002, 0x8000) || within(0xc000, 0xd000)) return
      // What is written to ROM lands in the RAM under it.
      if (verb === 'write' && (within(0x0002, 0xd000) || within(0xe000, 0x10000))) return
      throw refuse(`${device} reaches RAM only where the CPU sees it for certain: $0002-$7FFF and $C000-$CFFF.`)
    case 'rom':
      if (verb === 'write')
        throw new AppError('UNSUPPORTED', 'ROM cannot be written.', { hint: 'Write to the RAM under it (space ram).' })
      throw refuse(`${device} shows ROM only where the CPU sees it just then.`)
    case 'io':
      if (!within(0xd000, 0xe000)) throw new AppError('INVALID', 'The I/O registers are at $D000 to $DFFF.')
      return
    case 'colorRam':
      if (!within(0xd800, 0xdc00)) throw new AppError('INVALID', 'Colour RAM is at $D800 to $DBFF.')
  }
}

/** Refuses a range that only the CPU's view cannot give for certain, or whose read is not allowed. */
export function checkRead(device: string, range: MemoryRange, allowed: { readonly sideEffects: boolean }): void {
  const { space, address, length } = range
  checkReachable(device, space, address, length, 'read')
  if (!allowed.sideEffects) checkSideEffects(address, length)
}

/** The CPU's bytes as those of a space: colour RAM is four bits wide. */
export const inSpace = (space: Space, bytes: Uint8Array): Uint8Array =>
  space === 'colorRam' ? bytes.map((byte) => byte & 0x0f) : bytes

/** Refuses (FORBIDDEN) a range with a register whose read changes the machine. */
export function checkSideEffects(address: number, length: number): void {
  for (let at = address; at < address + length; at++) {
    if (!hasSideEffect(at)) continue
    throw new AppError('FORBIDDEN', `Reading ${formatAddress(at)} would change what the program in the C64 does.`, {
      hint: 'Leave it out of the range, or allow such reads in the settings for real machines.',
    })
  }
}

export interface CpuMemory {
  read(address: number, length: number, signal: AbortSignal): Promise<Uint8Array>
  write(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>
}

/** The KERNAL's keyboard buffer, how many keys it takes, and the count of those in it. */
const BUFFER = 0x0277
const BUFFER_SIZE = 10
const COUNT = 0xc6

/** How often the KERNAL is asked whether it took the keys, and for how long, ms. */
const TYPING_POLL_MS = 40
const TYPING_DEADLINE_MS = 3_000

/** Types text through the KERNAL's keyboard buffer, as fast as the KERNAL takes it. Throws CONFLICT where it takes nothing. */
export async function typeThroughBuffer(text: string, memory: CpuMemory, signal: AbortSignal): Promise<void> {
  const petscii = textToPetscii(text)
  for (let at = 0; at < petscii.length; at += BUFFER_SIZE) {
    await waitForEmptyBuffer(memory, signal)
    const piece = petscii.subarray(at, at + BUFFER_SIZE)
    await memory.write(BUFFER, piece, signal)
    // The count last: the KERNAL takes keys as soon as there are any.
    await memory.write(COUNT, Uint8Array.of(piece.length), signal)
  }
}

async function waitForEmptyBuffer(memory: CpuMemory, signal: AbortSignal): Promise<void> {
  const end = performance.now() + TYPING_DEADLINE_MS
  for (;;) {
    const [count = 0] = await memory.read(COUNT, 1, signal)
    if (count === 0) return
    if (performance.now() > end) {
      throw new AppError('CONFLICT', 'The program in the C64 does not take keys from the keyboard buffer.', {
        hint: 'Text can be typed while BASIC waits for input, and into programs that read the KERNAL’s keyboard buffer.',
      })
    }
    await sleep(TYPING_POLL_MS, undefined, { signal })
  }
}
