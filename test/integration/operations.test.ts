/** Every operation against the built-in C64: the real driver, the real worker, our own ROM. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { decode } from 'fast-png'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultHistory, defaultModels } from '@shared/contract/machine'
import { BuiltinMachine } from '../../src-main/machine/builtin/driver'
import { findOperation, operations } from '../../src-main/tasks/operations'
import { altered, operationBench, type Bench } from '../support/operationRun'

const resources = resolve('out/resources/c64')
const builtin = (autorun: string | null = null) =>
  new BuiltinMachine({
    workerPath: resolve('out/main/builtinWorker.cjs'),
    resources,
    roms: { kernal: null, basic: null, character: null },
    standard: 'pal',
    models: defaultModels,
    history: defaultHistory,
    statePath: null,
    autorun,
  })
const soon = () => AbortSignal.timeout(60_000)

/** A sprite's 63 bytes that are like no other's. */
const spriteBytes = (n: number) => Uint8Array.from({ length: 63 }, (_, index) => ((index * 37 + n * 11) & 0xff) | 1)

let machine: BuiltinMachine
let bench: Bench
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-operations-test-'))
  machine = builtin()
  bench = await operationBench(machine)
})
afterAll(async () => {
  await machine.disconnect()
  await bench.close()
  await rm(folder, { recursive: true })
})
/** Each test has a C64 at its prompt. */
beforeEach(async () => {
  await machine.disconnect()
  await machine.connect(soon())
})

const peek = async (address: number, length = 1, space: 'ram' | 'cpu' | 'io' = 'ram') => [
  ...(await machine.readMemory({ space, address, length }, soon())),
]
const poke = (address: number, ...bytes: number[]) =>
  machine.writeMemory('ram', address, Uint8Array.from(bytes), soon())
const json = async (task: string, path: string): Promise<unknown> =>
  JSON.parse((await bench.artifact(task, path)).toString('utf8'))
const run: Bench['run'] = (...call) => bench.run(...call)
const refusal = (...call: Parameters<Bench['run']>): Promise<unknown> =>
  run(...call).then(
    () => 'done',
    (error: unknown) => error,
  )

describe('the list of operations', () => {
  it('is that of issue and specification, and record for the record button', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(
      [
        'capture_screen',
        'compare_picture',
        'compare_snapshot',
        'extract_animation',
        'extract_bitmap',
        'extract_charset',
        'extract_ram',
        'extract_screen',
        'extract_sprites_from_ram',
        'fill',
        'pause',
        'poll_screen',
        'read',
        'read_screen',
        'record',
        'reset',
        'resume',
        'run_prg',
        'sample',
        'snapshot',
        'type_text',
        'write',
      ].sort(),
    )
  })

  it('refuses a name that is not in it, such as constructor or __proto__', () => {
    for (const name of ['', 'menu_button', 'constructor', '__proto__'])
      expect(() => findOperation(name)).toThrow(/There is no operation/)
  })

  it('knows c64bridge’s older names', () => {
    expect(findOperation('read_memory').name).toBe('read')
    expect(findOperation('write_memory').name).toBe('write')
  })

  it('refuses each one on a machine that lacks what it needs, with that machine’s reason', async () => {
    const needy = operations.filter(({ needs }) => needs.length > 0)
    expect(needy).toHaveLength(operations.length)
    const given: Record<string, object> = {
      write: { address: 1, bytes: '00' },
      fill: { address: 1, length: 1 },
      sample: { ranges: ['$D020'] },
      poll_screen: { pattern: 'x' },
      compare_snapshot: { baseline: '0001_snapshot' },
      run_prg: { path: '/nowhere.prg' },
      type_text: { text: 'x' },
    }
    for (const { name, needs } of needy) {
      const unsupported = Object.fromEntries(needs.map((capability) => [capability, `It cannot do ${capability}.`]))
      const lame = altered(machine, { unsupported })
      expect(await refusal(name, given[name] ?? {}, { machine: lame })).toMatchObject({
        code: 'UNSUPPORTED',
        message: `Not on this machine (Built-in C64): It cannot do ${needs[0] ?? ''}.`,
      })
    }
  })
})

