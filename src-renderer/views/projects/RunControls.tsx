import { CircleStop, Monitor, Pause, Play, RotateCcw, StepForward } from 'lucide-react'
import type { Loop, LoopName, LoopState } from '@shared/contract/loops'
import type { Project, Run } from '@shared/contract/orchestration'
import { ActionButton } from '../../client/ActionButton'
import { perform } from '../../client/actions'
import { call } from '../../client/call'
import { useMachineBeside } from '../../client/machineBeside'
import { useAnswer } from '../../client/useAnswer'
import { attempt } from '../../client/messages'
import { shortcutOf } from '../../client/shortcuts'
import { Button } from '../../widgets/Button'
import { Check } from '../../widgets/Check'
import { dayAndTime } from '../../widgets/times'
import { visibleText } from '../../widgets/visibleText'
import { Section } from './details/parts'
import { LoopAgents } from './LoopAgents'
import { LinkedText } from './links/LinkedText'
import { isActive, restOf, saysAtWork } from './loopState'
import { keyOf, loopName, retryFailed, useLastLoop, useLoops } from './loops'
import { agoText } from './labels'
import { trustRepository } from './setup/prepareFolder'
import { obstacleOf, openQuestion } from './setup/conditions'
import { RunOptions } from './setup/RunOptions'
import { StartEstimate } from './setup/StartEstimate'
import { StartSteps } from './setup/StartSteps'
import { useAgentSetup } from './setup/setupStore'
import { useLoopSetup, type Setup } from './setup/useLoopSetup'

const MAX_SHOWN = 50

const states: Readonly<Record<LoopState, string>> = {
  running: 'Running',
  pausing: 'Pausing when its agent has ended',
  stopping: 'Stopping the processes of its agent',
  paused: 'Paused',
  stopped: 'Stopped',
  ended: 'Ended',
  failed: 'Could not continue',
  interrupted: 'Interrupted',
}

interface RunControlsProps {
  readonly project: Project
  readonly run: Run
  readonly now: number
}

export function RunControls({ project, run, now }: RunControlsProps) {
  const name = loopName(project.project, run)
  return name ? <Controls key={keyOf(name)} name={name} project={project} run={run} now={now} /> : null
}

function Controls({ name, project, run, now }: RunControlsProps & { readonly name: LoopName }) {
  const loop = useLoops(({ loops }) => loops.get(keyOf(name)))
  const isSettingUp = useAgentSetup(({ run }) => run !== null)
  const active = isActive(loop)
  // An edit may end the worktree; what a loop changes does not affect its setup.
  const revision = active ? '' : run.revision
  const version = `${project.trusted} ${loop?.state ?? ''} ${isSettingUp} ${revision}`
  const { setup, problem, reread } = useLoopSetup(name, version)
  const question = openQuestion(run)
  const notNow = active
    ? 'Already running.'
    : setup === null
      ? (problem ?? 'Checking what it needs…')
      : obstacleOf(name, setup, question)
  const rest = restOf(run, loop)
  const goesOn =
    run.state.value !== 'done' &&
    (rest !== null ||
      loop?.state === 'paused' ||
      loop?.state === 'stopped' ||
      loop?.state === 'interrupted' ||
      run.state.written === 'halted')
  return (
    <section className="run-controls" aria-label="Run it">
      <div className="run-buttons">
        <Button
          label={goesOn ? 'Resume' : 'Run'}
          icon={Play}
          look="primary"
          shortcut={shortcutOf('run.start')}
          why={notNow}
          onClick={() => perform('run.start')}
        />
        <Button
          label="Run one step"
          icon={StepForward}
          shortcut={shortcutOf('run.step')}
          tip="Run one agent, then stop"
          why={notNow}
          onClick={() => perform('run.step')}
        />
        <Button
          label="Pause"
          icon={Pause}
          shortcut={shortcutOf('run.pause')}
          tip="Pause when its agent has ended"
          why={loop?.state === 'running' ? null : 'Not running.'}
          onClick={() => perform('run.pause')}
        />
        <Button
          label="Stop"
          icon={CircleStop}
          shortcut={shortcutOf('run.stop')}
          tip="End its agent now, with all its processes"
          why={active && loop?.state !== 'stopping' ? null : 'Not running.'}
          onClick={() => perform('run.stop')}
        />
        {name.system === 'maestro' ? (
          <Button
            label="Retry failed"
            icon={RotateCcw}
            tip="Run, and try failed phases once more whose retries are used up"
            why={notNow ?? (run.work.failed > 0 ? null : 'No phase has failed.')}
            onClick={() => attempt(() => retryFailed(name))}
          />
        ) : null}
        <MachineBesideButton />
        <span role="status" className="run-state">
          {rest === 'ready' ? (
            <ReadyText run={run} canResume={notNow === null} />
          ) : loop ? (
            <LoopText loop={loop} run={run} now={now} />
          ) : (
            <span className="muted">Not run yet.</span>
          )}
        </span>
      </div>
      {loop && active ? <LoopAgents agents={loop.agents} now={now} /> : null}
      {!active && saysAtWork(run) && rest === null ? (
        <p className="warn-text">
          The files say it is running, but not by Bridgedeck: another program runs it, or its runner ended early.
        </p>
      ) : null}
      {problem === null ? null : <p className="problem">{visibleText(problem)}</p>}
      {setup && !active ? <StartSteps name={name} run={run.key} setup={setup} question={question} /> : null}
      {setup && setup.agents.length > 0 ? <Roles name={name} setup={setup} onChosen={reread} /> : null}
      {setup ? (
        <RunOptions name={name} setup={setup}>
          {active ? null : (
            <StartEstimate name={name} version={`${run.revision} ${JSON.stringify([setup.roles, setup.options])}`} />
          )}
        </RunOptions>
      ) : null}
      {setup ? <WorktreeChoice name={name} setup={setup} onChosen={reread} /> : null}
    </section>
  )
}

