import { spaces } from '@shared/contract/memory'
import { useMachines } from '../client/machines'
import { setViewValue, viewValue } from '../client/viewState'
import { FramePort } from './framePort'
import { frames } from './frames'
import type { FrameWish } from './frameWishes'

let framePort: FramePort | undefined

/** Opens the frame port anew; called whenever a bridge process is ready. */
export function openFrames(): void {
  framePort ??= new FramePort(frames)
  framePort.follow(useMachines.getState().front)
  framePort.reopen()
}

/** While held, the views show something else than the machine in front. */
export const holdFrames = (held: boolean): void => framePort?.hold(held)

useMachines.subscribe(({ front }) => framePort?.follow(front))

const WISH_KEY = 'frames.wish'

/** What the views of a new window want. */
const firstWish: FrameWish = { spaces: ['cpu', 'ram', 'io'], picture: true }

function readWish(stored: unknown): FrameWish {
  if (typeof stored !== 'object' || stored === null || !('spaces' in stored) || !('picture' in stored)) return firstWish
  const { spaces: names, picture } = stored
  if (!Array.isArray(names)) return firstWish
  return { spaces: spaces.filter((space) => names.includes(space)), picture: picture === true }
}

/**
 * Asks the built-in C64, which has everything and minds nothing, for what the views of the last window showed, so that the
 * first frame comes while those of this one are drawn.
 * @returns to be called when the views have said themselves what they want
 */
export function wantAsBefore(): () => void {
  const isBuiltin = useMachines.getState().front === 'builtin'
  const release = isBuiltin ? frames.want(viewValue(WISH_KEY, readWish)) : () => undefined
  return () => {
    release()
    frames.onWish(() => setViewValue(WISH_KEY, frames.wish))
  }
}
