import { Pin, SkipBack, SkipForward, Trash2, X } from 'lucide-react'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { formatAddress, formatByte } from '@shared/c64/address'
import { labelFor } from '@shared/c64/memoryMap'
import type { Space } from '@shared/contract/memory'
import type { RecordingInfo, RecordingSummary } from '@shared/contract/recorder'
import type { Task } from '@shared/contract/tasks'
import { RecordButton } from '../../client/RecordButton'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { titleOfMachine, useMachineTitles, type MachineTitles } from '../../client/machines'
import { attempt } from '../../client/messages'
import { usePlayback } from '../../frames/shownMoment'
import { dayAndTime, preciseTime } from '../../widgets/times'
import { useChosen } from '../../client/chosen'
import type { ViewProps } from '../../client/view'
import { Button } from '../../widgets/Button'
import { EmptyState } from '../../widgets/EmptyState'
import { ByteChart } from '../../widgets/byteChart/ByteChart'
import { durationText } from '@shared/durationText'
import { IconButton } from '../../widgets/IconButton'
import { TextLink } from '../../widgets/TextLink'
import { useCursor } from '../../client/memoryCursor'
import { useTasks } from '../../client/tasks'
import { ChangeHint } from './ChangeHint'
import { Exports } from './Exports'
import { MarkControls, MarkFlags, MarkList } from './Marks'
import { spaceTitles } from './spaceTitles'
import {
  choose,
  refresh,
  remove,
  scrubByFrame,
  scrubTo,
  setPartEnd,
  showByte,
  forgetByte,
  useShownTime,
  useTimeline,
  valuesOf,
  type TimelineByte,
  type Values,
} from '../../frames/timeline'
import dark from './empty-dark.png'
import light from './empty-light.png'
import './timeline.css'

const GROWTH_POLL_MS = 500

const whatRuns = (tasks: Iterable<Task>): string =>
  Array.from(tasks)
    .filter(({ status }) => status === 'running')
    .map(({ id, iterations, progress }) => `${id}${iterations || progress ? '+' : ''}`)
    .join()

const about = ({ machine, from, to, open }: RecordingSummary, titles: MachineTitles): string =>
  from === null || to === null
    ? ''
    : ` – ${titleOfMachine(titles, machine)}, ${dayAndTime(from)}, ${open ? 'being recorded' : durationText(to - from)}`

export function TimelineView({ visible }: ViewProps) {
  const { recordings, info } = useTimeline()
  const running = useTasks(({ tasks }) => whatRuns(tasks.values()))
  useEffect(() => {
    if (visible) attempt(refresh)
  }, [visible, running])
  const titles = useMachineTitles()
  const growing = info?.open === true ? info.recording : undefined
  useEffect(() => {
    if (!visible || growing === undefined) return undefined
    const clock = setInterval(() => attempt(() => choose(growing)), GROWTH_POLL_MS)
    return () => clearInterval(clock)
  }, [visible, growing])

  return (
    <>
      <div className="toolbar">
        <label>
          Recording
          <select
            className="field"
            value={info?.recording ?? ''}
            disabled={recordings.length === 0}
            onChange={({ target }) => attempt(() => choose(target.value))}
          >
            {recordings.length === 0 ? <option value="">none yet</option> : null}
            {recordings.map((one) => (
              <option key={one.recording} value={one.recording} disabled={one.problem !== null}>
                {one.recording}
                {one.problem === null ? about(one, titles) : ` – ${one.problem}`}
              </option>
            ))}
          </select>
        </label>
        {info ? <Keeping info={info} /> : null}
      </div>
      {info && info.from !== null ? <Scrubber info={info} /> : <NothingYet />}
    </>
  )
}

function NothingYet() {
  return (
    <div className="view-content">
      <EmptyState picture={{ light, dark }} title="Nothing is recorded" action={<RecordButton />}>
        <p>Record a machine for a while, then go back to any moment, in all views.</p>
      </EmptyState>
    </div>
  )
}

function Keeping({ info: { recording, pinned, open } }: { readonly info: RecordingInfo }) {
  const why = open ? 'Recording…' : null
  const pin = async () => {
    await call('recorder.pin', { recording, pinned: !pinned })
    await refresh()
  }
  return (
    <>
      <IconButton
        label="Keep it for good"
        icon={Pin}
        look="plain"
        pressed={pinned}
        why={why}
        onClick={() => attempt(pin)}
      />
      <IconButton
        label="Delete the recording and its task…"
        icon={Trash2}
        look="plain"
        why={why}
        onClick={() => attempt(() => remove(recording))}
      />
    </>
  )
}

