/**
 * The serial register of a CIA. As an output it is clocked by timer A, two underflows a bit; as an input nothing is
 * connected that could clock it.
 */
import { z } from 'zod'

const byte = z.int().min(0).max(255)

/** In control register A: the register is an output. */
const OUTPUT = 0x40

/** An underflow moves the shift register a cycle later; what that finishes is an interrupt three cycles after it. */
const UNDERFLOW_0 = 0x01
const UNDERFLOW_1 = 0x02
const DONE_0 = 0x04
const DONE_3 = 0x20
const PIPE = UNDERFLOW_1 | 0x38

const HALF_BITS = 16
/** Half bits left when the last bit goes out: the moment of the interrupt, and of the next byte if it is there. */
const LAST_BIT = 2

export const serialSchema = z.strictObject({
  data: byte,
  /** Whether the data waits to be sent. */
  waiting: z.boolean(),
  halfBits: z.int().min(0).max(HALF_BITS),
  pipe: byte,
})
export type SerialRegister = z.infer<typeof serialSchema>

export const newSerialRegister = (): SerialRegister => ({ data: 0, waiting: false, halfBits: 0, pipe: 0 })

/**
 * One cycle.
 * @param underflow whether timer A had one
 * @returns whether a byte is done
 */
export function stepSerial(serial: SerialRegister, control: number, underflow: boolean): boolean {
  if (!underflow && serial.pipe === 0) return false
  serial.pipe = ((serial.pipe << 1) & PIPE) | (underflow && (control & OUTPUT) !== 0 ? UNDERFLOW_0 : 0)
  if ((serial.pipe & UNDERFLOW_1) !== 0) shift(serial)
  return (serial.pipe & DONE_3) !== 0
}

export function writeSerial(serial: SerialRegister, value: number): void {
  serial.data = value
  serial.waiting = true
}

function shift(serial: SerialRegister): void {
  if (serial.halfBits > 0) serial.halfBits--
  if (serial.halfBits === LAST_BIT) serial.pipe |= DONE_0
  if (!serial.waiting || (serial.halfBits !== 0 && serial.halfBits !== LAST_BIT)) return
  serial.waiting = false
  serial.halfBits = HALF_BITS
}
