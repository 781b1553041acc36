import { toFailure } from '@shared/contract/errors'
import { compareAndSwap } from '../../files/compareAndSwap'
import { applyEdits } from '../../formats/finding'
import { within } from '../../formats/listing'
import type { LoopWork } from '../loop'
import { readCrew, type Crew } from './crewFiles'
import { trackTurn, type Counters } from './track'

/** Others write the file too. */
const MAX_ATTEMPTS = 6

export interface Written {
  readonly crew: Crew
  readonly remainder: number
  readonly problem: string | undefined
}

/**
 * What others write meanwhile stays.
 * @param crew as it is after the turn
 */
export async function writeIndex(
  crew: Crew,
  before: Counters,
  cost: number | null,
  { folder, announceWrite }: Pick<LoopWork, 'folder' | 'announceWrite'>,
): Promise<Written> {
  // Also written after a stop: the turn was taken, and paid for.
  const { signal } = new AbortController()
  let now = crew
  for (let attempt = 1; ; attempt++) {
    const { edits, remainder } = trackTurn(now.state, before, cost)
    const text = now.state.index?.text
    if (edits.length === 0 || !text) return { crew: now, remainder, problem: undefined }
    let problem: string | undefined
    const change = { file: text.path, before: text.text, after: applyEdits(text.text, edits) }
    const noteWritten = await announceWrite?.({ ...change, file: within(folder, change.file) })
    try {
      await compareAndSwap(change, { root: now.root, signal })
      noteWritten?.()
    } catch (error) {
      const { code, message } = toFailure(error)
      if (code === 'INTERNAL') throw error
      problem = message
    }
    const again = await readCrew(now.root, () => () => now.files.remembered, signal)
    if (!again) return { crew: now, remainder: cost ?? 0, problem: 'INDEX.md is gone.' }
    now = again
    if (problem === undefined) return { crew: now, remainder, problem }
    if (attempt === MAX_ATTEMPTS) return { crew: now, remainder: cost ?? 0, problem }
  }
}
