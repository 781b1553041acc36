import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { runTypescript } from '../../test/support/runTypescript'
import { RegexMatcher } from './matcher'

const workerPath = resolve('test/support/regexWorker.mjs')

describe('a search for a regular expression', () => {
  // The worker's start is not what is tested here, nor is this computer's speed.
  const matcher = new RegexMatcher(workerPath, 2_000)
  afterAll(() => matcher.close())

  it('says where it matches first and what matches, or that nothing does', async () => {
    expect(await matcher.match('r[e]+ady', 'i', '**** C64 ****\nREADY.')).toEqual({ index: 14, text: 'READY' })
    expect(await matcher.match('^x', 'm', 'READY.')).toBeNull()
  })

  it('refuses what is no regular expression', async () => {
    await expect(matcher.match('(', '', 'text')).rejects.toThrow(/^\/\(\/ is no regular expression/)
    await expect(matcher.match('a', 'q', 'text')).rejects.toMatchObject({ code: 'INVALID' })
  })

  it('answers searches that come at once each with its own match', async () => {
    const found = await Promise.all(['a', 'b', 'c'].map((letter) => matcher.match(letter, '', 'abc')))
    expect(found.map((match) => match?.index)).toEqual([0, 1, 2])
  })
})

describe('a search on a computer that is busy', () => {
  it('is given up for the processor time that it took, not for the time that passed', async () => {
    // Far less than its second of processor time, and stopped for longer than that in the middle: only time can show it.
    const child = runTypescript(resolve('test/peers/slowSearch.ts'), [workerPath, '1000'])
    const said = () => once(child.stdout, 'data').then(String)
    const first = await said()
    const rest = said()
    await sleep(50)
    child.kill('SIGSTOP')
    await sleep(1_200)
    child.kill('SIGCONT')
    expect(first.includes('no match') ? first : await rest).toContain('no match')
  })
})

describe('a search that would never end', () => {
  const matcher = new RegexMatcher(workerPath, 500)
  afterAll(() => matcher.close())
  const endless = () => matcher.match('^(a+)+$', '', `${'a'.repeat(60)}!`)

  it('is given up while everything else goes on, and the next search is answered', async () => {
    let ticks = 0
    const clock = setInterval(() => ticks++, 5)
    await expect(endless()).rejects.toThrow(/longer than 500 ms and was given up/)
    clearInterval(clock)
    expect(ticks).toBeGreaterThan(1)
    expect(await matcher.match('b', '', 'ab')).toEqual({ index: 1, text: 'b' })
  })

  it('does not take the time of one that waits behind it', async () => {
    const [first, second] = await Promise.allSettled([endless(), matcher.match('a', '', 'a')])
    expect(first.status).toBe('rejected')
    expect(second).toMatchObject({ status: 'fulfilled', value: { index: 0 } })
  })
})
