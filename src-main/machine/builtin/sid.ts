/** The SID without sound. Its registers can be inspected, which the real chip does not allow. */
export class Sid {
  readonly registers = new Uint8Array(32)

  /**
   * Gives paddles as $FF (unconnected), oscillator 3 as noise that depends only on the time, and 0 for envelope 3 and
   * write-only registers, where the real chip gives what is left on its bus.
   * @param register 0 to 31
   * @param now the machine's cycle
   */
  read(register: number, now: number): number {
    if (register === 0x19 || register === 0x1a) return 0xff
    return register === 0x1b ? noise(now) : 0
  }
}

/** Looks random, but is the same for the same cycle, so that runs can be repeated. */
function noise(now: number): number {
  let mixed = Math.imul(now ^ (now >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return (mixed >>> 24) & 0xff
}
