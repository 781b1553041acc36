import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenRequest } from './launchArguments'
import { Opener } from './opener'
import type { Question } from './router'

const send = vi.fn<(open: OpenRequest) => void>()
const confirm = vi.fn<(question: Question) => Promise<boolean>>()
let opener: Opener

beforeEach(() => {
  send.mockClear()
  confirm.mockReset()
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

  it('is a second start’s program at once, and its machine when the user agrees', async () => {
    opener.pageStarted()
    const vice = { open: { kind: 'machine', machine: 'vice:6502' } }
    await opener.openFromSecondStart(vice, confirm.mockResolvedValue(false))
    expect(confirm).toHaveBeenCalledWith(expect.objectContaining({ message: 'Connect to vice:6502?' }))
    expect(send).not.toHaveBeenCalled()
    await opener.openFromSecondStart(vice, confirm.mockResolvedValue(true))
    expect(send).toHaveBeenCalledWith({ kind: 'machine', machine: 'vice:6502' })
    confirm.mockClear()
    await opener.openFromSecondStart({ open: { kind: 'program', path: '/demo.prg' } }, confirm)
    expect(send).toHaveBeenCalledWith({ kind: 'program', path: '/demo.prg' })
    expect(confirm).not.toHaveBeenCalled()
  })

  it.each([
    null,
    undefined,
    'demo.prg',
    {},
    { open: null },
    { open: { kind: 'machine', machine: '$(x)' } },
    { open: { kind: 'eval', code: '1' } },
  ])('is not %j', async (handedOver) => {
    opener.pageStarted()
    await opener.openFromSecondStart(handedOver, confirm)
    expect(confirm).not.toHaveBeenCalled()
    expect(send).not.toHaveBeenCalled()
  })
})
