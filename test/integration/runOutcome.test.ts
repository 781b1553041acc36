/** What came of a run, typed text, a reset: where the CPU is, what the screen says, what stopped the machine. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CommandLine } from '../support/commandLine'

let calls: CommandLine
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
})
afterEach(async () => {
  const { checkpoints } = listSchema.parse(await calls.data('checkpoint', 'list'))
  for (const { number } of checkpoints) await calls.data('checkpoint', 'delete', String(number))
  await calls.data('resume')
})
afterAll(() => calls.remove())

const listSchema = z.object({ checkpoints: z.array(z.object({ number: z.number() })) })
const save = (name: string, content: string | Uint8Array): void => writeFileSync(join(calls.folder, name), content)
/** INC $D020, then a loop. */
const border = '*=$c000\n inc $d020\nstay jmp stay'

describe('run', () => {
  it('answers once the first instruction ran, with where the CPU is, and the file’s name', async () => {
    save('border.asm', border)
    expect(await calls.data('run', 'border.asm')).toMatchObject({
      program: 'border.asm',
      started: true,
      execution: 'running',
      pc: expect.stringMatching(/^\$C00[03]$/) as string,
      stop: null,
      rows: expect.arrayContaining([expect.stringContaining('SYS49152:')]) as string[],
    })
    expect((await calls.run('run', 'border.asm')).stdout).toMatch(
      /^border\.asm runs on builtin\.\nCPU at \$C00[03]\.$/m,
    )
    expect((await calls.run('status')).stdout).toContain('border.asm')
  })

  it('waits for the frames that were asked for, by the machine’s own time', async () => {
    save('count.asm', '*=$c000\n sei\nframe lda $d012\n bne frame\nline lda $d012\n beq line\n inc $c100\n jmp frame')
    await calls.data('run', 'count.asm', '--frames', '60')
    const { bytes } = z
      .object({ bytes: z.string() })
      .parse(await calls.data('read', '--address', '$C100', '--length', '1'))
    expect(Number.parseInt(bytes, 16)).toBeGreaterThanOrEqual(60)
  })

  it('says what stopped the machine, and where', async () => {
    save('border.asm', border)
    await calls.data('checkpoint', 'add', '$c000')
    const { code, stdout } = await calls.run('run', 'border.asm', '--frames', '5000')
    expect(code).toBe(0)
    expect(stdout).toContain('border.asm ran on builtin and stopped.')
    expect(stdout).toMatch(/Stopped at \$C000 .*because \$C000 was reached \(checkpoint \d+\)\./)
  })

  it('does not hang on a machine that was left at a checkpoint in the KERNAL', async () => {
    save('border.asm', border)
    await calls.data('checkpoint', 'add', '$ea31')
    await calls.run('screen', '--wait-for', 'no such text', '--timeout', '1')
    const ended = await calls.run('run', 'border.asm', '--wait-for', 'ready', '--timeout', '3600')
    expect(ended).toMatchObject({
      stderr: expect.stringMatching(/border\.asm is loaded, but has not begun\. Stopped at \$EA31/) as string,
    })
    expect(ended.stderr).toMatch(/Resume the machine, or delete checkpoint \d+ first/)
    expect(ended.code).not.toBe(0)
  })

  it('ends as failed where BASIC complains', async () => {
    save('ends.bas', '10 sys 49152\n')
    save('hidden.prg', Uint8Array.of(0x00, 0xe0, 0x60))
    const { code, stderr } = await calls.run('run', 'hidden.prg')
    expect([code, stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('hidden.prg ended with ?NO PROGRAM LOADED') as string,
    ])
    expect(code).not.toBe(0)
  })

  it('refuses BASIC where there is none, before anything happens to the machine', async () => {
    save('border.asm', border)
    await calls.data('run', 'border.asm')
    save('loop.bas', '10 for i=1 to 3\n20 print i\n30 next')
    const { code, stderr } = await calls.run('run', 'loop.bas')
    expect(stderr).toContain('loop.bas needs BASIC (FOR in line 10), and this machine has none')
    expect(stderr).toContain('Choose the KERNAL and BASIC ROM of a C64 in the settings, or run it on a VICE')
    expect(code).not.toBe(0)
    expect((await calls.run('status')).stdout).toContain('border.asm')
  })

  it('names a SID tune', async () => {
    const tune = new Uint8Array(0x80)
    tune.set(Buffer.from('PSID'))
    tune.set(Buffer.from('Commando'), 0x16)
    tune.set(Buffer.from('Rob Hubbard'), 0x36)
    save('x.sid', tune)
    expect((await calls.run('run', 'x.sid')).stderr).toContain(
      'x.sid is a SID tune (“Commando” by Rob Hubbard), which this machine does not play.',
    )
  })
})

