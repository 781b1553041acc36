import { useRef } from 'react'
import { cycleText } from '@shared/c64/cycleText'
import type { MachineState, PastSpan } from '@shared/contract/machine'
import { call } from '../client/call'
import { canBeFollowed, limitOf } from '../client/machines'
import { attempt } from '../client/messages'
import { Tip } from '../widgets/Tip'

/** Cycles of a PAL frame. */
const FRAME = 19_656

const frameKeys: Readonly<Partial<Record<string, number>>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -50,
  PageUp: 50,
}

const noPast: PastSpan = { start: 0, now: 0, end: 0, left: null, clockRate: 1, bytes: 0 }

export function TimeSlider({ state }: { readonly state: MachineState | undefined }) {
  const goTo = useLatest((clock, machine) =>
    call('timeTravel.goTo', { machine, beforeEnd: Math.max(0, Math.round(past.end - clock)) }),
  )
  const machine = state?.machine ?? ''
  const past = state?.past ?? noPast
  const why = limitOf(state, 'timeTravel') ?? (canBeFollowed(state) ? null : 'Pause the machine to go back.')
  const { start, now, end, clockRate } = past
  const moment = why !== null ? '' : now < end ? `${cycleText(end - now, clockRate)} back` : 'now'
  const slider = (
    <input
      type="range"
      aria-label="Moment of the machine’s time"
      aria-valuetext={moment || undefined}
      aria-disabled={why === null ? undefined : true}
      min={0}
      max={Math.max(1, end - start)}
      value={why === null ? now - start : Math.max(1, end - start)}
      onChange={({ target }) => {
        if (why === null) goTo(start + target.valueAsNumber, machine)
      }}
      onKeyDown={(event) => {
        const frames = frameKeys[event.key]
        if (frames === undefined || why !== null) return
        event.preventDefault()
        goTo(now + frames * FRAME, machine)
      }}
    />
  )
  return (
    <div className="time-slider">
      <Tip text="Go to another moment of the machine’s time" why={why}>
        {slider}
      </Tip>
      <span className="data time-slider-moment">{moment}</span>
      <span className="muted time-slider-span">{why === null ? `of ${cycleText(end - start, clockRate)}` : ''}</span>
    </div>
  )
}

/** While one call runs, only the newest of those that follow waits. */
function useLatest(
  run: (clock: number, machine: string) => Promise<unknown>,
): (clock: number, machine: string) => void {
  const state = useRef<{ isRunning: boolean; next: number | null }>({ isRunning: false, next: null })
  const runAll = async (first: number, machine: string): Promise<void> => {
    state.current.isRunning = true
    try {
      for (let clock: number | null = first; clock !== null; clock = state.current.next) {
        state.current.next = null
        await run(clock, machine)
      }
    } finally {
      state.current.isRunning = false
    }
  }
  return (clock, machine) => {
    if (state.current.isRunning) state.current.next = clock
    else attempt(() => runAll(clock, machine))
  }
}
