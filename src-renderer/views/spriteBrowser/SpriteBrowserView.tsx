import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { formatAddress } from '@shared/c64/address'
import { cellHeight, cellWidth } from '@shared/graphics/blockPainter'
import type { GraphicsImage } from '@shared/graphics/grab'
import { perform } from '../../client/actions'
import { useArtworkSource } from '../../client/artworkSources'
import { openByteMenu } from '../../client/byteMenu'
import { choose, useChosen } from '../../client/chosen'
import { useFrontMachine, useLack } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { NoFrameYet } from '../../frames/NoFrameYet'
import { NotHere } from '../../client/NotHere'
import type { ViewProps } from '../../client/view'
import { valuesOf } from '../../client/viewChoices'
import { frames, useFrameSummary } from '../../frames/frames'
import { useGraphicsImage } from '../../frames/graphicsImage'
import { useColours } from '../../frames/screenOptions'
import { useSpriteMemory } from '../../frames/sprites'
import { noteSpriteUses, spriteUses } from '../../frames/spriteUses'
import { pickedInOrder, selectOnly, withinCount, type GridSelection } from '../../widgets/pixelGrid/gridSelection'
import { PixelGrid, type CellTarget, type PixelGridHandle } from '../../widgets/pixelGrid/PixelGrid'
import { themeColours } from '../../widgets/themeColours'
import { BlockBoard } from './blockBoard'
import { BlockStatus, type BlockStatusHandle } from './BlockStatus'
import { lookFor, rangeOf, sharedColoursNow, useBrowserNumbers, vicBankOf } from './browserOptions'
import { BrowserTools } from './BrowserTools'
import { feedGrab, grabFrame, useGrabbing } from './grabbing'
import { GrabStatus } from './GrabTools'
import { selectedSubjects, useSelectedBlocks } from './selectedBlocks'
import './spriteBrowser.css'

const GUESS_INTERVAL_MS = 300

export function SpriteBrowserView({ visible }: ViewProps) {
  const lack = useLack('readMemory')
  return lack === null ? <SpriteBrowser visible={visible} /> : <NotHere what="sprites" why={lack} />
}

function SpriteBrowser({ visible }: ViewProps) {
  const [vicBank, setVicBank] = useState(0)
  const board = useBoard(vicBank)
  const [shown, setShown] = useState({ board, cells: board.cells })
  const cells = shown.board === board ? shown.cells : board.cells
  const [selection, setSelection] = useState<GridSelection>(() => selectOnly(0))
  const grid = useRef<PixelGridHandle>(null)
  const status = useRef<BlockStatusHandle>(null)
  const [zoomChoice] = useChosen('spriteBrowser.zoom')
  const [{ cell }] = useBrowserNumbers()
  const count = cells?.length ?? board.count
  const current = withinCount(selection, count)
  const isGrabbing = useGrabbing(({ sprite }) => sprite !== null)
  const guessed = useRef<{ at: number; isOld: boolean; board: BlockBoard | null }>({
    at: -Infinity,
    isOld: true,
    board: null,
  })

  useGraphicsImage(
    visible || isGrabbing,
    useCallback(
      (image: GraphicsImage, isNew: boolean) => {
        if (isNew) {
          noteSpriteUses(image)
          grabFrame(image)
        }
        setVicBank(vicBankOf(image))
        board.take(image, frames.dirtyPages(ramOf(image)), frames.changeTime)
        const now = performance.now()
        const { isMeasured } = board.blocks
        const isOld = isNew || guessed.current.isOld || guessed.current.board !== board
        const isEarly = now - guessed.current.at < GUESS_INTERVAL_MS
        if (isOld) guessed.current.isOld = isEarly || !isMeasured
        // A machine that stands still sends no other frame.
        if (guessed.current.isOld) frames.requestDraw()
        if (isOld && !isEarly) {
          guessed.current = { ...guessed.current, at: now, board }
          const before = board.cells
          if (board.guess()) {
            setSelection((selected) => moved(selected, before, board.cells))
            setShown({ board, cells: board.cells })
          }
        }
        grid.current?.paint((at) => board.hasChanged(at))
        board.settle()
        status.current?.show(board, now, isOld)
      },
      [board],
    ),
  )
  useEffect(feedGrab, [])
  // Changes while it was hidden were not seen.
  useEffect(() => board.forget(), [board, visible])
  useSelected(board, cells, current, cell)
  useArtworkSource('spriteBrowser', selectedSubjects)

  const paintCell = useCallback((at: number, target: CellTarget) => board.paint(at, target), [board])
  const markOf = useCallback((at: number) => board.markOf(at, themeColours()), [board])
  const addressAt = (at: number) => board.blocks.addressOf(board.blocksAt(at)[0] ?? 0)
  const size = useMemo(() => ({ width: cellWidth(cell), height: cellHeight(cell) }), [cell])
  const ram = useSpriteMemory()
  const zoom = Number(zoomChoice.slice(1))

  return (
    <div className="view-content sprite-browser" role="group" aria-label="Sprite browser">
      <BrowserTools />
      <Notices />
      <PixelGrid
        ref={grid}
        label="Blocks of memory as sprites. Arrow keys move, Enter edits, K keeps in the sheet, M shows in memory."
        count={count}
        cell={size}
        zoom={zoom}
        selection={current}
        onSelection={setSelection}
        paintCell={paintCell}
        markOf={markOf}
        rowLabel={(at) => formatAddress(addressAt(at))}
        cursorText={`${formatAddress(addressAt(current.cursor))}, ${current.picked.size} selected`}
        onOpen={() => perform('spriteBrowser.edit')}
        onKey={({ key, ctrlKey, metaKey }) => {
          const isCommand = ctrlKey || metaKey
          const letter = key.toLowerCase()
          if (isCommand && letter === 'c') perform('spriteBrowser.copy')
          else if (isCommand && letter === 'v') perform('spriteBrowser.paste')
          else if (isCommand) return false
          else if (letter === 'k') perform('spriteBrowser.keep')
          else if (letter === 'm') showInMemory(addressAt(current.cursor))
          else if (key === '+' || key === '-') zoomBy(zoomChoice, key === '+' ? 1 : -1)
          else return false
          return true
        }}
        onMenu={(event, place) => {
          const address = addressAt(current.cursor)
          const target = { address, space: ram, value: frames.image(ram)[address] }
          openByteMenu(event, target, { extra: menuItems, place, title: `Sprite ${formatAddress(address)}` })
        }}
      >
        {count === 0 ? <p className="sprite-browser-none muted">No block looks like a sprite yet.</p> : null}
      </PixelGrid>
      <div className="sprite-browser-foot">
        <BlockStatus ref={status} selection={current} />
        <GrabStatus />
      </div>
    </div>
  )
}

