import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { requireOwnFolder } from '../../../files/privateFiles'
import { PRIVATE, replaceFile } from '../../../files/stagedWrite'
import { SESSION_ID } from '../../../formats/maestro/schema'

/** `denied-agent` had its answer sent back: its retry is checked although nothing announces it. */
const notes = ['active-agent', 'denied-agent'] as const
type Note = (typeof notes)[number]

/** ms; the host of a folder that was not touched for this long has ended. */
const STALE_AFTER_MS = 2 * 60 * 60 * 1000
/** Bytes; no agent's name is as long. */
const MAX_NOTE_BYTES = 200

export class HookState {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * `MAESTRO_HOOKS_DIR`, or a folder of this user's among the temporary files.
   * @throws AppError FORBIDDEN where it is a link, or others own it or may write into it
   */
  static async open(environment: NodeJS.ProcessEnv): Promise<HookState> {
    // An empty variable counts as not set.
    const folder = environment.MAESTRO_HOOKS_DIR || join(tmpdir(), `maestro-hooks-${process.getuid?.() ?? 'user'}`)
    if (!isAbsolute(folder))
      throw new AppError('INVALID', `MAESTRO_HOOKS_DIR must be an absolute path (got: ${folder})`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await requireRealFolder(folder)
    return new HookState(folder)
  }

  async prune(now: number): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (!SESSION_ID.test(name)) continue
      const found = await lstat(join(this.#folder, name)).catch(() => undefined)
      if (found?.isDirectory() && now - found.mtimeMs > STALE_AFTER_MS) await this.remove(name)
    }
  }

  async make(session: string): Promise<void> {
    const folder = join(this.#folder, session)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await requireRealFolder(folder)
  }

  async note(session: string, note: Note, agent: string): Promise<void> {
    await this.make(session)
    await replaceFile(join(this.#folder, session, note), agent, PRIVATE)
  }

  async read(session: string, note: Note): Promise<string | undefined> {
    try {
      const file = await open(
        join(this.#folder, session, note),
        constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      )
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_NOTE_BYTES))
        return buffer.toString('utf8', 0, bytesRead).trim() || undefined
      } finally {
        await file.close()
      }
    } catch {
      return undefined
    }
  }

  async clear(session: string): Promise<void> {
    for (const note of notes) await unlink(join(this.#folder, session, note)).catch(() => undefined)
  }

  /** A folder that holds anything but notes stays. */
  async remove(session: string): Promise<void> {
    const folder = join(this.#folder, session)
    if (!(await lstat(folder).catch(() => undefined))?.isDirectory()) return
    await this.clear(session)
    await rmdir(folder).catch(() => undefined)
  }
}

async function requireRealFolder(folder: string): Promise<void> {
  const hint = 'Set MAESTRO_HOOKS_DIR to a folder that only you may write into.'
  if ((await lstat(folder)).isSymbolicLink()) throw new AppError('FORBIDDEN', `${folder} is a symbolic link.`, { hint })
  try {
    requireOwnFolder(folder)
  } catch (cause) {
    throw new AppError('FORBIDDEN', `${folder} belongs to another user, or others may write into it.`, { hint, cause })
  }
}
