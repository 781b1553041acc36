import { compileExpression, type Evaluate, type ExpressionMachine } from '@shared/c64/expressions/compileExpression'
import { requireLogMessage, type LogMessage } from '@shared/c64/expressions/logMessage'
import { requireCondition } from '@shared/c64/expressions/parseExpression'
import { disassemble } from '@shared/c64/disassembler'
import { findAmong, type NamedAddress } from '@shared/c64/labels/names'
import { AppError } from '@shared/contract/errors'
import type { Checkpoint, CheckpointStop, Logged } from '@shared/contract/checkpoints'
import type { WantedCheckpoint } from '../facets'

type Operation = Checkpoint['operations'][number]

export type CheckpointHit = Omit<CheckpointStop, 'time' | 'pc' | 'pins'>

/** The longest instruction with its operand, in bytes: reading it is no load. */
const LONGEST_INSTRUCTION = 3

export interface KeptCheckpoints {
  readonly entries: readonly { readonly checkpoint: Checkpoint; readonly names: readonly NamedAddress[] }[]
  readonly nextNumber: number
}

interface Entry {
  checkpoint: Checkpoint
  readonly names: readonly NamedAddress[]
  readonly condition: Evaluate | null
  readonly message: LogMessage | null
}

interface Access {
  readonly entry: Entry
  readonly address: number
  readonly operation: Operation
  /** The bytes of the accessing instruction, the first one lowest; null for none. */
  readonly code: number | null
}

export class Checkpoints {
  /** 1 at each address with an enabled checkpoint, so that most accesses need no search. */
  #marks: Partial<Record<Operation, Uint8Array>> = {}
  readonly #entries = new Map<number, Entry>()
  readonly #log: (logged: Pick<Logged, 'checkpoint' | 'pc' | 'text'>) => void
  #enabled: readonly Entry[] = []
  #nextNumber = 1
  readonly #onChange: () => void
  #instruction = 0
  #isInterrupt = false
  #met: Access[] = []

  constructor(
    log: (logged: Pick<Logged, 'checkpoint' | 'pc' | 'text'>) => void = () => undefined,
    onChange: () => void = () => undefined,
  ) {
    this.#log = log
    this.#onChange = onChange
  }

  get active(): boolean {
    return this.#enabled.length > 0
  }

  get marks(): Readonly<Partial<Record<Operation, Uint8Array>>> {
    return this.#marks
  }

