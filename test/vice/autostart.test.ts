/** Programs started in the built-in C64 and by x64sc's autostart: what lies in memory and what runs is the same. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { screenToText } from '@shared/c64/screenCodes'
import { readVsfRam } from '@shared/c64/vsf'
import { startProgram } from '../../src-main/machine/builtin/autostart'
import { C64 } from '../../src-main/machine/builtin/c64'
import { MonitorClient } from '../../src-main/machine/vice/client'
import type { Request } from '../../src-main/machine/vice/codec'
import { autostart, exit, readMemory, writeMemory } from '../../src-main/machine/vice/commands'
import { lacks } from '../support/parts'
import { readRoms } from '../support/ownRoms'
import { soon, startVice, type RunningVice } from './support'

const RAM_BANK = 1
/** What a program leaves at $CFF0 to $CFF3 when it has run: $00 and $01 as it found them, and its mark. */
const MARK = 0xcff0
const mark = [0xa5, 0x00, 0x8d, 0xf0, 0xcf, 0xa5, 0x01, 0x8d, 0xf1, 0xcf, 0xa9, 0x5a, 0x8d, 0xf2, 0xcf, 0x60]

/** 10 SYS2061: and the code at $080D. */
const basic = [0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, ...mark]
const filled = (length: number, value: number) => Array<number>(length).fill(value)

interface Loaded {
  readonly load: number
  readonly bytes: readonly number[]
}

/** RAM up to $0800 as it stands at the prompt, so that a program can lie over it and the prompt lives on. */
function lowMemory(machine: C64): number[] {
  return [...machine.space.ram.subarray(0, 0x0801)]
}

const newMachine = () => new C64(readRoms(), 'pal')

function ours({ load, bytes }: Loaded): Uint8Array {
  const machine = newMachine()
  startProgram(machine, Uint8Array.of(load & 0xff, load >> 8, ...bytes))
  for (let frame = 0; frame < 300 && !(machine.input.typing.length === 0 && machine.atPrompt); frame++)
    machine.runFrame()
  for (let frame = 0; frame < 10; frame++) machine.runFrame()
  return machine.space.ram
}

const rows = (ram: Uint8Array) => screenToText(ram.subarray(0x0400, 0x07e8), 'upper').map((row) => row.trimEnd())
const typed = (ram: Uint8Array) => rows(ram).filter((row) => /^(RUN|SYS\d+):/.test(row))
const at = (ram: Uint8Array, address: number, length: number) => [...ram.subarray(address, address + length)]

