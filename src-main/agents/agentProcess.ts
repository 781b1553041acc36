import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { argumentsOf, type AgentCommand } from '@shared/agentPresets'
import { nodeProgram } from '../files/nodeProgram'
import type { AgentStatus } from './agent'
import { enterGroup, makeGroup, removeEmptyGroups } from './cgroup'
import { agentEnvironment, type OwnVariables } from './environment'
import { chooseMark, giveMark } from './inheritedMark'
import { LineSplitter } from './lineSplitter'
import { LogFile } from './logFile'
import { markedStart } from './markedStart'
import { outputReaders, type OutputReader, type Said, type Used } from './output'
import { PrintClock } from './printTimes'
import { MAX_ERRORS_CHARACTERS } from './printedFailure'
import { endTree, livingOf, MARK, type Tree } from './processTree'
import { TextTail } from './textTail'
import type { Ending } from './verdict'
import type { WorkAccess } from './workAccess'
import { readEnd, witnessArgs } from './witness'

export interface AgentProcessOptions {
  readonly id: string
  readonly agent: AgentCommand & { readonly environment: readonly string[] }
  readonly environment: OwnVariables
  readonly access: WorkAccess
  readonly printsOneObject: boolean
  readonly costsNothing: boolean
  readonly cwd: string
  readonly promptFile: string
  readonly outputFile: string
  readonly errorsFile: string
  readonly endFile?: string
  readonly limits: AgentLimits
}

export interface AgentLimits {
  /** ms */
  readonly time: number
  /** Time to end once it is told to, ms. */
  readonly grace: number
  /** Bytes, of its standard output and of its errors. */
  readonly log: number
}

export interface Ended extends Ending {
  readonly stillAlive: readonly number[]
  readonly leftBehind: number
}

const MAX_POLL_BYTES = 1024 * 1024
const REAP_WAIT_MS = 1_000
const MAX_LAST_LINE_CHARACTERS = 200

export class AgentProcess {
  readonly output: LogFile
  readonly errors: LogFile
  readonly ended: Promise<Ended>
  readonly #options: AgentProcessOptions
  readonly #reader: OutputReader
  readonly #clocks: readonly PrintClock[]
  readonly #splitters: { readonly output: LineSplitter; readonly errors: LineSplitter }
  #tree: Tree | undefined
  #cause: Ending['cause'] = null
  #ending: Promise<readonly number[]> | undefined
  #lastLine = ''
  readonly #lastErrors = new TextTail(MAX_ERRORS_CHARACTERS)
  #giveUp: () => void = () => undefined

