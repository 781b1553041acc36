import type { BridgeLifetime } from '@shared/contract/bridge'
import { AppError } from '@shared/contract/errors'
import type { AreaHandlers } from '../rpc/commands'
import type { Database } from '../storage/database'
import { ownStart } from '../storage/children'
import { takeRepairNotice } from '../storage/repair'
import type { Tasks } from '../tasks/tasks'
import type { BridgeOptions } from './bridgeParts'

export interface LifetimeParts {
  readonly lifetime: BridgeLifetime
  readonly background: BridgeOptions['background']
  readonly tasks: Tasks
  readonly database: Database
}

export const createLifetimeHandlers = ({
  lifetime,
  background,
  tasks,
  database,
}: LifetimeParts): AreaHandlers<'bridge'> => ({
  'bridge.status': () => ({
    lifetime,
    pid: process.pid,
    startedAt: ownStart(),
    endsWhenIdle: background?.endsWhenIdle() ?? false,
  }),
  'bridge.takeRepairNotice': () => ({
    notice: (lifetime === 'window' ? undefined : takeRepairNotice(database)) ?? null,
  }),
  'bridge.stay': () => {
    background?.onStay()
    return {}
  },
  'bridge.stop': async () => {
    if (!background)
      throw new AppError('CONFLICT', 'This bridge belongs to the Bridgedeck window.', {
        hint: 'Close the window to end it.',
      })
    await tasks.stopAll()
    setImmediate(background.onStop)
    return {}
  },
})
