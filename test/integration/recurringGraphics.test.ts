/** Operations on graphics as recurring tasks of a real bridge, on its built-in C64: what each run leaves, and how they stop. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Task } from '@shared/contract/tasks'
import type { JsonObject } from '@shared/json'
import { readPng } from '../../src-main/files/png'
import { CommandLine } from '../support/commandLine'
import { RealBridge, taskHomeOf } from '../support/realBridge'

const MAX = { width: 4096, height: 4096 }
const machine = 'builtin'

let place: CommandLine
let bridge: RealBridge
beforeAll(async () => {
  place = new CommandLine()
  mkdirSync(join(place.folder, 'home'), { recursive: true })
  bridge = await RealBridge.start(place, { HOME: join(place.folder, 'home') })
  await bridge.call('machine.connect', { machine })
  await bridge.call('machine.pause', { machine })
})
afterAll(async () => {
  await bridge.stop()
  await place.remove()
})

const poke = (space: 'ram' | 'io', address: number, ...bytes: number[]) =>
  bridge.call('memory.write', { machine, space, address, bytes: Uint8Array.from(bytes) })
const pattern = (length: number, seed: number) => Array.from({ length }, (_, at) => ((at * 37 + seed * 11) & 0xff) | 1)

const start = async (operation: string, args: JsonObject): Promise<string> =>
  (await bridge.call('tasks.start', { operation, machine, type: 'background', intervalMs: 100, args })).id

const taskNow = async (id: string): Promise<Task> => (await bridge.call('tasks.show', { id })).task

/** Waits for so many runs more than there are. */
async function moreRuns(id: string, count = 2): Promise<void> {
  const runs = (await taskNow(id)).iterations ?? 0
  await expect
    .poll(async () => {
      const { status, lastError, iterations } = await taskNow(id)
      if (status === 'error') throw new Error(lastError ?? '')
      return iterations
    })
    .toBeGreaterThanOrEqual(runs + count)
}

/** Stops it, and what it leaves stays as it is. */
async function stop(id: string): Promise<void> {
  expect(await bridge.call('tasks.stop', { id })).toMatchObject({ status: 'stopped' })
  const { iterations } = await taskNow(id)
  const files = artifactsOf(id)
  await bridge.call('tasks.list', { after: null })
  expect(await taskNow(id)).toMatchObject({ status: 'stopped', iterations })
  expect(artifactsOf(id)).toEqual(files)
}

const artifacts = (id: string) => join(taskHomeOf(place), 'tasks/background', id, 'artifacts')
const artifactsOf = (id: string): string[] =>
  readdirSync(artifacts(id), { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name).slice(artifacts(id).length + 1)] : []))
    .sort()
const bytesOf = (id: string, path: string) => readFileSync(join(artifacts(id), path))

const runSchema = z.object({ run: z.int(), value: z.looseObject({ result: z.string().optional() }) })
const runsOf = (id: string) =>
  bytesOf(id, 'runs.ndjson')
    .toString()
    .trim()
    .split('\n')
    .map((line) => runSchema.parse(JSON.parse(line)))

/** Starts it, and has every run leave these in a folder of its own. */
async function expectOfEachRun(operation: string, args: JsonObject, files: readonly string[]): Promise<string> {
  const id = await start(operation, { ...args, keepAll: true })
  await moreRuns(id)
  await stop(id)
  const runs = runsOf(id)
  expect(runs.length).toBeGreaterThanOrEqual(2)
  for (let run = 1; run <= runs.length; run++) {
    const folder = String(run).padStart(4, '0')
    for (const file of files) expect(existsSync(join(artifacts(id), folder, file)), `${folder}/${file}`).toBe(true)
  }
  return id
}

