import { FastForward, FolderOpen, Info, Pause, Play, Plug, RotateCcw, StepForward, Unplug, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import type { MachineState } from '@shared/contract/machine'
import { actions, type ActionId } from '@shared/actions'
import { Button } from '../widgets/Button'
import { Segments } from '../widgets/Segments'
import { Tip } from '../widgets/Tip'
import { perform, useActionLimit } from './actions'
import { useFrameSummary } from './frames'
import { MachineChooser } from './MachineChooser'
import { isConnected, useBridge, useFrontMachine } from './machines'
import { SamplingControl } from './SamplingControl'
import { shortcutOf } from './shortcuts'
import { describeState } from './stateWords'

/** One dense row: which machine, its state in words, what can be done with it, and how it runs. */
export function MachineBar() {
  const state = useFrontMachine()
  return (
    <div className="machine-bar" data-panel="machine-bar" role="group" aria-label="Machine" tabIndex={-1}>
      <div className="bar-group">
        <MachineChooser />
        <StateWords state={state} />
        <Notices state={state} />
      </div>
      <div className="bar-group" role="toolbar" aria-label="Machine controls">
        <Controls state={state} />
      </div>
      <div className="bar-group figures">{state && isConnected(state) ? <Figures state={state} /> : null}</div>
    </div>
  )
}

function StateWords({ state }: { readonly state: MachineState | undefined }) {
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

function Notices({ state }: { readonly state: MachineState | undefined }) {
  const notices = state?.notices ?? []
  if (notices.length === 0) return null
  const label = notices.length === 1 ? 'One note about this machine' : `${notices.length} notes about this machine`
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="button plain icon" aria-label={label}>
          <Info size={14} strokeWidth={1.75} aria-hidden />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="popover notices" sideOffset={4} collisionPadding={8} aria-label={label}>
          <ul>
            {notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface ActionButtonProps {
  readonly id: ActionId
  readonly label: string
  readonly icon: typeof Pause
  readonly pressed?: boolean
}

function ActionButton({ id, label, icon, pressed }: ActionButtonProps) {
  const why = useActionLimit(id)
  return (
    <Button
      label={label}
      tip={actions[id].title.replace('…', '') === label ? label : `${label}: ${actions[id].title.replace('…', '')}`}
      icon={icon}
      iconOnly
      look="plain"
      shortcut={shortcutOf(id)}
      why={why}
      onClick={() => perform(id)}
      {...(pressed === undefined ? {} : { pressed })}
    />
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
      <ActionButton id="machine.pause" label={paused ? 'Resume' : 'Pause'} icon={paused ? Play : Pause} pressed={paused} />
      <ActionButton id="machine.step" label="Step one instruction" icon={StepForward} />
      <ActionButton id="machine.reset" label="Reset" icon={RotateCcw} />
      <ActionButton id="machine.warp" label="Warp" icon={FastForward} pressed={state?.warp === true} />
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

function Program({ state }: { readonly state: MachineState | undefined }) {
  const program = state?.program
  if (!program) return null
  return (
    <span className="program">
      <Tip text={program.watched ? `${program.name}: loaded again when it is rebuilt` : program.name}>
        <span className="data program-name">{program.name}</span>
      </Tip>
      {program.watched ? (
        <Button label="Stop rerunning it when rebuilt" icon={X} iconOnly look="plain" onClick={() => perform('program.stopWatching')} />
      ) : null}
    </span>
  )
}

const percent = (share: number, digits: number) => `${(share * 100).toFixed(digits)} %`

function Figures({ state }: { readonly state: MachineState }) {
  const { shown, dropped, superseded } = useFrameSummary()
  return (
    <>
      <SamplingControl state={state} />
      <Figure name="speed" value={state.speed === null ? 'unknown' : percent(state.speed, 0)} about="Emulated time for each second of real time." />
      <Figure
        name="shown"
        value={shown.toLocaleString('en')}
        about="Frames that this window has painted of the machine in front."
      />
      <Figure
        name="dropped"
        value={(dropped + superseded).toLocaleString('en')}
        about={`Frames that were not shown because a newer one came first: ${dropped} before they were sent, ${superseded} before they were painted. Recordings miss none.`}
      />
      <Figure
        name="cost"
        value={state.cost === null ? 'unknown' : percent(state.cost, 1)}
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
