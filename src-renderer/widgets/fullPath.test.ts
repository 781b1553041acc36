import { describe, expect, it } from 'vitest'
import { fullPath } from './fullPath'

describe('the full path of a file', () => {
  it('is written as its computer writes it', () => {
    expect(fullPath('/home/me/game', 'a/b.json')).toBe('/home/me/game/a/b.json')
    expect(fullPath('/', 'b.json')).toBe('/b.json')
    expect(fullPath('C:\\game', 'a/b.json')).toBe('C:\\game\\a\\b.json')
    expect(fullPath('/home/me/game', '')).toBe('/home/me/game')
  })
})
