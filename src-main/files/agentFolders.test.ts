import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toFailure } from '@shared/contract/errors'
import { startSwapping, type SwappedFolder } from '../../test/support/linkSwapper'
import { agentFolders, isInFolders, withinFolders } from './agentFolders'
import { readBounded } from './readBounded'
import { replaceChosenFile } from './stagedWrite'

/** Each is tried on both paths that are swapped. */
const TRIES = 400

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-agentFolders-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe.skipIf(process.platform === 'win32')('beside a process that swaps links, an agent', () => {
  let swapped: SwappedFolder
  beforeEach(async () => {
    swapped = await startSwapping(root)
  })
  afterEach(() => swapped.stop())

  /** What became of each try: what was read, or the code of the refusal. */
  async function tried(run: (path: string) => Promise<string>): Promise<Record<string, number>> {
    const folders = agentFolders([swapped.inside])
    const outcomes: Record<string, number> = {}
    for (let count = 0; count < TRIES; count++) {
      if (count % 10 === 0) await swapped.swappedAgain()
      for (const name of ['file.prg', 'sub/file.prg']) {
        const path = join(swapped.inside, name)
        const outcome = isInFolders(folders, path)
          ? await withinFolders(folders, () => run(path)).catch((error: unknown) => toFailure(error).code)
          : 'FORBIDDEN'
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      }
    }
    return outcomes
  }

  it('reads no file outside', async () => {
    const outcomes = await tried(async (path) => `read ${(await readBounded(path, 100))[2]}`)
    expect(outcomes['read 2']).toBeUndefined()
    expect(outcomes['read 1']).toBeGreaterThan(0)
    expect(outcomes['FORBIDDEN']).toBeGreaterThan(0)
  })

  it('writes no file outside', async () => {
    const outcomes = await tried(async (path) => {
      await replaceChosenFile(path, Uint8Array.of(0x00, 0xc0, 1))
      return 'written'
    })
    expect([...readFileSync(join(swapped.outside, 'file.prg'))]).toEqual([0x00, 0xc0, 2])
    expect(readdirSync(swapped.outside)).toEqual(['file.prg'])
    expect(outcomes['written']).toBeGreaterThan(0)
  })
})

describe('an agent', () => {
  it('writes through links within its folders, and makes folders that are missing', async () => {
    const folders = agentFolders([root])
    writeFileSync(join(root, 'there'), 'old')
    symlinkSync(join(root, 'there'), join(root, 'link'))
    await withinFolders(folders, () => replaceChosenFile(join(root, 'link'), Uint8Array.of(65)))
    expect(readFileSync(join(root, 'there'), 'utf8')).toBe('A')
    await withinFolders(folders, () => replaceChosenFile(join(root, 'new/deeper/file'), Uint8Array.of(66)))
    expect(readFileSync(join(root, 'new/deeper/file'), 'utf8')).toBe('B')
  })
})
