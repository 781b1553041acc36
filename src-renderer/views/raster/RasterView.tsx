import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { formatAddress } from '@shared/c64/address'
import { cycleFacts, frameUseText, instructionAt, lineUses, lineText, writeText } from '@shared/c64/rasterLines'
import type { ChipWrite, RasterFrame } from '@shared/contract/rasterFrame'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { useChosen } from '../../client/chosen'
import { FrameReader } from '../../client/FrameReader'
import { rasterFrames } from '../../client/rasterFrames'
import type { ViewProps } from '../../client/view'
import { FactList, type FactListHandle } from '../../client/FactList'
import { showInMemory } from '../../client/memoryCursor'
import { oneOf, useViewState } from '../../client/viewState'
import { useColours } from '../../frames/screenOptions'
import { WithFrame } from '../../frames/WithFrame'
import { Check } from '../../widgets/Check'
import { rgb, useThemeColours } from '../../widgets/themeColours'
import { useChosenZoom } from '../../widgets/useWholeZoom'
import { CYCLE_PIXELS, cycleColours, rasterImage } from './rasterImage'
import './raster.css'

const readPicture = oneOf(true, false)
/** The place, both halves, the instruction, and writes: an instruction writes at most twice, a cycle apart. */
const FACT_ROWS = 6
const PAGE_LINES = 8

interface Place {
  readonly line: number
  readonly cycle: number
}

export function RasterView({ visible }: ViewProps) {
  return (
    <WithFrame what="cycles" capability="rasterFrame" unknown="what each cycle was used for">
      <Raster visible={visible} />
    </WithFrame>
  )
}

function Raster({ visible }: ViewProps) {
  const { read } = rasterFrames.useFrame()
  const [hasPicture, setHasPicture] = useViewState('raster.picture', readPicture)
  return (
    <>
      <div className="toolbar" role="toolbar" aria-label="Raster">
        <Check label="Picture" checked={hasPicture} onChange={setHasPicture} />
        <ChoiceSelect choice="raster.zoom" />
      </div>
      <div className="view-content raster-view">
        <FrameReader visible={visible} reads={rasterFrames} action="raster.readFrame" notesOf={notesOf} />
        {read ? <Frame frame={read.frame} hasPicture={hasPicture} /> : <Legend />}
      </div>
    </>
  )
}

const notesOf = (frame: RasterFrame): string[] => [frameUseText(frame)]

interface FrameProps {
  readonly frame: RasterFrame
  readonly hasPicture: boolean
}

function Frame({ frame, hasPicture }: FrameProps) {
  const [place, setPlace] = useState<Place>({ line: 51, cycle: 14 })
  const facts = useRef<FactListHandle>(null)
  const uses = useMemo(() => lineUses(frame), [frame])
  useEffect(() => facts.current?.show(cycleFacts(frame, place.line, place.cycle)), [frame, place])
  const use = uses[place.line]
  return (
    <>
      <Strip frame={frame} hasPicture={hasPicture} place={place} onPlace={setPlace} />
      <Legend />
      <div className="raster-side">
        <div>
          <FactList ref={facts} label="Cycle" rows={FACT_ROWS} />
          <p className="raster-line muted">{use ? `Line ${place.line}: ${lineText(use)}` : ''}</p>
        </div>
        <Writes frame={frame} place={place} onPlace={setPlace} />
      </div>
    </>
  )
}

interface PlacedProps {
  readonly frame: RasterFrame
  readonly place: Place
  readonly onPlace: (place: Place) => void
}

