/** Files that a format writes, held against those in test/fixtures/graphics. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

const folder = join(import.meta.dirname, '../fixtures/graphics')

/** A file that is missing is written once, and the test fails saying so. */
export function expectGolden(name: string, bytes: Uint8Array): void {
  const path = join(folder, name)
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    throw new Error(
      `test/fixtures/graphics/${name} was missing. It is written now: look at it, and run the test again.`,
    )
  }
  expect(Buffer.from(bytes).equals(readFileSync(path)), `${name} differs from its golden file`).toBe(true)
}
