import { constants } from 'node:fs'
import { chmod, copyFile, readFile, stat } from 'node:fs/promises'
import { writeFile } from 'atomically'
import { AppError } from '@shared/contract/errors'
import type { Roms } from './pla'
import { describeFileError } from './roms'
import { decodeState, encodeState, STATE_VERSION, versionOfState, type MachineImage } from './state'

export class StateFile {
  readonly #roms: Roms
  readonly #notify: (notice: string) => void
  #path: string | null
  #saving: Promise<void> = Promise.resolve()

  constructor(path: string | null, roms: Roms, notify: (notice: string) => void) {
    this.#path = path
    this.#roms = roms
    this.#notify = notify
  }

  /**
   * Undefined when there is no usable state; `notices` tells what happened. The file of an earlier version is copied
   * once, as `NAME.before-VERSION`; that of a newer one is left alone from then on.
   */
  async load(notices: string[]): Promise<MachineImage | undefined> {
    const path = this.#path
    if (path === null) return undefined
    try {
      const { mtime } = await stat(path)
      const bytes = new Uint8Array(await readFile(path))
      const version = versionOfState(bytes) ?? STATE_VERSION
      if (version > STATE_VERSION) {
        this.#path = null
        notices.push(
          `The machine started afresh, and its state is not kept: a newer Bridgedeck wrote ${path}, which stays as it is.`,
        )
        return undefined
      }
      if (version < STATE_VERSION) await keepEarlier(path)
      const image = decodeState(bytes, this.#roms)
      notices.push(`Resumed from ${mtime.toTimeString().slice(0, 8)}.`)
      return image
    } catch (error) {
      if (error instanceof AppError)
        notices.push(`The machine started afresh. ${error.message}${await keepUnused(path)}`)
      else if (!isMissing(error))
        notices.push(`The machine started afresh: its last state cannot be read (${describeFileError(error)}).`)
      return undefined
    }
  }

  save(image: () => MachineImage): void {
    const path = this.#path
    if (path === null) return
    const bytes = encodeState(image(), this.#roms)
    // No fsync: waiting for the disk each second would disturb the pacing, and a power cut costs only the last seconds.
    this.#saving = writeFile(path, bytes, { fsync: false, mode: 0o600 }).catch((error: unknown) => {
      this.#path = null
      this.#notify(`The machine’s state cannot be kept for the next start (${describeFileError(error)}).`)
    })
  }

  async saved(): Promise<void> {
    await this.#saving
  }
}

/** Keeps a state that cannot be used now, such as one of other ROMs, from being overwritten by the next save. */
async function keepUnused(path: string): Promise<string> {
  const kept = `${path}.unused`
  try {
    await copyFile(path, kept)
    await chmod(kept, 0o600)
    return ` Its state is kept as ${kept}.`
  } catch {
    return ''
  }
}

async function keepEarlier(path: string): Promise<void> {
  const kept = `${path}.before-${STATE_VERSION}`
  try {
    await copyFile(path, kept, constants.COPYFILE_EXCL)
    await chmod(kept, 0o600)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
