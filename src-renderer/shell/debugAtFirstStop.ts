import { perform } from '../client/actions'
import { findMachine, useMachines } from '../client/machines'
import { notify } from '../client/messages'
import { shortcutOf } from '../client/shortcuts'
import { oneOf, setViewValue, viewValue } from '../client/viewState'
import { setDebug, useLayout } from './layout'

/** Set once the person has seen the Debug arrangement: from then on it is theirs to choose. */
const SEEN_KEY = 'debug.seen'

const isSeen = (): boolean => viewValue(SEEN_KEY, oneOf(false, true))

export function debugAtFirstStop(): void {
  useLayout.subscribe(({ debug }) => {
    if (debug.size > 0 && !isSeen()) setViewValue(SEEN_KEY, true)
  })
  useMachines.subscribe((now, before) => {
    const stop = findMachine(now, now.front)?.stop ?? null
    const last = findMachine(before, before.front)?.stop ?? null
    if (stop === null || stop.time === last?.time || isSeen()) return
    if (useLayout.getState().current !== 'machine') return
    setDebug(true)
    const back = { label: 'Back', run: () => perform('view.debug') }
    notify(`Debug arrangement: ${shortcutOf('view.debug')} leaves it, or enters it again.`, null, back)
  })
}
