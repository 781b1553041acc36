import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Consents } from './consents'

const claude = { agent: 1, name: 'claude', colour: 0 }
const signal = new AbortController().signal

let kept: Map<string, string>
let consents: Consents
const open = (canAsk = true, waitMs = 10_000): Consents =>
  new Consents({
    notes: {
      get: (name) => kept.get(name),
      set: (name, value) => void kept.set(name, value),
      delete: (name) => void kept.delete(name),
    },
    canAsk,
    waitMs,
    onChanged: () => undefined,
  })
beforeEach(() => {
  kept = new Map()
  consents = open()
  consents.join(1, 'claude', [])
})
afterEach(() => consents.leave(1))

const require = (right: 'look' | 'change' | 'power'): Promise<void> => consents.require(claude, right, 'write', signal)
const answer = (consent: 'once' | 'session' | 'always' | 'refuse'): void => {
  consents.answer(consents.questions[0]?.question ?? 0, consent)
}

describe('what the person allows an agent', () => {
  it('is to look without a question', async () => {
    await require('look')
    expect(consents.questions).toEqual([])
  })

  it('holds for the call, the session or always, as they answer', async () => {
    const first = require('change')
    expect(consents.questions).toMatchObject([{ name: 'claude', right: 'change', text: 'write' }])
    answer('once')
    await first
    const second = require('change')
    answer('session')
    await second
    await require('change')
    const power = require('power')
    answer('always')
    await power
    consents.leave(1)
    consents.join(2, 'claude', [])
    await consents.require({ ...claude, agent: 2, name: 'claude 2' }, 'power', '', signal)
    expect(consents.granted(2)).toEqual([{ right: 'power', for: 'always' }])
    consents.revoke(2, 'power')
    expect(consents.granted(2)).toEqual([])
    expect(kept.size).toBe(0)
  })

  it('is asked in one question, however many calls wait for it', async () => {
    const both = [require('change'), require('change')]
    expect(consents.questions).toHaveLength(1)
    answer('once')
    await Promise.all(both)
  })

  it('is not asked again once they refused, until they grant it', async () => {
    const first = expect(require('change')).rejects.toThrow('The person does not allow you to change machines')
    answer('refuse')
    await first
    await expect(require('change')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect([consents.questions, consents.refused(1)]).toEqual([[], ['change']])
    consents.grant(1, 'change', 'session')
    await require('change')
  })

  it('waits for an answer a while, and an answer for one call that comes later counts for the next', async () => {
    consents = open(true, 1)
    consents.join(1, 'claude', [])
    await expect(require('change')).rejects.toThrow('has not answered yet')
    answer('once')
    await require('change')
    const again = expect(require('change')).rejects.toMatchObject({ code: 'BUSY' })
    expect(consents.questions).toHaveLength(1)
    await again
  })

  it('ends with the agent, and with its call', async () => {
    const abort = new AbortController()
    const cancelled = consents.require(claude, 'change', '', abort.signal)
    abort.abort()
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' })
    const left = expect(require('change')).rejects.toMatchObject({ code: 'FORBIDDEN' })
    consents.leave(1)
    await left
    expect(consents.questions).toEqual([])
  })

  it('is what the command line said where no window is there to ask in', async () => {
    consents = open(false)
    consents.join(1, 'claude', ['change'])
    await require('change')
    await expect(require('power')).rejects.toMatchObject({
      code: 'FORBIDDEN',
      hint: expect.stringContaining('--allow power') as string,
    })
  })
})
