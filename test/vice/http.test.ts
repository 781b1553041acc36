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
    await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        const script = connect({ ...server, name: `script ${number}` })
        const address = `$c00${number - 1}`
        for (let round = 0; round < 20; round++) {
          const value = (number * 0x20 + round).toString(16)
          await script.memory.write({ machine, address, bytes: value })
          const { data } = await script.memory.read({ machine, address, length: 1 })
          expect([address, data.bytes]).toEqual([address, value])
        }
      }),
    )
    await expect.poll(() => frames.at(-1)?.memory?.[0]?.bytes).toBe('33537393')
    expect(frames.at(-1)).toMatchObject({ machine, picture: { width: 384 } })
    expect(frames.at(-1)?.registers?.map(({ name }) => name)).toContain('PC')
    expect(frames.at(-1)?.pixels?.byteLength).toBeGreaterThan(0)
    expect(problems).toEqual([])
    events.close()
  })
})
