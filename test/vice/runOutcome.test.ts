/** What came of a run on a VICE: whether the program began, where the CPU is, what stopped it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CommandLine } from '../support/commandLine'
import { lacks } from '../support/parts'
import { startVice, type RunningVice } from './support'

const listSchema = z.object({ checkpoints: z.array(z.object({ number: z.number() })) })

describe.skipIf(lacks('vice', 'xvfb'))('a run on a VICE', () => {
  let vice: RunningVice
  let calls: CommandLine
  let machine: readonly string[]
  beforeAll(async () => {
    vice = await startVice()
    calls = new CommandLine()
    machine = ['--machine', `vice:${vice.port}`]
    await calls.data('bridge', 'start')
  })
  afterAll(async () => {
    await calls.remove()
    await vice.stop()
  })

  const save = (name: string, text: string): void => writeFileSync(join(calls.folder, name), text)

  it('waits for the first instruction, also of a program that RUN does not start', async () => {
    save('border.asm', '*=$0810\n inc $d020\nstay jmp stay')
    expect(await calls.data('run', 'border.asm', ...machine)).toMatchObject({
      program: 'border.asm',
      started: true,
      execution: 'running',
    })
  })

  it('knows a program that has ended already', async () => {
    save('short.asm', '*=$c000\n rts')
    save('short.bas', '10 sys 49152')
    expect(await calls.data('run', 'short.bas', ...machine)).toMatchObject({ started: true })
  })

  it('says that a checkpoint in the KERNAL stopped it before it began', async () => {
    await calls.data('checkpoint', 'add', '$ea31', ...machine)
    expect(await calls.run('screen', '--wait-for', 'no such text', '--timeout', '3', ...machine)).toMatchObject({
      stderr: expect.stringContaining('stopped before its screen showed') as string,
    })
    const ended = await calls.run('run', 'border.asm', ...machine)
    expect(ended.stderr).toMatch(/border\.asm is loaded, but has not begun\. Stopped at \$EA31/)
    const { checkpoints } = listSchema.parse(await calls.data('checkpoint', 'list', ...machine))
    for (const { number } of checkpoints) await calls.data('checkpoint', 'delete', String(number), ...machine)
    await calls.data('resume', ...machine)
  })
})