function MachineBesideButton() {
  const pressed = useMachineBeside(({ isShown }) => isShown)
  return <ActionButton id="view.machineBeside" label="Show the machine" icon={Monitor} pressed={pressed} />
}

const ReadyText = ({ run: { reason }, canResume }: { readonly run: Run; readonly canResume: boolean }) => (
  <>
    <strong>Ready</strong>
    {`: ${visibleText(reason.value ?? 'Your change is the last one.')}${canResume ? ' Resume to go on.' : ''}`}
  </>
)

export function LoopText({ loop, run, now }: { readonly loop: Loop; readonly run: Run; readonly now: number }) {
  const { state, outcome, step, agents, since, message, hint } = loop
  const [agent, ...others] = agents
  const tone =
    state === 'failed' || outcome === 'failed'
      ? 'bad-text'
      : state === 'interrupted' || outcome === 'limit' || outcome === 'breaker'
        ? 'warn-text'
        : ''
  return (
    <>
      <strong className={tone}>{states[state]}</strong>
      {isActive(loop) ? (
        <>
          {step === null ? '' : `: ${visibleText(step)}`}
          {!agent
            ? ''
            : others.length > 0
              ? ` · ${agents.length} agents`
              : ` · ${visibleText(agent.name)} as ${visibleText(agent.role)}, since ${agoText(agent.since, now)}`}
        </>
      ) : (
        <>
          {`, ${agoText(since, now)}: ${visibleText(message)}`}
          {hint === null ? null : (
            <>
              {' '}
              <LinkedText project={loop.project} run={run.key} text={hint} />
            </>
          )}
        </>
      )}
    </>
  )
}

interface SetupProps {
  readonly name: LoopName
  readonly setup: Setup
  readonly onChosen: () => void
}

function WorktreeChoice({ name, setup: { hasRepository, worktree }, onChosen }: SetupProps) {
  const { isWanted, branch, refusal, untrustedTop } = worktree
  if (branch !== null)
    return (
      <p className="muted run-worktree">
        Its agents work on <code className="data">{visibleText(branch)}</code>, until you merge it or throw it away.
      </p>
    )
  if (refusal !== null || hasRepository !== true) return null
  const want = (wanted: boolean) =>
    attempt(async () => {
      if (wanted && untrustedTop !== null && !(await trustRepository(name.project))) return
      await call('loops.wantWorktree', { ...name, isWanted: wanted })
      onChosen()
    })
  return <Check label="Work in a git worktree of its own" checked={isWanted} onChange={want} />
}

function Roles({ name, setup: { roles, agents, hasOptionalRoles }, onChosen }: SetupProps) {
  return (
    <div className="run-roles">
      {roles.map(({ role, agent }) => (
        <label key={role}>
          <span className="muted">{visibleText(role)}</span>
          <select
            className="field"
            value={agent ?? ''}
            onChange={({ target }) =>
              attempt(async () => {
                await call('loops.assign', { ...name, agents: { [role]: target.value || null } })
                onChosen()
              })
            }
          >
            {agent === null || hasOptionalRoles ? <option value="">none</option> : null}
            {agents.map((known) => (
              <option key={known}>{known}</option>
            ))}
          </select>
        </label>
      ))}
      {hasOptionalRoles ? <span className="muted">Optional: with none, no agent is asked.</span> : null}
    </div>
  )
}

export function RunLog({ project, run }: Pick<RunControlsProps, 'run'> & { readonly project: number }) {
  const name = loopName(project, run)
  const loop = useLoops(({ loops }) => (name ? loops.get(keyOf(name)) : undefined))
  return name && loop && loop.lines > 0 ? (
    <Section title="Log">
      <Lines name={name} run={run.key} loop={loop} />
    </Section>
  ) : null
}

interface LinesProps {
  readonly name: LoopName
  readonly run: string
  readonly loop: Loop
}

function Lines({ name, run, loop: { lines: count } }: LinesProps) {
  const { project, system, place } = name
  const { data } = useAnswer(
    keyOf(name),
    true,
    (signal) => call('loops.lines', { project, system, place, after: Math.max(0, count - MAX_SHOWN) }, { signal }),
    count,
  )
  return (
    <ol className="run-lines data" aria-label="Its log">
      {data?.lines.map(({ number, time, level, text }) => (
        <li key={number}>
          <span className="muted">{dayAndTime(time)}</span>{' '}
          <span className={level === 'error' ? 'bad-text' : level === 'warn' ? 'warn-text' : ''}>
            <LinkedText project={project} run={run} text={text} />
          </span>
        </li>
      ))}
    </ol>
  )
}

export function LoopBadge({ project, run }: { readonly project: number; readonly run: Run }) {
  const loop = useLastLoop(project, run)
  if (!loop || !isActive(loop)) return null
  return (
    <span className="loop-badge" title={loop.step === null ? undefined : visibleText(loop.step)}>
      {loop.state}
      {loop.step === null ? '' : `: ${visibleText(loop.step)}`}
    </span>
  )
}
