import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenRequest } from './launchArguments'
import { NamedFiles, Opener } from './opener'
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

describe('files that macOS names by events', () => {
  it('are kept until they can be opened, and opened at once from then on', () => {
    const events = new EventEmitter()
    const files = new NamedFiles(events)
    const prevented = vi.fn()
    const name = (path: string) => events.emit('open-file', { preventDefault: prevented }, path)
    name('/early.prg')
    const opened: string[] = []
    files.openWith((path) => opened.push(path))
    name('/later.prg')
    expect(opened).toEqual(['/early.prg', '/later.prg'])
    expect(prevented).toHaveBeenCalledTimes(2)
  })
})
