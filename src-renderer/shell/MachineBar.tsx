import {
  Circle,
  FastForward,
  FolderOpen,
  Info,
  Pause,
  Play,
  Plug,
  RotateCcw,
  StepForward,
  TriangleAlert,
  Unplug,
  X,
} from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import type { MachineState } from '@shared/contract/machine'
import { Button } from '../widgets/Button'
import { durationText } from '@shared/durationText'
import { Segments } from '../widgets/Segments'
import { Tip } from '../widgets/Tip'
import { ActionButton } from '../client/ActionButton'
import { perform, useActionLimit } from '../client/actions'
import { useFrameSummary } from '../frames/frames'
import { MachineChooser } from './MachineChooser'
import { isConnected, useBridge, useFrontMachine, useFrontName, useMachines } from '../client/machines'
import { dismissNotice, openNotices, useNotices } from '../client/notices'
import { useFrontRecording } from '../client/recordings'
import { SamplingControl } from './SamplingControl'
import { describeState, describeTrouble } from '../client/machineLabels'
import { timeOfDay } from '../widgets/times'

/** One dense row: which machine, its state in words, what can be done with it, and how it runs. */
export function MachineBar() {
  const state = useFrontMachine()
  return (
    <div className="machine-bar" data-panel="machine-bar" role="group" aria-label="Machine" tabIndex={-1}>
      <div className="bar-group">
        <MachineChooser />
        <StateLabel state={state} />
        <Notices state={state} />
        <OthersInTrouble />
      </div>
      <div className="bar-group" role="toolbar" aria-label="Machine controls">
        <Controls state={state} />
      </div>
      <div className="bar-group figures">{state && isConnected(state) ? <Figures state={state} /> : null}</div>
    </div>
  )
}

function StateLabel({ state }: { readonly state: MachineState | undefined }) {
  const bridge = useBridge()
  const { word, tone } = describeState(state, bridge)
  const words = (
    <span className={`state-words ${tone}`} role="status" aria-label={`State: ${word}`}>
      <span className="dot" aria-hidden />
      {word}
    </span>
  )
  const more = [state?.reason, state?.hint].filter(Boolean).join(' ')
  return more === '' ? words : <Tip text={more}>{words}</Tip>
}

/** Machines behind the one in front that should be live and are not: how many, and on a click which and why. */
function OthersInTrouble() {
  const front = useFrontName()
  const machines = useMachines((state) => state.machines)
  const others = machines.filter((state) => state.machine !== front && describeTrouble(state) !== null)
  const [first] = others
  if (!first) return null
  const label = others.length === 1 ? `${first.title} is not live` : `${others.length} other machines are not live`
  return (
    <Button
      label={label}
      icon={TriangleAlert}
      look="plain"
      tip={others.map((state) => `${state.title}: ${describeTrouble(state) ?? ''}`).join(' ')}
      onClick={() => perform('machine.choose')}
    />
  )
}

