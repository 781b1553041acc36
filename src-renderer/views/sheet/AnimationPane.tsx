import { memo, useCallback, useEffect, useRef, useState, type Ref } from 'react'
import { spriteArtPixels } from '@shared/graphics/artworkPixels'
import type { SpriteAnimation, SpriteSheet } from '@shared/graphics/artwork'
import { withAnimation, withMovedFrame, withSprite } from '@shared/graphics/editSheet'
import { useColours } from '../../frames/screenOptions'
import { drawSprite } from '../../frames/spritePixels'
import { changeSprites } from '../../client/sheet'
import { Button } from '../../widgets/Button'
import { Check } from '../../widgets/Check'
import { LineField } from '../../widgets/LineField'
import { NumberField } from '../../widgets/NumberField'
import { setFrameTime, useSheetSelection } from './sheetCommands'

interface AnimationPaneProps {
  readonly sheet: SpriteSheet
  readonly visible: boolean
}

export function AnimationPane({ sheet, visible }: AnimationPaneProps) {
  const { animations } = sheet
  const chosen = Math.min(
    useSheetSelection(({ animation }) => animation),
    animations.length - 1,
  )
  const animation = animations[chosen]
  const [isPlaying, setPlaying] = useState(true)
  const [hasOnion, setOnion] = useState(false)
  const [speed, setSpeed] = useState(100)
  const [frame, setFrame] = usePlayer(animation, visible && isPlaying, speed)
  const count = animation?.frames.length ?? 0
  const onMove = useCallback(
    (from: number, to: number) => {
      if (to < 0 || to >= count) return
      setPlaying(false)
      changeSprites((whole) => withMovedFrame(whole, chosen, from, to))
      setFrame(to)
    },
    [count, chosen, setFrame],
  )
  const onChoose = useCallback(
    (at: number) => {
      setPlaying(false)
      setFrame(at)
    },
    [setFrame],
  )
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const item = list.current?.children[frame]
    item?.setAttribute('data-current', 'true')
    return () => item?.removeAttribute('data-current')
  }, [frame, animation])
  if (!animation) return null
  const remove = () =>
    changeSprites((whole) => ({ ...whole, animations: whole.animations.filter((_, at) => at !== chosen) }))
  return (
    <section className="sheet-animation" aria-label="Animation">
      <div className="toolbar">
        <select
          className="field"
          aria-label="Animation"
          value={chosen}
          onChange={({ target }) => useSheetSelection.setState({ animation: Number(target.value) })}
        >
          {animations.map(({ name }, at) => (
            <option key={at} value={at}>
              {at + 1}: {name}
            </option>
          ))}
        </select>
        <LineField
          key={chosen}
          label="Name"
          value={animation.name}
          problemOf={(text) => (text.length > 100 ? 'at most 100 characters' : null)}
          onChange={(name) => changeSprites((whole) => withAnimation(whole, chosen, { name }))}
        />
        <Button label={isPlaying ? 'Pause' : 'Play'} onClick={() => setPlaying(!isPlaying)} />
        <NumberField label="Speed, %" value={speed} min={5} max={1000} onChange={(value) => setSpeed(value ?? 100)} />
        <Check
          label="Ping-pong"
          checked={animation.isPingPong}
          onChange={(isPingPong) => changeSprites((whole) => withAnimation(whole, chosen, { isPingPong }))}
        />
        <Check label="Onion skin" checked={hasOnion} onChange={setOnion} />
        <Button label="Delete animation" onClick={remove} />
      </div>
      <div className="sheet-player">
        <Stage sheet={sheet} animation={animation} frame={frame} hasOnion={hasOnion} />
        <FrameList ref={list} {...{ sheet, animation, chosen, onMove, onChoose }} />
      </div>
    </section>
  )
}

interface FrameListProps {
  readonly ref: Ref<HTMLOListElement>
  readonly sheet: SpriteSheet
  readonly animation: SpriteAnimation
  readonly chosen: number
  readonly onMove: (from: number, to: number) => void
  readonly onChoose: (frame: number) => void
}