describe.skipIf(lacks('vice', 'xvfb'))('a program that is started', () => {
  let folder: string
  let vice: RunningVice
  let client: MonitorClient
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-autostart-'))
    vice = await startVice('x64sc', ['-warp'])
    client = await MonitorClient.connect({ host: '127.0.0.1', port: vice.port }, soon())
  })
  afterAll(async () => {
    client.close()
    await vice.stop()
    rmSync(folder, { recursive: true })
  })

  const viceRam = (): Promise<Uint8Array> =>
    client.trap(async (send) => {
      const [ram] = await Promise.all([send(readMemory(RAM_BANK, 0, 0xffff)), send(exit())])
      return ram
    }, soon())

  /** VICE's RAM once what it typed has been answered. */
  async function theirs({ load, bytes }: Loaded): Promise<Uint8Array> {
    const path = join(folder, 'program.prg')
    writeFileSync(path, Uint8Array.of(load & 0xff, load >> 8, ...bytes))
    await client.trap(async (send) => {
      const cleared = send(writeMemory(RAM_BANK, 0x0400, new Uint8Array(1000)))
      await Promise.all([cleared, send(autostart(path)), send(exit())])
    }, soon())
    const ranRam = async () => {
      const ram = await viceRam()
      const screen = rows(ram)
      const run = screen.findLastIndex((row) => row.startsWith('RUN:'))
      return run >= 0 && screen.slice(run).some((row) => row.startsWith('READY.')) && ram
    }
    return vi.waitUntil(ranRam, { timeout: 60_000, interval: 50 })
  }

  it('is what a snapshot held when VICE saved it, as its file tells too', async () => {
    const path = join(folder, 'saved.vsf')
    const body = Uint8Array.of(0, 0, path.length, ...new TextEncoder().encode(path))
    const dump: Request<undefined> = {
      does: 'save a snapshot',
      command: 0x41,
      body,
      answer: 0x41,
      parse: () => undefined,
    }
    await client.trap(async (send) => {
      const saved = [send(writeMemory(RAM_BANK, 0xc000, Uint8Array.of(1, 2, 3))), send(dump)]
      const changed = send(writeMemory(RAM_BANK, 0xc000, Uint8Array.of(9, 9, 9)))
      await Promise.all([...saved, changed, send(autostart(path)), send(exit())])
    }, soon())
    await expect.poll(async () => at(await viceRam(), 0xc000, 3), { timeout: 20_000 }).toEqual([1, 2, 3])
    expect(at(readVsfRam(readFileSync(path)), 0xc000, 3)).toEqual([1, 2, 3])
  })

  it.each<[string, Loaded]>([
    ['at $0801', { load: 0x0801, bytes: basic }],
    ['from $0800', { load: 0x0800, bytes: [0, ...basic] }],
    ['from $07FF', { load: 0x07ff, bytes: [0, 0, ...basic] }],
    ['from $0658', { load: 0x0658, bytes: [...filled(0x0801 - 0x0658, 0), ...basic] }],
    ['at $0801, up to behind the chips', { load: 0x0801, bytes: [...basic, ...filled(0xe000 - 0x0801, 0x55)] }],
  ])('is RUN with a BASIC program in BASIC’s place, loaded %s', async (_where, loaded) => {
    const [vices, mine] = [await theirs(loaded), ours(loaded)]
    expect(typed(mine)).toEqual(typed(vices))
    expect(at(mine, MARK, 3)).toEqual([0x2f, 0x37, 0x5a])
    for (const [address, length] of areas(loaded)) expect(at(mine, address, length)).toEqual(at(vices, address, length))
  })

  it('is RUN in the midst of letters that it has put on the whole screen, where VICE misses READY and waits', () => {
    const mine = ours({ load: 0x0400, bytes: [...filled(0x400, 1), 0, ...basic] })
    expect(typed(mine)).toEqual([`RUN:${'A'.repeat(36)}`])
    expect(at(mine, MARK, 3)).toEqual([0x2f, 0x37, 0x5a])
  })

  it.each([
    ['0x11, 0x22', [0x11, 0x22]],
    ['0x2f, 0x34', [0x2f, 0x34]],
  ])('keeps the port when it lies over all memory below BASIC’s, with %s for the port', async (_what, port) => {
    const machine = newMachine()
    for (let frame = 0; frame < 60; frame++) machine.runFrame()
    const loaded = { load: 0, bytes: [...port, ...lowMemory(machine).slice(2), ...basic] }
    const [vices, mine] = [await theirs(loaded), ours(loaded)]
    expect(at(mine, MARK, 3)).toEqual([0x2f, 0x37, 0x5a])
    expect(at(vices, MARK, 3)).toEqual([0x2f, 0x37, 0x5a])
  })

  it('takes over the prompt when it lies over its vector', async () => {
    const machine = newMachine()
    for (let frame = 0; frame < 60; frame++) machine.runFrame()
    const page = lowMemory(machine).slice(0x0300, 0x033c)
    page.splice(2, 2, 0x3c, 0x03)
    // What it marks, then the prompt's own loop, which our ROM has behind the vector.
    const [low = 0, high = 0] = machine.space.ram.subarray(0x0302, 0x0304)
    const loaded = { load: 0x0300, bytes: [...page, ...mark.slice(0, -1), 0x4c, low, high] }
    await theirs(loaded)
    // The prompt's vector is used right after READY. is printed.
    await expect.poll(async () => at(await viceRam(), MARK, 3), { timeout: 20_000 }).toEqual([0x2f, 0x37, 0x5a])
    expect(at(ours(loaded), MARK, 3)).toEqual([0x2f, 0x37, 0x5a])
  })

  it.each<[string, Loaded]>([
    ['$C000', { load: 0xc000, bytes: mark }],
    ['$1000', { load: 0x1000, bytes: mark }],
    ['$0900', { load: 0x0900, bytes: mark }],
    ['$0400, on the screen', { load: 0x0400, bytes: mark }],
    ['$0801, without a line of BASIC', { load: 0x0801, bytes: mark }],
  ])('is found by SYS at %s, where VICE types RUN in vain, with the same pointers', async (_where, loaded) => {
    const [vices, mine] = [await theirs(loaded), ours(loaded)]
    expect(typed(vices)).toEqual(['RUN:'])
    expect(at(vices, MARK, 3)[2]).not.toBe(0x5a)
    expect(at(mine, MARK, 3)).toEqual([0x2f, 0x37, 0x5a])
    for (const [address, length] of areas(loaded)) expect(at(mine, address, length)).toEqual(at(vices, address, length))
  })
})

/** The pointers, and the program above the screen. */
const areas = ({ load, bytes }: Loaded): [address: number, length: number][] => {
  const start = Math.max(load, 0x0800)
  return [
    [0x2b, 8],
    [0xae, 2],
    [start, Math.max(0, load + bytes.length - start)],
  ]
}
