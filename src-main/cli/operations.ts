import { basename, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeFile } from 'atomically'
import { formatAddress, parseHexBytes } from '@shared/c64/address'
import { palettes } from '@shared/c64/palettes'
import { petsciiToText } from '@shared/c64/petscii'
import { decodeVideo, IO_SIZE, IO_START } from '@shared/c64/video'
import { screenToText, type CharacterSet } from '@shared/c64/screenCodes'
import type { Picture } from '@shared/contract/memory'
import { toFailure } from '@shared/contract/errors'
import { describeFileError } from '../files/fileErrors'
import { picturePng } from '../files/png'
import type { Arguments, CommandLineName } from './arguments'
import type { Session } from './session'
import { hexByte, hexDump, hexString } from './hexDump'
import type { Output } from './output'
import { metashellOperations } from './metashell'
import { editOperations } from './edits'
import { projectOperations } from './project'
import { recordingOperations } from './recordings'
import { taskOperations } from './tasks'
import { trustOperations } from './trust'
import { UsageError } from './usage'

export interface Call {
  readonly words: Arguments
  readonly session: Session
  readonly output: Output
  /** The caller's working folder: relative paths start there. */
  readonly folder: string
  readonly signal: AbortSignal
}

export type Operation = (call: Call) => Promise<void>

const range = (words: Arguments) => {
  const { address } = words
  const length = words.number('length', { min: 1, max: 0x10000 - address, fallback: Math.min(256, 0x10000 - address) })
  return { space: words.space, address, length }
}

/** What each command of the command line does. */
export const operations: Readonly<Record<CommandLineName, Operation>> = {
  ...recordingOperations,
  ...taskOperations,
  ...projectOperations,
  ...editOperations,
  ...trustOperations,
  ...metashellOperations,

  async machines({ session, output, signal }) {
    const { machines } = await session.client.call('machine.list', {}, signal)
    const rows = machines.map(({ machine, title, connection, execution, reason }) => ({
      machine,
      title,
      connection,
      execution,
      reason,
    }))
    output.result(
      { machines: rows },
      rows
        .map(
          (row) =>
            `${row.machine.padEnd(20)} ${row.connection.padEnd(11)} ${row.title}${row.reason ? ` - ${row.reason}` : ''}`,
        )
        .join('\n'),
    )
  },

  async read({ words, session, output, folder, signal }) {
    const wanted = range(words)
    const machine = await session.connect(words.machine, signal)
    const { bytes, time } = await session.client.call('memory.read', { machine, ...wanted }, signal)
    const out = words.path('out')
    if (out !== undefined) await save(resolve(folder, out), bytes)
    const data = {
      machine,
      address: formatAddress(wanted.address),
      length: bytes.length,
      bank: wanted.space,
      bytes: hexString(bytes),
      time: new Date(time).toISOString(),
    }
    output.result(
      data,
      out === undefined
        ? hexDump(wanted.address, bytes, printable)
        : `${bytes.length} bytes from ${data.address} are in ${out}.`,
    )
  },

  async write({ words, session, output, signal }) {
    const { address, space } = words
    const bytes = parseBytes(words.bytes)
    if (address + bytes.length > 0x10000)
      throw new UsageError(`${bytes.length} bytes at ${formatAddress(address)} go past $FFFF.`)
    const machine = await session.connect(words.machine, signal)
    const { written } = await session.client.call('memory.write', { machine, space, address, bytes }, signal)
    output.result(
      { machine, address: formatAddress(address), written, bank: space },
      `${written} bytes are written at ${formatAddress(address)}.`,
    )
  },

  async screen({ words, session, output, folder, signal }) {
    const machine = await session.connect(words.machine, signal)
    const png = words.path('png')
    if (png === undefined) {
      const { text, address } = await readScreen(session, machine, signal)
      output.result(
        { machine, address: formatAddress(address), rows: text },
        text.map((row) => row.trimEnd()).join('\n'),
      )
      return
    }
    const picture = await savePicture(session, machine, resolve(folder, png), signal)
    output.result(
      { machine, png: resolve(folder, png), width: picture.width, height: picture.height },
      `The picture is in ${png}.`,
    )
  },

  async registers({ words, session, output, signal }) {
    const machine = await session.connect(words.machine, signal)
    const { registers } = await session.client.call('memory.registers', { machine }, signal)
    const values = Object.fromEntries(registers.map(({ name, value }) => [name, value]))
    output.result(
      { machine, registers: values },
      registers
        .map(
          ({ name, value, bits }) =>
            `${name.padEnd(4)} $${value
              .toString(16)
              .toUpperCase()
              .padStart(bits > 8 ? 4 : 2, '0')}`,
        )
        .join('\n'),
    )
  },

  async run({ words, session, output, folder, signal }) {
    const path = resolve(folder, words.subject)
    const frames = words.number('frames', { min: 0, max: 1_000_000, fallback: 150 })
    const machine = await session.connect(words.machine, signal)
    const { name } = await session.client.call('machine.runProgram', { machine, path, watch: false }, signal)
    // The window's C64 and a VICE go on by themselves; one that lives for this call only has to be given its time.
    if (session.endsWithCall(machine)) await wait((frames * 1000) / PAL_FRAMES_PER_SECOND, undefined, { signal })
    const png = words.path('png')
    if (png !== undefined) await savePicture(session, machine, resolve(folder, png), signal)
    output.result(
      { machine, program: name, ...(png === undefined ? {} : { png: resolve(folder, png) }) },
      `${name} runs on ${machine}.`,
    )
  },

  async watch({ words, session, output, signal }) {
    const wanted = range(words)
    const rate = words.number('rate', { min: 0.1, max: 60, fallback: 2, whole: false })
    const count = words.number('count', { min: 1, max: 1_000_000_000, fallback: 1_000_000_000 })
    const machine = await session.connect(words.machine, signal)
    const start = performance.now()
    for (let n = 0; n < count; n++) {
      const { bytes, time } = await session.client.call('memory.read', { machine, ...wanted }, signal)
      const at = new Date(time).toISOString()
      output.result(
        { time: at, address: formatAddress(wanted.address), bytes: hexString(bytes) },
        `${at}  ${[...bytes].map(hexByte).join(' ')}`,
      )
      const next = start + ((n + 1) * 1000) / rate
      if (n + 1 < count) await wait(Math.max(0, next - performance.now()), undefined, { signal })
    }
  },
}

