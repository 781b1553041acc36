import { lstat, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TaskType } from '@shared/contract/tasks'
import { isJsonObject, parseJson, printJson, type JsonObject } from '@shared/json'
import { PRIVATE, replaceFile } from '../files/stagedWrite'
import { formatTimestamp } from './timestamps'
import { isCode } from '../files/fileErrors'

const MAX_SESSION_BYTES = 4 * 1024 * 1024

const SESSION_FILE = 'session.json'

export async function endAbandonedSessions(home: string, mayGoOn: (ids: readonly string[]) => boolean): Promise<void> {
  const sessions = join(home, 'sessions')
  for (const entry of await readdir(sessions, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory()) continue
    const path = join(sessions, entry.name, SESSION_FILE)
    const found = await readSession(path)
    if (found?.session.status !== 'active' || mayGoOn(idsOf(found.session))) continue
    const ended = { ...found.session, ended: formatTimestamp(found.writtenAt), status: 'ended' }
    await replaceFile(path, printJson(ended), PRIVATE)
  }
}

async function readSession(path: string): Promise<{ session: JsonObject; writtenAt: number } | undefined> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isFile() !== true || found.size > MAX_SESSION_BYTES) return undefined
  try {
    const session = parseJson(await readFile(path, 'utf8'), SESSION_FILE)
    return isJsonObject(session) ? { session, writtenAt: found.mtimeMs } : undefined
  } catch {
    return undefined
  }
}

const idsOf = ({ tasks }: JsonObject): string[] =>
  Array.isArray(tasks)
    ? tasks.flatMap((task) => (isJsonObject(task) && typeof task.id === 'string' ? [task.id] : []))
    : []

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

  add(id: string, type: TaskType): Promise<void> {
    this.#tasks.push({ id, type })
    return this.#write('active')
  }

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
      await replaceFile(join(this.#folder, SESSION_FILE), printJson(session), PRIVATE)
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
        await mkdir(folder, { mode: 0o700 })
        return folder
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error
      }
    }
  }
}