function Strip({ frame, hasPicture, place, onPlace }: PlacedProps & { readonly hasPicture: boolean }) {
  const space = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useColours()
  const theme = useThemeColours()
  const [size] = useChosen('raster.zoom')
  const { cyclesPerLine, linesPerFrame } = frame
  const [width, height] = [cyclesPerLine * CYCLE_PIXELS, linesPerFrame]
  const zoom = useChosenZoom(size, space, width, height)
  useEffect(() => {
    const context = canvas.current?.getContext('2d', { alpha: false })
    if (!context) return
    const { pixels } = rasterImage(frame, cycleColours(theme), hasPicture ? palette : null)
    const image = new ImageData(width, height)
    new Uint32Array(image.data.buffer).set(pixels)
    context.putImageData(image, 0, 0)
  }, [frame, hasPicture, palette, theme, width, height])
  const at = ({ nativeEvent, currentTarget }: PointerEvent<HTMLElement>): Place => ({
    line: within(Math.floor((nativeEvent.offsetY / currentTarget.clientHeight) * linesPerFrame), linesPerFrame),
    cycle: within(Math.floor((nativeEvent.offsetX / currentTarget.clientWidth) * cyclesPerLine), cyclesPerLine),
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (event.key === 'Enter') showInMemory(instructionAt(frame, place.line, place.cycle))
    else if (move && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const { line, cycle } = move(place, frame)
      onPlace({ line: within(line, linesPerFrame), cycle: within(cycle, cyclesPerLine) })
    } else return
    event.preventDefault()
  }
  return (
    <div ref={space} className="raster-stage">
      <div
        className="raster-frame"
        role="application"
        aria-label="Cycles of the frame: arrow keys move, Enter goes to the instruction"
        tabIndex={0}
        data-panel-focus
        style={{ width: width * zoom, height: height * zoom }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => onPlace(at(event))}
        onPointerMove={(event) => {
          if (event.buttons === 1) onPlace(at(event))
        }}
        onDoubleClick={() => showInMemory(instructionAt(frame, place.line, place.cycle))}
      >
        <canvas ref={canvas} width={width} height={height} aria-hidden />
        <span
          className="raster-place"
          style={{
            left: `${(100 * place.cycle) / cyclesPerLine}%`,
            top: `${(100 * place.line) / linesPerFrame}%`,
            width: `${100 / cyclesPerLine}%`,
            height: `${100 / linesPerFrame}%`,
          }}
        />
      </div>
    </div>
  )
}

const within = (value: number, count: number): number => Math.min(count - 1, Math.max(0, value))

const moves: Readonly<Partial<Record<string, (place: Place, frame: RasterFrame) => Place>>> = {
  ArrowLeft: ({ line, cycle }) => ({ line, cycle: cycle - 1 }),
  ArrowRight: ({ line, cycle }) => ({ line, cycle: cycle + 1 }),
  ArrowUp: ({ line, cycle }) => ({ line: line - 1, cycle }),
  ArrowDown: ({ line, cycle }) => ({ line: line + 1, cycle }),
  PageUp: ({ line, cycle }) => ({ line: line - PAGE_LINES, cycle }),
  PageDown: ({ line, cycle }) => ({ line: line + PAGE_LINES, cycle }),
  Home: ({ line }) => ({ line, cycle: 0 }),
  End: ({ line }, { cyclesPerLine }) => ({ line, cycle: cyclesPerLine }),
}

function Writes({ frame, place, onPlace }: PlacedProps) {
  const { writes } = frame
  if (writes.length === 0) return <p className="view-note">Nothing is written to the VIC-II in this frame.</p>
  return (
    <div className="raster-writes" role="group" aria-label="Written to the VIC-II" tabIndex={0}>
      <table className="data">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Cycle</th>
            <th scope="col">Write</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {writes.map((write, index) => (
            <WriteRow
              key={index}
              frame={frame}
              write={write}
              isChosen={write.line === place.line && write.cycle === place.cycle}
              onPlace={onPlace}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface WriteRowProps {
  readonly frame: RasterFrame
  readonly write: ChipWrite
  readonly isChosen: boolean
  readonly onPlace: (place: Place) => void
}

function WriteRow({ frame, write, isChosen, onPlace }: WriteRowProps) {
  const { line, cycle } = write
  const address = instructionAt(frame, line, cycle)
  return (
    <tr aria-current={isChosen ? true : undefined}>
      <td>
        <button type="button" className="text-link" title="Show in the raster" onClick={() => onPlace({ line, cycle })}>
          {line}
        </button>
      </td>
      <td>{cycle}</td>
      <td>{writeText(write)}</td>
      <td>
        <button type="button" className="text-link" title="Show in memory" onClick={() => showInMemory(address)}>
          {formatAddress(address)}
        </button>
      </td>
    </tr>
  )
}

function Legend() {
  const colours = cycleColours(useThemeColours())
  const { first, second, written } = colours
  return (
    <ul className="raster-legend muted" aria-label="Colours">
      {(
        [
          [second.reads, 'CPU reads'],
          [second.writes, 'CPU writes'],
          [second.waits, 'CPU waits'],
          [second.matrix, 'Bad line: video matrix'],
          [second.sprite, 'Sprite data'],
          [first.refresh, 'RAM refresh'],
          [first.graphics, 'Graphics'],
          [written, 'Write to the VIC-II'],
        ] as const
      ).map(([colour, text]) => (
        <li key={text}>
          <span className="raster-colour" style={{ background: rgb(colour) }} />
          {text}
        </li>
      ))}
    </ul>
  )
}
