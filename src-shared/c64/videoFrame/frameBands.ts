import { decodeVideo, ioByte, type Video } from '../video'
import { ioOf, type ReplayedLine } from './replayFrame'

export interface FrameBand {
  /** Raster lines; in NTSC the last is less than the first where the counter restarts. */
  readonly firstLine: number
  readonly lastLine: number
  readonly video: Video
  readonly border: number
  readonly backgrounds: readonly number[]
  readonly inBorder: boolean
  readonly changed: readonly number[]
}

const parts: readonly (readonly [address: number, mask: number])[] = [
  [0xd011, 0x7f],
  [0xd016, 0x1f],
  [0xd018, 0xfe],
  ...[0xd020, 0xd021, 0xd022, 0xd023, 0xd024].map((address) => [address, 0x0f] as const),
  [0xdd00, 0x03],
]

interface Row {
  readonly line: number
  readonly isOpen: boolean
  readonly values: readonly number[]
  readonly video: Video
}

export class BandsOverFrame {
  readonly #rows: Row[] = []

  drawn(state: ReplayedLine, isOpen: boolean): void {
    if (state.y === null) return
    const io = ioOf(state)
    const values = parts.map(([address, mask]) => ioByte(io, address) & mask)
    this.#rows[state.y] = { line: state.line, isOpen, values, video: decodeVideo(io) }
  }

  get result(): FrameBand[] {
    const bands: FrameBand[] = []
    let before: readonly number[] | undefined
    for (const { line, isOpen, values, video } of this.#rows) {
      const changed = parts.flatMap(([address], part) => (before && before[part] !== values[part] ? [address] : []))
      const present = bands.at(-1)
      if (present && changed.length === 0)
        bands[bands.length - 1] = { ...present, lastLine: line, inBorder: present.inBorder && !isOpen }
      else {
        const [border = 0, ...backgrounds] = values.slice(3, 8)
        bands.push({ firstLine: line, lastLine: line, video, border, backgrounds, inBorder: !isOpen, changed })
      }
      before = values
    }
    return bands
  }
}
