import { describe } from 'vitest'
import { operationsWork } from '../support/operationsWork'
import { lacks } from '../support/parts'
import { attachedMachine, startVice } from './support'

describe.skipIf(lacks('vice', 'xvfb'))('the operations of tasks', () => {
  operationsWork('a VICE that somebody started', async () => {
    const vice = await startVice()
    return { machine: attachedMachine(vice.port), stop: () => vice.stop() }
  })
})
