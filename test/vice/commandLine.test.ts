/** The command line with a VICE that somebody else started. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine } from '../support/commandLine'
import { lacks } from '../support/parts'
import { ownRoms } from '../support/ownRoms'
import { startVice, unusedPort, type RunningVice } from './support'

/** 10 SYS2061, then: LDA #$05, STA $D020, JMP to itself. */
const borderProgram = Uint8Array.from([
  0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, 0xa9, 0x05, 0x8d, 0x20, 0xd0,
  0x4c, 0x12, 0x08,
])

describe.skipIf(lacks('vice', 'xvfb'))('a VICE on the command line', () => {
  let vice: RunningVice
  let calls: CommandLine
  let machine: readonly string[]
  beforeAll(async () => {
    vice = await startVice()
    calls = new CommandLine()
    machine = ['--machine', `vice:${vice.port}`]
  })
  afterAll(async () => {
    await calls.remove()
    await vice.stop()
  })

  it('shows the running program in the picture, not its own start', async () => {
    writeFileSync(join(calls.folder, 'border.prg'), borderProgram)
    await calls.data('run', 'border.prg', '--frames', '250', '--png', 'shot.png', ...machine)
    const { data } = decode(readFileSync(join(calls.folder, 'shot.png')))
    const { bytes } = (await calls.data('read', '--address', '$D020', '--length', '1', '--bank', 'io', ...machine)) as {
      bytes: string
    }
    expect(bytes).toMatch(/5$/)
    // Green is the strongest part of the border's colour in every palette of VICE.
    const [red = 0, green = 0, blue = 0] = data
    expect(green).toBeGreaterThan(Math.max(red, blue))
  })

  it('shows and takes its own resources', async () => {
    expect(await calls.data('resource', 'Speed', ...machine)).toMatchObject({ value: 100 })
    expect(await calls.data('resource', 'Speed', '90', ...machine)).toMatchObject({ value: 90 })
    expect(await calls.data('resource', 'Speed', '100', ...machine)).toMatchObject({ value: 100 })
    expect(await calls.run('resource', 'NoSuchResource', ...machine)).toMatchObject({ code: 7 })
  })

  it('stays paused between calls of a bridge in the background, and runs on with resume', async () => {
    await calls.data('bridge', 'start')
    await calls.data('pause', ...machine)
    const clock = () => calls.data('read', '--address', '$A0', '--length', '3', ...machine)
    const { bytes } = (await clock()) as { bytes: string }
    expect(await clock()).toMatchObject({ bytes })
    const before = (await calls.data('registers', ...machine)) as { registers: { PC: number } }
    expect(await calls.data('registers', ...machine)).toEqual(before)
    const number = await addCheckpoint()
    expect(await calls.data('checkpoints', ...machine)).toMatchObject({ checkpoints: [{ number, range: '$0400' }] })
    await calls.data('checkpoints', 'delete', String(number), ...machine)
    expect(await calls.data('resume', ...machine)).toMatchObject({ execution: 'running' })
    await calls.data('bridge', 'stop')
  })

  it('is compared with what it was, and with the built-in C64', async () => {
    const vice = `@${machine[1] ?? ''}`
    await calls.data('bridge', 'start')
    await calls.data('pause', ...machine)
    await calls.data('snapshot', 'save', 'of VICE', ...machine)
    await calls.data('write', '--address', '$c000', '--bytes', '5a', '--bank', 'ram', ...machine)
    expect(await calls.data('snapshot', 'diff', 'of VICE', vice)).toMatchObject({
      differences: [{ bank: 'ram', range: '$C000', after: '5a' }],
    })
    expect(await calls.data('snapshot', 'diff', vice, '@builtin', '--range', '$c000')).toMatchObject({
      differences: [{ bank: 'ram', range: '$C000', before: '5a' }],
    })
    await calls.data('resume', ...machine)
    await calls.data('bridge', 'stop')
  })

  it('shows the interrupts of a frame, and traces it, while it runs on', async () => {
    await calls.data('bridge', 'start')
    const found = (await calls.data('interrupts', '--frames', '2', ...machine)) as {
      frames: number
      interrupts: unknown[]
    }
    expect(found).toMatchObject({ machine: machine[1], cut: false })
    // Seldom VICE stops some lines after the first of a frame: 2.01 was seen.
    expect(found.frames).toBeCloseTo(2, 1)
    expect(found.interrupts[0]).toMatchObject({ kind: 'irq', handler: '$EA31', waited: null })
    expect((await calls.run('interrupts', ...machine)).stdout).toMatch(/IRQ +\$EA31.* unknown/)
    const traced = (await calls.run('trace', '--count', '3', '--json', ...machine)).stdout.trimEnd().split('\n')
    expect(traced.map((line) => JSON.parse(line) as unknown)).toMatchObject(
      new Array(3).fill({ ok: true, data: { cycle: null, line: expect.any(Number) as number } }),
    )
    const lines = (await calls.run('trace', '--count', '600', ...machine)).stdout
    expect(lines.match(/^\$[0-9A-F]{4}  .*  \d+:\d+/gm)?.length).toBeGreaterThan(580)
    const registers = () => calls.data('registers', ...machine)
    const before = await registers()
    await expect.poll(registers, { timeout: 30_000 }).not.toEqual(before)
    expect(await calls.run('profile', ...machine)).toMatchObject({ code: 4 })
    await calls.data('bridge', 'stop')
  })

  async function addCheckpoint(): Promise<number> {
    const added = await calls.data('checkpoints', 'add', '$0400', '--on', 'load', '--if', 'A == $7f', ...machine)
    const { checkpoint } = added as { checkpoint: { number: number } }
    return checkpoint.number
  }
})

describe.skipIf(lacks('vice', 'xvfb'))('stub listen', () => {
  it('joins a VICE that is started as it says and the machine that it names', async () => {
    const calls = new CommandLine()
    const [vicePort, port] = [await unusedPort(), await unusedPort()]
    const line = calls.start('stub', 'listen', '--vice-port', String(vicePort), '--port', String(port), '--json')
    await expect.poll(line.output).toContain('-rsdev1')
    const { data } = JSON.parse(line.output()) as { data: { machine: string; vice: string } }
    const [program, ...options] = data.vice.split(' ').map((word) => word.replaceAll("'", ''))
    expect(program).toBe('x64sc')
    const vice = await startVice('x64sc', options)
    try {
      await expect.poll(line.output).toContain('"end":"vice","connected":true')
      // The first bytes of our KERNAL, behind the whole line.
      const { bytes } = (await calls.data(
        'read',
        '--machine',
        data.machine,
        '--address',
        '$E000',
        '--length',
        '4',
        '--bank',
        'rom',
      )) as { bytes: string }
      expect(bytes).toBe(readFileSync(ownRoms.kernal).subarray(0, 4).toString('hex'))
      line.interrupt()
      expect((await line.ended).code).toBe(130)
    } finally {
      await vice.stop()
      line.interrupt()
      await calls.remove()
    }
  })
})
