import type { Checkpoint } from '@shared/contract/checkpoints'
import { formatAddress as hex } from '@shared/c64/address'
import { MAX_BODY_BYTES, messageTypes, type Request } from './codec'
import { concat, Fields, malformed, shortText, u16, u32, u8 } from './fields'

const MAIN_MEMORY = 0

const nothing = (): undefined => undefined

const withoutReply = (does: string, command: number, body: Uint8Array = new Uint8Array(0)): Request<undefined> => ({
  does,
  command,
  body,
  answer: command,
  parse: nothing,
})

/**
 * Reads `start` to `end` inclusive without side effects.
 * @param memspace 0 for the C64; 1 to 4 for the drives 8 to 11, whose only bank is 0
 */
export function readMemory(bank: number, start: number, end: number, memspace = MAIN_MEMORY): Request<Uint8Array> {
  const does = `read memory ${hex(start)}-${hex(end)}`
  return {
    does,
    command: 0x01,
    body: concat([u8(0), u16(start), u16(end), u8(memspace), u16(bank)]),
    answer: 0x01,
    parse(body) {
      // The count of 65,536 bytes is sent as 0, so the body's length is used instead.
      const bytes = body.slice(2)
      if (bytes.length !== end - start + 1) throw malformed(does)
      return bytes
    },
  }
}

/**
 * At most 65,535 bytes, as VICE counts them in 16 bits.
 * @param memspace as for {@link readMemory}
 */
export const writeMemory = (
  bank: number,
  start: number,
  bytes: Uint8Array,
  memspace = MAIN_MEMORY,
): Request<undefined> =>
  withoutReply(
    `write memory ${hex(start)}-${hex(start + bytes.length - 1)}`,
    0x02,
    concat([u8(0), u16(start), u16(start + bytes.length - 1), u8(memspace), u16(bank), bytes]),
  )

type ViceCheckpoint = Omit<Checkpoint, 'condition' | 'fromHit' | 'log'>

export interface CheckpointInfo extends ViceCheckpoint {
  readonly hasCondition: boolean
}

const operationBits = { load: 1, store: 2, exec: 4 } as const
const operationNames = ['load', 'store', 'exec'] as const

export function setCheckpoint(checkpoint: Omit<ViceCheckpoint, 'number' | 'hits'>): Request<CheckpointInfo> {
  const { start, end, stop, enabled, operations, temporary } = checkpoint
  const operation = operations.reduce((bits, name) => bits | operationBits[name], 0)
  return {
    does: `set a checkpoint at ${hex(start)}-${hex(end)}`,
    command: 0x12,
    body: concat([u16(start), u16(end), u8(Number(stop)), u8(Number(enabled)), u8(operation), u8(Number(temporary))]),
    answer: messageTypes.checkpoint,
    parse: parseCheckpoint,
  }
}

export const deleteCheckpoint = (number: number): Request<undefined> =>
  withoutReply(`delete checkpoint ${number}`, 0x13, u32(number))

export const listCheckpoints = (): Request<CheckpointInfo[]> => ({
  does: 'list its checkpoints',
  command: 0x14,
  body: new Uint8Array(0),
  answer: 0x14,
  parse: (_body, items) => items.map(parseCheckpoint),
})

export const toggleCheckpoint = (number: number, enabled: boolean): Request<undefined> =>
  withoutReply(
    `${enabled ? 'enable' : 'disable'} checkpoint ${number}`,
    0x15,
    concat([u32(number), u8(Number(enabled))]),
  )

export const setCondition = (number: number, condition: string): Request<undefined> =>
  withoutReply(`set the condition "${condition}"`, 0x22, concat([u32(number), shortText(condition)]))

export function parseCheckpoint(body: Uint8Array): CheckpointInfo {
  const fields = new Fields(body, 'describe a checkpoint')
  const number = fields.u32()
  fields.skip(1) // whether it was just hit; always true in an event
  const start = fields.u16()
  const end = fields.u16()
  const stop = fields.u8() !== 0
  const enabled = fields.u8() !== 0
  const bits = fields.u8()
  const temporary = fields.u8() !== 0
  const hits = fields.u32()
  fields.skip(4) // ignore count
  const hasCondition = fields.u8() !== 0
  // VICE 3.6 and later add the memory space.
  return {
    number,
    start,
    end,
    stop,
    enabled,
    temporary,
    hits,
    hasCondition,
    operations: operationNames.filter((name) => bits & operationBits[name]),
  }
}

export interface RegisterValue {
  readonly id: number
  readonly value: number
}

export const readRegisters = (): Request<RegisterValue[]> => ({
  does: 'read the registers',
  command: 0x31,
  body: u8(MAIN_MEMORY),
  answer: messageTypes.registers,
  parse: parseRegisters,
})

export const writeRegister = (id: number, value: number): Request<RegisterValue[]> => ({
  does: 'write a register',
  command: 0x32,
  body: concat([u8(MAIN_MEMORY), u16(1), u8(3), u8(id), u16(value)]),
  answer: messageTypes.registers,
  parse: parseRegisters,
})

export const parseRegisters = (body: Uint8Array): RegisterValue[] =>
  new Fields(body, 'list the registers').list((item) => ({ id: item.u8(), value: item.u16() }))

