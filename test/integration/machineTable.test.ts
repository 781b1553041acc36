/** The table of machines and capabilities is what the drivers say of themselves, connected to each kind of device. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { defaultHistory, defaultModels } from '@shared/contract/machine'
import type { Machine } from '../../src-main/machine/machine'
import { BuiltinMachine } from '../../src-main/machine/builtin/driver'
import { createEasyFlashMachine } from '../../src-main/machine/easyflash/driver'
import { createStubMachine } from '../../src-main/machine/stub/driver'
import { createTeensyRomMachine } from '../../src-main/machine/teensyrom/driver'
import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import { createViceMachine } from '../../src-main/machine/vice/driver'
import { startStubPeer } from '../peers/stubProcess'
import type { TeensyRomOptions } from '../peers/teensyrom'
import { startTeensyRomPeer } from '../peers/teensyromProcess'
import type { UltimateOptions } from '../peers/ultimateOptions'
import { startUltimate } from '../peers/ultimateProcess'
import { startViceMonitorPeer } from '../peers/viceMonitorProcess'
import { machineTable, withMachineTable } from '../support/machineTable'
import { attachedMachine, memoryNotes } from '../vice/support'

const page = resolve(import.meta.dirname, '../../docs/machines.md')
/** Before 0.7.2.5, so without memory. */
const OLD_TEENSYROM = 'TeensyROM v0.6.7'
const allowed = () => ({ budget: 0.5, sideEffects: false })
const host = '127.0.0.1'

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** What the machine says it lacks, once it is connected. */
async function unsupportedOn(machine: Machine): Promise<Machine['unsupported']> {
  await machine.connect(AbortSignal.timeout(60_000))
  const { unsupported } = machine
  await machine.disconnect()
  return unsupported
}

async function started<Peer extends { stop(): Promise<void> }>(peer: Promise<Peer>): Promise<Peer> {
  const running = await peer
  cleanUps.push(() => running.stop())
  return running
}

async function ultimate(options: Partial<UltimateOptions>): Promise<Machine['unsupported']> {
  const { ports } = await started(startUltimate(options))
  return unsupportedOn(
    createUltimateMachine({
      name: 'ultimate:c64u',
      host,
      port: ports.rest,
      dmaPort: ports.dma,
      notes: memoryNotes(),
      allowed,
    }),
  )
}

async function teensyRom(options: Partial<TeensyRomOptions>): Promise<Machine['unsupported']> {
  const { port } = await started(startTeensyRomPeer(options))
  return unsupportedOn(createTeensyRomMachine({ name: 'teensyrom:board', link: { kind: 'tcp', host, port }, allowed }))
}

async function stub(): Promise<Machine['unsupported']> {
  const { port } = await started(startStubPeer())
  return unsupportedOn(createStubMachine({ name: 'stub:board', link: { kind: 'tcp', host, port }, allowed }))
}

async function vice(version: '3.5' | '3.7'): Promise<Machine['unsupported']> {
  const { port } = await started(startViceMonitorPeer({ version }))
  return unsupportedOn(attachedMachine(port))
}

const viceElsewhere = (): Machine =>
  createViceMachine({
    name: 'vice:studio:6502',
    attach: { host: 'studio', port: 6502 },
    process: () => {
      throw new Error('It runs already.')
    },
    adopt: null,
    notes: memoryNotes(),
  })

const builtin = (): Machine =>
  new BuiltinMachine({
    workerPath: resolve('out/main/builtinWorker.cjs'),
    resources: resolve('out/resources/c64'),
    roms: { kernal: null, basic: null, character: null },
    standard: 'pal',
    models: defaultModels,
    history: defaultHistory,
    statePath: null,
    autorun: null,
  })

describe('docs/machines.md', () => {
  it('has the table of machines as the drivers tell it; UPDATE_DOCS=1 with this test writes it', async () => {
    const table = machineTable([
      { title: 'Built-in', variants: [builtin().unsupported] },
      { title: 'VICE', variants: [await vice('3.7'), await vice('3.5'), viceElsewhere().unsupported] },
      {
        title: 'Ultimate',
        variants: [
          await ultimate({ firmware: '3.16' }),
          await ultimate({ firmware: '3.11' }),
          await ultimate({ product: 'Ultimate II+', firmware: '3.15' }),
        ],
      },
      {
        title: 'TeensyROM',
        variants: [
          await teensyRom({}),
          await teensyRom({ memory: false, version: OLD_TEENSYROM }),
          await teensyRom({ firmware: 'minimal' }),
        ],
      },
      // It has nothing to ask: what it can do is always the same.
      {
        title: 'EasyFlash 3, Kung Fu Flash',
        variants: [
          createEasyFlashMachine({ name: 'easyflash:COM1', link: { kind: 'serial', device: 'COM1', baud: 115_200 } })
            .unsupported,
        ],
      },
      { title: 'SwiftLink with stub', variants: [await stub()] },
    ])
    const text = readFileSync(page, 'utf8')
    const expected = withMachineTable(text, table)
    if (process.env.UPDATE_DOCS === '1') writeFileSync(page, expected)
    else
      expect(
        text,
        'Run: UPDATE_DOCS=1 npx vitest run --project integration test/integration/machineTable.test.ts',
      ).toBe(expected)
  })
})
