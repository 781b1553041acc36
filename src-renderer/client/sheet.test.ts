import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_SPRITES, type Artwork, type SpriteArt, type SpriteSheet } from '@shared/graphics/artwork'
import { decodeSheet, encodeSheet } from '@shared/graphics/sheetFile'

const look = { colour: 1, multicolour: false, expandX: false, expandY: false, overlay: false }
const sprites = (count: number, name = ''): SpriteArt[] =>
  Array.from({ length: count }, () => ({ ...look, name, bytes: new Uint8Array(63) }))
const sheetOf = (count: number, name = ''): SpriteSheet => ({
  kind: 'sprites',
  name: 'Sheet',
  background: 0,
  multicolour1: 11,
  multicolour2: 1,
  sprites: sprites(count, name),
  animations: [],
})

const failed = { ok: false, error: { code: 'BRIDGE_DOWN', message: 'The bridge is down.' } }
const readSheet = vi.fn()
const saved: (readonly Artwork[])[] = []
let client: typeof import('./sheet')

const inStore = (...artworks: Artwork[]) => ({ ok: true, data: { bytes: encodeSheet(artworks) } })
const count = (artworks = client.useSheet.getState().artworks) =>
  client.spritesOfSheet(artworks)?.sheet.sprites.length ?? 0

beforeEach(async () => {
  vi.resetModules()
  saved.length = 0
  readSheet.mockReset().mockResolvedValue({ ok: true, data: { bytes: null } })
  const keepSheet = ({ bytes }: { readonly bytes: Uint8Array }) => {
    saved.push(decodeSheet(bytes).artworks)
    return Promise.resolve({ ok: true, data: {} })
  }
  vi.stubGlobal('window', { bridgedeck: { graphics: { sheet: readSheet, keepSheet } } })
  client = await import('./sheet')
})
afterEach(() => vi.unstubAllGlobals())

describe('the sheet', () => {
  it('refuses more sprites than it holds, and stays as it is', () => {
    client.addToSheet(sheetOf(MAX_SPRITES))
    expect(() => client.addToSheet(sheetOf(1))).toThrow('holds up to 4096 sprites; with these it would have 4097')
    expect(() => client.changeSprites((sheet) => ({ ...sheet, sprites: [...sheet.sprites, ...sprites(2)] }))).toThrow(
      '4098',
    )
    expect(count()).toBe(MAX_SPRITES)
  })

  it('takes all artworks of a file or none', () => {
    expect(() => client.addToSheet(sheetOf(MAX_SPRITES), sheetOf(1))).toThrow('4097')
    expect(count()).toBe(0)
  })

  it('that could not be read says why, and is read with the next change before that is kept', async () => {
    readSheet.mockResolvedValueOnce(failed)
    client.loadSheet()
    await vi.waitFor(() => expect(client.useSheet.getState().failure?.message).toBe('The bridge is down.'))
    readSheet.mockResolvedValueOnce(inStore(sheetOf(2)))
    client.addToSheet(sheetOf(1))
    await vi.waitFor(() => expect(saved.at(-1)).toBeDefined())
    expect(count(saved.at(-1))).toBe(3)
    expect(client.useSheet.getState().failure).toBeNull()
  })

  it('keeps what was stored when changes from before it was read are undone', async () => {
    client.addToSheet(sheetOf(1))
    readSheet.mockResolvedValue(inStore(sheetOf(2)))
    client.addToSheet(sheetOf(1))
    await vi.waitFor(() => expect(count()).toBe(4))
    for (let n = 0; n < 4; n++) client.undoSheet()
    expect(count()).toBe(2)
  })

  it('is not kept again by being read', async () => {
    readSheet.mockResolvedValue(inStore(sheetOf(2)))
    client.loadSheet()
    await vi.waitFor(() => expect(count()).toBe(2))
    client.undoSheet()
    client.addToSheet(sheetOf(1))
    await vi.waitFor(() => expect(saved.map(count)).toEqual([3]))
  })

  it('is changed by a stroke in one step, and kept at its end', async () => {
    client.loadSheet()
    client.addToSheet(sheetOf(1))
    await vi.waitFor(() => expect(saved.map(count)).toEqual([1]))
    client.beginSheetStroke()
    const draw = (colour: number) =>
      client.changeSprites((sheet) => ({ ...sheet, sprites: sheet.sprites.map((sprite) => ({ ...sprite, colour })) }))
    for (const colour of [2, 3, 4]) {
      draw(colour)
      await Promise.resolve()
    }
    expect(saved).toHaveLength(1)
    client.endSheetStroke()
    await vi.waitFor(() => expect(saved).toHaveLength(2))
    client.undoSheet()
    expect(client.spritesOfSheet(client.useSheet.getState().artworks)?.sheet.sprites[0]?.colour).toBe(1)
    client.undoSheet()
    expect(count()).toBe(0)
  })

  it('is as before after a stroke that is cancelled, with no step of it', () => {
    client.addToSheet(sheetOf(1))
    const before = client.useSheet.getState().artworks
    const steps = client.useSheetHistory.getState().past.length
    client.beginSheetStroke()
    client.changeSprites((sheet) => ({ ...sheet, background: 3 }))
    client.cancelSheetStroke()
    expect(client.useSheet.getState().artworks).toBe(before)
    expect(client.useSheetHistory.getState().past).toHaveLength(steps)
  })
})