const menuItems = [
  { label: 'Edit', shortcut: 'Enter', run: () => perform('spriteBrowser.edit') },
  { label: 'Keep in the sheet', shortcut: 'K', run: () => perform('spriteBrowser.keep') },
  { label: 'Copy', shortcut: 'Ctrl+C', run: () => perform('spriteBrowser.copy') },
  { label: 'Paste into the machine', shortcut: 'Ctrl+V', run: () => perform('spriteBrowser.paste') },
]

const ramOf = ({ ram }: GraphicsImage) => (ram === frames.image('ram') ? 'ram' : 'cpu')

function zoomBy(now: string, step: 1 | -1): void {
  const order = [...valuesOf('spriteBrowser.zoom')].sort()
  const next = order[order.findIndex((each) => each === now) + step]
  if (next !== undefined) choose('spriteBrowser.zoom', next)
}

function moved(
  selection: GridSelection,
  before: readonly number[] | null,
  after: readonly number[] | null,
): GridSelection {
  if (before === null || after === null || before.length === 0) return selection
  const to = (at: number) => Math.max(0, after.indexOf(before[at] ?? -1))
  return { cursor: to(selection.cursor), anchor: to(selection.anchor), picked: new Set([...selection.picked].map(to)) }
}

function useBoard(vicBank: number): BlockBoard {
  const palette = useColours()
  const [rangeChoice] = useChosen('spriteBrowser.range')
  const [show] = useChosen('spriteBrowser.show')
  const [memory] = useChosen('spriteBrowser.memory')
  const [mode] = useChosen('spriteBrowser.mode')
  const [colour] = useChosen('spriteBrowser.colour')
  const [background] = useChosen('spriteBrowser.background')
  const [multicolour1] = useChosen('spriteBrowser.multicolour1')
  const [multicolour2] = useChosen('spriteBrowser.multicolour2')
  const [numbers] = useBrowserNumbers()
  const bank = rangeChoice === 'vic' ? vicBank : 0
  return useMemo(
    () =>
      new BlockBoard({
        range: rangeOf(rangeChoice, numbers, bank),
        shape: numbers.cell,
        limits: numbers.limits,
        show,
        palette,
        asSeen: memory === 'vic',
        coloursOf: sharedColoursNow,
        lookOf: lookFor,
        uses: spriteUses,
      }),
    // The mode and the colours are read as it draws.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [rangeChoice, numbers, bank, show, memory, palette, mode, colour, background, multicolour1, multicolour2],
  )
}

function useSelected(
  board: BlockBoard,
  cells: readonly number[] | null,
  selection: GridSelection,
  { columns, isOverlay }: { readonly columns: number; readonly isOverlay: boolean },
): void {
  useEffect(() => {
    const picked = pickedInOrder(selection)
    const addresses = picked.flatMap((at) => board.blocksAt(at)).map((block) => board.blocks.addressOf(block))
    const wide = columns === 1 ? Math.min(8, picked.length) : columns
    useSelectedBlocks.setState({ addresses, columns: wide, areOverlays: isOverlay })
    // Depends on `cells`: the board says what the cells are, and `cells` changes when that does.
  }, [board, cells, selection, columns, isOverlay])
}

function Notices() {
  useFrameSummary()
  const ram = useSpriteMemory()
  const ramLimit = useFrontMachine()?.capabilities.ramUnderRom ?? null
  const isWaiting = !frames.known('io') || !frames.known(ram)
  return (
    <>
      {isWaiting ? (
        <NoFrameYet
          className="sprite-browser-notice"
          recorded="The recording lacks the memory that sprites are drawn from."
        />
      ) : null}
      {ramLimit === null ? null : (
        <p className="sprite-browser-notice">{ramLimit} Blocks under ROM or I/O show what the CPU sees there.</p>
      )}
    </>
  )
}
