import { setTimeout as sleep } from 'node:timers/promises'
import { parsePrg } from '@shared/c64/prg'
import { AppError } from '@shared/contract/errors'
import type { TeensyRomClient } from './client'
import type { Drive } from './codec'

/** Each program replaces the last one here, so that the user's card does not fill up. */
const FOLDER = '/bridgedeck'

const BOOT_POLL_MS = 250
const BOOT_DEADLINE_MS = 12_000
/** For firmware that does not report whether the menu is ready. */
const OLD_FIRMWARE_BOOT_MS = 2_000

/** @throws AppError INVALID for a file that is no program, UNSUPPORTED for other types, or the device's refusal */
export async function runProgram(
  client: TeensyRomClient,
  { name, bytes }: { name: string; bytes: Uint8Array },
  signal: AbortSignal,
): Promise<void> {
  const { ending, contents } = prepare(name, bytes)
  const path = `${FOLDER}/program.${ending}`
  const drive = await store(client, path, contents, signal).catch(async (error: unknown) => {
    if (!isBusy(error)) throw error
    // Files can be stored only in the menu, and the new program ends the running one anyway.
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
      throw new AppError('UNSUPPORTED', `TeensyROM cannot start ${ending.toUpperCase()} files.`, {
        hint: 'Choose a PRG, P00, CRT or SID file.',
      })
    default: {
      const { loadAddress, bytes: loaded } = parsePrg(bytes)
      return { ending: 'prg', contents: Buffer.concat([Uint8Array.of(loadAddress & 0xff, loadAddress >> 8), loaded]) }
    }
  }
}

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

/** While it boots, the device may answer late, in pieces, or not at all. */
async function waitForMenu(client: TeensyRomClient, signal: AbortSignal): Promise<void> {
  const end = performance.now() + BOOT_DEADLINE_MS
  for (;;) {
    await sleep(BOOT_POLL_MS, undefined, { signal })
    const booted = await client.version(signal).then(
      ({ booted }) => booted,
      (error: unknown) => {
        if (error instanceof AppError && (error.code === 'TIMEOUT' || error.code === 'CONFLICT')) return false
        throw error
      },
    )
    if (booted === null) return sleep(OLD_FIRMWARE_BOOT_MS, undefined, { signal })
    if (booted) return
    if (performance.now() > end)
      throw new AppError('TIMEOUT', 'TeensyROM’s menu did not appear after the reset.', {
        hint: 'Check the C64’s screen.',
      })
  }
}

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === 'BUSY'
