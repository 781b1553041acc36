/** What may stand in one place only, so that its checks cannot be walked around. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const folders = ['src-main', 'src-preload', 'src-renderer', 'src-shared']

const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|tsx|mts|js|mjs|cjs|html)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => ({
      path: join(folder, path).replaceAll('\\', '/'),
      text: readFileSync(join(root, folder, path), 'utf8'),
    })),
)
const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

describe('the sources', () => {
  it('were found', () => {
    for (const folder of folders) expect(sources.some(({ path }) => path.startsWith(folder))).toBe(true)
  })

  it.each([
    [/\bipcMain\b/, ['src-main/electron/ipc.ts']],
    [/\bipcRenderer\b/, ['src-preload/preload.ts']],
    [/\bcontextBridge\b/, ['src-preload/preload.ts']],
    [/\b(contents|webContents)\.(send|postMessage|sendToFrame)\(/, ['src-main/electron/ipc.ts']],
    [/new BrowserWindow\b/, ['src-main/electron/window.ts']],
    [/\b(BrowserView|WebContentsView|BaseWindow)\b/, []],
    [/\bopenExternal\b/, ['src-main/electron/security.ts']],
    [/\bregisterSchemesAsPrivileged\b/, ['src-main/electron/security.ts']],
    [/\bsetPermission\w+Handler\b/, ['src-main/electron/security.ts']],
    [/\butilityProcess\.fork\b/, ['src-main/electron/bridgeProcess.ts']],
    [/nodeIntegration\w*: true|contextIsolation: false|sandbox: false|webSecurity: false/, []],
    [/\beval\(|new Function\(/, []],
    [/loadURL\(|loadFile\(/, ['src-main/electron/floatingWindow.ts', 'src-main/main.ts']],
    // A repository's own settings run programs.
    [/\b(spawn|execFile|fork)\w*\(\s*['"`](\S*\/)?git\b/, ['src-main/git/gitProcess.ts']],
  ])('have %s only where it belongs', (pattern, places) => {
    expect(filesWith(pattern).sort()).toEqual(places)
  })

  it('make a trusted folder only where trust is looked up, and beside it for work trees that git names', () => {
    expect(filesWith(/new TrustedFolder\(/).filter((path) => path !== 'src-main/projects/trust.ts')).toEqual([
      'src-main/git/revert.ts',
      'src-main/git/rollbackRepository.ts',
      'src-main/git/submodules.ts',
      'src-main/git/worktree.ts',
    ])
  })

  it('import electron in main’s own files and the preload alone', () => {
    const importers = filesWith(/(from|import|require\()\s*\(?['"]electron['"]/)
    expect(importers.filter((path) => !/^src-main\/(main\.ts$|electron\/)|^src-preload\//.test(path))).toEqual([])
    expect(importers).toContain('src-main/main.ts')
  })

  it('run no script inside the page’s HTML', () => {
    const html = sources.filter(({ path }) => path.endsWith('.html'))
    for (const { text } of html) expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\bon\w+=|javascript:/i)
  })

  it('name nothing of the network that a page or dialog would load', () => {
    expect(filesWith(/(src|href)=["']https?:/)).toEqual([])
  })
})
