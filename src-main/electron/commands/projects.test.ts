import { expect, it, vi } from 'vitest'
import { Grants } from '../grants'
import type { BridgeCall } from '../router'
import { createProjectHandlers } from './projects'

const top = { root: '/work', identity: '1:3 /work' }

function handlersFor(folder: object, agreed: boolean) {
  const bridge = vi.fn((name: string, _input: unknown) =>
    Promise.resolve(name === 'projects.folder' ? folder : { project: 2 }),
  )
  const confirm = vi.fn(() => Promise.resolve(agreed))
  const handlers = createProjectHandlers({
    bridge: bridge as unknown as BridgeCall,
    dialogs: { confirmWith: vi.fn(), confirm, open: vi.fn(), openFolder: vi.fn(), save: vi.fn() },
    grants: new Grants(),
    showInFolder: vi.fn(),
  })
  return {
    ask: () => handlers['projects.trustRepository']({ project: 1 }, new AbortController().signal),
    bridge,
    confirm,
  }
}

it.each([true, false])(
  'the top of a repository above the project is trusted as a dialog that names it says: %s',
  async (agreed) => {
    const { ask, bridge, confirm } = handlersFor({ repositoryAbove: top }, agreed)
    expect(await ask()).toEqual({ trusted: agreed })
    expect(confirm.mock.calls).toEqual([
      [expect.objectContaining({ detail: expect.stringContaining('/work') as string })],
    ])
    const trusted = bridge.mock.calls.filter(([name]) => name === 'projects.setTrusted').map(([, input]) => input)
    expect(trusted).toEqual(agreed ? [{ path: top.root, identity: top.identity }] : [])
  },
)

it('nobody is asked about the top of a repository that needs no trust', async () => {
  const { ask, confirm } = handlersFor({ repositoryAbove: null }, false)
  expect(await ask()).toEqual({ trusted: true })
  expect(confirm).not.toHaveBeenCalled()
})

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
