import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEasyFlashMachine } from '../../src-main/machine/easyflash/driver'
import { describeCapabilities, type Machine } from '../../src-main/machine/machine'
import { startEasyFlashPeer, type EasyFlashPeer } from '../peers/easyflashProcess'
import { lacks } from '../support/parts'
import { openSerialLine } from '../support/serialLine'

const never = new AbortController().signal

describe.skipIf(lacks('socat'))('an EasyFlash 3 or Kung Fu Flash', () => {
  let line: Awaited<ReturnType<typeof openSerialLine>>
  let peer: EasyFlashPeer
  let machine: Machine

  beforeEach(async () => {
    line = await openSerialLine()
    peer = await startEasyFlashPeer(line.there)
    machine = createEasyFlashMachine({
      name: `easyflash:${line.here}`,
      link: { kind: 'serial', device: line.here, baud: 115_200 },
    })
  })
  afterEach(async () => {
    await machine.disconnect()
    await peer.stop()
    await line.close()
  })

  const program = Uint8Array.from({ length: 9_002 }, (_, n) => (n < 2 ? [0x01, 0x08][n] : n * 5) ?? 0)
  const cartridge = (length: number): Uint8Array<ArrayBuffer> => {
    const bytes = Uint8Array.from({ length }, (_, n) => n * 7)
    bytes.set(Buffer.from('C64 CARTRIDGE   '))
    return bytes
  }
  const run = (name = 'game.prg', bytes = program, signal = never) =>
    machine.programs?.run({ name, path: `/${name}`, bytes }, signal)

  /** Once the menu waits in the middle of a file. */
  const hung = () => expect.poll(() => peer.log()).toContainEqual({ hangs: true })

  it('starts a program, in the pieces that the C64 asks for', async () => {
    await machine.connect(never)
    expect(machine.status.connection).toBe('live')
    await peer.change({ request: 1_000 })
    await run()
    expect(await peer.peek(0x0801, 9_000)).toEqual(program.subarray(2))
    await expect.poll(() => peer.log()).toContainEqual({ loaded: 0x0801, length: 9_000 })
    expect(peer.log().some(({ tooMuch }) => tooMuch !== undefined)).toBe(false)
  })

  it('starts another when its menu is back, and the largest too', async () => {
    await machine.connect(never)
    await run()
    const large = new Uint8Array(0xffff).fill(0x55)
    large.set([0x00, 0x00])
    await run('large.prg', large)
    expect(await peer.peek(0x0000, 0xfffd)).toEqual(large.subarray(2))
  })

  it('takes a cartridge image, in the pieces that its menu asks for', async () => {
    await machine.connect(never)
    const image = cartridge(100_001)
    await peer.change({ request: 8_192, waits: 1 })
    await run('game.crt', image)
    const flashed = createHash('sha256').update(image).digest('hex')
    await expect.poll(() => peer.log()).toContainEqual({ flashed, length: image.length })
    // The signature tells, not the name.
    await run('game.bin', cartridge(100))
    await expect.poll(() => peer.log().filter((entry) => entry.flashed !== undefined)).toHaveLength(2)
  })

  it('says of a cartridge image what is wrong with it, or with the menu', async () => {
    await machine.connect(never)
    await expect(run('game.crt', new Uint8Array(100))).rejects.toMatchObject({ code: 'INVALID' })
    await peer.change({ takes: ['PRG'] })
    await expect(run('game.crt', cartridge(100))).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('CRT') as string,
    })
    await peer.change({ takes: ['PRG', 'CRT'], closesAfter: 8_192, request: 8_192 })
    await expect(run('game.crt', cartridge(100_000))).rejects.toMatchObject({ code: 'CONFLICT' })
    await peer.change({ closesAfter: null })
    await run()
    expect(await peer.peek(0x0801, 9_000)).toEqual(program.subarray(2))
  })

  it('waits as long as the menu asks for patience', async () => {
    await machine.connect(never)
    await peer.change({ waits: 3 })
    await run()
    expect(await peer.peek(0x0801, 100)).toEqual(program.subarray(2, 102))
    expect(peer.log().filter(({ greeted }) => greeted)).toHaveLength(4)
  })

  it('is told to bring up its menu where nobody answers', async () => {
    await machine.connect(never)
    await peer.change({ silent: true })
    await expect(run()).rejects.toMatchObject({ code: 'TIMEOUT', hint: expect.stringContaining('menu') as unknown })
    await peer.change({ silent: false })
    await run()
    expect(await peer.peek(0x0801, 100)).toEqual(program.subarray(2, 102))
  })

  it('says why its menu refuses, or takes a part only', async () => {
    await machine.connect(never)
    await peer.change({ answer: 'ETYP' })
    await expect(run()).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await peer.change({ answer: 'NOPE' })
    await expect(run()).rejects.toMatchObject({ code: 'CONFLICT' })
    await peer.change({ answer: 'LOAD', request: 500, closesAfter: 2_000 })
    await expect(run()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('only part') as string,
    })
  })

  it('ends the loading when it is given up', async () => {
    await machine.connect(never)
    await peer.change({ request: 500, hangsAfter: 3 })
    const abort = new AbortController()
    const given = run('a.prg', program, abort.signal)
    const ended = expect(given).rejects.toMatchObject({ code: 'CANCELLED' })
    await hung()
    abort.abort()
    await ended
  })

  it('ends the loading when it is unplugged, in one sentence', async () => {
    await machine.connect(never)
    await peer.change({ request: 500, hangsAfter: 3 })
    const ended = expect(run()).rejects.toMatchObject({ code: 'LOST' })
    await hung()
    await line.unplug()
    await ended
    expect(machine.status).toMatchObject({ connection: 'lost', reason: `${line.here} was unplugged or switched off.` })
  })

  it('says of everything else why it cannot', async () => {
    await machine.connect(never)
    const { runProgram, ...others } = describeCapabilities(machine)
    expect(runProgram).toBeNull()
    expect(Object.entries(others).filter(([, why]) => why === null)).toEqual([])
    await expect(machine.readMemory({ space: 'cpu', address: 0, length: 1 }, never)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    })
    await expect(run('disk.d64')).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(run('empty.prg', new Uint8Array(0))).rejects.toMatchObject({ code: 'INVALID' })
  })

  it('is lost where its port is not there, with what to do', async () => {
    machine = createEasyFlashMachine({
      name: 'easyflash:x',
      link: { kind: 'serial', device: `${line.here}-none`, baud: 115_200 },
    })
    await expect(machine.connect(never)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(machine.status).toMatchObject({ connection: 'lost', reason: `There is no ${line.here}-none.` })
    await expect(run()).rejects.toMatchObject({ code: 'LOST' })
  })
})
