/** The same checks on the built-in C64 and on VICE, at the same time. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine } from '../support/commandLine'
import { lacks } from '../support/parts'
import { xmlElements } from '../support/xmlElements'
import { startVice, type RunningVice } from './support'

describe.skipIf(lacks('vice', 'xvfb'))('checks on two machines', () => {
  let vice: RunningVice
  let calls: CommandLine
  beforeAll(async () => {
    vice = await startVice()
    calls = new CommandLine()
  })
  afterAll(async () => {
    await calls.remove()
    await vice.stop()
  })

  it('pass on both, with one picture for both', async () => {
    cpSync(resolve('docs/examples'), join(calls.folder, 'examples'), { recursive: true })
    const machines = ['--machine', 'builtin', '--machine', `vice:${vice.port}`]
    const { code, stdout, stderr } = await calls.run(
      'check',
      'examples/border.check.yaml',
      ...machines,
      '--junit',
      'results.xml',
    )
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stderr: '' })
    const suites = xmlElements(readFileSync(join(calls.folder, 'results.xml'), 'utf8')).filter(
      ({ name }) => name === 'testsuite',
    )
    expect(suites.map(({ attributes }) => attributes['failures'])).toEqual(['0', '0'])
    expect(suites.map(({ attributes }) => attributes['skipped'])).toEqual(['0', '1'])
  })

  it('run at the same time: one waits for what takes long on the other', async () => {
    writeFileSync(
      join(calls.folder, 'two.check.yaml'),
      [
        `machines: [vice:${vice.port}, builtin]`,
        'cases:',
        '  - { name: wait, machines: vice, steps: { wait: { seconds: 3 } }, expect: { screen: READY. } }',
        '  - { name: quick, machines: builtin, expect: { screen: READY. } }',
      ].join('\n'),
    )
    const call = calls.start('check', 'two.check.yaml')
    const { code, stdout } = await call.ended
    expect(code).toBe(0)
    expect(stdout.indexOf('ok   quick (builtin)')).toBeGreaterThan(-1)
    expect(stdout.indexOf('ok   quick (builtin)')).toBeLessThan(stdout.indexOf('ok   wait (vice:'))
  })

  it('say what VICE cannot do, and what differs there', async () => {
    writeFileSync(
      join(calls.folder, 'no.check.yaml'),
      [
        `machines: vice:${vice.port}`,
        'cases:',
        '  - name: cycles',
        '    assembly: |',
        '      loop jsr draw',
        '           jmp loop',
        '      draw rts',
        '    expect: { cycles: { subroutine: draw, max: 20 } }',
        '  - { name: keys, steps: { keys: { press: f1 } }, expect: { screen: READY. } }',
        '  - name: registers',
        '    assembly: |',
        '      start ldx #7',
        '            ldy #8',
        '      done  jmp done',
        '    steps: { run_to: done }',
        '    expect: { registers: { x: 7, y: 9, pc: done } }',
      ].join('\n'),
    )
    const { code, stdout } = await calls.run('check', 'no.check.yaml')
    expect(code).toBe(1)
    expect(stdout).toMatch(/ERR {2}cycles .*\n.*Not possible on vice:\d+: It does not tell the cycles/)
    expect(stdout).toMatch(/ERR {2}keys .*\n.*Not possible on vice:\d+: VICE’s monitor accepts typed text only/)
    expect(stdout).toMatch(/FAIL registers .*\n.*registers: Y differs\.\n.*expected: Y = \$09\n.*found: Y = \$08/)
  })

  it('leave a VICE that was there running, without our joystick', async () => {
    const machine = ['--machine', `vice:${vice.port}`]
    const port = () => calls.data('resource', 'JoyPort2Device', ...machine)
    const before = await port()
    expect(await calls.run('check', 'examples/border.check.yaml', ...machine)).toMatchObject({ code: 0 })
    expect(await port()).toEqual(before)
    const clock = () => calls.data('read', '--address', '$A0', '--length', '3', ...machine)
    const now = await clock()
    await expect.poll(clock).not.toEqual(now)
  })
})
