/** Walks the whole contract: each command has its handler and its place in the preload, and takes nothing but what it says. */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { commands, events, isCommandName, type CommandName } from '@shared/contract/contract'
import { eventChannel, portChannel, requestChannel } from '@shared/contract/pageChannels'
import { pageRequestSchema } from '@shared/contract/pageRequest'
import { Dispatcher } from '../../src-main/bridge/dispatcher'
import type { Handlers } from '../../src-main/rpc/commands'
import { createHandlers } from '../../src-main/bridge/handlers'
import type { MainServices } from '../../src-main/electron/commands/services'
import { createMainHandlers } from '../../src-main/electron/mainCommands'
import { Router, type MainHandlers } from '../../src-main/electron/router'
import { goodInputs } from '../fixtures/commandInputs'

const names = Object.keys(commands).filter(isCommandName)
const ownedBy = (owner: 'main' | 'bridge') => names.filter((name) => commands[name].owner === owner).sort()
const forPage = names.filter((name) => commands[name].page).sort()

/** Everything that is like the good input but for one thing. */
function badInputs(name: CommandName): [what: string, input: unknown][] {
  const good: Record<string, unknown> = goodInputs[name]
  const withKey = (text: string): unknown => Object.assign(JSON.parse(text) as object, good)
  const bad: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'x'],
    ['a number', 1],
    ['a list', [good]],
    ['an extra key', { ...good, extra: 1 }],
    ['an extra key of ten megabytes', { ...good, extra: 'x'.repeat(10 * 1024 * 1024) }],
    ['a key __proto__', withKey('{"__proto__":{"isAdmin":true}}')],
    ['a key constructor', withKey('{"constructor":{"prototype":{}}}')],
  ]
  for (const [key, value] of Object.entries(good)) {
    const replaced = (what: string, wrong: unknown): void =>
      void bad.push([`${key} as ${what}`, { ...good, [key]: wrong }])
    replaced('an object', { unexpected: true })
    replaced('a function', () => 1)
    replaced('a huge text', 'x'.repeat(2_000_000))
    replaced('a huge list', new Array(100_000).fill('a'))
    replaced('a list of lists', [[[]]])
    if (typeof value === 'number')
      for (const wrong of [NaN, Infinity, -1, 1e12, '1', null, true]) replaced(String(wrong), wrong)
    if (typeof value === 'boolean') for (const wrong of [0, 1, 'true', null]) replaced(String(wrong), wrong)
    if (typeof value === 'string') for (const wrong of [0, true, '\0', '']) replaced(JSON.stringify(wrong), wrong)
    if (value instanceof Uint8Array) {
      replaced('an ArrayBuffer', new ArrayBuffer(8))
      replaced('a list of numbers', [1, 2, 3])
      replaced('far too many bytes', new Uint8Array(20 * 1024 * 1024))
    }
  }
  return bad
}

