import type { WebContents } from 'electron'
import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { MachineState } from '@shared/contract/machine'

const LIVE_FRAME_LIMIT_MS = 30_000
const POLL_MS = 100
const SETTLE_MS = 1_500

/**
 * Waits until the page has drawn a live frame, which its root element's `data-live` shows.
 * @throws Error as soon as `failure` returns a reason, or after 30 s
 */
export async function takeScreenshot(
  contents: WebContents,
  machine: string,
  path: string,
  failure: () => Promise<string | undefined>,
): Promise<void> {
  const until = Date.now() + LIVE_FRAME_LIMIT_MS
  while ((await liveMachine(contents)) !== machine) {
    const reason = await failure()
    if (reason !== undefined) throw new Error(reason)
    if (Date.now() > until)
      throw new Error(
        `No live frame of ${machine} was drawn within ${LIVE_FRAME_LIMIT_MS / 1000} s; see the log folder.`,
      )
    await delay(POLL_MS)
  }
  await delay(SETTLE_MS)
  await writeFile(path, (await contents.capturePage()).toPNG())
}

export function connectionFailure(machines: readonly MachineState[], machine: string): string | undefined {
  const state = machines.find((candidate) => candidate.machine === machine)
  const hasFailed =
    state !== undefined && !state.wasLive && (state.connection === 'lost' || (state.retry?.failures ?? 0) > 0)
  if (!hasFailed) return undefined
  return [state.reason ?? `${state.title} could not be connected.`, state.hint].filter(Boolean).join(' ')
}

async function liveMachine(contents: WebContents): Promise<unknown> {
  if (contents.isLoading()) return undefined
  const live: unknown = await contents.executeJavaScript('document.documentElement.dataset.live')
  return live
}
