import { setTimeout as wait } from 'node:timers/promises'
import type { RunningCall } from './callHere'

/** Resolves once a call has printed a text on one of its outputs, and rejects where it ends without. */
export async function untilSaid({ ended, output, errors }: RunningCall, text: string): Promise<void> {
  const hasEnded = ended.then(() => true)
  const hasSaid = () => output().includes(text) || errors().includes(text)
  while (!hasSaid()) {
    const isOver = await Promise.race([hasEnded, wait(20, false)])
    if (isOver && !hasSaid()) throw new Error(`It ended without “${text}”: ${output()}${errors()}`)
  }
}
