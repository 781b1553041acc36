import { beforeEach, describe, expect, it } from 'vitest'
import { jump, jumpBack, jumpForward } from './jumps'
import { dismissAll, useMessages } from './messages'

let place = 0
const goTo = (to: number) => {
  const from = place
  jump({ go: () => (place = to), goBack: () => (place = from) })
}

describe('following addresses', () => {
  beforeEach(dismissAll)

  it('leads back step by step, and forward again', () => {
    goTo(1)
    goTo(2)
    jumpBack()
    expect(place).toBe(1)
    jumpBack()
    expect(place).toBe(0)
    jumpForward()
    jumpForward()
    expect(place).toBe(2)
    jumpBack()
    goTo(3)
    jumpForward()
    expect(place).toBe(3)
    expect(useMessages.getState().open.map(({ text }) => text)).toEqual(['There is no later place to go to.'])
  })

  it('says where there is no place before', () => {
    for (let step = 0; step < 3; step++) jumpBack()
    expect(place).toBe(0)
    expect(useMessages.getState().open.map(({ text }) => text)).toEqual(['There is no earlier place to go back to.'])
  })
})
