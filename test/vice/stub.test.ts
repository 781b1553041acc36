/** The real stub in a real VICE, over the emulated SwiftLink's TCP line. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { open } from '../../src-main/machine/bytestream/open'
import { StubClient } from '../../src-main/machine/stub/client'
import { crc16, fillBytes, mappings, sumPages } from '../../src-main/machine/stub/codec'
import { createStubMachine } from '../../src-main/machine/stub/driver'
import { lacks } from '../support/parts'
import { eventually } from './eventually'
import { startViceWithStub, type ViceWithStub } from './serialLine'
import { demo, ownRoms } from '../support/ownRoms'
import { bytesOf, collectSamples, soon } from './support'

const cable = { budget: 1, sideEffects: false }

const machineAt = (port: number): Machine =>
  createStubMachine({
    name: `stub:127.0.0.1:${port}`,
    link: { kind: 'tcp', host: '127.0.0.1', port },
    allowed: () => cable,
  })

/** Of capital letters, digits and the full stop. */
const screenCodes = (text: string): Buffer => Buffer.from(Array.from(Buffer.from(text), (code) => code & 0x3f))

/** Counts in $FB/$FC for ever, with interrupts off: LOOP INC $FB; BNE LOOP; INC $FC; JMP LOOP. At $1000. */
const counter = [0x78, 0xe6, 0xfb, 0xd0, 0xfc, 0xe6, 0xfc, 0x4c, 0x01, 0x10]

