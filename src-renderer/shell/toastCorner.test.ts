import { describe, expect, it } from 'vitest'
import { freeCorner, type Box, type Corner } from './toastCorner'

const room: Box = { left: 0, top: 0, right: 1000, bottom: 800 }
const cornerAfter = (last: Corner, ...inUse: Box[]) => freeCorner(room, 400, 100, inUse, last)
const corner = (...inUse: Box[]) => cornerAfter('bottom right', ...inUse)

describe('toasts come', () => {
  it('in the lower right corner while nothing there is in use', () => {
    expect(corner()).toBe('bottom right')
    expect(corner({ left: 0, top: 0, right: 500, bottom: 500 })).toBe('bottom right')
  })

  it('in the next corner that leaves free what the person works on', () => {
    const right: Box = { left: 500, top: 0, right: 1000, bottom: 800 }
    expect(corner(right)).toBe('bottom left')
    const below: Box = { left: 0, top: 400, right: 1000, bottom: 800 }
    expect(corner(below)).toBe('top right')
    expect(corner(right, below)).toBe('top left')
  })

  it('where they stood before, until that is in use', () => {
    const right: Box = { left: 500, top: 0, right: 1000, bottom: 800 }
    const left: Box = { left: 0, top: 0, right: 500, bottom: 800 }
    expect(cornerAfter('bottom left')).toBe('bottom left')
    expect(cornerAfter('bottom left', right)).toBe('bottom left')
    expect(cornerAfter('bottom left', left)).toBe('bottom right')
  })

  it('where the least is covered when no corner is free', () => {
    const nearlyAll: Box = { left: 0, top: 60, right: 1000, bottom: 800 }
    expect(corner(nearlyAll)).toBe('top right')
  })
})
