import { canonicalMachineName, readMachineName } from '@shared/contract/machineName'
import type { BridgeState } from '@shared/contract/window'
import { perform } from '../client/actions'
import { startAudio } from '../frames/audio'
import { call } from '../client/call'
import { frames } from '../frames/frames'
import { restoreLayout, showOnly, showView } from './layout'
import { openFrames, resumeMachines, runDropped, showMachine } from '../client/machineControl'
import { frontMachine, useMachines } from '../client/machines'
import { attempt, reportError, notify } from '../client/messages'
import { receiveSettings } from '../client/settings'
import { useAppInfo } from '../client/appInfo'
import { showTheme, themeOfAddress } from '../client/theme'
import { forgetAgents, receiveAgentRuns } from '../views/agents/store'
import { forgetTasks, receiveChanges, receiveProblems } from '../client/tasks'
import { readLoops, receiveLoops } from '../views/projects/loops'
import { tellOverwritten } from '../views/projects/edit/editing'
import { forgetProjects, openDropped, receiveProjectChanges, showNeed } from '../views/projects/store'
import { receiveExported } from '../views/timeline/exporting'
import { viewNamed } from '../client/view'
import { restoreViewState } from '../client/viewState'
import { windowInfo } from '../client/windowInfo'

/** Connects the page to main and the bridge; everything after that comes by events. `render` draws the window. */
export function start(render: () => void): void {
  const parameters = new URLSearchParams(location.search)
  hearEvents()
  const viewsOpened = markLiveMachine()
  useMachines.subscribe(() => {
    document.title = [frontMachine()?.title, 'Bridgedeck'].filter(Boolean).join(' – ')
  })
  attempt(async () => {
    const {
      app,
      window: remembered,
      bridge,
    } = await windowInfo.catch((error: unknown) => {
      render()
      throw error
    })
    useAppInfo.setState({ app })
    showTheme(themeOfAddress(parameters) ?? remembered.theme)
    restoreViewState(remembered.viewState)
    restoreLayout(remembered.layout)
    const machine = readMachineName(parameters.get('machine') ?? '')
    if (machine) showMachine(canonicalMachineName(machine))
    const view = viewNamed(parameters.get('view'))
    if (view) showOnly(view)
    else showView('screen')
    receiveBridge(bridge)
    render()
    startAudio()
    // The views are mounted in the next paint.
    requestAnimationFrame(() => requestAnimationFrame(viewsOpened))
  })
}

function hearEvents(): void {
  const { bridgedeck } = window
  bridgedeck.onEvent('bridge.state', receiveBridge)
  bridgedeck.onEvent('machine.states', ({ machines }) => useMachines.setState({ machines }))
  bridgedeck.onEvent('settings.changed', receiveSettings)
  bridgedeck.onEvent('machine.notice', ({ message, hint }) => notify(message, hint))
  bridgedeck.onEvent('recorder.exported', receiveExported)
  bridgedeck.onEvent('tasks.changed', receiveChanges)
  bridgedeck.onEvent('tasks.problem', receiveProblems)
  bridgedeck.onEvent('projects.changed', receiveProjectChanges)
  bridgedeck.onEvent('agentRuns.changed', receiveAgentRuns)
  bridgedeck.onEvent('loops.changed', receiveLoops)
  bridgedeck.onEvent('projects.overwritten', tellOverwritten)
  bridgedeck.onEvent('window.action', ({ action }) => perform(action))
  bridgedeck.onEvent('window.fileDropped', ({ grant, folder }) =>
    attempt(() => (folder ? openDropped(grant) : runDropped(grant))),
  )
  bridgedeck.onEvent('window.showPlace', (place) =>
    place.kind === 'need' ? showNeed(place.project, place.run, place.source) : showView('tasks'),
  )
  bridgedeck.onEvent('window.openMachine', ({ machine }) => showMachine(machine))
}

/** A bridge that has just become ready knows nothing of this page yet. */
function receiveBridge(bridge: BridgeState): void {
  const before = useMachines.getState().bridge.state
  useMachines.setState({ bridge })
  if (bridge.state !== 'ready' || before === 'ready') return
  forgetTasks()
  forgetProjects()
  forgetAgents()
  readLoops()
  openFrames()
  resumeMachines().catch(reportError)
  call('settings.get', {}).then(receiveSettings, reportError)
}

/**
 * Says on the document which machine is live and painted, for screenshots and tests.
 * @returns to be called when the views are open and have said what they want of the frames
 */
function markLiveMachine(): () => void {
  let painted: string | null = null
  let viewsAreThere = false
  const mark = () => {
    const state = frontMachine()
    // With no view open that wants frames, there is nothing to wait for but the machine.
    const wantsNone = viewsAreThere && frames.wish.spaces.length === 0 && !frames.wish.picture
    const isLive = state?.connection === 'live' && (painted === state.machine || wantsNone)
    if (isLive) document.documentElement.dataset['live'] = state.machine
    else delete document.documentElement.dataset['live']
  }
  // Views draw in the same animation frame; the mark is set after all of them.
  frames.onDraw(() => {
    if (frames.machine === painted) return
    painted = frames.machine
    queueMicrotask(mark)
  })
  useMachines.subscribe(mark)
  frames.onWish(mark)
  return () => {
    viewsAreThere = true
    mark()
  }
}
