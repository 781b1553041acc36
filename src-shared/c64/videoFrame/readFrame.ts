import type { Picture } from '../../contract/memory'
import type { VideoFrame } from '../../contract/videoFrame'
import { BandsOverFrame, type FrameBand } from './frameBands'
import { SpritesOverFrame, type FrameSprite } from './frameSprites'
import { replayFrame } from './replayFrame'

export interface FrameReading {
  readonly sprites: readonly FrameSprite[]
  readonly bands: readonly FrameBand[]
  readonly picture: Picture
}

export function readFrame(frame: VideoFrame): FrameReading {
  const sprites = new SpritesOverFrame(frame.standard)
  const bands = new BandsOverFrame()
  const replayed = replayFrame(frame, {
    drawn: (line, shown, isOpen) => {
      sprites.drawn(line, shown, isOpen)
      bands.drawn(line, isOpen)
    },
    fetched: (line, begun, shown) => sprites.fetched(line, begun, shown),
  })
  return { sprites: sprites.result, bands: bands.result, picture: frame.picture ?? replayed }
}
