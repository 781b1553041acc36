/** A bus with nothing but RAM, which writes down each cycle; for the tests of the CPU. */
import type { Bus } from '../../src-main/machine/builtin/processor'

export class RecordingBus implements Bus {
  readonly ram = new Uint8Array(0x10000)
  /** As “r C000 A9” or “w 0200 01”. */
  readonly cycles: string[] = []
  waited = 0
  /** Called at the start of each cycle, with its number from 0. */
  onCycle: (cycle: number) => void = () => undefined
  /** How many cycles each read has to wait. */
  waits: (cycle: number) => number = () => 0
  onWait: () => void = () => undefined

  read(address: number): number {
    this.waited = this.waits(this.cycles.length)
    for (let left = this.waited; left > 0; left--) {
      this.#next('wait')
      this.onWait()
    }
    const value = this.ram[address] ?? 0
    this.#next(`r ${hex(address, 4)} ${hex(value, 2)}`)
    return value
  }

  write(address: number, value: number): void {
    this.#next(`w ${hex(address, 4)} ${hex(value, 2)}`)
    this.ram[address] = value
  }

  #next(cycle: string): void {
    this.onCycle(this.cycles.length)
    this.cycles.push(cycle)
  }
}

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')
