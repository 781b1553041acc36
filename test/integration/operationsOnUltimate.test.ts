import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import { startUltimate } from '../peers/ultimateProcess'
import { operationsWork } from '../support/operationsWork'
import { memoryNotes } from '../vice/support'

operationsWork('an Ultimate 64', async () => {
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
  return { machine, stop: () => peer.stop() }
})
