import { useMachines } from '../client/machines'
import { FramePort } from './framePort'
import { frames } from './frames'

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
