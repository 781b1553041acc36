import type { Segment } from '@shared/contract/frames'
import type { Space } from '@shared/contract/memory'
import { decodeVideo, IO_SIZE, IO_START } from '@shared/c64/video'
import type { DebugReplay } from './debugReplay'

/** Removes $0000 and $0001, as the 6510's port is inside the CPU and the Ultimate reads it as 0. */
export function withoutPort(segment: Segment): Segment[] {
  if (segment.space !== 'cpu' || segment.address >= 2) return [segment]
  return clip([segment], 'cpu', 2, 0x10000)
}

export function seenThrough(space: Space, segments: readonly Segment[], known: Pick<DebugReplay, 'byte'>): Segment[] {
  switch (space) {
    case 'cpu':
      return [...segments]
    case 'ram':
      // $8000 may be a cartridge, and above it may be ROM or I/O.
      return [...clip(segments, space, 0x0002, 0x8000), ...clip(segments, space, 0xc000, 0xd000)]
    case 'io':
      return showsChips(known) ? clip(segments, space, IO_START, IO_START + IO_SIZE) : []
    case 'colorRam':
      return showsChips(known)
        ? clip(segments, space, 0xd800, 0xdc00).map((segment) => ({
            ...segment,
            bytes: segment.bytes.map((byte) => byte & 0x0f),
          }))
        : []
    case 'rom':
      return []
  }
}

function showsChips(known: Pick<DebugReplay, 'byte'>): boolean {
  const io = new Uint8Array(IO_SIZE)
  for (let at = 0; at < 0x40; at++) io[at] = known.byte(IO_START + at) ?? 0
  return decodeVideo(io).visible
}

function clip(segments: readonly Segment[], space: Space, from: number, to: number): Segment[] {
  return segments.flatMap(({ address, bytes }) => {
    const start = Math.max(address, from)
    const end = Math.min(address + bytes.length, to)
    return start < end ? [{ space, address: start, bytes: bytes.slice(start - address, end - address) }] : []
  })
}
