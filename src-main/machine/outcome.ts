import { setTimeout as wait } from 'node:timers/promises'
import { framesPerSecond } from '@shared/c64/frameRate'
import { clockRates } from '@shared/c64/registers'
import { readTextScreen } from '@shared/c64/textScreen'
import { AppError } from '@shared/contract/errors'
import type { Awaited, Outcome } from '@shared/contract/running'
import { basicError } from '@shared/outcomeText'
import { cancelled } from './cancelled'
import type { Machine } from './machine'

const POLL_MS = 20
const KEY_COUNT = 0xc6
/** Typed text is taken in pieces: the buffer is empty between two of them for a frame. */
const EMPTY_LOOKS = 4
/** A machine whose CPU cannot be seen shows its old screen for this long after a reset. */
const BLIND_BOOT_MS = 3_000
const INTERRUPTS_OFF = 0x04

export interface OutcomeRequest {
  readonly awaits: Awaited
  readonly seconds: number
}

type Condition = (signal: AbortSignal) => Promise<boolean>

/** @throws AppError CANCELLED, or LOST where the machine is lost meanwhile */
export async function outcomeOf(
  machine: Machine,
  { awaits, seconds }: OutcomeRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  const deadline = performance.now() + seconds * 1000
  const hasCome = conditionOf(machine, awaits)
  for (;;) {
    if (stands(machine)) return look(machine, awaits === 'stop' || awaits === 'now' ? 'come' : 'stopped', signal)
    if (await hasCome(signal)) return look(machine, 'come', signal)
    const left = deadline - performance.now()
    if (left <= 0) return look(machine, 'late', signal)
    await untilChanged(machine, Math.min(left, POLL_MS), signal)
  }
}

const stands = ({ status }: Machine): boolean => status.execution === 'paused' || status.execution === 'jammed'

function conditionOf(machine: Machine, awaits: Awaited): Condition {
  if (awaits === 'now') return () => Promise.resolve(true)
  if (awaits === 'stop') return () => Promise.resolve(false)
  if (awaits === 'typed') return textTaken(machine)
  if (awaits === 'prompt') return atPrompt(machine)
  if ('frames' in awaits) return framesPassed(machine, awaits.frames)
  const wanted = awaits.text.toLowerCase()
  return async (signal) => (await screenOf(machine, signal)).join('\n').toLowerCase().includes(wanted)
}

function framesPassed(machine: Machine, frames: number): Condition {
  const { timeTravel } = machine
  const standard = machine.status.standard ?? 'pal'
  const seconds = frames / framesPerSecond[standard]
  const begun = performance.now()
  if (!timeTravel) return () => Promise.resolve(performance.now() - begun >= seconds * 1000)
  let start: number | undefined
  return async (signal) => {
    const { clock } = await timeTravel.point(signal)
    start ??= clock
    return clock - start >= seconds * clockRates[standard]
  }
}

function textTaken(machine: Machine): Condition {
  let empty = 0
  return async (signal) => {
    const [count = 0] = await machine.readMemory({ space: 'ram', address: KEY_COUNT, length: 1 }, signal)
    empty = count === 0 ? empty + 1 : 0
    return empty >= EMPTY_LOOKS
  }
}

/** After a reset, interrupts are off until the KERNAL has cleared the screen. */
function atPrompt(machine: Machine): Condition {
  const begun = performance.now()
  return async (signal) => {
    const registers = await machine.registers?.read(signal)
    if (!registers && performance.now() - begun < BLIND_BOOT_MS) return false
    const flags = registers?.find(({ name }) => name === 'FL')?.value ?? 0
    if ((flags & INTERRUPTS_OFF) !== 0) return false
    return (await screenOf(machine, signal)).some((row) => row.startsWith('READY.'))
  }
}

const screenOf = async (machine: Machine, signal: AbortSignal): Promise<readonly string[]> =>
  (await readTextScreen((range) => machine.readMemory(range, signal))).rows

async function untilChanged(machine: Machine, ms: number, signal: AbortSignal): Promise<void> {
  let stop: (() => void) | undefined
  const ended = new AbortController()
  try {
    await Promise.race([
      wait(ms, undefined, { signal: AbortSignal.any([signal, ended.signal]) }),
      new Promise<void>((resolve) => {
        stop = machine.onStatus(resolve)
      }),
    ])
  } catch {
    throw cancelled()
  } finally {
    stop?.()
    ended.abort()
  }
}

async function look(machine: Machine, ended: Outcome['ended'], signal: AbortSignal): Promise<Outcome> {
  const rows = await readable(() => screenOf(machine, signal))
  const registers = await readable(async () => (await machine.registers?.read(signal)) ?? null)
  const { execution, stop = null, reason } = machine.status
  return {
    ended,
    execution,
    stop,
    reason,
    pc: registers?.find(({ name }) => name === 'PC')?.value ?? null,
    rows: rows === null ? null : [...rows],
    error: rows === null ? null : basicError(rows),
  }
}

async function readable<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNSUPPORTED') return null
    throw error
  }
}
