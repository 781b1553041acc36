import { useCursor } from '../../client/memoryCursor'
import { showView } from '../../client/navigation'
import { chosenNow } from '../../client/chosen'
import { scrubToMark } from '../../frames/marks'
import { scrubToChange, useTimeline } from '../../frames/timeline'

/** Of the byte under the memory view's cursor: 1 goes to its next change, -1 to its previous one. */
export const jump = (step: 1 | -1): Promise<void> =>
  useTimeline.getState().info === null
    ? showView('timeline')
    : scrubToChange(chosenNow('memory.space'), useCursor.getState().address, step)

export async function jumpToMark(step: 1 | -1): Promise<void> {
  if (useTimeline.getState().info === null) await showView('timeline')
  else await scrubToMark(step)
}
