import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { storedJson } from '@shared/storedJson'
import { addedTurnRecords, repositoryStateSchema, type TurnRecord } from '@shared/turnRecord'
import type { LoopWork } from './loop'
import { openTurnsSchema } from './openTurns'

const MAX_KEPT_PROMPTS = 500

/** A sidecar key: the turn under way. */
const TURN = 'turn'
/** A sidecar key: where the repository was when an agent began. */
const OPEN_TURN = 'turn open'
/** A sidecar key: the turn's agents that have ended. */
const ANSWERS = 'turn answers'

const openTurnSchema = z.object({
  role: z.string(),
  task: z.string().nullable(),
  taskTitle: z.string().optional(),
  /** ms since 1970 */
  startedAt: z.number(),
  state: repositoryStateSchema.nullable(),
  together: openTurnsSchema.optional(),
  run: z.string().nullable().default(null),
  /** ms */
  timeLimit: z.number().nullable().default(null),
})
export type OpenTurn = z.infer<typeof openTurnSchema>

const answerSchema = openTurnSchema.pick({ role: true, task: true }).extend({ run: z.string() })
export type TurnAnswer = z.infer<typeof answerSchema>

export const openRunOf = (remembered: Pick<LoopWork['remembered'], 'get'>): string | null =>
  storedJson(remembered.get(OPEN_TURN), openTurnSchema)?.run ?? null

/** By its note the next start records a turn that was cut off. */
export class TurnStore<Note> {
  /** Only the owner may read it: its files hold content of the project. */
  readonly #folder: string
  readonly #remembered: LoopWork['remembered']
  readonly #noteSchema: z.ZodType<Note>
  #nextPrompt: number | undefined
  #used = 0

  constructor({ own, remembered }: Pick<LoopWork, 'own' | 'remembered'>, noteSchema: z.ZodType<Note>) {
    this.#folder = join(own, 'prompts')
    this.#remembered = remembered
    this.#noteSchema = noteSchema
  }

  get note(): Note | undefined {
    return storedJson(this.#remembered.get(TURN), this.#noteSchema)
  }

  begin(note: Note): void {
    this.#remembered.set({ [TURN]: JSON.stringify(note) })
  }

  /** @param results also remembered, in the same transaction */
  end(results: Readonly<Record<string, string | null>> = {}): void {
    this.#used = 0
    this.#remembered.set({ ...results, [TURN]: null, [ANSWERS]: null })
  }

  get lastAnswer(): TurnAnswer | undefined {
    return this.#answers.at(-1)
  }

  /** Answers of a turn that went otherwise are forgotten. */
  nextAnswer({ role, task }: Pick<TurnAnswer, 'role' | 'task'>): TurnAnswer | undefined {
    const next = this.#answers[this.#used]
    if (next?.role === role && next.task === task) return next
    if (next) this.forgetAnswers()
    return undefined
  }

  useAnswer(): void {
    this.#used = Math.min(this.#used + 1, this.#answers.length)
  }

  forgetAnswers(): void {
    this.#remembered.set({ [ANSWERS]: JSON.stringify(this.#answers.slice(0, this.#used)) })
  }

  get #answers(): readonly TurnAnswer[] {
    return storedJson(this.#remembered.get(ANSWERS), z.array(answerSchema)) ?? []
  }

  get openTurn(): OpenTurn | undefined {
    return storedJson(this.#remembered.get(OPEN_TURN), openTurnSchema)
  }

  open(turn: OpenTurn): void {
    this.#remembered.set({ [OPEN_TURN]: JSON.stringify(turn) })
  }

  /**
   * @param records none where git could not tell
   * @param answer for a later start, unless the turn is over by then
   */
  close(records: readonly TurnRecord[], answer: TurnAnswer | null = null): void {
    this.#remembered.set({
      [OPEN_TURN]: null,
      ...addedTurnRecords(this.#remembered, records),
      ...(answer ? { [ANSWERS]: JSON.stringify([...this.#answers, answer]) } : {}),
    })
  }

  /**
   * Numbered in the order of the calls.
   * @param name of letters, digits, dots and dashes
   */
  async keepPrompt(name: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    this.#nextPrompt ??= Math.max(0, ...(await this.#prompts()).map((file) => Number.parseInt(file, 10))) + 1
    const number = this.#nextPrompt++
    await writeFile(join(this.#folder, `${String(number).padStart(6, '0')}-${name}.md`), text, { mode: 0o600 })
    const files = await this.#prompts()
    for (const old of files.slice(0, Math.max(0, files.length - MAX_KEPT_PROMPTS)))
      await rm(join(this.#folder, old), { force: true })
  }

  async #prompts(): Promise<string[]> {
    return (await readdir(this.#folder)).filter((name) => /^\d{6,}-.+\.md$/.test(name)).sort()
  }
}
