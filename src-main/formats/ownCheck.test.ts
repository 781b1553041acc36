import { describe, expect, it } from 'vitest'
import { decisionsOf } from './hostChecks'
import { Values } from './edit/offer'
import { ownCheck, ownCheckOffer } from './ownCheck'

const none = new Map<string, string>()
const set = (remembered: ReadonlyMap<string, string>, command: string) => {
  const offer = ownCheckOffer(remembered, { file: 'tasks.md' }, { when: 'after each turn', then: 'It waits.' })
  const { remember = {}, summary } = offer.plan(new Values({ command }, 1))
  const kept = Object.entries({ ...Object.fromEntries(remembered), ...remember })
  return { summary, after: new Map(kept.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))) }
}

describe('a check command of the person’s own', () => {
  it('is none until it is set, and approved by its exact words', () => {
    expect(ownCheck(none)).toBeUndefined()
    const { after, summary } = set(none, ' make  test ')
    expect([ownCheck(after), summary]).toEqual(['make  test', 'Set the check command: make  test'])
    expect(decisionsOf(after).approved).toEqual(['make  test'])
  })

  it('is taken away by an empty one', () => {
    expect(ownCheck(set(set(none, 'make test').after, '').after)).toBeUndefined()
  })

  it.each(['a\nb', 'a\u200bb', 'x'.repeat(501)])('is refused where not all of it can be seen: %j', (command) => {
    expect(() => set(none, command)).toThrow('at most 500 characters')
  })

  it('is refused where nothing would change', () => {
    expect(() => set(none, '')).toThrow('already')
    expect(() => set(set(none, 'make test').after, 'make test')).toThrow('already')
  })
})
