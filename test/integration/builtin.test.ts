/** The built-in C64 as the bridge uses it: the real driver, the real worker (as built), our own ROM. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { screenToText } from '@shared/c64/screenCodes'
import type { Space } from '@shared/contract/memory'
import { defaultHistory, defaultModels } from '@shared/contract/machine'
import { BuiltinMachine, type BuiltinOptions } from '../../src-main/machine/builtin/driver'
import { loadCharacterRom, loadRoms } from '../../src-main/machine/builtin/roms'
import { decodeState } from '../../src-main/machine/builtin/state'
import type { WantedCheckpoint } from '../../src-main/machine/facets'
import type { Sample } from '../../src-main/machine/machine'
import { expectedOfOldStates, oldRoms, oldState } from '../support/oldStates'
import { readRoms } from '../support/ownRoms'

const workerPath = resolve('out/main/builtinWorker.cjs')
const resources = resolve('out/resources/c64')
const noRoms = { kernal: null, basic: null, character: null }
const everything: readonly Space[] = ['cpu', 'ram', 'rom', 'io', 'colorRam']

let folder: string
let machines: BuiltinMachine[]
const signal = new AbortController().signal

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-builtin-'))
  machines = []
})
afterEach(async () => {
  await Promise.all(machines.map((machine) => machine.disconnect()))
  rmSync(folder, { recursive: true })
})

function create(options: Partial<BuiltinOptions> = {}): BuiltinMachine {
  const machine = new BuiltinMachine({
    workerPath,
    resources,
    roms: noRoms,
    standard: 'pal',
    models: defaultModels,
    history: defaultHistory,
    statePath: null,
    autorun: null,
    ...options,
  })
  machines.push(machine)
  return machine
}

async function connected(options: Partial<BuiltinOptions> = {}): Promise<BuiltinMachine> {
  const machine = create(options)
  await machine.connect(signal)
  return machine
}

const read = (machine: BuiltinMachine, space: Space, address: number, length: number) =>
  machine.readMemory({ space, address, length }, signal)
const write = (machine: BuiltinMachine, space: Space, address: number, ...bytes: number[]) =>
  machine.writeMemory(space, address, Uint8Array.from(bytes), signal)
const screen = async (machine: BuiltinMachine) =>
  screenToText(await read(machine, 'ram', 0x0400, 1000), 'upper').map((row) => row.trimEnd())

async function untilStatus(
  machine: BuiltinMachine,
  reached: (status: BuiltinMachine['status']) => boolean,
): Promise<void> {
  if (reached(machine.status)) return
  await new Promise<void>((resolve) => {
    const stop = machine.onStatus(() => {
      if (!reached(machine.status)) return
      stop()
      resolve()
    })
  })
}

/** The next `count` samples. */
const samples = (machine: BuiltinMachine, count: number): Promise<Sample[]> =>
  new Promise((resolve) => {
    const taken: Sample[] = []
    const stop = machine.onSample((sample) => {
      taken.push(sample)
      if (taken.length < count) return
      stop()
      resolve(taken)
    })
  })

const eventually = (found: () => Promise<boolean>): Promise<void> => expect.poll(found, { interval: 20 }).toBe(true)

/** 10 SYS 2061 and machine code behind it. */
const basicProgram = (...code: number[]) =>
  Uint8Array.of(0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, ...code)
const program = (bytes: Uint8Array) => ({ name: 'test.prg', path: '/test.prg', bytes })

