import { expect, it } from 'vitest'
import { checksumLines, sha256 } from './checksums.mjs'

it('lists files by name, whatever order they came in', () => {
  // The digest of the empty message, of FIPS 180-4.
  const digest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  expect(sha256(Buffer.alloc(0))).toBe(digest)
  const files = ['b.tgz', 'a.json'].map((name) => ({ name, digest }))
  expect(checksumLines(files)).toBe(`${digest}  a.json\n${digest}  b.tgz\n`)
})
