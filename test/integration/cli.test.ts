import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { decode } from 'fast-png'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createBridge } from '../../src-main/bridge/createBridge'
import { BridgeClient } from '../../src-main/bridge/client'
import { connect, listen, socketPath } from '../../src-main/bridge/socket'
import { callHere, startHere } from '../support/callHere'
import { startProcess } from '../support/callProcess'
import { recordBorder } from '../support/borderRecording'

const out = resolve('out')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-cli-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const environment = () => ({ ...process.env, BRIDGEDECK_DATA: join(folder, 'data'), INIT_CWD: folder })
const bridgedeck = (...words: string[]) => callHere(words, { environment: environment() })

/** In a process of its own, to be interrupted or killed. */
const startCall = (...words: string[]) => startProcess(words, { environment: environment() })

const parse = (text: string): unknown => JSON.parse(text)

/** 10 SYS2061, then: LDA #$05, STA $D020, JMP to itself. */
const borderProgram = Uint8Array.from([
  0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, 0xa9, 0x05, 0x8d, 0x20, 0xd0,
  0x4c, 0x12, 0x08,
])

describe('the command line without a running bridge', () => {
  it('boots a fresh C64 and shows its prompt as text', async () => {
    const { code, stdout, stderr } = await bridgedeck('screen')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('READY.')
  })

  it('reads memory as a dump, as JSON and into a file', async () => {
    const dump = await bridgedeck('read', '--address', '$A000', '--length', '16', '--bank', 'rom')
    expect(dump.stdout).toMatch(/^A000 {2}([0-9A-F]{2} ){15}[0-9A-F]{2} {2}.{16}\n$/)
    const json = await bridgedeck(
      'read',
      '--address',
      '40960',
      '--length',
      '16',
      '--bank',
      'rom',
      '--out',
      'basic.bin',
      '--json',
    )
    const bytes = readFileSync(join(out, 'resources/c64/basic.bin')).subarray(0, 16)
    expect(parse(json.stdout)).toMatchObject({
      schema: 'bridgedeck.machine.read/1',
      ok: true,
      data: { address: '$A000', bytes: bytes.toString('hex') },
    })
    expect(readFileSync(join(folder, 'basic.bin'))).toEqual(bytes)
  })

  it('shows the registers', async () => {
    const { stdout } = await bridgedeck('registers', '--json')
    expect(parse(stdout)).toMatchObject({
      ok: true,
      data: { registers: { A: expect.any(Number) as number, PC: expect.any(Number) as number } },
    })
  })

  it('runs a program and saves the picture that it made', async () => {
    writeFileSync(join(folder, 'border.prg'), borderProgram)
    const { code, stderr } = await bridgedeck('run', 'border.prg', '--frames', '30', '--png', 'shot.png')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { width, height, data } = decode(readFileSync(join(folder, 'shot.png')))
    expect([width, height]).toEqual([384, 272])
    // Green, colour 5 of the Pepto palette, is what the program made of the border.
    expect([...data.slice(0, 3)]).toEqual([0x58, 0x8d, 0x43])
  })

  it('fails with the address where a program jammed the CPU, and still saves its picture', async () => {
    // BIT $D020, JAM at $C003.
    writeFileSync(join(folder, 'jam.prg'), Uint8Array.of(0x00, 0xc0, 0x2c, 0x20, 0xd0, 0x02))
    const { code, stdout, stderr } = await bridgedeck('run', 'jam.prg', '--frames', '30', '--png', 'jam.png')
    expect(stderr).toMatch(/^jam\.prg: .*\$C003: opcode \$02/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(decode(readFileSync(join(folder, 'jam.png'))).height).toBe(272)
  })

  it('watches memory, one JSON object a line', async () => {
    const { code, stdout } = await bridgedeck(
      'watch',
      '--address',
      '$A0',
      '--length',
      '3',
      '--rate',
      '20',
      '--count',
      '3',
      '--json',
    )
    expect(code).toBe(0)
    expect(stdout.trim().split('\n').map(parse)).toHaveLength(3)
  })

  it('says that nothing was left running', async () => {
    const { stdout } = await bridgedeck('machines')
    expect(stdout).toMatch(/^builtin +idle /)
  })

  it.each([
    [2, ['peek'], /no command/],
    [2, ['toString'], /no command/],
    [2, ['read', '--address', '$10000'], /past the end/],
    [2, ['read', '--machine', 'amiga', '--address', '0'], /not a machine name/],
    [2, ['write', '--address', '$0400', '--bytes', 'a9f'], /odd number/],
    [7, ['run', 'missing.prg'], /no file missing\.prg/],
    [3, ['read', '--machine', 'vice:1', '--address', '0'], /VICE/],
    [4, ['write', '--address', '$A000', '--bytes', 'a9', '--bank', 'rom'], /ROM/],
  ])('ends with %i for %j and says why in one sentence', async (expected, words, message) => {
    const { code, stdout, stderr } = await bridgedeck(...words)
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    const json = await bridgedeck(...words, '--json')
    expect(parse(json.stderr)).toMatchObject({ ok: false })
    expect(json.stdout).toBe('')
  })

  it('refuses a truncated and a too long program', async () => {
    writeFileSync(join(folder, 'short.prg'), Uint8Array.of(0x01))
    expect(await bridgedeck('run', 'short.prg')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cut short/) as string,
    })
    writeFileSync(join(folder, 'long.prg'), Buffer.concat([Buffer.of(0x00, 0xc0), Buffer.alloc(0x8000)]))
    expect(await bridgedeck('run', 'long.prg')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/past the end of memory/) as string,
    })
  })

  it('ends quietly when its reader has seen enough', async () => {
    const { child, ended } = startCall('watch', '--address', '$A0', '--rate', '50')
    child.stdout.once('data', () => child.stdout.destroy())
    const { code, stderr } = await ended
    expect(code).toBe(130)
    expect(stderr).not.toMatch(/EPIPE|at /)
  })

  it('ends with 130 when it is interrupted', async () => {
    const watching = startCall('watch', '--address', '$A0', '--rate', '1')
    await expect.poll(() => watching.output()).not.toBe('')
    watching.interrupt()
    expect(await watching.ended).toMatchObject({ code: 130 })
  })
})

