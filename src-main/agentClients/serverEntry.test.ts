import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lastingEntry, serverEntry } from './serverEntry'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridgedeck-entry-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const options = ['--allow', 'change']
const where = (more: { environment?: NodeJS.ProcessEnv; platform?: NodeJS.Platform } = {}) => ({
  out: join(root, 'out'),
  environment: {},
  packageName: 'bridgedeck',
  platform: 'linux' as const,
  ...more,
})

function makeCheckout(): { node: string; script: string } {
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const script = join(root, 'scripts', 'cli.mjs')
  for (const file of [node, script]) {
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, '')
  }
  return { node, script }
}

describe('the entry for a client’s configuration', () => {
  it('names the npm package where that runs, as its files lie in a cache', () => {
    expect(lastingEntry(where(), options)).toEqual({
      command: 'npx',
      args: ['-y', 'bridgedeck', 'mcp', '--allow', 'change'],
      env: {},
    })
    expect(lastingEntry(where({ platform: 'win32' }), [])).toEqual({
      command: 'cmd',
      args: ['/c', 'npx', '-y', 'bridgedeck', 'mcp'],
      env: {},
    })
  })

  it('names Node and the program of the packaged app, but of an AppImage the npm package', () => {
    const out = join(root, 'command-line', 'out')
    writeFileSync(join(root, 'app.asar'), '')
    expect(lastingEntry({ ...where(), out }, options)).toEqual({
      command: process.execPath,
      args: [join(out, 'main', 'cli.cjs'), 'mcp', ...options],
      env: {},
    })
    const environment = { APPIMAGE: '/home/a/Bridgedeck.AppImage' }
    expect(lastingEntry({ ...where({ environment }), out }, [])).toMatchObject({ command: 'npx' })
  })

  it('names Node and the script of a checkout by their full paths', () => {
    const { node, script } = makeCheckout()
    expect(lastingEntry(where(), options)).toEqual({ command: node, args: [script, 'mcp', ...options], env: {} })
  })

  it('says where the data are, unless they are at their usual place', () => {
    const moved = { BRIDGEDECK_DATA: join(homedir(), 'elsewhere') }
    expect(lastingEntry(where({ environment: moved }), [])).toMatchObject({ env: moved })
  })
})

it('starts this very program for agents that the package runs', () => {
  expect(serverEntry(where(), options)).toEqual({
    command: process.execPath,
    args: [join(root, 'out', 'main', 'cli.cjs'), 'mcp', ...options],
    env: {},
  })
})
