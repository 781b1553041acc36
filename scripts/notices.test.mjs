import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { packageFolder } from './lib/bundledPackages.mjs'
import { notices, noticesFile, shippedFolders } from './notices.mjs'

describe('the notices of third parties', () => {
  it('are those of the packages that this build ships', () => {
    expect(readFileSync(noticesFile, 'utf8'), 'run `npm run notices` and commit the file').toBe(notices())
  })

  it('name what is bundled, what is loaded at run time, and Electron', () => {
    const folders = shippedFolders()
    for (const name of ['react', 'zod', 'better-sqlite3', '@serialport/bindings-cpp', 'electron']) {
      expect(folders).toContain(`node_modules/${name}`)
    }
  })

  it('do not name the assembler, which is under the GPL and only runs at build time', () => {
    expect(shippedFolders().filter((folder) => folder.includes('dasm'))).toEqual([])
  })
})

describe('the package of a module', () => {
  it.each([
    ['/home/me/bridgedeck/node_modules/zod/v4/core.js', 'node_modules/zod'],
    ['/home/me/bridgedeck/node_modules/@scope/name/index.js', 'node_modules/@scope/name'],
    ['C:\\bridgedeck\\node_modules\\a\\node_modules\\b\\index.js', 'node_modules/a/node_modules/b'],
    ['/home/me/bridgedeck/src-main/main.ts', undefined],
  ])('%s is in %s', (module, folder) => {
    expect(packageFolder(module)).toBe(folder)
  })
})
