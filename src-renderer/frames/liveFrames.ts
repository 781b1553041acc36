import { spaces } from '@shared/contract/memory'
import { frontMachine, useMachines } from '../client/machines'
import { setViewValue, viewValue } from '../client/viewState'
import { framesPort } from './firstPort'
import { FramePort } from './framePort'
import { frames } from './frames'
import type { FrameWish } from './frameWishes'

const framePort = new FramePort(frames, framesPort)

let isHeld = false

export function holdFrames(held: boolean): void {
  isHeld = held
  framePort.hold(held)
  standStill()
}

function standStill(): void {
  const execution = frontMachine()?.execution
  frames.standStill(isHeld || execution === 'paused' || execution === 'jammed')
}

useMachines.subscribe(({ front, bridge }, before) => {
  framePort.follow(front)
  standStill()
  if (bridge === before.bridge) return
  // The bridge of the first port may have ended before the page heard of any.
  if (before.bridge.state === 'ready' ? bridge.state !== 'ready' : bridge.recentEnds > 0) framesPort.close()
  if (bridge.state === 'ready') framesPort.open()
})

const WISH_KEY = 'frames.wish'

const firstWish: FrameWish = { spaces: ['cpu', 'ram', 'io'], picture: true }

function readWish(stored: unknown): FrameWish {
  if (typeof stored !== 'object' || stored === null || !('spaces' in stored) || !('picture' in stored)) return firstWish
  const { spaces: names, picture } = stored
  if (!Array.isArray(names)) return firstWish
  return { spaces: spaces.filter((space) => names.includes(space)), picture: picture === true }
}

/**
 * Asks the built-in C64 for what the views of the last window showed, so that the first frame comes while those of this
 * window are drawn.
 * @returns to be called when the views have registered their own wishes
 */
export function wantAsBefore(): () => void {
  const isBuiltin = useMachines.getState().front === 'builtin'
  const release = isBuiltin ? frames.want(viewValue(WISH_KEY, readWish)) : () => undefined
  return () => {
    release()
    frames.onWish(() => setViewValue(WISH_KEY, frames.wish))
  }
}
