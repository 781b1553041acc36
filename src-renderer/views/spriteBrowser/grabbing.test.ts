import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { GraphicsImage } from '@shared/graphics/grab'
import { useMachines } from '../../client/machines'
import { useMessages } from '../../client/messages'
import { setNavigation } from '../../client/navigation'
import { useSheet } from '../../client/sheet'
import { feedGrab, grabFrame, toggleGrab, useGrabbing } from './grabbing'

vi.mock('../../frames/frames', () => ({ frames: { time: 0 } }))

const shown = vi.fn(() => Promise.resolve())
const texts = () => useMessages.getState().open.map(({ text }) => text)
const image: GraphicsImage = {
  io: new Uint8Array(0x1000),
  ram: new Uint8Array(0x10000),
  characterRom: null,
  colorRam: new Uint8Array(0x400),
}

beforeEach(() => {
  const done = () => Promise.resolve({ ok: true, data: { bytes: null } })
  vi.stubGlobal('window', { bridgedeck: { graphics: { sheet: done, keepSheet: done } } })
  setNavigation(shown)
  useMachines.setState({ front: 'builtin' })
  useSheet.setState({ artworks: [] })
  useMessages.setState({ open: [] })
})
afterEach(() => {
  useGrabbing.setState({ sprite: null })
  vi.unstubAllGlobals()
})

describe('a grabbed animation', () => {
  it('shows the sprite browser first where no view feeds it, and says where nothing was grabbed', async () => {
    await toggleGrab()
    expect(shown).toHaveBeenCalledWith('spriteBrowser')
    await toggleGrab()
    expect(texts()).toEqual(['Nothing was grabbed: no frame of the machine came meanwhile.'])
  })

  it('ends with what was seen where another machine comes to the front', async () => {
    const end = feedGrab()
    await toggleGrab()
    grabFrame(image)
    useMachines.setState({ front: 'vice' })
    expect(useGrabbing.getState().sprite).toBeNull()
    expect(texts()).toEqual(['Kept 1 frame of sprite 0: no loop was seen.'])
    end()
  })
})
