import { useRef } from 'react'
import { cycleText } from '@shared/c64/cycleText'
import type { PastSpan } from '@shared/contract/machine'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { attempt } from '../../client/messages'
import { useShortcuts } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'

/** Cycles of a PAL frame. */
const FRAME = 19_656

/** How many frames a key goes on. */
const frameKeys: Readonly<Partial<Record<string, number>>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -50,
  PageUp: 50,
}

/** Where a standing machine is in the time that it can go back in. */
export function TimeSlider({ machine, past }: { readonly machine: string; readonly past: PastSpan }) {
  const goTo = useLatest((clock) =>
    call('timeTravel.goTo', { machine, beforeEnd: Math.max(0, Math.round(past.end - clock)) }),
  )
  const shortcutOf = useShortcuts()
  const { start, now, end, left, clockRate } = past
  const moment = now < end ? `${cycleText(end - now, clockRate)} back` : 'now'
  return (
    <>
      <div className="time-slider">
        <input
          type="range"
          aria-label="Moment of the machine’s time"
          aria-valuetext={moment}
          min={0}
          max={Math.max(1, end - start)}
          value={now - start}
          onChange={({ target }) => goTo(start + target.valueAsNumber)}
          onKeyDown={(event) => {
            const frames = frameKeys[event.key]
            if (frames === undefined) return
            event.preventDefault()
            goTo(now + frames * FRAME)
          }}
        />
        <span className="data time-slider-moment">{moment}</span>
        <span className="muted">of {cycleText(end - start, clockRate)}</span>
      </div>
      <div className="code-tools">
        <Button
          label="Step back"
          shortcut={shortcutOf('machine.stepBack')}
          onClick={() => perform('machine.stepBack')}
        />
        <Button
          label="Back to checkpoint"
          shortcut={shortcutOf('machine.backToCheckpoint')}
          onClick={() => perform('machine.backToCheckpoint')}
        />
        {now < end ? <Button label="To now" onClick={() => goTo(end)} /> : null}
        {left === null ? null : (
          <Button
            label="Undo change"
            tip={`The past was changed ${cycleText(now - left.from, clockRate)} ago: go back to the future that it left`}
            onClick={() => attempt(() => call('timeTravel.toLeftFuture', { machine }))}
          />
        )}
        <Button
          label="Save a bug report…"
          tip="What happened until this moment as a file, for bridgedeck replay and File > Load a machine’s state"
          shortcut={shortcutOf('state.saveReport')}
          onClick={() => perform('state.saveReport')}
        />
        <ChoiceSelect choice="registers.bugReport" />
      </div>
    </>
  )
}

/** While one call runs, only the newest of those that follow waits. */
function useLatest(run: (clock: number) => Promise<unknown>): (clock: number) => void {
  const state = useRef<{ isRunning: boolean; next: number | null }>({ isRunning: false, next: null })
  const runAll = async (first: number): Promise<void> => {
    state.current.isRunning = true
    try {
      for (let clock: number | null = first; clock !== null; clock = state.current.next) {
        state.current.next = null
        await run(clock)
      }
    } finally {
      state.current.isRunning = false
    }
  }
  return (clock) => {
    if (state.current.isRunning) state.current.next = clock
    else attempt(() => runAll(clock))
  }
}
