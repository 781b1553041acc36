import { create } from 'zustand'
import { call } from '../../client/call'
import { onEvent } from '../../client/events'
import { attempt, notify } from '../../client/messages'
import { showView } from '../../client/navigation'
import { shortcutNow } from '../../client/shortcuts'

export const useFullScreen = create<{ readonly full: boolean }>(() => ({ full: false }))

function fillScreen(full: boolean): void {
  if (useFullScreen.getState().full === full) return
  useFullScreen.setState({ full })
  attempt(() => call('window.setFullScreen', { full }))
}

export const leaveFullScreen = (): void => fillScreen(false)

export async function toggleFullScreen(): Promise<void> {
  if (useFullScreen.getState().full) {
    leaveFullScreen()
    return
  }
  await showView('screen')
  fillScreen(true)
  notify(`${shortcutNow('screen.full') ?? ''} leaves full screen.`)
}

/** The system has its own ways out of full screen. */
export const followWindow = (): void => onEvent('window.leftFullScreen', () => useFullScreen.setState({ full: false }))
