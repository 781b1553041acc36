import { setTimeout as sleep } from 'node:timers/promises'
import { formatAddress } from '@shared/c64/address'
import { textToPetscii } from '@shared/c64/petscii'
import { AppError } from '@shared/contract/errors'
import type { Space } from '@shared/contract/memory'
import type { MemoryRange } from './machine'
import { hasSideEffect } from '@shared/c64/chips'
import { checkEnd, romIsReadOnly } from './refusals'

/**
 * Refuses a range that the CPU's view may not show, as the CPU's port `$01` is unknown.
 * @param device begins the error message, such as "The Ultimate"
 * @throws AppError INVALID, UNSUPPORTED
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
  checkEnd(end)
  const within = (start: number, last: number): boolean => address >= start && end <= last
  const refuse = (message: string): AppError =>
    new AppError('UNSUPPORTED', message, {
      hint: 'Use the CPU’s view (space cpu).',
      details: { capability: 'ramUnderRom' },
    })
  switch (space) {
    case 'cpu':
      return
    case 'ram':
      if (within(0x0002, 0x8000) || within(0xc000, 0xd000)) return
      if (verb === 'write' && (within(0x0002, 0xd000) || within(0xe000, 0x10000))) return
      throw refuse(`${device} can reach RAM only where the CPU always sees it: $0002-$7FFF and $C000-$CFFF.`)
    case 'rom':
      if (verb === 'write') throw romIsReadOnly()
      throw refuse(`${device} can read ROM only where the CPU currently sees it.`)
    case 'io':
      if (!within(0xd000, 0xe000)) throw new AppError('INVALID', 'The I/O registers are at $D000 to $DFFF.')
      return
    case 'colorRam':
      if (!within(0xd800, 0xdc00)) throw new AppError('INVALID', 'Colour RAM is at $D800 to $DBFF.')
  }
}

/** As {@link checkReachable}, and refuses registers whose read changes the machine unless that is allowed. */
export function checkRead(device: string, range: MemoryRange, allowed: { readonly sideEffects: boolean }): void {
  const { space, address, length } = range
  checkReachable(device, space, address, length, 'read')
  if (!allowed.sideEffects) checkSideEffects(address, length)
}

/** Colour RAM is four bits wide. */
export const inSpace = (space: Space, bytes: Uint8Array): Uint8Array =>
  space === 'colorRam' ? bytes.map((byte) => byte & 0x0f) : bytes

/** @throws AppError FORBIDDEN for a range with a register whose read changes the machine */
export function checkSideEffects(address: number, length: number): void {
  for (let at = address; at < address + length; at++) {
    if (!hasSideEffect(at)) continue
    throw new AppError('FORBIDDEN', `Reading ${formatAddress(at)} would disturb the program in the C64.`, {
      hint: 'Leave it out of the range, or allow such reads in the settings for real machines.',
    })
  }
}

export interface CpuMemory {
  read(address: number, length: number, signal: AbortSignal): Promise<Uint8Array>
  write(address: number, bytes: Uint8Array, signal: AbortSignal): Promise<void>
}

const KEY_BUFFER = 0x0277
const KEY_BUFFER_SIZE = 10
const KEY_COUNT = 0xc6

const TYPING_POLL_MS = 40
const TYPING_DEADLINE_MS = 3_000

/** @throws AppError CONFLICT where nothing reads the buffer */
export async function typeThroughBuffer(text: string, memory: CpuMemory, signal: AbortSignal): Promise<void> {
  const petscii = textToPetscii(text)
  for (let at = 0; at < petscii.length; at += KEY_BUFFER_SIZE) {
    await waitForEmptyBuffer(memory, signal)
    const piece = petscii.subarray(at, at + KEY_BUFFER_SIZE)
    await memory.write(KEY_BUFFER, piece, signal)
    // The count last: the KERNAL reads keys as soon as there are any.
    await memory.write(KEY_COUNT, Uint8Array.of(piece.length), signal)
  }
}

async function waitForEmptyBuffer(memory: CpuMemory, signal: AbortSignal): Promise<void> {
  const end = performance.now() + TYPING_DEADLINE_MS
  for (;;) {
    const [count = 0] = await memory.read(KEY_COUNT, 1, signal)
    if (count === 0) return
    if (performance.now() > end) {
      throw new AppError('CONFLICT', 'The program in the C64 does not read the keyboard buffer.', {
        hint: 'Type text while BASIC waits for input, or into a program that reads the KERNAL’s keyboard buffer.',
      })
    }
    await sleep(TYPING_POLL_MS, undefined, { signal })
  }
}
