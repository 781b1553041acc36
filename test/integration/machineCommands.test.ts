/** Commands that control a machine, on the built-in C64 of a bridge in the background. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startUltimate, type UltimatePeer } from '../peers/ultimateProcess'
import { demo } from '../support/ownRoms'
import { CommandLine } from '../support/commandLine'

let calls: CommandLine
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
})
afterAll(() => calls.remove())

/** Until it has booted: before, no IRQ comes, and keys are not read. */
async function switchOn(): Promise<unknown> {
  // One that is paused would stay so.
  await calls.run('resume')
  const reset = await calls.data('reset', '--kind', 'power')
  expect((await calls.run('screen', '--wait-for', 'ready.')).code).toBe(0)
  return reset
}

/** LDX #$03, loop: DEX, BNE loop, JMP to itself. */
const countDown = ['write', '--address', '$C000', '--bytes', 'a203 ca d0fd 4c05c0']

/** Paused at $C000. Where it was paused in an interrupt, that lets no other in. */
async function standAtProgram(): Promise<void> {
  await calls.data('pause')
  await calls.data('registers', 'set', 'PC', '$C000')
  await calls.data('registers', 'set', 'FL', '$20')
}

const layoutSchema = z.object({ parts: z.array(z.object({ name: z.string() })) })
const cycleSchema = z.object({ cycle: z.number() })

