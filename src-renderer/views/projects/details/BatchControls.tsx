import { CircleStop, Pause, Play } from 'lucide-react'
import type { DetailsOf } from '@shared/contract/runDetails'
import { call } from '../../../client/call'
import { attempt } from '../../../client/messages'
import { useSettings } from '../../../client/settings'
import { Button } from '../../../widgets/Button'
import { useClock } from '../../../widgets/useClock'
import { LoopAgents } from '../LoopAgents'
import { isActive } from '../loopState'
import { keyOf, takeLoop, useLoops } from '../loops'
import { LoopText } from '../RunControls'
import { RunOptions } from '../setup/RunOptions'
import { useLoopSetup } from '../setup/useLoopSetup'
import { placeOf, useProjects } from '../store'

const CLOCK_MS = 1_000

interface BatchControlsProps {
  readonly project: number
  readonly batch: DetailsOf<'maestro'>['batches'][number]
  readonly obstacle: string | null
}

export function BatchControls({ project, batch: { folder, agents }, obstacle }: BatchControlsProps) {
  const name = { project, system: 'maestro', place: folder } as const
  const loop = useLoops(({ loops }) => loops.get(keyOf(name)))
  const isPast = useProjects(({ at }) => at !== null)
  const trusted = useProjects(({ projects }) => projects?.get(project)?.trusted ?? false)
  const run = useProjects(({ choice, runs }) => runs.get(placeOf(project, choice?.run ?? ''))?.run)
  const hasAgent = useSettings().agents.length > 0
  const active = isActive(loop)
  const now = useClock(active, CLOCK_MS)
  const { setup } = useLoopSetup(name, '')
  if (isPast) return null
  const left = agents.filter(({ prompt, state }) => prompt !== null && state !== 'success').length
  const notNow = active
    ? 'Already running.'
    : !trusted
      ? 'Trust the folder first.'
      : !hasAgent
        ? 'Set up an agent first.'
        : obstacle !== null
          ? obstacle
          : agents.every(({ prompt }) => prompt === null)
            ? 'It has no prompts.'
            : null
  const act = (how: () => Promise<{ readonly loop: NonNullable<typeof loop> }>) => attempt(() => takeLoop(how))
  return (
    <div className="run-controls">
      <div className="run-buttons">
        <Button
          label="Dispatch"
          icon={Play}
          tip="Run every prompt; results that are there are kept apart"
          why={notNow}
          onClick={() => act(() => call('loops.start', { ...name, options: { asChosen: true } }))}
        />
        <Button
          label="Resume"
          icon={Play}
          tip="Run the agents without a result, and those that failed"
          why={notNow ?? (left === 0 ? 'Every agent has ended well.' : null)}
          onClick={() => act(() => call('loops.start', { ...name, options: { asChosen: true, resumes: true } }))}
        />
        <Button
          label="Pause"
          icon={Pause}
          tip="Start no further agent"
          why={loop?.state === 'running' ? null : 'Not running.'}
          onClick={() => act(() => call('loops.pause', name))}
        />
        <Button
          label="Stop"
          icon={CircleStop}
          tip="End all its agents now, with all their processes"
          why={active && loop?.state !== 'stopping' ? null : 'Not running.'}
          onClick={() => act(() => call('loops.stop', name))}
        />
        <span role="status" className="run-state">
          {loop && run ? <LoopText loop={loop} run={run} now={now} /> : null}
        </span>
      </div>
      {setup ? <RunOptions name={name} setup={setup} /> : null}
      {loop && active ? <LoopAgents agents={loop.agents} now={now} /> : null}
    </div>
  )
}
