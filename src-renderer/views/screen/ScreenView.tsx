import { useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { MachineState } from '@shared/contract/machine'
import { perform } from '../../client/actions'
import { frames, useFrameSummary, useFrameWish } from '../../frames/frames'
import { isConnected, limitOf, useBridge, useFrontMachine, useLack } from '../../client/machines'
import { NoFrameYet } from '../../frames/NoFrameYet'
import { NotHere } from '../../client/NotHere'
import { usePlayback } from '../../frames/shownMoment'
import { useSettings } from '../../client/settings'
import { isMac, shortcutOf } from '../../client/shortcuts'
import { describeTrouble } from '../../client/machineLabels'
import { attempt } from '../../client/messages'
import { streamOf } from '../../client/streams'
import { useTyping } from './typing'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { BeamMark } from './BeamMark'
import { watchGamepad } from './gamepad'
import { useInputState } from './inputState'
import { machineInput } from './machineInput'
import { openScreenMenu } from './screenMenu'
import { ScreenToolbar } from './ScreenToolbar'
import { SpriteStrip } from './SpriteStrip'
import { useCrt, useSpriteStrip } from '../../frames/screenOptions'
import { leaveFullScreen, useFullScreen } from './fullScreen'
import { usePicture } from './usePicture'
import dark from './empty-dark.png'
import light from './empty-light.png'
import './screen.css'

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

function LiveScreen({ visible }: ViewProps) {
  const state = useFrontMachine()
  const space = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const crt = useCrt()
  const strip = useSpriteStrip()
  const [hasFocus, setHasFocus] = useState(false)
  const hintId = useId()
  const summary = useFrameSummary()
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  const hasPicture = summary.machine !== null && frames.picture !== null
  useHostInput()
  const painter = usePicture(space, frame, visible, hasPicture)
  useFullScreenHere(visible)

  const onKeyDown = (event: KeyboardEvent) => {
    if (isRecorded) return
    // The menu's Paste is for text fields: Chromium does not pass it to an element without text.
    if (isPaste(event)) perform('edit.pasteToMachine')
    else if (!machineInput.keyDown(event.nativeEvent)) return
    event.preventDefault()
  }

  const onContextMenu = (event: MouseEvent) => {
    const [canvas, { picture }] = [painter.current, frames]
    if (canvas && picture) attempt(() => openScreenMenu(event, canvas, picture))
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
        onContextMenu={onContextMenu}
        onFocus={() => setHasFocus(true)}
        onBlur={() => {
          setHasFocus(false)
          machineInput.releaseAll()
        }}
      >
        <div ref={space} className="screen-space">
          <div ref={frame} className={isOld ? 'screen-picture old' : 'screen-picture'} hidden={!hasPicture} aria-hidden>
            <canvas className={crt ? 'screen-canvas crt' : 'screen-canvas'} />
            {crt ? <div className="crt-glass" /> : null}
            <BeamMark />
          </div>
          {hasPicture ? null : <NoPictureYet state={state} />}
          {isOld ? <Age since={summary.arrivedAt} offersVideo={videoIsOff(state)} /> : null}
        </div>
      </div>
      {strip ? <SpriteStrip visible={visible} /> : null}
      <StatusRow id={hintId} hasFocus={hasFocus} state={state} />
    </>
  )
}

const isCurrent = (state: MachineState): boolean =>
  isConnected(state) && state.connection !== 'stale' && !videoIsOff(state)

const videoIsOff = (state: MachineState | undefined): boolean =>
  state !== undefined && limitOf(state, 'videoStream') === null && streamOf(state, 'video') === undefined

function StartVideo() {
  return <Button label="Start the video stream" look="primary" onClick={() => perform('stream.video')} />
}

const isPaste = ({ code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  code === 'KeyV' && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey

function useFullScreenHere(visible: boolean): void {
  const full = useFullScreen((state) => state.full)
  useEffect(() => {
    document.documentElement.toggleAttribute('data-full-screen', full)
  }, [full])
  useEffect(() => (visible ? leaveFullScreen : undefined), [visible])
}

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
  const bridge = useBridge()
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  if (isRecorded) return <p className="muted">The recording has no picture of this moment.</p>
  if (videoIsOff(state)) {
    return (
      <EmptyState title="The video stream is off" action={<StartVideo />}>
        <p>
          {state?.title} sends its picture as a stream, over its network cable and not over Wi-Fi.
          {streamOf(state, 'debug') ? ' The debug stream, which runs now, stops when it starts.' : ''}
        </p>
      </EmptyState>
    )
  }
  if (connected && state?.sampling.mode !== 'off') return <p className="muted">Waiting for the first picture…</p>
  if (bridge.state !== 'ready' || connected || (state && describeTrouble(state) !== null))
    return (
      <EmptyState title="No picture yet">
        <NoFrameYet />
      </EmptyState>
    )
  const connect = (
    <Button
      label="Connect"
      look="primary"
      shortcut={shortcutOf('machine.connect')}
      onClick={() => perform('machine.connect')}
    />
  )
  return (
    <EmptyState picture={{ light, dark }} title="No machine is connected" action={connect}>
      <p>Connect one, or drop a PRG here once it is live.</p>
    </EmptyState>
  )
}

/** Counts on by itself while no picture comes. */
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

function TypedNotHeld({ why }: { readonly why: string }) {
  const text = `Keys are typed, not held: ${why}`
  return (
    <span className="shrinks muted" title={text}>
      {text}
    </span>
  )
}

interface StatusRowProps {
  readonly id: string
  readonly hasFocus: boolean
  readonly state: MachineState | undefined
}

function StatusRow({ id, hasFocus, state }: StatusRowProps) {
  const joystickKeys = useInputState((input) => input.joystickKeys)
  const { joystickPort } = useSettings()
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
      <span id={id} className={hasFocus ? 'shrinks keys-go-here' : 'shrinks muted'} title={hint}>
        {hint}
      </span>
      {hasFocus && matrixLimit !== null ? <TypedNotHeld why={matrixLimit} /> : null}
      {joystickKeys ? <span>Joystick keys on, port {joystickPort}</span> : null}
      {progress === null ? null : (
        <span className="typing">
          <progress value={progress.done} max={progress.total} aria-label="Typing" />
          Typing {progress.done} of {progress.total} characters
          <Button label="Stop typing" onClick={() => perform('edit.stopTyping')} />
        </span>
      )}
    </div>
  )
}
