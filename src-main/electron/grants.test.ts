import { afterEach, describe, expect, it, vi } from 'vitest'
import { Grants } from './grants'

afterEach(() => void vi.useRealTimers())

describe('a grant', () => {
  it('stands for one path, once', () => {
    const grants = new Grants()
    const { grant, name } = grants.issue('/programs/demo.prg')
    expect(name).toBe('demo.prg')
    expect(grant).not.toContain('programs')
    expect(grants.take(grant)).toBe('/programs/demo.prg')
    expect(() => grants.take(grant)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
  })

  it('stays where it is only looked at', () => {
    const grants = new Grants()
    const { grant } = grants.issue('/programs/demo.prg')
    expect([grants.look(grant), grants.take(grant)]).toEqual(['/programs/demo.prg', '/programs/demo.prg'])
    expect(() => grants.look(grant)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
  })

  it('cannot be made up', () => {
    const grants = new Grants()
    for (const made of ['', '/programs/demo.prg', '__proto__', '00000000-0000-4000-8000-000000000000']) {
      expect(() => grants.take(made)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
    }
  })

  it('ends after ten minutes', () => {
    vi.useFakeTimers()
    const grants = new Grants()
    const { grant } = grants.issue('/programs/demo.prg')
    vi.advanceTimersByTime(10 * 60_000 + 1)
    expect(() => grants.take(grant)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
  })

  it('gives way to newer ones when there are very many', () => {
    const grants = new Grants()
    const first = grants.issue('/first')
    const others = Array.from({ length: 100 }, (_, index) => grants.issue(`/other/${index}`))
    expect(() => grants.take(first.grant)).toThrow()
    expect(grants.take(others[0]?.grant ?? '')).toBe('/other/0')
  })
})
