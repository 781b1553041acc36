import { FastForward, FolderOpen, History, Info, Plug, RotateCcw, TriangleAlert, Unplug, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { MachineState } from '@shared/contract/machine'
import { ActionButton } from '../client/ActionButton'
import { perform, useActionLimit } from '../client/actions'
import { isConnected, useFrontMachine } from '../client/machines'
import { dismissNotice, openNotices, useNotices } from '../client/notices'
import { RecordButton } from '../client/RecordButton'
import { usePlayback } from '../frames/shownMoment'
import { Button } from '../widgets/Button'
import { FoldingBar } from '../widgets/FoldingBar'
import { Segments } from '../widgets/Segments'
import { preciseTime, timeOfDay } from '../widgets/times'
import { Tip } from '../widgets/Tip'
import { hasSteps, useLayout } from './layout'
import { MachineButton } from './MachineButton'
import { PauseButton, StepBar } from './StepBar'
import { WhoSteers } from './WhoSteers'

export function MachineBar() {
  const state = useFrontMachine()
  const isStepped = useLayout((layout) => hasSteps(layout, layout.current))
  return (
    <div data-panel="machine-bar" role="group" aria-label="Machine" tabIndex={-1}>
      <FoldingBar className="machine-bar" label="Machine controls">
        <MachineButton />
        <div className="bar-group">
          <PauseButton />
          <Controls state={state} />
        </div>
        <div className="bar-group passing">
          <Program state={state} />
          <span className="notes-place">
            <Notices state={state} />
          </span>
          <WhoSteers />
          <PlaybackBanner />
        </div>
      </FoldingBar>
      {isStepped ? <StepBar /> : null}
    </div>
  )
}

function PlaybackBanner() {
  const shown = usePlayback((playback) => playback.shown)
  const title = useFrontMachine()?.title ?? 'The machine'
  if (!shown) return null
  const about = `All views show this moment of ${shown.recording}. ${title} goes on behind it: Pause, Step, Reset and Warp act on it as it is now.`
  return (
    <div className="banner recorded" role="status">
      <History size={14} aria-hidden />
      <Tip text={about}>
        <strong className="recorded-time">
          Recorded <span className="data">{preciseTime(shown.time)}</span>
        </strong>
      </Tip>
      <span className="hidden-visually">{about}</span>
      <Button label="Back to live" look="primary" shortcut="Esc" onClick={() => perform('recorder.backToLive')} />
    </div>
  )
}

function Notices({ state }: { readonly state: MachineState | undefined }) {
  const known = useNotices()
  if (!state) return null
  const notices = openNotices(state, known)
  if (notices.length === 0) return null
  const warning = notices.find((notice) => state.warnings.includes(notice))
  const label = notices.length === 1 ? 'One note about this machine' : `${notices.length} notes about this machine`
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        {warning === undefined ? (
          <button type="button" className="button plain notes">
            <Info size={14} strokeWidth={1.75} aria-hidden />
            {notices.length === 1 ? '1 note' : `${notices.length} notes`}
          </button>
        ) : (
          <button type="button" className="button plain notes warn-text" title={warning}>
            <TriangleAlert size={14} strokeWidth={1.75} aria-label="Warning" />
            <span className="notes-first">{warning}</span>
            {notices.length === 1 ? null : <span className="data">+{notices.length - 1}</span>}
          </button>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover notices"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onOpenAutoFocus={focusWhole}
        >
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

/** Focuses the whole, as a tooltip of its first button would cover what is to be read. */
function focusWhole(event: Event): void {
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}

function Controls({ state }: { readonly state: MachineState | undefined }) {
  const connected = isConnected(state) || state?.connection === 'connecting'
  const standardLimit = useActionLimit('machine.pal')
  return (
    <>
      <ActionButton id="machine.reset" label="Reset" icon={RotateCcw} />
      <ActionButton id="machine.warp" label="Warp" icon={FastForward} pressed={state?.warp === true} />
      <RecordButton />
      <span className="separator" />
      <ActionButton id="program.load" label="Load and run a program" icon={FolderOpen} />
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
      <span className="separator" />
      {connected ? (
        <ActionButton id="machine.disconnect" label="Disconnect" icon={Unplug} />
      ) : (
        <ActionButton id="machine.connect" label="Connect" icon={Plug} />
      )}
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
