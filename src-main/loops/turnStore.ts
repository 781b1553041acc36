import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import {
  repositoryStateSchema,
  TURN_RECORDS,
  turnRecordName,
  turnRecordRange,
  type TurnRecord,
} from '@shared/turnRecord'
import type { LoopWork } from './loop'

/** Per run; of more, the oldest are removed. */
const MAX_KEPT_PROMPTS = 500

/** Per run; of more, the oldest are removed. */
const MAX_KEPT_RECORDS = 200

/** The name under which the sidecar keeps the note of the turn under way. */
const TURN = 'turn'
/** The same for where the repository was when an agent began. */
const OPEN_TURN = 'turn open'

const openTurnSchema = z.object({
  role: z.string(),
  task: z.string().nullable(),
  taskTitle: z.string().optional(),
  /** ms since 1970 */
  startedAt: z.number(),
  state: repositoryStateSchema,
})
export type OpenTurn = z.infer<typeof openTurnSchema>

/**
 * What Bridgedeck keeps of a run's turns: each prompt as it was sent, what git had before and after, and of the turn under way a
 * note by which the next start records it when this one is cut off.
 */
export class TurnStore<Note> {
  /** Its files hold what the project's files say: for their owner alone. */
  readonly #folder: string
  readonly #remembered: LoopWork['remembered']
  readonly #noteSchema: z.ZodType<Note>
  #nextPrompt: number | undefined

  constructor({ own, remembered }: Pick<LoopWork, 'own' | 'remembered'>, noteSchema: z.ZodType<Note>) {
    this.#folder = join(own, 'prompts')
    this.#remembered = remembered
    this.#noteSchema = noteSchema
  }

  /** Of the turn that began and has not ended. */
  get note(): Note | undefined {
    return this.#read(TURN, this.#noteSchema)
  }

  begin(note: Note): void {
    this.#remembered.set({ [TURN]: JSON.stringify(note) })
  }

  /** @param results what else is remembered of it, in the same transaction */
  end(results: Readonly<Record<string, string>> = {}): void {
    this.#remembered.set({ ...results, [TURN]: null })
  }

  /** Of the agent that began and was not seen to end. */
  get openTurn(): OpenTurn | undefined {
    return this.#read(OPEN_TURN, openTurnSchema)
  }

  open(turn: OpenTurn): void {
    this.#remembered.set({ [OPEN_TURN]: JSON.stringify(turn) })
  }

  /** @param record null where git could not tell */
  close(record: TurnRecord | null): void {
    if (!record) {
      this.#remembered.set({ [OPEN_TURN]: null })
      return
    }
    const { first, last } = turnRecordRange(this.#remembered) ?? { first: 1, last: 0 }
    const number = last + 1
    const oldest = Math.max(first, number - MAX_KEPT_RECORDS + 1)
    this.#remembered.set({
      [OPEN_TURN]: null,
      [TURN_RECORDS]: JSON.stringify({ first: oldest, last: number }),
      [turnRecordName(number)]: JSON.stringify(record),
      ...(oldest > first ? { [turnRecordName(first)]: null } : {}),
    })
  }

  /** Numbered in the order of the calls. @param name of letters, digits, dots and dashes */
  async keepPrompt(name: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    this.#nextPrompt ??= Math.max(0, ...(await this.#prompts()).map((file) => Number.parseInt(file, 10))) + 1
    const number = this.#nextPrompt++
    await writeFile(join(this.#folder, `${String(number).padStart(6, '0')}-${name}.md`), text, { mode: 0o600 })
    const files = await this.#prompts()
    for (const old of files.slice(0, Math.max(0, files.length - MAX_KEPT_PROMPTS)))
      await rm(join(this.#folder, old), { force: true })
  }

  #read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const text = this.#remembered.get(name)
    try {
      return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data
    } catch {
      return undefined
    }
  }

  async #prompts(): Promise<string[]> {
    return (await readdir(this.#folder)).filter((name) => /^\d{6,}-.+\.md$/.test(name)).sort()
  }
}
