import { instructionLength } from '@shared/c64/disassembler'
import * as steps from './cpuSteps'

// Taken out once: where modules are not bundled, each use of an import is a lookup, and this runs at each cycle.
const {
  BRANCH,
  BRANCH_DECIDED,
  BRANCH_NEXT,
  FETCH,
  HIGH,
  IDLE_NEXT,
  IDLE_ZERO_PAGE,
  INDEXED_POINTER_LOW,
  INDEX_ALWAYS,
  INDEX_READ,
  INDIRECT_HIGH,
  INDIRECT_LOW,
  JAMMED,
  JUMP_HIGH,
  LOW,
  POINTER_HIGH,
  POINTER_LOW,
  PULL,
  PULL_HIGH,
  PULL_LOW,
  PUSH,
  PUSH_PC_HIGH,
  PUSH_PC_LOW,
  READ,
  RETURN_IDLE,
  STACK_IDLE,
  UNSTABLE_WRITE,
  VECTOR_HIGH,
  VECTOR_LOW,
  WRITE,
  WRITE_BACK,
  ZERO_PAGE_INDEX_READ,
  ZERO_PAGE_INDEX_WRITE,
} = steps
const { fetchSteps, interruptSteps, stepsByOpcode } = steps

export const CONTRADICTED = 0
export const FITS = 1
/** It fits in two ways: whether the branch was taken shows only later. */
const FORKS = 2
/** It may fit, but the bus does not show what is needed to go on. */
export const UNKNOWABLE = 3
export type Outcome = typeof CONTRADICTED | typeof FITS | typeof FORKS | typeof UNKNOWABLE

/** Below is the 6510's own port, whose reads the bus does not show. */
const FIRST_SHOWN = 2
const IRQ_VECTOR = 0xfffe
const NMI_VECTOR = 0xfffa
const TXS = 0x9a
const TAS = 0x9b
const LAS = 0xbb
const instructionLengths = Uint8Array.from({ length: 256 }, (_, opcode) => instructionLength(opcode))

export class CpuAccount {
  since: number
  begun: number
  pc = 0
  opcode = 0
  operandLow = 0
  operandHigh = 0
  isInterrupt = false
  data = 0
  address = 0
  #steps: Uint8Array = fetchSteps
  #at = 0
  #next: number
  #low = 0
  #high = 0
  #pointer = 0
  #crossed = false
  #sp = -1

  /** @param next negative for anywhere */
  constructor(next: number, now: number) {
    this.since = now
    this.begun = now
    this.#next = next
  }

  get isBetweenInstructions(): boolean {
    return this.#steps[this.#at] === FETCH
  }

  equals(other: CpuAccount): boolean {
    return this.begun === other.begun && this.#steps === other.#steps && this.#at === other.#at
  }