describe('read', () => {
  it.each(['$C000', '0xC000', 49152, '49152'])('takes the address as %s and reports it as 0xC000', async (address) => {
    await poke(0xc000, 1, 2, 0xff)
    expect((await run('read', { address, length: 3 })).summary).toEqual({
      address: '0xC000',
      length: 3,
      space: 'cpu',
      bytes: '0102ff',
    })
  })

  it('takes c64bridge’s length as text, and its default range', async () => {
    expect((await run('read', { address: '$0400', length: '16' })).summary).toEqual((await run('read')).summary)
  })

  it('refuses what is no address, goes past the end or is not known to it', async () => {
    expect(await refusal('read', { address: '$10000' })).toMatchObject({ code: 'INVALID' })
    expect(await refusal('read', { address: '$FFFF', length: 2 })).toMatchObject({
      message: 'read does not take these arguments: length: the range goes past $FFFF.',
      hint: 'read takes address?, length?, space?.',
      details: { field: 'length' },
    })
    expect(await refusal('read', { address: 'nowhere' })).toMatchObject({ code: 'INVALID' })
    expect(await refusal('read', { addres: '$0400' })).toMatchObject({ code: 'INVALID' })
  })
})

describe('write and fill', () => {
  it('write their bytes and say how many', async () => {
    expect((await run('write', { address: '$C000', bytes: 'A9 00 8d', verify: true })).summary).toEqual({
      address: '0xC000',
      written: 3,
      space: 'cpu',
      verified: true,
    })
    expect(await peek(0xc000, 3)).toEqual([0xa9, 0, 0x8d])
    await run('fill', { address: '$C000', length: 5, bytes: '0102', verify: true })
    expect(await peek(0xc000, 6)).toEqual([1, 2, 1, 2, 1, 0])
  })

  it('fail where something else is read back, as under ROM, and leave the machine running', async () => {
    expect(await refusal('write', { address: '$E000', bytes: '55', verify: true })).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^\$E000 holds /) as unknown,
    })
    expect(await peek(0xe000)).toEqual([0x55])
    await run('write', { address: '$E000', bytes: '56', space: 'ram', verify: true })
    expect(machine.status.execution).toBe('running')
  })

  it('write nothing when other bytes are there than expected, in the bits that count', async () => {
    await poke(0xc000, 0x12, 0x34)
    expect(await refusal('write', { address: '$C000', bytes: 'ff', expected: '12 35' })).toMatchObject({
      message: expect.stringMatching(/\$C001 .*\$34.*\$35/) as string,
    })
    expect(await peek(0xc000)).toEqual([0x12])
    await run('write', { address: '$C000', bytes: 'ff', expected: '1235', mask: 'fff0' })
    expect(await peek(0xc000)).toEqual([0xff])
    expect(
      (await run('write', { address: '$C000', bytes: '00', expected: '00', abortOnMismatch: false })).summary,
    ).toMatchObject({ mismatches: ['0xC000'] })
  })
})

describe('read_screen', () => {
  it('reads the rows from where the VIC-II shows them', async () => {
    const shown = (await run('read_screen')).summary
    expect(shown).toMatchObject({ address: '0x0400', mode: 'text', charset: 'upper' })
    expect(shown.rows).toContain('READY.')
    await poke(0x0c00, 8, 9)
    await machine.writeMemory('io', 0xd018, Uint8Array.of(0x37), soon())
    const moved = (await run('read_screen')).summary
    expect(moved).toMatchObject({ address: '0x0C00', charset: 'lower' })
    expect(moved.rows).toEqual(expect.arrayContaining([expect.stringMatching(/^hi/)]))
  })
})