describe('a built-in C64', () => {
  it('is at its prompt when it is connected, and says on which ROMs it runs', async () => {
    const machine = await connected()
    expect(machine.status).toMatchObject({
      connection: 'live',
      execution: 'running',
      standard: 'pal',
      notices: ['ROMs: Bridgedeck’s own.'],
    })
    expect((await screen(machine)).join('\n')).toContain('READY.')
  })

  it('sends each frame with what is wished, and nothing when nothing is', async () => {
    const machine = await connected()
    const first = samples(machine, 5)
    await machine.setSampling({ mode: 'free', rate: 50, spaces: everything, picture: true })
    const [sample] = await first
    expect(sample?.segments.map(({ space, address, bytes }) => [space, address, bytes.length])).toEqual([
      ['cpu', 0, 0x10000],
      ['ram', 0, 0x10000],
      ['rom', 0, 0x10000],
      ['io', 0xd000, 0x1000],
      ['colorRam', 0xd800, 0x400],
    ])
    expect(sample?.picture?.pixels.length).toBe((384 * 272) / 2)
    expect(sample?.registers?.map(({ name }) => name)).toEqual([
      'PC',
      'A',
      'X',
      'Y',
      'SP',
      'FL',
      '00',
      '01',
      'LIN',
      'CYC',
    ])

    await machine.setSampling({ mode: 'free', rate: 50, spaces: ['io'], picture: false })
    const last = (await samples(machine, 3)).at(-1)
    expect([last?.segments.length, last?.picture]).toEqual([1, undefined])

    await machine.setSampling({ mode: 'off', rate: 50, spaces: [], picture: false })
    let count = 0
    machine.onSample(() => count++)
    // The KERNAL counts frames, more or less.
    const clock = async () => (await read(machine, 'ram', 0xa2, 1))[0] ?? 0
    const before = await clock()
    await eventually(async () => ((await clock()) - before) % 256 >= 5)
    expect(count).toBe(0)
  })

  it('reads and writes every space', async () => {
    const machine = await connected()
    await machine.execution.pause(signal)
    await write(machine, 'ram', 0xe000, 0x42)
    await write(machine, 'cpu', 0xd020, 0x05)
    await write(machine, 'colorRam', 0xd800, 0xf7)
    await write(machine, 'io', 0xd021, 0x03)
    expect([...(await read(machine, 'ram', 0xe000, 1))]).toEqual([0x42])
    expect(await read(machine, 'cpu', 0xe000, 0x2000)).toEqual(
      new Uint8Array(readFileSync(join(resources, 'kernal.bin'))),
    )
    expect(await read(machine, 'rom', 0xd000, 0x1000)).toEqual(
      new Uint8Array(readFileSync(join(resources, 'chargen.bin'))),
    )
    expect([...(await read(machine, 'io', 0xd020, 2))]).toEqual([0xf5, 0xf3])
    expect([...(await read(machine, 'colorRam', 0xd800, 1))]).toEqual([0x07])
    await expect(write(machine, 'rom', 0xe000, 1)).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(write(machine, 'io', 0xcfff, 1, 2)).rejects.toMatchObject({ code: 'INVALID' })
    await expect(read(machine, 'ram', 0xffff, 2)).rejects.toMatchObject({ code: 'INVALID' })
  })

  it('sends a fresh sample after each change while it stands', async () => {
    const machine = await connected()
    await machine.setSampling({ mode: 'free', rate: 50, spaces: ['ram'], picture: false })
    await machine.execution.pause(signal)
    const afterWrite = samples(machine, 1)
    await write(machine, 'ram', 0xc000, 0x99)
    expect((await afterWrite)[0]?.segments[0]?.bytes[0xc000]).toBe(0x99)
    const afterStep = samples(machine, 1)
    await write(machine, 'ram', 0xc000, 0xe8)
    await afterStep
    const stepped = samples(machine, 2)
    await machine.registers.write('PC', 0xc000, signal)
    await machine.stepping.step(1, false, signal)
    expect((await stepped)[1]?.registers?.[0]).toEqual({ name: 'PC', value: 0xc001, bits: 16 })
  })

  it('refuses registers that it has not, and values that do not fit', async () => {
    const machine = await connected()
    await machine.execution.pause(signal)
    expect(await machine.registers.write('a', 0x12, signal)).toContainEqual({ name: 'A', value: 0x12, bits: 8 })
    await expect(machine.registers.write('Q', 1, signal)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(machine.registers.write('X', 256, signal)).rejects.toMatchObject({ code: 'INVALID' })
    await expect(machine.registers.write('LIN', 1, signal)).rejects.toMatchObject({ code: 'UNSUPPORTED' })
  })

  it('runs a program from BASIC’s place and one from elsewhere', async () => {
    const machine = await connected()
    // LDA #$77: STA $C100: JMP to itself; then LDA #$78: STA $C100: RTS at $C000.
    await machine.programs.run(program(basicProgram(0xa9, 0x77, 0x8d, 0x00, 0xc1, 0x4c, 0x12, 0x08)), signal)
    await eventually(async () => (await read(machine, 'ram', 0xc100, 1))[0] === 0x77)
    await machine.programs.run(program(Uint8Array.of(0x00, 0xc0, 0xa9, 0x78, 0x8d, 0x00, 0xc1, 0x60)), signal)
    await eventually(async () => (await read(machine, 'ram', 0xc100, 1))[0] === 0x78)
    await expect(machine.programs.run(program(Uint8Array.of(1)), signal)).rejects.toMatchObject({ code: 'INVALID' })
  })

  it('takes programs only: an image or a text is refused in words, and what runs goes on', async () => {
    const machine = await connected()
    const bytes = Uint8Array.of(0x01, 0x08, 0x00, 0x00)
    await expect(machine.programs.run({ name: 'game.d64', path: '', bytes }, signal)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('game.d64 was not run. The built-in C64 has no disk drive') as string,
    })
    await expect(machine.programs.run({ name: 'game.crt', path: '', bytes }, signal)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      hint: 'Run it on the machine vice.',
    })
    await expect(machine.programs.run({ name: 'notes.txt', path: '', bytes }, signal)).rejects.toMatchObject({
      code: 'INVALID',
    })
    expect(machine.status.execution).toBe('running')
  })

  it('stops at an opcode it cannot run, says so, and runs again after a reset', async () => {
    const machine = await connected()
    await machine.programs.run(program(basicProgram(0x02)), signal)
    await untilStatus(machine, ({ execution }) => execution === 'jammed')
    expect(machine.status.reason).toMatch(/\$080D.*opcode \$02/)
    await expect(machine.execution.resume(signal)).rejects.toMatchObject({ code: 'CONFLICT' })
    await machine.execution.reset('soft', signal)
    expect(machine.status).toMatchObject({ execution: 'running', reason: null, stop: null })
    await eventually(async () => (await screen(machine)).includes('READY.'))
  })

  it('stops at a checkpoint, says at which, and goes on', async () => {
    const machine = await connected()
    const checkpoint = {
      start: 0x080d,
      end: 0x080d,
      operations: ['exec' as const],
      stop: true,
      enabled: true,
      temporary: false,
      condition: null,
      fromHit: 1,
      log: null,
    }
    const { number } = await machine.checkpoints.set(checkpoint, signal)
    await machine.programs.run(program(basicProgram(0xee, 0x20, 0xd0, 0x4c, 0x0d, 0x08)), signal)
    await untilStatus(machine, ({ execution }) => execution === 'paused')
    expect(machine.status).toMatchObject({
      stop: { checkpoint: number, pc: 0x080d, operation: 'exec', by: null },
    })
    await machine.checkpoints.delete(number, signal)
    await machine.execution.resume(signal)
    expect(machine.status).toMatchObject({ execution: 'running', reason: null })
    await expect(machine.checkpoints.enable(number, true, signal)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('tells which instruction wrote where a checkpoint stopped it, until it steps', async () => {
    const machine = await connected()
    const checkpoint = {
      start: 0xd020,
      end: 0xd021,
      operations: ['store' as const],
      stop: true,
      enabled: true,
      temporary: false,
      condition: null,
      fromHit: 1,
      log: null,
    }
    await machine.checkpoints.set(checkpoint, signal)
    await machine.programs.run(program(basicProgram(0xee, 0x20, 0xd0, 0x4c, 0x0d, 0x08)), signal)
    await untilStatus(machine, ({ execution }) => execution === 'paused')
    expect(machine.status.stop).toMatchObject({
      pc: 0x0810,
      start: 0xd020,
      end: 0xd020,
      operation: 'store',
      by: { address: 0x080d, text: 'INC $D020' },
    })
    await machine.stepping.step(1, false, signal)
    expect(machine.status).toMatchObject({ execution: 'paused', stop: null, reason: null })
  })

  it('takes typed text and single keys', async () => {
    const machine = await connected()
    await machine.typing.typeText('typed by a test of more than ten', signal)
    await eventually(async () => (await screen(machine)).includes('TYPED BY A TEST OF MORE THAN TEN'))
    await machine.typing.typeText('\n', signal)
    await machine.keys.setKeys(['q'], signal)
    await eventually(async () => (await screen(machine)).some((row) => row.startsWith('Q')))
    await machine.keys.setKeys([], signal)
  })

  it('changes between PAL and NTSC, and in and out of warp, while it runs', async () => {
    const machine = await connected()
    await machine.speed.setStandard('ntsc', signal)
    expect(machine.status.standard).toBe('ntsc')
    expect((await machine.display.read(signal)).height).toBe(247)
    expect((await screen(machine)).join('\n')).toContain('READY.')
    await machine.speed.setWarp(true, signal)
    await untilStatus(machine, ({ warp, speed }) => warp && speed !== null && speed > 1.5)
    await machine.speed.setWarp(false, signal)
    expect(machine.status.warp).toBe(false)
  })

  it('saves its state and loads it again', async () => {
    const machine = await connected()
    await write(machine, 'ram', 0xc000, 1, 2, 3)
    const state = await machine.state.save(0, signal)
    await write(machine, 'ram', 0xc000, 9, 9, 9)
    await machine.state.load(state, signal)
    expect([...(await read(machine, 'ram', 0xc000, 3))]).toEqual([1, 2, 3])
    await expect(machine.state.load(state.subarray(1), signal)).rejects.toMatchObject({ code: 'INVALID' })
  })
})

describe('the models of the chips', () => {
  const modelsOf = async (machine: BuiltinMachine) => {
    const { roms } = await loadRoms(resources, noRoms)
    const { ciaModel, vicModel } = decodeState(await machine.state.save(0, signal), roms).chips
    return { ciaModel, vicModel }
  }

  const oldModels = { ciaModel: '6526', vicModel: '6569' } as const

  it('come with a state that is loaded, and stay when the standard changes', async () => {
    const old = await connected({ models: oldModels })
    const machine = await connected()
    expect(await modelsOf(machine)).toEqual(defaultModels)
    await machine.state.load(await old.state.save(0, signal), signal)
    await machine.speed.setStandard('ntsc', signal)
    expect(await modelsOf(machine)).toEqual(oldModels)
  })

  it('are the chosen ones when the machine is resumed', async () => {
    const statePath = join(folder, 'c64.state')
    await (await connected({ statePath })).disconnect()
    expect(await modelsOf(await connected({ statePath, models: oldModels }))).toEqual(oldModels)
  })
})

describe('the state kept in a file', () => {
  it('is resumed from what 0.1 kept', async () => {
    const statePath = join(folder, 'c64.state')
    writeFileSync(statePath, oldState('timers'))
    const { kernal, basic, character } = oldRoms()
    for (const [name, bytes] of Object.entries({ kernal, basic, chargen: character }))
      writeFileSync(join(folder, `${name}.bin`), bytes)
    const machine = await connected({ statePath, resources: folder })
    expect(machine.status.notices).toEqual(['ROMs: Bridgedeck’s own.', expect.stringMatching(/^Resumed from/)])
    const [shown = ''] = expectedOfOldStates.timers?.screen ?? []
    await eventually(async () => (await screen(machine))[0]?.trim() === shown)
  })

  it('is resumed at the next connect', async () => {
    const statePath = join(folder, 'c64.state')
    const machine = await connected({ statePath })
    await write(machine, 'ram', 0xc000, 0xab)
    await machine.disconnect()
    expect(machine.status.connection).toBe('idle')
    await machine.connect(signal)
    expect(machine.status.notices).toEqual([
      'ROMs: Bridgedeck’s own.',
      expect.stringMatching(/^Resumed from \d\d:\d\d:\d\d\.$/),
    ])
    expect([...(await read(machine, 'ram', 0xc000, 1))]).toEqual([0xab])
  })

  it('of a jammed machine is resumed jammed, and a reset goes on', async () => {
    const machine = await connected({ statePath: join(folder, 'c64.state') })
    await machine.programs.run(program(basicProgram(0x02)), signal)
    await untilStatus(machine, ({ execution }) => execution === 'jammed')
    await machine.disconnect()
    await machine.connect(signal)
    await untilStatus(machine, ({ execution }) => execution === 'jammed')
    expect(machine.status.reason).toContain('$080D')
    await machine.execution.reset('soft', signal)
    await eventually(async () => (await screen(machine)).includes('READY.'))
  })

  it('that is broken, or of other ROMs, is passed over and named', async () => {
    const statePath = join(folder, 'c64.state')
    writeFileSync(statePath, 'rubbish')
    const broken = await connected({ statePath })
    expect(broken.status.notices[1]).toContain('started afresh')
    await broken.disconnect()

    const kernal = new Uint8Array(readFileSync(join(resources, 'kernal.bin')))
    kernal[0x1ff0] = (kernal[0x1ff0] ?? 0) ^ 1
    writeFileSync(join(folder, 'other.bin'), kernal)
    const roms = { kernal: join(folder, 'other.bin'), basic: join(resources, 'basic.bin'), character: null }
    const other = await connected({ statePath, roms })
    expect(other.status.notices).toEqual(['ROMs: other.bin, basic.bin.', expect.stringContaining('other ROMs')])
  })

  it('takes the place of the program that runs at the first start only', async () => {
    const statePath = join(folder, 'c64.state')
    const autorun = join(folder, 'first.prg')
    writeFileSync(autorun, basicProgram(0xee, 0x00, 0xc1, 0x60))
    const machine = await connected({ statePath, autorun })
    await eventually(async () => (await read(machine, 'ram', 0xc100, 1))[0] === 0x01)
    await write(machine, 'ram', 0xc100, 0x55)
    await machine.disconnect()
    await machine.connect(signal)
    expect([...(await read(machine, 'ram', 0xc100, 1))]).toEqual([0x55])
  })
})

describe('ROM files', () => {
  it('that cannot be used are named, and our own are used', async () => {
    writeFileSync(join(folder, 'short.bin'), new Uint8Array(100))
    const roms = {
      kernal: join(folder, 'short.bin'),
      basic: join(resources, 'basic.bin'),
      character: join(folder, 'none.bin'),
    }
    const machine = await connected({ roms })
    expect(machine.status.notices).toEqual([
      'ROMs: Bridgedeck’s own.',
      'short.bin cannot be used as the KERNAL ROM (it has 100 bytes, not 8192); Bridgedeck’s own is used instead.',
      'none.bin cannot be used as the character ROM (there is no such file); Bridgedeck’s own is used instead.',
      'KERNAL and BASIC ROM only work together, and there is no KERNAL ROM: Bridgedeck’s own are used.',
    ])
  })

  it.skipIf(process.platform === 'win32')('that are devices, which never end, are not read', async () => {
    const machine = await connected({ roms: { kernal: null, basic: null, character: '/dev/zero' } })
    expect(machine.status.notices).toContain(
      'zero cannot be used as the character ROM (it is no file); Bridgedeck’s own is used instead.',
    )
  })

  it('with characters stand in for those of machines that do not show theirs, or our own do', async () => {
    const path = join(folder, 'runes.bin')
    writeFileSync(path, new Uint8Array(4096).fill(0xa5))
    expect(await loadCharacterRom(resources, path)).toEqual({
      bytes: new Uint8Array(4096).fill(0xa5),
      file: 'runes.bin',
      problem: null,
    })
    const own = { bytes: readRoms().character, file: null, problem: null }
    expect(await loadCharacterRom(resources, null)).toEqual(own)
    expect(await loadCharacterRom(resources, join(folder, 'none.bin'))).toEqual({
      ...own,
      problem: 'none.bin cannot be used (there is no such file).',
    })
    await expect(loadCharacterRom(folder, null)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('of our own that are missing are an error that says what to do', async () => {
    const machine = create({ resources: folder })
    await expect(machine.connect(signal)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(machine.status).toMatchObject({
      connection: 'lost',
      hint: expect.stringContaining('Build Bridgedeck again') as string,
    })
  })
})

describe('slow motion', () => {
  it('goes instruction by instruction, shows each in a sample, and ends with a pause', async () => {
    const machine = await connected()
    await machine.setSampling({ mode: 'free', rate: 50, spaces: ['ram'], picture: false })
    await machine.slowMotion.run({ unit: 'instruction', perSecond: 20 }, signal)
    expect(machine.status).toMatchObject({ execution: 'running', slow: { unit: 'instruction', perSecond: 20 } })
    const begin = await machine.timeTravel.inputs(signal)
    const seen = await samples(machine, 6)
    const { clock } = await machine.timeTravel.inputs(signal)
    expect(new Set(seen.map(({ registers }) => JSON.stringify(registers))).size).toBeGreaterThan(3)
    // An instruction takes 8 cycles at most, 43 more where the VIC-II holds it up, and a busy computer catches half a second up.
    expect(clock - begin.clock).toBeLessThan(60 * 51)
    await machine.execution.pause(signal)
    expect(machine.status).toMatchObject({ execution: 'paused', slow: null })
  })

  it('goes line by line, and ends with resuming, a step, a program, and at a checkpoint', async () => {
    const machine = await connected()
    const slowly = () => machine.slowMotion.run({ unit: 'line', perSecond: 1_000 }, signal)
    await slowly()
    await machine.execution.resume(signal)
    expect(machine.status).toMatchObject({ execution: 'running', slow: null })
    await slowly()
    await machine.stepping.step(1, false, signal)
    expect(machine.status).toMatchObject({ execution: 'paused', slow: null })
    await slowly()
    await machine.programs.run(program(basicProgram(0x4c, 0x0d, 0x08)), signal)
    expect(machine.status).toMatchObject({ execution: 'running', slow: null })
    await machine.execution.pause(signal)
    await machine.checkpoints.set(
      {
        start: 0xff48,
        end: 0xff48,
        operations: ['exec' as const],
        stop: true,
        enabled: true,
        temporary: true,
        condition: null,
        fromHit: 1,
        log: null,
      },
      signal,
    )
    await slowly()
    await untilStatus(machine, ({ execution }) => execution === 'paused')
    expect(machine.status).toMatchObject({ slow: null, stop: { pc: 0xff48 } })
  })

  it('is refused while it is profiled', async () => {
    const machine = await connected()
    const cancelled = new AbortController()
    const profile = machine.profiling.profile(3_000, cancelled.signal)
    await expect(machine.slowMotion.run({ unit: 'line', perSecond: 1 }, signal)).rejects.toMatchObject({ code: 'BUSY' })
    cancelled.abort()
    await expect(profile).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

describe('a replay', () => {
  it('tells how far it is while the machine stays what it was, and can be cancelled', async () => {
    const machine = await connected()
    await machine.programs.run(program(basicProgram(0x4c, 0x0d, 0x08)), signal)
    await machine.speed.setWarp(true, signal)
    await untilStatus(machine, ({ past }) => (past ? (past.end - past.start) / past.clockRate : 0) > 30)
    await machine.execution.pause(signal)
    const file = await machine.state.save(600, signal)
    await write(machine, 'ram', 0xc000, 1)
    const cancelled = new AbortController()
    const loading = machine.state.load(file, cancelled.signal)
    // At once: on a busy computer the replay may be over before this thread sees how far it is.
    cancelled.abort()
    await expect(loading).rejects.toMatchObject({ code: 'CANCELLED' })
    expect([...(await machine.readMemory({ space: 'ram', address: 0xc000, length: 1 }, signal))]).toEqual([1])
    const shares: number[] = []
    machine.onStatus(() => {
      const { replaying = null } = machine.status
      if (replaying !== null) shares.push(replaying)
    })
    await machine.state.load(file, signal)
    expect(machine.status.replaying).toBeNull()
    expect([...(await machine.readMemory({ space: 'ram', address: 0xc000, length: 1 }, signal))]).not.toEqual([1])
    expect(shares.length).toBeGreaterThan(0)
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true)
  })
})

describe('a trace', () => {
  it('has each instruction with the machine before it, an interrupt that is taken, and one trace after the other misses none', async () => {
    const machine = await connected()
    let clock: number | undefined
    let interrupts = 0
    // How many fall into a part depends on where the machine was when it began.
    for (let part = 0; part < 30 || interrupts < 3; part++) {
      expect(part).toBeLessThan(1_000)
      const { traced, cycles, stoppedBy } = await machine.tracing.trace(500, null, signal)
      expect([traced.length, stoppedBy, machine.status.execution]).toEqual([500, null, 'paused'])
      const [first] = traced
      if (clock !== undefined) expect(first?.clock).toBe(clock)
      clock = (first?.clock ?? 0) + cycles
      for (const [at, { interrupt, bytes, sp }] of traced.entries()) {
        expect(bytes.length > 0).toBe(interrupt === null)
        const next = traced[at + 1]
        if (interrupt === null || !next) continue
        interrupts++
        expect([interrupt, next.pc, next.sp]).toEqual(['irq', 0xff48, sp - 3])
      }
    }
    const [pc] = await machine.registers.read(signal)
    expect((await machine.tracing.trace(1, null, signal)).traced).toMatchObject([{ pc: pc?.value, clock }])
  })

  it('ends after so many frames, at a JAM, and is refused afterwards', async () => {
    const machine = await connected()
    const { cycles, cyclesPerFrame } = await machine.tracing.trace(5_000, 0.25, signal)
    expect(cycles / cyclesPerFrame).toBeCloseTo(0.25, 2)
    await write(machine, 'ram', 0xc000, 0xe8, 0x02)
    await machine.registers.write('PC', 0xc000, signal)
    const { traced, stoppedBy } = await machine.tracing.trace(10, null, signal)
    expect([traced.map(({ bytes }) => bytes), stoppedBy]).toEqual([[[0xe8], [0x02]], 'jam'])
    await expect(machine.tracing.trace(1, null, signal)).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

describe('a profile', () => {
  it('that is cancelled leaves the machine as it was, and another one can begin', async () => {
    const machine = await connected()
    for (const execution of ['paused', 'running'] as const) {
      if (execution === 'paused') await machine.execution.pause(signal)
      else await machine.execution.resume(signal)
      const cancelled = new AbortController()
      const profile = machine.profiling.profile(3_000, cancelled.signal)
      await untilStatus(machine, (status) => status.execution === 'running')
      await expect(machine.profiling.profile(1, signal)).rejects.toMatchObject({ code: 'BUSY' })
      await expect(machine.stepping.runTo('frame', signal)).rejects.toMatchObject({ code: 'BUSY' })
      cancelled.abort()
      await expect(profile).rejects.toMatchObject({ code: 'CANCELLED' })
      await untilStatus(machine, (status) => status.execution === execution)
      expect((await machine.profiling.profile(1, signal)).cycles).toBeGreaterThanOrEqual(63 * 312)
    }
  })

  it('ends where the machine stops, and tells how far it came', async () => {
    const machine = await connected()
    const checkpoint = await machine.checkpoints.set(
      {
        start: 0xff48,
        end: 0xff48,
        operations: ['exec' as const],
        stop: true,
        enabled: true,
        temporary: false,
        condition: null,
        fromHit: 1,
        log: null,
      },
      signal,
    )
    const { cycles, nodes } = await machine.profiling.profile(3_000, signal)
    expect(cycles).toBeLessThan(63 * 312 * 2)
    expect(nodes.map(({ kind }) => kind)).toContain('irq')
    expect(machine.status).toMatchObject({ execution: 'paused', stop: { checkpoint: checkpoint.number } })
  })
})

describe('the checkpoints of a machine that is disconnected', () => {
  it('are there at the next connect, with numbers, hits, and the addresses that their names had', async () => {
    const machine = await connected()
    const set = (start: number, more: Partial<WantedCheckpoint> = {}) =>
      machine.checkpoints.set(
        {
          start,
          end: start,
          operations: ['exec' as const],
          stop: false,
          enabled: true,
          temporary: false,
          condition: null,
          fromHit: 1,
          log: null,
          ...more,
        },
        signal,
      )
    await set(0xc000)
    const names = [{ name: 'lives', address: 0xc123 }]
    await set(0xff48, { condition: '@lives == 0', log: 'lives {@lives}', names })
    await set(0xc002)
    await machine.checkpoints.enable(1, false, signal)
    await machine.checkpoints.delete(3, signal)
    await eventually(async () => ((await machine.checkpoints.list(signal))[1]?.hits ?? 0) > 0)
    await machine.execution.pause(signal)
    const before = await machine.checkpoints.list(signal)
    await machine.disconnect()
    await machine.connect(signal)
    await machine.execution.pause(signal)
    const after = await machine.checkpoints.list(signal)
    expect(after.map((each) => ({ ...each, hits: 0 }))).toEqual(before.map((each) => ({ ...each, hits: 0 })))
    expect(after[1]?.hits).toBeGreaterThanOrEqual(before[1]?.hits ?? 0)
    expect((await set(0xc004)).number).toBe(4)
    await machine.execution.resume(signal)
    await eventually(async () => (await machine.checkpointLog.read(0, signal)).length > 0)
    expect((await machine.checkpointLog.read(0, signal))[0]).toMatchObject({ checkpoint: 2, text: 'lives $00' })
  })

  it('stop it again, and one that was temporary and hit is gone', async () => {
    const machine = await connected()
    const stopping = { start: 0xff48, end: 0xff48, operations: ['exec' as const], stop: true, enabled: true }
    const rest = { condition: null, fromHit: 1, log: null }
    await machine.checkpoints.set({ ...stopping, ...rest, temporary: true }, signal)
    await untilStatus(machine, ({ stop }) => stop?.checkpoint === 1)
    await machine.checkpoints.set({ ...stopping, ...rest, temporary: false }, signal)
    await machine.disconnect()
    await machine.connect(signal)
    await untilStatus(machine, ({ stop }) => stop?.checkpoint === 2)
    expect((await machine.checkpoints.list(signal)).map(({ number }) => number)).toEqual([2])
  })
})

describe('a worker that dies', () => {
  it('is told with its reason, what was asked is refused, and the next connect starts it again where it was', async () => {
    const dying = join(folder, 'dying.cjs')
    const statePath = join(folder, 'c64.state')
    writeFileSync(
      dying,
      `require(${JSON.stringify(workerPath)})\nrequire('node:worker_threads').parentPort.on('message', ({ command }) => { if (command === 'picture') throw new Error('struck by a test') })`,
    )
    const machine = await connected({ workerPath: dying, statePath })
    await machine.checkpoints.set(
      {
        start: 0xc000,
        end: 0xc000,
        operations: ['exec'],
        stop: true,
        enabled: true,
        temporary: false,
        condition: null,
        fromHit: 1,
        log: null,
      },
      signal,
    )
    await expect(machine.display.read(signal)).rejects.toMatchObject({ code: 'LOST' })
    expect(machine.status).toMatchObject({
      connection: 'lost',
      reason: 'The built-in C64 stopped unexpectedly: struck by a test',
    })
    await expect(read(machine, 'ram', 0, 1)).rejects.toMatchObject({ code: 'LOST' })
    await machine.connect(signal)
    expect(machine.status.connection).toBe('live')
    expect(await machine.checkpoints.list(signal)).toMatchObject([{ number: 1, start: 0xc000 }])
  })

  it('a call that is cancelled is answered at once', async () => {
    const machine = await connected()
    await expect(
      machine.readMemory({ space: 'ram', address: 0, length: 1 }, AbortSignal.abort()),
    ).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})
