/** Labels on the command line: a real assembled program, the files beside it, and checkpoints that follow a rebuild. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Session } from '../../src-main/cli/session'
import { CommandLine } from '../support/commandLine'

const fixture = (name: string) => resolve('test/fixtures/labels', name)

let calls: CommandLine
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
})
afterAll(() => calls.remove())

const copy = (from: string, to: string) => copyFileSync(fixture(from), join(calls.folder, to))

async function deleteCheckpoint(label: string): Promise<void> {
  const { checkpoints } = z
    .object({ checkpoints: z.array(z.object({ number: z.number(), label: z.string().nullable() })) })
    .parse(await calls.data('checkpoints'))
  const one = checkpoints.find((each) => each.label === label)
  await calls.data('checkpoint', 'delete', String(one?.number))
}

describe('the labels of a program', () => {
  it('are found beside it when it is run, and stand wherever an address is asked for', async () => {
    copy('border.prg', 'border.prg')
    copy('border.lbl', 'border.lbl')
    await calls.data('run', 'border.prg', '--frames', '20')
    expect(await calls.data('labels')).toMatchObject({
      files: [{ path: join(calls.folder, 'border.lbl'), origin: 'program', labels: 7, problem: null }],
      total: 7,
    })
    expect(await calls.data('read', '--address', 'main', '--length', '2')).toMatchObject({
      address: '$080D',
      bytes: 'a200',
    })
    expect(await calls.data('write', '--address', 'table', '--bytes', '02')).toMatchObject({ address: '$0825' })
    expect(await calls.data('why', 'border')).toMatchObject({
      address: '$D020',
      lastWrite: { by: '$0810' },
      uses: [expect.stringMatching(/^VIC-II register: Border colour \(/)],
    })
    expect((await calls.run('why', 'border')).stdout).toContain('$0810  STX $D020  loop+1')
  })

  it('are names to search for, and from which one counts', async () => {
    const search = (query: string, kind: string) => calls.data('search', query, '--as', kind, '--range', 'main..table')
    expect(await search('jsr draw', 'instruction')).toMatchObject({ matches: [{ address: '$0813' }] })
    expect(await search('loop', 'pointer')).toMatchObject({ matches: [{ address: '$0817' }] })
    expect(await calls.run('search', 'jsr nowhere', '--as', 'instruction')).toMatchObject({
      stderr: expect.stringContaining('“nowhere” is not an address, a label or a register.') as string,
    })
    expect(await calls.data('read', '--address', 'draw+4', '--length', '1')).toMatchObject({ address: '$081D' })
    expect(await calls.data('read', '--address', 'draw-$0c', '--length', '1')).toMatchObject({ address: '$080D' })
    expect(await calls.data('task', 'run', 'read', '--address', 'main+1', '--length', '1')).toMatchObject({
      result: { summary: { address: '0x080E', bytes: '00' } },
    })
  })

  it('stand in the arguments of tasks, which get their addresses', async () => {
    expect(await calls.data('task', 'run', 'read', '--address', 'main', '--length', '2')).toMatchObject({
      result: { summary: { address: '0x080D', bytes: 'a200' } },
    })
    const { task } = z
      .object({ task: z.object({ id: z.string() }) })
      .parse(await calls.data('task', 'start', 'sample', '--ranges', 'draw+4 $A0-$A2', '--detach'))
    expect(await calls.data('task', 'show', task.id)).toMatchObject({
      args: { ranges: '$0819-$081C, $A0-$A2' },
    })
    await calls.data('task', 'stop', task.id)
    expect(await calls.run('task', 'run', 'read', '--address', 'nowhere', '--length', '2')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('“nowhere” is not an address, a label or a register.') as string,
    })
  })

  it('end with the bytes that are left where memory does', async () => {
    await calls.data('write', '--address', '$fffd', '--bytes', 'ea4c00')
    expect(await calls.data('disassemble', '--address', '$fffd')).toMatchObject({
      instructions: [
        { address: '$FFFD', text: 'NOP' },
        { address: '$FFFE', bytes: '4c00', text: '.byte $4C,$00' },
      ],
    })
  })

  it('are lines and operands of the disassembly', async () => {
    const { stdout } = await calls.run('disassemble', '--address', 'main', '--count', '5')
    expect(stdout.split('\n').map((line) => line.trimEnd().replaceAll(/ {2,}/g, '  '))).toEqual([
      'main:',
      '$080D  A2 00  LDX #$00',
      'loop:',
      '$080F  E8  INX',
      '$0810  8E 20 D0  STX border',
      '$0813  20 19 08  JSR draw',
      '$0816  4C 0F 08  JMP loop',
      '',
    ])
  })

  it('are loaded from any file, found by a part of their name, and cleared', async () => {
    copy('borderCa65.dbg', 'other.dbg')
    expect(await calls.data('label', 'load', 'other.dbg')).toMatchObject({
      file: { format: 'cc65 debug file', origin: 'person', labels: 8, lines: 16 },
    })
    expect(await calls.data('labels', '--find', 'lo')).toMatchObject({
      labels: [
        { name: 'main.loop', address: '$080F', kind: 'code' },
        { name: 'draw.loop', address: '$081B', kind: 'code' },
      ],
    })
    expect((await calls.run('disassemble', '--address', 'draw.loop', '--count', '1')).stdout).toMatch(
      /borderCa65\.s:22/,
    )
    await calls.data('label', 'clear', 'other.dbg')
    expect(await calls.run('label', 'clear', 'other.dbg')).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('No labels are loaded from other.dbg.') as string,
    })
  })

  it('that are not there are wrong usage, and say so', async () => {
    expect(await calls.run('read', '--address', 'nothing')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('“nothing” is not an address, a label or a register.') as string,
    })
  })

  it('stand in conditions and messages, which read where the labels are after a rebuild', async () => {
    copy('border.lbl', 'border.lbl')
    await calls.data('write', '--address', '$0825', '--bytes', '01')
    await calls.data('write', '--address', '$0835', '--bytes', '07')
    const log = 'table {@table}'
    const { checkpoint } = z
      .object({ checkpoint: z.object({ number: z.number() }) })
      .parse(await calls.data('checkpoint', 'add', '$EA31', '--if', '@table != 0', '--log', log))
    const logged = async () => JSON.stringify(await calls.data('checkpoint', 'log'))
    await expect.poll(logged, { timeout: 20_000 }).toMatch('table $01')
    copy('moved.lbl', 'border.lbl')
    await expect.poll(logged, { timeout: 20_000 }).toMatch('table $07')
    const { checkpoints } = z
      .object({ checkpoints: z.array(z.object({ number: z.number(), condition: z.string(), log: z.string() })) })
      .parse(await calls.data('checkpoints'))
    expect(checkpoints).toEqual([{ number: checkpoint.number + 1, condition: '@table != 0', log }])
    await calls.data('checkpoint', 'delete', String(checkpoint.number + 1))
    expect(await calls.run('checkpoint', 'add', '$EA31', '--if', '@nowhere != 0')).toMatchObject({
      stderr: expect.stringContaining('“nowhere” is no register, flag or name of an address.') as string,
    })
    copy('border.lbl', 'border.lbl')
    await expect
      .poll(() => calls.data('labels', '--find', 'table'), { timeout: 20_000 })
      .toMatchObject({ labels: [{ address: '$0825' }] })
  })

  it('take checkpoints along when the program is rebuilt', async () => {
    expect(await calls.data('checkpoint', 'add', 'draw')).toMatchObject({
      checkpoint: { range: '$0819', label: 'draw' },
    })
    await expect
      .poll(() => calls.data('machines'), { timeout: 20_000 })
      .toMatchObject({ machines: [{ execution: 'paused' }, {}] })
    expect(await calls.data('checkpoint', 'add', 'draw+3..draw+5')).toMatchObject({ checkpoint: { label: 'draw+3' } })
    copy('moved.lbl', 'border.lbl')
    await expect
      .poll(() => calls.data('checkpoints'), { timeout: 20_000 })
      .toMatchObject({
        checkpoints: [
          { range: '$0829', label: 'draw' },
          { range: '$082C-$082E', label: 'draw+3' },
        ],
      })
    await deleteCheckpoint('draw+3')
    copy('moved.prg', 'border.prg')
    await calls.data('run', 'border.prg', '--frames', '0')
    await expect
      .poll(() => calls.data('registers'), { timeout: 20_000 })
      .toMatchObject({
        registers: { PC: 0x829 },
        at: { address: '$0829', name: 'draw' },
      })
  })

  it('take checkpoints along also where the machine was disconnected meanwhile', async () => {
    const noPasswords = { given: () => Promise.resolve(undefined), ask: () => Promise.resolve(undefined) }
    const session = await Session.find(join(calls.folder, 'data'), noPasswords)
    await session?.client.call('machine.disconnect', { machine: 'builtin' })
    copy('border.lbl', 'border.lbl')
    await expect
      .poll(() => session?.client.call('labels.resolve', { machine: 'builtin', text: 'draw', range: false }), {
        timeout: 20_000,
      })
      .toMatchObject({ start: 0x819 })
    await session?.client.call('machine.connect', { machine: 'builtin' })
    session?.client.close()
    await expect
      .poll(() => calls.data('checkpoints'), { timeout: 20_000 })
      .toMatchObject({ checkpoints: [{ range: '$0819', label: 'draw' }] })
  })

  it('let a checkpoint at a source line follow its line, and say where it is gone', async () => {
    const source = readFileSync(fixture('border64tass.asm'), 'utf8')
    const write = (text: string) => writeFileSync(join(calls.folder, 'border64tass.asm'), text)
    const atLine = async () =>
      z
        .object({
          checkpoints: z.array(
            z.object({
              range: z.string(),
              enabled: z.boolean(),
              line: z.object({ line: z.number() }).nullable(),
              unbound: z.string().nullable(),
            }),
          ),
        })
        .parse(await calls.data('checkpoints'))
        .checkpoints.filter(({ line }) => line !== null)
        .map(({ line, ...rest }) => ({ ...rest, line: line?.line }))
    const switchTo = async (verb: 'enable' | 'disable', answer: object) => {
      const { checkpoints } = z
        .object({ checkpoints: z.array(z.object({ number: z.number(), line: z.unknown() })) })
        .parse(await calls.data('checkpoints'))
      const own = checkpoints.find(({ line }) => line !== null)
      expect(await calls.data('checkpoint', verb, String(own?.number))).toMatchObject(answer)
    }
    write(source)
    copy('border.lst', 'border.lst')
    await calls.data('label', 'load', 'border.lst')
    await calls.data('checkpoint', 'add', 'border64tass.asm:11')
    expect(await atLine()).toEqual([{ range: '$0810', enabled: true, unbound: null, line: 11 }])
    copy('moved.lst', 'border.lst')
    await expect.poll(atLine, { timeout: 60_000 }).toEqual([{ range: '$0820', enabled: true, unbound: null, line: 11 }])
    write(source.replace('        stx border\n', ''))
    copy('border.lst', 'border.lst')
    await expect
      .poll(atLine, { timeout: 60_000 })
      .toEqual([{ range: '$0820', enabled: false, unbound: 'line 11 is gone', line: 11 }])
    await switchTo('disable', { enabled: false, unbound: 'line 11 is gone' })
    await switchTo('enable', { enabled: true, unbound: 'line 11 is gone' })
    expect(await atLine()).toEqual([{ range: '$0820', enabled: false, unbound: 'line 11 is gone', line: 11 }])
    await switchTo('disable', { enabled: false, unbound: 'line 11 is gone' })
    write(source)
    copy('moved.lst', 'border.lst')
    await expect
      .poll(atLine, { timeout: 60_000 })
      .toEqual([{ range: '$0820', enabled: false, unbound: null, line: 11 }])
    await switchTo('enable', { enabled: true, unbound: null })
    await expect.poll(atLine, { timeout: 60_000 }).toEqual([{ range: '$0820', enabled: true, unbound: null, line: 11 }])
    expect(await calls.run('checkpoint', 'add', 'border64tass.asm:14')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Next line with code: 15.') as string,
    })
  }, 200_000)

  it('are not deleted with the files: the file that is gone is named', async () => {
    expect(await calls.run('label', 'load', 'none.lbl')).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('There is no file none.lbl.') as string,
    })
  })
})