describe('poll_screen', () => {
  it('waits until a text appears that is typed meanwhile, and says where', async () => {
    const found = run('poll_screen', { pattern: 'hello there', timeoutMs: 20_000, intervalMs: 20 })
    await run('type_text', { text: 'hello there' })
    expect(await found).toMatchObject({ done: true, summary: { found: true, text: 'HELLO THERE', column: 0 } })
  })

  it('finds a text that goes on in the next row', async () => {
    await run('fill', { address: '$0400', length: 1000, bytes: '20' })
    await poke(0x0400 + 78, 1, 2, 3, 4)
    expect((await run('poll_screen', { pattern: 'ABCD' })).summary).toMatchObject({
      row: 1,
      column: 38,
      address: '0x044E',
    })
  })

  it('takes a regular expression, whose ^ and $ are the ends of a row', async () => {
    expect((await run('poll_screen', { pattern: '^re.dy\\.$', isRegex: true })).summary).toMatchObject({
      found: true,
      text: 'READY.',
    })
    expect(
      await refusal('poll_screen', { pattern: '^re.dy', isRegex: true, caseInsensitive: false, timeoutMs: 0 }),
    ).toMatchObject({ code: 'TIMEOUT' })
    expect(await refusal('poll_screen', { pattern: '(', isRegex: true })).toMatchObject({ code: 'INVALID' })
  })

  it('gives up an expression that would never end, and the machine is answered meanwhile', async () => {
    await run('fill', { address: '$0400', length: 1000, bytes: '01' })
    const endless = refusal('poll_screen', { pattern: '^(a+)+!$', isRegex: true })
    expect(await peek(0x0400)).toEqual([1])
    expect(await endless).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('was given up') as unknown,
    })
  })

  it('looks once when it recurs, and is done when it has found the text', async () => {
    expect(await run('poll_screen', { pattern: 'nowhere' }, { recurring: true })).toMatchObject({
      summary: { found: false },
    })
    expect(await run('poll_screen', { pattern: 'ready' }, { recurring: true })).toMatchObject({ done: true })
  })

  it('ends when its task is stopped', async () => {
    const stop = new AbortController()
    const done = refusal(
      'poll_screen',
      { pattern: 'nowhere', timeoutMs: 60_000 },
      { signal: stop.signal, progress: () => stop.abort() },
    )
    expect(await done).toMatchObject({ name: 'AbortError' })
  })
})

