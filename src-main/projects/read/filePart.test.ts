import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { locateFile } from './filePart'

describe('where a file of a project is', () => {
  let top: string
  let root: string

  beforeAll(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-locate-')))
    root = join(top, 'project')
    mkdirSync(join(root, 'docs'), { recursive: true })
    writeFileSync(join(root, 'docs/a.md'), '')
    writeFileSync(join(top, 'secret'), '')
    symlinkSync('docs', join(root, 'link'))
    symlinkSync('../secret', join(root, 'out'))
  })
  afterAll(() => rmSync(top, { recursive: true, force: true }))

  it('is its path with links resolved; of an empty name, the project itself', async () => {
    expect(await locateFile(root, 'docs/a.md')).toBe(join(root, 'docs/a.md'))
    expect(await locateFile(root, 'link/a.md')).toBe(join(root, 'docs/a.md'))
    expect(await locateFile(root, '')).toBe(root)
  })

  it('is told of nothing outside the project, nor of what is not there', async () => {
    for (const file of ['../secret', '/etc/passwd', 'docs/../../secret', 'out'])
      await expect(locateFile(root, file)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(locateFile(root, 'docs/b.md')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
