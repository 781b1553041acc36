import { showActionOf, type ActionId, type ShowAction } from '@shared/actions'
import { viewNames } from '@shared/views'
import { sharedViews, workspaceNames } from '@shared/workspaces'
import { registerActions } from '../client/actions'
import { buildAndRun, setUpBuild, stopBuild } from '../client/builds'
import { call } from '../client/call'
import { exportGraphics, importGraphics } from '../client/graphicsFiles'
import { jumpBack, jumpForward } from '../client/jumps'
import { chooseLabels } from '../client/labels'
import {
  chooseProgram,
  connectMachine,
  disconnectMachine,
  requireFront,
  restartBuiltIn,
  runTo,
  togglePause,
  toggleSampling,
} from '../client/machineControl'
import { saveBugReport, saveState } from '../client/machineState'
import { cancelReplay, loadState } from '../client/replays'
import { toggleSlowMotion } from '../client/slowMotion'
import { frontMachine, useMachines } from '../client/machines'
import { useCursor } from '../client/memoryCursor'
import { dismissAll, readHistory } from '../client/messages'
import { toggleRecording } from '../client/recordings'
import { notifySaved } from '../client/savedFile'
import { answerAgent, handBack, takeOver } from '../client/steering'
import { showRecording } from '../frames/timeline'
import { toggleStream } from '../client/streams'
import { chooseTheme } from '../client/theme'
import type { Performer } from '../client/view'
import { toggleSound } from '../frames/audio'
import { toggleChosenCheckpoint } from '../frames/codeLine'
import { choosePalette } from '../frames/loadedPalette'
import { backToLive } from '../frames/playback'
import { resetLayout, showPlace, toggleDebug, toggleMachineBeside } from './layout'
import { focusNextPanel } from './panels'
import { registeredViews, type ViewAction } from './registry'
import { toggleRailNames } from './railNames'
import { useShellState } from './shellState'
import { startTour } from './tour'

function showMessages(): void {
  readHistory()
  useShellState.setState({ messagesAreOpen: true })
}

const front = () => useMachines.getState().front

/** An action that nobody performs does not compile. */
const shellActions: Readonly<Record<Exclude<ActionId, ShowAction | ViewAction>, Performer>> = {
  'program.load': chooseProgram,
  'program.build': buildAndRun,
  'program.setUpBuild': setUpBuild,
  'program.stopBuild': stopBuild,
  'program.stopWatching': () => call('machine.stopWatching', { machine: front() }),
  'state.save': () => saveState(0),
  'state.saveReport': saveBugReport,
  'state.load': () => {
    const machine = requireFront()
    return loadState(machine, async (signal) => (await call('state.load', { machine }, { signal })).name)
  },
  'state.cancelLoad': () => cancelReplay(requireFront()),
  'labels.load': chooseLabels,
  'graphics.export': exportGraphics,
  'graphics.import': importGraphics,
  'palette.load': choosePalette,
  'machine.choose': () => useShellState.setState({ connectIsOpen: true }),
  'machine.connect': () => connectMachine(front()),
  'machine.disconnect': () => disconnectMachine(front()),
  'machine.pause': togglePause,
  'machine.step': () => call('machine.step', { machine: requireFront(), count: 1, over: false }),
  'machine.stepOver': () => call('machine.step', { machine: requireFront(), count: 1, over: true }),
  'machine.stepOut': () => runTo('return'),
  'machine.slowMotion': toggleSlowMotion,
  'machine.runToLine': () => runTo('line'),
  'machine.runToFrame': () => runTo('frame'),
  'machine.runToIrq': () => runTo('irq'),
  'machine.runToNmi': () => runTo('nmi'),
  'machine.runToCursor': () => runTo(useCursor.getState().address),
  'machine.toggleCheckpoint': toggleChosenCheckpoint,
  'machine.stepBack': () => call('timeTravel.back', { machine: requireFront(), unit: 'instruction', count: 1 }),
  'machine.stepBackOver': () => call('timeTravel.back', { machine: requireFront(), unit: 'call', count: 1 }),
  'machine.backToCheckpoint': () => call('timeTravel.toCheckpoint', { machine: requireFront() }),
  'machine.toNow': () => call('timeTravel.goTo', { machine: requireFront(), beforeEnd: 0 }),
  'machine.toLeftFuture': () => call('timeTravel.toLeftFuture', { machine: requireFront() }),
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
  'machine.restartBuiltIn': restartBuiltIn,
  'machine.sampling': toggleSampling,
  'sound.toggle': toggleSound,
  'recorder.toggle': () => toggleRecording(showRecording),
  'recorder.backToLive': backToLive,
  'steering.allowOnce': () => answerAgent('once'),
  'steering.allowSession': () => answerAgent('session'),
  'steering.allowAlways': () => answerAgent('always'),
  'steering.refuse': () => answerAgent('refuse'),
  'steering.takeOver': takeOver,
  'steering.handBack': handBack,
  'view.palette': () => useShellState.setState({ paletteIsOpen: true }),
  'view.nextPanel': () => focusNextPanel(1),
  'view.previousPanel': () => focusNextPanel(-1),
  'view.goBack': jumpBack,
  'view.goForward': jumpForward,
  'view.railNames': toggleRailNames,
  'view.messages': showMessages,
  'view.dismissMessages': dismissAll,
  'view.machineBeside': toggleMachineBeside,
  'view.debug': toggleDebug,
  'view.resetLayout': resetLayout,
  'theme.light': () => chooseTheme('light'),
  'theme.dark': () => chooseTheme('dark'),
  'theme.system': () => chooseTheme('system'),
  'help.tour': startTour,
  'help.restartBridge': () => call('window.restartBridge', {}),
  'help.diagnostics': async () => notifySaved((await call('window.saveDiagnostics', {})).saved),
  'help.logs': () => call('window.openLogs', {}),
}

export function registerAllActions(): void {
  registerActions(shellActions)
  for (const place of [...workspaceNames, ...sharedViews])
    registerActions({ [showActionOf(place)]: () => showPlace(place) })
  for (const name of viewNames) registerActions({ ...registeredViews[name].actions })
}
