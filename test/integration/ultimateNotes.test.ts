/** Who wrote a byte of an Ultimate, by the bus cycles that a stand-in sends. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { NotedByte } from '@shared/contract/running'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import type { UltimateOptions } from '../peers/ultimateOptions'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { CommandLine } from '../support/commandLine'
import { eventually } from '../vice/eventually'
import { memoryNotes, soon } from '../vice/support'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function connected(options: Partial<UltimateOptions> = {}) {
  const peer = await startUltimate({ busyBus: true, ...options })
  const { rest: port, dma: dmaPort } = peer.ports
  const machine = createUltimateMachine({
    name: `ultimate:127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    dmaPort,
    notes: memoryNotes(),
    allowed: () => ({ budget: 0.05, sideEffects: false }),
  })
  cleanUps.push(
    () => peer.stop(),
    () => machine.disconnect(),
  )
  await machine.connect(soon())
  return { peer, machine, ...notesOf(machine) }
}

function notesOf(machine: Machine) {
  const { writeNotes } = machine
  if (!writeNotes) throw new Error('This machine notes no writes.')
  const noted = (address: number): NotedByte | undefined => writeNotes.list().find((byte) => byte.address === address)
  const known = (address: number) => noted(address)?.writes.filter(({ cause }) => cause !== null) ?? []
  return { writeNotes, noted, known }
}

const INC_0400 = { address: 0xc00c, space: null, text: 'INC $0400' }
const INC_0401 = { address: 0xc040, space: null, text: 'INC $0401' }
const isOn = async (peer: UltimatePeer): Promise<boolean> => (await peer.state()).streams.debug.on

describe('notes of writes by the bus of an Ultimate', () => {
  it('tell each writer, between interrupts, bad lines and DMA', async () => {
    const { machine, writeNotes, noted, known } = await connected()
    expect(await writeNotes.note(0x0400, soon())).toBeNull()
    await writeNotes.note(0x0401, soon())
    await writeNotes.note(0x01ff, soon())
    await eventually(() => Math.min(known(0x0400).length, known(0x0401).length, known(0x01ff).length)).toBeGreaterThan(
      3,
    )
    expect(noted(0x0400)).toMatchObject({ by: 'bus', reason: null })
    for (const { by, target, cycle, from, to } of known(0x0400)) {
      expect([by, target]).toEqual([INC_0400, 'ram'])
      expect(cycle).toBeGreaterThan(0)
      // It writes the byte back as it was, and then one more.
      expect([from, ((from ?? 0) + 1) & 0xff]).toContain(to)
    }
    for (const { by } of known(0x0401)) expect(by).toEqual(INC_0401)
    for (const { by, cause } of known(0x01ff))
      expect(by ?? cause).toEqual(by ? { address: 0xc006, space: null, text: 'JSR $C00C' } : 'interrupt')
    expect(machine.needsConnection).toBe(true)
  })

  it('say which write was DMA, and not who made it', async () => {
    const { machine, writeNotes, noted } = await connected()
    await writeNotes.note(0x5000, soon())
    await writeNotes.note(0x0400, soon())
    // The stream runs.
    await eventually(() => noted(0x0400)?.writes.length).toBeGreaterThan(0)
    await machine.writeMemory('cpu', 0x5000, Uint8Array.of(0x77), soon())
    await eventually(() => noted(0x5000)?.writes[0]).toMatchObject({ by: null, cause: 'dma', to: 0x77, target: 'ram' })
  })

  it.each([
    { streamLoss: 3, streamDuplicates: 0, streamReorder: 0 },
    { streamLoss: 2, streamDuplicates: 10, streamReorder: 20 },
  ])('are right or unknown where packets are lost, doubled and swapped: %o', async (faults) => {
    const { writeNotes, noted, known } = await connected(faults)
    await writeNotes.note(0x0400, soon())
    await eventually(() => noted(0x0400)?.lost).toBeGreaterThan(5)
    await eventually(() => known(0x0400).length).toBeGreaterThan(0)
    for (const { by, cause } of noted(0x0400)?.writes ?? [])
      expect([by, cause]).toEqual(by ? [INC_0400, 'instruction'] : [null, null])
  })

  it('run the stream only as long as they need it, and leave one that was started alone', async () => {
    const { machine, peer, writeNotes } = await connected()
    expect(await isOn(peer)).toBe(false)
    await writeNotes.note(0x0400, soon())
    await writeNotes.note(0x0401, soon())
    expect(machine.status.streams?.map(({ stream }) => stream)).toEqual(['debug'])
    await writeNotes.end(0x0400, soon())
    expect(await isOn(peer)).toBe(true)
    await writeNotes.end(0x0401, soon())
    expect([await isOn(peer), writeNotes.list(), machine.needsConnection]).toEqual([false, [], false])
    await requireFacet(machine, 'debugStream').set('debug', true, soon())
    await writeNotes.note(0x0400, soon())
    await writeNotes.end(0x0400, soon())
    expect(await isOn(peer)).toBe(true)
  })

  it('end at a disconnect, and the stream with them', async () => {
    const { machine, peer, writeNotes } = await connected()
    await writeNotes.note(0x0400, soon())
    await machine.disconnect()
    expect([await isOn(peer), writeNotes.list()]).toEqual([false, []])
  })

  it('do not take the network from the video stream, nor it from them', async () => {
    const { machine, peer, writeNotes } = await connected()
    const streams = requireFacet(machine, 'videoStream')
    await streams.set('video', true, soon())
    await expect(writeNotes.note(0x0400, soon())).rejects.toMatchObject({ code: 'BUSY' })
    expect((await peer.state()).streams.video.on).toBe(true)
    await streams.set('video', false, soon())
    await writeNotes.note(0x0400, soon())
    await expect(streams.set('video', true, soon())).rejects.toMatchObject({ code: 'BUSY' })
    await expect(streams.set('debug', false, soon())).rejects.toMatchObject({ code: 'BUSY' })
    await expect(requireFacet(machine, 'picture').read(soon())).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await isOn(peer)).toBe(true)
  })

  it.each([
    ['a cartridge', { product: 'Ultimate II+' }, 'Only an Ultimate 64'],
    ['no cable', { wired: false }, 'cable is not plugged in'],
  ] as const)('are left to samples where the stream cannot run: %s', async (_what, options, reason) => {
    const { writeNotes } = await connected(options)
    expect(await writeNotes.note(0x0400, soon())).toContain(reason)
    expect(writeNotes.list()).toEqual([])
  })

  it('are left to samples where the stream is set to another chip', async () => {
    const { machine, writeNotes } = await connected()
    await requireFacet(machine, 'configuration').set('Data Streams', 'Debug Stream Mode', 'VIC Only', soon())
    expect(await writeNotes.note(0x0400, soon())).toContain('is “VIC Only”')
  })

  it('go on after the stream was started again, without claiming the cycles between', async () => {
    const { machine, writeNotes, known } = await connected()
    await writeNotes.note(0x0400, soon())
    await eventually(() => known(0x0400).length).toBeGreaterThan(0)
    await machine.wake?.(soon())
    const last = known(0x0400)[0]?.time ?? 0
    await eventually(() => (known(0x0400)[0]?.time ?? 0) > last && known(0x0400)[0]?.cycle === null).toBe(true)
  })
})

const wordsSchema = z.object({
  noted: z
    .object({
      by: z.string(),
      reason: z.string().nullable(),
      lost: z.number().nullable(),
      count: z.number(),
      writes: z.array(
        z.object({ by: z.string().nullable(), text: z.string().nullable(), cause: z.string().nullable() }),
      ),
    })
    .nullable(),
})

describe('why, of an Ultimate', () => {
  let calls: CommandLine
  let peer: UltimatePeer
  beforeAll(async () => {
    calls = new CommandLine()
    peer = await startUltimate({ busyBus: true, streamLoss: 1 })
    await calls.data('bridge', 'start')
  })
  afterAll(async () => {
    await calls.remove()
    await peer.stop()
  })

  const why = async (...words: string[]) =>
    wordsSchema.parse(await calls.data('why', '$0400', ...words, '--machine', `ultimate:127.0.0.1:${peer.ports.rest}`))
      .noted

  it('names the instruction from --watch on until --unwatch, from the bus stream, with the packets lost', async () => {
    expect(await why()).toBeNull()
    expect(await why('--watch')).toMatchObject({ by: 'bus', reason: null })
    await eventually(async () => (await why())?.writes.some(({ by }) => by !== null)).toBe(true)
    const noted = await why()
    for (const { by, text, cause } of noted?.writes ?? [])
      expect([by, text]).toEqual(cause === null ? [null, null] : ['$C00C', 'INC $0400'])
    await eventually(async () => (await why())?.lost).toBeGreaterThan(0)
    const { stdout } = await calls.run('why', '$0400', '--machine', `ultimate:127.0.0.1:${peer.ports.rest}`)
    expect(stdout).toMatch(/written \d+ times on the bus stream of the Ultimate \(\d+ packets? lost\) since/)
    // A busy computer loses packets, and with them the count of cycles.
    expect(stdout).toMatch(/cycle (\d+|\?) +\$.. → \$.. +\$C00C  INC \$0400/)
    expect(await why('--unwatch')).toBeNull()
    expect(await isOn(peer)).toBe(false)
  })

  it('says why samples have to do', async () => {
    const cartridge = await startUltimate({ product: 'Ultimate II+' })
    const machine = ['--machine', `ultimate:127.0.0.1:${cartridge.ports.rest}`]
    try {
      expect(await calls.data('why', '$0400', '--watch', ...machine)).toMatchObject({
        noted: { by: 'samples', reason: expect.stringContaining('Only an Ultimate 64') as string, lost: null },
      })
      await calls.data('why', '$0400', '--unwatch', ...machine)
    } finally {
      await cartridge.stop()
    }
  })
})
