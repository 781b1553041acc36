/** Expressions that the command line watches, on the built-in C64. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CommandLine } from '../support/commandLine'

let calls: CommandLine
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
  await calls.data('pause')
  await calls.data('write', '--address', '$c000', '--bytes', '00 c1 ff', '--bank', 'ram')
  await calls.data('write', '--address', '$c100', '--bytes', '2a', '--bank', 'ram')
  writeFileSync(join(calls.folder, 'game.sym'), 'lives = $c100\n')
  await calls.data('label', 'load', 'game.sym')
})
afterAll(() => calls.remove())

const valuesSchema = z.object({
  values: z.array(z.object({ expression: z.string(), value: z.number(), text: z.string() })),
})

async function valuesOf(...words: string[]): Promise<Record<string, string>> {
  const { values } = valuesSchema.parse(await calls.data('watch', ...words, '--count', '1'))
  return Object.fromEntries(values.map(({ expression, text }) => [expression, text]))
}

describe('watching expressions', () => {
  it('shows bytes, words, bits, labels and addresses that are read from memory', async () => {
    expect(
      await valuesOf('--show', '@lives', '--show', 'word($c000)', '--show', '@word($c000) + 1', '--show', '@$c002.7'),
    ).toEqual({
      '@lives': '$2A',
      'word($c000)': '$C100',
      '@word($c000) + 1': '$2B',
      '@$c002.7': '$01',
    })
    expect(await valuesOf('--show', '@lives', '--format', 'decimal')).toEqual({ '@lives': '42' })
  })

  it('shows registers as the machine has them', async () => {
    await calls.data('register', 'set', 'X', '7')
    expect(await valuesOf('--show', 'X', '--show', 'X + 1')).toEqual({ X: '$07', 'X + 1': '$08' })
  })

  it('ends once a condition is true', async () => {
    const { stdout, code } = await calls.run('watch', '--until', '@lives == 42')
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(stdout).toContain('@lives == 42 = $01')
  })

  it('says what cannot be read', async () => {
    expect((await calls.run('watch', '--show', '@lives ==')).stderr).toContain('column')
    expect((await calls.run('watch', '--show', '@nobody')).stderr).toContain('nobody')
    expect((await calls.run('watch')).stderr).toContain('--address')
    const many = Array.from({ length: 21 }, () => ['--show', 'X']).flat()
    expect((await calls.run('watch', ...many)).stderr).toContain('20 expressions')
  })
})

const marksSchema = z.object({
  marks: z.array(z.object({ text: z.string(), value: z.number().nullable(), time: z.string() })),
})
const startedSchema = z.object({ task: z.object({ id: z.string() }) })
const marksOf = async (recording: string) => marksSchema.parse(await calls.data('recording', 'marks', recording)).marks

describe('marking what becomes true', () => {
  const started: string[] = []
  const startRecording = async (): Promise<string> => {
    const { task } = startedSchema.parse(await calls.data('task', 'start', 'record', '--detach'))
    started.push(task.id)
    // The task goes on by itself, and may come to its recording only after this call.
    await expect
      .poll(() => calls.data('recording', 'list'))
      .toMatchObject({
        recordings: expect.arrayContaining([expect.objectContaining({ open: true })]) as unknown,
      })
    return task.id
  }
  afterEach(async () => {
    for (const id of started.splice(0)) await calls.run('task', 'stop', id)
  })

  it('is refused while nothing records the machine, and without an expression', async () => {
    expect((await calls.run('watch', '--show', '@lives == 1', '--mark')).stderr).toContain(
      'No recording of builtin is running.',
    )
    expect((await calls.run('watch', '--address', '$d020', '--mark')).stderr).toContain('--show')
  })

  it('puts each expression into the recording in the look in which it is no longer 0', async () => {
    const id = await startRecording()
    await calls.data('write', '--address', '$c100', '--bytes', '03', '--bank', 'ram')
    const watching = calls.start(
      'watch',
      '--show',
      '@lives == 2',
      '--show',
      '@lives',
      '--mark',
      '--rate',
      '20',
      '--json',
    )
    await expect.poll(watching.output).toContain('"value":3')
    await calls.data('write', '--address', '$c100', '--bytes', '02', '--bank', 'ram')
    await expect.poll(watching.output).toContain(id)
    watching.interrupt()
    await watching.ended
    const marks = await marksOf(id)
    expect(marks).toEqual([{ text: '@lives == 2', value: 1, time: expect.any(String) as string }])
    expect(watching.output()).toContain(`"time":"${marks[0]?.time}"`)
  })

  it('is also done by hand, at the newest frame or another one', async () => {
    const id = await startRecording()
    await calls.data('recording', 'mark', id, '--text', 'while it is made')
    await calls.data('task', 'stop', id)
    const early = z
      .object({ mark: z.int() })
      .parse(await calls.data('recording', 'mark', id, '--text', 'start', '--at', '+0'))
    expect((await marksOf(id)).map(({ text }) => text).sort()).toEqual(['start', 'while it is made'])
    expect((await calls.run('recording', 'mark', id, '--text', 'late', '--at', '+3600')).stderr).toContain(
      'not in the recording',
    )
    await calls.data('recording', 'unmark', id, String(early.mark))
    expect((await marksOf(id)).map(({ text }) => text)).toEqual(['while it is made'])
  })
})
