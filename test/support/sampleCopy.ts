/** A copy of the sample project, made and run by the commands that the documentation has for it. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { validateProject } from '../../src-main/projects/read/inspectProject'
import type { Ended } from './callHere'
import { CommandLine } from './commandLine'
import { nothingRemembered } from './projectFiles'
import { shellWords } from './shellWords'

const CLI = 'npm run -s cli -- '
const WINDOW = 'npm start -- '

const documented = (
  readFileSync('docs/projects.md', 'utf8').split('\n## The sample project, driven to its end\n')[1] ?? ''
)
  .split('\n')
  .flatMap((line) => (line.startsWith('    ') ? [line.trim()] : []))

export class SampleCopy {
  readonly calls = new CommandLine()
  readonly folder = join(this.calls.folder, 'sample')

  constructor() {
    writeFileSync(join(this.calls.folder, '.gitconfig'), '[user]\n\tname = Tester\n\temail = tester@example.org\n')
    // Of a call through npm, the folder of the checkout.
    this.calls.environment['INIT_CWD'] = resolve('.')
  }

  /** By the commands before the first run. */
  async make(): Promise<void> {
    for (const line of documented.filter((each) => !each.startsWith(WINDOW) && !/ run /.test(each.replace(CLI, ''))))
      if ((await this.call(line)).code !== 0) throw new Error(`“${line}” failed.`)
  }

  /** The commands that run an orchestration of a format. */
  runs(system: string): string[] {
    return documented.filter((line) => line.startsWith(`${CLI}${system} run`))
  }

  /** What the window is started with. */
  windowArgs(): string[] {
    return documented.flatMap((line) =>
      line.startsWith(WINDOW) ? shellWords(this.#here(line).slice(WINDOW.length)) : [],
    )
  }

  async call(line: string): Promise<Pick<Ended, 'code' | 'stderr'>> {
    const here = this.#here(line)
    if (here.startsWith(CLI)) return this.calls.run(...shellWords(here.slice(CLI.length)))
    const [program = '', ...words] = shellWords(here)
    execFileSync(program, words, { env: this.calls.environment })
    return { code: 0, stderr: '' }
  }

  /** How the files of a format’s runs say that they are. */
  async states(system: string): Promise<Set<string>> {
    const { stdout } = await this.calls.run('project', 'inspect', this.folder, '--json')
    const { data } = JSON.parse(stdout) as { data: { runs: { view: { system: string; state: { value: string } } }[] } }
    return new Set(data.runs.flatMap(({ view }) => (view.system === system ? [view.state.value] : [])))
  }

  /** What the rules of the formats find fault with. */
  async faults() {
    const { findings } = await validateProject(this.folder, nothingRemembered, new AbortController().signal)
    return findings.filter(({ severity }) => severity !== 'info')
  }

  remove(): Promise<void> {
    return this.calls.remove()
  }

  #here(line: string): string {
    return line.replaceAll('/tmp/sample', this.folder)
  }
}
