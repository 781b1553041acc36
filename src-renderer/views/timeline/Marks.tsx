import { Flag, SkipBack, SkipForward, Trash2 } from 'lucide-react'
import { useId, type KeyboardEvent } from 'react'
import { formatValue } from '@shared/c64/expressions/formatValue'
import { MAX_EXPRESSION_LENGTH } from '@shared/c64/expressions/parseExpression'
import type { Mark } from '@shared/contract/recorder'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { shortcutOf } from '../../client/shortcuts'
import { chooseMark, useMarks } from '../../frames/marks'
import { flagsOf, shownMark } from '../../frames/markSteps'
import { usePlayback } from '../../frames/shownMoment'
import { scrubTo } from '../../frames/timeline'
import { Button } from '../../widgets/Button'
import { IconButton } from '../../widgets/IconButton'
import { ListBox } from '../../widgets/ListBox'
import { preciseTime } from '../../widgets/times'
import { Tip } from '../../widgets/Tip'
import { visibleText } from '../../widgets/visibleText'
import { exportAs, useExporting } from './exporting'

const ROW_PX = 24
/** Flags that fit side by side; further marks share one. */
const FLAG_PLACES = 100
const NAMED_MARKS = 5

const textOf = ({ text, value }: Mark): string =>
  visibleText(value === null ? text : `${text} = ${formatValue(value, 'hex')}`)

interface MarkFlagsProps {
  readonly from: number
  readonly to: number
}

export function MarkFlags({ from, to }: MarkFlagsProps) {
  const marks = useMarks((state) => state.marks)
  return (
    <div className="timeline-flags" aria-hidden>
      {flagsOf(marks, from, to, FLAG_PLACES).map(({ place, marks: [first, ...others] }) => (
        <Tip
          key={first.mark}
          text={
            <>
              {[first, ...others].slice(0, NAMED_MARKS).map((mark) => (
                <span key={mark.mark} className="timeline-flag-line">
                  {preciseTime(mark.time)} {textOf(mark)}
                </span>
              ))}
              {others.length < NAMED_MARKS ? null : `and ${others.length + 1 - NAMED_MARKS} more`}
            </>
          }
        >
          <button
            type="button"
            tabIndex={-1}
            className="timeline-flag"
            style={{ left: `${place * 100}%` }}
            onClick={() => scrubTo(first.time)}
          >
            <Flag size={12} fill="currentColor" />
          </button>
        </Tip>
      ))}
    </div>
  )
}

function useShownMark(recording: string) {
  const { marks, chosen } = useMarks()
  const shown = usePlayback((playback) => playback.shown)
  const mark = shown?.recording === recording ? shownMark(marks, shown, chosen) : undefined
  const remove = () => {
    if (mark) attempt(() => call('recorder.deleteMark', { recording, mark: mark.mark }))
  }
  return { mark, remove }
}

interface MarksProps {
  readonly recording: string
}

export function MarkControls({ recording }: MarksProps) {
  const { marks, text } = useMarks()
  const { exporting } = useExporting()
  const { mark, remove } = useShownMark(recording)
  const id = useId()
  const none = marks.length === 0 ? 'No marks.' : null
  return (
    <form
      className="timeline-row"
      aria-label="Marks"
      onSubmit={(event) => {
        event.preventDefault()
        perform('recorder.mark')
      }}
    >
      <label htmlFor={id}>Mark</label>
      <input
        id={id}
        type="text"
        className="field"
        value={text}
        placeholder="what happens here"
        maxLength={MAX_EXPRESSION_LENGTH}
        onChange={({ target }) => useMarks.setState({ text: target.value })}
      />
      <Button
        label="Mark this moment"
        tip="The recorded moment that is shown, or now in a recording that is being made"
        shortcut={shortcutOf('recorder.mark')}
        onClick={() => perform('recorder.mark')}
      />
      <Button
        label="Previous mark"
        icon={SkipBack}
        shortcut={shortcutOf('recorder.previousMark')}
        why={none}
        onClick={() => perform('recorder.previousMark')}
      />
      <Button
        label="Next mark"
        icon={SkipForward}
        shortcut={shortcutOf('recorder.nextMark')}
        why={none}
        onClick={() => perform('recorder.nextMark')}
      />
      <Button
        label="Marks (CSV)…"
        why={exporting === null ? none : 'Another export is running.'}
        onClick={() => exportAs(recording, { format: 'marks' })}
      />
      <IconButton
        label="Delete the mark"
        icon={Trash2}
        look="plain"
        shortcut="Del"
        why={mark ? null : 'Choose a mark first.'}
        onClick={remove}
      />
    </form>
  )
}

export function MarkList({ recording }: MarksProps) {
  const marks = useMarks((state) => state.marks)
  const { mark: chosen, remove } = useShownMark(recording)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Delete') return
    event.preventDefault()
    remove()
  }
  return (
    <div className="timeline-mark-list" onKeyDown={onKeyDown}>
      {marks.length === 0 ? (
        <p className="muted">A mark is a moment to come back to: set by hand, or by a watch when it becomes true.</p>
      ) : (
        <ListBox
          label="Marks of the recording"
          items={marks}
          keyOf={({ mark }) => String(mark)}
          chosen={chosen ? String(chosen.mark) : null}
          onChoose={chooseMark}
          height={ROW_PX}
          render={(mark) => (
            <div className="timeline-mark">
              <span className="data muted">{preciseTime(mark.time)}</span> {textOf(mark)}
            </div>
          )}
        />
      )}
    </div>
  )
}
