import { setTimeout as wait } from 'node:timers/promises'
import { screenToText, type CharacterSet } from '@shared/c64/screenCodes'
import { decodeVideo, IO_SIZE, IO_START } from '@shared/c64/video'
import { AppError } from '@shared/contract/errors'
import { number, text, withDefault } from './parameters'
import type { Session } from './session'

/** The VIC-II's registers below its collision registers, and CIA 2's bank: readable without side effects. */
const graphicsRegisters = [
  [0xd000, 0x1e],
  [0xdd00, 1],
] as const

export interface ScreenText {
  /** 25 of 40 characters. */
  readonly rows: readonly string[]
  /** Of screen memory. */
  readonly address: number
}

/** The text screen that the VIC-II shows now. */
export async function readScreen({ client }: Session, machine: string, signal: AbortSignal): Promise<ScreenText> {
  const io = new Uint8Array(IO_SIZE)
  for (const [address, length] of graphicsRegisters) {
    const { bytes } = await client.call('memory.read', { machine, space: 'io', address, length }, signal)
    io.set(bytes, address - IO_START)
  }
  const video = decodeVideo(io)
  const { bytes } = await client.call(
    'memory.read',
    { machine, space: 'ram', address: video.screen, length: 1000 },
    signal,
  )
  // Bit 11 of the character address chooses between the ROM's two sets.
  const set: CharacterSet = video.characters & 0x0800 ? 'lower' : 'upper'
  return { rows: screenToText(bytes, set), address: video.screen }
}

export const screenTextOf = ({ rows }: ScreenText): string => rows.map((row) => row.trimEnd()).join('\n')

/** Of commands that can wait for what the screen shows. */
export const waitOptions = {
  'wait-for': text('TEXT', 'Wait until the text screen shows this; capital and small letters are the same.'),
  timeout: withDefault(number('S', 'How long --wait-for waits, in seconds.', { min: 1, max: 3600 }), 30),
}

const POLL_MS = 50

/**
 * @param timeout seconds
 * @throws AppError TIMEOUT with what the screen shows instead
 */
export async function waitForText(
  session: Session,
  machine: string,
  { wanted, timeout }: { readonly wanted: string; readonly timeout: number },
  signal: AbortSignal,
): Promise<ScreenText> {
  const deadline = performance.now() + timeout * 1000
  for (;;) {
    const screen = await readScreen(session, machine, signal)
    if (screenTextOf(screen).toLowerCase().includes(wanted.toLowerCase())) return screen
    if (performance.now() > deadline)
      throw new AppError('TIMEOUT', `The screen of ${machine} did not show “${wanted}” in ${timeout} s.`, {
        hint: `It shows:\n${screenTextOf(screen)}`,
      })
    await wait(POLL_MS, undefined, { signal })
  }
}