describe('extract_sprites_from_ram', () => {
  it('finds eight sprites between $2000 and $3FFF, with the result that spec 001 shows', async () => {
    await run('fill', { address: '$2000', length: 0x2000 })
    for (let n = 0; n < 8; n++) await poke(0x2000 + n * 128, ...spriteBytes(n))
    const { summary, artifacts, task } = await run('extract_sprites_from_ram', { persistArtifacts: true })
    expect(summary).toEqual({
      spriteCount: 8,
      spriteAddresses: ['0x2000', '0x2080', '0x2100', '0x2180', '0x2200', '0x2280', '0x2300', '0x2380'],
    })
    expect(artifacts).toEqual({ spritesDir: 'artifacts/sprites/' })
    expect([...(await bench.artifact(task, 'sprites/sprite_2080.bin'))]).toEqual([...spriteBytes(1)])
    expect(decode(await bench.artifact(task, 'sprites/sprite_2080.png'))).toMatchObject({
      width: 24,
      height: 21,
      channels: 4,
    })
  })

  it('leaves out what is blank, uniform, nearly empty or was there before, unless told otherwise', async () => {
    await run('fill', { address: '$2000', length: 0x2000 })
    await poke(0x2000, ...spriteBytes(1))
    await poke(0x2040, ...spriteBytes(1))
    await run('fill', { address: '$2080', length: 64, bytes: 'ff' })
    await poke(0x20c0, 1)
    const addresses = async (args: object) =>
      (await run('extract_sprites_from_ram', { persistArtifacts: false, ...args })).summary.spriteAddresses
    expect(await addresses({})).toEqual(['0x2000'])
    expect(await addresses({ skipDuplicates: false })).toEqual(['0x2000', '0x2040'])
    expect(await addresses({ skipUniform: false })).toEqual(['0x2000', '0x2080'])
    expect(await addresses({ minSetBits: 0, minNonZeroRows: 0 })).toEqual(['0x2000', '0x20C0'])
    expect(
      (await run('extract_sprites_from_ram', { persistArtifacts: false, skipUniform: false, maxSprites: 1 })).summary,
    ).toEqual({
      spriteCount: 1,
      spriteAddresses: ['0x2000'],
      moreSprites: 1,
    })
  })

  it('takes a grid of blocks for one, whole where one of them may be a sprite', async () => {
    await run('fill', { address: '$2000', length: 0x2000 })
    await poke(0x2040, ...spriteBytes(1))
    await poke(0x2200, ...spriteBytes(2))
    const { summary, task } = await run('extract_sprites_from_ram', { across: 2, down: 2 })
    const blocks = ['0x2000', '0x2040', '0x2080', '0x20C0', '0x2200', '0x2240', '0x2280', '0x22C0']
    expect(summary).toMatchObject({ spriteCount: 8, spriteAddresses: blocks })
    const { width, height, data } = decode(await bench.artifact(task, 'sprites/grid_2000.png'))
    const right = decode(await bench.artifact(task, 'sprites/sprite_2040.png'))
    expect([width, height]).toEqual([48, 42])
    expect([...data.slice(24 * 4, 48 * 4)]).toEqual([...right.data.slice(0, 24 * 4)])
    expect(decode(await bench.artifact(task, 'sprites/grid_2200.png'))).toMatchObject({ width: 48, height: 42 })
    const few = await run('extract_sprites_from_ram', { across: 2, down: 2, maxSprites: 5, persistArtifacts: false })
    expect(few.summary).toMatchObject({ spriteCount: 4, moreSprites: 4 })
  })

  it('draws with the colours that it is given, and writes nothing when it is not to', async () => {
    await poke(0x2000, ...new Array<number>(63).fill(0b0001_1011))
    const args = { length: 63, skipUniform: false, multicolour: 'yes', multicolour1: 1, colour: 2, multicolour2: 0 }
    const { task } = await run('extract_sprites_from_ram', args)
    const { data } = decode(await bench.artifact(task, 'sprites/sprite_2000.png'))
    const pixel = (x: number) => [...data.slice(x * 4, x * 4 + 4)]
    expect([pixel(0), pixel(2), pixel(4), pixel(6)]).toEqual([
      [0, 0, 0, 0],
      [0xff, 0xff, 0xff, 0xff],
      [0x68, 0x37, 0x2b, 0xff],
      [0, 0, 0, 0xff],
    ])
    const unwritten = await run('extract_sprites_from_ram', { ...args, persistArtifacts: false })
    expect(unwritten.artifacts).toBeUndefined()
    await expect(bench.artifact(unwritten.task, 'sprites/sprite_2000.png')).rejects.toThrow(/ENOENT/)
  })

  it('stops in the middle when its task is stopped', async () => {
    for (let n = 0; n < 8; n++) await poke(0x2000 + n * 64, ...spriteBytes(n))
    const stop = new AbortController()
    expect(
      await refusal('extract_sprites_from_ram', {}, { signal: stop.signal, progress: () => stop.abort() }),
    ).toMatchObject({ name: 'AbortError' })
    expect(machine.status.execution).toBe('running')
  })
})

