import { Bot, Circle, Inbox, ListChecks, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { sumCostText, usd } from '@shared/agentUse'
import { describeStop } from '@shared/checkpointStop'
import type { MachineState } from '@shared/contract/machine'
import { durationText } from '@shared/durationText'
import { slowMotionText } from '@shared/slowMotion'
import { perform } from '../client/actions'
import { useAppInfo } from '../client/appInfo'
import { useNames } from '../client/labels'
import { describeState, whyNotSampled } from '../client/machineLabels'
import { isConnected, useBridge, useFrontMachine, useFrontName } from '../client/machines'
import { useFrontRecording } from '../client/recordings'
import { isRateBad } from '../frames/frameRate'
import { usePlayback } from '../frames/shownMoment'
import { useFrameSummary } from '../frames/frames'
import { Tip } from '../widgets/Tip'
import { AgentsAtMachines } from './AgentsAtMachines'
import { useAgentFigures, useNeedCount, useRunningTaskCount } from './figures'
import { MessageList } from './MessageList'
import { Problems } from './Problems'
import { SamplingControl } from './SamplingControl'

export function StatusBar() {
  const state = useFrontMachine()
  return (
    <footer className="status-bar" data-panel="status-bar" aria-label="Status" tabIndex={-1}>
      <MachineName state={state} />
      <StateLabel state={state} />
      {state && isConnected(state) ? <MachineFigures state={state} /> : null}
      <StopReason state={state} />
      <Recording />
      <Problems />
      <AgentsAtMachines />
      <StandIn />
      <Tasks />
      <Agents />
      <Needs />
      <MessageList />
    </footer>
  )
}

function MachineName({ state }: { readonly state: MachineState | undefined }) {
  const name = useFrontName()
  return (
    <Tip text="The machine in front. Choose another">
      <button type="button" className="status-item" data-panel-focus onClick={() => perform('machine.choose')}>
        {state?.title ?? name}
      </button>
    </Tip>
  )
}

function StateLabel({ state }: { readonly state: MachineState | undefined }) {
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  const ofMachine = describeState(state, useBridge())
  const { word, tone } = isRecorded ? ({ word: 'Recording shown', tone: 'warn' } as const) : ofMachine
  const rate = state?.slow ? slowMotionText(state.slow) : ''
  const words = (
    <span
      className={`state-words ${tone}`}
      role="status"
      aria-label={`State: ${rate === '' ? word : `${word}, ${rate}`}`}
    >
      <span className="dot" aria-hidden />
      {word}
    </span>
  )
  const why = state?.connection === 'live' ? whyNotSampled(state) : null
  const recorded = isRecorded ? `The views show a recording. The machine itself: ${ofMachine.word}.` : ''
  const reasons = why === null ? [state?.reason, state?.hint] : [why]
  const more = [recorded, rate && `${rate}.`, ...reasons].filter(Boolean).join(' ')
  return more === '' ? words : <Tip text={more}>{words}</Tip>
}

function StopReason({ state }: { readonly state: MachineState | undefined }) {
  const names = useNames()
  const stop = state?.stop
  if (!stop) return null
  const reason = describeStop(stop, names)
  return (
    <Tip text={`${reason}. Show the registers`}>
      <button type="button" className="status-item stop-reason" onClick={() => perform('view.registers')}>
        {reason}
      </button>
    </Tip>
  )
}

const percent = (share: number, digits: number) => `${(share * 100).toFixed(digits)} %`

/** Nothing is measured while the machine stands still. */
function describeShare(share: number | null, digits: number, { execution }: MachineState): string {
  if (share !== null) return percent(share, digits)
  return execution === 'paused' || execution === 'jammed' ? '–' : 'unknown'
}

function MachineFigures({ state }: { readonly state: MachineState }) {
  return (
    <>
      <Figure
        name="speed"
        value={describeShare(state.speed, 0, state)}
        about="Emulated time for each second of real time; none while the machine stands still."
      />
      <SamplingControl state={state} />
      <Figure
        name="cost"
        value={describeShare(state.cost, 1, state)}
        about="Share of the machine’s time that reading it takes."
      />
      <FrameRate state={state} />
    </>
  )
}

function FrameRate({ state }: { readonly state: MachineState }) {
  const { paintRate } = useFrameSummary()
  const isBad = isRateBad(paintRate, state)
  const about = isBad
    ? `This window paints ${paintRate} of the ${state.sampling.measured.toFixed(0)} frames that are read in a second: the computer is busy. The machine and its recordings miss none.`
    : 'Frames of the machine in front that this window paints in a second.'
  return (
    <Figure
      name="frames"
      value={paintRate === 0 ? '–' : `${paintRate}/s`}
      about={about}
      {...(isBad ? { warning: 'This window is behind' } : {})}
    />
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly about: ReactNode
  readonly warning?: string
}

function Figure({ name, value, about, warning }: FigureProps) {
  return (
    <Tip text={about}>
      <span className={warning === undefined ? 'figure' : 'figure warn-text'} tabIndex={0}>
        <span className="muted">{name}</span> <span className="data">{value}</span>
        <span className="figure-warning">
          {warning === undefined ? null : <TriangleAlert size={12} aria-label={warning} />}
        </span>
      </span>
    </Tip>
  )
}

function Recording() {
  const recording = useFrontRecording()
  if (!recording) return null
  return (
    <Tip text={recording.waiting ?? `Recorded as the task ${recording.id}. Show the Timeline`}>
      <button type="button" className="status-item recording" onClick={() => perform('view.timeline')}>
        <Circle size={10} fill="currentColor" aria-hidden />
        <span>Recording</span>
        <span className="data">{durationText(recording.recorded?.durationMs ?? 0)}</span>
      </button>
    </Tip>
  )
}

function StandIn() {
  const app = useAppInfo((info) => info.app)
  if (!app?.standIn) return null
  return (
    <Tip
      text={`Electron ${app.electron}, an old stand-in for trying and testing: this computer could not fetch the real one. Do not work with files you do not trust.`}
    >
      <span className="figure muted" role="note" tabIndex={0}>
        Stand-in Electron {app.electron}
      </span>
    </Tip>
  )
}

interface CountProps {
  readonly icon: LucideIcon
  readonly values: readonly (readonly [value: string, words: string])[]
  readonly more?: string
  readonly isIdle: boolean
  readonly onClick: () => void
}

function Count({ icon: Icon, values, more = '', isIdle, onClick }: CountProps) {
  return (
    <Tip text={`${values.map((pair) => pair.join(' ')).join(', ')}. ${more}`}>
      <button type="button" className={isIdle ? 'status-item count muted' : 'status-item count'} onClick={onClick}>
        <Icon size={14} strokeWidth={1.75} aria-hidden />
        {values.map(([value, words]) => (
          <span key={words}>
            <span className="data">{value}</span>
            <span className="hidden-visually"> {words}</span>
          </span>
        ))}
      </button>
    </Tip>
  )
}

const oneOrMany = (count: number, one: string, many: string) => (count === 1 ? one : many)

function Tasks() {
  const count = useRunningTaskCount()
  return (
    <Count
      icon={ListChecks}
      values={[[String(count), oneOrMany(count, 'task runs', 'tasks run')]]}
      isIdle={count === 0}
      onClick={() => perform('view.tasks')}
    />
  )
}

function Agents() {
  const { atWork, today } = useAgentFigures()
  const { unpriced, estimated } = today
  const more = [
    estimated > 0 ? `${usd(estimated)} of it is worked out from your prices.` : '',
    unpriced === 0 ? '' : `${unpriced} ${oneOrMany(unpriced, 'run', 'runs')} did not say.`,
  ]
  return (
    <Count
      icon={Bot}
      values={[
        [String(atWork), oneOrMany(atWork, 'agent at work', 'agents at work')],
        [sumCostText(today), 'spent on agents today'],
      ]}
      more={more.filter(Boolean).join(' ')}
      isIdle={atWork === 0}
      onClick={() => perform('view.agents')}
    />
  )
}

function Needs() {
  const count = useNeedCount()
  return (
    <Count
      icon={Inbox}
      values={[
        [String(count), oneOrMany(count, 'thing in your projects needs you', 'things in your projects need you')],
      ]}
      isIdle={count === 0}
      onClick={() => perform('view.projects')}
    />
  )
}
