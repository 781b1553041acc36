import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenRequest } from './launchArguments'
import { Opener } from './opener'

const send = vi.fn<(open: OpenRequest) => void>()
let opener: Opener

beforeEach(() => {
  send.mockClear()
  opener = new Opener(send)
})

describe('what is to be opened', () => {
  it('waits until the page listens, and again while it is loaded anew', () => {
    opener.open({ kind: 'program', path: '/first.prg' })
    expect(send).not.toHaveBeenCalled()
    opener.pageStarted()
    expect(send.mock.calls).toEqual([[{ kind: 'program', path: '/first.prg' }]])
    opener.pageGone()
    opener.open({ kind: 'machine', machine: 'vice' })
    expect(send).toHaveBeenCalledTimes(1)
    opener.pageStarted()
    opener.pageStarted()
    expect(send.mock.calls[1]).toEqual([{ kind: 'machine', machine: 'vice' }])
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('is taken from a second start once it is checked', () => {
    opener.pageStarted()
    opener.openFromSecondStart({ open: { kind: 'machine', machine: 'vice:6502' } })
    expect(send).toHaveBeenCalledWith({ kind: 'machine', machine: 'vice:6502' })
  })

  it.each([
    null,
    undefined,
    'demo.prg',
    {},
    { open: null },
    { open: { kind: 'machine', machine: '$(x)' } },
    { open: { kind: 'eval', code: '1' } },
  ])('is not %j', (handedOver) => {
    opener.pageStarted()
    opener.openFromSecondStart(handedOver)
    expect(send).not.toHaveBeenCalled()
  })
})