/** Memoised: up to 2,000 frames are not rendered again as the player goes on. */
const FrameList = memo(function FrameList({ ref, sheet, animation, chosen, onMove, onChoose }: FrameListProps) {
  return (
    <ol ref={ref} className="sheet-frames">
      {animation.frames.map(({ sprite, ms }, at) => (
        <li
          key={at}
          draggable
          onDragStart={({ dataTransfer }) => dataTransfer.setData(FRAME, String(at))}
          onDragOver={(event) => {
            if (event.dataTransfer.types.includes(FRAME)) event.preventDefault()
          }}
          onDrop={({ dataTransfer }) => onMove(Number(dataTransfer.getData(FRAME)), at)}
        >
          <button
            type="button"
            className="button plain"
            aria-label={`Frame ${at + 1}`}
            title="Alt with the arrow keys moves the frame, as dragging does."
            onKeyDown={(event) => {
              const step = event.altKey ? steps[event.key] : undefined
              if (step === undefined) return
              event.preventDefault()
              onMove(at, at + step)
              focusFrame(event.currentTarget, step)
            }}
            onClick={() => onChoose(at)}
          >
            <Picture sheet={sheet} sprite={sprite} className="" />
          </button>
          <LineField
            key={`${sprite} ${sheet.sprites[sprite]?.name}`}
            label="Name"
            className="sheet-frame-name"
            value={sheet.sprites[sprite]?.name ?? ''}
            problemOf={(text) => (text.length > 100 ? 'at most 100 characters' : null)}
            onChange={(name) => changeSprites((whole) => withSprite(whole, sprite, { name }))}
          />
          <NumberField
            label="ms"
            value={ms}
            min={1}
            max={60_000}
            isWhole
            onChange={(value) => setFrameTime(chosen, at, value ?? ms)}
          />
        </li>
      ))}
    </ol>
  )
})

/** Type of the drag data, which is the index of a frame. */
const FRAME = 'application/x-bridgedeck-frame'
const steps: Readonly<Record<string, 1 | -1>> = { ArrowLeft: -1, ArrowRight: 1 }

function focusFrame(button: HTMLElement, step: 1 | -1): void {
  const item = button.closest('li')
  const beside = step === 1 ? item?.nextElementSibling : item?.previousElementSibling
  beside?.querySelector('button')?.focus()
}

interface StageProps {
  readonly sheet: SpriteSheet
  readonly animation: SpriteAnimation
  readonly frame: number
  readonly hasOnion: boolean
}

function Stage({ sheet, animation: { frames }, frame, hasOnion }: StageProps) {
  const around = hasOnion ? [frame - 1, frame + 1] : []
  const spriteAt = (at: number) => frames[(at + frames.length) % frames.length]?.sprite ?? 0
  return (
    <div className="sheet-stage">
      {around.map((at) => (
        <Picture key={at - frame} sheet={sheet} sprite={spriteAt(at)} className="onion" />
      ))}
      <Picture sheet={sheet} sprite={spriteAt(frame)} className="" />
    </div>
  )
}

interface PictureProps {
  readonly sheet: SpriteSheet
  readonly sprite: number
  readonly className: string
}

function Picture({ sheet, sprite, className }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useColours()
  useEffect(() => {
    const art = sheet.sprites[sprite]
    if (art) drawSprite(canvas.current, spriteArtPixels(art, sheet), palette)
  }, [sheet, sprite, palette])
  return <canvas ref={canvas} className={className} width={24} height={21} aria-hidden />
}

function usePlayer(
  animation: SpriteAnimation | undefined,
  isPlaying: boolean,
  speed: number,
): [number, (frame: number) => void] {
  const [place, setPlace] = useState({ frame: 0, step: 1 })
  const count = animation?.frames.length ?? 0
  const frame = Math.min(place.frame, Math.max(0, count - 1))
  const ms = animation?.frames[frame]?.ms ?? 0
  const isPingPong = animation?.isPingPong ?? false
  useEffect(() => {
    if (!isPlaying || count < 2) return undefined
    const timer = setTimeout(
      () => {
        const isEnd = place.step === 1 ? frame >= count - 1 : frame <= 0
        const step = isPingPong && isEnd ? -place.step : isPingPong ? place.step : 1
        setPlace({ frame: (frame + step + count) % count, step })
      },
      (ms * 100) / speed,
    )
    return () => clearTimeout(timer)
  }, [isPlaying, count, frame, ms, isPingPong, place, speed])
  return [frame, useCallback((at: number) => setPlace({ frame: at, step: 1 }), [])]
}
