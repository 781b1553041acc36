/** A packet number further away means that the stream was restarted. */
const MAX_DISTANCE = 1_024

/** Packets held back while an earlier one is missing. A switch swaps neighbours, seldom more. */
const HELD_PACKETS = 8

/** While the Ultimate looks up our network address, it sends datagrams of this size. */
const LOOKUP_BYTES = 2

export interface PacketOrderOptions {
  readonly size: number
  /** Called with each packet once, in order. The bytes are valid until it returns. */
  readonly onPacket: (packet: Uint8Array) => void
  /**
   * `count` packets are missing before the next one; not `counted` where the numbering restarted, as it may be any
   * number.
   */
  readonly onLost: (count: number, counted: boolean) => void
}

/** Packets start with their number: 16 bits, little-endian, wrapping to 0 after 65,535. */
export class PacketOrder {
  received = 0
  lost = 0
  late = 0
  malformed = 0
  readonly #options: PacketOrderOptions
  readonly #held: readonly Uint8Array[]
  readonly #full = new Uint8Array(HELD_PACKETS)
  #waiting = 0
  #expected = -1

  constructor(options: PacketOrderOptions) {
    this.#options = options
    this.#held = Array.from({ length: HELD_PACKETS }, () => new Uint8Array(options.size))
  }

  push(packet: Uint8Array): void {
    if (packet.length === LOOKUP_BYTES) return
    if (packet.length !== this.#options.size) {
      this.malformed++
      return
    }
    this.received++
    this.#sort(packet)
  }

  #sort(packet: Uint8Array): void {
    const number = (packet[0] ?? 0) | ((packet[1] ?? 0) << 8)
    if (this.#expected < 0) this.#expected = number
    const ahead = distance(this.#expected, number)
    if (ahead === 0) {
      this.#deliver(packet)
      if (this.#waiting > 0) this.#deliverHeld()
    } else if (Math.abs(ahead) > MAX_DISTANCE) {
      this.#restart(number)
      this.#deliver(packet)
    } else if (ahead < 0) {
      this.late++
    } else {
      if (ahead >= HELD_PACKETS) this.#skipTo((number - HELD_PACKETS + 1) & 0xffff)
      this.#hold(number, packet)
    }
  }

  /** Delivers what is held back: nothing before it will arrive any more. */
  flush(): void {
    while (this.#waiting > 0) {
      let next = this.#expected
      while (this.#full[next % HELD_PACKETS] === 0) next = (next + 1) & 0xffff
      this.#skipTo(next)
    }
  }

  #hold(number: number, packet: Uint8Array): void {
    if (number === this.#expected) {
      this.#deliver(packet)
      this.#deliverHeld()
      return
    }
    const slot = number % HELD_PACKETS
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
    for (let slot = this.#expected % HELD_PACKETS; this.#full[slot] === 1; slot = this.#expected % HELD_PACKETS) {
      const packet = this.#held[slot]
      this.#full[slot] = 0
      this.#waiting--
      if (packet) this.#deliver(packet)
    }
  }

  #skipTo(number: number): void {
    while (distance(this.#expected, number) > 0) {
      let count = 0
      while (this.#expected !== number && this.#full[this.#expected % HELD_PACKETS] === 0) {
        this.#expected = (this.#expected + 1) & 0xffff
        count++
      }
      this.lost += count
      this.#options.onLost(count, true)
      this.#deliverHeld()
    }
    this.#deliverHeld()
  }

  #restart(number: number): void {
    this.flush()
    this.lost++
    this.#options.onLost(1, false)
    this.#expected = number
  }
}

/** The shorter way between two numbers: -32,768 to 32,767. */
const distance = (from: number, to: number): number => ((to - from) << 16) >> 16
