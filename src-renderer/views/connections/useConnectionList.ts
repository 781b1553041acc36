import { useEffect } from 'react'
import { useEvent } from '../../client/events'
import { reportError } from '../../client/messages'
import { receiveConnections, refreshConnections, searchNetwork } from './store'

/** How often the list is read while it can be seen, ms: a board that is plugged in shows within it. */
const REFRESH_INTERVAL_MS = 3_000

/** While the list can be seen it is read again and again; the network is searched when it is opened. */
export function useConnectionList(isVisible: boolean): void {
  useEvent('connections.changed', receiveConnections)
  useEffect(() => {
    if (!isVisible) return undefined
    searchNetwork().catch(reportError)
    // What goes wrong in between stands in the list itself, or in the bridge's banner.
    const timer = setInterval(() => void refreshConnections().catch(() => undefined), REFRESH_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isVisible])
}
