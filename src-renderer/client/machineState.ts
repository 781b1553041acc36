import { call } from './call'
import { chosenNow } from './chosen'
import { requireFront } from './machineControl'
import { notifySaved } from './savedFile'
import type { ChosenOf } from './viewChoices'

/** @param past seconds of its past saved with it */
export async function saveState(past: number): Promise<void> {
  notifySaved((await call('state.save', { machine: requireFront(), past })).saved)
}

const seconds: Readonly<Record<ChosenOf<'registers.bugReport'>, number>> = { s30: 30, s60: 60, s300: 300, s600: 600 }

export const saveBugReport = (): Promise<void> => saveState(seconds[chosenNow('registers.bugReport')])
