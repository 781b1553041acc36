import { Camera, ClipboardCopy, ClipboardPaste, Gamepad2 } from 'lucide-react'
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { paletteNames, paletteTitles } from '@shared/c64/palettes'
import type { MachineState } from '@shared/contract/machine'
import { ActionButton } from '../../client/ActionButton'
import { perform } from '../../client/actions'
import { frames, useDraw, useFrameSummary, useFrameWish } from '../../frames/frames'
import { isConnected, limitOf, useFrontMachine, useLack } from '../../client/machines'
import { NotHere } from '../../client/NotHere'
import { usePlayback } from '../../frames/playback'
import { useSettings } from '../../client/settings'
import { isMac, shortcutOf } from '../../client/shortcuts'
import { SoundButton } from '../../frames/SoundButton'
import { describeTrouble } from '../../client/machineLabels'
import { streamOf } from '../../client/streams'
import { cancelTyping, useTyping } from './typing'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { watchGamepad } from './gamepad'
import { useInputState } from './inputState'
import { machineInput } from './machineInput'
import { ScreenCanvas } from './screenCanvas'
import {
  readPalette,
  useAskForColours,
  useBorders,
  useColours,
  useHasOwnColours,
  usePalette,
  useScaling,
} from '../../frames/screenOptions'
import './screen.css'

/** The machine's picture; with the keyboard in it, keys go to the machine. */
export function ScreenView({ visible }: ViewProps) {
  const lack = useLack('picture')
  const state = useFrontMachine()
  useFrameWish(visible && lack === null && !videoIsOff(state), [], true)
  return (
    <>
      <ScreenToolbar />
      {lack === null ? (
        <div className="view-content screen-content">
          <LiveScreen visible={visible} />
        </div>
      ) : (
        <NotHere what="picture" why={lack} />
      )}
    </>
  )
}

