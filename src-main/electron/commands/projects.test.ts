import { expect, it, vi } from 'vitest'
import { Grants } from '../grants'
import type { BridgeCall } from '../router'
import { createProjectHandlers } from './projects'

function trust(isInRepository: boolean, answer: { isAgreed: boolean; isTicked: boolean }) {
  const folder = { path: '/tapes', root: '/tapes', identity: '1:2 /tapes', isInRepository }
  const answers: Readonly<Record<string, unknown>> = {
    'projects.folder': folder,
    'projects.setTrusted': { project: 1 },
    'loops.createRepository': { state: 'committed' },
  }
  const bridge = vi.fn((name: string) => Promise.resolve(answers[name]))
  const confirmWith = vi.fn(() => Promise.resolve(answer))
  const handlers = createProjectHandlers({
    bridge: bridge as unknown as BridgeCall,
    dialogs: { confirmWith, confirm: vi.fn(), open: vi.fn(), openFolder: vi.fn(), save: vi.fn() },
    grants: new Grants(),
    showInFolder: vi.fn(),
  })
  const done = handlers['projects.trust']({ project: 1 }, new AbortController().signal)
  return { done, called: () => bridge.mock.calls.map(([name]) => name), asked: () => confirmWith.mock.calls }
}

it('a folder in no repository gets one when that was ticked in the dialog that asks for trust', async () => {
  const { done, called, asked } = trust(false, { isAgreed: true, isTicked: true })
  expect(await done).toEqual({ trusted: true, repository: 'committed' })
  expect(called()).toEqual(['projects.folder', 'projects.setTrusted', 'loops.createRepository'])
  expect(asked()).toEqual([
    [expect.objectContaining({ message: 'Trust this folder?' }), expect.stringContaining('git init')],
  ])
})

it('nothing is made where it was not ticked, nor trusted where that was not agreed to', async () => {
  const unticked = trust(false, { isAgreed: true, isTicked: false })
  expect(await unticked.done).toEqual({ trusted: true, repository: null })
  expect(unticked.called()).not.toContain('loops.createRepository')
  const cancelled = trust(false, { isAgreed: false, isTicked: true })
  expect(await cancelled.done).toEqual({ trusted: false, repository: null })
  expect(cancelled.called()).toEqual(['projects.folder'])
})

it('a folder in a repository is asked about without it', async () => {
  const { done, asked } = trust(true, { isAgreed: true, isTicked: false })
  await done
  expect(asked()).toEqual([[expect.anything(), undefined]])
})
