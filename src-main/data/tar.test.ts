import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { tarEnd, tarHeader, tarPadding } from './tar'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'bridgedeck-tar-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content: Buffer, mtimeMs = 1_790_000_000_000): Buffer =>
  Buffer.concat([tarHeader({ name, bytes: content.length, mtimeMs }), content, tarPadding(content.length)])

it('is unpacked by the system’s tar, with names of any length and alphabet', () => {
  const names = ['short.txt', `${'deep/'.repeat(30)}end.bin`, 'läuft/ß – 64.txt', 'n'.repeat(99), 'n'.repeat(100)]
  const contents = names.map((_, index) => Buffer.alloc([0, 1, 511, 512, 513][index] ?? 0, index))
  const archive = join(folder, 'all.tar')
  writeFileSync(
    archive,
    Buffer.concat([...names.map((name, index) => file(name, contents[index] ?? Buffer.alloc(0))), tarEnd()]),
  )
  execFileSync('tar', ['-xf', archive, '-C', folder], { stdio: 'pipe' })
  expect(names.map((name) => readFileSync(join(folder, name)))).toEqual(contents)
})

it('tells a size beyond the digits of its header', () => {
  const bytes = 9 * 1024 ** 3
  const header = tarHeader({ name: 'large', bytes, mtimeMs: 0 })
  expect(header.toString('latin1')).toContain(`size=${bytes}\n`)
  // The length of a record counts its own digits.
  const record = header.toString('latin1', 512, 1024).replace(/\0+$/, '')
  expect(record).toBe(`${record.length} size=${bytes}\n`)
})
