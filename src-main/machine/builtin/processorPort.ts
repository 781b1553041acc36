/**
 * The 6510's own port: $00 is the direction (1 drives a pin), $01 the data. Bits 0 to 2 switch the memory, 3 to 5 are the
 * tape's, 6 and 7 lead nowhere.
 */
import { z } from 'zod'
import { byte } from './numbers'

export const portSchema = z.strictObject({
  direction: byte,
  data: byte,
  driven: byte,
  /** The cycles at which bits 6 and 7 lose the charge that they keep as inputs. */
  fadesAt: z.tuple([z.int().min(0), z.int().min(0)]),
})
export type PortState = z.infer<typeof portSchema>

/** Levels of input pins: LORAM, HIRAM and CHAREN are pulled up, and no tape key is down (bit 4). */
const PULLED_UP = 0x17
/** The tape's motor circuit pulls its pin low. */
const MOTOR = 0x20
const BIT_6 = 0x40
const BIT_7 = 0x80
/** Cycles for which bits 6 and 7 keep their driven level as inputs: x64sc's value for a 6510. */
const CHARGE_CYCLES = 350_000

export const resetPort = (): PortState => ({ direction: 0, data: 0, driven: 0, fadesAt: [0, 0] })

/** What the CPU reads at $01 at the cycle `now`; its low three bits also switch the memory. */
export function portLevels({ direction, data, driven, fadesAt }: PortState, now: number): number {
  let floating = driven & ~MOTOR
  if (now >= fadesAt[0]) floating &= ~BIT_6
  if (now >= fadesAt[1]) floating &= ~BIT_7
  return (data & direction) | ((floating | PULLED_UP) & ~direction & 0xff)
}

export function writePort(port: PortState, address: 0 | 1, value: number, now: number): PortState {
  const direction = address === 0 ? value : port.direction
  const data = address === 0 ? port.data : value
  /** A pin is charged while driven, and keeps the charge once it becomes an input. */
  const charged = address === 0 ? port.direction & ~value : port.direction
  return {
    direction,
    data,
    driven: (port.driven & ~direction) | (data & direction),
    fadesAt: [
      (charged & BIT_6) === 0 ? port.fadesAt[0] : now + CHARGE_CYCLES,
      (charged & BIT_7) === 0 ? port.fadesAt[1] : now + CHARGE_CYCLES,
    ],
  }
}
