import { canonicalMachineName, readMachineName } from '@shared/contract/machineName'
import { viewNames } from '@shared/views'
import { placeNamed } from '@shared/workspaces'
import { perform } from '../client/actions'
import { useAppInfo } from '../client/appInfo'
import { announceLostCheckpoints } from '../client/checkpoints'
import { keepMenuKeys } from '../client/actionTitles'
import { followBridge, onBridgeReady, onEvent } from '../client/events'
import { followFocus } from '../client/focusReturn'
import { openDroppedFiles, resumeMachines, showMachine } from '../client/machineControl'
import { frontMachine, useMachines } from '../client/machines'
import { attempt, notify, reportError } from '../client/messages'
import { readQuarantine, receiveQuarantine } from '../client/quarantine'
import { readSettings, receiveSettings } from '../client/settings'
import { readSteering, receiveSteering, showQuestions } from '../client/steering'
import { followBuilds } from '../client/builds'
import { followLabels } from '../client/labels'
import { announceStops } from '../client/stopMessages'
import { showTheme, themeOfAddress } from '../client/theme'
import { restoreViewState } from '../client/viewState'
import { windowInfo } from '../client/windowInfo'
import { startAudio } from '../frames/audio'
import { frames } from '../frames/frames'
import { wantAsBefore } from '../frames/liveFrames'
import { registerAllActions } from './actions'
import { debugAtFirstStop } from './debugAtFirstStop'
import { prepareDialogs } from './Dialogs'
import { readFigures } from './figures'
import { mainViewIsThere, openShownViews, restoreLayout, showFirst, showOnly } from './layout'
import { registeredViews } from './registry'
import { offerTour } from './tour'

export function start(render: () => void): void {
  const parameters = new URLSearchParams(location.search)
  registerAllActions()
  const takeBridge = followBridge()
  subscribeEvents()
  announceStops()
  debugAtFirstStop()
  followLabels()
  followBuilds()
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
    const place = placeNamed(parameters.get('view') ?? '')
    if (place) showOnly(place)
    else void showFirst()
    const viewsMounted = openShownViews()
    const forgetWish = wantAsBefore()
    takeBridge(bridge)
    render()
    startAudio()
    await viewsMounted
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        forgetWish()
        viewsOpened()
        if (!place && !parameters.has('screenshot')) offerTour()
      }),
    )
    requestIdleCallback(prepareDialogs)
  })
}

function subscribeEvents(): void {
  followFocus()
  onEvent('machine.states', ({ machines }) => useMachines.setState({ machines }))
  onEvent('settings.changed', receiveSettings)
  onEvent('quarantine.changed', receiveQuarantine)
  onEvent('steering.changed', receiveSteering)
  onEvent('window.showPlace', ({ kind }) => {
    if (kind === 'steering') showQuestions()
  })
  announceLostCheckpoints()
  onEvent('machine.notice', ({ message, hint }) => notify(message, hint))
  onEvent('window.action', ({ action }) => perform(action))
  onEvent('window.filesDropped', ({ files }) => attempt(() => openDroppedFiles(files.filter(({ folder }) => !folder))))
  onEvent('window.openMachine', ({ machine }) => showMachine(machine))
  keepMenuKeys()
  onBridgeReady(() => {
    resumeMachines().catch(reportError)
    readSettings()
    readQuarantine()
    readSteering()
  })
  for (const name of viewNames) registeredViews[name].start?.()
  // After the views have dropped what the earlier bridge reported, and not before the window shows its machine.
  onBridgeReady(() => requestIdleCallback(() => void readFigures()))
}

/**
 * Marks on the document which machine is live and painted, for screenshots and tests.
 * @returns to be called when the views are open and have said what they want of the frames
 */
function markLiveMachine(): () => void {
  let painted: string | null = null
  let viewsAreThere = false
  const mark = () => {
    const state = frontMachine()
    const wantsNone = viewsAreThere && frames.wish.spaces.length === 0 && !frames.wish.picture
    const isLive = state?.connection === 'live' && (painted === state.machine || wantsNone)
    if (isLive) document.documentElement.dataset['live'] = state.machine
    else delete document.documentElement.dataset['live']
  }
  // Views draw in the same animation frame; the mark is set after all of them. A frame may come before any view is there.
  frames.onDraw(() => {
    if (frames.machine === painted || !mainViewIsThere()) return
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
