import { z } from 'zod'
import { toFailure } from '@shared/contract/errors'
import { failedStartSchema, MAX_FAILED_STARTS, type FailedStart, type LoopName } from '@shared/contract/loops'
import { storedJson } from '@shared/storedJson'
import type { SidecarStore } from '../storage/sidecar'

/** In place of a run: a start may fail before its run is known. */
const OF_PROJECT = 'loops'
const NAME = 'failed starts'
const MAX_TEXT_CHARACTERS = 500

export class FailedStarts {
  readonly #sidecar: SidecarStore
  readonly #log: (message: string, error?: unknown) => void

  constructor(sidecar: SidecarStore, log: (message: string, error?: unknown) => void) {
    this.#sidecar = sidecar
    this.#log = log
  }

  of(project: number): readonly FailedStart[] {
    return storedJson(this.#sidecar.get(project, OF_PROJECT, NAME), z.array(failedStartSchema)) ?? []
  }

  /** Only informs the person: nothing stops for it. */
  note({ project, system, place }: LoopName, error: unknown): void {
    const { code, message, hint } = toFailure(error)
    // It runs already, or the person stopped it.
    if (code === 'CONFLICT' || code === 'CANCELLED') return
    const start: FailedStart = {
      at: Date.now(),
      system,
      place,
      message: message.slice(0, MAX_TEXT_CHARACTERS),
      hint: hint?.slice(0, MAX_TEXT_CHARACTERS) ?? null,
    }
    try {
      const kept = [start, ...this.of(project)].slice(0, MAX_FAILED_STARTS)
      this.#sidecar.remember(project, OF_PROJECT, { [NAME]: JSON.stringify(kept) })
    } catch (problem) {
      this.#log('A start that failed could not be kept for the report', problem)
    }
  }
}
