import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskType } from '@shared/contract/tasks'
import { printJson, type JsonObject } from '@shared/json'
import { replaceFile } from '../files/stagedWrite'
import { formatTimestamp } from './timestamps'

/** Groups the tasks that one run of Bridgedeck starts, in `sessions/<id>/session.json`: from its first task to its end. */
export class TaskSession {
  readonly #home: string
  readonly #tasks: { id: string; type: TaskType }[] = []
  #folder: string | undefined
  #sessionId = ''
  #created = ''
  #last: Promise<void> = Promise.resolve()

  constructor(home: string) {
    this.#home = home
  }

  /** Resolves when the task is in the session's file. */
  add(id: string, type: TaskType): Promise<void> {
    this.#tasks.push({ id, type })
    return this.#write('active')
  }

  /** A session without a task leaves nothing behind. */
  async close(): Promise<void> {
    if (this.#tasks.length > 0) await this.#write('ended')
  }

  #write(status: 'active' | 'ended'): Promise<void> {
    this.#last = this.#last.then(async () => {
      this.#folder ??= await this.#makeFolder()
      const session: JsonObject = {
        sessionId: this.#sessionId,
        created: this.#created,
        ended: status === 'ended' ? formatTimestamp(Date.now()) : null,
        status,
        tasks: this.#tasks,
      }
      await replaceFile(join(this.#folder, 'session.json'), printJson(session))
    })
    return this.#last
  }

  /** Named after its second; a second one in the same second gets `-2`. */
  async #makeFolder(): Promise<string> {
    const sessions = join(this.#home, 'sessions')
    await mkdir(sessions, { recursive: true, mode: 0o700 })
    this.#created = formatTimestamp(Date.now())
    for (let count = 1; ; count++) {
      this.#sessionId = count === 1 ? this.#created : `${this.#created}-${count}`
      const folder = join(sessions, this.#sessionId)
      try {
        await mkdir(folder)
        return folder
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      }
    }
  }
}
