import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import { findProgram } from '../../files/findProgram'
import { MonitorClient } from './client'
import { findViceRoms, type ViceRoms } from '../viceRoms'

interface ChildRecords {
  record(child: { pid: number; startedAt: number; purpose: string; port: number | null }): void
  forget(pid: number): void
}

export const VICE_PURPOSE = 'vice'

export interface ViceProcessOptions {
  /** Null searches the PATH for x64sc, then x64. */
  readonly executable: string | null
  readonly ownRoms: ViceRoms
  readonly sound: boolean
  /** A file for VICE's output, so that VICE survives a crash of the bridge. */
  readonly logFile: string
  readonly children: ChildRecords
}

export interface ViceProcess {
  readonly client: MonitorClient
  readonly port: number
  /** False with Bridgedeck's own ROMs, which do not read disks. */
  readonly hasCommodoreRoms: boolean
  end(): Promise<void>
}

const START_DEADLINE_MS = 15_000
const END_DEADLINE_MS = 1_000
const POLL_INTERVAL_MS = 50

/**
 * Starts VICE minimised and connects to it.
 * @param without options that this VICE does not know
 * @throws AppError UNREACHABLE with VICE's last output where it does not start
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
    if (unknown === undefined || without.includes(unknown) || !optionalArguments.some(([option]) => option === unknown))
      throw error
    return startVice(options, signal, [...without, unknown])
  }
}

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

/** The path of the VICE to start. @throws AppError UNREACHABLE where there is none */
export function findVice(chosen: string | null): string {
  if (chosen !== null) {
    if (findProgram(chosen) !== null) return chosen
    throw new AppError('UNREACHABLE', `${chosen} is not an executable program.`, {
      hint: 'Choose VICE’s x64sc in Settings.',
    })
  }
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const found = findProgram(`x64sc${suffix}`) ?? findProgram(`x64${suffix}`)
  if (found !== null) return found
  throw new AppError('UNREACHABLE', 'VICE is not installed: neither x64sc nor x64 is on the PATH.', {
    hint: 'Install VICE (package “vice” on Debian and Ubuntu), or choose its x64sc in Settings.',
  })
}

/** Some builds of VICE do not know these options; they are left out there. */
const optionalArguments: readonly (readonly [string, ...string[]])[] = [
  ['-minimized'],
  ['+saveres'],
  ['+confirmonexit'],
  // Only "ask" is reported to the monitor as an event.
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
    // First, as `-default` undoes the options before it.
    ...(hasCommodoreRoms ? [] : roms),
    '-binarymonitor',
    '-binarymonitoraddress',
    `ip4://127.0.0.1:${port}`,
    // Injects a PRG into memory: our ROM has no LOAD.
    '-autostartprgmode',
    '1',
    ...optionalArguments.filter(([option]) => !without.includes(option)).flat(),
    ...(sound ? [] : ['-sounddev', 'dummy']),
  ]
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new AppError('UNREACHABLE', 'There is no free port for VICE’s monitor.'))
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
  const until = performance.now() + START_DEADLINE_MS
  for (;;) {
    const left = until - performance.now()
    try {
      return await MonitorClient.connect({ host: '127.0.0.1', port }, signal, Math.max(left, POLL_INTERVAL_MS))
    } catch (error) {
      if (child.exitCode !== null || child.signalCode !== null) throw endedAtOnce(logFile)
      if (!(error instanceof AppError) || error.details?.['refused'] !== true || left < POLL_INTERVAL_MS) throw error
      await sleep(POLL_INTERVAL_MS)
    }
  }
}

function endedAtOnce(logFile: string): AppError {
  const output = readFileSync(logFile, 'utf8').trim().split('\n')
  if (output.some((line) => line.includes('cannot open display'))) {
    return new AppError('UNREACHABLE', 'VICE ended at once: it found no display for its window.', {
      hint: 'Set DISPLAY, or start Bridgedeck under xvfb-run.',
    })
  }
  const last = output.slice(-3).join(' ').slice(-500)
  return new AppError('UNREACHABLE', `VICE ended at once${last === '' ? '.' : `. Its last output: ${last}`}`, {
    hint: `Its whole output is in ${logFile}.`,
  })
}

async function endProcess(kill: (kind: NodeJS.Signals) => unknown, ended: Promise<void>): Promise<void> {
  kill('SIGTERM')
  const timer = new AbortController()
  const gaveUp = sleep(END_DEADLINE_MS, undefined, { signal: timer.signal }).then(
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
  while (signalProcess(pid, 0)) await sleep(POLL_INTERVAL_MS)
}