function Scrubber({ info }: { readonly info: RecordingInfo }) {
  const [space] = useChosen('memory.space')
  const address = useCursor((cursor) => cursor.address)
  const part = useTimeline((timeline) => timeline.part)
  const time = useShownTime()
  const titles = useMachineTitles()
  const asked = usePlayback((playback) => playback.asked)
  const { values, isBehind } = useValues(info, space, address)
  const from = info.from ?? 0
  const to = info.to ?? from
  const limit = info.spaces.includes(space) ? null : `The recording does not hold ${spaceTitles[space]}.`

  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'text'
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    if (event.key === ',' && limit === null) perform('recorder.previousChange')
    else if (event.key === '.' && limit === null) perform('recorder.nextChange')
    else if (event.key === '[') setPartEnd('from')
    else if (event.key === ']') setPartEnd('to')
    else return
    event.preventDefault()
  }
  return (
    <div className="view-content timeline" onKeyDown={onKeyDown}>
      <div className="timeline-times data">
        <span>{preciseTime(from)}</span>
        <strong>{time === undefined ? 'live' : preciseTime(time)}</strong>
        <span>{preciseTime(to)}</span>
      </div>
      <input
        type="range"
        className="timeline-slider"
        aria-label="Moment of the recording"
        aria-valuetext={time === undefined ? 'live' : preciseTime(time)}
        data-panel-focus
        min={0}
        max={Math.ceil(to - from)}
        value={Math.round((asked ?? time ?? to) - from)}
        onChange={({ target }) => scrubTo(from + Number(target.value))}
        onKeyDown={stepByFrame}
      />
      <MarkFlags from={from} to={to} />
      <ByteChart values={values} span={{ from, to }} height={112} part={part} time={time} onTime={scrubTo} />
      <BesideCharts info={info} space={space} address={address} time={time} />
      <div className="timeline-row">
        <Changes space={space} address={address} values={values} time={time} limit={limit} />
        <ChangeHint info={info} space={space} address={address} values={isBehind ? null : values} />
      </div>
      <MarkControls recording={info.recording} />
      <Exports info={info} space={space} address={address} limit={limit} />
      <MarkList recording={info.recording} />
      <p className="muted">
        {titleOfMachine(titles, info.machine)}: {info.frames} frames, {(info.bytes / 1024 / 1024).toFixed(1)} MiB
        {info.missing === 0 ? '' : `; ${info.missing} samples are missing`}
        {info.open ? '; being recorded' : ''}
      </p>
      {values?.damages.map(({ from, to, message }) => (
        <p key={from} role="alert">
          From {preciseTime(from)} to {preciseTime(to)} nothing is known. {message}
        </p>
      ))}
    </div>
  )
}

interface BesideProps {
  readonly info: RecordingInfo
  readonly space: Space
  readonly address: number
  readonly time: number | undefined
}

function BesideCharts({ info, space, address, time }: BesideProps) {
  const beside = useTimeline((timeline) => timeline.beside)
  return beside
    .filter((byte) => byte.address !== address || spaceAt(byte) !== space)
    .map((byte) => <BesideChart key={`${byte.space} ${byte.address}`} info={info} byte={byte} time={time} />)
}

const spaceAt = ({ space }: TimelineByte): Space => (space === 'colorRam' ? 'cpu' : space)

interface BesideChartProps extends Pick<BesideProps, 'info' | 'time'> {
  readonly byte: TimelineByte
}

function BesideChart({ info, byte, time }: BesideChartProps) {
  const part = useTimeline((timeline) => timeline.part)
  const { values } = useValues(info, byte.space, byte.address)
  const from = info.from ?? 0
  const name = formatAddress(byte.address)
  const shown = values === null || time === undefined ? undefined : valueAt(values, time)
  return (
    <section className="timeline-beside" aria-label={`${name} over time`}>
      <div className="timeline-row">
        <TextLink text={name} tip="Moves the cursor there" onOpen={() => showByte(byte)} />
        <span className="data timeline-value">{shown === undefined ? '' : formatByte(shown)}</span>
        <IconButton label={`Close the chart of ${name}`} icon={X} look="plain" onClick={() => forgetByte(byte)} />
      </div>
      <ByteChart
        values={values}
        span={{ from, to: info.to ?? from }}
        height={80}
        part={part}
        time={time}
        onTime={scrubTo}
      />
    </section>
  )
}

interface ChangesProps {
  readonly space: Space
  readonly address: number
  readonly values: Values | null
  readonly time: number | undefined
  /** Why the recording knows nothing of this memory. */
  readonly limit: string | null
}

function Changes({ space, address, values, time, limit }: ChangesProps) {
  const shown = values === null || time === undefined ? undefined : valueAt(values, time)
  return (
    <div className="timeline-row" role="group" aria-label="Changes of a byte">
      <Button
        label="Previous change"
        icon={SkipBack}
        shortcut=","
        why={limit}
        onClick={() => perform('recorder.previousChange')}
      />
      <Button
        label="Next change"
        icon={SkipForward}
        shortcut="."
        why={limit}
        onClick={() => perform('recorder.nextChange')}
      />
      <span>
        <span className="data">{formatAddress(address)}</span> {labelFor(address)?.name ?? ''} in {spaceTitles[space]}
        <span className="data timeline-value">{shown === undefined ? '' : `: ${formatByte(shown)}`}</span>
      </span>
    </div>
  )
}

/** The slider's own steps are milliseconds. */
function stepByFrame(event: KeyboardEvent): void {
  if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') scrubByFrame(-1)
  else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') scrubByFrame(1)
  else return
  event.preventDefault()
}

function useValues({ recording, frames, spaces }: RecordingInfo, space: Space, address: number) {
  const [found, setFound] = useState<{ readonly of: string; readonly values: Values } | null>(null)
  const isHeld = spaces.includes(space)
  const of = `${recording} ${space} ${address}`
  useEffect(() => {
    let isOver = false
    if (isHeld)
      attempt(async () => {
        const values = await valuesOf(recording, space, address)
        if (!isOver) setFound({ of, values })
      })
    else setFound(null)
    return () => {
      isOver = true
    }
  }, [recording, frames, isHeld, space, address, of])
  /** The earlier byte's values stay in the chart until the new ones are there. */
  return { values: found?.values ?? null, isBehind: found?.of !== of }
}

/** Undefined before the first point, and where the points stand for more than one value. */
function valueAt({ points, exact }: Values, time: number): number | undefined {
  return exact ? points.findLast((point) => point.time <= time)?.value : undefined
}
