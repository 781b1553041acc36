import { bankingPins, placesIn, regionAt, type Places } from '@shared/c64/banking'
import { decodeVideo, IO_SIZE, IO_START, type Video } from '@shared/c64/video'
import type { Space } from '@shared/contract/memory'
import { frames } from './frames'
import { usePlayback } from './playback'

/** What a space of the machine in front holds where, as of the newest frame. */
export function placesNow(space: Space): Places {
  const [direction = 0, data = 0] = frames.image('cpu')
  return placesIn(space, bankingPins(direction, data))
}

export const SCREEN_AFTER_POWER_ON = 0x0400

/** Where the VIC-II has its screen matrix, as far as the frames tell; its place after power-on when they do not. */
export function screenNow(): number {
  for (const space of ['cpu', 'io'] as const) {
    const video = videoIn(space)
    if (video.visible) return video.screen
  }
  return SCREEN_AFTER_POWER_ON
}

const videoIn = (space: Space): Video => decodeVideo(frames.image(space).subarray(IO_START, IO_START + IO_SIZE))

/** Whether the newest frame holds this space: one that no view wants any more keeps what it held. */
const isCurrent = (space: Space): boolean =>
  frames.known(space) && (usePlayback.getState().shown !== null || frames.wish.spaces.includes(space))

/** The VIC-II's registers as of the newest frame; null where it does not hold them. */
export function videoNow(): Video | null {
  for (const space of ['io', 'cpu'] as const) {
    if (!isCurrent(space)) continue
    const video = videoIn(space)
    if (video.visible) return video
  }
  return null
}

/** The byte as of the newest frame; undefined where it does not hold it. */
export const byteNow = (space: Space, address: number): number | undefined =>
  isCurrent(space) ? frames.image(space)[address] : undefined

/** The memory in which the CPU sees a byte of RAM or I/O; its own one where something else lies over it. */
export function spaceSeen(own: 'ram' | 'io', address: number): Space {
  const [seen, there] = [placesNow('cpu'), placesNow(own)].map((places) => regionAt(places, address))
  return seen === there ? 'cpu' : own
}
