import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stageFile } from './stagedWrite'

let folder: string
let umask: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-staged-'))
  umask = process.umask(0)
})
afterEach(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true })
})

const modes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)

describe.runIf(process.platform !== 'win32')('a file that is staged like another', () => {
  it('is nobody else’s until it has the mode of the other', async () => {
    const seen: number[][] = []
    const like = {
      get mode() {
        seen.push(modes())
        return 0o640
      },
    }
    const staged = await stageFile(join(folder, 'tasks.json'), '{}', like)
    expect(seen).toEqual([[0o600]])
    expect(modes()).toEqual([0o640])
    await staged.commit()
    expect(readdirSync(folder)).toEqual(['tasks.json'])
  })
})
