import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** What `npm start` says to arguments that are wrong: before it installs, builds or opens anything. */
function start(args, environment = {}) {
  const env = { ...process.env, INIT_CWD: import.meta.dirname, DISPLAY: ':nowhere', ...environment }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'start.mjs'), ...args], {
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

describe('npm start', () => {
  it('explains itself', () => {
    const { status, stdout } = start(['--help'])
    expect(status).toBe(0)
    expect(stdout).toContain('--screenshot FILE')
  })

  it.each([
    ['an unknown option', ['--siez', '3'], "Unknown option '--siez'"],
    ['two programs', ['a.prg', 'b.prg'], 'give one program or one machine, not 2.'],
    [
      'a file that is not there',
      ['missing.prg'],
      `there is no file or folder ${join(import.meta.dirname, 'missing.prg')}`,
    ],
    ['a size that is none', ['--size', 'big'], '--size takes pixels, such as 1400x900.'],
    ['a folder that is not there', ['--screenshot', 'nowhere/x.png'], 'the folder for the screenshot does not exist'],
  ])('refuses %s in one sentence', (_, args, sentence) => {
    const { status, stdout, stderr } = start(args)
    expect(status).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(sentence)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it.runIf(process.platform === 'linux')('says what to do where there is no display', () => {
    const { status, stderr } = start([], { DISPLAY: '', WAYLAND_DISPLAY: '' })
    expect(status).toBe(1)
    expect(stderr).toContain('xvfb-run -a npm start')
  })
})
