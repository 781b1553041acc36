import type { Space } from '@shared/contract/memory'
import type { Change } from '@shared/contract/recorder'
import { call } from '../client/call'
import { attempt } from '../client/messages'
import { frames } from './frames'
import { usePlayback } from './shownMoment'

export interface MomentChange {
  /** ms since 1970 */
  readonly time: number
  /** Null where there was none, undefined where it is not known. */
  readonly change: Change | null | undefined
}

interface Question {
  readonly recording: string
  readonly space: Space
  readonly address: number
  readonly time: number
}

/** Above what one draw looks at. */
const KEPT_ANSWERS = 32

let wanted: Question | null = null
let isAsking = false
const answers = new Map<string, MomentChange['change']>()

const keyOf = (question: Question): string => JSON.stringify(question)

/** Null while the views show the machine. What is not known yet is asked for, and drawn once it is. */
export function momentChange(space: Space, address: number): MomentChange | null {
  const { shown } = usePlayback.getState()
  if (shown === null) return null
  const { recording, time } = shown
  const question = { recording, space, address, time }
  const key = keyOf(question)
  if (!answers.has(key)) {
    wanted = question
    if (!isAsking) attempt(askWanted)
  }
  return { time, change: answers.get(key) }
}

/** While one question is under way, only the last of the others counts. */
async function askWanted(): Promise<void> {
  isAsking = true
  try {
    while (wanted) {
      const question = wanted
      wanted = null
      // After a failed call the same question is not asked again.
      keep(question, undefined)
      const { recording, space, address, time } = question
      const { changes } = await call('recorder.changes', {
        recording,
        space,
        address,
        to: time,
        order: 'last',
        limit: 1,
      })
      keep(question, changes[0] ?? null)
      frames.requestDraw()
    }
  } finally {
    isAsking = false
  }
}

function keep(question: Question, change: MomentChange['change']): void {
  answers.set(keyOf(question), change)
  for (const oldest of [...answers.keys()].slice(0, -KEPT_ANSWERS)) answers.delete(oldest)
}
