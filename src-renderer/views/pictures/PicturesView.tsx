import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { screenToText } from '@shared/c64/screenCodes'
import { groupBands } from '@shared/c64/videoFrame/frameText'
import { artworkKindTitles } from '@shared/graphics/artwork'
import type { GraphicsImage } from '@shared/graphics/grab'
import { cellFacts, unicodeSet } from '@shared/graphics/pictureCell'
import type { PictureChoices, ShownPicture } from '@shared/graphics/shownPicture'
import { useArtworkSource } from '../../client/artworkSources'
import { call } from '../../client/call'
import { useChosen } from '../../client/chosen'
import { openInEditor } from '../../client/edited'
import { FactList, type FactListHandle } from '../../client/FactList'
import { useFrontMachine, useLack } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { attempt, notify } from '../../client/messages'
import { NotHere } from '../../client/NotHere'
import { addToSheet } from '../../client/sheet'
import { videoFrames } from '../../client/videoFrames'
import type { ViewProps } from '../../client/view'
import { oneOf, useViewState } from '../../client/viewState'
import { frames } from '../../frames/frames'
import { graphicsImageNow, useGraphicsImage, useHasGraphics } from '../../frames/graphicsImage'
import { useColours } from '../../frames/screenOptions'
import { writtenLately } from '../../frames/writtenRegisters'
import { isAsTheVicHasIt, usePictureChoices } from './choices'
import { PictureActions } from './PictureActions'
import { FramePicture } from './FramePicture'
import { PictureBar } from './PictureBar'
import { PicturePainter } from './picturePainter'
import { PictureStage, type Cell, type PictureStageHandle } from './PictureStage'
import './pictures.css'

/** Texts are renewed at most this often, ms. */
const INTERVAL_MS = 100
const FACT_ROWS = 9

const readGrid = oneOf(false, true)

export function PicturesView({ visible }: ViewProps) {
  const lack = useLack('readMemory')
  return lack === null ? <Pictures visible={visible} /> : <NotHere what="pictures" why={lack} />
}

interface Said {
  readonly kind: 'waiting' | 'invalid' | 'screen' | 'bitmap'
  readonly notes: string
  readonly mayBeSplit: boolean
}

const firstCell: Cell = { column: 0, row: 0 }
const waiting: Said = { kind: 'waiting', notes: '', mayBeSplit: false }

function Pictures({ visible }: ViewProps) {
  const choices = usePictureChoices()
  const [grid, setGrid] = useViewState('pictures.grid', readGrid)
  const [painter] = useState(() => new PicturePainter())
  const stage = useRef<PictureStageHandle>(null)
  const facts = useRef<FactListHandle>(null)
  const [part] = useChosen('pictures.part')
  const said = usePicture(visible && part !== 'frame', painter, choices, stage, facts)
  const limit = useEditLimit(choices)
  const ramLimit = useFrontMachine()?.capabilities.ramUnderRom ?? null
  const splits = useSplits()
  const seen = said.mayBeSplit ? `${said.notes} ${splits}` : said.notes
  const notes = ramLimit === null ? seen : `${ramLimit} Pictures under ROM or I/O show what the CPU sees there. ${seen}`
  const actions = usePictureActions(painter, stage, limit)
  useArtworkSource('pictures', () => {
    const artwork = part === 'frame' || graphicsImageNow() === null ? null : painter.shown?.artwork
    return artwork ? [{ title: artworkKindTitles[artwork.kind], name: artwork.kind, artworks: [artwork] }] : []
  })
  const bar = <PictureBar painter={painter} choices={choices} grid={grid} onGrid={setGrid} />
  if (part === 'frame')
    return (
      <>
        {bar}
        <FramePicture visible={visible} />
      </>
    )
  return (
    <>
      {bar}
      <div className="view-content pictures-view">
        <PictureStage ref={stage} kind={said.kind} grid={grid} actions={actions} />
        <div className="picture-side">
          <PictureActions kind={said.kind} editLimit={limit} {...actions} />
          <FactList ref={facts} label="Cell" rows={FACT_ROWS} />
          <p className="picture-notes" role="status">
            {notes}
          </p>
        </div>
      </div>
    </>
  )
}

