import { describe, expect, it } from 'vitest'
import { LEASE_MS, Leases, RESERVED_MS } from './leases'

const ann = { agent: 1, name: 'Ann', colour: 0 }
const bob = { agent: 2, name: 'Bob', colour: 1 }

describe('the lease of a machine', () => {
  it('is with whoever changed it last, and another is told who and until when', () => {
    let now = Date.parse('2026-01-02T03:04:05')
    const leases = new Leases(() => now)
    leases.take('builtin', ann, 1)
    expect(() => leases.take('builtin', bob, 2)).toThrow('builtin is busy: Ann until 03:04:10.')
    leases.take('vice', bob, 3)
    now += LEASE_MS - 1
    expect(leases.of('builtin')).toMatchObject({ holder: ann })
    now += 1
    leases.take('builtin', bob, 4)
    expect(leases.all.map(({ machine, holder }) => [machine, holder?.name])).toEqual([['builtin', 'Bob']])
  })

  it('is extended by each change while nobody waits, and then by the call that runs alone', () => {
    let now = 0
    const leases = new Leases(() => now)
    leases.take('builtin', ann, 1)
    now += LEASE_MS - 1
    leases.take('builtin', ann, 2)
    expect(() => leases.take('builtin', bob, 3)).toThrow('busy')
    now += LEASE_MS - 1
    leases.take('builtin', ann, 2)
    now += LEASE_MS - 1
    leases.take('builtin', ann, 4)
    now += 1
    expect(() => leases.take('builtin', ann, 5)).toThrow('busy: Bob')
    leases.take('builtin', bob, 6)
  })

  it('is kept for a while only for who was told to wait', () => {
    let now = 0
    const leases = new Leases(() => now)
    leases.take('builtin', ann, 1)
    expect(() => leases.take('builtin', bob, 2)).toThrow('busy')
    now += LEASE_MS + RESERVED_MS
    leases.take('builtin', ann, 3)
  })

  it('ends when its holder leaves, and nothing is kept for one who left', () => {
    let now = 0
    const leases = new Leases(() => now)
    leases.take('builtin', ann, 1)
    leases.giveUp(1)
    leases.take('builtin', bob, 2)
    expect(() => leases.take('builtin', ann, 3)).toThrow('busy')
    leases.giveUp(1)
    now += LEASE_MS
    leases.take('builtin', bob, 4)
  })

  it('is the person’s until they hand it back', () => {
    let now = 0
    const leases = new Leases(() => now)
    leases.take('builtin', ann, 1)
    leases.takeOver('builtin')
    now += 1_000_000
    expect(() => leases.take('builtin', ann, 2)).toThrow('the person took it over')
    leases.handBack('builtin')
    leases.take('builtin', ann, 3)
    leases.handBack('builtin')
    expect(leases.of('builtin')).toMatchObject({ holder: ann })
  })
})
