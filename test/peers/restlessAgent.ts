/**
 * A process that never leaves a file alone: over and over it reads the one it was pointed at, replaces the line that begins
 * with `Heartbeat:` and writes all of it again.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface Restlessness {
  readonly path: string
  /** Between two rewrites, ms. */
  readonly interval: number
  /** A file renamed over it, or the file emptied and written. */
  readonly writes: 'renamed' | 'at once'
}

export interface RestlessnessReport {
  /** How often it rewrote the file. */
  readonly beats: number
}

let timer: NodeJS.Timeout | undefined
let beats = 0

process.on('message', (wanted: Restlessness | 'rest') => {
  clearInterval(timer)
  if (wanted === 'rest') {
    process.send?.({ beats } satisfies RestlessnessReport)
    return
  }
  beats = 0
  beat(wanted)
  timer = setInterval(() => beat(wanted), wanted.interval)
  process.send?.({ beats } satisfies RestlessnessReport)
})

function beat({ path, writes }: Restlessness): void {
  const text = readFileSync(path, 'utf8').replace(/^Heartbeat:.*$/m, `Heartbeat: ${++beats}`)
  if (writes === 'renamed') {
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  } else writeFileSync(path, text)
}
