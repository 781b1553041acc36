import { readSpace, useCursor } from '../../client/memoryCursor'
import { showView } from '../../client/navigation'
import { viewValue } from '../../client/viewState'
import { scrubToChange, useTimeline } from '../../frames/timeline'

/** To the next (1) or previous (-1) change of the byte under the memory view's cursor. */
export const jump = (step: 1 | -1): Promise<void> =>
  useTimeline.getState().info === null
    ? showView('timeline')
    : scrubToChange(viewValue('memory.space', readSpace), useCursor.getState().address, step)
