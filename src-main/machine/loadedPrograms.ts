import type { LoadedProgram } from '@shared/c64/loadedParts'
import { parsePrg } from '@shared/c64/prg'
import { MAX_LOADED_PROGRAMS } from '@shared/contract/running'
import { programFileKindOf } from '@shared/programFiles'
import type { ProgramFile } from './facets'
import { requireFacet, type Machine } from './machine'
import { requireRunnable } from './runnable'
import { Listeners, type Unsubscribe } from './listeners'

class LoadedPrograms {
  readonly #changes = new Listeners()
  #programs: readonly LoadedProgram[] = []

  get list(): readonly LoadedProgram[] {
    return this.#programs
  }

  onChange(listener: () => void): Unsubscribe {
    return this.#changes.add(listener)
  }

  ran({ name, title = name, bytes }: ProgramFile, keepsMemory: boolean): void {
    const before = keepsMemory ? this.#programs : []
    if (programFileKindOf(name) !== 'prg') this.#set(before)
    else {
      const { loadAddress: start, bytes: loaded } = parsePrg(bytes)
      this.#set([...before, { name: title.slice(0, 300), start, bytes: loaded }].slice(-MAX_LOADED_PROGRAMS))
    }
  }

  forget(): void {
    if (this.#programs.length > 0) this.#set([])
  }

  #set(programs: readonly LoadedProgram[]): void {
    this.#programs = programs
    this.#changes.notify()
  }
}

const ofMachines = new WeakMap<Machine, LoadedPrograms>()

export function loadedInto(machine: Machine): LoadedPrograms {
  const known = ofMachines.get(machine) ?? new LoadedPrograms()
  ofMachines.set(machine, known)
  return known
}

/**
 * @returns whether its first instruction or BASIC line ran; null where the machine does not tell
 * @throws AppError UNSUPPORTED for what cannot run on the machine
 */
export async function runProgram(machine: Machine, file: ProgramFile, signal: AbortSignal): Promise<boolean | null> {
  const programs = requireFacet(machine, 'runProgram')
  requireRunnable(programs, file)
  const started = await programs.run(file, signal)
  loadedInto(machine).ran(file, programs.keepsMemory === true)
  return started ?? null
}

export async function resetMachine(machine: Machine, kind: 'soft' | 'power', signal: AbortSignal): Promise<void> {
  await requireFacet(machine, 'reset').reset(kind, signal)
  loadedInto(machine).forget()
}