/** Bad only in general: these commands take just that. */
const accepted: Partial<Record<CommandName, readonly string[]>> = {
  'agentLine.begin': ['text as ""'],
  'agentLine.end': ['message as ""'],
  'machine.typeText': ['text as "\\u0000"', 'text as ""'],
  'machine.runProgram': ['path as "\\u0000"'],
  'machine.imagePrograms': ['path as "\\u0000"'],
  'machine.mountImage': ['path as "\\u0000"'],
  'machine.loadDriveRom': ['path as "\\u0000"'],
  'machine.setConfiguration': ['value as ""', 'value as 0'],
  'machine.createImage': ['title as ""'],
  'machine.saveState': ['path as "\\u0000"'],
  'machine.uploadFile': ['path as "\\u0000"'],
  'machine.downloadFile': ['path as "\\u0000"'],
  'machine.loadState': ['path as "\\u0000"'],
  'machine.getResource': ['name as "\\u0000"'],
  'machine.setResource': ['name as "\\u0000"', 'value as -1', 'value as 1'],
  'memory.search': ['query as ""'],
  'memory.setRegister': ['name as "\\u0000"', 'name as ""'],
  'running.trace': ['frames as null'],
  'running.coverage': ['seconds as null'],
  'recorder.imageAt': ['time as 1000000000000'],
  'recorder.changes': ['from as 1000000000000', 'to as 1000000000000'],
  'recorder.values': ['from as 1000000000000', 'to as 1000000000000'],
  'recorder.firstWhen': ['from as 1000000000000', 'to as 1000000000000'],
  'recorder.addMark': ['time as 1000000000000', 'value as -1', 'value as null'],
  'recorder.markMachine': ['time as 1000000000000', 'value as -1', 'value as null'],
  'recorder.exportTo': ['path as "\\u0000"'],
  'settings.setPaths': ['viceExecutable as "\\u0000"', 'tasksHome as "\\u0000"'],
  'projects.open': ['path as "\\u0000"'],
  'projects.showInFolder': ['file as ""'],
  'projects.pathOf': ['file as ""'],
  'projects.setTrusted': ['path as "\\u0000"'],
  'projects.run': ['at as 1000000000000'],
  'projects.rows': ['at as 1000000000000'],
  'projects.graph': ['at as 1000000000000'],
  'loops.estimate': ['place as ""'],
  'projects.details': ['at as 1000000000000'],
  'projects.file': ['at as 1000000000000'],
  'projects.compare': ['from as 1000000000000', 'to as 1000000000000'],
  'projects.commits': ['from as 1000000000000', 'from as null', 'to as 1000000000000', 'to as null'],
  'projects.journal': ['before as 1000000000000', 'before as null'],
  // The project's own folder.
  ...Object.fromEntries(
    (
      [
        'setup',
        'testAgent',
        'assign',
        'chooseOptions',
        'wantWorktree',
        'acceptEnv',
        'worktrees',
        'removeWorktree',
        'start',
        'dispatch',
        'pause',
        'stop',
        'turn',
        'lines',
        'rollBack',
      ] as const
    ).map((name) => [`loops.${name}`, ['place as ""']]),
  ),
  'agents.save': ['maxTurns as null', 'maxCost as null'],
  'agentRuns.log': ['from as null'],
  // Of a run as a whole.
  'projects.actions': ['target as ""', 'target as null'],
  'projects.draft': ['target as ""'],
  'projects.keepDraft': ['target as ""', 'values as null'],
  'snapshots.import': ['address as null'],
  // What an operation takes, its own schema says in the bridge.
  'tasks.start': ['args as an object'],
  'tasks.repair': ['stamp as "\\u0000"'],
  'tasks.startFailed': ['args as an object', 'reason as "\\u0000"'],
  'tasks.startGranted': ['args as an object'],
  'window.remember': ['layout as "\\u0000"', 'layout as ""', 'viewState as "\\u0000"', 'viewState as ""'],
  'window.saveText': ['text as "\\u0000"', 'text as ""'],
  'window.copyText': ['text as "\\u0000"', 'text as ""'],
}

describe('every command', () => {
  it('has exactly one handler, in the process that owns it', () => {
    const main = createMainHandlers({ app: {}, store: {} } as unknown as MainServices)
    const bridge = createHandlers({} as unknown as Parameters<typeof createHandlers>[0])
    expect(Object.keys(main).sort()).toEqual(ownedBy('main'))
    expect(Object.keys(bridge).sort()).toEqual(ownedBy('bridge'))
  })

  it.each(names)('%s takes its good input and, at main’s border and the bridge’s, no bad one', async (name) => {
    const reached = vi.fn()
    const ask = vi.fn(() => Promise.resolve(false))
    const stand = new Proxy({}, { get: () => reached })
    const router = new Router({
      handlers: stand as MainHandlers,
      bridge: reached,
      confirm: ask,
      connectPort: reached,
      filesDropped: reached,
      log: { warn: () => undefined },
    })
    const dispatcher = new Dispatcher(stand as Handlers, {
      trustsInputs: false,
      maxCalls: Infinity,
      log: () => undefined,
    })
    const page = { parent: null, origin: 'app://bridgedeck' }
    const { owner, page: isForPage, input: schema } = commands[name]

    expect(schema.safeParse(goodInputs[name]).error).toBeUndefined()
    for (const [what, input] of badInputs(name)) {
      if (accepted[name]?.includes(what)) continue
      expect(schema.safeParse(input).success, `${name} takes ${what}`).toBe(false)
      if (isForPage) {
        const result = await router.handle(page, { kind: 'call', command: name, input })
        expect(result, `${name} with ${what}`).toMatchObject({ ok: false, error: { code: 'INVALID' } })
      }
      if (owner === 'bridge') {
        const result = await dispatcher.call(1, name, input)
        expect(result, `${name} with ${what}`).toMatchObject({ ok: false, error: { code: 'INVALID' } })
      }
    }
    expect(reached).not.toHaveBeenCalled()
    expect(ask).not.toHaveBeenCalled()
  })

  it('that is destructive asks in main, and one that takes a path is not for the page', () => {
    expect(names.filter((name) => commands[name].confirm)).toEqual([
      'machine.quit',
      'machine.reboot',
      'machine.powerOff',
      'tasks.delete',
      'tasks.repair',
      'projects.forget',
      'agents.save',
      'agents.remove',
    ])
    // These name places on the machine's own storage, not on this computer.
    const ofTheMachine = [
      'machine.files',
      'machine.createImage',
      'machine.runFile',
      'machine.mountFile',
      'files.download',
    ]
    for (const name of forPage)
      if (!ofTheMachine.includes(name)) expect(Object.keys(goodInputs[name])).not.toContain('path')
    expect(forPage).not.toContain('settings.setPaths')
  })
})

