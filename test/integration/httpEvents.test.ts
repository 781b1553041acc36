/** Events of Bridgedeck and frames of machines, as a program with the typed client gets them. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Bridgedeck, type Events, type ReceivedFrame } from '../../src-client/index'
import { CommandLine } from '../support/commandLine'
import { serveHere, type ServerHere } from '../support/httpServer'

let calls: CommandLine
let server: ServerHere
let bridgedeck: Bridgedeck
const opened: Events[] = []
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
  server = await serveHere(calls)
  bridgedeck = connect({ ...server, name: 'watcher' })
})
afterEach(() => {
  for (const events of opened.splice(0)) events.close()
})
afterAll(async () => {
  await server.stop()
  await calls.remove()
})

async function listen(): Promise<Events> {
  const events = await bridgedeck.events()
  opened.push(events)
  return events
}

const nextFrame = (events: Events, request: Parameters<Events['frames']>[0]): Promise<ReceivedFrame> =>
  new Promise((resolve, reject) => {
    events.onError(reject)
    const stop = events.frames(request, (frame) => {
      stop()
      resolve(frame)
    })
  })

describe('a program', () => {
  it('is told of the state of machines, first as it is and then as it changes', async () => {
    const events = await listen()
    const states: string[] = []
    const end = events.on('machine.states', ({ machines }) => states.push(machines[0]?.execution ?? 'none'))
    await bridgedeck.machine.resume()
    await expect.poll(() => states.at(-1)).toBe('running')
    await bridgedeck.machine.pause()
    await expect.poll(() => states.at(-1)).toBe('paused')
    await bridgedeck.machine.resume()
    await expect.poll(() => states.at(-1)).toBe('running')
    end()
  })

  it('is told that a checkpoint stopped a machine, and of snapshots and tasks', async () => {
    const events = await listen()
    const stops: number[] = []
    const told: string[] = []
    events.on('machine.states', ({ machines }) => {
      const stop = machines[0]?.stop
      if (stop) stops.push(stop.pc)
    })
    events.on('snapshots.changed', () => told.push('snapshot'))
    events.on('tasks.changed', ({ changed }) => told.push(...changed.map(({ operation }) => operation)))
    await bridgedeck.run.assembly({ source: '*=$c000\n inc $0400\nhere jmp $c000', frames: 1 })
    await bridgedeck.debug.checkpoint({ range: '$c000' })
    await expect.poll(() => stops).toContain(0xc000)
    await bridgedeck.debug.delete({ number: 1 })
    await bridgedeck.machine.resume()
    await bridgedeck.snapshot.save({ name: 'now' })
    await expect.poll(() => told).toContain('snapshot')
    await bridgedeck.tasks.run({ operation: 'read', args: '{"address":"$e000","length":2}' })
    await expect.poll(() => told).toContain('read')
  })

  it('gets frames: screen, registers, memory', async () => {
    await bridgedeck.run.basic({ source: '10 print "frame"', wait_for: 'frame' })
    const events = await listen()
    const frame = await nextFrame(events, {
      rate: 20,
      screen: true,
      registers: true,
      memory: [{ address: 0xe000, length: 2, space: 'rom' }],
    })
    expect(frame.screen?.join('')).toContain('FRAME')
    expect(frame.registers?.map(({ name }) => name)).toContain('PC')
    expect(frame.memory).toEqual([
      { space: 'rom', address: 0xe000, bytes: expect.stringMatching(/^[0-9a-f]{4}$/) as string },
    ])
    expect([frame.machine, frame.picture, frame.pixels]).toEqual(['builtin', undefined, undefined])
  })

  it('gets the picture as bytes', async () => {
    const { picture, pixels, kind } = await nextFrame(await listen(), { rate: 50, picture: true })
    expect([kind, picture, pixels?.byteLength]).toEqual(['frame', { width: 384, height: 272 }, (384 * 272) / 2])
  })

  it('gets frames until it stops them, and hears of a machine that is not there once', async () => {
    const events = await listen()
    let frames = 0
    const stop = events.frames({ rate: 50, registers: true }, () => frames++)
    await expect.poll(() => frames).toBeGreaterThan(5)
    stop()
    const problems: string[] = []
    events.onError(({ code, message }) => problems.push(`${code} ${message}`))
    events.frames({ rate: 50, machine: 'vice:1', registers: true }, () => undefined)
    await expect.poll(() => problems).toEqual([expect.stringMatching(/^UNREACHABLE /)])
  })
})

it('A program is told why it hears nothing', async () => {
  await expect(connect({ ...server, token: 'wrong' }).events()).rejects.toMatchObject({
    code: 'FORBIDDEN',
    status: 401,
  })
})

it('A program is told that Bridgedeck ended, and connects again', async () => {
  const events = await listen()
  const first = new Promise((done) => events.on('machine.states', done))
  await first
  await calls.run('bridge', 'stop')
  expect(await events.closed).toBe('Bridgedeck ended. Connect again.')
  const again = await listen()
  expect(await nextFrame(again, { rate: 10, registers: true })).toMatchObject({ machine: 'builtin' })
})
