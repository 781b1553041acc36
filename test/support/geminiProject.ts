/** A project in which a stand-in for Gemini works, and calls of the built command line there. */
import { execFile, type ChildProcess } from 'node:child_process'
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
import { callHere, type Ended } from './callHere'

const noteSchema = z.object({
  what: z.enum(['start', 'end', 'child', 'commit']),
  agent: z.string(),
  pid: z.number(),
  /** ms since 1970 */
  time: z.number(),
  argv: z.array(z.string()).optional(),
  stdin: z.string().nullish(),
  variables: z.record(z.string(), z.string()).optional(),
  hash: z.string().optional(),
})
export type GeminiNote = z.infer<typeof noteSchema>

export class GeminiProject {
  /** Links resolved: the project, the data and the programs are in it. */
  readonly top = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-gemini-')))
  readonly project = join(this.top, 'project')

  constructor() {
    mkdirSync(this.project)
    mkdirSync(join(this.top, 'bin'))
    symlinkSync(resolve('test/peers/agents/gemini.mjs'), join(this.top, 'bin/gemini'))
  }

  remove(): void {
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

  run(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return callHere(words, { environment: this.#environment(environment) })
  }

  /** In a process of its own, to be interrupted or killed. */
  start(
    words: readonly string[],
    environment: NodeJS.ProcessEnv = {},
  ): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
    const env = this.#environment(environment)
    let done: (ended: Ended) => void = () => undefined
    const ended = new Promise<Ended>((resolve) => (done = resolve))
    const child = execFile(
      process.execPath,
      [resolve('out/main/cli.cjs'), ...words],
      { env, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) => done({ code: child.exitCode, stdout, stderr }),
    )
    return { child, ended }
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
