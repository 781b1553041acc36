import type { BigIntStats } from 'node:fs'
import { open, readFile, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError, toFailure } from '@shared/contract/errors'
import { describeFileError, isCode } from '../files/fileErrors'
import type { Json, JsonObject } from '@shared/json'
import { placeNew, PRIVATE, stageFile, type StagedFile } from '../files/stagedWrite'
import { noEntries, parseRegistry, REGISTRY, type Registry } from './registryFile'
import { RegistryPrinter } from './registryPrinter'

const MAX_REGISTRY_BYTES = 64 * 1024 * 1024

/** c64bridge writes the file in place, so one that does not parse may become whole. */
const PARSE_WAIT_MS = 500
const PARSE_RETRY_MS = 40

type Stamp = string

export class RegistryOnDisk {
  readonly #path: string
  readonly #printer = new RegistryPrinter()
  #seen: { readonly stamp: Stamp; readonly registry: Registry } | undefined
  #size = 0
  /** From the rename of a rewritten file until it is known as what was last written here. */
  #committing: Promise<void> | undefined

  constructor(home: string) {
    this.#path = join(home, REGISTRY)
  }

  get size(): number {
    return this.#size
  }

  get current(): Registry | undefined {
    return this.#seen?.registry
  }

  async isChanged(): Promise<boolean> {
    return (await this.#stamp()) !== this.#seen?.stamp
  }

  /**
   * Waits while another program writes the file.
   * @throws AppError INVALID with line and column when it does not parse after half a second
   */
  async read(waitMs = PARSE_WAIT_MS): Promise<{ registry: Registry; exists: boolean; stamp: Stamp }> {
    const deadline = performance.now() + waitMs
    for (;;) {
      await this.#committing
      // The stamp before the content, so that what is written meanwhile shows as a change the next time.
      const stamp = await this.#stamp()
      if (this.#committing) continue
      if (stamp === '') return { registry: noEntries, exists: false, stamp }
      if (this.#seen?.stamp === stamp) return { registry: this.#seen.registry, exists: true, stamp }
      try {
        const text = await this.#text()
        const registry = withKnownEntries(parseWhole(text), this.#seen?.registry)
        this.#seen = { stamp, registry }
        return { registry, exists: true, stamp }
      } catch (error) {
        if (performance.now() >= deadline) throw error
        await wait(PARSE_RETRY_MS)
      }
    }
  }

  /**
   * Call it under the home's lock. Merges what a program without the lock writes meanwhile. Resolves to what was found
   * and what was written.
   * @throws AppError INVALID when the file does not parse; it stays as it is
   */
  async rewrite(
    change: (found: Registry) => ReadonlyMap<string, JsonObject>,
  ): Promise<{ found: Registry; entries: ReadonlyMap<string, JsonObject> }> {
    let overwritten: Registry | undefined
    for (;;) {
      const { registry, exists, stamp } = await this.read(0)
      const found = overwritten ?? registry
      const entries = change(found)
      if (exists && isSame(registry.entries, entries)) return { found, entries }
      const rewritten = { ...found, entries }
      const replaced = await this.#open()
      try {
        const staged = await this.#stage(this.#printer.print({ ...rewritten, entries: entries.values() }))
        if ((await this.#stamp()) !== stamp) {
          overwritten = undefined
          await staged.discard()
          continue
        }
        await this.#commit(staged, rewritten)
        overwritten = replaced && (await this.#readIfWritten(replaced, stamp))
      } finally {
        await replaced?.close()
      }
      if (!overwritten) return { found, entries }
    }
  }

  async #readIfWritten(replaced: FileHandle, stamp: Stamp): Promise<Registry | undefined> {
    const deadline = performance.now() + PARSE_WAIT_MS
    while (stampOf(await replaced.stat({ bigint: true })) !== stamp) {
      try {
        const { size } = await replaced.stat()
        const content = new Uint8Array(Math.min(size, MAX_REGISTRY_BYTES))
        await replaced.read(content, 0, content.length, 0)
        return withKnownEntries(parseWhole(new TextDecoder().decode(content)), this.#seen?.registry)
      } catch {
        // It is still being written, or its program was killed in the middle: then it was damaged before we came.
        if (performance.now() >= deadline) return undefined
        await wait(PARSE_RETRY_MS)
      }
    }
    return undefined
  }

  async readDamaged(): Promise<{ text: string; stamp: Stamp; problem: string } | undefined> {
    const stamp = await this.#stamp()
    if (stamp === '') return undefined
    const text = await this.#text()
    try {
      parseRegistry(text)
      return undefined
    } catch (error) {
      return { text, stamp, problem: toFailure(error).message }
    }
  }

  /**
   * Keeps the damaged file under another name in the same folder. Call it under the home's lock.
   * @throws AppError CONFLICT when it has changed since it was read
   */
  async replaceDamaged(stamp: Stamp, entries: readonly JsonObject[], aside: string): Promise<void> {
    const staged = await this.#stage(this.#printer.print({ ...noEntries, entries }))
    try {
      if ((await this.#stamp()) !== stamp)
        throw new AppError('CONFLICT', `${REGISTRY} has changed since the preview.`, {
          hint: 'Preview the repair again.',
        })
      await placeNew(this.#path, join(dirname(this.#path), aside))
      await staged.commit()
    } catch (error) {
      await staged.discard()
      throw error
    }
  }

  async #commit(staged: StagedFile, registry: Registry): Promise<void> {
    const committed = this.#commitAs(staged, registry)
    this.#committing = committed.catch(() => undefined)
    try {
      await committed
    } finally {
      this.#committing = undefined
    }
  }

  async #commitAs(staged: StagedFile, registry: Registry): Promise<void> {
    // Before the rename, so that what another program writes right after it does not pass for ours.
    const found = await stat(staged.path, { bigint: true })
    await staged.commit()
    this.#seen = { stamp: stampOf(found), registry }
    this.#size = Number(found.size)
  }

  async #text(): Promise<string> {
    try {
      const { size } = await stat(this.#path)
      if (size > MAX_REGISTRY_BYTES)
        throw new AppError(
          'INVALID',
          `${REGISTRY} is larger than ${MAX_REGISTRY_BYTES / 1024 / 1024} MiB and is not read.`,
        )
      this.#size = size
      return await readFile(this.#path, 'utf8')
    } catch (error) {
      throw describeFileError(error, REGISTRY, 'read')
    }
  }

  async #open(): Promise<FileHandle | undefined> {
    try {
      return await open(this.#path)
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined
      throw describeFileError(error, REGISTRY, 'read')
    }
  }

  async #stage(content: readonly Uint8Array[]) {
    try {
      // Keeps the file's permissions, as other programs write it too and may have made it.
      return await stageFile(this.#path, content, await stat(this.#path).catch(() => PRIVATE))
    } catch (error) {
      throw describeFileError(error, REGISTRY, 'written')
    }
  }

  async #stamp(): Promise<Stamp> {
    return stampOf(await stat(this.#path, { bigint: true }).catch(() => undefined))
  }
}

function parseWhole(text: string): Registry {
  try {
    return parseRegistry(text)
  } catch (error) {
    throw new AppError('INVALID', toFailure(error).message, { details: { damaged: true }, cause: error })
  }
}

const stampOf = (found: BigIntStats | undefined): Stamp => (found ? `${found.ino}:${found.size}:${found.mtimeNs}` : '')

function isSame(before: ReadonlyMap<string, JsonObject>, after: ReadonlyMap<string, JsonObject>): boolean {
  if (before.size !== after.size) return false
  for (const [id, entry] of after) if (before.get(id) !== entry) return false
  return true
}

/** Unchanged entries stay the same objects, so that they are not looked at or printed again. */
function withKnownEntries(registry: Registry, before: Registry | undefined): Registry {
  if (!before) return registry
  const entries = new Map<string, JsonObject>()
  for (const [id, entry] of registry.entries) {
    const known = before.entries.get(id)
    entries.set(id, known && isSameEntry(known, entry) ? known : entry)
  }
  return { ...registry, entries }
}

function isSameEntry(one: JsonObject, other: JsonObject): boolean {
  const [keys, others] = [Object.keys(one), Object.keys(other)]
  return (
    keys.length === others.length &&
    keys.every((key, index) => key === others[index] && isSameValue(one[key], other[key]))
  )
}

const isSameValue = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other ||
  (typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other))