describe('the demo program’s sprites', () => {
  let demo: BuiltinMachine
  let its: Bench
  beforeAll(async () => {
    demo = builtin(join(resources, 'demo.prg'))
    its = await operationBench(demo)
    await demo.connect(soon())
    const areOn = async () =>
      expect((await demo.readMemory({ space: 'io', address: 0xd015, length: 1 }, soon()))[0]).toBeGreaterThan(0)
    await vi.waitFor(areOn, { timeout: 60_000 })
  })
  afterAll(async () => {
    await demo.disconnect()
    await its.close()
  })

  it('are found by a scan of where they are, eight of them', async () => {
    const { summary } = await its.run('extract_sprites_from_ram', { address: '$0840', length: 512 })
    expect(summary).toEqual({
      spriteCount: 8,
      spriteAddresses: ['0x0840', '0x0880', '0x08C0', '0x0900', '0x0940', '0x0980', '0x09C0', '0x0A00'],
    })
    expect(demo.status.execution).toBe('running')
  })

  it('are found by the VIC-II’s pointers, multicolour and in their colours', async () => {
    const { summary, task } = await its.run('extract_sprites_from_ram', { source: 'pointers' })
    expect(summary.spriteAddresses).toContain('0x0840')
    const manifest: unknown = JSON.parse((await its.artifact(task, 'sprites/sprites.json')).toString())
    expect(manifest).toMatchObject({
      sprites: expect.arrayContaining([expect.objectContaining({ address: '0x0840', multicolour: true })]) as unknown,
    })
  })
})

describe('extract_ram', () => {
  it('writes the bytes, and what they are beside them', async () => {
    await poke(0xc000, 1, 2, 3, 4)
    const { summary, artifacts, task } = await run('extract_ram', { address: '$C000', length: 4 })
    const checksum = '9F64A747E1B97F131FABB6B447296C9B6F0201E79FB3C5356E6C77E89B6A806A'
    expect(summary).toEqual({ address: '0xC000', length: 4, space: 'ram', format: 'bin', checksum, skipped: [] })
    expect(artifacts).toEqual({ memory: 'artifacts/ram_C000.bin', manifest: 'artifacts/memory.json' })
    expect([...(await bench.artifact(task, 'ram_C000.bin'))]).toEqual([1, 2, 3, 4])
    expect(await json(task, 'memory.json')).toMatchObject({
      machine: 'builtin',
      ranges: [{ space: 'ram', address: '0xC000', length: 4, file: 'ram_C000.bin', checksum }],
    })
  })

  it('writes a PRG with its load address, and hexadecimal text', async () => {
    await run('fill', { address: '$C000', length: 18, bytes: 'ab' })
    const prg = await run('extract_ram', { address: '$C000', length: 2, format: 'prg' })
    expect([...(await bench.artifact(prg.task, 'ram_C000.prg'))]).toEqual([0x00, 0xc0, 0xab, 0xab])
    const hex = await run('extract_ram', { address: '$C000', length: 18, format: 'hex' })
    expect((await bench.artifact(hex.task, 'ram_C000.hex')).toString()).toBe(`${'AB '.repeat(16).trim()}\nAB AB\n`)
  })

  it('takes all memory when it is told nothing', async () => {
    const { task } = await run('extract_ram')
    expect(await bench.artifact(task, 'ram_0000.bin')).toHaveLength(0x10000)
  })
})

describe('extract_charset', () => {
  it('saves the set that the VIC-II uses, also out of ROM', async () => {
    const { summary, task } = await run('extract_charset')
    expect(summary).toMatchObject({ charsetCount: 1, charsets: [{ address: '0x1000', fromRom: true }] })
    const rom = await machine.readMemory({ space: 'rom', address: 0xd000, length: 0x800 }, soon())
    expect(Buffer.compare(await bench.artifact(task, 'charsets/charset_1000.bin'), rom)).toBe(0)
    expect(decode(await bench.artifact(task, 'charsets/charset_1000.png'))).toMatchObject({ width: 128, height: 128 })
  })

  it('finds one in memory by how it looks', async () => {
    const rom = await machine.readMemory({ space: 'rom', address: 0xd000, length: 0x800 }, soon())
    await run('fill', { address: '$2000', length: 0x2000 })
    await machine.writeMemory('ram', 0x3000, rom, soon())
    expect((await run('extract_charset', { scanRange: 'common' })).summary).toMatchObject({
      charsetCount: 1,
      charsets: [{ address: '0x3000', fromRom: false }],
    })
  })
})

