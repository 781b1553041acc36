import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { decodeVideo } from '@shared/c64/video'
import { charactersShown, type CharactersShown } from '@shared/graphics/charactersShown'
import type { GraphicsImage } from '@shared/graphics/grab'
import type { CellFact } from '@shared/graphics/pictureCell'
import type { FactListHandle } from '../../client/FactList'
import { frames } from '../../frames/frames'
import { useGraphicsImage, useHasGraphics } from '../../frames/graphicsImage'
import { useColours } from '../../frames/screenOptions'
import type { CharactersPaneHandle } from './CharacterGrid'
import { useCharactersChoices, useMapChoices, useTileLayout } from './choices'
import type { MapPainter } from './mapPainter'
import { useSets } from './useSets'

const INTERVAL_MS = 100

interface Panes {
  readonly isMap: boolean
  readonly mapPainter: MapPainter
  readonly pane: RefObject<CharactersPaneHandle | null>
  readonly facts: RefObject<FactListHandle | null>
  /** Pass a stable function. */
  readonly factsOf: (shown: CharactersShown) => readonly CellFact[]
}

interface Said {
  readonly isKnown: boolean
  readonly isRom: boolean
  readonly notes: string
}

const nothing: Said = { isKnown: false, isRom: false, notes: '' }

export function useCharacters(visible: boolean, { isMap, mapPainter, pane, facts, factsOf }: Panes) {
  const palette = useColours()
  const choices = useCharactersChoices()
  const [map] = useMapChoices()
  const layout = useTileLayout()
  const isKnown = useHasGraphics()
  const { sets, look } = useSets()
  const [said, setSaid] = useState(nothing)
  const current = useRef<CharactersShown>(null)
  const described = useRef({ at: -Infinity, isOld: true })
  const isStale = useRef(true)
  const show = useCallback(
    (image: GraphicsImage, isNew: boolean) => {
      const now = performance.now()
      if (isNew || isStale.current || !current.current) {
        isStale.current = false
        described.current.isOld = true
        current.current = charactersShown(image, choices)
        if (isMap) mapPainter.read(image, map, { ...map, layout })
        pane.current?.paint(current.current, palette)
        look(image, now)
      }
      if (!described.current.isOld) return
      if (now - described.current.at < INTERVAL_MS) {
        // Also describes the last frame of a machine that then stands still.
        frames.requestDraw()
        return
      }
      described.current = { at: now, isOld: false }
      const shown = current.current
      facts.current?.show(factsOf(shown))
      const notes = notesOf(image, shown)
      setSaid((before) => {
        const isRom = shown.rom !== null
        return before.isKnown && before.isRom === isRom && before.notes === notes
          ? before
          : { isKnown: true, isRom, notes }
      })
    },
    [choices, isMap, map, layout, palette, mapPainter, pane, facts, factsOf, look],
  )
  useGraphicsImage(visible, show)
  useEffect(() => {
    isStale.current = true
    described.current.at = -Infinity
    frames.requestDraw()
  }, [show, isKnown, said.isKnown])
  return { current, said: isKnown ? said : nothing, sets }
}

function notesOf(image: GraphicsImage, { rom, isUsed, set }: CharactersShown): string {
  const video = decodeVideo(image.io)
  const notes = [
    video.visible ? '' : 'These do not look like VIC-II registers: the program has switched the I/O area off.',
    (rom !== null && image.romNote) || '',
    isUsed ? 'In use: the VIC-II draws its screen with this set.' : 'Not in use by the screen that the VIC-II shows.',
    set.mode === 'extendedText' ? 'Extended colour has 64 characters, each on four backgrounds.' : '',
  ]
  return notes.filter(Boolean).join(' ')
}
