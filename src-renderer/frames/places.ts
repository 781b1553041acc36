import { ALL_PINS, bankingPins, namesIn, placesIn, regionAt, spaceShown, type Places } from '@shared/c64/banking'
import { byteUses } from '@shared/c64/byteUses'
import type { Names } from '@shared/c64/labels/names'
import { decodeVideo, IO_SIZE, IO_START, type Video } from '@shared/c64/video'
import type { VideoStandard } from '@shared/contract/machine'
import type { Space } from '@shared/contract/memory'
import { namesNow } from '../client/labels'
import { frames } from './frames'
import { usePlayback } from './shownMoment'

export const placesNow = (space: Space): Places => placesIn(space, pinsNow())

/** LORAM, HIRAM and CHAREN as of the newest frame; as after power-on where the machine does not tell. */
function pinsNow(): number {
  if (!isCurrent('cpu')) return ALL_PINS
  const [direction = 0, data = 0] = frames.image('cpu')
  return bankingPins(direction, data)
}

export function namesShown(names: Names, space: Space): Names {
  const pins = pinsNow()
  return namesIn(names, (address) => spaceShown(space, pins, address))
}

export const SCREEN_AFTER_POWER_ON = 0x0400

/** The place after power-on where the frames do not tell. */
export function screenNow(): number {
  for (const space of ['cpu', 'io'] as const) {
    const video = videoIn(space)
    if (video.visible) return video.screen
  }
  return SCREEN_AFTER_POWER_ON
}

const ioIn = (space: Space): Uint8Array => frames.image(space).subarray(IO_START, IO_START + IO_SIZE)
const videoIn = (space: Space): Video => decodeVideo(ioIn(space))

/** A space that no view wants any more keeps what it held. */
const isCurrent = (space: Space): boolean =>
  frames.known(space) && (usePlayback.getState().shown !== null || frames.wish.spaces.includes(space))

/** 4096 bytes from $D000 as of the newest frame; null where it does not hold the chips' registers. */
function ioNow(): Uint8Array | null {
  const space = (['io', 'cpu'] as const).find((space) => isCurrent(space) && videoIn(space).visible)
  return space ? ioIn(space) : null
}

/** Null where the newest frame does not hold them. */
export function videoNow(): Video | null {
  const io = ioNow()
  return io && decodeVideo(io)
}

const ownAddresses: Readonly<Record<Space, readonly [first: number, last: number]>> = {
  cpu: [0, 0xffff],
  ram: [0, 0xffff],
  rom: [0xa000, 0xffff],
  io: [IO_START, IO_START + IO_SIZE - 1],
  colorRam: [0xd800, 0xdbff],
}

export function usesNow(space: Space, address: number, standard: VideoStandard): string[] {
  const [first, last] = ownAddresses[space]
  if (!isCurrent(space) || address < first || address > last) return []
  const image = frames.image(space)
  const read = (at: number): number | null => (at >= first && at <= last ? (image[at] ?? null) : null)
  const readRam = (at: number): number | null => byteNow(spaceSeen('ram', at), at) ?? null
  return byteUses(address, { read, readRam, io: ioNow(), places: placesNow(space), names: namesNow(), standard })
}

/** Undefined where the newest frame does not hold it. */
export const byteNow = (space: Space, address: number): number | undefined =>
  isCurrent(space) ? frames.image(space)[address] : undefined

/** The CPU's memory where the CPU sees the byte; its own space where something else lies over it. */
export function spaceSeen(own: 'ram' | 'io', address: number): Space {
  const [seen, there] = [placesNow('cpu'), placesNow(own)].map((places) => regionAt(places, address))
  return seen === there ? 'cpu' : own
}
