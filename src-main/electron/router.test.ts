import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError, type Result } from '@shared/contract/errors'
import { bridgeCaller, Router, type BridgeCall, type MainHandlers, type RouterOptions } from './router'
import type { SenderFrame } from './trust'

const page: SenderFrame = { parent: null, origin: 'app://bridgedeck' }
const call = (command: string, input: unknown, callId?: string) => ({
  kind: 'call',
  command,
  input,
  ...(callId === undefined ? {} : { callId }),
})

const supervisorCall =
  vi.fn<(command: string, input: unknown, deadline: number, signal?: AbortSignal) => Promise<unknown>>()
const confirm = vi.fn<RouterOptions<SenderFrame>['confirm']>()
const connectPort = vi.fn<RouterOptions<SenderFrame>['connectPort']>()
const filesDropped = vi.fn<(paths: readonly string[]) => void>()
const log = { warn: vi.fn<(message: string, cause?: unknown) => void>() }
const copyText = vi.fn<MainHandlers['window.copyText']>()
const readText = vi.fn<MainHandlers['window.readClipboardText']>()

let router: Router<SenderFrame>
const ask = (request: unknown): Promise<Result<unknown>> => router.handle(page, request)

beforeEach(() => {
  vi.resetAllMocks()
  // Only the handlers that these tests call.
  const handlers = { 'window.copyText': copyText, 'window.readClipboardText': readText } as unknown as MainHandlers
  const bridge: BridgeCall = bridgeCaller({ call: supervisorCall }, log)
  router = new Router({ handlers, bridge, confirm, connectPort, filesDropped, log })
})
afterEach(() => void vi.useRealTimers())

const code = (result: Result<unknown>) => (result.ok ? 'ok' : result.error.code)

describe('who may ask', () => {
  it.each([
    ['a frame that has gone', null],
    ['a subframe', { parent: {}, origin: 'app://bridgedeck' }],
    ['another origin', { parent: null, origin: 'https://example.org' }],
  ])('is not %s', async (_who, frame) => {
    expect(code(await router.handle(frame, call('machine.list', {})))).toBe('FORBIDDEN')
    expect(code(await router.handle(frame, { kind: 'filesDropped', paths: ['/etc/passwd'] }))).toBe('FORBIDDEN')
    expect(supervisorCall).not.toHaveBeenCalled()
    expect(filesDropped).not.toHaveBeenCalled()
  })
})

describe('what the bridge answers', () => {
  it('reaches the page without the entries that do not fit, which are logged', async () => {
    supervisorCall.mockResolvedValue({ tasks: [{ id: '0001_read', type: 'background', name: 'read' }, { id: 'a\nb' }] })
    expect(await ask(call('tasks.live', {}))).toMatchObject({ ok: true, data: { tasks: [{ id: '0001_read' }] } })
    expect(log.warn.mock.calls[0]?.[0]).toContain('tasks.1.id')
  })

  it('is refused where it is something else as a whole', async () => {
    supervisorCall.mockResolvedValue({ tasks: 'none' })
    expect(code(await ask(call('tasks.live', {})))).toBe('INTERNAL')
  })
})

describe('what may be asked', () => {
  it.each([
    'machine.runProgram',
    'settings.setPaths',
    'machine.setResource',
    'no.such',
    '__proto__',
    'constructor',
    'toString',
  ])('is not %s', async (command) => {
    expect(code(await ask(call(command, {})))).toBe('FORBIDDEN')
  })

  it.each([
    undefined,
    null,
    'call',
    {},
    { kind: 'eval' },
    { kind: 'call' },
    { ...call('machine.list', {}), channel: 'x' },
    call('a'.repeat(101), {}),
  ])('has the one form of a request, and not %j', async (request) => {
    expect(code(await ask(request))).toBe('INVALID')
  })

  it('goes on to the bridge with its deadline, and comes back parsed', async () => {
    supervisorCall.mockResolvedValue({ machines: [] })
    expect(await ask(call('machine.list', {}))).toEqual({ ok: true, data: { machines: [] } })
    expect(supervisorCall).toHaveBeenCalledWith('machine.list', {}, 5_000, expect.any(AbortSignal))
  })

  it('is answered with the paths of the wrong fields only; the log has the rest', async () => {
    const result = await ask(call('machine.pause', { machine: 'vice', extra: 'a secret' }))
    expect(code(result)).toBe('INVALID')
    expect(JSON.stringify(result)).not.toContain('a secret')
    expect(log.warn).toHaveBeenCalledOnce()
    expect(supervisorCall).not.toHaveBeenCalled()
  })
})