describe('a machine that is controlled call by call', () => {
  it('stands still when it is paused, executes what it is told to, and goes on', async () => {
    await calls.data(...countDown)
    expect(await calls.data('pause')).toEqual({ machine: 'builtin', execution: 'paused' })
    expect(await calls.data('registers', 'set', 'PC', '$C000')).toMatchObject({ registers: { PC: 0xc000 } })
    expect(await calls.data('registers', 'set', 'x', '7')).toMatchObject({ registers: { X: 7, PC: 0xc000 } })
    expect(await calls.data('step')).toMatchObject({
      registers: { X: 3, PC: 0xc002 },
      at: { address: '$C002', name: null, source: null },
    })
    expect(await calls.data('step', '--count', '6')).toMatchObject({ registers: { X: 0, PC: 0xc005 } })
    expect(await calls.data('registers')).toMatchObject({ registers: { PC: 0xc005 } })
    expect(await calls.data('machines')).toMatchObject({ machines: [{ machine: 'builtin', execution: 'paused' }, {}] })
    expect(await calls.data('resume')).toMatchObject({ machine: 'builtin', execution: 'running', slow: null })
    expect(await switchOn()).toMatchObject({ kind: 'power' })
  })

  it('runs to an address, an IRQ and a frame, and says where it does not come', async () => {
    await calls.data(...countDown)
    await standAtProgram()
    expect(await calls.data('step', '--to-next', 'irq')).toMatchObject({ registers: { PC: 0xff48 } })
    expect(await calls.data('step', '--to', '$C005')).toMatchObject({ registers: { PC: 0xc005 } })
    expect(await calls.data('step', '--to-next', 'frame')).toMatchObject({ registers: { LIN: 0 } })
    expect(await calls.run('step', '--to', '$C002', '--timeout', '1')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('did not come there in 1 s') as string,
    })
    expect(await calls.run('step', '--to', '$C002', '--to-next', 'line')).toMatchObject({ code: 2 })
    await switchOn()
  })

  it('tells code from data by what the CPU did', async () => {
    await calls.data(...countDown)
    await standAtProgram()
    await calls.data('step', '--count', '4')
    expect(await calls.data('coverage', '--since', '0.02')).toMatchObject({
      seconds: 0.02,
      ranges: expect.arrayContaining([
        { space: 'ram', start: '$C000', end: '$C004', bytes: 5, kinds: ['run'], name: null },
      ]) as unknown,
    })
    const file = join(calls.folder, 'pages.csv')
    await calls.data('coverage', '--since', '0.02', '--pages', '--out', file)
    const lines = readFileSync(file, 'utf8').split('\r\n')
    expect(lines).toEqual(expect.arrayContaining(['page,space,run,read,written', '$C000,ram,5,0,0']))
    await calls.data('step', '--count', '5')
    await calls.data('write', '--address', '$C008', '--bytes', '01 02 ff')
    const seen = ['--address', '$C002', '--bank', 'cpu', '--count', '4', '--seen']
    expect(await calls.data('disassemble', ...seen)).toMatchObject({
      instructions: [
        { address: '$C002', text: 'DEX', kind: 'run' },
        { address: '$C003', text: 'BNE $C002', kind: 'run' },
        { address: '$C005', text: 'JMP $C005', kind: 'run' },
        { address: '$C008', bytes: expect.stringMatching(/^0102ff/) as string, kind: 'data' },
      ],
    })
    await switchOn()
  })

  it('shows memory by name: words, pointers, and labels before the names that every C64 has', async () => {
    writeFileSync(join(calls.folder, 'zero.lbl'), 'al C:00fb .sprites\n')
    await calls.data('label', 'load', 'zero.lbl')
    await calls.data('pause')
    await calls.data('write', '--address', '$2B', '--bytes', '01 08')
    await calls.data('write', '--address', '$FB', '--bytes', '34 12')
    const named = async (address: string, length: string) =>
      await calls.data('read', '--address', address, '--length', length, '--bank', 'cpu', '--as', 'names')
    expect(await named('$2B', '2')).toMatchObject({
      bytes: '0108',
      names: [{ address: '$002B', kind: 'pointer', name: 'TXTTAB', holds: '$0801', target: 'BASIC' }],
    })
    expect(await named('$FB', '2')).toMatchObject({
      names: [
        { name: 'sprites', kind: 'byte', bytes: '34', holds: null },
        { name: 'FREEZP+1', kind: 'byte' },
      ],
    })
    const { stdout } = await calls.run('read', '--address', '$2B', '--length', '2', '--bank', 'cpu', '--as', 'names')
    expect(stdout).toMatch(/\$002B\s+01 08\s+TXTTAB\s+→ \$0801 BASIC/)
    expect(await calls.run('read', '--address', '0', '--bank', 'drive8', '--as', 'names')).toMatchObject({ code: 2 })
    await calls.data('label', 'clear')
    await switchOn()
  })

  it('takes for pointers what the code in the memory that is shown used', async () => {
    const kindIn = async (bank: string) =>
      await calls.data('read', '--address', '$FB', '--length', '2', '--bank', bank, '--as', 'names')
    await calls.data('pause')
    // LDA ($FB),Y; JMP $E000, under the KERNAL.
    await calls.data('write', '--address', '$E000', '--bytes', 'b1 fb 4c 00 e0', '--bank', 'ram')
    // The direction too: right after a reset the KERNAL has not set it yet.
    await calls.data('write', '--address', '0', '--bytes', '2f 35')
    await calls.data('register', 'set', 'FL', '$20')
    await calls.data('register', 'set', 'PC', '$E000')
    await calls.data('step', '--count', '2')
    await calls.data('write', '--address', '1', '--bytes', '37')
    expect(await kindIn('ram')).toMatchObject({ names: [{ address: '$00FB', kind: 'pointer' }] })
    expect(await kindIn('cpu')).toMatchObject({ names: [{ kind: 'byte' }, { kind: 'byte' }] })
    await switchOn()
  })

  it('lists what was loaded since the last reset, and what changed of it, beside the segments of its debug file', async () => {
    for (const [from, to] of [
      ['border.prg', 'border.prg'],
      ['borderCa65.dbg', 'border.dbg'],
    ] as const)
      copyFileSync(join('test/fixtures/labels', from), join(calls.folder, to))
    const layout = async () =>
      z
        .object({ parts: z.array(z.object({ name: z.string(), start: z.string(), changed: z.number().nullable() })) })
        .parse(await calls.data('layout'))
        .parts.filter(({ name }) => name === 'border.prg' || name === 'CODE')
    await calls.data('run', 'border.prg')
    expect(await layout()).toEqual([
      { name: 'border.prg', start: '$0801', changed: 0 },
      { name: 'CODE', start: '$0801', changed: null },
    ])
    await calls.data('write', '--address', '$0801', '--bytes', 'ff ff')
    expect((await layout())[0]).toEqual({ name: 'border.prg', start: '$0801', changed: 2 })
    await calls.data('reset')
    expect((await layout()).map(({ name }) => name)).toEqual(['CODE'])
    await calls.data('label', 'clear')
  })

  it('tells RAM under the chips and the KERNAL from what stands over it', async () => {
    // SEI; LDA #$34; STA $01; LDA #$60; STA $FFD2; STA $D020; JSR $FFD2; JMP $C00C.
    const code = '78 a9 34 85 01 a9 60 8d d2 ff 8d 20 d0 20 d2 ff 4c 0a c0'
    await calls.data('pause')
    await calls.data('write', '--address', '$C000', '--bytes', code)
    // Right after a reset the KERNAL has not set the port yet.
    await calls.data('write', '--address', '0', '--bytes', '2f 37')
    await calls.data('registers', 'set', 'PC', '$C000')
    await calls.data('checkpoint', 'add', '$D020', '--on', 'store')
    const number = z.object({ checkpoints: z.array(z.object({ number: z.number() })) })
    const [last] = number.parse(await calls.data('checkpoints')).checkpoints.slice(-1)
    const stopped = await calls.run('step', '--to', '$C010')
    expect(stopped.stdout).toContain('Stopped at $C00D because $D020 (RAM under I/O) was written by $C00A STA $D020.')
    await calls.data('checkpoint', 'delete', String(last?.number))
    const lines = (await calls.run('trace', '--count', '2')).stdout
    expect(lines).toContain('JSR $FFD2')
    expect(lines).not.toContain('CHROUT')
    expect((await calls.run('why', '$d020')).stdout).toContain('RAM under I/O')
    expect(await calls.data('why', '$ffd2')).toMatchObject({
      seen: 'ram',
      lastRunCyclesAgo: expect.any(Number) as number,
    })
    const { ranges } = z
      .object({ ranges: z.array(z.object({ space: z.string(), start: z.string(), name: z.string().nullable() })) })
      .parse(await calls.data('coverage', '--since', '0.02'))
    expect(ranges).toEqual(
      expect.arrayContaining([
        { space: 'ram', start: '$D020', name: null },
        { space: 'ram', start: '$FFD2', name: null },
      ]),
    )
    expect(ranges).not.toContainEqual(expect.objectContaining({ space: 'io', start: '$D020' }))
    await calls.data('resume')
    expect((await calls.run('profile', '--frames', '2')).stdout).toContain('$FFD2 (RAM under the KERNAL)')
    await switchOn()
  })

  it('runs in slow motion until it is resumed', async () => {
    expect((await calls.run('resume', '--slow', '50', '--unit', 'line')).stdout).toContain('50 raster lines a second')
    const slow = { unit: 'line', perSecond: 50 }
    expect(await calls.data('resume', '--slow', '50', '--unit', 'line')).toMatchObject({ execution: 'running', slow })
    expect(await calls.data('resume')).toMatchObject({ slow: null })
    expect(await calls.run('resume', '--slow', '1001')).toMatchObject({ code: 2 })
  })

  it('traces instructions, runs on or stands as before, and ends at a checkpoint', async () => {
    await calls.data(...countDown)
    await standAtProgram()
    const lines = (await calls.run('trace', '--count', '4')).stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/^ *\d+ +/, '').replace(/ +A=.*/, ''))).toEqual([
      '$C000  A2 03     LDX #$03',
      '$C002  CA        DEX',
      '$C003  D0 FD     BNE $C002',
      '$C002  CA        DEX',
    ])
    const traced = (await calls.run('trace', '--count', '2', '--json')).stdout.trimEnd().split('\n')
    expect(traced.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { data: { pc: '$C003', bytes: 'd0fd', text: 'BNE $C002', registers: { X: 1 } } },
      { data: { pc: '$C002', bytes: 'ca', text: 'DEX', registers: { X: 1 } } },
    ])
    expect(await calls.data('machines')).toMatchObject({ machines: [{ execution: 'paused' }, {}] })
    await calls.data('resume')
    const file = join(calls.folder, 'trace.txt')
    const { instructions } = z
      .object({ instructions: z.number() })
      .parse(await calls.data('trace', '--frames', '2', '--out', file))
    const cycles = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => cycleSchema.parse(JSON.parse(line)).cycle)
    expect(cycles).toHaveLength(instructions)
    // The last one may have waited for a bad line and for sprites.
    expect((cycles.at(-1) ?? 0) - (cycles[0] ?? 0)).toBeGreaterThan(2 * 63 * 312 - 100)
    expect(await calls.data('machines')).toMatchObject({ machines: [{ execution: 'running', slow: null }, {}] })
    await calls.data('pause')
    await calls.data('checkpoints', 'add', '$FF48', '--temporary')
    expect(await calls.data('trace', '--frames', '3000', '--out', file)).toMatchObject({ stoppedBy: 'checkpoint' })
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)).toContain('"text":"IRQ"')
    expect(await calls.data('machines')).toMatchObject({ machines: [{ execution: 'paused' }, {}] })
    await switchOn()
    await calls.data('resume')
  })

  it('says how fast a machine in slow motion is', async () => {
    await calls.data('resume', '--slow', '50', '--unit', 'line')
    expect(await calls.data('machines')).toMatchObject({ machines: [{ slow: { unit: 'line', perSecond: 50 } }, {}] })
    expect((await calls.run('machines')).stdout).toContain('slow motion, 50 raster lines a second')
    await calls.data('resume')
    expect((await calls.run('machines')).stdout).not.toContain('slow motion')
  })

  it('is profiled without being stopped, and stands again where it stood before', async () => {
    // JSR $C010, JMP $C000; at $C010 INX, RTS.
    await calls.data('write', '--address', '$C000', '--bytes', '2010c04c00c0')
    await calls.data('write', '--address', '$C010', '--bytes', 'e860')
    await standAtProgram()
    const html = join(calls.folder, 'flame.html')
    const { frames, rows } = (await calls.data('profile', '--frames', '10', '--html', html)) as {
      frames: number
      rows: { name: string; interrupt: string | null; selfPercent: number; totalPercent: number }[]
    }
    expect(frames).toBeCloseTo(10, 1)
    const row = (name: string) => rows.find((each) => each.name === name)
    // JSR and JMP take 9 cycles, INX and RTS 8.
    expect(row('main program')).toMatchObject({ interrupt: null, totalPercent: expect.closeTo(98, -1) as number })
    expect(row('$C010')).toMatchObject({ interrupt: null, selfPercent: expect.closeTo(46, -1) as number })
    expect(row('IRQ')).toMatchObject({ interrupt: 'irq', selfPercent: 0 })
    expect(readFileSync(html, 'utf8')).toContain('$C010')
    expect(await calls.data('machines')).toMatchObject({ machines: [{ machine: 'builtin', execution: 'paused' }, {}] })
    await calls.data('resume')
    expect((await calls.run('profile', '--frames', '5')).stdout).toMatch(/\$C010 +\d+ +\d+ +\d+\.\d\d %/)
    expect(await calls.data('machines')).toMatchObject({ machines: [{ machine: 'builtin', execution: 'running' }, {}] })
    await switchOn()
  })

  it('stops at checkpoints, which are listed, disabled and deleted', async () => {
    const { checkpoint } = (await calls.data('checkpoints', 'add', '$A0-$A2', '--on', 'store', '--count-only')) as {
      checkpoint: { number: number }
    }
    const number = String(checkpoint.number)
    expect(checkpoint).toMatchObject({ range: '$00A0-$00A2', operations: ['store'], stop: false, enabled: true })
    await calls.data('checkpoints', 'disable', number)
    expect(await calls.data('checkpoints')).toMatchObject({
      checkpoints: [{ ...checkpoint, enabled: false, hits: expect.any(Number) as number }],
    })
    await calls.data('checkpoints', 'enable', number)
    expect((await calls.run('checkpoints')).stdout).toMatch(/\$00A0-\$00A2 +TIME +store +\d+ hits? +counts only/)
    await calls.data('checkpoints', 'delete', number)
    expect(await calls.data('checkpoints')).toEqual({ machine: 'builtin', checkpoints: [] })
  })

  it('logs at checkpoints from a hit on where a condition holds, and refuses what cannot be read', async () => {
    // The clock of the KERNAL.
    const add = ['checkpoints', 'add', '$A2', '--on', 'store', '--if', '@$a2 & 3 == 1', '--hits', '2']
    const { checkpoint } = (await calls.data(...add, '--log', 'clock {@$a2 & 3, decimal}')) as {
      checkpoint: { number: number }
    }
    expect(checkpoint).toMatchObject({ stop: false, condition: '@$a2 & 3 == 1', fromHit: 2 })
    const line = { line: 1, checkpoint: checkpoint.number, text: 'clock 1' }
    await expect
      .poll(() => calls.data('checkpoints', 'log'))
      .toMatchObject({ lines: expect.arrayContaining([expect.objectContaining(line)]) as unknown })
    await expect
      .poll(async () => (await calls.run('checkpoints', 'log', '--after', '1')).stdout)
      .toMatch(/^2 +\$[\dA-F]{4} +clock 1$/m)
    const following = calls.start('checkpoints', 'log', '--follow')
    await expect.poll(following.output).toMatch(/^\d+ +\$[\dA-F]{4} +clock 1$/m)
    const seen = following.output().length
    await expect.poll(() => following.output().length).toBeGreaterThan(seen)
    following.interrupt()
    const { stdout } = await following.ended
    const numbers = [...stdout.matchAll(/^(\d+) /gm)].map(([, line]) => Number(line))
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
    expect((await calls.run('checkpoints')).stdout).toMatch(/if @\$a2 & 3 == 1, from hit 2, logs clock/)
    await calls.data('checkpoints', 'delete', String(checkpoint.number))
    expect(await calls.run('checkpoints', 'add', '$A2', '--if', 'A == ')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('“A == ”, column 6: Expected a number') as string,
    })
  })

  it('takes what is typed', async () => {
    await calls.data('type', 'rem typed', '--return')
    await expect
      .poll(() => calls.data('screen'))
      .toMatchObject({ rows: expect.arrayContaining([expect.stringContaining('REM TYPED')]) as unknown })
  })

  it('lives through what happened on another C64, from its file', async () => {
    await calls.data('run', demo)
    await calls.data('write', '--address', '$c000', '--bytes', '12')
    await calls.data('pause')
    const registers = await calls.data('registers')
    await calls.data('state', 'save', 'bug.state', '--past', '600')
    await calls.data('reset')
    const replayed = await calls.data('replay', 'bug.state', '--end')
    expect(replayed).toMatchObject({
      inputs: expect.arrayContaining([
        { seconds: expect.any(Number) as number, text: '1 byte written at $C000' },
      ]) as unknown,
    })
    expect(await calls.data('registers')).toEqual(registers)
    const { stdout } = await calls.run('replay', 'bug.state')
    expect(stdout).toContain('builtin stands at its begin; resume plays on.')
    expect(stdout).toMatch(/\d\.\d{3} s\s+a program of \d+ bytes started/)
    await calls.data('resume')
  })

  it('goes back to a saved state', async () => {
    await calls.data('write', '--address', '$C100', '--bytes', '11')
    expect(await calls.data('state', 'save', 'before.state')).toMatchObject({
      path: join(calls.folder, 'before.state'),
    })
    await calls.data('write', '--address', '$C100', '--bytes', '22')
    await calls.data('state', 'load', 'before.state')
    expect(await calls.data('read', '--address', '$C100', '--length', '1')).toMatchObject({ bytes: '11' })
    expect(await calls.run('state', 'load', 'missing.state')).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('missing.state') as string,
    })
  })

  it.each([
    [['drives']],
    [['resource', 'Speed']],
    [['mount', 'game.d64']],
    [['unmount']],
    [['drives', 'set', 'a', '--reset']],
  ])('that cannot do it says so with 4: %j', async (words) => {
    expect(await calls.run(...words)).toMatchObject({ code: 4, stderr: expect.stringMatching(/drives|VICE/) as string })
  })
})

