/** A window on a real VICE that somebody else started, for all tests of a file. */
import type { Page } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import type { ViewName } from '@shared/views'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { startVice, type RunningVice } from '../vice/support'

export interface ViceWindow {
  readonly running: RunningApp
  readonly page: Page
  /** Its name. */
  readonly machine: string
  /** As a VICE that hangs does. */
  hang(): ReturnType<RunningVice['hang']>
  stop(): Promise<void>
  /** Another one at the same place. */
  start(): Promise<void>
}

/** @param take gets them before the first test */
export function launchOnVice(view: ViewName, take: (launched: ViceWindow) => void): void {
  let vice: RunningVice
  let running: RunningApp
  beforeAll(async () => {
    vice = await startVice()
    const machine = `vice:${vice.port}`
    running = await launchApp({ args: ['--size=1280x800', `--machine=${machine}`, `--view=${view}`] })
    await untilLive(running.page, machine)
    const { port } = vice
    take({
      running,
      page: running.page,
      machine,
      hang: () => vice.hang(),
      stop: () => vice.stop(),
      start: async () => {
        vice = await startVice('x64sc', [], port)
      },
    })
  })
  afterAll(async () => {
    await running.close()
    await vice.stop()
  })
}
