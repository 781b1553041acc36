import { describe, expect, it } from 'vitest'
import { ListFollower } from './listFollower'

const change = (from: number, revision = from + 1) => ({ from, revision })

describe('a list that is followed', () => {
  it('tells when changes were missed, but not of another bridge', () => {
    const follower = new ListFollower(() => Promise.resolve())
    expect(follower.receive(change(4))).toBe(false)
    expect(follower.receive(change(5))).toBe(false)
    expect(follower.receive(change(7))).toBe(true)
    follower.forget()
    expect(follower.receive(change(0))).toBe(false)
  })

  it('is given what came while it was read, from its oldest page on', async () => {
    const seen: number[] = []
    let finish = (): void => undefined
    const pages = new Promise<void>((resolve) => (finish = resolve))
    const follower = new ListFollower(async (changesAfter) => {
      await pages
      seen.push(...changesAfter(5).map(({ revision }) => revision))
    })
    follower.receive(change(3))
    const refreshed = follower.refresh()
    for (const from of [4, 5, 6]) follower.receive(change(from))
    expect(follower.refresh()).toBe(refreshed)
    finish()
    await refreshed
    expect(seen).toEqual([6, 7])
  })

  it('is read again after reading failed', async () => {
    let reads = 0
    const follower = new ListFollower(() => (++reads === 1 ? Promise.reject(new Error('gone')) : Promise.resolve()))
    await expect(follower.refresh()).rejects.toThrow('gone')
    await follower.refresh()
    expect(reads).toBe(2)
  })
})
