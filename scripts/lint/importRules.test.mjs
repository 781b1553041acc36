import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The code of each probe by the path of its file. */
const probes = new Map()

/** The rules that refuse a probe, by the path of its file. */
const complaints = new Map()

/** What the probes are for; others report their unused names. */
const rules = ['project(imports)', 'project(restricted-syntax)', 'eslint(no-restricted-globals)', 'eslint(no-eval)']

/** @returns {string} the path of the file; where another probe has `x.ts`, `x2.ts` */
function probe(file, code) {
  let path = file
  for (let count = 2; probes.has(path); count++) path = file.replace('.', `${count}.`)
  probes.set(path, code)
  return path
}

const probed = (cases) => cases.map(([name, file, code]) => [name, probe(file, code)])

/** Lints all probes at once with the project's own configuration, less what needs types. */
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-lint-'))
  try {
    const own = JSON.stringify(pathToFileURL(join(root, 'oxlint.config.ts')))
    const withoutTypes = '{ ...own, options: { ...own.options, typeAware: false } }'
    const files = new Map([...probes, ['oxlint.config.mts', `import own from ${own}\nexport default ${withoutTypes}`]])
    for (const [path, code] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), `${code}\n`)
    }
    const oxlint = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json', ...probes.keys()]
    const { stdout } = spawnSync(process.execPath, oxlint, { cwd: folder, encoding: 'utf8' })
    const { diagnostics, number_of_files: linted } = JSON.parse(stdout)
    expect(linted).toBe(probes.size)
    for (const path of probes.keys()) complaints.set(path, [])
    // What cannot be parsed has no code.
    for (const { filename, code, message } of diagnostics)
      if (!code || rules.includes(code)) complaints.get(filename.replaceAll('\\', '/')).push(code ?? message)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('the borders between the folders', () => {
  const refused = probed([
    ['the page importing from main', 'src-renderer/shell/x.ts', `import { a } from '../../src-main/files/dataFolder'`],
    ['the page importing Node', 'src-renderer/shell/x.ts', `import { readFile } from 'node:fs'`],
    ['the page importing Electron', 'src-renderer/shell/x.ts', `import { shell } from 'electron'`],
    ['a widget importing a view', 'src-renderer/widgets/x.ts', `import { a } from '../views/memory/cursor'`],
    ['a widget importing frames', 'src-renderer/widgets/x.ts', `import { a } from '../frames/frameStore'`],
    ['frames importing a view', 'src-renderer/frames/x.ts', `import { a } from '../views/memory/cursor'`],
    ['a view importing another', 'src-renderer/views/memory/x.ts', `import { a } from '../screen/gamepad'`],
    ['a view importing the shell', 'src-renderer/views/memory/x.ts', `import type { A } from '../../shell/start'`],
    ['shared importing from main', 'src-shared/c64/x.ts', `import type { A } from '../../src-main/machine/machine'`],
    ['shared importing from the page', 'src-shared/c64/x.ts', `export * from '../../src-renderer/frames/frameStore'`],
    ['shared importing Node', 'src-shared/c64/x.ts', `import { join } from 'path'`],
    ['shared importing a package', 'src-shared/c64/x.ts', `import { zip } from 'fflate'`],
    ['the preload importing from main', 'src-preload/x.ts', `import { a } from '../src-main/electron/ipc'`],
    ['the preload importing Node', 'src-preload/x.ts', `import { a } from 'node:path'`],
    ['main importing from the page', 'src-main/electron/x.ts', `import { a } from '../../src-renderer/shell/start'`],
    ['the bridge importing Electron', 'src-main/bridge/x.ts', `import { app } from 'electron'`],
    ['the bridge importing Electron lazily', 'src-main/bridge/x.ts', `void import('electron')`],
    ['the bridge importing Electron’s side', 'src-main/bridge/x.ts', `import type { A } from '../electron/supervisor'`],
    ['storage importing Electron’s side', 'src-main/storage/x.ts', `type A = import('../electron/supervisor').A`],
    ['storage importing a domain', 'src-main/storage/x.ts', `import type { A } from '../tasks/tasks'`],
    ['files importing storage', 'src-main/files/x.ts', `import { a } from '../storage/database'`],
    ['a driver importing another', 'src-main/machine/vice/x.ts', `import { a } from '../builtin/cia'`],
    ['a driver importing tasks', 'src-main/machine/vice/x.ts', `import { a } from '../../tasks/tasks'`],
    ['a driver importing the command line', 'src-main/machine/vice/x.ts', `import { a } from '../../cli/usage'`],
    ['a driver importing storage', 'src-main/machine/vice/x.ts', `import { a } from '../../storage/notes'`],
    ['a driver importing a package not listed', 'src-main/machine/vice/x.ts', `import { a } from 'yaml'`],
    ['the manager importing tasks', 'src-main/machine/manager.ts', `import { a } from '../tasks/tasks'`],
    ['a format importing another', 'src-main/formats/ncrew/x.ts', `import { a } from '../maestro/schema'`],
    ['a format importing Node', 'src-main/formats/ncrew/x.ts', `import { join } from 'node:path'`],
    ['a format importing git', 'src-main/formats/ncrew/x.ts', `import type { A } from '../../git/git'`],
    ['projects importing loops', 'src-main/projects/x.ts', `import type { A } from '../loops/loops'`],
    ['a file in a folder that is not listed', 'src-main/elsewhere/x.ts', `import { a } from '@shared/json'`],
    ['importing from a folder that is not listed', 'src-main/files/x.ts', `import { a } from '../elsewhere/x'`],
    ['the app importing from test', 'src-main/bridge/x.ts', `import { a } from '../../test/peers/viceMonitor'`],
    [
      'a test of the page importing from main',
      'src-renderer/shell/x.test.ts',
      `import { a } from '../../src-main/git/git'`,
    ],
  ])

  it.each(refused)('refuse %s', (_, file) => {
    expect(complaints.get(file)).toEqual(['project(imports)'])
  })

  const passed = probed([
    ['the page importing shared', 'src-renderer/shell/x.ts', `import { a } from '@shared/contract/frames'`],
    ['the page importing its packages', 'src-renderer/shell/x.ts', `import { b } from 'react'`],
    ['shared importing zod', 'src-shared/contract/x.ts', `import { z } from 'zod'`],
    ['a driver importing the interface', 'src-main/machine/vice/x.ts', `import { a } from '../machine'`],
    ['a driver importing Node', 'src-main/machine/vice/x.ts', `import { b } from 'node:net'`],
    ['the manager importing a driver', 'src-main/machine/manager.ts', `import { a } from './vice/driver'`],
    ['tasks importing machines', 'src-main/tasks/x.ts', `import { a } from '../machine/manager'`],
    ['main importing Electron', 'src-main/main.ts', `import { app } from 'electron'`],
    [
      'a test importing its peer',
      'src-main/machine/vice/x.test.ts',
      `import { a } from '../../../test/peers/viceMonitor'`,
    ],
    ['a test importing a package', 'src-main/machine/vice/x.test.ts', `import fc from 'fast-check'`],
  ])

  it.each(passed)('let pass %s', (_, file) => {
    expect(complaints.get(file)).toEqual([])
  })
})