describe('capture_screen', () => {
  it('saves text, picture and the memory behind', async () => {
    const { artifacts, task } = await run('capture_screen')
    expect(Object.keys(artifacts ?? {})).toEqual(['text', 'png', 'codes', 'colours', 'vic'])
    expect((await bench.artifact(task, 'screen.txt')).toString()).toContain('READY.')
    expect(decode(await bench.artifact(task, 'screen.png'))).toMatchObject({ width: 384, height: 272 })
    expect(await bench.artifact(task, 'screen.bin')).toHaveLength(1000)
    expect(await bench.artifact(task, 'vic.bin')).toHaveLength(0x40)
  })

  it('says that there is no picture where there is none, and refuses when one is asked for', async () => {
    const blind = altered(machine, { unsupported: { picture: 'It is blind.' } })
    expect(Object.keys((await run('capture_screen', {}, { machine: blind })).artifacts ?? {})).toEqual([
      'text',
      'codes',
      'colours',
      'vic',
    ])
    expect(bench.log).toContain('no picture: It is blind.')
    expect(await refusal('capture_screen', { formats: ['png'] }, { machine: blind })).toMatchObject({
      code: 'UNSUPPORTED',
      message: 'It is blind.',
    })
  })

  it('keeps what every run takes, if it is to', async () => {
    const { artifacts } = await run('capture_screen', { formats: ['text'], keepAll: true }, { iteration: 12 })
    expect(artifacts).toEqual({ text: 'artifacts/0012/screen.txt' })
  })
})

describe('snapshot and compare_snapshot', () => {
  it('save memory, chips, registers and state', async () => {
    const { summary, task } = await run('snapshot')
    expect(summary.registers).toMatchObject({ PC: expect.any(Number) as unknown })
    expect(await bench.artifact(task, 'ram_0000.bin')).toHaveLength(0x10000)
    expect(await bench.artifact(task, 'io_D000.bin')).toHaveLength(0x1000)
    expect(await json(task, 'chips.json')).toEqual(
      expect.arrayContaining([expect.objectContaining({ chip: 'vic', name: 'BORDER', address: '0xD020' })]),
    )
    const state = await bench.artifact(task, 'machine.state')
    await machine.state.load(state, soon())
    expect(machine.status.execution).toBe('running')
  })

  it('say same, or where memory differs, but for what is to be ignored', async () => {
    await run('pause')
    const { task } = await run('snapshot', { state: false })
    expect((await run('compare_snapshot', { baseline: task })).summary).toEqual({ result: 'same' })
    await poke(0xc000, 1, 2)
    await poke(0xc100, 3)
    expect((await run('compare_snapshot', { baseline: task })).summary).toEqual({
      result: 'different',
      differingBytes: 3,
      differingRanges: 2,
      ranges: [
        { space: 'ram', from: '0xC000', to: '0xC001', length: 2, expected: '0000', found: '0102' },
        { space: 'ram', from: '0xC100', to: '0xC100', length: 1, expected: '00', found: '03' },
      ],
    })
    expect((await run('compare_snapshot', { baseline: task, ignore: ['$C000-$C001', '$C100'] })).summary).toEqual({
      result: 'same',
    })
    expect((await run('compare_snapshot', { baseline: task, ignore: '$C000+$101', maxRanges: 1 })).summary).toEqual({
      result: 'same',
    })
  })

  it('compare with what extract_ram kept in each format, with one run of many, and with a file', async () => {
    for (const format of ['bin', 'hex', 'prg']) {
      const { task } = await run('extract_ram', { address: '$C000', length: 16, format })
      expect((await run('compare_snapshot', { baseline: task })).summary, format).toEqual({ result: 'same' })
    }
    const many = await run('snapshot', { keepAll: true }, { iteration: 2 })
    await run('pause')
    expect((await run('compare_snapshot', { baseline: `${many.task}/0002`, ignore: ['$0000-$3FFF'] })).summary).toEqual(
      { result: 'same' },
    )
    const file = join(folder, 'image.prg')
    await writeFile(file, Uint8Array.of(0x00, 0xc0, 0, 7))
    expect((await run('compare_snapshot', { baselineFile: file })).summary).toMatchObject({
      result: 'different',
      ranges: [{ from: '0xC001', expected: '07', found: '00' }],
    })
  })

  it('refuse a baseline that is missing, damaged or named twice', async () => {
    expect(await refusal('compare_snapshot', { baselineFile: join(folder, 'nothing.bin') })).toMatchObject({
      code: 'NOT_FOUND',
    })
    if (process.platform !== 'win32')
      expect(await refusal('compare_snapshot', { baselineFile: '/dev/zero' })).toMatchObject({
        message: 'zero is no file.',
      })
    expect(await refusal('compare_snapshot', {})).toMatchObject({
      message: 'compare_snapshot does not take these arguments: baseline: either a task or a file.',
    })
    const damaged = Uint8Array.from(Buffer.from('{"ranges":[{}]}'))
    expect(
      await refusal('compare_snapshot', { baseline: '0001_x' }, { readArtifact: () => Promise.resolve(damaged) }),
    ).toMatchObject({ code: 'INVALID' })
  })
})

