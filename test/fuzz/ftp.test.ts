import { array, constantFrom, integer, oneof, string, tuple, type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { FtpService } from '../../src-main/machine/ultimate/ftp'
import { startFtp, type FtpPeer } from '../peers/ftp'
import { anyBytes, fuzz, laterAnswerOf, mutated } from './fuzz'

let peer: FtpPeer
let service: FtpService
beforeAll(async () => {
  peer = await startFtp()
  service = new FtpService({ host: '127.0.0.1', port: peer.port }, null)
})
afterAll(() => peer.stop())

const name = oneof(
  constantFrom('a.prg', '..', '.', '', 'a/b', 'a\u0001b', '\u202egpj.exe', 'x'.repeat(2_000)),
  string(),
)
const entry = tuple(constantFrom('file', 'dir', 'cdir', ''), oneof(integer(), constantFrom(1e30, NaN, -0)), name).map(
  ([type, size, called]) => `type=${type};size=${size}; ${called}\r\n`,
)
const longEntry = tuple(constantFrom('-', 'd', 'l', '?'), integer(), name).map(
  ([type, size, called]) => `${type}rw-rw-rw- 1 user ftp ${size} Nov 22 2026 ${called}\r\n`,
)
const listing: Arbitrary<Uint8Array> = array(oneof(entry, longEntry), { maxLength: 20 }).map((lines) =>
  Buffer.from(lines.join('')),
)

describe('the listing of a folder by an FTP service', () => {
  fuzz(
    'is files with names that can stand in a path, or refused',
    oneof(listing, mutated(listing), anyBytes()),
    async (bytes) => {
      peer.change({ listing: bytes })
      const files = await laterAnswerOf(() => service.list('/', new AbortController().signal))
      for (const file of files ?? []) {
        expect(file.name).toMatch(/^[^/\p{Cc}]{1,1000}$/u)
        expect(['.', '..']).not.toContain(file.name)
        if (file.size !== null) expect(file.size).toBeGreaterThanOrEqual(0)
      }
    },
    10,
  )
})
