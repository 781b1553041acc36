/** Operations that take graphics out of a C64, and that compare its picture, against the built-in one. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { koala } from '@shared/graphics/formats/koala'
import { defaultHistory, defaultModels } from '@shared/contract/machine'
import { readPng } from '../../src-main/files/png'
import { BuiltinMachine } from '../../src-main/machine/builtin/driver'
import { altered, operationBench, type Bench } from '../support/operationRun'

const soon = () => AbortSignal.timeout(60_000)
const MAX = { width: 4096, height: 4096 }

let machine: BuiltinMachine
let bench: Bench
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-graphics-operations-'))
  machine = new BuiltinMachine({
    workerPath: resolve('out/main/builtinWorker.cjs'),
    resources: resolve('out/resources/c64'),
    roms: { kernal: null, basic: null, character: null },
    standard: 'pal',
    models: defaultModels,
    history: defaultHistory,
    statePath: null,
    autorun: null,
  })
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

const poke = (address: number, ...bytes: number[]) =>
  machine.writeMemory('ram', address, Uint8Array.from(bytes), soon())
const pokeIo = (address: number, ...bytes: number[]) =>
  machine.writeMemory('io', address, Uint8Array.from(bytes), soon())
const run: Bench['run'] = (...call) => bench.run(...call)
const refusal = (...call: Parameters<Bench['run']>): Promise<unknown> =>
  run(...call).then(
    () => 'done',
    (error: unknown) => error,
  )
const picture = async (task: string, path: string) => readPng(await bench.artifact(task, path), MAX)
const pattern = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 37) & 0xff)

describe('extract_bitmap', () => {
  it('saves the bitmap that the VIC-II shows, as picture, bytes and Koala', async () => {
    const bitmap = pattern(8000)
    await poke(0x2000, ...bitmap)
    await pokeIo(0xd018, 0x18)
    await pokeIo(0xd011, 0x3b)
    await pokeIo(0xd016, 0xd8)
    const { summary, artifacts, task } = await run('extract_bitmap', { formats: ['koala'] })
    expect(summary).toMatchObject({ bitmap: '0x2000', screen: '0x0400', mode: 'multicolourBitmap' })
    expect(summary.files).toEqual(['artifacts/bitmaps/bitmap-koala.koa'])
    expect(artifacts).toEqual({ bitmapsDir: 'artifacts/bitmaps/' })
    expect(new Uint8Array(await bench.artifact(task, 'bitmaps/bitmap.bin'))).toEqual(bitmap)
    expect(await picture(task, 'bitmaps/bitmap.png')).toMatchObject({ width: 320, height: 200 })
    const read = koala.read?.(await bench.artifact(task, 'bitmaps/bitmap-koala.koa'))
    expect(read?.artworks).toMatchObject([{ bitmap }])
    expect(read?.problems).toEqual([])
  })

  it('refuses where the VIC-II shows text, unless it is given an address', async () => {
    expect(await refusal('extract_bitmap')).toMatchObject({ code: 'CONFLICT' })
    const { summary } = await run('extract_bitmap', { bitmap: '$E000', screen: '$0400', mode: 'bitmap' })
    expect(summary).toMatchObject({ bitmap: '0xE000', mode: 'bitmap' })
  })

  it('says which format cannot hold it, and saves the rest', async () => {
    const { summary, task } = await run('extract_bitmap', { bitmap: '$2000', mode: 'bitmap', formats: 'koala' })
    expect(summary).toMatchObject({ refused: [{ format: 'koala' }] })
    expect(await picture(task, 'bitmaps/bitmap.png')).toMatchObject({ width: 320 })
  })

  it('keeps those of all runs when it is to', async () => {
    const { artifacts } = await run('extract_bitmap', { bitmap: '$2000', keepAll: true }, { iteration: 2 })
    expect(artifacts).toEqual({ bitmapsDir: 'artifacts/0002/bitmaps/' })
  })
})

describe('extract_screen', () => {
  it('saves the text screen that is shown, and looks as the machine does', async () => {
    await machine.writeMemory('ram', 0x0400, pattern(1000), soon())
    const { summary, task } = await run('extract_screen')
    expect(summary).toMatchObject({ address: '0x0400', mode: 'text', charset: '0x1000', charsetFromRom: true })
    expect(new Uint8Array(await bench.artifact(task, 'screens/screen.bin'))).toEqual(pattern(1000))
    const { task: shown } = await run('capture_screen', { formats: ['png'] })
    const [extracted, whole] = [await picture(task, 'screens/screen.png'), await picture(shown, 'screen.png')]
    for (const y of [0, 9, 100, 199]) {
      const row = (image: typeof whole, left: number, top: number) =>
        image.rgba.subarray((top * image.width + left) * 4, (top * image.width + left + 320) * 4)
      expect(row(extracted, 0, y)).toEqual(row(whole, 32, 35 + y))
    }
  })
})

describe('extract_sprites_from_ram', () => {
  it('refuses a format that there is not, and says which there are', async () => {
    expect(await refusal('extract_sprites_from_ram', { formats: ['nothing'] })).toMatchObject({ code: 'INVALID' })
  })

  it('keeps those of all runs when it is to', async () => {
    await poke(0x2000, ...pattern(63))
    const { artifacts } = await run('extract_sprites_from_ram', { length: 64, keepAll: true }, { iteration: 3 })
    expect(artifacts).toEqual({ spritesDir: 'artifacts/0003/sprites/' })
  })
})

describe('extract_animation', () => {
  it('saves each picture that the pointer showed, and their order', async () => {
    for (const [n, fill] of [0x11, 0x22, 0x44].entries())
      await poke(0x2000 + n * 64, ...new Array<number>(63).fill(fill))
    let looks = 0
    const turning = altered(machine, {
      readMemory: (range, signal) =>
        range.address === 0x07f8
          ? Promise.resolve(Uint8Array.of(0x80 + (Math.floor(looks++ / 3) % 3)))
          : machine.readMemory(range, signal),
    })
    const { summary, artifacts, task } = await run('extract_animation', { durationMs: 1_500 }, { machine: turning })
    expect(summary).toMatchObject({ sprite: 0, pictures: 3, addresses: ['0x2000', '0x2040', '0x2080'] })
    expect(artifacts).toEqual({ animationDir: 'artifacts/animation/' })
    const { frames } = JSON.parse((await bench.artifact(task, 'animation/animation.json')).toString()) as {
      frames: { picture: string; ms: number }[]
    }
    expect(frames.slice(0, 3).map(({ picture }) => picture)).toEqual(['frame_01.png', 'frame_02.png', 'frame_03.png'])
    expect(await picture(task, 'animation/frame_02.png')).toMatchObject({ width: 24, height: 21 })
  })
})

describe('compare_picture', () => {
  it('is the same as the picture of the task before, until the border is another', async () => {
    await run('pause')
    const { task } = await run('compare_picture')
    expect((await run('compare_picture', { baseline: task })).summary).toMatchObject({
      result: 'same',
      differingPixels: 0,
      comparedPixels: 384 * 272,
    })
    // The picture shown is of the frame before, whose cursor may have been another: memory is compared with memory.
    const { task: memory } = await run('compare_picture', { what: 'memory' })
    await pokeIo(0xd020, 2)
    expect(await refusal('compare_picture', { baseline: memory, what: 'memory' })).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`${384 * 272 - 320 * 200} pixels differ from ${memory}/baseline.png`) as unknown,
    })
    const masks = ['384x35', '384x37+0+235', '32x200+0+35', '32x200+352+35']
    expect((await run('compare_picture', { baseline: memory, what: 'memory', masks })).summary).toMatchObject({
      result: 'same',
      comparedPixels: 320 * 200,
    })
  })

  it('compares the later runs of a task with its first', async () => {
    for (const n of [0, 1, 2, 3, 4, 5, 6, 7]) await poke(0x07f8 + n, 0x80)
    await run('fill', { address: '$2000', length: 64 })
    const first = await run('compare_picture', { what: 'sprites' }, { recurring: true })
    expect(first.summary).toMatchObject({ result: 'saved', width: 192, height: 21 })
    const later = { task: first.task, iteration: 2, recurring: true }
    expect((await run('compare_picture', { what: 'sprites' }, later)).summary).toMatchObject({ result: 'same' })
    await poke(0x2000, 0xff)
    const different = { what: 'sprites', failWhenDifferent: false }
    const { summary, artifacts, task } = await run('compare_picture', different, later)
    expect(summary).toMatchObject({ result: 'different', differingPixels: 64, area: '176x1+0+0' })
    expect(artifacts).toEqual({ differenceDir: 'artifacts/difference/' })
    expect(await picture(task, 'difference/difference.png')).toMatchObject({ width: 192, height: 21 })
  })

  it('compares with a PNG file, within a tolerance and so many pixels', async () => {
    const { task } = await run('capture_screen', { formats: ['png'] })
    const file = join(folder, 'screen.png')
    await writeFile(file, await bench.artifact(task, 'screen.png'))
    await run('pause')
    await pokeIo(0xd020, 6)
    const args = { baselineFile: file, what: 'memory' }
    expect(await refusal('compare_picture', args)).toMatchObject({ code: 'CONFLICT' })
    expect((await run('compare_picture', { ...args, tolerance: 255 })).summary).toMatchObject({ result: 'same' })
    expect((await run('compare_picture', { ...args, pixels: 384 * 272 })).summary).toMatchObject({ result: 'same' })
  })

  it('says what it cannot compare with', async () => {
    const file = join(folder, 'no.png')
    await writeFile(file, 'no picture')
    expect(await refusal('compare_picture', { baselineFile: file })).toMatchObject({ code: 'INVALID' })
    expect(await refusal('compare_picture', { baseline: '0007_nothing' })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await refusal('compare_picture', { masks: ['much'] })).toMatchObject({ code: 'INVALID' })
    const blind = altered(machine, { unsupported: { picture: 'It shows no picture.' } })
    expect(await refusal('compare_picture', {}, { machine: blind })).toMatchObject({ code: 'UNSUPPORTED' })
  })
})
