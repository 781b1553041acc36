import { useCursor } from '../../client/memoryCursor'
import { showView } from '../../client/navigation'
import { chosenNow } from '../../client/chosen'
import { scrubToMark } from '../../frames/marks'
import { scrubToChange, useTimeline } from '../../frames/timeline'

/** To the next (1) or previous (-1) change of the byte under the memory view's cursor. */
export const jump = (step: 1 | -1): Promise<void> =>
  useTimeline.getState().info === null
    ? showView('timeline')
    : scrubToChange(chosenNow('memory.space'), useCursor.getState().address, step)

/** To the next (1) or previous (-1) mark of the chosen recording. */
export async function jumpToMark(step: 1 | -1): Promise<void> {
  if (useTimeline.getState().info === null) await showView('timeline')
  else await scrubToMark(step)
}
