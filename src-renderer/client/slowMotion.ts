import type { SlowMotion } from '@shared/contract/machine'
import { call } from './call'
import { chosenNow } from './chosen'
import { requireFront } from './machineControl'
import { frontMachine } from './machines'
import type { ChosenOf } from './viewChoices'

const speeds: Readonly<Record<ChosenOf<'registers.slowMotion'>, SlowMotion>> = {
  instructions4: { unit: 'instruction', perSecond: 4 },
  instructions20: { unit: 'instruction', perSecond: 20 },
  instructions100: { unit: 'instruction', perSecond: 100 },
  lines10: { unit: 'line', perSecond: 10 },
  lines50: { unit: 'line', perSecond: 50 },
  lines250: { unit: 'line', perSecond: 250 },
}

export async function runSlowly(): Promise<void> {
  await call('running.slowly', { machine: requireFront(), ...speeds[chosenNow('registers.slowMotion')] })
}

export async function toggleSlowMotion(): Promise<void> {
  if (frontMachine()?.slow) await call('machine.resume', { machine: requireFront() })
  else await runSlowly()
}
