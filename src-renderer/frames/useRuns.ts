import { accessedIn } from '@shared/c64/banking'
import type { Runs } from '@shared/c64/codeListing'
import type { Space } from '@shared/contract/memory'
import { call } from '../client/call'
import { useFrontMachine, useLimit } from '../client/machines'
import { useAnswer } from '../client/useAnswer'
import { useClock } from '../widgets/useClock'
import { usePlayback } from './playback'

/** How often a running machine is asked what it ran, ms. */
const RUNS_INTERVAL_MS = 2_000

/** What of a space the machine in front ran so far; null where it does not tell, and for a moment of a recording. */
export function useRuns(isWanted: boolean, machine: string, space: Space): Runs {
  const limit = useLimit('profile')
  const state = useFrontMachine()
  const isLive = usePlayback(({ shown }) => shown === null)
  const isRunning = state?.execution === 'running'
  const isAsked = isWanted && limit === null && isLive
  const tick = useClock(isAsked && isRunning, RUNS_INTERVAL_MS)
  const { data } = useAnswer(
    machine,
    isAsked,
    (signal) => call('running.coverage', { machine, seconds: null }, { signal }),
    isRunning ? tick : `${state?.past?.now} ${state?.past?.end}`,
  )
  return isAsked ? (data?.[accessedIn(space) ?? 'cpu'].runs ?? null) : null
}
