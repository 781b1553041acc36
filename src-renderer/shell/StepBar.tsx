import {
  AlignJustify,
  ArrowRightToLine,
  ArrowUpFromDot,
  Bug,
  Film,
  Pause,
  Play,
  RedoDot,
  Rewind,
  SkipForward,
  StepBack,
  StepForward,
  Undo2,
  UndoDot,
  Zap,
} from 'lucide-react'
import { ActionButton } from '../client/ActionButton'
import { perform, useActionLimit } from '../client/actions'
import { ChoiceSelect } from '../client/ChoiceSelect'
import { useFrontMachine } from '../client/machines'
import { useShortcuts } from '../client/shortcuts'
import { Button } from '../widgets/Button'
import { FoldingBar } from '../widgets/FoldingBar'
import { MorePopover } from '../widgets/MorePopover'
import { useDebug } from './layout'
import { SlowMotion } from './SlowMotion'
import { TimeSlider } from './TimeSlider'
import './stepBar.css'

export function StepBar() {
  const state = useFrontMachine()
  return (
    <FoldingBar className="step-bar" label="Run and step">
      <PauseButton />
      <ActionButton id="machine.step" label="Step" icon={StepForward} />
      <ActionButton id="machine.stepOver" label="Step over" icon={RedoDot} />
      <ActionButton id="machine.stepOut" label="Step out" icon={ArrowUpFromDot} />
      <ActionButton id="machine.runToCursor" label="Run to the cursor" icon={ArrowRightToLine} />
      <ActionButton id="machine.runToLine" label="Next line" icon={AlignJustify} />
      <ActionButton id="machine.runToFrame" label="Next frame" icon={Film} />
      <ActionButton id="machine.runToIrq" label="Next IRQ" icon={Zap} />
      <SlowMotion state={state} />
      <span className="separator" />
      <ActionButton id="machine.backToCheckpoint" label="Back to checkpoint" icon={Rewind} />
      <ActionButton id="machine.stepBackOver" label="Over back" icon={UndoDot} />
      <ActionButton id="machine.stepBack" label="Step back" icon={StepBack} />
      <TimeSlider state={state} />
      <ActionButton id="machine.toNow" label="To now" icon={SkipForward} />
      <ActionButton id="machine.toLeftFuture" label="Undo change" icon={Undo2} />
      <DebugButton />
      <MorePopover tip="Bug report" className="step-bar-more">
        <BugReport />
      </MorePopover>
    </FoldingBar>
  )
}

export function PauseButton() {
  const paused = useFrontMachine()?.execution === 'paused'
  return (
    <ActionButton
      id="machine.pause"
      label={paused ? 'Resume' : 'Pause'}
      icon={paused ? Play : Pause}
      pressed={paused}
    />
  )
}

const DebugButton = () => <ActionButton id="view.debug" label="Debug" icon={Bug} pressed={useDebug()} />

const BugReport = () => (
  <>
    <Button
      label="Save a bug report…"
      onClick={() => perform('state.saveReport')}
      tip="What happened until this moment as a file, for bridgedeck replay and File > Load a machine’s state"
      shortcut={useShortcuts()('state.saveReport')}
      why={useActionLimit('state.saveReport')}
    />
    <ChoiceSelect choice="registers.bugReport" />
  </>
)
