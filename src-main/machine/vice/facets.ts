import type { JoystickInput } from '@shared/c64/keyboardMatrix'
import { textToPetscii } from '@shared/c64/petscii'
import { parsePrg } from '@shared/c64/prg'
import { AppError } from '@shared/contract/errors'
import type {
  CheckpointControl,
  CheckpointLogAccess,
  DisplayAccess,
  ExecutionControl,
  InterruptAccess,
  JoystickControl,
  ProgramControl,
  RegisterAccess,
  ResourceAccess,
  SpeedControl,
  SteppingControl,
  TracingControl,
  TypingControl,
  VideoFrameAccess,
  WriteNotes,
} from '../facets'
import {
  autostart,
  feedKeyboard,
  getResource,
  readPalette,
  readRegisters,
  reset,
  setJoyport,
  setResource,
  writeRegister,
} from './commands'
import type { Send } from './client'
import { startProgram } from './programStart'
import type { Sampler } from './sampler'
import type { Session } from './session'

export interface LiveVice {
  /** @throws AppError LOST where VICE is not connected */
  session(): Session
  sampler(): Sampler | undefined
  hasCommodoreRoms(): boolean
  sampleIfStopped(): Promise<void>
  changed(): void
}

const LONG_DEADLINE_MS = 4_000

/** VICE's I/O simulation, which takes the joystick's lines from the monitor. */
const SIMULATED_JOYSTICK = 37

/** Bits of the control port; a pressed one is 0. */
const joystickBits: Record<JoystickInput, number> = { up: 1, down: 2, left: 4, right: 8, fire: 16 }
const ALL_LINES = 0xff

/** Bytes that VICE's keyboard queue accepts at a time. */
const MAX_FEED_BYTES = 255

const diskOrTape = /\.(d64|d71|d80|d81|d82|g64|g71|p64|x64|nib|t64|tap|lnx)$/i
const cartridge = /\.crt$/i
const snapshot = /\.vsf$/i

export const executionControl = (vice: LiveVice): ExecutionControl => ({
  pause: async (signal) => {
    await vice.session().runControl.pause(signal)
    await vice.sampleIfStopped()
  },
  resume: async (signal) => vice.session().runControl.resume(signal),
  reset: async (kind, signal) => {
    const session = vice.session()
    session.follower.drop()
    await session.runControl.restart(reset(kind), signal)
    await holdJoysticks(session, signal)
  },
})

export const steppingControl = (vice: LiveVice): SteppingControl => ({
  step: async (count, over, signal) => {
    const session = vice.session()
    session.follower.requireNone()
    await session.runControl.step(count, over, signal, LONG_DEADLINE_MS)
    vice.changed()
    await vice.sampleIfStopped()
  },
  runTo: async (to, signal) => {
    const session = vice.session()
    session.follower.requireNone()
    await session.runTo.start(to, signal)
    vice.changed()
    await vice.sampleIfStopped()
  },
})

export const tracingControl = (vice: LiveVice): TracingControl => ({
  trace: async (count, frames, signal) => {
    const session = vice.session()
    session.follower.requireNone()
    try {
      return await session.tracer.trace(count, frames, signal)
    } finally {
      vice.changed()
      await vice.sampleIfStopped()
    }
  },
})

export const interruptAccess = (vice: LiveVice): InterruptAccess => ({
  follow: async (frames, signal) => {
    try {
      return await vice.session().interrupts.follow(frames, signal)
    } finally {
      vice.changed()
      await vice.sampleIfStopped()
    }
  },
})

export const videoFrameAccess = (vice: LiveVice): VideoFrameAccess => ({
  follow: async (signal) => {
    try {
      return await vice.session().videoFrames.follow(signal)
    } finally {
      vice.changed()
      await vice.sampleIfStopped()
    }
  },
})

export const registerAccess = (vice: LiveVice): RegisterAccess => ({
  read: async (signal) => {
    const session = vice.session()
    return session.nameValues(await session.command((send) => send(readRegisters()), signal))
  },
  write: async (name, value, signal) => {
    const session = vice.session()
    const { id, bits } = session.registerNamed(name)
    if (name === 'LIN' || name === 'CYC')
      throw new AppError('UNSUPPORTED', `${name} is the raster position and cannot be set.`)
    if (value >= 2 ** bits) throw new AppError('INVALID', `${name} has ${bits} bits; ${value} does not fit.`)
    const values = await session.command((send) => send(writeRegister(id, value)), signal)
    await vice.sampleIfStopped()
    return session.nameValues(values)
  },
})

export const speedControl = (vice: LiveVice): SpeedControl => ({
  setWarp: async (warp, signal) => {
    vice.session()
    await vice.sampler()?.setWarp(warp, signal)
    vice.changed()
  },
  setStandard: async (standard, signal) => {
    const session = vice.session()
    session.follower.drop()
    await session.command((send) => send(setResource('MachineVideoStandard', standard === 'pal' ? 1 : 2)), signal)
    await session.readStandard(signal)
  },
})

