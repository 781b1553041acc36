/** Checks: what a case costs on the built-in C64, with the start of the call apart. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { CommandLine } from '../support/commandLine'
import { median, type Row } from './row'

const CASES = 50

const answer = z.object({ passed: z.number(), cases: z.array(z.object({ name: z.string(), seconds: z.number() })) })

/** A program that is started, does something, and is looked at. */
const caseText = (number: number): string =>
  [
    `  - name: case ${number}`,
    '    assembly: |',
    `      start lda #${number}`,
    '            sta $0400',
    '      done  jmp done',
    '    steps: { run_to: done }',
    `    expect: { condition: '@$0400 == ${number}' }`,
  ].join('\n')

export default async function check(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-check-'))
  const calls = new CommandLine({ inProcesses: true })
  try {
    const timed = async (file: string) => {
      const begun = performance.now()
      const data = answer.parse(await calls.data('check', join(folder, file)))
      if (data.passed !== data.cases.length) throw new Error('A case did not pass.')
      return { whole: performance.now() - begun, times: data.cases.map(({ seconds }) => seconds * 1000) }
    }
    await writeFile(
      join(folder, 'many.yaml'),
      `cases:\n${Array.from({ length: CASES }, (_, n) => caseText(n)).join('\n')}\n`,
    )
    await writeFile(join(folder, 'none.yaml'), 'cases: [{ name: prompt, expect: { screen: READY. } }]\n')
    await cp(resolve('docs/examples'), folder, { recursive: true })
    const [none, many, example] = [await timed('none.yaml'), await timed('many.yaml'), await timed('border.check.yaml')]
    return [
      { name: 'a case: reset, program, run to a place, condition (median)', value: median(many.times), unit: 'ms' },
      { name: `the call with ${CASES} such cases`, value: many.whole, unit: 'ms' },
      { name: 'the call with one case at the prompt', value: none.whole, unit: 'ms' },
      { name: 'the call with docs/examples/border.check.yaml', value: example.whole, unit: 'ms' },
    ]
  } finally {
    await calls.remove()
    await rm(folder, { recursive: true, force: true })
  }
}
