/** Places where the machine stops, or is counted, when the CPU executes, reads or writes there. */
import { AppError } from '@shared/contract/errors'
import { disassemble } from '@shared/c64/disassembler'
import type { Checkpoint, CheckpointStop } from '@shared/contract/machine'

const operationFlags = { exec: 1, load: 2, store: 4 } as const
type Operation = keyof typeof operationFlags

/** Reads as the CPU does, without side effects. */
type Peek = (address: number) => number

/** A checkpoint that was come upon, and how. */
export interface CheckpointHit extends Checkpoint {
  readonly access: Pick<CheckpointStop, 'start' | 'end' | 'operation' | 'by'>
}

/** An instruction with its operand is at most this long: reading it is no load. */
const LONGEST_INSTRUCTION = 3

export class Checkpoints {
  readonly #checkpoints = new Map<number, Checkpoint>()
  #nextNumber = 1
  /** For each address what enabled checkpoints there are, so that most accesses need no search. */
  readonly #flags = new Uint8Array(0x10000)
  #instruction = 0
  #isInterrupt = false
  /** Those that the present instruction came upon, each with its first access. */
  readonly #hit = new Map<number, CheckpointHit['access']>()

  constructor(checkpoints: readonly Checkpoint[] = []) {
    for (const checkpoint of checkpoints) this.#checkpoints.set(checkpoint.number, checkpoint)
    this.#nextNumber = Math.max(0, ...this.#checkpoints.keys()) + 1
    this.#mark()
  }

  /** True while there is something to look for. */
  get active(): boolean {
    return [...this.#checkpoints.values()].some(({ enabled }) => enabled)
  }

  list(): Checkpoint[] {
    return [...this.#checkpoints.values()]
  }

  /** @throws AppError INVALID for a range that ends before it starts, UNSUPPORTED for a condition */
  set(wanted: Omit<Checkpoint, 'number' | 'hits'>): Checkpoint {
    if (wanted.end < wanted.start) throw new AppError('INVALID', 'The checkpoint’s end lies before its start.')
    if (wanted.condition !== null) {
      throw new AppError('UNSUPPORTED', 'The built-in C64 knows no conditions for checkpoints.', {
        hint: 'Leave the condition out, or use VICE.',
      })
    }
    const checkpoint = { ...wanted, number: this.#nextNumber++, hits: 0 }
    this.#change(checkpoint)
    return checkpoint
  }

  /** @throws AppError NOT_FOUND */
  delete(number: number): void {
    this.#get(number)
    this.#checkpoints.delete(number)
    this.#mark()
  }

  /** @throws AppError NOT_FOUND */
  enable(number: number, enabled: boolean): void {
    this.#change({ ...this.#get(number), enabled })
  }

  /** Before each instruction, or the sequence that takes an interrupt. */
  begin(pc: number, isInterrupt: boolean): void {
    this.#instruction = pc
    this.#isInterrupt = isInterrupt
    this.#hit.clear()
  }

  /** For each access of the CPU to memory, before it happens: the instruction may change itself. */
  note(address: number, operation: 'load' | 'store', peek: Peek): void {
    if (((this.#flags[address] ?? 0) & operationFlags[operation]) === 0) return
    if (operation === 'load' && ((address - this.#instruction) & 0xffff) < LONGEST_INSTRUCTION) return
    this.#find(address, operation, peek)
  }

  /**
   * After each instruction, with where the next one is: counts what was come upon.
   * @returns the checkpoint that stops the machine here, if one does
   */
  end(pc: number, peek: Peek): CheckpointHit | undefined {
    if (((this.#flags[pc] ?? 0) & operationFlags.exec) !== 0) this.#find(pc, 'exec', peek)
    let stops: CheckpointHit | undefined
    for (const [number, access] of this.#hit) {
      const checkpoint = this.#get(number)
      const counted = { ...checkpoint, hits: checkpoint.hits + 1 }
      this.#checkpoints.set(number, counted)
      if (counted.stop) stops ??= { ...counted, access }
      if (counted.temporary) this.delete(number)
    }
    return stops
  }

  #find(address: number, operation: Operation, peek: Peek): void {
    for (const { number, enabled, stop, start, end, operations } of this.#checkpoints.values()) {
      if (!enabled || address < start || end < address || !operations.includes(operation) || this.#hit.has(number))
        continue
      this.#hit.set(number, { start: address, end: address, operation, by: stop ? this.#by(operation, peek) : null })
    }
  }

  #by(operation: Operation, peek: Peek): CheckpointStop['by'] {
    if (operation === 'exec' || this.#isInterrupt) return null
    const { address, text } = disassemble(peek, this.#instruction)
    return { address, text }
  }

  #get(number: number): Checkpoint {
    const checkpoint = this.#checkpoints.get(number)
    if (!checkpoint) throw new AppError('NOT_FOUND', `There is no checkpoint ${number}.`)
    return checkpoint
  }

  #change(checkpoint: Checkpoint): void {
    this.#checkpoints.set(checkpoint.number, checkpoint)
    this.#mark()
  }

  #mark(): void {
    this.#flags.fill(0)
    for (const { enabled, start, end, operations } of this.#checkpoints.values()) {
      if (!enabled) continue
      const flags = operations.reduce((all, operation) => all | operationFlags[operation], 0)
      for (let address = start; address <= end; address++) this.#flags[address] = (this.#flags[address] ?? 0) | flags
    }
  }
}
