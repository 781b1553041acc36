import { describeStop } from '@shared/checkpointStop'
import { perform } from './actions'
import { namesNow } from './labels'
import { findMachine, useMachines } from './machines'
import { endMessages, notify } from './messages'

export const STOP_MESSAGES = 'stop at a checkpoint'

export function announceStops(): void {
  useMachines.subscribe((now, before) => {
    const stop = findMachine(now, now.front)?.stop ?? null
    const last = findMachine(before, before.front)?.stop ?? null
    if (stop?.time === last?.time) return
    endMessages(STOP_MESSAGES)
    if (stop === null) return
    const show = { label: 'Show', run: () => perform('view.registers') }
    notify(`${describeStop(stop, namesNow())}.`, null, show, STOP_MESSAGES)
  })
}