/** 985,248 Hz / (63 cycles x 312 lines). */
const PAL_FRAMES_PER_SECOND = 50.125

const printable = (byte: number): string => petsciiToText(byte, 'upper') ?? '.'

function parseBytes(text: string): Uint8Array {
  try {
    return parseHexBytes(text)
  } catch (error) {
    throw new UsageError(toFailure(error).message)
  }
}

/** The VIC-II's up to its collision registers, and the bank in CIA 2: all that can be read on real machines too. */
const graphicsRegisters = [
  [0xd000, 0x1e],
  [0xdd00, 1],
] as const

/** The text screen where the VIC-II shows it now. */
export async function readScreen(
  session: Session,
  machine: string,
  signal: AbortSignal,
): Promise<{ text: string[]; address: number }> {
  const io = new Uint8Array(IO_SIZE)
  for (const [address, length] of graphicsRegisters) {
    const { bytes } = await session.client.call('memory.read', { machine, space: 'io', address, length }, signal)
    io.set(bytes, address - IO_START)
  }
  const video = decodeVideo(io)
  const { bytes } = await session.client.call(
    'memory.read',
    { machine, space: 'ram', address: video.screen, length: 1000 },
    signal,
  )
  // Bit 11 of the character address chooses between the ROM's two sets.
  const set: CharacterSet = video.characters & 0x0800 ? 'lower' : 'upper'
  return { text: screenToText(bytes, set), address: video.screen }
}

async function savePicture(session: Session, machine: string, path: string, signal: AbortSignal): Promise<Picture> {
  const picture = await session.client.call('memory.picture', { machine }, signal)
  const { colours } = await session.client.call('memory.palette', { machine }, signal)
  await save(path, picturePng(picture, colours ?? palettes.pepto))
  return picture
}

async function save(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, Buffer.from(bytes))
  } catch (error) {
    throw describeFileError(error, basename(path), 'written')
  }
}