describe('a recurring task', () => {
  it('extract_bitmap saves the bitmap of each run, also in other formats', async () => {
    await poke('ram', 0x2000, ...pattern(8000, 1))
    await poke('io', 0xd018, 0x18)
    await poke('io', 0xd016, 0x18)
    await poke('io', 0xd011, 0x3b)
    const files = ['bitmaps/bitmap.png', 'bitmaps/bitmap.bin', 'bitmaps/bitmap-koala.koa']
    const id = await expectOfEachRun('extract_bitmap', { formats: ['koala'] }, files)
    expect([...bytesOf(id, '0002/bitmaps/bitmap.bin')]).toEqual(pattern(8000, 1))
    await poke('io', 0xd011, 0x1b)
    await poke('io', 0xd016, 0x08)
    await poke('io', 0xd018, 0x15)
  })

  it('extract_bitmap waits while the program shows text, and goes on with the next bitmap', async () => {
    const id = await start('extract_bitmap', {})
    const waits = { status: 'running', waiting: 'The VIC-II shows no bitmap now.' }
    await expect.poll(() => taskNow(id)).toMatchObject(waits)
    await poke('io', 0xd011, 0x3b)
    await moreRuns(id)
    await poke('io', 0xd011, 0x1b)
    await expect.poll(() => taskNow(id)).toMatchObject(waits)
    await stop(id)
  })

  it('extract_screen saves the screen of each run', async () => {
    await poke('ram', 0x0400, ...pattern(1000, 2))
    const files = ['screens/screen.png', 'screens/screen.bin', 'screens/screen-petmate.petmate']
    const id = await expectOfEachRun('extract_screen', { formats: 'petmate' }, files)
    expect([...bytesOf(id, '0001/screens/screen.bin')]).toEqual(pattern(1000, 2))
  })

  it('extract_animation saves the pictures of each run', async () => {
    await poke('ram', 0x2000, ...pattern(63, 3))
    await poke('ram', 0x07f8, 0x80)
    const files = ['animation/frame_01.png', 'animation/frame_01.bin', 'animation/animation.json']
    const id = await expectOfEachRun('extract_animation', { durationMs: 60 }, files)
    expect([...bytesOf(id, '0002/animation/frame_01.bin')]).toEqual(pattern(63, 3))
  })

  it('extract_sprites_from_ram keeps those of the last run only, unless it is to keep all', async () => {
    await poke('ram', 0x3000, ...pattern(63, 4), 0, ...pattern(63, 5), 0)
    const args = { address: '$3000', length: 128 }
    const id = await start('extract_sprites_from_ram', args)
    await moreRuns(id)
    expect(artifactsOf(id)).toEqual(expect.arrayContaining(['sprites/sprite_3000.bin', 'sprites/sprite_3040.bin']))
    await poke('ram', 0x3000, ...new Array<number>(64).fill(0))
    await moreRuns(id)
    await stop(id)
    expect(artifactsOf(id).filter((name) => name.includes('3000'))).toEqual([])
    expect([...bytesOf(id, 'sprites/sprite_3040.bin')]).toEqual(pattern(63, 5))
    await expectOfEachRun('extract_sprites_from_ram', args, ['sprites/sprite_3040.png', 'sprites/sprite_3040.bin'])
  })

  it('compare_picture compares each run with the first, keeps what differs, and ends where it is to fail', async () => {
    const args = { what: 'memory', failWhenDifferent: false, keepAll: true }
    const id = await start('compare_picture', args)
    await moreRuns(id)
    await poke('io', 0xd020, 5)
    await moreRuns(id)
    await stop(id)
    const runs = runsOf(id)
    expect(runs[0]?.value.result).toBe('saved')
    const different = runs.flatMap(({ run, value }) => (value.result === 'different' ? [run] : []))
    expect(different.length).toBeGreaterThan(0)
    for (const run of different) {
      const folder = `${String(run).padStart(4, '0')}/difference`
      const { width, height } = readPng(bytesOf(id, `${folder}/difference.png`), MAX)
      expect([width, height]).toEqual([384, 272])
    }
    const failing = await start('compare_picture', { what: 'memory' })
    await moreRuns(failing)
    await poke('io', 0xd020, 6)
    const ended = await bridge.call('tasks.wait', { id: failing })
    expect(ended).toMatchObject({ status: 'error', lastError: expect.stringContaining('differ') as unknown })
    expect(artifactsOf(failing)).toEqual(expect.arrayContaining(['baseline.png', 'difference/difference.png']))
  })
})
