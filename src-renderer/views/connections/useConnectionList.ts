import { useEffect } from 'react'
import { useEvent } from '../../client/events'
import { reportError } from '../../client/messages'
import { receiveConnections, refreshConnections, searchNetwork } from './store'

/** A board that is plugged in shows within this time. */
const REFRESH_INTERVAL_MS = 3_000

/** While the list is visible it is read again and again; the network is searched only when it is opened. */
export function useConnectionList(isVisible: boolean): void {
  useEvent('connections.changed', receiveConnections)
  useEffect(() => {
    if (!isVisible) return undefined
    searchNetwork().catch(reportError)
    const timer = setInterval(() => void refreshConnections().catch(() => undefined), REFRESH_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isVisible])
}