describe('recordings on the command line', () => {
  const recording = '0001_recording'
  const start = Date.UTC(2026, 10, 21, 12)

  beforeEach(() => recordBorder(join(folder, 'tasks'), recording, start))

  const data = async (...words: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await bridgedeck('recording', ...words, '--home', 'tasks', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return z.object({ ok: z.literal(true), data: z.unknown() }).parse(parse(stdout)).data
  }
  const border = ['--address', '$d020', '--bank', 'io']

  it('are listed and described', async () => {
    expect(await data('list')).toMatchObject({
      recordings: [{ recording, name: 'recording', machine: 'builtin', frames: 100, from: '2026-11-21T12:00:00.000Z' }],
    })
    expect(await data('info', recording)).toMatchObject({ spaces: ['io'], picture: false, missing: 0 })
    expect((await bridgedeck('recording', 'list', '--home', 'tasks')).stdout).toMatch(
      /^0001_recording {2}builtin {2}100 frames in 9\.9 s, \d\.\d MiB\n$/,
    )
  })

  it('are asked', async () => {
    const query = (question: string, ...words: string[]) => data('query', recording, question, ...words)
    expect(await query('image', '--at', '+5', '--length', '2', ...border)).toMatchObject({
      time: '2026-11-21T12:00:05.000Z',
      address: '$D020',
      bytes: '3207',
    })
    expect(await query('changes', '--from', '+1', '--to', '2026-11-21T12:00:01.1Z', ...border)).toEqual({
      changes: [
        { time: '2026-11-21T12:00:01.000Z', frame: 10, value: 10, before: 9 },
        { time: '2026-11-21T12:00:01.100Z', frame: 11, value: 11, before: 10 },
      ],
      total: 2,
      damages: [],
    })
    expect(await query('values', '--points', '10', ...border)).toMatchObject({ exact: false, values: { length: 10 } })
    expect(await query('first', '--is', 'above', '--value', '41', ...border)).toMatchObject({
      found: { frame: 42, value: 42, before: 41 },
    })
    expect(await query('first', '--is', 'equals', '--value', '200', ...border)).toMatchObject({ found: null })
    expect(await query('difference', '--from', '+1', '--to', '+2', '--bank', 'io')).toEqual({
      ranges: [{ address: '$D020', before: '0a', after: '14' }],
      unknown: [],
    })
  })

  it('are exported into the caller’s folder', async () => {
    expect(await data('export', recording, 'border.csv', '--format', 'csv', ...border)).toMatchObject({
      path: join(folder, 'border.csv'),
      damages: [],
    })
    expect(readFileSync(join(folder, 'border.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(101)
    const { code, stderr } = await bridgedeck(
      'recording',
      'export',
      recording,
      'screen.png',
      '--format',
      'png',
      '--at',
      '+1',
      '--home',
      'tasks',
    )
    expect({ code, stderr }).toEqual({
      code: 7,
      stderr: expect.stringMatching(/no picture.*Record with the picture/) as string,
    })
  })

  it('that are not there, and questions that are none, are said to be so', async () => {
    const missing = await bridgedeck('recording', 'info', 'nothing', '--home', 'tasks')
    expect([missing.code, missing.stderr]).toEqual([7, 'There is no recording nothing.\n'])
    const wrong = await bridgedeck('recording', 'query', recording, 'why', '--home', 'tasks')
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toMatch(
      /image, changes, values, first, difference, not “why”.*bridgedeck recording query --help/,
    )
    expect((await bridgedeck('recording', 'query', recording, 'image', '--address', '0', '--home', 'tasks')).code).toBe(
      2,
    )
  })
})

describe('the command line with a running bridge', () => {
  let bridge: ReturnType<typeof createBridge>
  let server: { close(): Promise<void> }
  beforeEach(async () => {
    const data = join(folder, 'data')
    bridge = createBridge({
      dataFolder: data,
      resources: join(out, 'resources/c64'),
      workerPath: join(out, 'main/builtinWorker.cjs'),
      recorderPath: join(out, 'main/recorderWorker.cjs'),
      lifetime: 'call',
      log: () => undefined,
    })
    server = await listen(bridge, socketPath(data))
  })
  afterEach(async () => {
    await server.close()
    await bridge.close()
  })

  it('uses the same C64 and leaves it as it is', async () => {
    const line = await connect(socketPath(join(folder, 'data')))
    if (!line) throw new Error('nobody listens')
    const client = new BridgeClient(line)
    await client.call('machine.connect', { machine: 'builtin' })
    await bridgedeck('write', '--address', '$C000', '--bytes', 'a9 05')
    const { stdout } = await bridgedeck('read', '--address', '$C000', '--length', '2', '--json')
    expect(parse(stdout)).toMatchObject({ data: { bytes: 'a905' } })
    const { machines } = await client.call('machine.list', {})
    expect(machines[0]).toMatchObject({ machine: 'builtin', connection: 'live' })
    client.close()
  })
})

describe('tasks on the command line', () => {
  const entries = () =>
    (parse(readFileSync(join(folder, 'tasks/tasks.json'), 'utf8')) as { tasks: Record<string, unknown>[] }).tasks
  const task = (...words: string[]) => bridgedeck('task', ...words, '--home', 'tasks')
  const endless = 'task start read --address $D020 --length 1 --interval 10 --home tasks'.split(' ')

  it('runs an operation once, prints its result, and tells success by its exit code', async () => {
    const done = await task('run', 'read', '--address', '$E000', '--length', '2')
    expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' })
    expect(parse(done.stdout)).toMatchObject({ length: 2, bytes: expect.stringMatching(/^[0-9a-f]{4}$/) as string })
    expect(entries()).toMatchObject([{ id: '0001_read', status: 'completed', args: { address: '$E000', length: 2 } }])

    const failed = await task(
      'run',
      'write',
      '--address',
      '$E000',
      '--bytes',
      '00',
      '--verify',
      'true',
      '--space',
      'cpu',
      '--json',
    )
    expect(failed.code).toBe(1)
    expect(parse(failed.stderr)).toMatchObject({
      ok: false,
      error: { message: expect.any(String) as string, details: { task: '0002_write' } },
    })
    expect(entries()[1]).toMatchObject({ status: 'error', lastError: expect.any(String) as string })
  })

  it('refuses an operation that there is not, and arguments that it does not take, before a machine is asked for', async () => {
    expect(await task('run', 'fly')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no operation “fly”') as string,
    })
    expect(await task('run', 'read', '--address', '$12345')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('past the end of memory') as string,
    })
    expect(await task('run', 'read', '--colour', '1')).toMatchObject({ code: 2 })
    expect(existsSync(join(folder, 'tasks'))).toBe(false)
  })

  it('repeats an operation until Ctrl+C, which leaves it stopped', async () => {
    const running = startHere(endless, { environment: environment() })
    await expect
      .poll(() => (existsSync(join(folder, 'tasks/tasks.json')) ? entries() : []))
      .toMatchObject([{ status: 'running' }])
    running.interrupt()
    expect((await running.ended).code).toBe(130)
    expect(entries()).toMatchObject([{ id: '0001_read', status: 'stopped', lastError: null }])
    expect(readFileSync(join(folder, 'tasks/tasks/background/0001_read/log.txt'), 'utf8')).toMatch(
      /started\n[^]*stopped iterations=\d+\n$/,
    )
  })

  it('keeps a task on a machine that does not answer as failed, with the reason', async () => {
    const { code, stderr } = await task('run', 'read', '--machine', 'vice:127.0.0.1:1', '--json')
    expect(code).toBe(3)
    const { error } = parse(stderr) as { error: { message: string } }
    expect(error).toMatchObject({ code: 'UNREACHABLE', details: { task: '0001_read' } })
    expect(entries()).toMatchObject([{ id: '0001_read', status: 'error', lastError: error.message }])
    expect((await task('list')).stdout).toMatch(/^0001_read +error +vice:1 /)
  })

  it('leaves a task that was killed to the next call, which writes down what became of it', async () => {
    const running = startCall(...endless)
    await expect.poll(() => (existsSync(join(folder, 'tasks/tasks.json')) ? entries() : [])).toHaveLength(1)
    running.child.kill('SIGKILL')
    await running.ended
    expect(entries()).toMatchObject([{ status: 'running' }])
    expect((await task('list')).stdout).toMatch(/^0001_read +interrupted +builtin/)
    expect(entries()).toMatchObject([{ status: 'stopped', lastError: expect.stringMatching(/^Interrupted/) as string }])
  })

  it('stops a task that another call runs', async () => {
    const running = startCall(...endless)
    await expect
      .poll(() => (existsSync(join(folder, 'tasks/tasks.json')) ? entries() : []))
      .toMatchObject([{ status: 'running' }])
    expect(await task('stop', '0001_read')).toMatchObject({ code: 0, stdout: '0001_read is stopped.\n' })
    expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('was stopped') as string })
    expect(entries()).toMatchObject([{ status: 'stopped', lastError: null }])
  })

  it('records samples, which can be asked like any recording', async () => {
    const done = await task(
      'start',
      'sample',
      '--ranges',
      '$A0-$A2',
      '--interval',
      '20',
      '--iterations',
      '10',
      '--json',
    )
    expect(parse(done.stdout)).toMatchObject({
      ok: true,
      data: { task: { id: '0001_sample', status: 'completed', iterations: 10 } },
    })
    expect((await task('show', '0001_sample')).stdout).toContain('recording.sqlite')
  })

  it('lists, shows and deletes tasks', async () => {
    await task('run', 'read', '--address', '$0400')
    expect((await task('list')).stdout).toMatch(/^0001_read +completed +builtin/)
    expect(parse((await task('show', '0001_read', '--json')).stdout)).toMatchObject({
      ok: true,
      data: { task: { status: 'completed' }, args: { address: '$0400' } },
    })
    expect((await task('log', '0001_read')).stdout).toMatch(/started\n.*completed\n$/)
    expect(await task('delete', '0001_read')).toMatchObject({ code: 0 })
    expect(entries()).toEqual([])
    expect(existsSync(join(folder, 'tasks/tasks/0001_read'))).toBe(false)
  })

  it('fails while tasks.json is damaged, shows what a repair makes of it, and repairs it when told', async () => {
    await task('run', 'read', '--address', '$0400')
    const path = join(folder, 'tasks/tasks.json')
    const whole = readFileSync(path, 'utf8')
    writeFileSync(path, whole.slice(0, 40))
    const listed = await task('list')
    expect(listed.code).toBe(1)
    expect(listed.stdout).toMatch(/^0001_read +completed +builtin/)
    expect(listed.stderr).toContain('bridgedeck task repair')
    expect(parse((await task('list', '--json')).stderr)).toMatchObject({ ok: false, error: { code: 'INVALID' } })
    const preview = await task('repair')
    expect(preview.code).toBe(1)
    expect(preview.stdout).toMatch(/0001_read +completed +from its folder/)
    expect(readFileSync(path, 'utf8')).toBe(whole.slice(0, 40))
    const done = await task('repair', '--yes', '--json')
    expect(done.code).toBe(0)
    const { aside } = (parse(done.stdout) as { data: { aside: string } }).data
    expect(readFileSync(join(folder, 'tasks', aside), 'utf8')).toBe(whole.slice(0, 40))
    expect(readFileSync(path, 'utf8')).toBe(whole)
    expect((await task('list')).code).toBe(0)
    expect((await task('repair')).code).toBe(6)
  })

  it('explains an operation from its schema', async () => {
    const { stdout } = await bridgedeck('task', 'operations', 'read')
    expect(stdout).toMatch(/--address .*The first byte/)
    expect(stdout).toMatch(/--retries .*Default 0/)
  })
})
