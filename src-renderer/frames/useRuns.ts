import { useMemo } from 'react'
import { accessedIn } from '@shared/c64/banking'
import type { Runs } from '@shared/c64/codeListing'
import type { Output } from '@shared/contract/contract'
import type { Space } from '@shared/contract/memory'
import { call } from '../client/call'
import { useFrontMachine, useLimit } from '../client/machines'
import { useAnswer } from '../client/useAnswer'
import { useClock } from '../widgets/useClock'
import { usePlayback } from './shownMoment'

const RUNS_INTERVAL_MS = 2_000

let shared: {
  readonly of: string
  readonly since: number
  readonly coverage: Promise<Output<'running.coverage'>>
} | null = null

function sharedCoverage(machine: string, version: string): Promise<Output<'running.coverage'>> {
  const of = `${machine} ${version}`
  if (shared?.of === of && Date.now() - shared.since < RUNS_INTERVAL_MS) return shared.coverage
  const coverage = call('running.coverage', { machine, seconds: null })
  shared = { of, since: Date.now(), coverage }
  coverage.catch(() => {
    if (shared?.coverage === coverage) shared = null
  })
  return coverage
}

/** Null where the machine does not tell, before it ran anything, and for a moment of a recording. */
export function useRuns(isWanted: boolean, machine: string, space: Space): Runs {
  const limit = useLimit('profile')
  const state = useFrontMachine()
  const isLive = usePlayback(({ shown }) => shown === null)
  const isRunning = state?.execution === 'running'
  const isAsked = isWanted && limit === null && isLive
  const tick = useClock(isAsked && isRunning, RUNS_INTERVAL_MS)
  const version = isRunning
    ? `running ${Math.floor(tick / RUNS_INTERVAL_MS)}`
    : `${state?.past?.now} ${state?.past?.end}`
  const { data } = useAnswer(machine, isAsked, () => sharedCoverage(machine, version), version)
  const runs = isAsked ? (data?.[accessedIn(space) ?? 'cpu'].runs ?? null) : null
  // As after a saved state was loaded: all would look like data.
  const ranAny = useMemo(() => runs?.some((byte) => byte !== 0) ?? false, [runs])
  return ranAny ? runs : null
}
