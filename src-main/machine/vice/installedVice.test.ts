import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createViceFinder } from './installedVice'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-vice-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function program(script: string): Promise<string> {
  const path = join(folder, 'x64sc')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

describe.skipIf(process.platform === 'win32')('the VICE that would be started', () => {
  test('tells its version, and is asked once', async () => {
    const executable = await program(`echo "x64sc (VICE 3.7.1)"; echo asked >> ${join(folder, 'asked')}`)
    const find = createViceFinder(() => executable)
    expect(await find()).toEqual({ executable, version: 'VICE 3.7.1', problem: null })
    await rm(join(folder, 'asked'))
    expect(await find()).toMatchObject({ version: 'VICE 3.7.1' })
    await expect(rm(join(folder, 'asked'))).rejects.toThrow()
  })

  test('tells its version later where it is slow', async () => {
    const go = join(folder, 'go')
    const executable = await program(`while [ ! -e ${go} ]; do sleep 0.02; done; echo "x64sc (VICE 3.7.1)"`)
    const find = createViceFinder(() => executable, 0)
    expect(await find()).toEqual({ executable, version: null, problem: null })
    await writeFile(go, '')
    await expect.poll(async () => (await find()).version, { timeout: 60_000 }).toBe('VICE 3.7.1')
  })

  test('is found though it does not know the question', async () => {
    const executable = await program('exit 1')
    expect(await createViceFinder(() => executable)()).toEqual({ executable, version: null, problem: null })
  })

  test('is missing, with what to do, where it was chosen and is not there', async () => {
    const found = await createViceFinder(() => join(folder, 'gone'))()
    expect(found).toMatchObject({ executable: null, problem: expect.stringContaining('Settings') as string })
  })
})