export interface RegisterName {
  readonly id: number
  readonly bits: number
  readonly name: string
}

export const nameRegisters = (): Request<RegisterName[]> => ({
  does: 'name its registers',
  command: 0x83,
  body: u8(MAIN_MEMORY),
  answer: 0x83,
  parse: (body) =>
    new Fields(body, 'name its registers').list((item) => ({ id: item.u8(), bits: item.u8(), name: item.shortText() })),
})

export const nameBanks = (): Request<Map<string, number>> => ({
  does: 'name its memory banks',
  command: 0x82,
  body: new Uint8Array(0),
  answer: 0x82,
  parse: (body) =>
    new Map(
      new Fields(body, 'name its memory banks').list((item) => {
        const bank = item.u16()
        return [item.shortText(), bank] as const
      }),
    ),
})

export const getResource = (name: string): Request<string | number> => ({
  does: `read its resource ${name}`,
  command: 0x51,
  body: shortText(name),
  answer: 0x51,
  parse(body) {
    const fields = new Fields(body, `read its resource ${name}`)
    const isNumber = fields.u8() === 1
    const length = fields.u8()
    return isNumber ? fields.i32() : fields.text(length)
  },
})

export const setResource = (name: string, value: string | number): Request<undefined> =>
  withoutReply(
    `set its resource ${name}`,
    0x52,
    typeof value === 'number'
      ? concat([u8(1), shortText(name), u8(4), u32(value)])
      : concat([u8(0), shortText(name), shortText(value)]),
  )

/** `count` is 1 to 65,535; the events of a stop follow the answer. */
export const advance = (count: number, over: boolean): Request<undefined> =>
  withoutReply('step', 0x71, concat([u8(Number(over)), u16(count)]))

/** At most 255 PETSCII bytes. */
export const feedKeyboard = (petscii: Uint8Array): Request<undefined> =>
  withoutReply('take the typed text', 0x72, concat([u8(petscii.length), petscii]))

export const ping = (): Request<undefined> => withoutReply('answer', 0x81)

export interface Display {
  readonly width: number
  readonly height: number
  /** The 320x200 display window within the buffer. */
  readonly inner: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  readonly pixels: Uint8Array
}

export const readDisplay = (): Request<Display> => ({
  does: 'send its picture',
  command: 0x84,
  body: concat([u8(0), u8(0)]), // the VIC-II of a C128's two chips; one byte per pixel
  answer: 0x84,
  parse: parseDisplay,
})

/** VICE 3.5 sends a long header with reserved bytes before the pixels, later versions 13 bytes and then the pixel count. */
function parseDisplay(body: Uint8Array): Display {
  const does = 'send its picture'
  const fields = new Fields(body, does)
  const headerLength = fields.u32()
  const is35 = headerLength === 43
  if (is35) fields.skip(8)
  const width = fields.u16()
  const height = fields.u16()
  const x = fields.u16()
  const y = fields.u16()
  const inner = { x, y, width: fields.u16(), height: fields.u16() }
  const bits = fields.u8()
  const count = width * height
  if (bits !== 8 || count === 0 || count > MAX_BODY_BYTES) throw malformed(does)
  const start = is35 ? body.length - count : 4 + headerLength + 4
  if (start < headerLength) throw malformed(does)
  const sent = body.subarray(start, start + count)
  // VICE 3.6 to 3.10 count the header four bytes short, so the last four pixels (of the border) are missing.
  if (sent.length < count - 4) throw malformed(does)
  const pixels = new Uint8Array(count).fill(sent.at(-1) ?? 0)
  pixels.set(sent)
  return { width, height, inner, pixels }
}

/** Version numbers, most significant first, such as 3, 7, 1, 0. */
export const readVersion = (): Request<number[]> => ({
  does: 'tell its version',
  command: 0x85,
  body: new Uint8Array(0),
  answer: 0x85,
  parse(body) {
    const fields = new Fields(body, 'tell its version')
    return [...fields.bytes(fields.u8())]
  },
})

export const readPalette = (): Request<number[]> => ({
  does: 'send its palette',
  command: 0x91,
  body: u8(0),
  answer: 0x91,
  parse: (body) =>
    new Fields(body, 'send its palette').list((item) => (item.u8() << 16) | (item.u8() << 8) | item.u8()),
})

/** Sets the lines of control port 1 or 2: bit 0 up, 1 down, 2 left, 3 right, 4 fire, each 0 when pressed. */
export const setJoyport = (port: 1 | 2, lines: number): Request<undefined> =>
  withoutReply('move the joystick', 0xa2, concat([u16(port - 1), u16(lines)]))

export const exit = (): Request<undefined> => withoutReply('leave its monitor', 0xaa)

export const quit = (): Request<undefined> => withoutReply('quit', 0xbb)

export const reset = (kind: 'soft' | 'power'): Request<undefined> =>
  withoutReply('reset', 0xcc, u8(kind === 'soft' ? 0 : 1))

/** Loads and runs a file on VICE's computer, and lets the machine run. */
export const autostart = (path: string): Request<undefined> =>
  withoutReply(`start ${path}`, 0xdd, concat([u8(1), u16(0), shortText(path)]))
