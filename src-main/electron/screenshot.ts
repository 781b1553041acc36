import type { WebContents } from 'electron'
import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** ms */
const LIMIT = 30_000
const POLL = 100
/** From the first live frame until the picture has settled. */
const SETTLE = 1_500

/**
 * Writes a PNG of the page once it has drawn a live frame of the machine; the page says so in its root element's
 * `data-live`. Throws an Error in one sentence after 30 s.
 */
export async function takeScreenshot(contents: WebContents, machine: string, path: string): Promise<void> {
  const until = Date.now() + LIMIT
  while ((await liveMachine(contents)) !== machine) {
    if (Date.now() > until) throw new Error(`No live frame of ${machine} was drawn within ${LIMIT / 1000} s; see the log folder.`)
    await delay(POLL)
  }
  await delay(SETTLE)
  await writeFile(path, (await contents.capturePage()).toPNG())
}

async function liveMachine(contents: WebContents): Promise<unknown> {
  if (contents.isLoading()) return undefined
  const live: unknown = await contents.executeJavaScript('document.documentElement.dataset.live')
  return live
}
