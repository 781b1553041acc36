import { actions, type ActionId } from '@shared/actions'
import { chooseScreenshotFile, copyScreenshot } from '../views/screen/screenshot'
import { toggleJoystickKeys } from '../views/screen/inputState'
import { pauseChosen, startChosen, stopChosen } from '../views/projects/loops'
import { actOnChosen, undoLastEdit } from '../views/projects/edit/editing'
import { openProject, openSample, searchProjects, trustProject } from '../views/projects/store'
import { handlerOf } from './actionHandlers'
import { limitOfAction } from './actionLimits'
import { toggleSound } from '../frames/audio'
import { call } from './call'
import { useShellState } from '../shell/shellState'
import { focusNextPanel, resetLayout, showView } from '../shell/layout'
import { chooseProgram, connectMachine, disconnectMachine, requireFront, togglePause } from './machineControl'
import { frontMachine, useFrontMachine, useMachines } from './machines'
import { attempt, notify } from './messages'
import { toggleRecording } from './recordings'
import { toggleStream } from './streams'
import { chooseTheme } from './theme'
import { typeClipboard } from '../views/screen/typing'

const front = () => useMachines.getState().front

/** `name` is null when the person cancelled the dialog. */
function tellFile(name: string | null, done: string): void {
  if (name !== null) notify(`${name} ${done}.`)
}

/** The memory view owns these; it must be there before it can carry them out. */
function inMemoryView(id: 'memory.undo' | 'memory.goto'): void {
  showView('memory')
  requestAnimationFrame(() => requestAnimationFrame(() => handlerOf(id)?.()))
}

/** What each action does. Promises are awaited by {@link perform}, which shows what goes wrong. */
const performers: Readonly<Record<ActionId, () => unknown>> = {
  'program.load': chooseProgram,
  'program.stopWatching': () => call('machine.stopWatching', { machine: front() }),
  'state.save': async () => tellFile((await call('state.save', { machine: requireFront() })).name, 'is saved'),
  'state.load': async () => tellFile((await call('state.load', { machine: requireFront() })).name, 'is loaded'),
  'picture.save': chooseScreenshotFile,
  'project.open': openProject,
  'project.sample': openSample,
  'project.trust': trustProject,
  'run.start': startChosen,
  'run.pause': pauseChosen,
  'run.stop': stopChosen,
  'project.act': actOnChosen,
  'project.undo': undoLastEdit,
  'project.search': searchProjects,
  'picture.copy': copyScreenshot,
  'edit.pasteToMachine': typeClipboard,
  'memory.undo': () => inMemoryView('memory.undo'),
  'memory.goto': () => inMemoryView('memory.goto'),
  'machine.choose': () => useShellState.setState({ chooserIsOpen: true }),
  'machine.connect': () => connectMachine(front()),
  'machine.disconnect': () => disconnectMachine(front()),
  'machine.pause': togglePause,
  'machine.step': () => call('machine.step', { machine: requireFront(), count: 1, over: false }),
  'machine.stepOver': () => call('machine.step', { machine: requireFront(), count: 1, over: true }),
  'machine.reset': () => call('machine.reset', { machine: requireFront(), kind: 'soft' }),
  'machine.powerCycle': () => call('machine.reset', { machine: requireFront(), kind: 'power' }),
  'machine.quit': () => call('machine.quit', { machine: requireFront() }),
  'machine.warp': () => call('machine.setWarp', { machine: requireFront(), warp: frontMachine()?.warp !== true }),
  'machine.pal': () => call('machine.setStandard', { machine: requireFront(), standard: 'pal' }),
  'machine.ntsc': () => call('machine.setStandard', { machine: requireFront(), standard: 'ntsc' }),
  'machine.menuButton': () => call('machine.pressMenuButton', { machine: requireFront() }),
  'machine.reboot': () => call('machine.reboot', { machine: requireFront() }),
  'machine.powerOff': () => call('machine.powerOff', { machine: requireFront() }),
  'stream.video': () => toggleStream('video'),
  'stream.audio': () => toggleStream('audio'),
  'stream.debug': () => toggleStream('debug'),
  'sound.toggle': toggleSound,
  'recorder.toggle': toggleRecording,
  'joystick.toggle': toggleJoystickKeys,
  'view.palette': () => useShellState.setState({ paletteIsOpen: true }),
  'view.screen': () => showView('screen'),
  'view.memory': () => showView('memory'),
  'view.sprites': () => showView('sprites'),
  'view.registers': () => showView('registers'),
  'view.connections': () => showView('connections'),
  'view.device': () => showView('device'),
  'view.tasks': () => showView('tasks'),
  'view.timeline': () => showView('timeline'),
  'view.projects': () => showView('projects'),
  'view.agents': () => showView('agents'),
  'view.settings': () => showView('settings'),
  'view.nextPanel': () => focusNextPanel(1),
  'view.previousPanel': () => focusNextPanel(-1),
  'view.resetLayout': resetLayout,
  'theme.light': () => chooseTheme('light'),
  'theme.dark': () => chooseTheme('dark'),
  'theme.system': () => chooseTheme('system'),
  'help.shortcuts': () => showView('help'),
  'help.diagnostics': async () => tellFile((await call('window.saveDiagnostics', {})).name, 'is saved'),
  'help.logs': () => call('window.openLogs', {}),
}

export const useActionLimit = (id: ActionId): string | null => limitOfAction(id, useFrontMachine())

/** Carries out an action. What cannot be done, and what goes wrong, is said. */
export function perform(id: ActionId): void {
  const limit = limitOfAction(id, frontMachine())
  if (limit !== null) {
    notify(`${actions[id].title.replace('…', '')}: ${limit}`)
    return
  }
  attempt(async () => {
    await performers[id]()
  })
}