describe('what no file may do', () => {
  const dangerous = probed([
    [
      'HTML from a property',
      'src-renderer/shell/x.tsx',
      `export const a = <p dangerouslySetInnerHTML={{ __html: '' }} />`,
    ],
    ['HTML from props', 'src-renderer/shell/x.tsx', `export const a = { dangerouslySetInnerHTML: 1 }`],
    ['HTML into an element', 'src-renderer/shell/x.ts', `export const a = (e: Element) => { e.innerHTML = '' }`],
    [
      'opening a link elsewhere',
      'src-main/electron/x.ts',
      `import { shell } from 'electron'\nvoid shell.openExternal('https://x.example')`,
    ],
    [
      'making a window elsewhere',
      'src-main/electron/x.ts',
      `import { BrowserWindow } from 'electron'\nexport const a = new BrowserWindow()`,
    ],
    [
      'a command line for a shell',
      'src-main/machine/vice/x.ts',
      `import { exec } from 'node:child_process'\nexec('ls')`,
    ],
    [
      'a spawn through a shell',
      'src-main/machine/vice/x.ts',
      `import { spawn } from 'node:child_process'\nspawn('ls', { shell: true })`,
    ],
  ])

  it.each(dangerous)('refuses %s', (_, file) => {
    expect(complaints.get(file)).toEqual(['project(restricted-syntax)'])
  })

  const evaluating = probe('src-main/bridge/x.ts', `eval('1')`)

  it('refuses evaluating text', () => {
    expect(complaints.get(evaluating)).toEqual(['eslint(no-eval)'])
  })

  const foreignGlobals = probe('src-shared/c64/x.ts', `export const a = [document, process]`)

  it('refuses the DOM and Node in shared', () => {
    expect(complaints.get(foreignGlobals)).toEqual(['eslint(no-restricted-globals)', 'eslint(no-restricted-globals)'])
  })
})
