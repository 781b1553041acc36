/**
 * As an output it is clocked by timer A, two underflows a bit; as an input nothing is connected that could clock it.
 */
import { z } from 'zod'
import { byte } from './numbers'

/** In control register A: the register is an output. */
const OUTPUT = 0x40

/** An underflow moves the shift register a cycle later; a finished byte interrupts three cycles after it. */
const UNDERFLOW_0 = 0x01
const UNDERFLOW_1 = 0x02
const RESTARTED = 0x04
const DONE_0 = 0x10
const DONE_3 = 0x80
const PIPE = UNDERFLOW_1 | 0xf8
/** The level of CNT on its way to where a start of timer A looks at it: a bit for each of the last four cycles. */
const FOUR_CYCLES = 0x0f
const JUST_LOW = 0x01
const RISING_AGAIN = 0x03
/** CNT changed three cycles ago: an underflow now, after timer A was stopped, does not set it moving again. */
const NEARLY_THROUGH: readonly number[] = [0x07, 0x08]

const HALF_BITS = 16
const [TAKEN_AT_REST, TAKEN_AT_LAST_BIT] = [17, 18]
/** Half bits left when the last bit goes out: then the interrupt comes, and the next byte is taken if there is one. */
const LAST_BIT = 2

export const serialSchema = z.strictObject({
  data: byte,
  waiting: z.boolean(),
  halfBits: z.int().min(0).max(TAKEN_AT_LAST_BIT),
  pipe: byte,
  low: z.int().min(0).max(FOUR_CYCLES),
  /** Whether `low` is frozen: from the stop of timer A until it is loaded or started. */
  held: z.boolean(),
})
export type SerialRegister = z.infer<typeof serialSchema>

export const newSerialRegister = (): SerialRegister => ({
  data: 0,
  waiting: false,
  halfBits: 0,
  pipe: 0,
  low: 0,
  held: false,
})

/**
 * Steps one cycle.
 * @returns whether a byte is done
 */
export function stepSerial(serial: SerialRegister, control: number, underflow: boolean, loaded: boolean): boolean {
  if (loaded && !(underflow && NEARLY_THROUGH.includes(serial.low))) serial.held = false
  if (!underflow && isQuiet(serial)) return false
  serial.pipe = ((serial.pipe << 1) & PIPE) | (underflow && (control & OUTPUT) !== 0 ? UNDERFLOW_0 : 0)
  if ((serial.pipe & UNDERFLOW_1) !== 0) shift(serial)
  if (!serial.held) serial.low = ((serial.low << 1) & FOUR_CYCLES) | clockIsLow(serial)
  return (serial.pipe & DONE_3) !== 0
}

export const isQuiet = (serial: SerialRegister): boolean =>
  serial.pipe === 0 && (serial.held || serial.low === (clockIsLow(serial) === 0 ? 0 : FOUR_CYCLES))

/**
 * Takes a byte at once where there is room, so that one more can wait; else it waits.
 * @param isSending timer A was started with the register as an output
 */
export function writeSerial(serial: SerialRegister, value: number, isSending: boolean): void {
  serial.data = value
  if (isSending && serial.halfBits === 0) serial.halfBits = TAKEN_AT_REST
  else if (isSending && serial.halfBits === LAST_BIT) serial.halfBits = TAKEN_AT_LAST_BIT
  else serial.waiting = true
}

export const isOutput = (control: number): boolean => (control & OUTPUT) !== 0

export function holdSerial(serial: SerialRegister): void {
  serial.held = true
}

/** Timer A is started by a write. x64sc drops the byte under way, and reports it done if CNT was low. */
export function restartSerial(serial: SerialRegister): void {
  const { low, halfBits } = serial
  const settling = low === RISING_AGAIN || (low === JUST_LOW && halfBits === LAST_BIT)
  if (low !== 0 && !settling) serial.pipe |= RESTARTED
  serial.halfBits = 0
  serial.low = 0
  serial.held = false
}

const clockIsLow = ({ halfBits }: SerialRegister): number => (halfBits !== 0 && halfBits % 2 === 0 ? 1 : 0)

function shift(serial: SerialRegister): void {
  if (serial.halfBits > 0) serial.halfBits--
  if (serial.halfBits === LAST_BIT) serial.pipe |= DONE_0
  if (!serial.waiting || (serial.halfBits !== 0 && serial.halfBits !== LAST_BIT)) return
  serial.waiting = false
  serial.halfBits = HALF_BITS
}
