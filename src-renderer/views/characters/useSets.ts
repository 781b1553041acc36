import { useCallback, useState } from 'react'
import { decodeVideo, isCharacterRom, isText } from '@shared/c64/video'
import { CHARSET_BYTES, charsetCandidates } from '@shared/graphics/charsetScan'
import type { GraphicsImage } from '@shared/graphics/grab'

export interface SetInMemory {
  readonly address: number
  readonly isLikely: boolean
  readonly isUsed: boolean
  /** The VIC-II sees ROM there, and never these bytes as characters. */
  readonly isBehindRom: boolean
}

const INTERVAL_MS = 2000

export function useSets() {
  const [sets, setSets] = useState<readonly SetInMemory[]>([])
  const [state] = useState({ at: -Infinity, known: '' })
  const look = useCallback(
    (image: GraphicsImage, now: number) => {
      if (now - state.at < INTERVAL_MS) return
      state.at = now
      const likely = new Set(charsetCandidates(image.ram))
      const video = decodeVideo(image.io)
      const { characters } = video
      const found = Array.from({ length: 0x10000 / CHARSET_BYTES }, (_, index) => {
        const address = index * CHARSET_BYTES
        const isBehindRom = isCharacterRom(address)
        const isUsed = isText(video) && address === characters && !isBehindRom
        return { address, isBehindRom, isUsed, isLikely: likely.has(address) }
      })
      const known = JSON.stringify(found)
      if (known === state.known) return
      state.known = known
      setSets(found)
    },
    [state],
  )
  return { sets, look }
}