describe('the answer', () => {
  it('carries no stack, path or text of an unknown error', async () => {
    supervisorCall.mockRejectedValue(new Error('secret in /home/somebody/.ssh'))
    const result = await ask(call('machine.list', {}))
    expect(code(result)).toBe('INTERNAL')
    expect(JSON.stringify(result)).not.toMatch(/secret|home|stack|\.ts/)
    expect(log.warn).toHaveBeenCalledOnce()
  })

  it('carries a known error whole', async () => {
    supervisorCall.mockRejectedValue(new AppError('UNREACHABLE', 'Nothing answers.', { hint: 'Start VICE.' }))
    expect(await ask(call('machine.list', {}))).toEqual({
      ok: false,
      error: { code: 'UNREACHABLE', message: 'Nothing answers.', hint: 'Start VICE.' },
    })
  })

  it('is refused when the bridge says something that the contract does not have', async () => {
    supervisorCall.mockResolvedValue({ machines: 'all of them' })
    expect(code(await ask(call('machine.list', {})))).toBe('INTERNAL')
  })

  it('has its bytes in buffers of exactly their size', async () => {
    supervisorCall.mockResolvedValue({ bytes: Buffer.from('four'), time: 1 })
    const result = await ask(call('memory.read', { machine: 'builtin', space: 'ram', address: 0, length: 4 }))
    const { bytes } = (result.ok ? result.data : {}) as { bytes: Uint8Array }
    expect(bytes.buffer.byteLength).toBe(4)
    expect(Buffer.isBuffer(bytes)).toBe(false)
  })

  it('sends on bytes in buffers of exactly their size', async () => {
    supervisorCall.mockResolvedValue({ written: 2 })
    const bytes = new Uint8Array(1000).subarray(10, 12)
    await ask(call('memory.write', { machine: 'builtin', space: 'ram', address: 0, bytes }))
    const sent = supervisorCall.mock.calls[0]?.[1] as { bytes: Uint8Array }
    expect(sent.bytes.buffer.byteLength).toBe(2)
  })
})

describe('limits', () => {
  it('refuses more than a thousand calls of one command a second', async () => {
    vi.useFakeTimers()
    supervisorCall.mockResolvedValue({ machines: [] })
    const results: Result<unknown>[] = []
    for (let count = 0; count < 1_001; count++) results.push(await ask(call('machine.list', {})))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1_000)
    expect(code(results[1_000] ?? { ok: true, data: null })).toBe('BUSY')
    supervisorCall.mockResolvedValue({ registers: [] })
    expect(code(await ask(call('memory.registers', { machine: 'builtin' })))).toBe('ok')
  })

  it('refuses at once what would wait behind a hundred others, and takes calls again when those have ended', async () => {
    supervisorCall.mockImplementation(
      (_command, _input, _deadline, signal) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new AppError('CANCELLED', 'It was cancelled.'))),
        ),
    )
    const calls = Array.from({ length: 300 }, (_, index) =>
      ask(call(index % 2 === 0 ? 'machine.list' : 'settings.get', {})),
    )
    const refused = await Promise.all(calls.slice(100))
    expect(new Set(refused.map(code))).toEqual(new Set(['BUSY']))
    expect(supervisorCall).toHaveBeenCalledTimes(100)
    router.cancelAll()
    expect(new Set((await Promise.all(calls.slice(0, 100))).map(code))).toEqual(new Set(['CANCELLED']))
    supervisorCall.mockResolvedValue({ machines: [] })
    expect(code(await ask(call('machine.list', {})))).toBe('ok')
  })

  it('refuses ten megabytes before anything looks at them', async () => {
    const bytes = new Uint8Array(10 * 1024 * 1024)
    expect(code(await ask(call('memory.write', { machine: 'builtin', space: 'ram', address: 0, bytes })))).toBe(
      'INVALID',
    )
    expect(code(await ask(call('machine.list', { text: 'x'.repeat(10 * 1024 * 1024) })))).toBe('INVALID')
    expect(supervisorCall).not.toHaveBeenCalled()
  })
})

