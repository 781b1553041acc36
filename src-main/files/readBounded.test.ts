import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBounded } from './readBounded'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-bounded-'))
  writeFileSync(join(folder, 'four.bin'), Uint8Array.of(1, 2, 3, 4))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a file that a person chose', () => {
  it('is read up to the size that is wanted', async () => {
    expect(await readBounded(join(folder, 'four.bin'), 4)).toEqual(Uint8Array.of(1, 2, 3, 4))
    await expect(readBounded(join(folder, 'four.bin'), 3)).rejects.toThrow(
      'four.bin is too large: 4 bytes, and 3 at most.',
    )
  })

  it('is refused by its name where it is missing or a folder', async () => {
    await expect(readBounded(join(folder, 'none.bin'), 4)).rejects.toThrow('There is no file none.bin.')
    await expect(readBounded(folder, 1_000_000)).rejects.toThrow('is a folder, not a file.')
  })

  it.skipIf(process.platform === 'win32')('is refused where reading it would never end', async () => {
    await expect(readBounded('/dev/zero', 4)).rejects.toThrow('zero is no file.')
  })

  it.skipIf(process.platform !== 'linux')('is not read further where it says that it is empty and is not', async () => {
    await expect(readBounded('/proc/self/status', 4)).rejects.toThrow('status is too large: it has more than 4 bytes.')
    expect(new TextDecoder().decode(await readBounded('/proc/self/status', 1_000_000))).toMatch(/^Name:/)
  })
})
