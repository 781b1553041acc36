/** Starting a program: it goes to the TeensyROM's storage as a file, and is launched from there. */
import { setTimeout as sleep } from 'node:timers/promises'
import { parsePrg } from '@shared/c64/prg'
import { AppError } from '@shared/contract/errors'
import type { TeensyRomClient } from './client'
import type { Drive } from './codec'

/** One file, written over each time, so that nothing piles up on the person's card. */
const FOLDER = '/bridgedeck'

/** How often the menu is asked whether it has come up, and for how long, ms. */
const POLL = 250
const BOOT_PATIENCE = 12_000

/** Throws INVALID for what is no program, UNSUPPORTED for other kinds of files, and what the storage refuses. */
export async function runProgram(
  client: TeensyRomClient,
  { name, bytes }: { name: string; bytes: Uint8Array },
  signal: AbortSignal,
): Promise<void> {
  const { ending, contents } = prepare(name, bytes)
  const path = `${FOLDER}/program.${ending}`
  const drive = await store(client, path, contents, signal).catch(async (error: unknown) => {
    if (!isBusy(error)) throw error
    // Files are taken in the menu only. What runs now ends with the new program anyway.
    await client.reset(signal)
    await waitForMenu(client, signal)
    return store(client, path, contents, signal)
  })
  await client.launch(drive, path, signal)
}

function prepare(name: string, bytes: Uint8Array): { ending: string; contents: Uint8Array } {
  const [, ending = ''] = /\.([a-z0-9]+)$/i.exec(name) ?? []
  switch (ending.toLowerCase()) {
    case 'crt':
    case 'sid':
      return { ending: ending.toLowerCase(), contents: bytes }
    case 'd64':
    case 'd71':
    case 'd81':
    case 'g64':
    case 't64':
    case 'tap':
      throw new AppError('UNSUPPORTED', `TeensyROM does not start ${ending.toUpperCase()} files.`, {
        hint: 'Choose a PRG, P00, CRT or SID file.',
      })
    default: {
      const { loadAddress, bytes: loaded } = parsePrg(bytes)
      return { ending: 'prg', contents: Buffer.concat([Uint8Array.of(loadAddress & 0xff, loadAddress >> 8), loaded]) }
    }
  }
}

/** On the SD card, or where there is none on the USB drive. */
async function store(client: TeensyRomClient, path: string, contents: Uint8Array, signal: AbortSignal): Promise<Drive> {
  try {
    await client.replaceFile('sd', path, contents, signal)
    return 'sd'
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'CONFLICT' && error.code !== 'NOT_FOUND')) throw error
    await client.replaceFile('usb', path, contents, signal)
    return 'usb'
  }
}

/** While it boots it may answer late, in pieces, or not at all. Firmware that does not tell is given a moment. */
async function waitForMenu(client: TeensyRomClient, signal: AbortSignal): Promise<void> {
  const end = performance.now() + BOOT_PATIENCE
  for (;;) {
    await sleep(POLL, undefined, { signal })
    const booted = await client.version(signal).then(
      ({ booted }) => booted,
      (error: unknown) => {
        if (error instanceof AppError && (error.code === 'TIMEOUT' || error.code === 'CONFLICT')) return false
        throw error
      },
    )
    if (booted === null) return sleep(OLD_FIRMWARE_BOOT, undefined, { signal })
    if (booted) return
    if (performance.now() > end)
      throw new AppError('TIMEOUT', 'TeensyROM’s menu did not come up after the reset.', {
        hint: 'Look at the C64’s screen.',
      })
  }
}

/** Without a network to wait for, ms. */
const OLD_FIRMWARE_BOOT = 2_000

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'BUSY'
