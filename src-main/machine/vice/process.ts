/** A VICE of our own: found, started with its binary monitor on a free port, ended with us. */
import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, closeSync, constants, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import { MonitorClient } from './client'
import { findViceRoms, type ViceRoms } from '../viceRoms'

/** Where processes that we start are written down, so that the next bridge finds them after a crash. */
interface ChildRecords {
  record(child: { pid: number; startedAt: number; purpose: string; port: number | null }): void
  forget(pid: number): void
}

/** The purpose under which a VICE of ours is written down. */
export const VICE_PURPOSE = 'vice'

export interface ViceProcessOptions {
  /** The VICE that the person chose; null looks for x64sc, then x64, on the PATH. */
  readonly executable: string | null
  /** Our own ROM images, used where VICE has none. */
  readonly ownRoms: ViceRoms
  readonly sound: boolean
  /** What VICE prints goes here; a file, so that VICE outlives a crash of ours. */
  readonly logFile: string
  readonly children: ChildRecords
}

export interface ViceProcess {
  readonly client: MonitorClient
  readonly port: number
  /** False where it runs on our own ROMs, which do not read disks. */
  readonly hasCommodoreRoms: boolean
  /** Ends VICE and resolves when it is gone. */
  end(): Promise<void>
}

/** How long VICE may take to open its port and answer, and to end when told to, ms. */
const START_DEADLINE = 15_000
const END_DEADLINE = 1_000
const RETRY = 50

/**
 * Starts VICE minimised and connects to it. Throws UNREACHABLE with what VICE said when it does not come up.
 * @param without options that this VICE turned out not to know
 */
export async function startVice(
  options: ViceProcessOptions,
  signal: AbortSignal,
  without: readonly string[] = [],
): Promise<ViceProcess> {
  const { children, logFile } = options
  const executable = findVice(options.executable)
  const hasCommodoreRoms = findViceRoms(executable) !== null
  const port = await freePort()
  const log = openSync(logFile, 'w', 0o600)
  const child = spawn(executable, viceArguments(options, hasCommodoreRoms, port, without), {
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const startedAt = Date.now()
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  const { pid } = child
  if (pid === undefined) {
    await ended
    throw new AppError('UNREACHABLE', `${executable} could not be started.`, {
      hint: 'Choose another VICE in Settings.',
    })
  }
  children.record({ pid, startedAt, purpose: VICE_PURPOSE, port })
  void ended.then(() => children.forget(pid))
  const end = () => endProcess((kind) => child.kill(kind), ended)
  try {
    const client = await connectWhenUp(child, port, logFile, signal)
    return { client, port, hasCommodoreRoms, end }
  } catch (error) {
    await end()
    const unknown = /^Unknown option '(.+)'/m.exec(readFileSync(logFile, 'utf8'))?.[1]
    if (unknown === undefined || without.includes(unknown) || !niceties.some(([option]) => option === unknown))
      throw error
    return startVice(options, signal, [...without, unknown])
  }
}

/** Connects to a VICE that an earlier bridge started and that still runs. */
export async function adoptVice(
  { pid, port }: { pid: number; port: number },
  options: ViceProcessOptions,
  signal: AbortSignal,
): Promise<ViceProcess> {
  const client = await MonitorClient.connect({ host: '127.0.0.1', port }, signal)
  const hasCommodoreRoms = findViceRoms(findVice(options.executable)) !== null
  const end = async () => {
    await endProcess((kind) => signalProcess(pid, kind), untilGone(pid))
    options.children.forget(pid)
  }
  return { client, port, hasCommodoreRoms, end }
}

/** The path of the VICE to start. Throws UNREACHABLE when there is none. */
function findVice(chosen: string | null): string {
  if (chosen !== null) {
    if (isExecutable(chosen)) return chosen
    throw new AppError('UNREACHABLE', `${chosen} is not a program that can be started.`, {
      hint: 'Choose VICE’s x64sc in Settings.',
    })
  }
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const found = ['x64sc', 'x64']
    .flatMap((name) => folders.map((folder) => join(folder, name + suffix)))
    .find(isExecutable)
  if (found !== undefined) return found
  throw new AppError('UNREACHABLE', 'VICE is not installed: neither x64sc nor x64 is on the PATH.', {
    hint: 'Install VICE (package “vice” on Debian and Ubuntu), or choose its x64sc in Settings.',
  })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Options that some builds of VICE do not have, and that it does without. */
const niceties: readonly (readonly [string, ...string[]])[] = [
  ['-minimized'],
  // What we set here is for this run, not for the person's own settings.
  ['+saveres'],
  ['+confirmonexit'],
  // "Ask" is told to the monitor as an event instead; the other choices are not.
  ['-jamaction', '0'],
]

function viceArguments(
  { ownRoms, sound }: ViceProcessOptions,
  hasCommodoreRoms: boolean,
  port: number,
  without: readonly string[],
): string[] {
  const { kernal, basic, character } = ownRoms
  const roms = ['-default', '-kernal', kernal, '-basic', basic, '-chargen', character, '-drive8type', '0']
  return [
    // First, as `-default` undoes what stands before it.
    ...(hasCommodoreRoms ? [] : roms),
    ...['-binarymonitor', '-binarymonitoraddress', `ip4://127.0.0.1:${port}`],
    // A PRG goes straight into memory: no disk is made, and our ROM has no LOAD.
    ...['-autostartprgmode', '1'],
    ...niceties.filter(([option]) => !without.includes(option)).flat(),
    ...(sound ? [] : ['-sounddev', 'dummy']),
  ]
}

/** A port that nothing listens on now, of those that the system gives out. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new AppError('UNREACHABLE', 'No port is free for VICE’s monitor.'))
      })
    })
  })
}

async function connectWhenUp(
  child: ChildProcess,
  port: number,
  logFile: string,
  signal: AbortSignal,
): Promise<MonitorClient> {
  const until = performance.now() + START_DEADLINE
  for (;;) {
    const left = until - performance.now()
    try {
      return await MonitorClient.connect({ host: '127.0.0.1', port }, signal, Math.max(left, RETRY))
    } catch (error) {
      if (child.exitCode !== null || child.signalCode !== null) throw endedAtOnce(logFile)
      if (!(error instanceof AppError) || error.details?.['refused'] !== true || left < RETRY) throw error
      await sleep(RETRY)
    }
  }
}

function endedAtOnce(logFile: string): AppError {
  const said = readFileSync(logFile, 'utf8').trim().split('\n')
  if (said.some((line) => line.includes('cannot open display'))) {
    return new AppError('UNREACHABLE', 'VICE ended at once: it found no display to open its window on.', {
      hint: 'Set DISPLAY, or start Bridgedeck under xvfb-run.',
    })
  }
  const last = said.slice(-3).join(' ').slice(-500)
  return new AppError('UNREACHABLE', `VICE ended at once${last === '' ? '.' : `, and said last: ${last}`}`, {
    hint: `All that it said is in ${logFile}.`,
  })
}

async function endProcess(kill: (kind: NodeJS.Signals) => unknown, ended: Promise<void>): Promise<void> {
  kill('SIGTERM')
  const timer = new AbortController()
  const gaveUp = sleep(END_DEADLINE, undefined, { signal: timer.signal }).then(
    () => kill('SIGKILL'),
    () => undefined,
  )
  await Promise.race([ended, gaveUp])
  timer.abort()
  await ended
}

function signalProcess(pid: number, kind: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, kind)
  } catch {
    return false
  }
}

async function untilGone(pid: number): Promise<void> {
  while (signalProcess(pid, 0)) await sleep(RETRY)
}
