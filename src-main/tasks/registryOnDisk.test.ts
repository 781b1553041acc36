import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { REGISTRY } from './registryFile'
import { printRegistry } from './registryPrinter'

/** What happens right before a file is staged, and right after it is renamed. */
let beforeStaging: () => Promise<void>
let afterRename: () => void
// Unit tests share their modules: this file has its own, and leaves none behind.
vi.resetModules()
vi.doMock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      await beforeStaging()
      return real.open(...args)
    },
    rename: async (from: string, to: string) => {
      await real.rename(from, to)
      afterRename()
    },
  }
})
const { RegistryOnDisk } = await import('./registryOnDisk')
vi.doUnmock('node:fs/promises')
vi.resetModules()

const home = mkdtempSync(join(tmpdir(), 'bridgedeck-registry-'))
afterAll(() => rmSync(home, { recursive: true }))

const writeAsOther = (...ids: string[]) =>
  writeFileSync(join(home, REGISTRY), printRegistry({ rest: {}, entries: entriesOf(...ids).values(), others: [] }))

const entriesOf = (...ids: string[]) => new Map(ids.map((id) => [id, { id }]))

describe('tasks.json on disk', () => {
  beforeEach(() => {
    rmSync(join(home, REGISTRY), { force: true })
    beforeStaging = () => Promise.resolve()
    afterRename = () => undefined
  })

  it('is as it was last rewritten here', async () => {
    const registry = new RegistryOnDisk(home)
    await registry.rewrite(() => entriesOf('0001_a'))
    expect(await registry.isChanged()).toBe(false)
  })

  it('is read again when another program wrote it right after our rename', async () => {
    const registry = new RegistryOnDisk(home)
    afterRename = () => writeAsOther('0002_others')
    await registry.rewrite(() => entriesOf('0001_a'))
    expect(await registry.isChanged()).toBe(true)
    expect([...(await registry.read()).registry.entries.keys()]).toEqual(['0002_others'])
  })

  it('is rewritten from what another program wrote meanwhile, also when that was read already', async () => {
    const registry = new RegistryOnDisk(home)
    let isFirst = true
    beforeStaging = async () => {
      if (!isFirst) return
      isFirst = false
      writeAsOther('0002_others')
      await registry.read()
    }
    await registry.rewrite(({ entries }) => new Map([...entries, ...entriesOf('0001_a')]))
    expect([...(await registry.read()).registry.entries.keys()]).toEqual(['0002_others', '0001_a'])
  })
})