describe('a destructive command', () => {
  it('is carried out once the person agreed to its own words', async () => {
    confirm.mockResolvedValue(true)
    supervisorCall.mockResolvedValue({})
    expect(code(await ask(call('machine.quit', { machine: 'vice' })))).toBe('ok')
    expect(confirm).toHaveBeenCalledWith(
      expect.objectContaining({ message: 'Quit vice?', button: 'Quit the emulator' }),
    )
  })

  it('is cancelled when they did not', async () => {
    confirm.mockResolvedValue(false)
    expect(code(await ask(call('machine.quit', { machine: 'vice' })))).toBe('CANCELLED')
    expect(supervisorCall).not.toHaveBeenCalled()
  })
})

describe('cancelling', () => {
  const untilAborted = (signal?: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      const onAbort = () => reject(new AppError('CANCELLED', 'It was cancelled.'))
      if (signal?.aborted) onAbort()
      signal?.addEventListener('abort', onAbort)
    })

  it('ends the call of that id and no other', async () => {
    supervisorCall.mockImplementation((_command, _input, _deadline, signal) => untilAborted(signal))
    const first = ask(call('machine.list', {}, 'one'))
    const second = ask(call('machine.list', {}, 'two'))
    await ask({ kind: 'cancel', callId: 'one' })
    expect(code(await first)).toBe('CANCELLED')
    router.cancelAll()
    expect(code(await second)).toBe('CANCELLED')
  })

  it('of a call that has ended does nothing, and its id is free again', async () => {
    supervisorCall.mockResolvedValue({ machines: [] })
    for (let round = 0; round < 2; round++) expect(code(await ask(call('machine.list', {}, 'one')))).toBe('ok')
    expect(code(await ask({ kind: 'cancel', callId: 'one' }))).toBe('ok')
  })

  it('refuses an id that is in use', async () => {
    supervisorCall.mockImplementation((_command, _input, _deadline, signal) => untilAborted(signal))
    const first = ask(call('machine.list', {}, 'one'))
    expect(code(await ask(call('machine.list', {}, 'one')))).toBe('INVALID')
    router.cancelAll()
    await first
  })

  it('stops waiting for main’s own handlers too, and so does their deadline', async () => {
    vi.useFakeTimers()
    copyText.mockReturnValue(new Promise(() => undefined))
    readText.mockReturnValue(new Promise(() => undefined))
    const cancelled = ask(call('window.copyText', { text: 'x' }, 'one'))
    const late = ask(call('window.readClipboardText', {}))
    await ask({ kind: 'cancel', callId: 'one' })
    expect(code(await cancelled)).toBe('CANCELLED')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(code(await late)).toBe('TIMEOUT')
  })
})

describe('other requests', () => {
  it('hand out a port of a plane for a well-formed nonce', async () => {
    for (const plane of ['frames', 'audio']) {
      expect(code(await ask({ kind: 'connectPort', plane, nonce: 'a-nonce-long-enough' }))).toBe('ok')
      expect(connectPort).toHaveBeenLastCalledWith(page, plane, 'a-nonce-long-enough')
    }
    expect(code(await ask({ kind: 'connectPort', plane: 'frames', nonce: 'short' }))).toBe('INVALID')
    expect(code(await ask({ kind: 'connectPort', plane: 'frames', nonce: 'not * a * nonce * at all' }))).toBe('INVALID')
    expect(code(await ask({ kind: 'connectPort', plane: 'control', nonce: 'a-nonce-long-enough' }))).toBe('INVALID')
    expect(connectPort).toHaveBeenCalledTimes(2)
  })

  it('take dropped files from the preload', async () => {
    expect(code(await ask({ kind: 'filesDropped', paths: ['/programs/demo.prg', '/b'] }))).toBe('ok')
    expect(filesDropped).toHaveBeenCalledWith(['/programs/demo.prg', '/b'])
    expect(code(await ask({ kind: 'filesDropped', paths: [''] }))).toBe('INVALID')
  })
})
