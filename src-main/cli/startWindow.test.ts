import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasDisplay, startWindow, windowArguments, windowProgram } from './startWindow'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-window-'))
  writeFileSync(join(folder, 'game.prg'), '')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('what the window is asked to open', () => {
  it('is nothing where no word is given', () => {
    expect(windowArguments([], folder)).toEqual([])
  })

  it('is a file or a folder, by its full path', () => {
    expect(windowArguments(['game.prg'], folder)).toEqual([join(folder, 'game.prg')])
    expect(windowArguments(['.'], folder)).toEqual([folder])
  })

  it('is neither a word that names no file nor one of several', () => {
    expect(windowArguments(['gaem.prg'], folder)).toBeUndefined()
    expect(windowArguments(['game.prg', 'game.prg'], folder)).toBeUndefined()
  })
})

it('knows the program of the window on each system', () => {
  const programs = (['linux', 'darwin', 'win32'] as const).map((platform) =>
    windowProgram(join('/app', 'resources'), platform).replaceAll('\\', '/'),
  )
  expect(programs).toEqual(['/app/bridgedeck-window', '/app/MacOS/Bridgedeck', '/app/Bridgedeck.exe'])
})

it('asks for a display on Linux alone', () => {
  expect(hasDisplay({}, 'linux')).toBe(false)
  expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true)
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true)
  expect(hasDisplay({}, 'darwin')).toBe(true)
})

it('says that a window’s program is not there', async () => {
  const environment = { ...process.env, DISPLAY: ':0' }
  await expect(startWindow(join(folder, 'nowhere'), [], environment)).rejects.toMatchObject({ code: 'UNREACHABLE' })
})
