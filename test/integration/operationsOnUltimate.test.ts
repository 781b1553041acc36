import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPng } from '../../src-main/files/png'
import { createUltimateMachine } from '../../src-main/machine/ultimate/driver'
import { startUltimate } from '../peers/ultimateProcess'
import type { Subject } from '../support/conformance'
import { operationBench, type Bench } from '../support/operationRun'
import { operationsWork } from '../support/operationsWork'
import { readRoms } from '../support/ownRoms'
import { memoryNotes } from '../vice/support'

async function ultimate(): Promise<Subject> {
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
}

operationsWork('an Ultimate 64', ultimate)

describe('extract_screen on an Ultimate 64, which does not show its character ROM,', () => {
  let subject: Subject
  let bench: Bench
  beforeAll(async () => {
    subject = await ultimate()
    await subject.machine.connect(AbortSignal.timeout(60_000))
    bench = await operationBench(subject.machine)
  })
  afterAll(async () => {
    await bench.close()
    await subject.machine.disconnect()
    await subject.stop()
  })

  it('draws text with the characters that stand in for it, and logs whose they are', async () => {
    const write = (address: string, bytes: string) => bench.run('write', { address, bytes })
    for (const [address, bytes] of [
      ['$D011', '1b'],
      ['$D016', 'c8'],
      ['$D018', '15'],
      ['$D021', '00'],
      ['$0400', '01'],
      ['$D800', '01'],
    ] as const)
      await write(address, bytes)
    const { summary, task } = await bench.run('extract_screen')
    expect(summary).toMatchObject({ address: '0x0400', charsetFromRom: true })
    expect(bench.log).toContain(
      'This machine does not show its character ROM. Text is drawn with Bridgedeck’s own characters.',
    )
    const { rgba, width } = readPng(await bench.artifact(task, 'screens/screen.png'), { width: 320, height: 200 })
    const lines = Array.from({ length: 8 }, (_, y) =>
      Array.from({ length: 8 }, (_, x) => (rgba[(y * width + x) * 4] === 0xff ? 1 : 0)).join(''),
    )
    const letterA = [...readRoms().character.subarray(8, 16)]
    expect(lines).toEqual(letterA.map((byte) => byte.toString(2).padStart(8, '0')))
  })
})
