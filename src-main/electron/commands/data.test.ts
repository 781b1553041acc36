import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { Grants } from '../grants'
import type { BridgeCall } from '../router'
import { createDataHandlers } from './data'

const dataFolder = join(tmpdir(), 'bridgedeck-is-not-there')
const signal = new AbortController().signal

function handlersWith(answers: Readonly<Record<string, unknown>>, isAgreed = true, saveTo?: string) {
  const bridge = vi.fn((name: string) => {
    const answer = answers[name]
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
  })
  const confirm = vi.fn((_question: { detail: string }) => Promise.resolve(isAgreed))
  const startFresh = vi.fn()
  const openFolder = vi.fn(() => Promise.resolve(''))
  const dialogs = {
    confirm,
    confirmWith: vi.fn(),
    open: vi.fn(),
    openFolder: vi.fn(),
    save: () => Promise.resolve(saveTo),
  }
  const handlers = createDataHandlers({
    bridge: bridge as unknown as BridgeCall,
    dataFolder,
    dialogs,
    grants: new Grants(),
    openFolder,
    startFresh,
  })
  return { handlers, bridge, confirm, startFresh, openFolder }
}

const idle = { 'tasks.live': { tasks: [] }, 'agentRuns.live': { runs: [] } }

describe('starting fresh', () => {
  it('names where the data goes, and happens only after a yes', async () => {
    const { handlers, confirm, startFresh } = handlersWith(idle)
    expect(await handlers['data.startFresh']({}, signal)).toEqual({ isAgreed: true })
    expect(confirm.mock.calls[0]?.[0].detail).toContain(`${dataFolder}-before-`)
    expect(startFresh).toHaveBeenCalledOnce()
  })

  it('does not happen after a no', async () => {
    const { handlers, startFresh } = handlersWith(idle, false)
    expect(await handlers['data.startFresh']({}, signal)).toEqual({ isAgreed: false })
    expect(startFresh).not.toHaveBeenCalled()
  })

  it('waits until tasks and agents have ended', async () => {
    const { handlers, confirm } = handlersWith({ ...idle, 'tasks.live': { tasks: [{ id: '0001_read' }] } })
    await expect(handlers['data.startFresh']({}, signal)).rejects.toMatchObject({ code: 'BUSY' })
    expect(confirm).not.toHaveBeenCalled()
  })

  it('helps where the bridge cannot start', async () => {
    const down = new AppError('BRIDGE_DOWN', 'It cannot start.')
    const { handlers, startFresh } = handlersWith({ 'tasks.live': down, 'agentRuns.live': down })
    await handlers['data.startFresh']({}, signal)
    expect(startFresh).toHaveBeenCalledOnce()
  })
})

describe('a backup', () => {
  it('goes where the person says, and nowhere without that', async () => {
    const made = { bytes: 10, files: 2, left: [], leftCount: 0 }
    const cancelled = handlersWith({ 'data.backUpTo': made })
    expect(await cancelled.handlers['data.backUp']({}, signal)).toMatchObject({ saved: null })
    expect(cancelled.bridge).not.toHaveBeenCalled()
    const { handlers, bridge } = handlersWith({ 'data.backUpTo': made }, true, '/backups/one.tar.gz')
    expect(await handlers['data.backUp']({}, signal)).toMatchObject({ saved: { name: 'one.tar.gz' }, leftCount: 0 })
    expect(bridge).toHaveBeenCalledWith('data.backUpTo', { path: '/backups/one.tar.gz' }, signal)
  })
})

it('only the data folder itself is opened', async () => {
  const { handlers, openFolder } = handlersWith({})
  await handlers['data.showFolder']({}, signal)
  expect(openFolder).toHaveBeenCalledWith(dataFolder)
})
