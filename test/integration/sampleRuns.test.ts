/** The four runs of the sample project, each driven to its end by the one command that the documentation has for it. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validateProject } from '../../src-main/projects/read/inspectProject'
import { CommandLine, type Ended } from '../support/commandLine'
import { nothingRemembered } from '../support/projectFiles'
import { shellWords } from '../support/shellWords'

const documented = (
  readFileSync('docs/projects.md', 'utf8').split('\n## The sample project, driven to its end\n')[1] ?? ''
)
  .split('\n')
  .flatMap((line) => (line.startsWith('    ') ? [line.trim()] : []))
const CLI = 'npm run -s cli -- '

let calls: CommandLine
let sample: string
beforeAll(async () => {
  calls = new CommandLine()
  sample = join(calls.folder, 'sample')
  writeFileSync(join(calls.folder, '.gitconfig'), '[user]\n\tname = Tester\n\temail = tester@example.org\n')
  // Of a call through npm, the folder of the checkout.
  calls.environment['INIT_CWD'] = resolve('.')
  for (const line of documented.filter((each) => !isRun(each))) expect(await call(line)).toMatchObject({ code: 0 })
})
afterAll(() => calls.remove())

const isRun = (line: string) => / run /.test(line.replace(CLI, ''))

async function call(line: string): Promise<Pick<Ended, 'code' | 'stderr'>> {
  const here = line.replaceAll('/tmp/sample', sample)
  if (here.startsWith(CLI)) return calls.run(...shellWords(here.slice(CLI.length)))
  const [program = '', ...words] = shellWords(here)
  execFileSync(program, words, { env: calls.environment })
  return { code: 0, stderr: '' }
}

describe('the command that is documented for the sample’s run of', () => {
  it.each(['metashell', 'ncrew', 'maestro', 'tuning'])('%s drives it to its end', async (system) => {
    const [line = '', ...others] = documented.filter((each) => each.startsWith(`${CLI}${system} run`))
    expect(others).toEqual([])
    expect(await call(line)).toMatchObject({ code: 0 })
    const { stdout } = await calls.run('project', 'inspect', sample, '--json')
    const { data } = JSON.parse(stdout) as { data: { runs: { view: { system: string; state: { value: string } } }[] } }
    const states = data.runs.flatMap(({ view }) => (view.system === system ? [view.state.value] : []))
    expect(new Set(states)).toEqual(new Set(['done']))
  })

  it('leaves complete files, by each format’s rules, and nothing that needs a person', async () => {
    const { findings } = await validateProject(sample, nothingRemembered, new AbortController().signal)
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
    expect((await calls.run('project', 'needs', sample)).stdout).toBe('Nothing needs you.\n')
  })
})