  constructor(options: AgentProcessOptions) {
    this.#options = options
    this.output = new LogFile(options.outputFile)
    this.errors = new LogFile(options.errorsFile)
    this.#clocks = [options.outputFile, options.errorsFile].map((log) => new PrintClock(log))
    const reader = outputReaders[options.agent.preset]()
    this.#reader = reader
    const keepLast = (line: string) => {
      if (/[\p{L}\p{N}]/u.test(line)) this.#lastLine = line.slice(0, MAX_LAST_LINE_CHARACTERS)
    }
    this.#splitters = {
      output: new LineSplitter((line) => {
        reader.line(line)
        if (reader.summary === null) keepLast(line)
      }),
      errors: new LineSplitter((line) => {
        this.#lastErrors.add(`${line}\n`)
        keepLast(line)
      }),
    }
    this.ended = this.#run()
  }

  get pid(): number | undefined {
    return this.#tree?.pid
  }

  get used(): Used {
    const { used } = this.#reader
    return this.#options.costsNothing ? { ...used, cost: 0 } : used
  }

  get said(): Said {
    return this.#reader.said
  }

  get lastErrors(): string {
    return this.#lastErrors.text
  }

  get lastLine(): string {
    return this.#reader.summary || this.#lastLine
  }

  async end(
    status: Exclude<AgentStatus, 'success'>,
    reason: string,
    grace = this.#options.limits.grace,
  ): Promise<void> {
    this.#cause ??= { status, reason }
    if (this.#tree && !this.#ending) {
      this.#ending = endTree(this.#tree, grace)
      void this.#ending.then(() => sleep(REAP_WAIT_MS, undefined, { ref: false })).then(this.#giveUp)
    }
    await this.#ending
  }

  async look(): Promise<void> {
    this.#noteTimes()
    await this.output.catchUp(MAX_POLL_BYTES, (bytes) => this.#splitters.output.add(bytes))
    await this.errors.catchUp(MAX_POLL_BYTES, (bytes) => this.#splitters.errors.add(bytes))
    const { limits, agent } = this.#options
    if ((await this.output.size()) > limits.log || (await this.errors.size()) > limits.log) {
      void this.end('error', `It printed more than ${Math.round(limits.log / 1024 / 1024)} MiB and was stopped.`)
    }
    const { turns } = this.used
    if (agent.maxTurns !== null && turns !== null && turns > agent.maxTurns)
      void this.end('limit', `It was stopped in its turn ${turns} of at most ${agent.maxTurns}.`)
  }

  #noteTimes(): void {
    for (const clock of this.#clocks) clock.look()
  }

  async #run(): Promise<Ended> {
    const { limits } = this.#options
    const exit = await this.#start()
    if (!('exited' in exit)) return { exitCode: null, signal: null, cause: exit.failed, stillAlive: [], leftBehind: 0 }
    const timer = setTimeout(
      () => void this.end('timeout', `Timed out after ${Math.round(limits.time / 1000)} s.`),
      limits.time,
    )
    const given = exit.exited.then((code) => ({ ...code, seen: true }))
    const gaveUp = new Promise<void>((resolve) => {
      this.#giveUp = resolve
    }).then(() => ({ exitCode: null, signal: null, seen: false }))
    const { seen, ...exited } = await Promise.race([given, gaveUp])
    clearTimeout(timer)
    const { exitCode, signal, cause } = this.#noted(exited)
    const { tree } = exit
    const leftBehind = seen && this.#ending === undefined ? livingOf(tree).length : 0
    if (leftBehind > 0) this.#ending = endTree(tree, limits.grace)
    const stillAlive = (await this.#ending) ?? []
    removeEmptyGroups()
    await this.#readAll()
    return { exitCode, signal, cause: this.#cause ?? cause, stillAlive, leftBehind }
  }

  #noted(exited: Pick<Ending, 'exitCode' | 'signal'>): Ending {
    const { endFile, agent } = this.#options
    return { cause: null, ...exited, ...(endFile === undefined ? {} : endingOf(agent.command, endFile)) }
  }

  async #start(): Promise<
    | { readonly failed: NonNullable<Ending['cause']> }
    | { readonly tree: Tree; readonly exited: Promise<Pick<Ending, 'exitCode' | 'signal'>> }
  > {
    const { id, agent, environment, access, printsOneObject, cwd, promptFile, outputFile, errorsFile, endFile } =
      this.#options
    const args = argumentsOf({ ...agent, args: [...agent.args, ...access.args] }, printsOneObject)
    const [program, words] =
      endFile === undefined ? [agent.command, args] : [nodeProgram(), witnessArgs(endFile, agent.command, args)]
    // Files, not pipes: the agent outlives a crash of ours with its output kept, and never waits for us to read.
    const files = [
      openSync(promptFile, 'r'),
      openSync(outputFile, 'a', 0o600),
      openSync(errorsFile, 'a', 0o600),
    ] as const
    try {
      const mark = chooseMark()
      const env = {
        ...agentEnvironment(agent.environment),
        ...access.environment,
        ...environment,
        [MARK]: id,
      }
      const child = spawn(...markedStart(program, words, env, { group: makeGroup(id), inherited: mark }), {
        cwd,
        env,
        // Own session and group, to be ended as a whole.
        detached: process.platform !== 'win32',
        stdio: [...files],
        windowsHide: true,
      })
      const exited = new Promise<Pick<Ending, 'exitCode' | 'signal'>>((resolve) => {
        child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
      })
      const { pid } = child
      if (pid === undefined) {
        const [error] = await new Promise<[Error]>((resolve) => child.once('error', (...found) => resolve(found)))
        return { failed: notStarted(agent.command, codeOf(error)) }
      }
      const inherited = giveMark(pid, mark)
      child.on('error', () => undefined)
      enterGroup(pid, id)
      this.#tree = { pid, mark: id, inherited }
      return { tree: this.#tree, exited }
    } catch (error) {
      return { failed: notStarted(agent.command, codeOf(error)) }
    } finally {
      for (const file of files) closeSync(file)
    }
  }

  async #readAll(): Promise<void> {
    this.#noteTimes()
    for (const name of ['output', 'errors'] as const) {
      while (!(await this[name].catchUp(MAX_POLL_BYTES, (bytes) => this.#splitters[name].add(bytes))));
      this.#splitters[name].end()
    }
  }
}

export async function readSaid(preset: AgentCommand['preset'], output: LogFile): Promise<Said> {
  const reader = outputReaders[preset]()
  const splitter = new LineSplitter((line) => reader.line(line))
  while (!(await output.catchUp(MAX_POLL_BYTES, (bytes) => splitter.add(bytes))));
  splitter.end()
  return reader.said
}

export async function readErrors(path: string): Promise<string> {
  const log = new LogFile(path)
  try {
    const size = await log.size()
    const from = Math.max(0, size - MAX_ERRORS_CHARACTERS)
    return (await log.bytes(from, size - from)).toString('utf8')
  } finally {
    await log.close()
  }
}

export function endingOf(command: string, endFile: string): Partial<Ending> {
  const end = readEnd(endFile)
  if (!end) return {}
  return 'failed' in end ? { exitCode: null, signal: null, cause: notStarted(command, end.failed) } : end
}

const notStarted = (command: string, code: string): NonNullable<Ending['cause']> => ({
  status: 'error',
  reason: `${command} could not be started${whyNot(code)}`,
  ...(updateCodes.includes(code) ? { refusal: { kind: 'program', resetsAt: null } } : {}),
})

/** A program that is missing or incomplete while it is replaced. */
const updateCodes: readonly string[] = ['ENOENT', 'EACCES', 'ETXTBSY', 'ENOEXEC']

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

function whyNot(code: string): string {
  switch (code) {
    case '':
      return '.'
    case 'ENOENT':
      return ': there is no such program, or the folder it would work in is gone.'
    case 'EACCES':
      return ': it may not be run.'
    case 'E2BIG':
      return ': its arguments are too long.'
    default:
      return ` (${code}).`
  }
}
