import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Programs of agents for emulators that open files themselves: the bytes that were read within the agent's folders, where nothing
 * else can be put in their place. What an emulator writes to a disk image goes into the copy.
 */
export class ProgramCopies {
  /** By machine; the last one is in use until the next one runs. */
  readonly #folders = new Map<string, string>()

  /** @returns the path of the copy */
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