export const typingControl = (vice: LiveVice): TypingControl => ({
  typeText: async (text, signal) => {
    const petscii = textToPetscii(text)
    const pieces = Array.from({ length: Math.ceil(petscii.length / MAX_FEED_BYTES) }, (_, index) =>
      petscii.subarray(index * MAX_FEED_BYTES, (index + 1) * MAX_FEED_BYTES),
    )
    await vice.session().command((send) => Promise.all(pieces.map((piece) => send(feedKeyboard(piece)))), signal)
  },
})

/** After a power cycle or the start of a program, VICE treats all lines as pressed. */
async function holdJoysticks(session: Session, signal: AbortSignal): Promise<void> {
  if (session.joystickLines.size > 0) await session.command((send) => setLines(send, session), signal)
}

const setLines = (send: Send, { joystickLines }: Session): Promise<unknown> =>
  Promise.all([...joystickLines].map(([port, lines]) => send(setJoyport(port, lines))))

export const joystickControl = (vice: LiveVice): JoystickControl => ({
  setJoystick: async (port, inputs, signal) => {
    const session = vice.session()
    const pressed = inputs.reduce((bits, input) => bits | joystickBits[input], 0)
    session.joystickLines.set(port, ALL_LINES & ~pressed)
    // When plugged in, all lines are pressed until they are set.
    await session.borrow(`JoyPort${port}Device`, SIMULATED_JOYSTICK, signal, (send) => setLines(send, session))
    await holdJoysticks(session, signal)
  },
})

export const displayAccess = (vice: LiveVice): DisplayAccess => ({
  read: async (signal) => {
    const session = vice.session()
    return session.command((send) => session.picture(send), signal)
  },
  palette: async (signal) => {
    const session = vice.session()
    // VICE 3.5 has no command for its palette.
    return session.client.api === 1 ? null : session.command((send) => send(readPalette()), signal)
  },
})

export const checkpointControl = (vice: LiveVice): CheckpointControl => ({
  list: async (signal) => vice.session().checkpoints.list(signal),
  set: async (checkpoint, signal) => vice.session().checkpoints.set(checkpoint, signal),
  delete: async (number, signal) => vice.session().checkpoints.delete(number, signal),
  enable: async (number, enabled, signal) => vice.session().checkpoints.enable(number, enabled, signal),
})

export const checkpointLogAccess = (vice: LiveVice): CheckpointLogAccess => ({
  read: (after) => Promise.resolve(vice.session().log.after(after)),
})

export const writeNotes = (vice: LiveVice): WriteNotes => ({
  list: () => vice.session().notedWrites.list(),
  note: async (address, signal) => vice.session().notedWrites.note(address, signal),
  end: async (address, signal) => vice.session().notedWrites.end(address, signal),
})

export const resourceAccess = (vice: LiveVice): ResourceAccess => ({
  get: async (name, signal) => vice.session().command((send) => send(getResource(name)), signal),
  set: async (name, value, signal) => {
    const session = vice.session()
    await session.command((send) => send(setResource(name, value)), signal)
    await session.readStandard(signal)
  },
})

const NEEDS_ROMS = 'It needs the Commodore ROMs, and this VICE has none.'
const NO_SIDS = 'x64sc does not play SID files; VICE’s own vsid does.'

/** VICE reports success whatever the file holds. */
function requireSnapshot(name: string, bytes: Uint8Array): void {
  if (new TextDecoder().decode(bytes.subarray(0, 18)) !== 'VICE Snapshot File')
    throw new AppError('INVALID', `${name} is not a VICE snapshot.`, { hint: 'Save it again in VICE.' })
}

export const programControl = (vice: LiveVice): ProgramControl => ({
  hasBasic: () => vice.hasCommodoreRoms(),
  refuses: () => ({
    music: NO_SIDS,
    ...(vice.hasCommodoreRoms() ? {} : { cartridge: NEEDS_ROMS, disk: NEEDS_ROMS, tape: NEEDS_ROMS }),
  }),
  run: async ({ name, path, bytes }, signal) => {
    const session = vice.session()
    const isProgram = !snapshot.test(name) && !diskOrTape.test(name) && !cartridge.test(name)
    if (snapshot.test(name)) requireSnapshot(name, bytes)
    else if (isProgram) parsePrg(bytes)
    else if (!vice.hasCommodoreRoms()) {
      throw new AppError('UNSUPPORTED', `${name} needs the Commodore ROMs, and this VICE has none.`, {
        hint: 'Load a PRG instead, or put the ROMs into VICE’s data folder and restart VICE.',
      })
    }
    session.follower.drop()
    const start = async () => {
      await session.runControl.restart(autostart(path), signal, LONG_DEADLINE_MS)
      await holdJoysticks(session, signal)
    }
    if (isProgram) return startProgram(session, parsePrg(bytes), start, signal)
    await start()
    return undefined
  },
})
