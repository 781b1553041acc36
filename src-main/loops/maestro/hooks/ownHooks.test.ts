import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { printHooks } from '../../../formats/maestro/hooks/hooksFile'
import { ownHooks } from './ownHooks'

let home: string
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'bridgedeck-own-hooks-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}
const extension = () => ({ MAESTRO_EXTENSION_PATH: join(home, '.gemini/extensions/maestro') })
const events = ['session-start', 'before-agent', 'after-agent', 'session-end']

it('The person’s own settings and the extension are read', async () => {
  expect(await ownHooks(extension(), home)).toEqual([])
  put('.gemini/settings.json', printHooks('1.2'))
  put('.gemini/extensions/maestro/hooks/hooks.json', printHooks('1.4'))
  expect(await ownHooks(extension(), home)).toEqual([
    { file: join('~', '.gemini/settings.json'), events },
    { file: join('~', '.gemini/extensions/maestro/hooks/hooks.json'), events },
  ])
})

it.each(['{', '[]', '{"hooks": {"SessionStart": 1}}', '\u0000'])(
  'Files with nothing of ours are left out: %j',
  async (text) => {
    put('.gemini/settings.json', text)
    expect(await ownHooks(extension(), home)).toEqual([])
  },
)
