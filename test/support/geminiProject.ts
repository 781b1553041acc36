/** A project in which a stand-in for Gemini works, and calls of the built command line there. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { z } from 'zod'
import { callHere, startHere, type Ended, type RunningCall } from './callHere'
import { startProcess, type CallProcess } from './callProcess'

const noteSchema = z.object({
  what: z.enum(['start', 'end', 'child', 'commit']),
  agent: z.string(),
  pid: z.number(),
  /** ms since 1970 */
  time: z.number(),
  argv: z.array(z.string()).optional(),
  stdin: z.string().nullish(),
  /** Of Bridgedeck. */
  run: z.string().optional(),
  variables: z.record(z.string(), z.string()).optional(),
  hash: z.string().optional(),
})
export type GeminiNote = z.infer<typeof noteSchema>

export class GeminiProject {
  /** Links resolved: the project, the data and the programs are in it. */
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-gemini-')))
  readonly project = join(this.top, 'project')
  readonly #started: RunningCall[] = []

  constructor() {
    mkdirSync(this.project)
    mkdirSync(join(this.top, 'bin'))
    symlinkSync(resolve('test/peers/agents/gemini.mjs'), join(this.top, 'bin/gemini'))
  }

  remove(): void {
    // One that a failed test left would keep the environment from those after it.
    for (const call of this.#started) call.interrupt()
    rmSync(this.top, { recursive: true, force: true })
  }

  /** See test/peers/agents/gemini.mjs. */
  behave(script: object): void {
    writeFileSync(join(this.project, 'gemini.json'), JSON.stringify(script))
  }

  /** What the stand-ins noted, the oldest first. */
  notes(what: GeminiNote['what']): GeminiNote[] {
    const file = join(this.project, 'gemini-calls.jsonl')
    return (existsSync(file) ? readFileSync(file, 'utf8') : '')
      .split('\n')
      .filter(Boolean)
      .map((line) => noteSchema.parse(JSON.parse(line)))
      .filter((note) => note.what === what)
  }

  /** So far. @param run of an agent */
  printedBy(run: string): string {
    const log = join(this.top, 'data/agents', run, 'output.log')
    return existsSync(log) ? readFileSync(log, 'utf8') : ''
  }

  run(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return callHere(words, { environment: this.#environment(environment) })
  }

  /** The same of a call that is watched or interrupted meanwhile. */
  start(words: readonly string[], environment: NodeJS.ProcessEnv = {}): RunningCall {
    const call = startHere(words, { environment: this.#environment(environment) })
    this.#started.push(call)
    return call
  }

  /** In a process of its own, to be killed. */
  startProcess(words: readonly string[], environment: NodeJS.ProcessEnv = {}): CallProcess {
    return startProcess(words, { environment: this.#environment(environment) })
  }

  #environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return {
      ...process.env,
      PATH: [join(this.top, 'bin'), join(process.execPath, '..'), process.env['PATH']].join(delimiter),
      BRIDGEDECK_DATA: join(this.top, 'data'),
      INIT_CWD: this.project,
      HOME: this.top,
      ...more,
    }
  }
}
