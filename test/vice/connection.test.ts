import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { requireFacet, type Machine } from '../../src-main/machine/machine'
import { MonitorClient } from '../../src-main/machine/vice/client'
import { getResource } from '../../src-main/machine/vice/commands'
import type { ViceProcessOptions } from '../../src-main/machine/vice/process'
import { demo } from '../support/ownRoms'
import { lacks } from '../support/parts'
import { eventually } from './eventually'
import {
  attachedMachine,
  collectSamples,
  everything,
  processOptions,
  read,
  soon,
  startedMachine,
  startVice,
  unusedPort,
  type RunningVice,
  type TestProcessOptions,
} from './support'

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof AppError) return error
  throw new Error(`Expected an AppError, got ${String(error)}`)
}

describe.skipIf(lacks('vice', 'xvfb'))('the connection to VICE', () => {
  const cleanUps: (() => unknown)[] = []

  afterEach(async () => {
    vi.unstubAllEnvs()
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  })

  async function runningVice(...how: Parameters<typeof startVice>): Promise<RunningVice> {
    const vice = await startVice(...how)
    cleanUps.push(() => vice.stop())
    return vice
  }

  function attach(port: number): Machine {
    const machine = attachedMachine(port)
    cleanUps.push(() => machine.disconnect())
    return machine
  }

  function starting(changes: Partial<ViceProcessOptions> = {}): { machine: Machine; options: TestProcessOptions } {
    const options = processOptions(changes)
    const machine = startedMachine(options)
    cleanUps.push(() => options.cleanUp())
    cleanUps.push(() => machine.disconnect())
    return { machine, options }
  }

  it('to a port where nothing listens is refused with how to start VICE', async () => {
    const port = await unusedPort()
    const machine = attach(port)
    const error = await failureOf(machine.connect(soon()))
    expect(error).toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(new RegExp(`127.0.0.1:${port} refused`)) as string,
    })
    expect(error.hint).toBe(`Start VICE with: x64sc -binarymonitor -binarymonitoraddress ip4://127.0.0.1:${port}`)
    expect(machine.status).toMatchObject({ connection: 'lost', reason: error.message, hint: error.hint })
  })

  it('to a web server says that it is no VICE', async () => {
    const server = createServer((_request, response) => response.end('hello'))
    const port = await new Promise<number>((listening) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        listening(address !== null && typeof address === 'object' ? address.port : 0)
      })
    })
    cleanUps.push(() => server.close())
    const error = await failureOf(attach(port).connect(soon()))
    expect(error).toMatchObject({
      code: 'UNREACHABLE',
      message: `127.0.0.1:${port} is not a VICE binary monitor.`,
    })
  })

  it('that another program holds already is explained, and the other one is not disturbed', async () => {
    const vice = await runningVice()
    const first = attach(vice.port)
    await first.connect(soon())
    const error = await failureOf(attach(vice.port).connect(soon()))
    expect(error.code).toBe('TIMEOUT')
    expect(error.hint).toContain('its only monitor connection')
    expect(await read(first, 0x0400)).toHaveLength(1)
    await first.disconnect()
    const second = attach(vice.port)
    await second.connect(soon())
    expect(second.status.connection).toBe('live')
  })

  it('that ends while memory is read fails the read at once and tells why', async () => {
    const vice = await runningVice()
    const machine = attach(vice.port)
    await machine.connect(soon())
    await machine.setSampling({ ...everything, mode: 'free', rate: 50 })
    const reads = Array.from({ length: 20 }, () =>
      machine.readMemory({ space: 'ram', address: 0, length: 0x10000 }, soon()),
    )
    const outcomes = Promise.allSettled(reads)
    await reads[0]
    vice.kill('SIGKILL')
    const failed = (await outcomes).filter((outcome) => outcome.status === 'rejected')
    expect(failed.length).toBeGreaterThan(0)
    // A busy computer may take longer to end a process than VICE may be silent.
    for (const { reason } of failed)
      expect(reason).toMatchObject({ code: expect.stringMatching(/^(LOST|TIMEOUT)$/) as string })
    await eventually(() => machine.status.connection).toBe('lost')
    expect(machine.status).toMatchObject({
      reason: expect.stringContaining(`VICE at 127.0.0.1:${vice.port}`) as string,
    })
    await expect(read(machine, 0)).rejects.toMatchObject({ code: 'LOST' })
  })

  it('goes stale while a VICE hangs that nobody reads, and live again by itself', async () => {
    const vice = await runningVice()
    const machine = attach(vice.port)
    await machine.connect(soon())
    vice.kill('SIGSTOP')
    await eventually(() => machine.status.connection).toBe('stale')
    vice.kill('SIGCONT')
    await eventually(() => machine.status.connection).toBe('live')
    expect(machine.status.execution).toBe('running')
  })

  it('goes stale while VICE does not answer, and live again by itself', async () => {
    const vice = await runningVice()
    const machine = attach(vice.port)
    await machine.connect(soon())
    const samples = collectSamples(machine)
    await machine.setSampling({ ...everything, mode: 'free', rate: 25 })
    await eventually(() => samples.length).toBeGreaterThan(2)
    vice.kill('SIGSTOP')
    await eventually(() => machine.status.connection).toBe('stale')
    expect(machine.status.reason).toContain('does not answer')
    const typed = requireFacet(machine, 'typeText').typeText('lost?', soon())
    expect((await failureOf(typed)).code).toBe('TIMEOUT')
    const before = samples.length
    vice.kill('SIGCONT')
    await eventually(() => machine.status.connection).toBe('live')
    await eventually(() => samples.length).toBeGreaterThan(before + 3)
    expect(machine.status).toMatchObject({ reason: null, execution: 'running' })
    // A command that was given up before it went out is never carried out.
    const screen = Buffer.from(await read(machine, 0x0400, 1000))
    expect(screen.includes(Buffer.from([12, 15, 19, 20, 63]))).toBe(false)
  })

  it('is made again after it was lost', async () => {
    const vice = await runningVice()
    const machine = attach(vice.port)
    await machine.connect(soon())
    await machine.disconnect()
    expect(machine.status.connection).toBe('idle')
    await machine.connect(soon())
    expect(machine.status.connection).toBe('live')
  })

  it('to the older x64 gives its picture too, whatever borders it shows, and gives them back', async () => {
    const vice = await runningVice('x64', ['-VICIIborders', '1'])
    const machine = attach(vice.port)
    await machine.connect(soon())
    expect(await requireFacet(machine, 'picture').read(soon())).toMatchObject({ width: 384, height: 272 })
    await machine.disconnect()
    const client = await MonitorClient.connect({ host: '127.0.0.1', port: vice.port }, soon())
    expect(await client.trap((send) => send(getResource('VICIIBorderMode')), soon())).toBe(1)
    client.close()
  })

  it('ends with VICE when the person quits it', async () => {
    const vice = await runningVice()
    const machine = attach(vice.port)
    await machine.connect(soon())
    await requireFacet(machine, 'quit').quit(soon())
    expect(machine.status).toMatchObject({ connection: 'idle', reason: 'VICE was quit.' })
    await eventually(() => isAlive(vice.pid)).toBe(false)
  })

  describe('to a VICE that we start', () => {
    it('is live, with its process written down until it is gone', async () => {
      const { machine, options } = starting()
      await machine.connect(soon())
      expect(machine.status).toMatchObject({ title: 'VICE', connection: 'live', execution: 'running' })
      const [pid = 0] = options.recorded
      expect(isAlive(pid)).toBe(true)
      await machine.disconnect()
      expect(isAlive(pid)).toBe(false)
      expect(options.recorded.size).toBe(0)
    })

    it('runs a program on our own ROMs, says that they are in use, and refuses disks', async () => {
      const { machine } = starting()
      await machine.connect(soon())
      expect(machine.status.notices.join(' ')).toContain('no Commodore ROMs')
      const programs = requireFacet(machine, 'runProgram')
      const disk = programs.run({ name: 'game.d64', path: '/game.d64', bytes: new Uint8Array(174_848) }, soon())
      expect(await failureOf(disk)).toMatchObject({
        code: 'UNSUPPORTED',
        message: 'game.d64 needs the Commodore ROMs, and this VICE has none.',
      })
      const bytes = new Uint8Array(await readFile(demo))
      await programs.run({ name: 'demo.prg', path: demo, bytes }, soon())
      const start = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8)
      await eventually(() => read(machine, start, 16)).toEqual([...bytes.subarray(2, 18)])
    })

    it('is lost when it is killed, and another is started', async () => {
      const { machine, options } = starting()
      await machine.connect(soon())
      const [first = 0] = options.recorded
      process.kill(first, 'SIGKILL')
      await eventually(() => machine.status.connection).toBe('lost')
      await machine.connect(soon())
      expect(machine.status.connection).toBe('live')
      expect([...options.recorded]).not.toContain(first)
    })

    it('goes on with the one that a crashed bridge left running', async () => {
      const vice = await runningVice()
      const options = processOptions()
      cleanUps.push(() => options.cleanUp())
      const machine = startedMachine(options, { pid: vice.pid, port: vice.port })
      cleanUps.push(() => machine.disconnect())
      await machine.connect(soon())
      expect(machine.status.connection).toBe('live')
      expect(options.recorded.size).toBe(0)
      await machine.disconnect()
      await eventually(() => isAlive(vice.pid)).toBe(false)
    })

    it('starts a new one when the one from before does not answer', async () => {
      const options = processOptions()
      cleanUps.push(() => options.cleanUp())
      const machine = startedMachine(options, { pid: 999_999, port: await unusedPort() })
      cleanUps.push(() => machine.disconnect())
      await machine.connect(soon())
      expect(options.recorded.size).toBe(1)
    })

    it('without a display fails with what to do, and leaves nothing running', async () => {
      vi.stubEnv('DISPLAY', '')
      vi.stubEnv('WAYLAND_DISPLAY', '')
      const { machine, options } = starting()
      const error = await failureOf(machine.connect(soon()))
      expect(error).toMatchObject({
        code: 'UNREACHABLE',
        message: expect.stringContaining('display') as string,
      })
      expect(error.hint).toContain('xvfb-run')
      expect(options.recorded.size).toBe(0)
    })

    it('that is something else quotes what it said', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-no-vice-'))
      cleanUps.push(() => rmSync(folder, { recursive: true }))
      const executable = join(folder, 'x64sc')
      writeFileSync(executable, '#!/bin/sh\necho "no such machine" >&2\nexit 1\n', { mode: 0o755 })
      const { machine } = starting({ executable })
      expect((await failureOf(machine.connect(soon()))).message).toMatch(/ended at once.*no such machine/)
    })

    it('that does not know one of our options is started without it', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-other-vice-'))
      cleanUps.push(() => rmSync(folder, { recursive: true }))
      const executable = join(folder, 'x64sc')
      const refuse = `case "$*" in *-minimized*) echo "Unknown option '-minimized'."; exit 1;; esac`
      writeFileSync(executable, `#!/bin/sh\n${refuse}\nexec x64sc "$@"\n`, { mode: 0o755 })
      const { machine } = starting({ executable })
      await machine.connect(soon())
      expect(machine.status.connection).toBe('live')
    })

    it('says when VICE is not installed, or the chosen one is not there', async () => {
      const { machine: chosen } = starting({ executable: '/nowhere/x64sc' })
      expect((await failureOf(chosen.connect(soon()))).message).toBe('/nowhere/x64sc is not an executable program.')
      vi.stubEnv('PATH', '/nowhere')
      const { machine } = starting()
      const error = await failureOf(machine.connect(soon()))
      expect(error.message).toMatch(/not installed.*x64sc.*PATH/)
      expect(error.hint).toContain('Install VICE')
    })

    it('is given up when cancelled, and leaves nothing running', async () => {
      const { machine, options } = starting()
      const cancel = new AbortController()
      const connecting = failureOf(machine.connect(cancel.signal))
      await eventually(() => options.recorded.size).toBe(1)
      const [pid = 0] = options.recorded
      cancel.abort()
      expect((await connecting).code).toBe('CANCELLED')
      expect(machine.status.connection).toBe('idle')
      await eventually(() => isAlive(pid)).toBe(false)
    })
  })
})
