/** What earlier versions wrote (test/fixtures/oldData), in folders of a test. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'

export const oldVersions = ['af0c0661', '47772ac2'] as const
export type OldVersion = (typeof oldVersions)[number]

const fixtures = resolve(import.meta.dirname, '../fixtures/oldData')

/** @param to the data folder, and that of tasks */
export function placeOldData(version: OldVersion, to: { readonly data: string; readonly c64bridge: string }): void {
  for (const part of ['data', 'c64bridge'] as const) {
    const from = join(fixtures, version, part)
    for (const file of filesIn(from)) {
      const bytes = readFileSync(join(from, file))
      const path = join(to[part], file.replace(/\.gz$/, ''))
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, file.endsWith('.gz') ? gunzipSync(bytes) : bytes, { mode: 0o600 })
    }
  }
}

/** The SHA-256 of each file in the folder. */
export const contentsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    filesIn(folder).map((file) => [
      file,
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    ]),
  )

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted()
