/** Scripts at a real VICE: its one connection is shared, and frames come while others ask. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type ReceivedFrame } from '../../src-client/index'
import { CommandLine } from '../support/commandLine'
import { serveHere, type ServerHere } from '../support/httpServer'
import { lacks } from '../support/parts'
import { startVice, type RunningVice } from './support'

describe.skipIf(lacks('vice', 'xvfb'))('scripts at a VICE', () => {
  let vice: RunningVice
  let calls: CommandLine
  let server: ServerHere
  let machine: string
  beforeAll(async () => {
    vice = await startVice()
    machine = `vice:${vice.port}`
    calls = new CommandLine()
    await calls.data('bridge', 'start')
    server = await serveHere(calls)
  })
  afterAll(async () => {
    await server.stop()
    await calls.remove()
    await vice.stop()
  })

  it('get frames with its picture and registers while others read and write', async () => {
    const events = await connect({ ...server, name: 'watcher' }).events()
    const frames: ReceivedFrame[] = []
    const problems: string[] = []
    events.onError(({ message }) => problems.push(message))
    const memory = [{ address: 0xc000, length: 4 }]
    events.frames({ machine, rate: 50, picture: true, registers: true, memory }, (frame) => frames.push(frame))
    const writer = connect({ ...server, name: 'writer' })
    const readers = [1, 2, 3].map((number) => connect({ ...server, name: `reader ${number}` }))
    for (let round = 0; round < 20; round++) {
      const bytes = [0, 1, 2, 3].map((index) => (0x20 * index + round).toString(16).padStart(2, '0'))
      await writer.memory.write({ machine, address: '$c000', bytes: bytes.join('') })
      const seen = await Promise.all(
        readers.map((reader, index) => reader.memory.read({ machine, address: `$c00${index}`, length: 1 })),
      )
      expect(seen.map(({ data }) => data.bytes)).toEqual(bytes.slice(0, 3))
    }
    await expect.poll(() => frames.at(-1)?.memory?.[0]?.bytes).toBe('13335373')
    expect(frames.at(-1)).toMatchObject({ machine, picture: { width: 384 } })
    expect(frames.at(-1)?.registers?.map(({ name }) => name)).toContain('PC')
    expect(frames.at(-1)?.pixels?.byteLength).toBeGreaterThan(0)
    expect(problems).toEqual([])
    events.close()
  })
})
