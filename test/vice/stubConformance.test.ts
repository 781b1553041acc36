/** The real stub in a real VICE, by the same list as every other machine. */
import { describe } from 'vitest'
import { createStubMachine } from '../../src-main/machine/stub/driver'
import { conforms } from '../support/conformance'
import { lacks } from '../support/parts'
import { startViceWithStub } from './serialLine'

describe.skipIf(lacks('vice', 'xvfb'))('the serial stub', () => {
  conforms('a C64 with the serial stub', async () => {
    const vice = await startViceWithStub(230_400)
    const { port } = vice.line
    return {
      machine: createStubMachine({
        name: `stub:127.0.0.1:${port}`,
        link: { kind: 'tcp', host: '127.0.0.1', port },
        allowed: () => ({ budget: 0.5, sideEffects: false }),
      }),
      loss: { goAway: vice.line.unplug, comeBack: vice.line.plugIn },
      hang: () => vice.hang(),
      stop: () => vice.stop(),
    }
  })
})
