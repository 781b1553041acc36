import { describeStop } from '@shared/checkpointStop'
import { perform } from './actions'
import { namesNow } from './labels'
import { findMachine, useMachines } from './machines'
import { endMessages, notify } from './messages'

/** What the messages of stops at checkpoints are about: they end when the machine goes on, or its registers are seen. */
export const STOP_MESSAGES = 'stop at a checkpoint'

/** Says each time what stopped the machine in front. */
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
