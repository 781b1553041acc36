/** A real VICE, by the same list as every other machine. */
import { describe } from 'vitest'
import { conforms } from '../support/conformance'
import { lacks } from '../support/parts'
import { attachedMachine, startVice } from './support'

describe.skipIf(lacks('vice', 'xvfb'))('VICE', () => {
  conforms('a VICE that somebody started', async () => {
    let vice = await startVice()
    return {
      machine: attachedMachine(vice.port),
      loss: {
        goAway: () => vice.stop(),
        comeBack: async () => {
          vice = await startVice('x64sc', [], vice.port)
        },
      },
      hang: () => vice.hang(),
      stop: () => vice.stop(),
    }
  })
})
