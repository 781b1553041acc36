import { afterAll, beforeAll, describe } from 'vitest'
import { operationsWork } from '../support/operationsWork'
import { lacks } from '../support/parts'
import { attachedMachine, prepare, startVice } from './support'

describe.skipIf(lacks('vice', 'xvfb'))('the operations of tasks', () => {
  let stopDisplay: () => void
  beforeAll(async () => {
    stopDisplay = await prepare()
  })
  afterAll(() => stopDisplay())

  operationsWork('a VICE that somebody started', async () => {
    const vice = await startVice()
    return { machine: attachedMachine(vice.port), stop: () => vice.stop() }
  })
})