describe('sample', () => {
  it('opens its recording before its first sample is due, as that takes as long as many samples', async () => {
    const order: string[] = []
    const openRecording = async () => {
      order.push('opens')
      await Promise.resolve()
      order.push('is open')
    }
    const record = () => Promise.resolve(void order.push('sample'))
    await run('sample', { ranges: '$D020', rate: 50, durationMs: 40 }, { openRecording, record })
    expect(order.slice(0, 3)).toEqual(['opens', 'is open', 'sample'])
  })

  it('records the ranges at a rate, and says what they held last', async () => {
    bench.moments.length = 0
    await poke(0xc000, 1, 2, 3)
    const { summary } = await run('sample', { ranges: ['$C000-$C001', '$C010'], rate: 50, durationMs: 200 })
    expect(summary).toMatchObject({ values: { '0xC000-0xC001': '0102', '0xC010': '00' } })
    expect(summary.samples).toBe(bench.moments.length)
    expect(Number(summary.samples) + Number(summary.missed)).toBe(10)
    expect(bench.moments[0]?.segments.map(({ address, bytes }) => [address, [...bytes]])).toEqual([
      [0xc000, [1, 2]],
      [0xc010, [0]],
    ])
  })

  it('takes one sample when it recurs', async () => {
    expect((await run('sample', { ranges: '$D020' }, { recurring: true })).summary).toMatchObject({
      samples: 1,
      missed: 0,
    })
  })
})

