/** The built command line, with a working folder, a home and data of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callHere, startHere, type Ended, type RunningCall } from './callHere'
import { startProcess, type CallProcess } from './callProcess'

export class CommandLine {
  /** The caller's working folder; its data and its home are in it too. */
  readonly folder = mkdtempSync(join(tmpdir(), 'bridgedeck-calls-'))

  readonly environment: NodeJS.ProcessEnv = {
    ...process.env,
    BRIDGEDECK_DATA: join(this.folder, 'data'),
    INIT_CWD: this.folder,
    HOME: this.folder,
    // The tests' own folder for tasks of the whole run.
    C64_TASK_STATE_FILE: '',
  }

  readonly #inProcesses: boolean

  /** @param options `inProcesses`: each call starts one, as a person's does; otherwise it is made within the process of the test */
  constructor({ inProcesses = false } = {}) {
    this.#inProcesses = inProcesses
  }

  run(...words: readonly string[]): Promise<Ended> {
    return this.#inProcesses ? this.startProcess(...words).ended : callHere(words, { environment: this.environment })
  }

  /** The same of a call that goes on until it is interrupted. */
  start(...words: readonly string[]): RunningCall {
    return startHere(words, { environment: this.environment })
  }

  /** A call in a process of its own, as a person makes it. */
  startProcess(...words: readonly string[]): CallProcess {
    return startProcess(words, { environment: this.environment })
  }

  /** The data of a call that succeeds. */
  async data(...words: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.run(...words, '--json')
    const answer = JSON.parse(stdout === '' ? '{}' : stdout) as { ok?: boolean; data?: unknown; error?: unknown }
    if (code !== 0 || answer.ok !== true)
      throw new Error(`${words.join(' ')} ended with ${code}: ${JSON.stringify(answer.error)} ${stderr}`)
    return answer.data
  }

  /** Also ends a bridge in the background. */
  async remove(): Promise<void> {
    await this.run('bridge', 'stop')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