describe('settings on the command line', () => {
  it('are shown, changed with the rest of their group, and refused with what they take', async () => {
    expect(await calls.data('settings', 'set', 'viceSampling.rate', '25')).toEqual({
      name: 'viceSampling.rate',
      value: 25,
    })
    expect(await calls.data('settings', 'get', 'viceSampling')).toMatchObject({ value: { rate: 25 } })
    expect((await calls.run('settings', 'get')).stdout).toMatch(/^viceSampling\.rate +25$/m)
    expect(await calls.run('settings', 'set', 'standard', 'secam')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/pal or ntsc/) as string,
    })
    expect(await calls.data('settings', 'set', 'ciaModel', '6526')).toEqual({ name: 'ciaModel', value: '6526' })
    expect(await calls.run('settings', 'set', 'ciaModel', '6581')).toMatchObject({ code: 2 })
    expect(await calls.run('settings', 'get', 'standart')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Did you mean standard/) as string,
    })
  })

  it('take ROM files in the caller’s folder, and none', async () => {
    await calls.data('state', 'save', 'kernal.bin')
    const path = join(calls.folder, 'kernal.bin')
    expect(existsSync(path)).toBe(true)
    expect(await calls.data('settings', 'set', 'kernalRom', 'kernal.bin')).toEqual({ name: 'kernalRom', value: path })
    expect(await calls.data('settings', 'set', 'kernalRom', 'none')).toEqual({ name: 'kernalRom', value: null })
    expect(await calls.run('settings', 'set', 'kernalRom', 'missing.bin')).toMatchObject({ code: 7 })
  })
})

