import { bankingPins, spaceRead } from '@shared/c64/banking'
import { MAX_NOTED_BYTES, type NotedByte as NotedByteState, type NotedWrite } from '@shared/contract/running'
import type { WriteNotes } from '../facets'
import { NotedByte } from '../notedByte'
import { tooManyNoted } from '../refusals'
import type { RunCommand } from './borrowedResources'
import type { Checkpoints, NoteMachine } from './checkpoints'
import type { Send } from './client'
import { findWriter } from './findWriter'
import type { StoppedMachine } from './stoppedMachine'

interface NotingSession {
  readonly checkpoints: Checkpoints
  readonly command: RunCommand
  readonly noteMachine: NoteMachine
  read(send: Send, space: 'cpu', address: number, length: number): Promise<Uint8Array>
}

export class NotedWrites implements WriteNotes {
  readonly #session: NotingSession
  readonly #bytes = new Map<number, NotedByte>()

  constructor(session: NotingSession) {
    this.#session = session
  }

  list(): NotedByteState[] {
    return this.#present().map(([, { state }]) => state)
  }

  async note(address: number, signal: AbortSignal): Promise<null> {
    const present = this.#present()
    if (present.some(([, noted]) => noted.address === address)) return null
    if (present.length >= MAX_NOTED_BYTES) throw tooManyNoted()
    const { checkpoints, command, noteMachine } = this.#session
    const [value = 0] = await command((send) => this.#session.read(send, 'cpu', address, 1), signal)
    const noted = new NotedByte(address, 'checkpoint', value)
    const note = noteMachine(new Set(['cpu']), (machine) =>
      noted.written(machine.peek('cpu', address), Date.now(), { by: writerOf(machine, address) }),
    )
    const at = { start: address, end: address, operations: ['store' as const], stop: false, enabled: true }
    const wanted = { ...at, temporary: false, condition: null, fromHit: 1, log: null }
    const { number } = await checkpoints.set(wanted, signal, { note })
    this.#bytes.set(number, noted)
    return null
  }

  async end(address: number, signal: AbortSignal): Promise<void> {
    for (const [number, noted] of this.#present())
      if (noted.address === address) {
        await this.#session.checkpoints.delete(number, signal)
        this.#bytes.delete(number)
      }
  }

  /** The checkpoint of one may have been deleted like any other. */
  #present(): (readonly [number, NotedByte])[] {
    for (const number of this.#bytes.keys()) if (!this.#session.checkpoints.isNoting(number)) this.#bytes.delete(number)
    return [...this.#bytes]
  }
}

/** Null where not certain, such as for a write followed at once by an interrupt. */
function writerOf(machine: StoppedMachine, address: number): NotedWrite['by'] {
  const [pc, x, y] = [machine.register('PC'), machine.register('X'), machine.register('Y')]
  const memory = machine.memoryOf('cpu')
  const writer = findWriter({ memory, pc, x, y }, address, address)
  if (!writer) return null
  const pins = bankingPins(memory[0] ?? 0, memory[1] ?? 0)
  return { address: writer.address, space: spaceRead(pins, writer.address), text: writer.text }
}
