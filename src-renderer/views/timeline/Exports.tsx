import type { Space } from '@shared/contract/memory'
import type { ExportRequest, RecordingInfo } from '@shared/contract/recorder'
import { oneOf, useViewState } from '../../client/viewState'
import { mark, useShownTime, useTimeline } from '../../frames/timeline'
import { Button } from '../../widgets/Button'
import { preciseTime } from '../../widgets/times'
import { exportAs, useExporting } from './exporting'
import { spaceTitles } from './spaceTitles'

/** Of a recording of 50 frames a second, 25 are enough. */
const ANIMATION = { every: 2 }

const subjects = ['screen', '0', '1', '2', '3', '4', '5', '6', '7'] as const
const readSubject = oneOf<(typeof subjects)[number]>(...subjects)

const NO_MOMENT = 'Choose a moment first.'

interface ExportsProps {
  readonly info: RecordingInfo
  readonly space: Space
  readonly address: number
  /** Why the recording knows nothing of this memory. */
  readonly limit: string | null
}

/** What is marked of a recording, and what can be saved of it. */
export function Exports({ info, space, address, limit }: ExportsProps) {
  return (
    <>
      <Marks info={info} />
      <div className="timeline-row" role="group" aria-label="Export">
        <MemoryExports info={info} space={space} address={address} limit={limit} />
        <PictureExports info={info} />
      </div>
      <Progress />
    </>
  )
}

function Marks({ info }: { readonly info: RecordingInfo }) {
  const { from, to } = useTimeline(({ marks }) => marks)
  const needsMoment = useShownTime() === undefined ? NO_MOMENT : null
  const isMarked = from !== null || to !== null
  return (
    <div className="timeline-row" role="group" aria-label="Marks">
      <Button label="Mark the start" shortcut="[" why={needsMoment} onClick={() => mark('from')} />
      <Button label="Mark the end" shortcut="]" why={needsMoment} onClick={() => mark('to')} />
      <Button
        label="Unmark"
        why={isMarked ? null : 'No marks.'}
        onClick={() => useTimeline.setState({ marks: { from: null, to: null } })}
      />
      <span className="muted data">
        {isMarked ? `${preciseTime(from ?? info.from ?? 0)} to ${preciseTime(to ?? info.to ?? 0)}` : ''}
      </span>
    </div>
  )
}

/** What an export takes from the recording as it stands: the marked span, the moment shown. */
function useExports({ recording }: RecordingInfo) {
  const { from, to } = useTimeline(({ marks }) => marks)
  const time = useShownTime()
  const { exporting } = useExporting()
  return {
    span: { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) },
    time,
    busy: exporting === null ? null : 'Another export is running.',
    save: (request: ExportRequest) => exportAs(recording, request),
  }
}

function MemoryExports({ info, space, address, limit }: ExportsProps) {
  const { span, time, busy, save } = useExports(info)
  const [start, length] = space === 'io' ? [0xd000, 0x1000] : [0, 0x10000]
  return (
    <>
      <Button
        label="CSV of the byte…"
        tip="Each change of the byte, between the marks or of the whole recording"
        why={busy ?? limit}
        onClick={() => save({ format: 'csv', space, address, length: 1, ...span })}
      />
      <Button
        label={`Save memory (${spaceTitles[space]})…`}
        tip="The memory at this moment"
        why={busy ?? limit ?? (time === undefined ? NO_MOMENT : null)}
        onClick={() => time !== undefined && save({ format: 'raw', space, address: start, length, time })}
      />
    </>
  )
}

function PictureExports({ info }: { readonly info: RecordingInfo }) {
  const { span, time, busy, save } = useExports(info)
  const [chosen, setChosen] = useViewState('timeline.subject', readSubject)
  const subject = chosen === 'screen' ? chosen : { sprite: Number(chosen) }
  const limit = chosen === 'screen' && !info.picture ? 'The recording has no picture.' : null
  return (
    <>
      <label>
        Picture of
        <select className="field" value={chosen} onChange={({ target }) => setChosen(readSubject(target.value))}>
          {subjects.map((one) => (
            <option key={one} value={one}>
              {one === 'screen' ? 'the screen' : `sprite ${one}`}
            </option>
          ))}
        </select>
      </label>
      <Button
        label="PNG…"
        tip="The picture at this moment"
        why={busy ?? limit ?? (time === undefined ? NO_MOMENT : null)}
        onClick={() => time !== undefined && save({ format: 'png', subject, time })}
      />
      <Button
        label="Animated PNG…"
        tip="The pictures between the marks, or all, at the speed at which they were recorded"
        why={busy ?? limit}
        onClick={() => save({ format: 'apng', subject, ...span, ...ANIMATION })}
      />
    </>
  )
}

function Progress() {
  const { exporting } = useExporting()
  if (exporting === null || exporting.percent === null) return null
  return (
    <div className="timeline-row" role="group" aria-label="Current export">
      <progress value={exporting.percent} max={100} aria-label="Export progress" />
      <span className="data">{exporting.percent} %</span>
      <Button label="Cancel the export" onClick={exporting.cancel} />
    </div>
  )
}
