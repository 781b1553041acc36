import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readErrors } from './agentProcess'
import { MAX_ERRORS_CHARACTERS } from './printedFailure'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-errors-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('reads the end of what a process that nobody saw end printed as errors, and nothing where it printed none', async () => {
  const path = join(folder, 'errors.log')
  expect(await readErrors(path)).toBe('')
  writeFileSync(path, 'API Error: 529 Overloaded\n')
  expect(await readErrors(path)).toBe('API Error: 529 Overloaded\n')
  writeFileSync(path, `${'x'.repeat(2 * MAX_ERRORS_CHARACTERS)}the end`)
  const errors = await readErrors(path)
  expect(errors).toHaveLength(MAX_ERRORS_CHARACTERS)
  expect(errors.endsWith('the end')).toBe(true)
})