  list(): Checkpoint[] {
    return [...this.#entries.values()].map(({ checkpoint }) => checkpoint)
  }

  get kept(): KeptCheckpoints {
    const entries = [...this.#entries.values()].map(({ checkpoint, names }) => ({ checkpoint, names }))
    return { entries, nextNumber: this.#nextNumber }
  }

  restore({ entries, nextNumber }: KeptCheckpoints): void {
    this.#entries.clear()
    for (const { checkpoint, names } of entries) this.#entries.set(checkpoint.number, entryOf(checkpoint, names))
    this.#nextNumber = nextNumber
    this.#mark()
  }

  stopping(): Checkpoints {
    const copies = new Checkpoints()
    for (const [number, { checkpoint, names }] of this.#entries)
      if (checkpoint.enabled && checkpoint.stop)
        copies.#entries.set(number, entryOf({ ...checkpoint, fromHit: 1, log: null }, names))
    copies.#mark()
    return copies
  }

  /** @throws AppError INVALID for a range that ends before it starts, or an unreadable condition or message */
  set({ names = [], ...wanted }: WantedCheckpoint): Checkpoint {
    if (wanted.end < wanted.start) throw new AppError('INVALID', 'The checkpoint’s end lies before its start.')
    const entry = entryOf({ ...wanted, number: this.#nextNumber, hits: 0 }, names)
    this.#entries.set(this.#nextNumber++, entry)
    this.#changed()
    return entry.checkpoint
  }

  /** @throws AppError NOT_FOUND */
  delete(number: number): void {
    this.#get(number)
    this.#entries.delete(number)
    this.#changed()
  }

  /** @throws AppError NOT_FOUND */
  enable(number: number, enabled: boolean): void {
    const entry = this.#get(number)
    entry.checkpoint = { ...entry.checkpoint, enabled }
    this.#changed()
  }

  begin(pc: number, isInterrupt: boolean): void {
    this.#instruction = pc
    this.#isInterrupt = isInterrupt
  }

  /** Called before each marked access: the instruction may change itself. */
  note(address: number, operation: 'load' | 'store', machine: ExpressionMachine): void {
    if (operation === 'load' && ((address - this.#instruction) & 0xffff) < LONGEST_INSTRUCTION) return
    this.#find(address, operation, machine)
  }

  /**
   * To be called after each instruction with the next address. If true, `end` is needed. A pending interrupt comes
   * before that instruction.
   */
  isHit(pc: number, isInterrupted: boolean): boolean {
    return this.#met.length > 0 || (!isInterrupted && this.#marks.exec?.[pc] === 1)
  }

  /**
   * Counts and logs the hits whose condition holds now.
   * @returns the checkpoint that stops the machine, if any
   */
  end(pc: number, isInterrupted: boolean, machine: ExpressionMachine): CheckpointHit | undefined {
    if (!isInterrupted && this.#marks.exec?.[pc] === 1) this.#find(pc, 'exec', machine)
    const met = this.#met
    this.#met = []
    let stops: CheckpointHit | undefined
    for (const access of met) {
      const { entry } = access
      const { condition, message } = entry
      if (condition !== null && condition(machine) === 0) continue
      const checkpoint = { ...entry.checkpoint, hits: entry.checkpoint.hits + 1 }
      entry.checkpoint = checkpoint
      const { number, hits, fromHit, stop, temporary } = checkpoint
      if (hits < fromHit) continue
      if (message !== null) this.#log({ checkpoint: number, pc, text: message.text(machine) })
      if (stop) stops ??= this.#hitOf(checkpoint, access)
      if (temporary) this.delete(number)
    }
    return stops
  }

  #find(address: number, operation: Operation, machine: ExpressionMachine): void {
    for (const entry of this.#enabled) {
      const { stop, start, end, operations } = entry.checkpoint
      if (!operations.includes(operation) || address < start || end < address) continue
      if (this.#met.some((met) => met.entry === entry)) continue
      const code = stop && operation !== 'exec' && !this.#isInterrupt ? this.#code(machine) : null
      this.#met.push({ entry, address, operation, code })
    }
  }

  #code(machine: ExpressionMachine): number {
    const at = this.#instruction
    const [second, third] = [(at + 1) & 0xffff, (at + 2) & 0xffff]
    return machine.peek('cpu', at) | (machine.peek('cpu', second) << 8) | (machine.peek('cpu', third) << 16)
  }

  #hitOf({ number, hits, fromHit, condition }: Checkpoint, { address, operation, code }: Access): CheckpointHit {
    return {
      checkpoint: number,
      start: address,
      end: address,
      operation,
      by: code === null ? null : this.#by(code),
      condition,
      hit: fromHit > 1 ? hits : null,
    }
  }

  #by(code: number): CheckpointStop['by'] {
    const byteAt = (at: number): number => (code >> (8 * ((at - this.#instruction) & 0xffff))) & 0xff
    const { address, text } = disassemble(byteAt, this.#instruction)
    return { address, text }
  }

  #get(number: number): Entry {
    const entry = this.#entries.get(number)
    if (!entry) throw new AppError('NOT_FOUND', `There is no checkpoint ${number}.`)
    return entry
  }

  #changed(): void {
    this.#mark()
    this.#onChange()
  }

  #mark(): void {
    this.#enabled = [...this.#entries.values()].filter(({ checkpoint }) => checkpoint.enabled)
    this.#marks = {}
    for (const { checkpoint } of this.#enabled)
      for (const operation of checkpoint.operations)
        (this.#marks[operation] ??= new Uint8Array(0x10000)).fill(1, checkpoint.start, checkpoint.end + 1)
  }
}

function entryOf(checkpoint: Checkpoint, names: readonly NamedAddress[]): Entry {
  const { condition, log } = checkpoint
  const known = findAmong(names)
  return {
    checkpoint,
    names,
    condition: condition === null ? null : compileExpression(requireCondition(condition, known)),
    message: log === null ? null : requireLogMessage(log, known),
  }
}
