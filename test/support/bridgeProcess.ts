import { readdirSync, readFileSync } from 'node:fs'
import type { RunningApp } from './launchApp'

/** The child of Electron's main process that runs the bridge, by its process id; Linux only. */
export function bridgeProcess({ app }: Pick<RunningApp, 'app'>): number {
  const main = app.process().pid
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = /^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1]
      if (Number(parent) === main && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('bridge.cjs'))
        return Number(entry)
    } catch {
      // It ended while we looked.
    }
  }
  throw new Error('there is no bridge process')
}
