/** The built command line within the test's own process: the same arguments, environment, folder and streams, without a start. */
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type * as program from '../../src-main/cli/runCommandLine'
import { recordRunning } from './runningCalls'

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Caller {
  /** All of it: nothing is inherited. */
  readonly environment: NodeJS.ProcessEnv
  /** Standard input; empty when not given. */
  readonly input?: string | Buffer | Readable
  /** In place of what is kept of standard output. */
  readonly output?: Writable
}

export interface RunningCall {
  readonly ended: Promise<Ended>
  readonly output: () => string
  readonly errors: () => string
  /** As Ctrl+C does. */
  readonly interrupt: () => void
}

const require = createRequire(import.meta.url)
const { interruptedByPerson, runCommandLine } = require(resolve('out/main/runCommandLine.cjs')) as typeof program

/** @param words without the program's name */
export const callHere = (words: readonly string[], caller: Caller): Promise<Ended> => startHere(words, caller).ended

export function startHere(words: readonly string[], { environment, input = '', output }: Caller): RunningCall {
  const interrupted = new AbortController()
  const stdout = new Collected()
  const stderr = new Collected()
  const stdin = input instanceof Readable ? input : Readable.from(input.length === 0 ? [] : [Buffer.from(input)])
  const interrupt = () => interrupted.abort(interruptedByPerson())
  const run = () =>
    runCommandLine(words, {
      programs: resolve('out/main'),
      folder: environment['INIT_CWD'] ?? process.cwd(),
      environment,
      streams: { stdin, stdout: output ?? stdout, stderr },
      signal: interrupted.signal,
    })
  const ended = within(environment, () =>
    recordRunning({ words, interrupt, isInterrupted: () => interrupted.signal.aborted }, run()),
  )
  return {
    ended: ended.then((code) => ({ code, stdout: stdout.text, stderr: stderr.text })),
    output: () => stdout.text,
    errors: () => stderr.text,
    interrupt,
  }
}

class Collected extends Writable {
  readonly #chunks: Buffer[] = []

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk)
    done()
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString()
  }
}

interface Place {
  readonly variables: string
  calls: number
  /** Called when it is free again. */
  readonly waiting: (() => void)[]
}

let occupied: Place | undefined
let own: NodeJS.ProcessEnv = {}

/**
 * What is deep in the product reads the environment of the process, which is that of the call as long as it runs. Calls with the same
 * one run at once; another one waits.
 */
async function within<Result>(environment: NodeJS.ProcessEnv, call: () => Promise<Result>): Promise<Result> {
  const variables = JSON.stringify(Object.entries(environment).sort())
  while (occupied !== undefined && occupied.variables !== variables) await untilLeft(occupied)
  if (occupied === undefined) {
    occupied = { variables, calls: 0, waiting: [] }
    own = { ...process.env }
    replaceEnvironment(environment)
  }
  const place = occupied
  place.calls += 1
  try {
    return await call()
  } finally {
    place.calls -= 1
    if (place.calls === 0) {
      replaceEnvironment(own)
      occupied = undefined
      for (const go of place.waiting) go()
    }
  }
}

const untilLeft = ({ waiting }: Place): Promise<void> => new Promise((go) => waiting.push(go))

function replaceEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env))
    if (environment[name] === undefined) Reflect.deleteProperty(process.env, name)
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) process.env[name] = value
}
