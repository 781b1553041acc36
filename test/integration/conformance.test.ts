/** The machines that need no VICE, each by its real driver: the built-in C64, and the devices by stand-ins. */
import { resolve } from 'node:path'
import { BuiltinMachine } from '../../src-main/machine/builtin/driver'
import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import { startUltimate } from '../peers/ultimateProcess'
import { conforms } from '../support/conformance'
import { memoryNotes } from '../vice/support'

conforms('the built-in C64', () => {
  const machine = new BuiltinMachine({
    workerPath: resolve('out/main/builtinWorker.cjs'),
    resources: resolve('out/resources/c64'),
    roms: { kernal: null, basic: null, character: null },
    standard: 'pal',
    statePath: null,
    autorun: null,
  })
  // It lives in this process: what becomes of it when its worker ends is in builtin.test.ts.
  return Promise.resolve({ machine, stop: () => Promise.resolve() })
})

conforms('an Ultimate 64', async () => {
  const peer = await startUltimate()
  const { rest: port, dma: dmaPort } = peer.ports
  const machine = createUltimateMachine({
    name: `ultimate:127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    dmaPort,
    notes: memoryNotes(),
    allowed: () => ({ budget: 0.5, sideEffects: false }),
  })
  return {
    machine,
    // It comes back by itself.
    loss: { goAway: () => peer.away(3), comeBack: () => Promise.resolve() },
    hang: async () => {
      await peer.change({ restFault: 'wedged' })
      return () => peer.change({ restFault: null })
    },
    stop: () => peer.stop(),
  }
})
