/** A real VICE, for the tests and the bench. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine, Sample, SampleRequest } from '../../src-main/machine/machine'
import { screenToText } from '../../src-shared/c64/screenCodes'
import { MonitorClient } from '../../src-main/machine/vice/client'
import { exit, readMemory } from '../../src-main/machine/vice/commands'
import { createViceMachine, type ViceMachineOptions } from '../../src-main/machine/vice/driver'
import type { ViceProcessOptions } from '../../src-main/machine/vice/process'
import type { Notes } from '../../src-main/machine/notes'
import { ownRoms, plainWindow, viceRomOptions } from '../support/ownRoms'

/** VICE's number of the bank that is all RAM. */
const RAM_BANK = 1

export const soon = (): AbortSignal => AbortSignal.timeout(60_000)

export interface RunningVice {
  readonly pid: number
  readonly port: number
  kill(signal: NodeJS.Signals): void
  /** Stands still as if it hung, once it does; what it returns lets it go on. */
  hang(): Promise<() => Promise<void>>
  /** Ends it however it stands; safe to call twice. */
  stop(): Promise<void>
}

/** A VICE that somebody else started: with our ROMs, its prompt shown, nobody attached. */
export async function startVice(
  program: 'x64sc' | 'x64' = 'x64sc',
  options: readonly string[] = [],
  onPort?: number,
): Promise<RunningVice> {
  const port = onPort ?? (await unusedPort())
  const roms = [...viceRomOptions(), ...plainWindow, '-autostartprgmode', '1']
  const monitor = ['-binarymonitor', '-binarymonitoraddress', `ip4://127.0.0.1:${port}`]
  const child = spawn(program, [...roms, ...options, ...monitor, '-sounddev', 'dummy', '+saveres'], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  try {
    if (options.includes('-autostart')) await waitForMonitor(port)
    else await waitForPrompt(port)
  } catch (error) {
    await stop()
    throw error
  }
  const pid = child.pid ?? 0
  const hang = async (): Promise<() => Promise<void>> => {
    child.kill('SIGSTOP')
    // The signal is on its way: an answer may still come before it arrives.
    while (!isStopped(pid)) await sleep(5)
    return () => Promise.resolve(void child.kill('SIGCONT'))
  }
  return { pid, port, kill: (signal) => void child.kill(signal), hang, stop }
}

/** Whether all threads of a process stand still. */
const isStopped = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    /\) T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1')),
  )

/** Until the prompt is on the screen. */
async function waitForPrompt(port: number): Promise<void> {
  const deadline = soon()
  for (;;) {
    try {
      if ((await readScreen(port, deadline)).includes('READY.')) return
    } catch (error) {
      if (deadline.aborted) throw error
    }
    await sleep(50, undefined, { signal: deadline })
  }
}

/** For a program that starts by itself: reading the screen meanwhile could disturb it. */
async function waitForMonitor(port: number): Promise<void> {
  const deadline = soon()
  while (!(await isListening(port, deadline))) await sleep(50)
  // Our ROM's prompt takes about a second.
  await sleep(1_500)
}

async function isListening(port: number, deadline: AbortSignal): Promise<boolean> {
  try {
    const client = await MonitorClient.connect({ host: '127.0.0.1', port }, deadline)
    client.close()
    return true
  } catch (error) {
    if (deadline.aborted) throw error
    return false
  }
}

async function readScreen(port: number, signal: AbortSignal): Promise<string> {
  const client = await MonitorClient.connect({ host: '127.0.0.1', port }, signal)
  try {
    const bytes = await client.trap(async (send) => {
      const [screen] = await Promise.all([send(readMemory(RAM_BANK, 0x0400, 0x07e7)), send(exit())])
      return screen
    }, signal)
    return screenToText(bytes, 'upper').join('\n')
  } finally {
    client.close()
  }
}

export function unusedPort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })
}

export function memoryNotes(): Notes & { readonly values: Map<string, string> } {
  const values = new Map<string, string>()
  return {
    values,
    get: (name) => values.get(name),
    set: (name, value) => void values.set(name, value),
    delete: (name) => void values.delete(name),
  }
}

export interface TestProcessOptions extends ViceProcessOptions {
  /** The pids that are written down as running. */
  readonly recorded: Set<number>
  cleanUp(): void
}

/** How the driver starts VICE in tests: silent, its log in a folder of its own. */
export function processOptions(changes: Partial<ViceProcessOptions> = {}): TestProcessOptions {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-vice-'))
  const recorded = new Set<number>()
  return {
    executable: null,
    ownRoms,
    sound: false,
    logFile: join(folder, 'vice.log'),
    children: { record: ({ pid }) => void recorded.add(pid), forget: (pid) => void recorded.delete(pid) },
    ...changes,
    recorded,
    cleanUp: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const nothingToStart = (): ViceProcessOptions => {
  throw new Error('This machine attaches; it starts nothing.')
}

export function attachedMachine(port: number, notes: Notes = memoryNotes()): Machine {
  const attach = { host: '127.0.0.1', port }
  return createViceMachine({ name: `vice:${port}`, attach, process: nothingToStart, adopt: null, notes })
}

export function startedMachine(process: ViceProcessOptions, adopt: ViceMachineOptions['adopt'] = null): Machine {
  return createViceMachine({ name: 'vice', attach: null, process: () => process, adopt, notes: memoryNotes() })
}

export const everything: SampleRequest = {
  mode: 'off',
  rate: 10,
  spaces: ['cpu', 'ram', 'rom', 'io', 'colorRam'],
  picture: true,
}

/** Collects samples from now on. */
export function collectSamples(machine: Machine): Sample[] {
  const samples: Sample[] = []
  machine.onSample((sample) => void samples.push(sample))
  return samples
}

export const bytesOf = (sample: Sample | undefined, space: string): Uint8Array =>
  sample?.segments.find((segment) => segment.space === space)?.bytes ?? new Uint8Array(0)

export const read = async (machine: Machine, address: number, length = 1): Promise<number[]> => [
  ...(await machine.readMemory({ space: 'ram', address, length }, soon())),
]

export const write = (machine: Machine, address: number, ...bytes: number[]): Promise<void> =>
  machine.writeMemory('ram', address, Uint8Array.from(bytes), soon())

/**
 * Counts frames in $FB/$FC, from $C000: waits for raster line $20, counts, waits for line $40.
 *
 *   SEI; loop LDA $D012; CMP #$20; BNE loop; INC $FB; BNE skip; INC $FC; skip LDA $D012; CMP #$40; BNE skip; BEQ loop
 */
export const frameCounter = [
  0x78, 0xad, 0x12, 0xd0, 0xc9, 0x20, 0xd0, 0xf9, 0xe6, 0xfb, 0xd0, 0x02, 0xe6, 0xfc, 0xad, 0x12, 0xd0, 0xc9, 0x40,
  0xd0, 0xf9, 0xf0, 0xea,
]

export const frameCount = (ram: Uint8Array): number => (ram[0xfb] ?? 0) | ((ram[0xfc] ?? 0) << 8)
