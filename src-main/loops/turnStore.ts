import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import type { LoopWork } from './loop'

/** Per run; of more, the oldest are removed. */
const MAX_KEPT_PROMPTS = 500

/** The name under which the sidecar keeps the note of the turn under way. */
const TURN = 'turn'

/**
 * What Bridgedeck keeps of a run's turns: each prompt as it was sent, and of the turn under way a note by which the next start
 * records it when this one is cut off.
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
    const text = this.#remembered.get(TURN)
    try {
      return text === undefined ? undefined : this.#noteSchema.safeParse(JSON.parse(text)).data
    } catch {
      return undefined
    }
  }

  begin(note: Note): void {
    this.#remembered.set({ [TURN]: JSON.stringify(note) })
  }

  /** @param results what else is remembered of it, in the same transaction */
  end(results: Readonly<Record<string, string>> = {}): void {
    this.#remembered.set({ ...results, [TURN]: null })
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

  async #prompts(): Promise<string[]> {
    return (await readdir(this.#folder)).filter((name) => /^\d{6,}-.+\.md$/.test(name)).sort()
  }
}