  merge(other: CpuAccount): void {
    this.since = Math.min(this.since, other.since)
    if (this.#sp !== other.#sp) this.#sp = -1
  }

  copy(): CpuAccount {
    const copy = new CpuAccount(this.#next, this.since)
    const { begun, pc, opcode, operandLow, operandHigh, isInterrupt, data, address } = this
    Object.assign(copy, { begun, pc, opcode, operandLow, operandHigh, isInterrupt, data, address })
    copy.#steps = this.#steps
    copy.#at = this.#at
    copy.#low = this.#low
    copy.#high = this.#high
    copy.#pointer = this.#pointer
    copy.#crossed = this.#crossed
    copy.#sp = this.#sp
    return copy
  }

  /**
   * Takes the next cycle in which the CPU did not wait. After {@link FORKS}, {@link fallThrough} or {@link branch}
   * takes it.
   */
  take(isRead: boolean, address: number, data: number, now: number): Outcome {
    const code = this.#steps[this.#at] ?? JAMMED
    this.#at++
    switch (code) {
      case WRITE:
      case WRITE_BACK:
      case UNSTABLE_WRITE:
      case ZERO_PAGE_INDEX_WRITE:
      case PUSH:
      case PUSH_PC_HIGH:
      case PUSH_PC_LOW:
        return !isRead && this.#writes(code, address, data) ? FITS : CONTRADICTED
      case FETCH:
        if (!isRead || (this.#next >= 0 && address !== this.#next)) return CONTRADICTED
        return this.#fetched(address, data, now)
      default:
        return isRead ? this.#reads(code, address, data, now) : CONTRADICTED
    }
  }

  fallThrough(address: number, data: number, now: number): Outcome {
    const outcome = this.#fetched((this.pc + 2) & 0xffff, this.#high, now - 1)
    return outcome === FITS ? this.take(true, address, data, now) : outcome
  }

  branch(address: number, data: number, now: number): Outcome {
    const target = this.#branchTarget
    if (address === target) return this.#fetched(address, data, now)
    this.#steps = fetchSteps
    this.#at = 0
    this.#next = target
    return FITS
  }

  get #branchTarget(): number {
    return (this.pc + 2 + ((this.operandLow << 24) >> 24)) & 0xffff
  }

  #fetched(address: number, data: number, now: number): Outcome {
    if (address < FIRST_SHOWN) return UNKNOWABLE
    this.begun = now
    this.pc = address
    this.opcode = data
    this.isInterrupt = false
    this.#steps = stepsByOpcode[data] ?? fetchSteps
    this.#at = 0
    this.#next = (address + (instructionLengths[data] ?? 1)) & 0xffff
    return FITS
  }

  #writes(code: number, address: number, data: number): boolean {
    switch (code) {
      case WRITE:
        return address === this.address
      case WRITE_BACK:
        return address === this.address && (data === this.data || address < FIRST_SHOWN)
      case UNSTABLE_WRITE:
        if (this.opcode === TAS) this.#sp = -1
        return this.#crossed ? (address & 0xff) === (this.address & 0xff) : address === this.address
      case ZERO_PAGE_INDEX_WRITE:
        this.address = address
        return address < 0x100
      case PUSH:
        return this.#pushes(address)
      default: {
        const pc = this.isInterrupt ? this.pc : this.pc + 2
        return data === ((code === PUSH_PC_HIGH ? pc >> 8 : pc) & 0xff) && this.#pushes(address)
      }
    }
  }

  #pushes(address: number): boolean {
    if (address >> 8 !== 1 || (this.#sp >= 0 && (address & 0xff) !== this.#sp)) return false
    this.#sp = (address - 1) & 0xff
    return true
  }

  #reads(code: number, address: number, data: number, now: number): Outcome {
    switch (code) {
      case IDLE_NEXT:
      case LOW:
      case BRANCH:
      case JAMMED:
        return this.#readsSecond(code, address, data)
      case HIGH:
      case JUMP_HIGH:
        return this.#readsHigh(code, address, data)
      case READ:
        this.data = data
        if (this.opcode === LAS) this.#sp = -1
        return fits(address === this.address)
      case INDEX_READ:
      case INDEX_ALWAYS:
        return this.#readsIndexed(code, address, data)
      case BRANCH_NEXT:
        if (address !== ((this.pc + 2) & 0xffff)) return CONTRADICTED
        this.#high = data
        return shown(address)
      case BRANCH_DECIDED:
        return this.#decides(address, data, now)
      case STACK_IDLE:
        if (address >> 8 !== 1 || (this.#sp >= 0 && (address & 0xff) !== this.#sp)) return CONTRADICTED
        this.#sp = address & 0xff
        return FITS
      case PULL:
      case PULL_LOW:
      case PULL_HIGH:
        return this.#pulls(code, address, data)
      case RETURN_IDLE:
        this.#next = (this.#word + 1) & 0xffff
        return fits(address === this.#word)
      default:
        return this.#readsPointer(code, address, data)
    }
  }

  /** The second cycle of each instruction reads the byte after its opcode, or the opcode again for an interrupt. */
  #readsSecond(code: number, address: number, data: number): Outcome {
    if (address === this.pc) {
      this.isInterrupt = true
      this.#steps = interruptSteps
      this.#at = 0
      return FITS
    }
    if (code === JAMMED || address !== ((this.pc + 1) & 0xffff)) return CONTRADICTED
    if (code === IDLE_NEXT) {
      if (this.opcode === TXS) this.#sp = -1
      return FITS
    }
    this.operandLow = data
    this.data = data
    this.#low = data
    this.address = data
    return shown(address)
  }

  #readsHigh(code: number, address: number, data: number): Outcome {
    if (address !== ((this.pc + 2) & 0xffff)) return CONTRADICTED
    this.operandHigh = data
    this.#high = data
    this.address = this.#word
    if (code === JUMP_HIGH) this.#next = this.#word
    return shown(address)
  }

  #readsIndexed(code: number, address: number, data: number): Outcome {
    if (address >> 8 !== this.#high) return CONTRADICTED
    this.#crossed = (address & 0xff) < this.#low
    this.address = this.#crossed ? (address + 0x100) & 0xffff : address
    this.data = data
    if (code === INDEX_READ && !this.#crossed) {
      this.#at++
      if (this.opcode === LAS) this.#sp = -1
    }
    return FITS
  }

  #decides(address: number, data: number, now: number): Outcome {
    const next = (this.pc + 2) & 0xffff
    const target = this.#branchTarget
    const landing = (next & 0xff00) | (target & 0xff)
    const isTaken = address === landing
    const isNot = address === next || address === ((next + 1) & 0xffff)
    if (isTaken && isNot) return FORKS
    if (isTaken) return this.branch(address, data, now)
    return isNot ? this.fallThrough(address, data, now) : CONTRADICTED
  }

  #pulls(code: number, address: number, data: number): Outcome {
    this.#sp = (this.#sp + 1) & 0xff
    if (address !== (0x100 | this.#sp)) return CONTRADICTED
    this.data = data
    if (code === PULL_LOW) this.#low = data
    if (code === PULL_HIGH) {
      this.#high = data
      this.#next = this.#word
    }
    return FITS
  }

  #readsPointer(code: number, address: number, data: number): Outcome {
    switch (code) {
      case IDLE_ZERO_PAGE:
        return fits(address === this.operandLow)
      case ZERO_PAGE_INDEX_READ:
        this.address = address
        this.data = data
        return fits(address < 0x100)
      case POINTER_LOW:
        if (address !== this.operandLow) return CONTRADICTED
        break
      case INDEXED_POINTER_LOW:
        if (address >= 0x100) return CONTRADICTED
        break
      case INDIRECT_LOW:
        if (address !== this.#word) return CONTRADICTED
        break
      case VECTOR_LOW:
        if (address !== IRQ_VECTOR && address !== NMI_VECTOR) return CONTRADICTED
        break
      case POINTER_HIGH:
      case INDIRECT_HIGH:
      case VECTOR_HIGH:
        if (address !== ((this.#pointer & 0xff00) | ((this.#pointer + 1) & 0xff))) return CONTRADICTED
        this.#high = data
        this.address = this.#word
        if (code !== POINTER_HIGH) this.#next = this.#word
        return shown(address)
      default:
        return CONTRADICTED
    }
    this.#pointer = address
    this.#low = data
    return shown(address)
  }

  get #word(): number {
    return (this.#high << 8) | this.#low
  }
}

const fits = (does: boolean): Outcome => (does ? FITS : CONTRADICTED)
const shown = (address: number): Outcome => (address < FIRST_SHOWN ? UNKNOWABLE : FITS)
