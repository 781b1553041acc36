/** Puts numbered packets back into the order in which they were sent. */

/** A packet that is further from the last one than this starts the numbering afresh: the stream was started again. */
const RESTARTED = 1_024

/** How many packets are held back while one before them is missing. A switch swaps neighbours, seldom more. */
const SLOTS = 8

export interface PacketOrderOptions {
  /** The size of each packet, bytes. */
  readonly size: number
  /** Each packet once, in order. The bytes hold until it returns. */
  readonly onPacket: (packet: Uint8Array) => void
  /** So many packets are missing before the next one. */
  readonly onLost: (count: number) => void
}

/** Numbers are 16 bits, little-endian, at the start of each packet, and start again at 0 after 65,535. */
export class PacketOrder {
  /** Packets that never came. */
  lost = 0
  /** Packets that came twice, or after they were given up. */
  late = 0
  readonly #options: PacketOrderOptions
  readonly #held: readonly Uint8Array[]
  /** Whether the slot of a number, its last three bits, holds that packet. */
  readonly #full = new Uint8Array(SLOTS)
  #waiting = 0
  #expected = -1

  constructor(options: PacketOrderOptions) {
    this.#options = options
    this.#held = Array.from({ length: SLOTS }, () => new Uint8Array(options.size))
  }

  /** Takes a packet of the right size. Allocates nothing. */
  push(packet: Uint8Array): void {
    const number = (packet[0] ?? 0) | ((packet[1] ?? 0) << 8)
    if (this.#expected < 0) this.#expected = number
    const ahead = distance(this.#expected, number)
    if (ahead === 0) {
      this.#deliver(packet)
      if (this.#waiting > 0) this.#deliverHeld()
    } else if (ahead < -RESTARTED || ahead > RESTARTED) {
      this.#restart(number)
      this.#deliver(packet)
    } else if (ahead < 0) {
      this.late++
    } else {
      if (ahead >= SLOTS) this.#skipTo((number - SLOTS + 1) & 0xffff)
      this.#hold(number, packet)
    }
  }

  /** What is held back will get nothing more before it: delivers it. */
  flush(): void {
    while (this.#waiting > 0) {
      let next = this.#expected
      while (this.#full[next % SLOTS] === 0) next = (next + 1) & 0xffff
      this.#skipTo(next)
    }
  }

  #hold(number: number, packet: Uint8Array): void {
    // Skipping may have made it the one that is expected.
    if (number === this.#expected) {
      this.#deliver(packet)
      this.#deliverHeld()
      return
    }
    const slot = number % SLOTS
    if (this.#full[slot] === 1) {
      this.late++
      return
    }
    this.#full[slot] = 1
    this.#waiting++
    this.#held[slot]?.set(packet)
  }

  #deliver(packet: Uint8Array): void {
    this.#expected = (this.#expected + 1) & 0xffff
    this.#options.onPacket(packet)
  }

  #deliverHeld(): void {
    for (let slot = this.#expected % SLOTS; this.#full[slot] === 1; slot = this.#expected % SLOTS) {
      const packet = this.#held[slot]
      this.#full[slot] = 0
      this.#waiting--
      if (packet) this.#deliver(packet)
    }
  }

  /** Gives up all that is missing before that number, and delivers what is held up to it and behind it. */
  #skipTo(number: number): void {
    while (distance(this.#expected, number) > 0) {
      let count = 0
      while (this.#expected !== number && this.#full[this.#expected % SLOTS] === 0) {
        this.#expected = (this.#expected + 1) & 0xffff
        count++
      }
      this.lost += count
      this.#options.onLost(count)
      this.#deliverHeld()
    }
    this.#deliverHeld()
  }

  #restart(number: number): void {
    this.flush()
    this.lost++
    this.#options.onLost(1)
    this.#expected = number
  }
}

/** From one number to another, the shorter way: -32,768 to 32,767. */
const distance = (from: number, to: number): number => ((to - from) << 16) >> 16