describe('connections on the command line', () => {
  it('are saved, listed, tested and forgotten', async () => {
    expect(await calls.data('connections', 'save', 'vice:localhost:6510', '--title', 'Desk')).toEqual({
      machine: 'vice:6510',
      title: 'Desk',
    })
    expect((await calls.run('connections', 'list')).stdout).toMatch(/^vice:6510 +saved +Desk$/m)
    await calls.data('connections', 'forget', 'vice:6510')
    expect(await calls.data('connections', 'list')).toMatchObject({ profiles: [] })
    expect(await calls.data('connections', 'test', 'builtin')).toMatchObject({
      steps: [{ outcome: 'ok' }, {}, {}, {}, {}],
    })
  })

  it.each(['save', 'test', 'forget'])('need a machine to %s', async (command) => {
    const usage = { code: 2, stderr: expect.stringContaining('MACHINE is missing') as string }
    expect(await calls.run('connections', command)).toMatchObject(usage)
  })

  it('that fail their test end with 3', async () => {
    const { code, stderr } = await calls.run('connections', 'test', 'vice:1', '--json')
    expect(code).toBe(3)
    expect(JSON.parse(stderr)).toMatchObject({ ok: false, error: { code: 'UNREACHABLE' } })
  })
})

describe('agents on the command line', () => {
  it('are set up by a person only, listed and removed', async () => {
    const add = ['agents', 'add', 'mine', '--preset', 'custom', '--command', process.execPath, '--argument=--version']
    expect(await calls.run(...add)).toMatchObject({ code: 8, stderr: expect.stringMatching(/--yes/) as string })
    expect(await calls.data(...add, '--yes')).toMatchObject({ agent: { name: 'mine', args: ['--version'] } })
    expect((await calls.run('agents', 'list')).stdout).toMatch(/^mine +custom +found +.*--version$/m)
    expect(await calls.run('agents', 'add', 'a name', '--preset', 'custom', '--yes')).toMatchObject({ code: 2 })
    await calls.data('agents', 'remove', 'mine')
    expect(await calls.data('agents', 'list')).toEqual({ agents: [] })
    expect(await calls.run('agents', 'remove', 'mine')).toMatchObject({ code: 7 })
  })

  it('are programs on the PATH, or files from the caller’s folder', async () => {
    const custom = ['agents', 'add', 'mine', '--preset', 'custom', '--yes']
    expect(await calls.data(...custom, '--command', './agent.sh')).toMatchObject({
      agent: { command: join(calls.folder, 'agent.sh') },
    })
    expect(await calls.data(...custom, '--command', 'agent')).toMatchObject({ agent: { command: 'agent' } })
    await calls.data('agents', 'remove', 'mine')
    expect(await calls.run(...custom)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--command/) as string })
  })

  it('have runs, of which one that does not run cannot be stopped', async () => {
    expect(await calls.data('agents', 'runs')).toEqual({ runs: [] })
    expect(await calls.run('agents', 'stop', 'none')).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(/ended already/) as string,
    })
  })
})

