import { formatAddress } from '@shared/c64/address'
import type { Space } from '@shared/contract/memory'
import type { ExportRequest, RecordingInfo } from '@shared/contract/recorder'
import { oneOf, useViewState } from '../../client/viewState'
import { setPartEnd, useShownTime, useTimeline, WHOLE_RECORDING } from '../../frames/timeline'
import { Button } from '../../widgets/Button'
import { preciseTime } from '../../widgets/times'
import { exportAs, useExporting } from './exporting'
import { spaceTitles } from './spaceTitles'

/** Every second frame: 25 of 50 frames a second are enough. */
const ANIMATION = { every: 2 }

const subjects = ['screen', '0', '1', '2', '3', '4', '5', '6', '7'] as const
const readSubject = oneOf<(typeof subjects)[number]>(...subjects)

interface ExportsProps {
  readonly info: RecordingInfo
  readonly space: Space
  readonly address: number
  /** Why the recording knows nothing of this memory. */
  readonly limit: string | null
}

export function Exports(props: ExportsProps) {
  const [chosen, setChosen] = useViewState('timeline.subject', readSubject)
  return (
    <>
      <SpanExports {...props} chosen={chosen} />
      <MomentExports {...props} chosen={chosen} onChoose={setChosen} />
      <Progress />
    </>
  )
}

type Chosen = (typeof subjects)[number]

const subjectTitle = (chosen: Chosen): string => (chosen === 'screen' ? 'the screen' : `sprite ${chosen}`)

function useExports({ recording, picture }: RecordingInfo, chosen: Chosen) {
  const { from, to } = useTimeline(({ part }) => part)
  const time = useShownTime()
  const { exporting } = useExporting()
  return {
    part: { from, to },
    span: { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) },
    time,
    needsMoment: time === undefined ? 'Choose a moment first.' : null,
    busy: exporting === null ? null : 'Another export is running.',
    subject: chosen === 'screen' ? chosen : { sprite: Number(chosen) },
    pictureLimit: chosen === 'screen' && !picture ? 'The recording has no picture.' : null,
    save: (request: ExportRequest) => exportAs(recording, request),
  }
}

function SpanExports({ info, space, address, limit, chosen }: ExportsProps & { readonly chosen: Chosen }) {
  const { part, span, needsMoment, busy, subject, pictureLimit, save } = useExports(info, chosen)
  const { from, to } = part
  const isPart = from !== null || to !== null
  const partText = isPart
    ? `${preciseTime(from ?? info.from ?? 0)} to ${preciseTime(to ?? info.to ?? 0)}`
    : 'Whole recording'
  return (
    <div className="timeline-row">
      <div className="timeline-row" role="group" aria-label="Part to export">
        <Button label="Part starts here" shortcut="[" why={needsMoment} onClick={() => setPartEnd('from')} />
        <Button label="Part ends here" shortcut="]" why={needsMoment} onClick={() => setPartEnd('to')} />
        <Button
          label="Clear part"
          why={isPart ? null : 'No part is chosen.'}
          onClick={() => useTimeline.setState({ part: WHOLE_RECORDING })}
        />
      </div>
      <span className="timeline-part data">{partText}</span>
      <div className="timeline-row" role="group" aria-label="Export this part">
        <Button
          label={`CSV of ${formatAddress(address)}…`}
          tip={`Each change of ${formatAddress(address)} in ${spaceTitles[space]}: ${partText}`}
          why={busy ?? limit}
          onClick={() => save({ format: 'csv', space, address, length: 1, ...span })}
        />
        <Button
          label="CSV of samples…"
          tip={`Each sample of ${formatAddress(address)} in ${spaceTitles[space]}, changed or not: ${partText}`}
          why={busy ?? limit}
          onClick={() => save({ format: 'csv', space, address, length: 1, rows: 'samples', ...span })}
        />
        <Button
          label="Animated PNG…"
          tip={`The pictures of ${subjectTitle(chosen)} at the speed at which they were recorded: ${partText}`}
          why={busy ?? pictureLimit}
          onClick={() => save({ format: 'apng', subject, ...span, ...ANIMATION })}
        />
      </div>
    </div>
  )
}

interface MomentExportsProps extends ExportsProps {
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen) => void
}

function MomentExports({ info, space, limit, chosen, onChoose }: MomentExportsProps) {
  const { time, needsMoment, busy, subject, pictureLimit, save } = useExports(info, chosen)
  const [start, length] = space === 'io' ? [0xd000, 0x1000] : [0, 0x10000]
  return (
    <div className="timeline-row" role="group" aria-label="Export this moment">
      <span className="muted">This moment</span>
      <Button
        label={`Memory (${spaceTitles[space]})…`}
        tip="All of this memory, as it was at this moment"
        why={busy ?? limit ?? needsMoment}
        onClick={() => time !== undefined && save({ format: 'raw', space, address: start, length, time })}
      />
      <Button
        label="PNG…"
        tip={`The picture of ${subjectTitle(chosen)} at this moment`}
        why={busy ?? pictureLimit ?? needsMoment}
        onClick={() => time !== undefined && save({ format: 'png', subject, time })}
      />
      <label>
        Pictures of
        <select className="field" value={chosen} onChange={({ target }) => onChoose(readSubject(target.value))}>
          {subjects.map((one) => (
            <option key={one} value={one}>
              {subjectTitle(one)}
            </option>
          ))}
        </select>
      </label>
    </div>
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
