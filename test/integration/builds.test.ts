/** Builds on the command line: the approved command in a trusted folder, its errors, and the program that it makes. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CommandLine } from '../support/commandLine'

let calls: CommandLine
beforeAll(async () => {
  calls = new CommandLine()
  await calls.data('bridge', 'start')
})
afterAll(() => calls.remove())

/** A folder with a program that a command can copy. */
function folder(name: string): string {
  const path = join(calls.folder, name)
  mkdirSync(path)
  copyFileSync(resolve('test/fixtures/labels/border.prg'), join(path, 'made.bin'))
  writeFileSync(join(path, 'game.s'), '; a source\n')
  return path
}

describe('a build', () => {
  it('runs nothing before its command is approved and its folder trusted', async () => {
    const path = folder('foreign')
    writeFileSync(join(path, 'Makefile'), 'all:\n\ttouch ran\n')
    for (const words of [
      ['build', 'foreign'],
      ['build', 'foreign/game.s'],
      ['build', 'foreign', '--command', 'touch ran'],
      ['build', 'foreign', '--trust'],
    ])
      expect(await calls.run(...words)).toMatchObject({ code: 8 })
    expect(existsSync(join(path, 'ran'))).toBe(false)
  })

  it('makes a program and runs it, and knows the command from then on', async () => {
    folder('games')
    const command = 'cp made.bin game.prg && echo "[$BRIDGEDECK_DATA]"'
    const built = await calls.data('build', 'games', '--command', command, '--trust')
    expect(built).toMatchObject({ command, result: 'succeeded', exitCode: 0, started: 'game.prg', problems: [] })
    expect((await calls.run('build', 'games')).stdout).toBe('game.prg is running.\n')
    expect(await calls.data('read', '--address', '$080d', '--length', '2')).toMatchObject({ bytes: 'a200' })
  })

  it('asks again where the words of the command are others', async () => {
    folder('changed')
    await calls.data('build', 'changed', '--command', 'cp made.bin game.prg', '--trust', '--only')
    expect(await calls.data('build', 'changed', '--only')).toMatchObject({ command: 'cp made.bin game.prg' })
    // Typed by the person, so approved.
    expect(await calls.data('build', 'changed', '--command', 'true', '--only')).toMatchObject({ command: 'true' })
    expect(await calls.data('build', 'changed', '--only')).toMatchObject({ command: 'true', started: null })
  })

  it('asks again where a file that the command runs has changed, and names the file', async () => {
    const path = folder('scripted')
    writeFileSync(join(path, 'build.sh'), 'cp made.bin game.prg\n')
    const build = ['build', 'scripted', '--command', 'sh build.sh', '--trust', '--only']
    await calls.data(...build)
    writeFileSync(join(path, 'game.s'), '; another source\n')
    expect(await calls.data('build', 'scripted', '--only')).toMatchObject({ result: 'succeeded' })
    writeFileSync(join(path, 'build.sh'), 'touch ran\n')
    const { code, stderr } = await calls.run('build', 'scripted', '--only')
    expect([code, stderr]).toEqual([8, expect.stringContaining('changed since you approved it: build.sh')])
    expect(existsSync(join(path, 'ran'))).toBe(false)
    expect(await calls.data(...build)).toMatchObject({ result: 'succeeded' })
    expect(existsSync(join(path, 'ran'))).toBe(true)
  })

  it('lists its errors with file and line, and runs nothing', async () => {
    folder('faulty')
    const command = `echo "game.s(3): Error: ':' expected"; cp made.bin game.prg; exit 1`
    const { code, stdout } = await calls.run('build', 'faulty', '--command', command, '--trust')
    expect([code, stdout]).toEqual([
      1,
      "game.s:3: error: ':' expected\nThe build failed: The command ended with exit code 1.\n",
    ])
    const json = JSON.parse((await calls.run('build', 'faulty', '--json')).stdout) as { data: unknown }
    expect(json.data).toMatchObject({
      result: 'failed',
      exitCode: 1,
      started: null,
      problems: [{ severity: 'error', file: 'game.s', line: 3, message: "':' expected" }],
    })
  })

  it('shows the end of what was printed where none of it is understood', async () => {
    folder('odd')
    const { code, stdout } = await calls.run('build', 'odd', '--command', 'echo it is odd; exit 3', '--trust')
    expect([code, stdout]).toEqual([1, 'it is odd\nThe build failed: The command ended with exit code 3.\n'])
  })

  it('gets the environment of agents alone', async () => {
    const path = folder('environment')
    await calls.data('build', 'environment', '--command', 'env > seen', '--trust', '--only')
    const seen = readFileSync(join(path, 'seen'), 'utf8')
    expect(seen).toContain('PATH=')
    // It is listed beside agents, and costs nothing.
    expect(await calls.data('agent', 'runs')).toMatchObject({
      runs: expect.arrayContaining([
        expect.objectContaining({ agent: 'build', status: 'success', cost: 0 }),
      ]) as unknown,
    })
    expect(seen).not.toMatch(/BRIDGEDECK_DATA|INIT_CWD|C64_TASK/)
  })

  it('lists the approved commands, and forgets one, of a folder that is gone too', async () => {
    const path = folder('kept')
    await calls.data('build', 'kept', '--command', 'true', '--trust', '--only')
    const kept = { target: path, command: 'true', program: null }
    expect(await calls.data('build', '--list')).toMatchObject({ builds: expect.arrayContaining([kept]) as unknown })
    rmSync(path, { recursive: true })
    const left = (await calls.data('build', 'kept', '--forget')) as { builds: { target: string }[] }
    expect(left.builds.map(({ target }) => target)).not.toContain(path)
    folder('kept')
    expect(await calls.run('build', 'kept', '--only')).toMatchObject({ code: 7 })
    expect(await calls.run('build', 'kept', '--forget')).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('No build command is kept for') as string,
    })
    expect(await calls.run('build')).toMatchObject({ code: 2, stderr: expect.stringContaining('FILE') as string })
  })

  it('is stopped by Ctrl+C, with what it started', async () => {
    const path = folder('long')
    const call = calls.start('build', 'long', '--command', 'echo begun > begun; sleep 600', '--trust')
    await vi.waitUntil(() => existsSync(join(path, 'begun')), { timeout: 60_000 })
    call.interrupt()
    expect((await call.ended).code).toBe(130)
    await vi.waitUntil(async () => (await calls.run('build', 'long', '--command', 'true', '--only')).code === 0, {
      timeout: 60_000,
      interval: 200,
    })
  })

  it('runs no program outside the folder, and says where there is none', async () => {
    folder('outside')
    const outside = ['build', 'outside', '--command', 'cp made.bin ../out.prg', '--trust']
    expect(await calls.run(...outside, '--program', '../out.prg')).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('../out.prg lies outside') as string,
    })
    expect(await calls.run(...outside)).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('wrote no program') as string,
    })
    expect(await calls.run('build', 'nowhere')).toMatchObject({ code: 7 })
  })
})
