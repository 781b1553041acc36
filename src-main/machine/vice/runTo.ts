import { stackEntries } from '@shared/c64/stack'
import { AppError } from '@shared/contract/errors'
import type { RunTarget } from '@shared/contract/running'
import type { Checkpoint } from '@shared/contract/checkpoints'
import type { Space } from '@shared/contract/memory'
import type { RunCommand } from './borrowedResources'
import type { Checkpoints } from './checkpoints'
import type { Send } from './client'
import { readRegisters, type RegisterName } from './commands'
import type { RunControl } from './runControl'

type Wanted = Pick<Checkpoint, 'start' | 'end' | 'condition'>

const NMI_VECTOR = 0xfffa
const IRQ_VECTOR = 0xfffe

/** A line has at most 65 cycles, and an instruction at least two. */
const MAX_INSTRUCTIONS_PER_LINE = 33
const STEP_DEADLINE_MS = 4_000

const never = new AbortController().signal

interface RunningSession {
  readonly runControl: RunControl
  readonly checkpoints: Checkpoints
  readonly command: RunCommand
  registerNamed(name: string): RegisterName
  read(send: Send, space: Space, address: number, length: number): Promise<Uint8Array>
}

export class RunTo {
  readonly #session: RunningSession
  #number: number | null = null

  constructor(session: RunningSession) {
    this.#session = session
  }

  owns(checkpoint: number): boolean {
    return this.#number === checkpoint
  }

  async start(to: RunTarget, signal: AbortSignal): Promise<void> {
    const { runControl, checkpoints } = this.#session
    await runControl.pause(signal)
    await this.forget(signal)
    const wanted = await this.#checkpointFor(to, signal)
    if (wanted === null) return
    const checkpoint = { ...wanted, operations: ['exec' as const], stop: true, enabled: true, temporary: true }
    const set = await checkpoints.set({ ...checkpoint, fromHit: 1, log: null }, signal)
    this.#number = set.number
    try {
      await runControl.resume(signal)
    } catch (error) {
      await this.forget(never)
      throw error
    }
  }

  async forget(signal: AbortSignal): Promise<void> {
    const { checkpoints } = this.#session
    const number = this.#number
    if (number === null) return
    // Not at once: whether the hit belongs to a run is asked after this.
    await (checkpoints.isTemporary(number) ? checkpoints.delete(number, signal) : Promise.resolve())
    if (this.#number === number) this.#number = null
  }

  async #checkpointFor(to: RunTarget, signal: AbortSignal): Promise<Wanted | null> {
    const anywhere = { start: 0, end: 0xffff }
    switch (to) {
      case 'line':
        return { ...anywhere, condition: `RL != ${await this.#register('LIN', signal)}` }
      case 'frame': {
        const line = await this.#register('LIN', signal)
        if (line > 0) return { ...anywhere, condition: `RL < ${line}` }
        for (let count = 0; count < MAX_INSTRUCTIONS_PER_LINE; count++) {
          if ((await this.#register('LIN', signal)) > 0) break
          await this.#step(signal)
        }
        return { ...anywhere, condition: 'RL == 0' }
      }
      case 'irq':
        return this.#checkpointAt(await this.#vector(IRQ_VECTOR, signal), signal)
      case 'nmi':
        return this.#checkpointAt(await this.#vector(NMI_VECTOR, signal), signal)
      case 'return':
        return this.#checkpointAtReturn(signal)
      default:
        return this.#checkpointAt(to, signal)
    }
  }

  async #checkpointAt(address: number, signal: AbortSignal): Promise<Wanted | null> {
    if ((await this.#register('PC', signal)) === address) {
      await this.#step(signal)
      if ((await this.#register('PC', signal)) === address) return null
    }
    return { start: address, end: address, condition: null }
  }

  /** VICE's own search for a return would end with the next command, so the open call is found on the stack. */
  async #checkpointAtReturn(signal: AbortSignal): Promise<Wanted> {
    const pointer = await this.#register('SP', signal)
    const memory = await this.#session.command((send) => this.#session.read(send, 'cpu', 0, 0x10000), signal)
    const open = stackEntries((address) => memory[address] ?? 0, pointer).find(({ call }) => call !== null)
    if (!open?.call)
      throw new AppError('CONFLICT', 'No call is on the stack to which the routine could return.', {
        hint: 'Run to an address, or set a checkpoint.',
      })
    const { returnsTo } = open.call
    return { start: returnsTo, end: returnsTo, condition: `SP >= ${(open.address & 0xff) + 1}` }
  }

  async #step(signal: AbortSignal): Promise<void> {
    await this.#session.runControl.step(1, false, signal, STEP_DEADLINE_MS)
  }

  async #register(name: 'LIN' | 'PC' | 'SP', signal: AbortSignal): Promise<number> {
    const values = await this.#session.command((send) => send(readRegisters()), signal)
    const { id } = this.#session.registerNamed(name)
    return values.find((value) => value.id === id)?.value ?? 0
  }

  async #vector(at: number, signal: AbortSignal): Promise<number> {
    const [low = 0, high = 0] = await this.#session.command((send) => this.#session.read(send, 'cpu', at, 2), signal)
    return low | (high << 8)
  }
}
