import { call } from './call'
import { chosenNow } from './chosen'
import { requireFront } from './machineControl'
import { notifySaved } from './savedFile'
import type { ChosenOf } from './viewChoices'

/** @param past how much of its time before is saved with it, seconds */
export async function saveState(past: number): Promise<void> {
  notifySaved((await call('state.save', { machine: requireFront(), past })).saved)
}

const seconds: Readonly<Record<ChosenOf<'registers.bugReport'>, number>> = { s30: 30, s60: 60, s300: 300, s600: 600 }

/** The state of the machine in front with as much of its past as is chosen, so that others can go through it. */
export const saveBugReport = (): Promise<void> => saveState(seconds[chosenNow('registers.bugReport')])
