/** Expressions that the command line watches, on the built-in C64. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
      ...{ '@lives': '$2A', 'word($c000)': '$C100', '@word($c000) + 1': '$2B', '@$c002.7': '$01' },
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
