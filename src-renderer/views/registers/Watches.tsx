import { useCallback, useId, useMemo, useRef, useState } from 'react'
import { Trash2 } from 'lucide-react'
import type { ExpressionMachine } from '@shared/c64/expressions/compileExpression'
import type { ExpressionRegister } from '@shared/c64/expressions/expression'
import { formatValue, valueFormats, type ValueFormat } from '@shared/c64/expressions/formatValue'
import { toFailure, type Failure } from '@shared/contract/errors'
import { call } from '../../client/call'
import { namesNow, useNames } from '../../client/labels'
import { useFrontName } from '../../client/machines'
import { attempt, notify } from '../../client/messages'
import { useIsFrontRecorded } from '../../client/recordings'
import { useViewState } from '../../client/viewState'
import { frames, useDraw, useFrameSummary, useFrameWish } from '../../frames/frames'
import { usePlayback } from '../../frames/shownMoment'
import { IconButton } from '../../widgets/IconButton'
import { changePath } from './changePath'
import { Problem } from '../../widgets/Problem'
import { addWatch, readWatches, WatchedValues, watchReactions, type Watch, type WatchNeeds } from './watchList'

const WATCH_MESSAGES = 'watched value'

const frameRegister = (name: ExpressionRegister): number | undefined => {
  const wanted = name === 'RL' ? 'LIN' : name === 'CY' ? 'CYC' : name
  return frames.registers.find((register) => register.name === wanted)?.value
}

const frameMachine: ExpressionMachine = {
  register: (name) => frameRegister(name) ?? 0,
  peek: (bank, address) => frames.image(bank)[address] ?? 0,
}

const isKnown = ({ registers, banks }: WatchNeeds): boolean =>
  registers.every((name) => frameRegister(name) !== undefined) && banks.every((bank) => frames.known(bank))

export function Watches({ visible }: { readonly visible: boolean }) {
  useFrameSummary()
  const machine = useFrontName()
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  const isBeingRecorded = useIsFrontRecorded()
  const [watches, setWatches] = useViewState('registers.watches', readWatches)
  const names = useNames()
  const values = useMemo(() => new WatchedValues(names), [names])
  const seen = useRef('')
  useFrameWish(visible, [...new Set(watches.flatMap(({ text }) => values.needsOf(text).banks))])
  const look = useCallback(() => {
    const moment = `${frames.machine} ${frames.epoch}`
    if (moment !== seen.current) values.forget()
    seen.current = moment
    for (const watch of values.look(watches, frameMachine, isKnown))
      if (!isRecorded) react(machine, watch, values.valuesOf(watch.text).at(-1) ?? null)
  }, [values, watches, machine, isRecorded])
  useDraw(visible, look)

  const change = (text: string, changes: Partial<Watch>) =>
    setWatches(watches.map((watch) => (watch.text === text ? { ...watch, ...changes } : watch)))
  return (
    <div className="watches">
      {watches.length === 0 ? <p className="view-note">No watches yet.</p> : null}
      <ul>
        {watches.map((watch) => (
          <WatchRow
            key={watch.text}
            watch={watch}
            values={values.valuesOf(watch.text)}
            problem={values.problemOf(watch.text)}
            isIdle={watch.reaction === 'mark' && !isBeingRecorded}
            onChange={(changes) => change(watch.text, changes)}
            onDelete={() => setWatches(watches.filter((other) => other !== watch))}
          />
        ))}
      </ul>
      <AddWatch watches={watches} onAdded={setWatches} />
    </div>
  )
}

function react(machine: string, { text, reaction }: Watch, value: number | null): void {
  const tell = (done: string) => notify(`${done}${text} became true.`, null, undefined, WATCH_MESSAGES)
  switch (reaction) {
    case 'nothing':
      return
    case 'notify':
      tell('')
      return
    case 'pause':
      attempt(async () => {
        await call('machine.pause', { machine })
        tell('Paused: ')
      })
      return
    case 'mark': {
      const { time } = frames
      attempt(() => call('recorder.markMachine', { machine, time, text, value }), WATCH_MESSAGES)
    }
  }
}

interface WatchRowProps {
  readonly watch: Watch
  readonly values: readonly number[]
  readonly problem: string | null
  readonly isIdle: boolean
  readonly onChange: (changes: Partial<Watch>) => void
  readonly onDelete: () => void
}

const reactionLabels = {
  nothing: 'show only',
  notify: 'notify when true',
  pause: 'pause when true',
  mark: 'mark the timeline when true',
} as const

function WatchRow({ watch: { text, format, reaction }, values, problem, isIdle, onChange, onDelete }: WatchRowProps) {
  const shown = (value: number): string => formatValue(value, format)
  const [now, ...before] = values.toReversed()
  const steps = values.slice(1).map((to, index) => ({ from: values[index] ?? null, to }))
  return (
    <li>
      <span className="data watch-text">{text}</span>
      <output className="data" aria-label={`Value of ${text}`}>
        {now === undefined ? 'unknown' : shown(now)}
      </output>
      <span className="data muted watch-before" title={problem ?? 'Values before, newest first'}>
        {isIdle ? <span className="watch-idle">Not recording: nothing is marked. </span> : null}
        {problem ?? before.map(shown).join(' ')}
      </span>
      {steps.length === 0 ? null : (
        <svg className="byte-history-chart" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden>
          <path d={changePath(steps.toReversed())} />
        </svg>
      )}
      <select
        aria-label={`Format of ${text}`}
        value={format}
        onChange={({ target }) => onChange({ format: valueFormats.find(isNamed(target.value)) ?? format })}
      >
        {valueFormats.map((each: ValueFormat) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <select
        aria-label={`When ${text} becomes true`}
        value={reaction}
        onChange={({ target }) => onChange({ reaction: watchReactions.find(isNamed(target.value)) ?? reaction })}
      >
        {watchReactions.map((each) => (
          <option key={each} value={each}>
            {reactionLabels[each]}
          </option>
        ))}
      </select>
      <IconButton label={`Delete the watch ${text}`} icon={Trash2} look="plain" onClick={onDelete} />
    </li>
  )
}

const isNamed =
  (wanted: string) =>
  (name: string): boolean =>
    name === wanted

interface AddWatchProps {
  readonly watches: readonly Watch[]
  readonly onAdded: (watches: readonly Watch[]) => void
}

function AddWatch({ watches, onAdded }: AddWatchProps) {
  const [text, setText] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const id = useId()
  const add = () => {
    try {
      onAdded(addWatch(watches, text, namesNow()))
      setText('')
      setFailure(null)
    } catch (error) {
      setFailure(toFailure(error))
    }
  }
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add()
        }}
      >
        <label htmlFor={id}>Watch</label>
        <input
          id={id}
          className="field data"
          value={text}
          placeholder="@$d020 & 15, or word($2d) > $1000"
          spellCheck={false}
          aria-invalid={failure !== null}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="button">
          Add watch
        </button>
      </form>
      <Problem className="register-problem" failure={failure} />
    </>
  )
}
