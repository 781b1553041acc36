import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Copies of agents' programs for emulators that open files themselves. A copy holds the bytes read within the agent's
 * folders, so the file cannot be swapped; an emulator's writes to a disk image go into the copy.
 */
export class ProgramCopies {
  readonly #folders = new Map<string, string>()

  async keep(machine: string, name: string, bytes: Uint8Array): Promise<string> {
    const before = this.#folders.get(machine)
    const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-program-'))
    this.#folders.set(machine, folder)
    const path = join(folder, name)
    await writeFile(path, bytes)
    if (before !== undefined) await rm(before, { recursive: true, force: true })
    return path
  }

  async close(): Promise<void> {
    for (const folder of this.#folders.values()) await rm(folder, { recursive: true, force: true })
    this.#folders.clear()
  }
}
