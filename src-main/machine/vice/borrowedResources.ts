import { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import type { Notes } from '../notes'
import type { Send } from './client'
import { getResource, setResource } from './commands'

export type RunCommand = <Result>(work: (send: Send) => Promise<Result>, signal: AbortSignal) => Promise<Result>

const borrowedSchema = z.record(z.string(), z.strictObject({ was: z.number(), set: z.number() }))
type Borrowed = z.infer<typeof borrowedSchema>

export class BorrowedResources {
  readonly #command: RunCommand
  readonly #notes: Notes
  readonly #noteName: string
  #borrowed: Borrowed = {}

  constructor(command: RunCommand, { notes, noteName }: { notes: Notes; noteName: string }) {
    this.#command = command
    this.#notes = notes
    this.#noteName = noteName
  }

  /**
   * The value is stored before it is changed, in case we crash.
   * @param then sent before the machine runs on
   */
  async borrow(
    name: string,
    value: number,
    signal: AbortSignal,
    then?: (send: Send) => Promise<unknown>,
  ): Promise<void> {
    if (this.#borrowed[name]?.set === value) return
    const was = this.#borrowed[name]?.was ?? (await this.#command((send) => send(getResource(name)), signal))
    if (typeof was !== 'number') throw new AppError('INTERNAL', `VICE’s resource ${name} is not a number.`)
    this.#borrowed[name] = { was, set: value }
    this.#writeNote()
    await this.#command((send) => Promise.all([send(setResource(name, value)), then?.(send)]), signal)
  }

  async giveBack(name: string, signal: AbortSignal): Promise<void> {
    const borrowed = this.#borrowed[name]
    if (!borrowed) return
    await this.#command((send) => send(setResource(name, borrowed.was)), signal)
    this.#borrowed = Object.fromEntries(Object.entries(this.#borrowed).filter(([other]) => other !== name))
    this.#writeNote()
  }

  async giveAllBack(signal: AbortSignal): Promise<void> {
    for (const name of Object.keys(this.#borrowed)) await this.giveBack(name, signal)
  }

  async borrowIfOther(name: string, wanted: number, signal: AbortSignal): Promise<void> {
    const value = await this.#command((send) => send(getResource(name)).catch(() => wanted), signal)
    if (value !== wanted) await this.borrow(name, wanted, signal)
  }

  async restoreAfterCrash(signal: AbortSignal): Promise<void> {
    const left = parseNote(this.#notes.get(this.#noteName))
    for (const [name, { was, set }] of Object.entries(left)) {
      const now = await this.#command((send) => send(getResource(name)), signal)
      // Another value means another VICE, or that the user has changed it.
      if (now === set) await this.#command((send) => send(setResource(name, was)), signal)
    }
    this.#notes.delete(this.#noteName)
  }

  forget(): void {
    this.#notes.delete(this.#noteName)
  }

  #writeNote(): void {
    if (Object.keys(this.#borrowed).length === 0) this.#notes.delete(this.#noteName)
    else this.#notes.set(this.#noteName, JSON.stringify(this.#borrowed))
  }
}

function parseNote(note: string | undefined): Borrowed {
  if (note === undefined) return {}
  try {
    return borrowedSchema.parse(JSON.parse(note))
  } catch {
    return {}
  }
}