/** They stay until dismissed, or until what they tell is over. */
function Notices({ state }: { readonly state: MachineState | undefined }) {
  const known = useNotices()
  if (!state) return null
  const notices = openNotices(state, known)
  if (notices.length === 0) return null
  const label = notices.length === 1 ? 'One note about this machine' : `${notices.length} notes about this machine`
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="button plain notes">
          <Info size={14} strokeWidth={1.75} aria-hidden />
          {notices.length === 1 ? '1 note' : `${notices.length} notes`}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover notices" sideOffset={4} collisionPadding={8} aria-label={label}>
          <ul>
            {notices.map((notice) => (
              <li key={notice}>
                <span>{notice}</span>
                <Button
                  label="Dismiss"
                  icon={X}
                  iconOnly
                  look="plain"
                  onClick={() => dismissNotice(state.machine, notice)}
                />
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Controls({ state }: { readonly state: MachineState | undefined }) {
  const connected = isConnected(state) || state?.connection === 'connecting'
  const paused = state?.execution === 'paused'
  const standardLimit = useActionLimit('machine.pal')
  return (
    <>
      {connected ? (
        <ActionButton id="machine.disconnect" label="Disconnect" icon={Unplug} />
      ) : (
        <ActionButton id="machine.connect" label="Connect" icon={Plug} />
      )}
      <span className="separator" />
      <ActionButton
        id="machine.pause"
        label={paused ? 'Resume' : 'Pause'}
        icon={paused ? Play : Pause}
        pressed={paused}
      />
      <ActionButton id="machine.step" label="Step one instruction" icon={StepForward} />
      <ActionButton id="machine.reset" label="Reset" icon={RotateCcw} />
      <ActionButton id="machine.warp" label="Warp" icon={FastForward} pressed={state?.warp === true} />
      <RecordButton />
      <span className="separator" />
      <ActionButton id="program.load" label="Load and run a program" icon={FolderOpen} />
      <Program state={state} />
      <span className="separator" />
      <Segments
        label="Video standard"
        value={state?.standard ?? null}
        options={[
          { value: 'pal', label: 'PAL' },
          { value: 'ntsc', label: 'NTSC' },
        ]}
        why={standardLimit}
        onChange={(standard) => perform(standard === 'pal' ? 'machine.pal' : 'machine.ntsc')}
      />
    </>
  )
}

function RecordButton() {
  const recording = useFrontRecording()
  return (
    <>
      <ActionButton
        id="recorder.toggle"
        label={recording ? 'Stop recording' : 'Record'}
        icon={Circle}
        pressed={recording !== undefined}
      />
      {recording ? (
        <Tip text={recording.waiting ?? `Recorded as the task ${recording.id}; the Tasks view shows it too.`}>
          <span className="data">{durationText(recording.recorded?.durationMs ?? 0)}</span>
        </Tip>
      ) : null}
    </>
  )
}

function Program({ state }: { readonly state: MachineState | undefined }) {
  const program = state?.program
  if (!program) return null
  const time = timeOfDay(program.startedAt)
  const reruns = program.reruns === 1 ? 'once' : `${program.reruns} times`
  return (
    <span className="program">
      <Tip
        text={
          program.watched
            ? `${program.name}: run at ${time}, and again when it is rebuilt${program.reruns === 0 ? '' : `; that was so ${reruns}`}`
            : `${program.name}: run at ${time}`
        }
      >
        <span className="data program-name">{program.name}</span>
      </Tip>
      {program.reruns === 0 ? null : (
        <span className="muted rerun" role="status">
          rerun at {time}
        </span>
      )}
      {program.watched ? (
        <Button
          label="Stop rerunning it when rebuilt"
          icon={X}
          iconOnly
          look="plain"
          onClick={() => perform('program.stopWatching')}
        />
      ) : null}
    </span>
  )
}

/** As `12,345`. Intl's first use would cost the start 10 ms. */
const inThousands = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

const percent = (share: number, digits: number) => `${(share * 100).toFixed(digits)} %`

/** Nothing is measured while the machine stands still. */
function describeShare(share: number | null, digits: number, { execution }: MachineState): string {
  if (share !== null) return percent(share, digits)
  return execution === 'paused' || execution === 'jammed' ? '–' : 'unknown'
}

function Figures({ state }: { readonly state: MachineState }) {
  const { shown, dropped, superseded } = useFrameSummary()
  return (
    <>
      <SamplingControl state={state} />
      <Figure
        name="speed"
        value={describeShare(state.speed, 0, state)}
        about="Emulated time for each second of real time; none while the machine stands still."
      />
      <Figure
        name="shown"
        value={inThousands(shown)}
        about="Frames that this window has painted of the machine in front."
      />
      <Figure
        name="dropped"
        value={inThousands(dropped + superseded)}
        about={`Frames that this window left out because a newer one was there already, as when it is hidden or the computer is busy: ${dropped} before they were sent, ${superseded} before they were painted. The machine and its recordings miss none.`}
      />
      <Figure
        name="cost"
        value={describeShare(state.cost, 1, state)}
        about="Share of the machine’s time that reading it takes."
      />
    </>
  )
}

function Figure({ name, value, about }: { readonly name: string; readonly value: string; readonly about: ReactNode }) {
  return (
    <Tip text={about}>
      <span className="figure">
        <span className="muted">{name}</span> <span className="data">{value}</span>
      </span>
    </Tip>
  )
}
