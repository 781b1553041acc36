import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { REGISTRY } from './registryFile'
import { printRegistry } from './registryPrinter'

/** What happens right before a file is staged, and right before and after it is renamed. */
let beforeStaging: () => Promise<void>
let beforeRename: () => void
let afterRename: () => void
// Unit tests share their modules: this file has its own, and leaves none behind.
vi.resetModules()
vi.doMock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      if (args[1] === 'wx') await beforeStaging()
      return real.open(...args)
    },
    rename: async (from: string, to: string) => {
      beforeRename()
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
    beforeRename = afterRename = () => undefined
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

  it('keeps what another program wrote in place between our last look and our rename', async () => {
    const registry = new RegistryOnDisk(home)
    writeAsOther('0002_others')
    let writes = 0
    beforeRename = () => {
      if (writes++ < 2) writeAsOther('0002_others', `000${writes + 2}_others`)
    }
    const { found } = await registry.rewrite(({ entries }) => new Map([...entries, ...entriesOf('0001_a')]))
    expect([...found.entries.keys()]).toEqual(['0002_others', '0004_others'])
    expect([...(await new RegistryOnDisk(home).read()).registry.entries.keys()]).toEqual([
      '0002_others',
      '0004_others',
      '0001_a',
    ])
    expect(writes).toBe(3)
  })

  it('is ours when another program began to write between our last look and our rename, and never ended', async () => {
    const registry = new RegistryOnDisk(home)
    writeAsOther('0002_others')
    beforeRename = () => writeFileSync(join(home, REGISTRY), '{"tasks": [')
    await registry.rewrite(({ entries }) => new Map([...entries, ...entriesOf('0001_a')]))
    expect([...(await new RegistryOnDisk(home).read()).registry.entries.keys()]).toEqual(['0002_others', '0001_a'])
  })
})