describe('other commands that let a machine run', () => {
  it('type says whether the machine took the text, and what the screen says then', async () => {
    await calls.data('reset')
    expect(await calls.data('type', 'print 6*7', '--return')).toMatchObject({
      taken: true,
      execution: 'running',
      rows: expect.arrayContaining([expect.stringMatching(/^42 /)]) as string[],
    })
    await calls.data('pause')
    const { stdout } = await calls.run('type', 'x')
    expect(stdout).toContain('Typed 1 character. builtin reads it once it runs. Resume the machine.')
  })

  it('resume waits for a stop, or says that none came', async () => {
    save('late.asm', '*=$c000\n ldx #0\n ldy #0\nloop inx\n bne loop\n iny\n bne loop\n inc $c100\nstay jmp stay')
    await calls.data('pause')
    await calls.data('load', 'late.asm')
    await calls.data('checkpoint', 'add', '$c100', '--on', 'store')
    await calls.data('register', 'set', 'PC', '$c000')
    const { stdout } = await calls.run('resume', '--until-stop', '20')
    expect(stdout).toMatch(/^builtin went on, and stands again\.\n.*\$C100.*checkpoint/)
    expect((await calls.run('resume', '--until-stop', '1')).stdout).toMatch(
      /^builtin did not stop in 1 s, and runs on\./,
    )
  })

  it('resume says that the machine was stopped again', async () => {
    save('border.asm', border)
    await calls.data('run', 'border.asm')
    await calls.data('pause')
    await calls.data('checkpoint', 'add', '$c003')
    expect((await calls.run('resume')).stdout).toMatch(/^builtin went on, and stands again\.\nStopped at \$C003/)
  })

  it('reset waits for the prompt, and says where a paused machine stands', async () => {
    expect(await calls.data('reset')).toMatchObject({ prompt: true, execution: 'running' })
    await calls.data('pause')
    expect(await calls.data('reset')).toMatchObject({ prompt: false, execution: 'paused' })
  })

  it('load says where the CPU is', async () => {
    save('code.prg', Uint8Array.of(0x00, 0xc0, 0x60))
    expect(await calls.data('load', 'code.prg')).toMatchObject({
      execution: 'running',
      pc: expect.stringMatching(/^\$/) as string,
    })
  })
  it('load refuses BASIC where there is none, before anything is written, and takes it as data elsewhere', async () => {
    save('code.prg', Uint8Array.of(0x00, 0xc0, 0x60))
    save('loop.bas', '10 for i=1 to 3\n20 print i\n30 next')
    save('print.bas', '10 print 1')
    await calls.data('write', '--address', '$0801', '--bytes', '4711')
    const { code, stderr } = await calls.run('load', 'loop.bas')
    expect(stderr).toContain('loop.bas needs BASIC (FOR in line 10), and this machine has none')
    expect(code).not.toBe(0)
    expect(await calls.data('read', '--address', '$0801', '--length', '2')).toMatchObject({ bytes: '4711' })
    expect((await calls.run('load', 'loop.bas', '--at', '$4000')).code).toBe(0)
    expect((await calls.run('load', 'print.bas')).code).toBe(0)
    expect((await calls.run('load', 'code.prg')).code).toBe(0)
  })
})
