/**
 * TeensyROM's remote protocol, from its document ControlComms.md. Commands and their numbers are sent most significant
 * byte first; the 16-bit tokens of its replies arrive least significant byte first. Commands have no length, number or
 * checksum: bytes sent at the wrong time are taken as commands.
 */
import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import type { VideoStandard } from '@shared/contract/machine'

const commands = {
  firmwareCheck: 0x64e0,
  version: 0x6476,
  reset: 0x64ee,
  readMemory: 0x64fd,
  writeMemory: 0x64fb,
  pause: 0x6431,
  resume: 0x6430,
  launch: 0x6444,
  postFile: 0x64bb,
  deleteFile: 0x64cf,
  listDirectory: 0x64de,
} as const
export type Command = keyof typeof commands

/** Per transfer. */
export const MAX_SEGMENT_BYTES = 4_096

const drives = { usb: 0, sd: 1 } as const
export type Drive = keyof typeof drives

export const TOKEN_BYTES = 2

export type Token = 'ack' | 'fail' | 'retry' | 'badSid' | 'goodSid' | 'minimal' | 'full' | 'listStart' | 'listEnd'

const tokens = new Map<number, Token>([
  [0x64cc, 'ack'],
  [0x9b7f, 'fail'],
  [0x9b7e, 'retry'],
  [0x9b80, 'badSid'],
  [0x9b81, 'goodSid'],
  [0x64e1, 'minimal'],
  [0x64e2, 'full'],
  [0x5a5a, 'listStart'],
  [0xa5a5, 'listEnd'],
])

export const parseToken = ([low = 0, high = 0]: Uint8Array): Token | undefined => tokens.get(low | (high << 8))

const u16 = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff]
const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value)]

export const encodeCommand = (command: Command): Uint8Array => Uint8Array.from(u16(commands[command]))

export const encodeRange = (address: number, length: number): Uint8Array =>
  Uint8Array.from([...u16(address), ...u16(length)])

export const encodeDriveAndPath = (drive: Drive, path: string): Uint8Array =>
  Uint8Array.from([drives[drive], ...encodePath(path)])

/** Follows the acknowledged token of a file; the file itself is sent once this is acknowledged. */
export const encodeFileHeader = (drive: Drive, path: string, bytes: Uint8Array): Uint8Array =>
  Uint8Array.from([...u32(bytes.length), ...u16(checksum(bytes)), drives[drive], ...encodePath(path)])

/** Follows the acknowledged token of a directory; asks for its first `count` entries. */
export const encodeDirectory = (drive: Drive, path: string, count: number): Uint8Array =>
  Uint8Array.from([drives[drive], ...u16(0), ...u16(count), ...encodePath(path)])

export const checksum = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => (sum + byte) & 0xffff, 0)

/** The device's own limit. */
const MAX_PATH_BYTES = 300

function encodePath(path: string): Uint8Array {
  const bytes = new TextEncoder().encode(`${path}\0`)
  if (path.includes('\0') || bytes.length > MAX_PATH_BYTES)
    throw new AppError('INVALID', 'The path is too long for the TeensyROM, or contains a zero byte.')
  return bytes
}

export interface Version {
  /** As the device writes it, such as `TeensyROM+ v0.7.2`. */
  readonly text: string
  readonly numbers: readonly number[]
  readonly standard: VideoStandard | null
  readonly isC128: boolean
  /** Whether the menu is ready; null where the firmware does not report it. */
  readonly booted: boolean | null
}

export function parseVersion(reply: string): Version {
  const text = /FW:\s*(\S.*)/.exec(reply)?.[1]?.trim() ?? firstLine(reply)
  const numbers = /v(\d+(?:\.\d+)*)/.exec(text)?.[1]?.split('.').map(Number) ?? []
  const boot = /Boot:\s*(complete|in progress)/.exec(reply)?.[1]
  return {
    text: text.slice(0, 100),
    numbers,
    standard: /\bNTSC\b/.test(reply) ? 'ntsc' : /\bPAL\b/.test(reply) ? 'pal' : null,
    isC128: /\bC128\b/.test(reply),
    booted: boot === undefined ? null : boot === 'complete',
  }
}

export function isAtLeast({ numbers }: Version, wanted: readonly number[]): boolean {
  for (const [index, number] of wanted.entries()) {
    const own = numbers[index] ?? 0
    if (own !== number) return own > number
  }
  return true
}

/** At most 200 characters, without control characters. */
export const firstLine = (text: string): string =>
  (
    text
      .split(/[\r\n]/)
      .map((line) => line.replaceAll(/[^\x20-\x7e]/g, '').trim())
      .find((line) => line !== '') ?? ''
  ).slice(0, 200)

export interface DirectoryEntry {
  readonly name: string
  readonly size: number | null
  readonly folder: boolean
}

const entrySchema = z.looseObject({ type: z.string(), name: z.string(), size: z.number().int().min(0).optional() })

export function parseDirectory(text: string): DirectoryEntry[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const entry = parseEntry(line)
    return entry
      ? [{ name: entry.name, size: entry.size ?? null, folder: entry.type.toLowerCase().startsWith('dir') }]
      : []
  })
}

/** A longer line is no entry, as paths have at most 300 bytes, and would slow down the expression below. */
const MAX_LINE_CHARS = 1_000

function parseEntry(line: string): z.infer<typeof entrySchema> | undefined {
  if (line.length > MAX_LINE_CHARS) return undefined
  try {
    return entrySchema.parse(JSON.parse(line))
  } catch {
    // The device does not escape names: a quotation mark in one breaks the JSON.
    const [, type, name, size] = /^\{"type":"(\w+)","name":"(.*?)"(?:,"size":(\d+))?(?:,.*)?\}$/.exec(line.trim()) ?? []
    return entrySchema.safeParse({ type, name, size: size === undefined ? undefined : Number(size) }).data
  }
}

/**
 * `Busy!` gets its own code: most commands work only in TeensyROM's menu.
 * @param does completes "TeensyROM did not …"
 * @param message the text after the failure token
 */
export function refusal(does: string, message: string): AppError {
  const reason = firstLine(message)
  const details = { message: message.slice(0, 2_000) }
  if (/busy/i.test(message)) {
    return new AppError('BUSY', `TeensyROM did not ${does}: a program or a large cartridge is running.`, {
      hint: 'Reset the C64 to TeensyROM’s menu, then try again.',
      details,
    })
  }
  const because = reason === '' ? 'it gave no reason.' : `“${reason}”.`
  return new AppError(/not found/i.test(message) ? 'NOT_FOUND' : 'CONFLICT', `TeensyROM did not ${does}: ${because}`, {
    hint: 'Check its screen; a reset shows its menu again.',
    details,
  })
}
