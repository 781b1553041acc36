import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { visibleBounds, WindowStore } from './windowState'

let folder: string
let path: string
const log = { warn: vi.fn() }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-window-'))
  path = join(folder, 'window.json')
  log.warn.mockClear()
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

describe('what the window remembers', () => {
  it('starts with defaults where there is no file', () => {
    expect(new WindowStore(path, log).windowState).toEqual({ theme: 'system', layout: null, viewState: null })
    expect(log.warn).not.toHaveBeenCalled()
  })

  it('keeps nobody from quitting where it cannot be written', () => {
    mkdirSync(path)
    const store = new WindowStore(path, log)
    store.remember({ theme: 'dark' })
    expect(() => store.flush()).not.toThrow()
    expect(log.warn).toHaveBeenCalledWith(expect.stringContaining('could not be written'))
  })

  it('is private, and there at the next start', () => {
    const store = new WindowStore(path, log)
    store.remember({ theme: 'dark', bounds: { x: 1, y: 2, width: 800, height: 600 } })
    store.remember({ layout: '{"a":1}', folders: { program: '/programs' } })
    store.flush()
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    const { stored } = new WindowStore(path, log)
    expect(stored).toEqual({
      theme: 'dark',
      bounds: { x: 1, y: 2, width: 800, height: 600 },
      maximised: false,
      floating: null,
      layout: '{"a":1}',
      viewState: null,
      folders: { program: '/programs' },
    })
  })

  it('is written half a second after the last change', async () => {
    vi.useFakeTimers()
    const store = new WindowStore(path, log)
    store.remember({ theme: 'dark' })
    await vi.advanceTimersByTimeAsync(400)
    store.remember({ theme: 'light' })
    await vi.advanceTimersByTimeAsync(400)
    expect(readdirSync(folder)).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    vi.useRealTimers()
    await expect.poll((): unknown => JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ theme: 'light' })
  })

  it.each(['not json', '', '[]', '{"theme":"pink"}', '{"bounds":{"x":"left"}}', 'null'])(
    'keeps a broken file aside: %s',
    (text) => {
      writeFileSync(path, text)
      const store = new WindowStore(path, log)
      expect(store.windowState.theme).toBe('system')
      const [aside] = readdirSync(folder)
      expect(aside).toMatch(/^window\.json\.corrupt-/)
      expect(readFileSync(join(folder, aside ?? ''), 'utf8')).toBe(text)
      expect(log.warn).toHaveBeenCalledOnce()
    },
  )

  it('keeps what fits of a broken file', () => {
    writeFileSync(path, '{"theme":"dark","bounds":{"x":"left"},"folders":{"later":"/a"},"maximised":true}')
    const { stored } = new WindowStore(path, log)
    expect(stored).toMatchObject({ theme: 'dark', maximised: true, bounds: null, folders: {} })
  })

  it('takes a file of an older version, which lacks some fields', () => {
    writeFileSync(path, '{"theme":"dark"}')
    expect(new WindowStore(path, log).stored).toMatchObject({ theme: 'dark', maximised: false, folders: {} })
  })
})

describe('bounds', () => {
  const screens = [
    { x: 0, y: 0, width: 1920, height: 1080 },
    { x: 1920, y: 200, width: 1280, height: 1024 },
  ]
  const at = (x: number, y: number) => ({ x, y, width: 1000, height: 700 })

  it.each([
    ['in the middle', at(100, 100)],
    ['on the second screen', at(2100, 300)],
    ['with just 100 px at the left', at(-900, 100)],
    ['across both screens', at(1500, 300)],
  ])('are kept %s', (_where, bounds) => {
    expect(visibleBounds(bounds, screens)).toEqual(bounds)
  })

  it.each([
    ['off to the left', at(-901, 100)],
    ['below', at(100, 981)],
    ['on a screen that is gone', at(5000, 100)],
  ])('are dropped %s', (_where, bounds) => {
    expect(visibleBounds(bounds, screens)).toBeUndefined()
  })

  it('are dropped where there were none', () => {
    expect(visibleBounds(null, screens)).toBeUndefined()
  })
})