describe('a machine that would end with the call', () => {
  it.each([
    [['pause']],
    [['step']],
    [['registers', 'set', 'A', '1']],
    [['checkpoints', 'add', '$C000']],
    [['state', 'load', 'x.state']],
    [['pause', '--machine', 'vice:1']],
  ])('refuses what would have no effect, and says how to keep it: %j', async (words) => {
    const alone = new CommandLine()
    try {
      expect(await alone.run(...words)).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(/bridgedeck bridge start/) as string,
      })
    } finally {
      await alone.remove()
    }
  })
})

it('tells the layout of a real C64 too, without reading what disturbs its program', async () => {
  const peer = await startUltimate()
  try {
    const machine = ['--machine', `ultimate:127.0.0.1:${peer.ports.rest}`]
    const { parts } = layoutSchema.parse(await calls.data('layout', ...machine))
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['Stack', 'Screen', 'Sprite pointers']))
    expect(await calls.data('why', '$0400', ...machine)).toMatchObject({
      uses: ['Character at row 0, column 0 of the screen'],
    })
  } finally {
    await peer.stop()
  }
})

describe('the drives of an Ultimate', () => {
  let peer: UltimatePeer
  let machine: readonly string[]
  beforeAll(async () => {
    peer = await startUltimate()
    machine = ['--machine', `ultimate:127.0.0.1:${peer.ports.rest}`]
  })
  afterAll(() => peer.stop())

  it('are listed, changed, filled and emptied', async () => {
    writeFileSync(join(calls.folder, 'game.d64'), new Uint8Array(174_848))
    expect(await calls.data('mount', 'game.d64', ...machine)).toMatchObject({ drive: 'a', mode: 'readwrite' })
    expect(await calls.data('drives', ...machine)).toMatchObject({
      drives: expect.arrayContaining([expect.objectContaining({ drive: 'a', image: 'game.d64' })]) as unknown,
    })
    expect((await calls.run('drives', ...machine)).stdout).toMatch(/^a +on +device 8 +1541 +game\.d64$/m)
    await calls.data('unmount', ...machine)
    expect(await calls.data('drives', 'set', 'a', '--model', '1581', '--power', 'on', ...machine)).toMatchObject({
      drive: { drive: 'a', type: '1581', image: null },
    })
    expect(await calls.run('mount', 'missing.d64', ...machine)).toMatchObject({ code: 7 })
    expect(await calls.run('drives', 'set', 'a', ...machine)).toMatchObject({ code: 2 })
  })

  it('are tested as a connection', async () => {
    const name = machine[1] ?? ''
    expect((await calls.run('connections', 'test', name)).stdout).toMatch(/^ok +Reach the machine/m)
  })
})