describe('record', () => {
  const requests: unknown[] = []
  const recordFrames = (request: unknown) => {
    requests.push(request)
    return Promise.resolve({ frames: 3, durationMs: 60, bytes: 4096, lost: 0, added: 3 })
  }

  it('takes what the views show, or what is asked for', async () => {
    expect((await run('record', {}, { recordFrames })).summary).toEqual({
      frames: 3,
      durationMs: 60,
      bytes: 4096,
      lost: 0,
      spaces: ['cpu', 'ram', 'io'],
      picture: true,
    })
    await run('record', { spaces: ['io'], picture: false }, { recordFrames })
    expect(requests).toEqual([
      { spaces: ['cpu', 'ram', 'io'], picture: true },
      { spaces: ['io'], picture: false },
    ])
  })

  it('says why where nothing was recorded', async () => {
    const nothingCame = () => Promise.resolve({ frames: 3, durationMs: 60, bytes: 4096, lost: 0, added: 0 })
    const paused = altered(machine, { status: { ...machine.status, execution: 'paused' } })
    const outcome = await run('record', {}, { recordFrames: nothingCame, machine: paused })
    expect(outcome.nothing).toContain('paused')
    expect((await run('record', {}, { recordFrames })).nothing).toBeUndefined()
  })

  it.each(['record', 'sample', 'poll_screen'])('%s warns once where sampling can disturb the program', async (name) => {
    const risk = 'VICE 3.7.1 may glitch while watched.'
    const risky = altered(machine, { samplingRisk: risk })
    const args = { record: {}, sample: { ranges: '$d020', durationMs: 1 }, poll_screen: { pattern: 'x' } }[name]
    const given = { recordFrames, machine: risky, recurring: true }
    const logged = () => bench.log.filter((line) => line === risk).length
    const before = logged()
    const { summary } = await run(name, args, given)
    await run(name, args, { ...given, iteration: 2 })
    if (name !== 'poll_screen') expect(summary).toMatchObject({ note: risk })
    expect(logged()).toBe(before + 1)
  })

  it('leaves out what the machine cannot give, and refuses it where it is asked for', async () => {
    const limited = altered(machine, {
      unsupported: { ...machine.unsupported, ramUnderRom: 'it reads as the CPU does.', picture: 'it has none.' },
    })
    expect((await run('record', {}, { recordFrames, machine: limited })).summary).toMatchObject({
      spaces: ['cpu', 'io'],
      picture: false,
    })
    expect(await refusal('record', { spaces: ['ram'] }, { recordFrames, machine: limited })).toMatchObject({
      code: 'UNSUPPORTED',
    })
  })
})

describe('run_prg, type_text, reset, pause and resume', () => {
  it('run a program file of this computer', async () => {
    const path = join(folder, 'border.prg')
    // 10 SYS 2061: LDA #$05; STA $D020; JMP $0812
    const stub = [0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00]
    await writeFile(path, Uint8Array.from([...stub, 0xa9, 0x05, 0x8d, 0x20, 0xd0, 0x4c, 0x12, 0x08]))
    expect((await run('run_prg', { path })).summary).toMatchObject({
      program: 'border.prg',
      bytes: 22,
      started: true,
      execution: 'running',
      stopped: null,
      pc: expect.stringMatching(/^\$08/) as string,
    })
    await expect.poll(async () => ((await peek(0xd020, 1, 'io'))[0] ?? 0) & 0x0f).toBe(5)
    expect(await refusal('run_prg', { path: 'border.prg' })).toMatchObject({ code: 'INVALID' })
    expect(await refusal('run_prg', { path: join(folder, 'none.prg') })).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('do to the machine what they say', async () => {
    await run('pause')
    expect(machine.status.execution).toBe('paused')
    await run('resume')
    expect(machine.status.execution).toBe('running')
    await poke(0xc000, 9)
    expect((await run('reset', { kind: 'soft' })).summary).toMatchObject({ reset: 'soft', prompt: true })
    expect(await peek(0xc000)).toEqual([9])
    await run('reset', { kind: 'power' })
    expect(await peek(0xc000)).not.toEqual([9])
    expect((await run('type_text', { text: 'hé\n' })).summary).toMatchObject({ characters: 3, taken: true })
  })

  it('leave a machine paused that was paused before it was read', async () => {
    await run('pause')
    await run('extract_ram', { length: 16 })
    expect(machine.status.execution).toBe('paused')
  })

  it('let the machine go on when the task is stopped while it stands still', async () => {
    const stop = new AbortController()
    const stopped = altered(machine, {
      readMemory: () => {
        stop.abort()
        return Promise.reject(stop.signal.reason as Error)
      },
    })
    expect(await refusal('extract_ram', {}, { machine: stopped, signal: stop.signal })).toMatchObject({
      name: 'AbortError',
    })
    expect(machine.status.execution).toBe('running')
  })
})
