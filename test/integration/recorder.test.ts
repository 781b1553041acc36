/** The recorder with its workers, in this process and in ones that are killed or whose disk is full. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Recorder } from '../../src-main/recorder/recorder'
import { FIRST_FRAME, FRAME_MS, numberedFrame } from '../support/numberedFrames'
import { runTypescript } from '../support/runTypescript'

const worker = resolve('out/main/recorderWorker.cjs')
const program = resolve(import.meta.dirname, '../peers/recordingProcess.ts')

let folder: string
let path: string
let recorder: Recorder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-recorder-'))
  path = join(folder, 'recording.sqlite')
  recorder = new Recorder(worker)
})
afterEach(async () => {
  await recorder.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The RAM of the frame, byte for byte. */
async function expectFrame(number: number): Promise<void> {
  const { frame, segments } = await recorder.query('imageAt', {
    path,
    time: FIRST_FRAME + number * FRAME_MS,
    spaces: ['ram'],
    picture: false,
  })
  expect(frame).toBe(number)
  expect(segments).toHaveLength(1)
  expect(
    Buffer.compare(
      segments[0]?.bytes ?? new Uint8Array(),
      numberedFrame(number).segments[0]?.bytes ?? new Uint8Array(1),
    ),
  ).toBe(0)
}

const stateSchema = z.object({
  frames: z.int(),
  lost: z.int(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
})

async function* states(stdout: Readable): AsyncGenerator<z.infer<typeof stateSchema>> {
  for await (const line of createInterface({ input: stdout })) yield stateSchema.parse(JSON.parse(line))
}

describe('a recording', () => {
  it('is asked while it is made, and goes on where it ended', async () => {
    const first = await recorder.open(path)
    for (let number = 0; number < 60; number++) first.append(numberedFrame(number))
    await expectFrame(59)
    await first.close()
    const second = await recorder.open(path)
    expect(second.state).toMatchObject({ frames: 60, lost: 0, failure: null })
    for (let number = 60; number < 100; number++) second.append(numberedFrame(number))
    await second.close()
    expect(await recorder.query('info', { path })).toMatchObject({
      frames: 100,
      from: FIRST_FRAME,
      to: FIRST_FRAME + 99 * FRAME_MS,
    })
    for (const number of [0, 59, 60, 99]) await expectFrame(number)
  })

  it('is made by one caller at a time', async () => {
    const opening = recorder.open(path)
    await expect(recorder.open(path)).rejects.toMatchObject({ code: 'CONFLICT' })
    await (await opening).close()
    await (await recorder.open(path)).close()
  })

  it('counts the frames that it cannot take, and keeps the others', async () => {
    const recording = await recorder.open(path)
    for (let number = 0; number < 150; number++) recording.append(numberedFrame(number))
    expect(recording.state).toMatchObject({ frames: 100, lost: 50 })
    await recording.close()
    expect(await recorder.query('info', { path })).toMatchObject({ frames: 100 })
  })

  it('says so when its worker dies, and can be gone on with', async () => {
    const dying = join(folder, 'dying.cjs')
    writeFileSync(
      dying,
      `require(${JSON.stringify(worker)})\nrequire('node:worker_threads').parentPort.on('message', ({ payload }) => { if (payload?.frame?.seq === 30) throw new Error('struck by a test') })`,
    )
    const struck = new Recorder(dying)
    const recording = await struck.open(path)
    for (let number = 0; number < 20; number++) recording.append(numberedFrame(number))
    await struck.query('info', { path })
    for (let number = 20; number < 40; number++) recording.append(numberedFrame(number))
    await expect
      .poll(() => recording.state.failure)
      .toMatchObject({ code: 'LOST', message: 'The recorder stopped unexpectedly: struck by a test' })
    expect(recording.state.frames).toBe(20)
    await recording.close()
    const again = await struck.open(path)
    expect(again.state).toMatchObject({ frames: 20, failure: null })
    await struck.close()
    await expectFrame(19)
  })
})

describe('a recording whose process is killed while it writes', () => {
  it('keeps every frame that was said to be on disk, again and again', async () => {
    let known = 0
    for (let round = 0; round < 5; round++) {
      const child = runTypescript(program, [worker, path])
      let batches = 0
      for await (const { frames } of states(child.stdout)) {
        known = frames
        // Each round in the middle of another batch.
        if (++batches === 4 + round * 3) setTimeout(() => child.kill('SIGKILL'), round)
      }
      const { frames } = await recorder.query('info', { path })
      expect(frames).toBeGreaterThanOrEqual(known)
      for (const number of [0, Math.floor(known / 2), frames - 1]) await expectFrame(number)
      expect(
        (await recorder.query('changes', { path, space: 'ram', address: 3, span: {}, order: 'last', limit: 1 }))
          .damages,
      ).toEqual([])
    }
  })
})

describe.runIf(process.platform !== 'win32')('a recording whose file may not grow any more', () => {
  it('ends with the reason and keeps what is there', async () => {
    // A limit of the system, in blocks of 512 or 1024 bytes.
    const loader = resolve(import.meta.dirname, '../support/typescript.mjs')
    const child = spawn(
      '/bin/sh',
      ['-c', 'ulimit -f 2000; exec "$@"', 'sh', process.execPath, '--import', loader, program, worker, path],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const ended = once(child, 'close')
    const told: z.infer<typeof stateSchema>[] = []
    for await (const state of states(child.stdout)) told.push(state)
    expect(await ended).toEqual([0, null])
    const last = told.at(-1)
    expect(last?.failure).toEqual({
      code: 'INVALID',
      message: expect.stringContaining('The disk is full') as string,
    })
    expect(last?.frames).toBeGreaterThan(100)
    expect(await recorder.query('info', { path })).toMatchObject({ frames: last?.frames })
    await expectFrame((last?.frames ?? 0) - 1)
  })
})