function usePicture(
  visible: boolean,
  painter: PicturePainter,
  choices: PictureChoices,
  stage: RefObject<PictureStageHandle | null>,
  facts: RefObject<FactListHandle | null>,
): Said {
  const palette = useColours()
  const [chosenPart] = useChosen('pictures.part')
  const [said, setSaid] = useState<Said>(waiting)
  const isKnown = useHasGraphics()
  const described = useRef<{ at: number; isOld: boolean; cell: Cell }>({ at: -Infinity, isOld: true, cell: firstCell })
  const isStale = useRef(true)
  const part = chosenPart === 'text' || chosenPart === 'frame' ? 'picture' : chosenPart
  const show = useCallback(
    (image: GraphicsImage, isNew: boolean) => {
      if (isNew || isStale.current) {
        isStale.current = false
        described.current.isOld = true
        painter.read(image, choices, writtenLately())
        painter.draw(stage.current?.canvas() ?? null, image, { part, palette })
      }
      const now = performance.now()
      const cell = stage.current?.cell() ?? firstCell
      const { column, row } = described.current.cell
      if (!described.current.isOld && cell.column === column && cell.row === row) return
      if (now - described.current.at < INTERVAL_MS) {
        // Also describes the last frame of a machine that then stands still.
        frames.requestDraw()
        return
      }
      described.current = { at: now, isOld: false, cell }
      const { shown, notes, mayBeSplit } = painter
      if (shown) {
        facts.current?.show(cellFacts(shown, cell.column, cell.row))
        stage.current?.showText(textOf(shown))
      } else facts.current?.show([])
      setSaid((before) =>
        sameOr(before, { kind: shown?.artwork.kind ?? 'invalid', notes: notes.join(' '), mayBeSplit }),
      )
    },
    [painter, choices, part, palette, stage, facts],
  )
  useGraphicsImage(visible, show)
  useEffect(() => {
    isStale.current = true
    described.current.at = -Infinity
    frames.requestDraw()
  }, [show, said.kind, isKnown, chosenPart])
  return isKnown ? said : waiting
}

const sameOr = (before: Said, now: Said): Said =>
  before.kind === now.kind && before.notes === now.notes && before.mayBeSplit === now.mayBeSplit ? before : now

const textOf = (shown: ShownPicture): string | null =>
  shown.artwork.kind === 'screen' ? screenToText(shown.artwork.codes, unicodeSet(shown)).join('\n') : null

function useSplits(): string {
  const lack = useLack('videoFrame')
  const { read } = videoFrames.useFrame()
  if (lack !== null) return lack
  const lines = groupBands(read?.frame.reading.bands ?? []).flatMap(({ firstLine, bands }) =>
    bands.some(({ inBorder }) => inBorder) ? [] : [firstLine],
  )
  const [, ...splits] = lines
  if (splits.length === 0) return 'Frame draws it from line to line.'
  return `Frame draws it from line to line: splits at lines ${splits.join(', ')} when it was read.`
}

function useEditLimit(choices: PictureChoices): string | null {
  const state = useFrontMachine()
  if (!isAsTheVicHasIt(choices))
    return 'The editor opens what the VIC-II shows. Keep this in the sheet to edit it there.'
  return state?.capabilities.writeMemory ?? null
}

function usePictureActions(painter: PicturePainter, stage: RefObject<PictureStageHandle | null>, limit: string | null) {
  const cell = (): Cell => stage.current?.cell() ?? firstCell
  return {
    onEdit: () => {
      const kind = painter.shown?.artwork.kind
      if (limit !== null) notify(limit, null, null, 'pictures')
      else if (kind) openInEditor(kind === 'screen' ? { kind } : { kind })
    },
    onKeep: () => {
      const artwork = painter.shown?.artwork
      if (!artwork) return
      addToSheet(artwork)
      notify(`Kept in the sheet: ${artwork.name}.`, null, null, 'pictures')
    },
    onMemory: () => {
      const { shown } = painter
      if (!shown) return
      const index = cell().row * 40 + cell().column
      showInMemory(shown.artwork.kind === 'screen' ? shown.screen + index : shown.bitmap + index * 8)
    },
    onCopy: () => {
      const text = painter.shown && textOf(painter.shown)
      if (text === null) return
      attempt(async () => {
        await call('window.copyText', { text })
        notify('Copied the text of the screen.', null, null, 'pictures')
      })
    },
  }
}
