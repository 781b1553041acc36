import { z } from 'zod'
import { buildsCommands } from '@shared/contract/builds'
import type { NoteStore } from '../storage/notes'

const keptSchema = buildsCommands['builds.approved'].input

export type ApprovedBuild = z.infer<typeof keptSchema>

const LAST = 'build'

/** The commands that the person approved, by what they build, in Bridgedeck's own database. */
export class BuildStore {
  readonly #notes: NoteStore

  constructor(notes: NoteStore) {
    this.#notes = notes
  }

  get(target: string): ApprovedBuild | undefined {
    const note = this.#notes.get(nameOf(target))
    if (note === undefined) return undefined
    const { data } = keptSchema.safeParse(parsed(note))
    return data?.target === target ? data : undefined
  }

  /** What was built or approved last. */
  get last(): string | undefined {
    return this.#notes.get(LAST)
  }

  keep(build: ApprovedBuild): void {
    this.#notes.set(nameOf(build.target), JSON.stringify(build))
    this.#notes.set(LAST, build.target)
  }

  use(target: string): void {
    this.#notes.set(LAST, target)
  }
}

const nameOf = (target: string): string => `${LAST} ${target}`

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
