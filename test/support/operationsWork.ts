/** The list of operations, once on one machine, whatever its driver. What they do in detail is in operations.test.ts. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeCapabilities } from '../../src-main/machine/machine'
import { findOperation } from '../../src-main/tasks/operations'
import type { Subject } from './conformance'
import { operationBench, type Bench } from './operationRun'

/** 10 SYS 2061, and a program that turns the border green and stays: LDA #$05; STA $D020; JMP $0812. */
const greenBorder = Uint8Array.of(
  0x01,
  0x08,
  0x0b,
  0x08,
  0x0a,
  0x00,
  0x9e,
  0x32,
  0x30,
  0x36,
  0x31,
  0x00,
  0x00,
  0x00,
  0xa9,
  0x05,
  0x8d,
  0x20,
  0xd0,
  0x4c,
  0x12,
  0x08,
)

export function operationsWork(name: string, start: () => Promise<Subject>): void {
  describe(`on ${name}`, () => {
    let subject: Subject
    let bench: Bench
    let folder: string
    beforeAll(async () => {
      subject = await start()
      await subject.machine.connect(AbortSignal.timeout(60_000))
      bench = await operationBench(subject.machine)
      folder = await mkdtemp(join(tmpdir(), 'bridgedeck-operations-work-'))
    })
    afterAll(async () => {
      await bench.close()
      await subject.machine.disconnect()
      await subject.stop()
      await rm(folder, { recursive: true })
    })

    const execution = () => subject.machine.status.execution
    /** Does it, or is refused with the machine's reason where that lacks what it needs. */
    const runOrRefuse = async (operation: string, args: object = {}) => {
      const capabilities = describeCapabilities(subject.machine)
      const limit = findOperation(operation)
        .needs.flatMap((need) => capabilities[need] ?? [])
        .at(0)
      if (limit === undefined) return bench.run(operation, args)
      await expect(bench.run(operation, args)).rejects.toThrow(limit)
      return undefined
    }

    it('write, fill, read and sample agree', async () => {
      await bench.run('write', { address: '$C000', bytes: '01 02 03', verify: true })
      await bench.run('fill', { address: '$C003', length: 300, bytes: 'a5', verify: true })
      expect((await bench.run('read', { address: '$C000', length: 5 })).summary).toMatchObject({ bytes: '010203a5a5' })
      expect(
        (await bench.run('sample', { ranges: ['$C000-$C002', '$C100'], rate: 20, durationMs: 100 })).summary,
      ).toMatchObject({
        values: { '0xC000-0xC002': '010203', '0xC100': 'a5' },
      })
      expect(bench.moments.length).toBeGreaterThan(0)
    })

    it('extract_ram and compare_snapshot agree, and find a byte that was changed', async () => {
      const { task } = await bench.run('extract_ram', { address: '$C000', length: 512 })
      expect((await bench.run('compare_snapshot', { baseline: task })).summary).toEqual({ result: 'same' })
      await bench.run('write', { address: '$C010', bytes: '5a' })
      expect((await bench.run('compare_snapshot', { baseline: task })).summary).toMatchObject({
        differingBytes: 1,
        ranges: [{ from: '0xC010', expected: 'a5', found: '5a' }],
      })
      expect((await bench.run('compare_snapshot', { baseline: task, ignore: ['$C010'] })).summary).toEqual({
        result: 'same',
      })
    })

    it('snapshot takes all memory, and says what it could not read without changing the machine', async () => {
      const { summary, task } = await bench.run('snapshot')
      const manifest = JSON.parse((await bench.artifact(task, 'memory.json')).toString()) as {
        ranges: { file: string; length: number }[]
      }
      expect(manifest.ranges.map(({ length }) => length)).toEqual([0x10000, 0x1000, 0x400])
      for (const { file, length } of manifest.ranges) expect(await bench.artifact(task, file)).toHaveLength(length)
      const isComplete = subject.machine.unsupported.ramUnderRom === undefined
      expect(Object.keys(summary.skipped as object)).toEqual(isComplete ? [] : ['cpu', 'io'])
      expect(Object.keys(summary.registers as object).includes('PC')).toBe(
        subject.machine.unsupported.registers === undefined,
      )
    })

    it('extract_sprites_from_ram finds what was put there', async () => {
      await bench.run('fill', { address: '$2000', length: 0x400 })
      await bench.run('fill', { address: '$2040', length: 63, bytes: '18 3c 7e' })
      const { summary, task } = await bench.run('extract_sprites_from_ram', { length: 0x400 })
      expect(summary).toEqual({ spriteCount: 1, spriteAddresses: ['0x2040'] })
      expect(decode(await bench.artifact(task, 'sprites/sprite_2040.png'))).toMatchObject({ width: 24, height: 21 })
    })

    it('extract_charset finds what was put there', async () => {
      await bench.run('fill', { address: '$3000', length: 0x800, bytes: '00 18 3c 66 7e 66 66 00' })
      expect((await bench.run('extract_charset', { address: '$3000' })).summary).toMatchObject({
        charsets: [{ address: '0x3000', characters: 256 }],
      })
    })

    it('extract_bitmap, extract_screen and extract_animation take what was put there', async () => {
      await bench.run('fill', { address: '$6000', length: 8000, bytes: '1b e4' })
      await bench.run('fill', { address: '$4400', length: 1000, bytes: '67' })
      const picture = await bench.run('extract_bitmap', { bitmap: '$6000', screen: '$4400', mode: 'multicolourBitmap' })
      expect(picture.summary).toMatchObject({ bitmap: '0x6000', screen: '0x4400', mode: 'multicolourBitmap' })
      expect((await bench.artifact(picture.task, 'bitmaps/bitmap.bin')).subarray(0, 4).toString('hex')).toBe('1be41be4')
      expect(decode(await bench.artifact(picture.task, 'bitmaps/bitmap.png'))).toMatchObject({
        width: 320,
        height: 200,
      })
      // Not every machine shows its character ROM.
      await bench.run('write', { address: '$D018', bytes: '18', space: 'io' })
      const { summary, task } = await bench.run('extract_screen')
      await bench.run('write', { address: '$D018', bytes: '14', space: 'io' })
      expect(summary).toMatchObject({ mode: 'text' })
      expect(decode(await bench.artifact(task, 'screens/screen.png'))).toMatchObject({ width: 320, height: 200 })
      expect((await bench.run('extract_animation', { rate: 5, durationMs: 400 })).summary).toMatchObject({
        pictures: 1,
      })
    })

    it('compare_picture tells other sprites from the same', async () => {
      await bench.run('fill', { address: '$07F8', length: 8, bytes: '81' })
      const { task } = await bench.run('compare_picture', { what: 'sprites' })
      expect((await bench.run('compare_picture', { baseline: task, what: 'sprites' })).summary).toMatchObject({
        result: 'same',
      })
      await bench.run('fill', { address: '$2040', length: 3, bytes: 'e7' })
      await expect(bench.run('compare_picture', { baseline: task, what: 'sprites' })).rejects.toThrow(
        'The picture is another',
      )
    })

    it('read_screen, poll_screen and capture_screen see the same screen', async () => {
      const { address } = (await bench.run('read_screen')).summary
      await bench.run('write', { address, bytes: '08 09 20 14 08 05 12 05' })
      expect((await bench.run('poll_screen', { pattern: 'hi there' })).summary).toMatchObject({
        found: true,
        row: 0,
        column: 0,
      })
      const { artifacts, task } = await bench.run('capture_screen')
      expect((await bench.artifact(task, 'screen.txt')).toString()).toMatch(/^hi there/i)
      expect(artifacts?.png !== undefined).toBe(subject.machine.unsupported.picture === undefined)
    })

    it('pause and resume, type_text, run_prg and reset are carried out, or refused with the reason', async () => {
      if (await runOrRefuse('pause')) await expect.poll(execution).toBe('paused')
      if (await runOrRefuse('resume')) await expect.poll(execution).toBe('running')
      await runOrRefuse('reset')
      await runOrRefuse('type_text', { text: 'hi\n' })
      const path = join(folder, 'border.prg')
      await writeFile(path, greenBorder)
      if (await runOrRefuse('run_prg', { path })) {
        const loaded = async () => (await bench.run('read', { address: '$080D', length: 5 })).summary.bytes
        await expect.poll(loaded).toBe('a9058d20d0')
      }
    })
  })
}
