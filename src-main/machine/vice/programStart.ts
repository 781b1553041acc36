/** VICE's autostart resets the machine, loads the program, and types RUN. */
import { setTimeout as wait } from 'node:timers/promises'
import { bankingPins, spaceRead } from '@shared/c64/banking'
import { isCodeOf, runsBasicOf, TEXT_POINTER } from '@shared/c64/begunProgram'
import { textToPetscii } from '@shared/c64/petscii'
import type { Program } from '@shared/c64/prg'
import { startCommand } from '@shared/c64/programStart'
import { screenToText } from '@shared/c64/screenCodes'
import { stackEntries } from '@shared/c64/stack'
import { basicError, writtenRows } from '@shared/outcomeText'
import { cancelled } from '../cancelled'
import { feedKeyboard, readRegisters } from './commands'
import type { Session } from './session'

const POLL_MS = 20
/** VICE boots and loads in warp, but not on a slow computer. */
const MAX_WAIT_MS = 15_000
const SCREEN = 0x0400
const SCREEN_SIZE = 1000
const SPACE = 0x20

/** `ended`: its prompt is back already; `failed`: with an error; `none`: the machine stands, or it took too long. */
type Begun = 'begun' | 'ended' | 'failed' | 'none'

/**
 * Uses VICE's autostart, which always types RUN, and SYS where RUN cannot start the program.
 * @returns whether its first instruction or BASIC line ran
 */
export async function startProgram(
  session: Session,
  program: Program,
  autostart: () => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  // So that what an earlier program left is not taken for this one. The autostart resets the machine anyway.
  await forgetStart(session, signal)
  await autostart()
  const begun = await untilBegun(session, program, signal)
  const command = startCommand(program)
  if (command.startsWith('run') || begun === 'begun' || begun === 'none') return begun === 'begun' || begun === 'ended'
  await forgetStart(session, signal)
  await session.command((send) => send(feedKeyboard(textToPetscii(command))), signal)
  const again = await untilBegun(session, program, signal)
  return again === 'begun' || again === 'ended'
}

async function forgetStart(session: Session, signal: AbortSignal): Promise<void> {
  await session.command(
    (send) =>
      Promise.all([
        session.write(send, 'ram', TEXT_POINTER, Uint8Array.of(0, 0)),
        session.write(send, 'ram', SCREEN, new Uint8Array(SCREEN_SIZE).fill(SPACE)),
      ]),
    signal,
  )
}

async function untilBegun(session: Session, program: Program, signal: AbortSignal): Promise<Begun> {
  const deadline = performance.now() + MAX_WAIT_MS
  for (;;) {
    const stands = session.execution !== 'running'
    const seen = await look(session, program, signal)
    if (seen !== null) return seen
    if (stands || performance.now() > deadline) return 'none'
    await wait(POLL_MS, undefined, { signal }).catch(() => {
      throw cancelled()
    })
  }
}

async function look(session: Session, program: Program, signal: AbortSignal): Promise<Begun | null> {
  const [values, low, screen] = await session.command(
    (send) =>
      Promise.all([
        send(readRegisters()),
        session.read(send, 'ram', 0, 0x200),
        session.read(send, 'ram', SCREEN, SCREEN_SIZE),
      ]),
    signal,
  )
  const registers = session.nameValues(values)
  const [pc = 0, sp = 0xff] = ['PC', 'SP'].map((name) => registers.find((register) => register.name === name)?.value)
  const byte = (address: number): number =>
    (address < low.length ? low[address] : program.bytes[address - program.loadAddress]) ?? 0
  const pins = bankingPins(byte(0), byte(1))
  if (isCodeOf(program, pc) && spaceRead(pins, pc) === 'ram') return 'begun'
  if (runsBasicOf(program, byte)) return 'begun'
  if (stackEntries(byte, sp).some(({ call }) => call !== null && isCodeOf(program, call.returnsTo))) return 'begun'
  return hasEnded(screenToText(screen, 'upper'))
}

function hasEnded(rows: readonly string[]): Begun | null {
  const written = writtenRows(rows)
  const started = written.findIndex((row) => /^(RUN|SYS)/.test(row))
  if (started < 0 || !written.slice(started + 1).some((row) => row.startsWith('READY.'))) return null
  return basicError(rows) === null ? 'ended' : 'failed'
}