describe.skipIf(lacks('vice', 'xvfb'))('the stub in VICE', () => {
  let vice: ViceWithStub
  let machine: Machine

  beforeAll(async () => {
    vice = await startViceWithStub()
    machine = machineAt(vice.line.port)
    await machine.connect(soon())
  })
  afterAll(async () => {
    await machine.disconnect()
    await vice.stop()
  })

  const read = async (
    space: Parameters<Machine['writeMemory']>[0],
    address: number,
    length: number,
  ): Promise<number[]> => [...(await machine.readMemory({ space, address, length }, soon()))]
  const write = (space: Parameters<Machine['writeMemory']>[0], address: number, ...bytes: number[]): Promise<void> =>
    machine.writeMemory(space, address, Uint8Array.from(bytes), soon())
  const register = async (name: string): Promise<number | undefined> =>
    (await requireFacet(machine, 'registers').read(soon())).find((one) => one.name === name)?.value

  it('says what it is', () => {
    expect(machine.status).toMatchObject({ connection: 'live', execution: 'running', standard: 'pal' })
    expect(machine.status.version).toContain('38,400 baud')
    expect(machine.status.notices[0]).toContain('$C400 to $CFFF')
  })

  it.each([
    ['in low memory', 0x2000],
    ['under BASIC', 0xa100],
    ['under I/O', 0xd100],
    ['under the KERNAL', 0xe100],
  ])('reads and writes RAM %s, every byte of it, past one part', async (_where, address) => {
    const bytes = Array.from({ length: 600 }, (_, index) => (index * 7 + (index >> 8)) & 0xff)
    await write('ram', address, ...bytes)
    expect(await vice.peek(address, bytes.length)).toEqual(bytes)
    expect(await read('ram', address, bytes.length)).toEqual(bytes)
  })

  it('reads ROM, chips and colour RAM', async () => {
    const kernal = readFileSync(ownRoms.kernal)
    const characters = readFileSync(ownRoms.character)
    const basic = readFileSync(ownRoms.basic)
    expect(await read('rom', 0xe000, 256)).toEqual([...kernal.subarray(0, 256)])
    expect(await read('rom', 0xd000, 300)).toEqual([...characters.subarray(0, 300)])
    expect(await read('rom', 0xbfff, 1)).toEqual([basic[0x1fff]])
    await write('io', 0xd021, 0x0b)
    expect((await read('io', 0xd021, 1)).map((byte) => byte & 0x0f)).toEqual([0x0b])
    await write('colorRam', 0xdb00, 1, 2, 3)
    expect(await read('colorRam', 0xdb00, 3)).toEqual([1, 2, 3])
  })

  it('shows the program’s own $00 and $01, and what they map', async () => {
    expect(await read('ram', 0, 2)).toEqual([0x2f, 0x37])
    expect(await read('cpu', 0xfffc, 2)).toEqual([...readFileSync(ownRoms.kernal).subarray(0x1ffc, 0x1ffe)])
  })

  it('refuses to read registers whose read changes the machine', async () => {
    await expect(read('io', 0xdc00, 16)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('refuses to write over itself', async () => {
    await expect(write('ram', 0xc400, 0)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(write('ram', 0xc3ff, 0, 0)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await write('ram', 0xc3ff, 1)
  })

  it('types at the prompt', async () => {
    await requireFacet(machine, 'typeText').typeText('poke 8192,123\n', soon())
    await expect.poll(() => vice.peek(8192, 1)).toEqual([123])
  })

  describe('while a program runs with interrupts off', () => {
    beforeAll(async () => {
      await write('ram', 0x1000, ...counter)
      await requireFacet(machine, 'setRegisters').write('PC', 0x1000, soon())
    })

    it('sees where it is, and lets it run on', async () => {
      // An interrupt that was due while the program stood comes before its SEI.
      await expect.poll(() => register('PC')).toSatisfy((pc: number) => pc > 0x1000 && pc < 0x100a)
      expect(((await register('FL')) ?? 0) & 0x04).toBe(0x04)
      const before = await vice.peek(0xfb, 2)
      await expect.poll(() => vice.peek(0xfb, 2)).not.toEqual(before)
    })

    it('stops it and lets it go on', async () => {
      const execution = requireFacet(machine, 'pause')
      await execution.pause(soon())
      expect(machine.status.execution).toBe('paused')
      const stopped = await read('ram', 0xfb, 2)
      // The answer alone took the C64 longer than the program needs to count on.
      expect(await read('ram', 0xfb, 2)).toEqual(stopped)
      expect(await vice.peek(0xfb, 2)).toEqual(stopped)
      await execution.resume(soon())
      expect(machine.status.execution).toBe('running')
      await expect.poll(() => vice.peek(0xfb, 2)).not.toEqual(stopped)
    })

    it('sets its registers', async () => {
      await requireFacet(machine, 'pause').pause(soon())
      await requireFacet(machine, 'setRegisters').write('A', 0x5a, soon())
      await requireFacet(machine, 'setRegisters').write('01', 0x35, soon())
      expect([await register('A'), await register('01')]).toEqual([0x5a, 0x35])
      await requireFacet(machine, 'pause').resume(soon())
      // The KERNAL is banked out now, and with it the way by which the NMI came: the vector in RAM does it.
      expect([await register('A'), await register('01')]).toEqual([0x5a, 0x35])
      expect(await read('cpu', 0xfffa, 2)).toEqual(await vice.peek(0xfffa, 2))
    })

    it('does not change a byte of it, however often it is interrupted', async () => {
      const around = async (): Promise<number[]> => [
        ...(await vice.peek(0x0002, 0xf9)),
        ...(await vice.peek(0x0200, 0x200)),
        ...(await vice.peek(0x1000, 16)),
      ]
      const before = await around()
      const [stackPointer] = [await register('SP')]
      for (let time = 0; time < 50; time++) await register('PC')
      expect(await register('SP')).toBe(stackPointer)
      expect(await around()).toEqual(before)
    })
  })

  it('resets the C64 and is still there', async () => {
    await vice.poke(0x0400, 0x55)
    await requireFacet(machine, 'reset').reset('soft', soon())
    expect(machine.status).toMatchObject({ connection: 'live', execution: 'running' })
    await requireFacet(machine, 'typeText').typeText('poke 8192,77\n', soon())
    await expect.poll(() => vice.peek(8192, 1)).toEqual([77])
  })

  it('runs a program', async () => {
    await requireFacet(machine, 'runProgram').run(
      { name: 'demo.prg', path: demo, bytes: readFileSync(demo) },
      AbortSignal.timeout(60_000),
    )
    // The demo takes the interrupt and draws into $2000.
    await expect.poll(() => vice.peek(0x0314, 2)).not.toEqual([0x31, 0xea])
    expect(machine.status.connection).toBe('live')
    expect(await register('PC')).toBeGreaterThan(0)
    await requireFacet(machine, 'reset').reset('soft', soon())
  })

  describe('starts a program', () => {
    /** 10 SYS2061, and $5A to $C300. */
    const code = [0xa9, 0x5a, 0x8d, 0x00, 0xc3, 0x60]
    const basic = [0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, ...code]
    const filled = (length: number) => Array<number>(length).fill(0)

    it.each<[string, number, number[], number[]]>([
      ['with RUN where BASIC lies behind the start of the file', 0x0658, [...filled(0x1a9), ...basic], [0x13, 0x08]],
      ['with RUN that lies on the screen, too', 0x0400, [...filled(0x401), ...basic], [0x13, 0x08]],
      ['with SYS where there is no BASIC', 0xc000, code, [0x06, 0xc0]],
      ['with SYS at $0801 where there is no BASIC', 0x0801, code, [0x07, 0x08]],
      ['with SYS in the tape buffer', 0x033c, code, [0x42, 0x03]],
    ])('%s', async (_how, load, bytes, end) => {
      await vice.poke(0xc300, 0)
      const file = Uint8Array.of(load & 0xff, load >> 8, ...bytes)
      await requireFacet(machine, 'runProgram').run({ name: 'a.prg', path: '', bytes: file }, soon())
      await expect.poll(() => vice.peek(0xc300, 1)).toEqual([0x5a])
      expect(await vice.peek(0x2b, 8)).toEqual([0x01, 0x08, ...end, ...end, ...end])
      expect(await vice.peek(0xae, 2)).toEqual(end)
    })

    it('puts it under the chips', async () => {
      await requireFacet(machine, 'runProgram').run(
        { name: 'a.prg', path: '', bytes: Uint8Array.of(0x00, 0xd0, ...code) },
        soon(),
      )
      expect(await vice.peek(0xd000, code.length)).toEqual(code)
    })

    it.each([
      ['over itself', 0xc3ff, 'CONFLICT'],
      ['over the KERNAL’s variables', 0x033b, 'UNSUPPORTED'],
    ])('but not %s', async (_where, load, code) => {
      const file = Uint8Array.of(load & 0xff, load >> 8, 0x60, 0x60)
      await expect(
        requireFacet(machine, 'runProgram').run({ name: 'a.prg', path: '', bytes: file }, soon()),
      ).rejects.toMatchObject({ code })
    })
  })

  it('says when the stub is gone, and goes on when it is back', async () => {
    const screen = async () => Buffer.from(await vice.peek(0x0400, 1000))
    const shows = async (text: string) => (await screen()).includes(screenCodes(text))
    /** What is typed while the C64 does something else is dropped, and nothing tells that. */
    const typeUntil = (line: string, isDone: () => Promise<boolean> | boolean) =>
      expect.poll(async () => (await isDone()) || vice.type(line).then(() => false), { interval: 3_000 }).toBe(true)
    await typeUntil('sys64738\n', async () => {
      await read('ram', 0x400, 1).catch(() => undefined)
      return machine.status.connection === 'stale' && !(await shows('SYS64738')) && shows('READY.')
    })
    expect(machine.status.reason).toContain('does not answer')
    expect(machine.status.hint).toContain('SYS 50176')
    await typeUntil('sys50176\n', () => machine.status.connection === 'live')
    await machine.disconnect()
    await machine.connect(soon())
  })

  describe('on a bad line', () => {
    const answers = async (): Promise<void> => {
      const wanted = Array.from({ length: 300 }, (_, index) => (index * 31) & 0xff)
      await write('ram', 0x3000, ...wanted)
      expect(await read('ram', 0x3000, wanted.length)).toEqual(wanted)
    }
    /** Damages one byte in so many, on both ways. */
    const every = (share: number, damage: (byte: number) => number[]) => {
      let count = 0
      const pass = (bytes: Buffer): Buffer =>
        Buffer.from([...bytes].flatMap((byte) => (++count % share === 0 ? damage(byte) : [byte])))
      vice.line.faults.toC64 = pass
      vice.line.faults.fromC64 = pass
    }
    const heal = (): void => {
      vice.line.faults.toC64 = (bytes) => bytes
      vice.line.faults.fromC64 = (bytes) => bytes
    }

    it.each([
      ['lost bytes', 700, () => []],
      ['doubled bytes', 700, (byte: number) => [byte, byte]],
      ['flipped bits', 700, (byte: number) => [byte ^ 0x10]],
      ['garbage', 700, (byte: number) => [byte, 0xde, 0xad, 0x00, 0xbe]],
    ] as const)('takes no wrong byte for right: %s', async (_name, share, damage) => {
      every(share, damage)
      try {
        for (let time = 0; time < 4; time++) await answers()
      } finally {
        heal()
      }
      await answers()
    })

    it('finds its way back after noise', async () => {
      vice.line.faults.toC64 = () => Buffer.from(Array.from({ length: 40 }, (_, index) => (index * 73) & 0xff))
      await read('ram', 0x3000, 1).catch(() => undefined)
      heal()
      await eventually(() => machine.status.connection).toBe('live')
      await answers()
    })

    it('is lost when the line is, and connects again', async () => {
      await vice.line.unplug()
      await eventually(() => machine.status.connection).toBe('lost')
      await vice.line.plugIn()
      await machine.connect(soon())
      await answers()
    })
  })

  it('fills, and sums pages as the CRC says', async () => {
    await machine.disconnect()
    const { client } = await StubClient.connect(
      await open({ kind: 'tcp', host: '127.0.0.1', port: vice.line.port }, soon()),
      'the line',
      null,
      soon(),
    )
    try {
      await client.request(fillBytes(mappings.io, 0x4080, 0x300, 0xaa), soon())
      const bytes = Uint8Array.from(await vice.peek(0x4000, 0x400))
      expect([...bytes.subarray(0x80, 0x380)].every((byte) => byte === 0xaa)).toBe(true)
      expect([bytes[0x7f], bytes[0x380]]).not.toContain(0xaa)
      expect(await client.request(sumPages(mappings.io, 0x40, 4), soon())).toEqual(
        [0, 1, 2, 3].map((page) => crc16(bytes.subarray(page * 256, page * 256 + 256))),
      )
      await expect(client.request(sumPages(mappings.io, 0xff, 2), soon())).rejects.toMatchObject({ code: 'INVALID' })
    } finally {
      await client.close()
    }
    await machine.connect(soon())
  })
})

describe.skipIf(lacks('vice', 'xvfb'))('the stub on a Turbo232', () => {
  let vice: ViceWithStub
  let machine: Machine

  beforeAll(async () => {
    vice = await startViceWithStub(230_400)
    machine = machineAt(vice.line.port)
    await machine.connect(soon())
  })
  afterAll(async () => {
    await machine.disconnect()
    await vice.stop()
  })

  it('reads and writes at 230,400 baud', async () => {
    expect(machine.status.version).toContain('230,400 baud')
    const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 13) & 0xff)
    await machine.writeMemory('ram', 0x4000, bytes, soon())
    expect(await machine.readMemory({ space: 'ram', address: 0x4000, length: bytes.length }, soon())).toEqual(bytes)
  })

  it('samples all memory, then what changes, and tells the cost', async () => {
    const samples = collectSamples(machine)
    const ram = (): Uint8Array => bytesOf(samples.at(-1), 'ram')
    await machine.setSampling({ mode: 'free', rate: 20, spaces: ['ram', 'io', 'colorRam'], picture: false })
    await expect.poll(() => ram().length, { timeout: 60_000 }).toBe(0x1_0000)
    expect([...ram().subarray(0xe000, 0xe100)]).toEqual(await vice.peek(0xe000, 0x100))
    await vice.poke(0x8123, 0x42)
    await expect.poll(() => ram()[0x8123], { timeout: 60_000 }).toBe(0x42)
    expect(samples.at(-1)?.registers?.map(({ name }) => name)).toContain('PC')
    expect(samples.at(-1)?.cost).toBeGreaterThan(0)
    expect(bytesOf(samples.at(-1), 'colorRam').length).toBe(0x400)
    await machine.setSampling({ mode: 'off', rate: 20, spaces: [], picture: false })
  })

  it('shows what the CPU sees', async () => {
    const samples = collectSamples(machine)
    await machine.setSampling({ mode: 'free', rate: 20, spaces: ['cpu'], picture: false })
    const kernal = readFileSync(ownRoms.kernal)
    const atReset = (): number[] =>
      samples
        .at(-1)
        ?.segments.flatMap(({ address, bytes }) =>
          address <= 0xfffc && address + bytes.length > 0xfffd
            ? [...bytes.subarray(0xfffc - address, 0xfffe - address)]
            : [],
        ) ?? []
    await expect.poll(atReset, { timeout: 60_000 }).toEqual([...kernal.subarray(0x1ffc, 0x1ffe)])
    await machine.setSampling({ mode: 'off', rate: 20, spaces: [], picture: false })
  })
})