describe('the preload', () => {
  const exposed: Record<string, unknown> = {}
  const invoked: unknown[][] = []
  const heard = new Map<string, (event: unknown, ...args: unknown[]) => void>()
  const posted: unknown[][] = []
  const dom = new Map<string, (event: unknown) => void>()

  beforeAll(async () => {
    vi.doMock('electron', () => ({
      contextBridge: { exposeInMainWorld: (name: string, api: unknown) => (exposed[name] = api) },
      ipcRenderer: {
        invoke: (...args: unknown[]) => {
          invoked.push(args)
          return Promise.resolve({ ok: true, data: {} })
        },
        on: (channel: string, listener: (event: unknown) => void) => heard.set(channel, listener),
      },
      webUtils: { getPathForFile: () => '/programs/demo.prg' },
    }))
    vi.stubGlobal('window', {
      addEventListener: (name: string, listener: (event: unknown) => void) => dom.set(name, listener),
      postMessage: (...args: unknown[]) => posted.push(args),
    })
    vi.stubGlobal('location', { origin: 'app://bridgedeck' })
    vi.stubGlobal('navigation', {
      addEventListener: (name: string, listener: (event: unknown) => void) => dom.set(name, listener),
    })
    await import('../../src-preload/preload')
    return () => vi.unstubAllGlobals()
  })

  const api = () =>
    exposed.bridgedeck as Record<string, Record<string, (...args: unknown[]) => unknown>> & {
      onEvent: (name: string, callback: (...args: unknown[]) => void) => () => void
      connectPort: (plane: string, nonce: string) => Promise<unknown>
      cancel: (callId: string) => void
    }

  it.each([
    ['about:blank', null, 1],
    ['https://example.org/', null, 1],
    ['app://bridgedeck/index.html', null, 0],
  ])('keeps the page from leaving for %s', (url, downloadRequest, prevented) => {
    const preventDefault = vi.fn()
    dom.get('navigate')?.({ destination: { url }, downloadRequest, preventDefault })
    expect(preventDefault).toHaveBeenCalledTimes(prevented)
  })

  it('exposes the page’s commands and four functions, and nothing else', () => {
    expect(Object.keys(exposed)).toEqual(['bridgedeck'])
    const { cancel, onEvent, connectPort, ...areas } = api()
    for (const verb of [cancel, onEvent, connectPort]) expect(verb).toBeTypeOf('function')
    const functions = Object.entries(areas).flatMap(([area, verbs]) =>
      Object.keys(verbs).map((verb) => `${area}.${verb}`),
    )
    expect(functions.sort()).toEqual(forPage)
  })

  it.each(forPage)('sends %s over the one channel, in the form that main takes', async (name) => {
    const [area = '', verb = ''] = name.split('.')
    invoked.length = 0
    await api()[area]?.[verb]?.(goodInputs[name], 'call-1')
    expect(invoked).toEqual([
      [requestChannel, { kind: 'call', command: name, input: goodInputs[name], callId: 'call-1' }],
    ])
    expect(pageRequestSchema.safeParse(invoked[0]?.[1]).success).toBe(true)
  })

  it('gives a callback the payload alone, until it is taken off', () => {
    const calls: unknown[][] = []
    const stop = api().onEvent('window.action', (...args) => calls.push(args))
    const tell = () =>
      heard.get(eventChannel)?.(
        { sender: 'not for the page' },
        { event: 'window.action', payload: { action: 'view.memory' } },
      )
    tell()
    stop()
    tell()
    expect(calls).toEqual([[{ action: 'view.memory' }]])
  })

  it('refuses to listen to anything but the events of the contract', () => {
    expect(() => api().onEvent('bridgedeck:request', () => undefined)).toThrow()
    expect(() => api().onEvent('__proto__', () => undefined)).toThrow()
    for (const event of Object.keys(events)) api().onEvent(event, () => undefined)()
  })

  it('passes a port on once, and only for a nonce that the page asked with', async () => {
    const arrive = (nonce: string) => heard.get(portChannel)?.({ ports: ['port'] }, nonce)
    arrive('a-nonce-never-asked-for')
    expect(posted).toEqual([])
    await api().connectPort('audio', 'a-nonce-of-the-page-1')
    arrive('a-nonce-of-the-page-1')
    arrive('a-nonce-of-the-page-1')
    expect(posted).toEqual([['a-nonce-of-the-page-1', 'app://bridgedeck', ['port']]])
  })

  it('tells main alone the path of a file that a person dropped', () => {
    const drop = (isTrusted: boolean) =>
      dom.get('drop')?.({ isTrusted, preventDefault: () => undefined, dataTransfer: { files: [{}] } })
    invoked.length = 0
    drop(false)
    expect(invoked).toEqual([])
    drop(true)
    expect(invoked).toEqual([[requestChannel, { kind: 'filesDropped', paths: ['/programs/demo.prg'] }]])
  })
})
