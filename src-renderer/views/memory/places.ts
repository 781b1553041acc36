import { bankingPins, placesIn, type Places } from '@shared/c64/banking'
import { decodeVideo, IO_SIZE, IO_START } from '@shared/c64/video'
import type { Space } from '@shared/contract/memory'
import { frames } from '../../frames/frames'

/** What a space of the machine in front holds where, as of the newest frame. */
export function placesNow(space: Space): Places {
  const [direction = 0, data = 0] = frames.image('cpu')
  return placesIn(space, bankingPins(direction, data))
}

export const SCREEN_AFTER_POWER_ON = 0x0400

/** Where the VIC-II has its screen matrix, as far as the frames tell; its place after power-on when they do not. */
export function screenNow(): number {
  for (const space of ['cpu', 'io'] as const) {
    const video = decodeVideo(frames.image(space).subarray(IO_START, IO_START + IO_SIZE))
    if (video.visible) return video.screen
  }
  return SCREEN_AFTER_POWER_ON
}
