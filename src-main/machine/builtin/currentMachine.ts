import { AppError } from '@shared/contract/errors'
import { defaultHistory, type ChipModels, type HistoryLimits, type VideoStandard } from '@shared/contract/machine'
import { C64 } from './c64'
import { TimeTravel } from './past/timeTravel'
import type { Roms } from './pla'
import type { MachineImage } from './state'

interface MachineWithPast {
  readonly c64: C64
  readonly time: TimeTravel
}

export class CurrentMachine {
  readonly #onReplaced: () => void
  #current: MachineWithPast | undefined
  #roms: Roms | undefined
  #history = defaultHistory

  constructor(onReplaced: () => void) {
    this.#onReplaced = onReplaced
  }

  /** @throws AppError LOST before the first one */
  get c64(): C64 {
    return this.#started(this.#current).c64
  }

  /** @throws AppError LOST before the first one */
  get time(): TimeTravel {
    return this.#started(this.#current).time
  }

  /** @throws AppError LOST before they are there */
  get roms(): Roms {
    return this.#started(this.#roms)
  }

  useRoms(roms: Roms): void {
    this.#roms = roms
  }

  useHistory(limits: HistoryLimits): void {
    this.#history = limits
  }

  get history(): HistoryLimits {
    return this.#history
  }

  replaceBy(standard: VideoStandard, models: ChipModels, image: MachineImage | undefined): C64 {
    const c64 = new C64(this.roms, standard, models)
    if (image) c64.restore(image)
    this.take({ c64, time: new TimeTravel(c64, this.roms, this.#history) })
    return c64
  }

  take(machine: MachineWithPast): void {
    this.#current = machine
    this.#onReplaced()
  }

  #started<Part>(part: Part | undefined): Part {
    if (part === undefined) throw new AppError('LOST', 'The built-in C64 has not been started.')
    return part
  }
}
