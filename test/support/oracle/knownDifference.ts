/**
 * The one thing in which the built-in C64 does not follow x64sc. A program reads a CIA's interrupt register in the last
 * cycle of an instruction after which the interrupt is due, and in the very next cycle the CIA's next interrupt comes. The
 * 6510 has decided by then, and takes it; x64sc counts from the new one, and takes it an instruction later.
 */
import { timings, type C64 } from '../../../src-main/machine/builtin/c64'
import { Cia } from '../../../src-main/machine/builtin/cia'

const INTERRUPT_REGISTER = 0xd

/** Calls `met` each time that the machine comes upon it. */
export function watchForKnownDifference(machine: C64, met: () => void): void {
  const { cpu, cia1, cia2, standard, models } = machine
  const { clockRate, mains } = timings[standard]
  const ahead = new Cia(models.ciaModel, clockRate, mains, { a: () => 0xff, b: () => 0xff })
  for (const cia of [cia1, cia2]) {
    const read = cia.read.bind(cia)
    cia.read = (register, now) => {
      cia.advance(now)
      const isDue = cia.asserted && cpu.interrupted && cpu.nmiLatched === (cia === cia2)
      const value = read(register, now)
      if (register === INTERRUPT_REGISTER && isDue) {
        ahead.state = structuredClone(cia.state)
        ahead.advance(now + 1)
        const { flags, mask } = ahead.state.interrupts
        if ((flags & mask) !== 0) met()
      }
      return value
    }
  }
}
