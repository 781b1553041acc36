import { array, assert, constantFrom, property, set } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { c64Keys, type C64Key } from '@shared/c64/keyboardMatrix'
import { joystickEvents, keyEvents } from './input'

describe('keys that are held', () => {
  it('go out as what changed, releases first', () => {
    expect(keyEvents(new Set(['a', 'b']), new Set(['b', 'c']))).toEqual([
      { kind: 'keyboard', inputs: ['a'], transition: 'release' },
      { kind: 'keyboard', inputs: ['c'], transition: 'press' },
    ])
  })

  it('RESTORE is tapped alone, and once', () => {
    expect(keyEvents(new Set(), new Set(['restore', 'a']))).toEqual([
      { kind: 'keyboard', inputs: ['a'], transition: 'press' },
      { kind: 'keyboard', inputs: ['restore'], transition: 'tap' },
    ])
    expect(keyEvents(new Set(['restore']), new Set(['restore']))).toEqual([])
    expect(keyEvents(new Set(['restore']), new Set())).toEqual([])
  })

  it('after any changes those are held that were wanted last, and no event names more than eight', () => {
    const keys = set(constantFrom(...c64Keys.filter((key) => key !== 'restore')), { maxLength: 20 })
    assert(
      property(array(keys, { minLength: 1 }), (states) => {
        const held = new Set<string>()
        let before: ReadonlySet<C64Key> = new Set()
        for (const state of states) {
          const wanted = new Set(state)
          for (const event of keyEvents(before, wanted)) {
            if (event.kind !== 'keyboard') throw new Error('only keys')
            expect(event.inputs.length).toBeLessThanOrEqual(8)
            for (const key of event.inputs)
              if (event.transition === 'press') held.add(key)
              else held.delete(key)
          }
          before = wanted
        }
        expect([...held].sort()).toEqual([...(states.at(-1) ?? [])].sort())
      }),
    )
  })
})

it('a joystick goes out as what changed', () => {
  expect(joystickEvents(2, new Set(['up', 'fire']), new Set(['down', 'fire']))).toEqual([
    { kind: 'joystick', port: 2, inputs: ['up'], transition: 'release' },
    { kind: 'joystick', port: 2, inputs: ['down'], transition: 'press' },
  ])
})
