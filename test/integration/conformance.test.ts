/** The machines that need no VICE, each by its real driver: the built-in C64, and the devices by stand-ins. */
import { resolve } from 'node:path'
import { describe } from 'vitest'
import { defaultHistory, defaultModels } from '@shared/contract/machine'
import { BuiltinMachine } from '../../src-main/machine/builtin/driver'
import { createEasyFlashMachine } from '../../src-main/machine/easyflash/driver'
import type { Machine } from '../../src-main/machine/machine'
import { createStubMachine } from '../../src-main/machine/stub/driver'
import { createTeensyRomMachine } from '../../src-main/machine/teensyrom/driver'
import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import { startEasyFlashPeer } from '../peers/easyflashProcess'
import { startStubPeer } from '../peers/stubProcess'
import { startTeensyRomPeer } from '../peers/teensyromProcess'
import { startUltimate } from '../peers/ultimateProcess'
import { conforms, type Subject } from '../support/conformance'
import { lacks } from '../support/parts'
import { openSerialLine } from '../support/serialLine'
import { memoryNotes } from '../vice/support'

const allowed = () => ({ budget: 0.5, sideEffects: false })

conforms('the built-in C64', () => {
  const machine = new BuiltinMachine({
    workerPath: resolve('out/main/builtinWorker.cjs'),
    resources: resolve('out/resources/c64'),
    roms: { kernal: null, basic: null, character: null },
    standard: 'pal',
    models: defaultModels,
    history: defaultHistory,
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
    allowed,
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

interface SerialDevice {
  change(options: { silent: boolean }): Promise<void>
  stop(): Promise<void>
}

/** A device at the end of a serial line: it is unplugged, and plugged in again as one that was just switched on. */
async function bySerial(
  start: (device: string) => Promise<SerialDevice>,
  create: (device: string) => Machine,
): Promise<Subject> {
  const line = await openSerialLine()
  let peer = await start(line.there)
  return {
    machine: create(line.here),
    loss: {
      goAway: () => line.unplug(),
      comeBack: async () => {
        await peer.stop()
        await line.plugIn()
        peer = await start(line.there)
      },
    },
    hang: async () => {
      await peer.change({ silent: true })
      return async () => peer.change({ silent: false })
    },
    stop: async () => {
      await peer.stop()
      await line.close()
    },
  }
}

describe.skipIf(lacks('socat'))('by a serial port:', () => {
  conforms('a TeensyROM+', () =>
    bySerial(
      (device) => startTeensyRomPeer({}, device),
      (device) =>
        createTeensyRomMachine({
          name: `teensyrom:${device}`,
          link: { kind: 'serial', device, baud: 2_000_000 },
          allowed,
        }),
    ),
  )

  conforms('a TeensyROM without memory access', () =>
    bySerial(
      (device) => startTeensyRomPeer({ memory: false, version: 'TeensyROM v0.6.7' }, device),
      (device) =>
        createTeensyRomMachine({
          name: `teensyrom:${device}`,
          link: { kind: 'serial', device, baud: 2_000_000 },
          allowed,
        }),
    ),
  )

  conforms('an EasyFlash 3', () =>
    bySerial(startEasyFlashPeer, (device) =>
      createEasyFlashMachine({ name: `easyflash:${device}`, link: { kind: 'serial', device, baud: 115_200 } }),
    ),
  )

  conforms('a C64 with the serial stub', () =>
    bySerial(startStubPeer, (device) =>
      createStubMachine({ name: `stub:${device}`, link: { kind: 'serial', device, baud: 230_400 }, allowed }),
    ),
  )
})