function ScreenToolbar() {
  const [palette, setPalette] = usePalette()
  const hasOwnColours = useHasOwnColours()
  useAskForColours()
  const [scaling, setScaling] = useScaling()
  const [borders, setBorders] = useBorders()
  const joystickKeys = useInputState((input) => input.joystickKeys)
  return (
    <div className="toolbar">
      <label>
        Palette
        <select className="field" value={palette} onChange={({ target }) => setPalette(readPalette(target.value))}>
          {hasOwnColours || palette === 'machine' ? (
            <option value="machine">{hasOwnColours ? 'The machine’s' : 'The machine’s (none)'}</option>
          ) : null}
          {paletteNames.map((name) => (
            <option key={name} value={name}>
              {paletteTitles[name]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Scaling
        <select
          className="field"
          value={scaling}
          onChange={({ target }) => setScaling(target.value === 'whole' ? 'whole' : 'fit')}
        >
          <option value="fit">Fit</option>
          <option value="whole">Whole pixels</option>
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={borders === 'shown'}
          onChange={({ target }) => setBorders(target.checked ? 'shown' : 'cropped')}
        />
        Borders
      </label>
      <span className="toolbar-end">
        <SoundButton />
        <ActionButton id="joystick.toggle" label="Keys move the joystick" icon={Gamepad2} pressed={joystickKeys} />
        <ActionButton id="edit.pasteToMachine" label="Type the clipboard" icon={ClipboardPaste} />
        <ActionButton id="picture.copy" label="Copy the screen" icon={ClipboardCopy} />
        <ActionButton id="picture.save" label="Save a screenshot" icon={Camera} />
      </span>
    </div>
  )
}

function LiveScreen({ visible }: ViewProps) {
  const state = useFrontMachine()
  const space = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const hintId = useId()
  const summary = useFrameSummary()
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  const hasPicture = summary.machine !== null && frames.picture !== null
  useHostInput()
  usePicture(space, canvas, visible)

  const onKeyDown = (event: KeyboardEvent) => {
    if (isRecorded) return
    // The menu's Paste is for text fields: Chromium tells an element without text nothing of it.
    if (isPaste(event)) perform('edit.pasteToMachine')
    else if (!machineInput.keyDown(event.nativeEvent)) return
    event.preventDefault()
  }

  const isOld = !isRecorded && state !== undefined && hasPicture && !isCurrent(state)
  return (
    <>
      <div
        className="screen-keyboard"
        role="application"
        aria-roledescription="C64 screen and keyboard"
        aria-label={`Screen of ${state?.title ?? 'the machine'}`}
        aria-describedby={hintId}
        tabIndex={0}
        data-panel-focus
        data-takes-keys
        onKeyDown={onKeyDown}
        onKeyUp={({ code }) => machineInput.keyUp(code)}
        onFocus={() => setHasFocus(true)}
        onBlur={() => {
          setHasFocus(false)
          machineInput.releaseAll()
        }}
      >
        <div ref={space} className="screen-space">
          <canvas
            ref={canvas}
            className={isOld ? 'screen-canvas old' : 'screen-canvas'}
            hidden={!hasPicture}
            aria-hidden
          />
          {hasPicture ? null : <NoPictureYet state={state} />}
          {isOld ? <Age since={summary.arrivedAt} offersVideo={videoIsOff(state)} /> : null}
        </div>
      </div>
      <StatusRow id={hintId} hasFocus={hasFocus} state={state} isLive={hasPicture && !isOld} />
    </>
  )
}

/** Draws the newest picture as the person wants it, as large as the space allows. */
function usePicture(
  space: RefObject<HTMLDivElement | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
  visible: boolean,
): void {
  const colours = useColours()
  const [scaling] = useScaling()
  const [borders] = useBorders()
  const painter = useRef<ScreenCanvas>(null)
  const size = useRef({ width: 0, height: 0 })
  const stale = useRef(true)

  const draw = useCallback(() => {
    if (!canvas.current || !frames.picture || (!frames.pictureIsNew && !stale.current)) return
    stale.current = false
    painter.current ??= new ScreenCanvas(canvas.current)
    painter.current.draw(frames.picture, size.current, { colours, scaling, borders })
  }, [canvas, colours, scaling, borders])
  useEffect(() => {
    stale.current = true
    frames.requestDraw()
  }, [draw, visible])
  useDraw(visible, draw)

  useEffect(() => {
    const element = space.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      size.current = { width: entry.contentRect.width, height: entry.contentRect.height }
      stale.current = true
      frames.requestDraw()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [space])
}

/** Whether the machine still sends pictures. */
const isCurrent = (state: MachineState): boolean =>
  isConnected(state) && state.connection !== 'stale' && !videoIsOff(state)

/** Whether the machine sends its picture only as a stream, which does not run. */
const videoIsOff = (state: MachineState | undefined): boolean =>
  state !== undefined && limitOf(state, 'videoStream') === null && streamOf(state, 'video') === undefined

function StartVideo() {
  return <Button label="Start the video stream" look="primary" onClick={() => perform('stream.video')} />
}

const isPaste = ({ code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  code === 'KeyV' && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey

/** Takes in the gamepad, and lets go of all keys when the window loses the keyboard. */
function useHostInput(): void {
  useEffect(() => {
    const release = () => machineInput.releaseAll()
    window.addEventListener('blur', release)
    const stop = watchGamepad((inputs) => machineInput.setGamepad(inputs))
    return () => {
      window.removeEventListener('blur', release)
      stop()
    }
  }, [])
}

function NoPictureYet({ state }: { readonly state: MachineState | undefined }) {
  const connected = isConnected(state)
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  if (isRecorded) return <p className="muted">The recording has no picture of this moment.</p>
  if (videoIsOff(state)) {
    return (
      <div className="empty">
        <h2>The video stream is off</h2>
        <p>
          {state?.title} sends its picture as a stream, over its network cable and not over Wi-Fi.
          {streamOf(state, 'debug') ? ' The debug stream, which runs now, stops when it starts.' : ''}
        </p>
        <StartVideo />
      </div>
    )
  }
  if (connected && state?.sampling.mode !== 'off') return <p className="muted">Waiting for the first picture…</p>
  if (state && describeTrouble(state) !== null) {
    return (
      <div className="empty">
        <h2>{state.title} is not live</h2>
        <p>The row below says why.</p>
      </div>
    )
  }
  return (
    <div className="empty">
      <h2>{connected ? 'Nothing is sampled' : 'No machine is connected'}</h2>
      <p>
        {connected
          ? 'Start sampling in the status bar to see the screen.'
          : 'Connect one, or drop a PRG here once it is live.'}
      </p>
      {connected ? null : (
        <Button
          label="Connect"
          look="primary"
          shortcut={shortcutOf('machine.connect')}
          onClick={() => perform('machine.connect')}
        />
      )}
    </div>
  )
}

/** How old the last picture is; counts on by itself while nothing comes. */
function Age({ since, offersVideo }: { readonly since: number; readonly offersVideo: boolean }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.round((now - since) / 1000))
  return (
    <div className="screen-age">
      <p>Last picture {seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} ago</p>
      {offersVideo ? <StartVideo /> : null}
    </div>
  )
}

interface StatusRowProps {
  readonly id: string
  readonly hasFocus: boolean
  readonly state: MachineState | undefined
  /** Whether pictures come. */
  readonly isLive: boolean
}

function StatusRow({ id, hasFocus, state, isLive }: StatusRowProps) {
  const joystickKeys = useInputState((input) => input.joystickKeys)
  const { joystickPort } = useSettings()
  const { paintRate } = useFrameSummary()
  const progress = useTyping((typing) => typing.progress)
  const matrixLimit = isConnected(state) ? limitOf(state, 'keyMatrix') : null
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  const keysGo = isConnected(state) ? 'Keys go to the C64' : 'Keys go to the C64 once it is live'
  const liveHint = hasFocus
    ? `${keysGo} – F6 leaves`
    : `Click, or press ${shortcutOf('view.machine') ?? ''}, to type into the C64`
  const hint = isRecorded ? 'A recorded moment: Esc goes back to the machine' : liveHint
  return (
    <div className="screen-status">
      <span id={id} className={hasFocus ? 'keys-go-here' : 'muted'}>
        {hint}
      </span>
      {hasFocus && matrixLimit !== null ? <span className="muted">Keys are typed, not held: {matrixLimit}</span> : null}
      {joystickKeys ? <span>Joystick keys on, port {joystickPort}</span> : null}
      {progress === null ? null : (
        <span className="typing">
          <progress value={progress.done} max={progress.total} aria-label="Typing" />
          Typing {progress.done} of {progress.total} characters
          <Button label="Stop typing" onClick={cancelTyping} />
        </span>
      )}
      <span className="toolbar-end data muted">{isLive ? `${paintRate} pictures/s` : ''}</span>
    </div>
  )
}
