import { setTimeout as wait } from 'node:timers/promises'
import { screenToText } from '@shared/c64/screenCodes'
import { AppError } from '@shared/contract/errors'
import { requireFacet, type Machine } from './machine'

/** ms, in warp mode. */
const PROMPT_WAIT_MS = 5_000
const LOOK_INTERVAL_MS = 5

/** @throws AppError TIMEOUT where no prompt shows */
export async function bootToPrompt(machine: Machine, signal: AbortSignal): Promise<void> {
  const warp = requireFacet(machine, 'warp')
  await warp.setWarp(true, signal)
  const isThere = await untilPrompt(machine, signal)
  await warp.setWarp(false, signal)
  if (!isThere)
    throw new AppError('TIMEOUT', 'The built-in C64 did not reach its READY. prompt.', {
      hint: 'Check the ROM files in the settings.',
    })
}

export async function untilPrompt(machine: Machine, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + PROMPT_WAIT_MS
  while (performance.now() < deadline) {
    const screen = await machine.readMemory({ space: 'ram', address: 0x0400, length: 1000 }, signal)
    if (screenToText(screen, 'upper').some((row) => row.startsWith('READY.'))) return true
    await wait(LOOK_INTERVAL_MS, undefined, { signal })
  }
  return false
}
