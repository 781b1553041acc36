/** One of our processes asks another one to stop its task by a file in the task's folder. */
import { existsSync, rmSync, watch } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PRIVATE } from '../files/stagedWrite'
import { readEntry } from './entry'
import type { TaskStore } from './store'

const REQUEST_FILE = '.stop-requested'

/** Where the system reports no changes. */
const POLL_MS = 1_000

/** Longer than POLL_MS, after which the other process has taken the request. */
const TAKE_WAIT_MS = 2_500
/** A run may take three seconds to end, and its files are written after it. */
const STOP_WAIT_MS = 8_000
const STOP_POLL_MS = 50

export async function stopElsewhere(store: Pick<TaskStore, 'readDetails' | 'require'>, id: string): Promise<boolean> {
  const { own, folder } = store.require(id)
  if (own === null || folder === null) return false
  const takeBack = await requestStop(folder)
  const start = performance.now()
  const limitMs = () => (existsSync(join(folder, REQUEST_FILE)) ? TAKE_WAIT_MS : STOP_WAIT_MS)
  while (performance.now() - start < limitMs()) {
    await wait(STOP_POLL_MS)
    await store.readDetails([id])
    if (readEntry(store.require(id).entry).status !== 'running') return true
  }
  await takeBack()
  return false
}

export async function requestStop(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, REQUEST_FILE)
  await writeFile(path, '', PRIVATE)
  return () => rm(path, { force: true })
}

/** Returns a function that ends this. An earlier request does not count. */
export function onStopRequest(folder: string, stop: () => void): () => void {
  const path = join(folder, REQUEST_FILE)
  rmSync(path, { force: true })
  const check = () => {
    if (!existsSync(path)) return
    rmSync(path, { force: true })
    stop()
  }
  const timer = setInterval(check, POLL_MS).unref()
  const watcher = watchFolder(folder, check)
  return () => {
    clearInterval(timer)
    watcher?.close()
  }
}

function watchFolder(folder: string, check: () => void) {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || name === REQUEST_FILE) check()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}
