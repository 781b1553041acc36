import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { printHooks } from '../../../formats/maestro/hooks/hooksFile'
import { OwnHooks } from './ownHooks'

let home: string
let hooks: OwnHooks
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-own-hooks-')))
  hooks = new OwnHooks({ MAESTRO_EXTENSION_PATH: join(home, '.gemini/extensions/maestro') }, home)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}
const settings = () => readFileSync(join(home, '.gemini/settings.json'), 'utf8')
const events = ['session-start', 'before-agent', 'after-agent', 'session-end']

it('The person’s own settings and the extension are read', async () => {
  expect(await hooks.found()).toEqual([])
  put('.gemini/settings.json', printHooks('1.2'))
  put('.gemini/extensions/maestro/hooks/hooks.json', printHooks('1.4'))
  expect(await hooks.found()).toEqual([
    { file: join('~', '.gemini/settings.json'), events },
    { file: join('~', '.gemini/extensions/maestro/hooks/hooks.json'), events },
  ])
})

it.each(['{', '[]', '{"hooks": {"SessionStart": 1}}', '\u0000'])(
  'Files with nothing of ours are left out: %j',
  async (text) => {
    put('.gemini/settings.json', text)
    expect(await hooks.found()).toEqual([])
  },
)

describe('a change', () => {
  const install = { action: 'install', format: '1.2' } as const
  const remove = { action: 'remove', format: '1.2' } as const
  const mine = '{\n  "theme": "C64",\n  "hooks": {}\n}\n'

  it('is written as it was shown, and undone byte by byte', async () => {
    put('.gemini/settings.json', mine)
    const { token, files } = await hooks.preview(install)
    expect(files).toMatchObject([{ file: '~/.gemini/settings.json', kind: 'changed' }])
    expect(settings()).toBe(mine)
    expect(await hooks.write({ ...install, token })).toEqual({ file: '~/.gemini/settings.json', warning: null })
    expect(await hooks.found()).toMatchObject([{ events }])
    expect((await hooks.preview(install)).files).toEqual([])
    await hooks.undo()
    expect(settings()).toBe(mine)
    await expect(hooks.undo()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('makes the file where there is none, takes it away again when undone, and removes what is there', async () => {
    await hooks.write({ ...install, token: (await hooks.preview(install)).token })
    await hooks.undo()
    expect(existsSync(join(home, '.gemini/settings.json'))).toBe(false)
    await hooks.write({ ...install, token: (await hooks.preview(install)).token })
    await hooks.write({ ...remove, token: (await hooks.preview(remove)).token })
    expect(await hooks.found()).toEqual([])
  })

  it('is not written where the file is not what was shown, nor undone over what others wrote', async () => {
    put('.gemini/settings.json', mine)
    const { token } = await hooks.preview(install)
    put('.gemini/settings.json', '{}\n')
    await expect(hooks.write({ ...install, token })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(settings()).toBe('{}\n')
    await hooks.write({ ...install, token: (await hooks.preview(install)).token })
    put('.gemini/settings.json', mine)
    await expect(hooks.undo()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(settings()).toBe(mine)
    const nothing = await hooks.preview(remove)
    expect(nothing.files).toEqual([])
    await expect(hooks.write({ ...remove, token: nothing.token })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is refused for a file that is no JSON, and for a link that leads elsewhere', async () => {
    put('.gemini/settings.json', '[]')
    await expect(hooks.preview(install)).rejects.toMatchObject({ code: 'INVALID' })
    rmSync(join(home, '.gemini/settings.json'))
    symlinkSync('/etc/passwd', join(home, '.gemini/settings.json'))
    await expect(hooks.preview(install)).rejects.toMatchObject({ name: 'AppError' })
  })
})
