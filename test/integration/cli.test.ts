import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { decode } from 'fast-png'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBridge } from '../../src-main/bridge/createBridge'
import { BridgeClient } from '../../src-main/bridge/client'
import { connect, listen, socketPath } from '../../src-main/bridge/socket'

const out = resolve('out')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-cli-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function bridgedeck(...words: string[]): Promise<Ended> & { interrupt(): void } {
  const child = spawn(process.execPath, [join(out, 'main/cli.cjs'), ...words], {
    env: { ...process.env, BRIDGEDECK_DATA: join(folder, 'data'), INIT_CWD: folder },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<Ended>((done) => child.on('close', (code) => done({ code, stdout, stderr })))
  return Object.assign(ended, { interrupt: () => void child.kill('SIGINT') })
}

const parse = (text: string): unknown => JSON.parse(text)

/** 10 SYS2061, then: LDA #$05, STA $D020, JMP to itself. */
const borderProgram = Uint8Array.from([
  ...[0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00],
  ...[0xa9, 0x05, 0x8d, 0x20, 0xd0, 0x4c, 0x12, 0x08],
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
    const json = await bridgedeck('read', '--address', '40960', '--length', '16', '--bank', 'rom', '--out', 'basic.bin', '--json')
    const bytes = readFileSync(join(out, 'resources/c64/basic.bin')).subarray(0, 16)
    expect(parse(json.stdout)).toMatchObject({ schema: 'bridgedeck.read/1', ok: true, data: { address: '$A000', bytes: bytes.toString('hex') } })
    expect(readFileSync(join(folder, 'basic.bin'))).toEqual(bytes)
  })

  it('shows the registers', async () => {
    const { stdout } = await bridgedeck('registers', '--json')
    expect(parse(stdout)).toMatchObject({ ok: true, data: { registers: { A: expect.any(Number) as number, PC: expect.any(Number) as number } } })
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

  it('watches memory, one JSON object a line', async () => {
    const { code, stdout } = await bridgedeck('watch', '--address', '$A0', '--length', '3', '--rate', '20', '--count', '3', '--json')
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
    [2, ['read', '--machine', 'amiga', '--address', '0'], /not the name of a machine/],
    [2, ['write', '--address', '$0400', '--bytes', 'a9f'], /odd number/],
    [1, ['run', 'missing.prg'], /no file missing\.prg/],
    [3, ['read', '--machine', 'vice:1', '--address', '0'], /VICE/],
    [4, ['write', '--address', '$A000', '--bytes', 'a9', '--bank', 'rom'], /ROM/],
  ])('ends with %i for %j and says why in one sentence', async (expected, words, message) => {
    const { code, stdout, stderr } = await bridgedeck(...words)
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    const json = await bridgedeck(...words, '--json')
    expect(parse(json.stdout)).toMatchObject({ ok: false })
  })

  it('refuses a truncated and a too long program', async () => {
    writeFileSync(join(folder, 'short.prg'), Uint8Array.of(0x01))
    expect(await bridgedeck('run', 'short.prg')).toMatchObject({ code: 1, stderr: expect.stringMatching(/cut short/) as string })
    writeFileSync(join(folder, 'long.prg'), Buffer.concat([Buffer.of(0x00, 0xc0), Buffer.alloc(0x8000)]))
    expect(await bridgedeck('run', 'long.prg')).toMatchObject({ code: 1, stderr: expect.stringMatching(/past the end of memory/) as string })
  })

  it('ends quietly when its reader has seen enough', async () => {
    const child = spawn(process.execPath, [join(out, 'main/cli.cjs'), 'watch', '--address', '$A0', '--rate', '50'], {
      env: { ...process.env, BRIDGEDECK_DATA: join(folder, 'data') },
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise((done) => child.on('close', done))
    expect(code).toBe(130)
    expect(stderr).not.toMatch(/EPIPE|at /)
  })

  it('ends with 130 when it is interrupted', async () => {
    const watching = bridgedeck('watch', '--address', '$A0', '--rate', '1')
    setTimeout(() => watching.interrupt(), 1_500)
    expect(await watching).toMatchObject({ code: 130 })
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
