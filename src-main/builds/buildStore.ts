import { z } from 'zod'
import { buildsCommands, MAX_KEPT_BUILDS } from '@shared/contract/builds'
import { storedJson } from '@shared/storedJson'
import type { NoteStore } from '../storage/notes'

/** Approvals of earlier versions have no digest: they are asked for again. */
const keptSchema = buildsCommands['builds.approved'].input.partial({ digest: true })

export type ApprovedBuild = z.infer<typeof keptSchema>

const LAST = 'build'

export class BuildStore {
  readonly #notes: NoteStore

  constructor(notes: NoteStore) {
    this.#notes = notes
  }

  get(target: string): ApprovedBuild | undefined {
    const kept = storedJson(this.#notes.get(nameOf(target)), keptSchema)
    return kept?.target === target ? kept : undefined
  }

  get all(): ApprovedBuild[] {
    return this.#notes
      .startingWith(nameOf(''))
      .flatMap((note) => storedJson(note, keptSchema) ?? [])
      .slice(0, MAX_KEPT_BUILDS)
  }

  get last(): string | undefined {
    return this.#notes.get(LAST)
  }

  keep(build: ApprovedBuild): void {
    this.#notes.set(nameOf(build.target), JSON.stringify(build))
    this.#notes.set(LAST, build.target)
  }

  delete(target: string): void {
    this.#notes.delete(nameOf(target))
    if (this.last === target) this.#notes.delete(LAST)
  }

  use(target: string): void {
    this.#notes.set(LAST, target)
  }
}

const nameOf = (target: string): string => `${LAST} ${target}`
