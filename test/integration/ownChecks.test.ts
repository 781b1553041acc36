/** The person's own check of a Maestro session, set and run by the command line, with a stand-in for Gemini. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newSession, readPhaseLines } from '../../src-main/formats/maestro/session/newSession'
import { GeminiProject } from '../support/geminiProject'

let gemini: GeminiProject
let project: string
beforeEach(() => {
  gemini = new GeminiProject()
  ;({ project } = gemini)
  mkdirSync(join(project, '.gemini/state'), { recursive: true })
})
afterEach(() => gemini.remove())

const call = (...words: string[]) => gemini.run(words, { MAESTRO_STAGGER_DELAY: '0', MAESTRO_STAND_IN_FOLDER: project })
const run = (...words: string[]) => call('maestro', 'run', '--trust', ...words)
const setCheck = (command: string) =>
  call('project', 'act', '.', '--action', 'set-check', '--set', `command=${command}`, '--yes')
function session(lines: string): void {
  const { text } = newSession({
    task: 'Tapes',
    design: null,
    plan: null,
    time: '2026-03-02T10:00:00.000Z',
    taken: [],
    phases: readPhaseLines(lines),
  })
  writeFileSync(join(project, '.gemini/state/active-session.md'), text)
}
const agents = () => gemini.notes('start').map(({ agent }) => agent)
const sessionText = () => readFileSync(join(project, '.gemini/state/active-session.md'), 'utf8')
const archived = () => readdirSync(join(project, '.gemini/state/archive'))

it('A phase whose check fails is tried again, and told why', async () => {
  session('Reader: coder')
  expect(await setCheck('echo tried >>tries; cat tries; test $(wc -l <tries) -ge 2')).toMatchObject({ code: 0 })
  const { code, stderr } = await run('--mode', 'sequential')
  expect([code, stderr]).toEqual([0, expect.stringContaining('Archived the session')])
  expect(stderr).toContain('agent says passed, host: exit code 1')
  expect(agents()).toEqual(['coder', 'coder'])
  expect(gemini.notes('start')[1]?.stdin).toContain('The check exited 1: echo tried')
  expect(gemini.notes('start')[1]?.stdin).toContain('It printed: tried')
  expect(archived()).toHaveLength(1)
})

it('Phases of one batch fail together where their check does, whose result stands beside them', async () => {
  session('Reader: coder\nLoader: debugger')
  await setCheck('test -f never')
  const { code } = await call('maestro', 'run', '--trust', '--mode', 'parallel')
  expect(code).toBe(10)
  expect(sessionText().match(/The check exited 1: test -f never/g)?.length).toBeGreaterThanOrEqual(2)
  const { stdout } = await call('project', 'inspect', '.', '--json')
  expect(stdout).toContain('"result":"failed"')
})

it('Of agents that have a worktree each, the check of one holds back nothing of the other', async () => {
  execFileSync('git', ['-C', project, 'init', '--quiet', '--initial-branch=main'])
  writeFileSync(join(project, '.gitignore'), '.gemini/\ngemini*\n')
  for (const words of [
    ['add', '--all'],
    ['commit', '--quiet', '-m', 'Begin'],
  ])
    execFileSync('git', ['-C', project, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...words])
  session('Reader: coder\nLoader: debugger')
  gemini.behave({ coder: { writes: { 'reader.md': 'x' } }, debugger: { writes: { 'loader.md': 'x' } } })
  await setCheck('test -f reader.md')
  writeFileSync(join(project, '.env'), 'MAESTRO_MAX_RETRIES=0\n')
  const { code } = await run('--mode', 'parallel', '--worktree-per-agent')
  expect(code).toBe(10)
  expect([existsSync(join(project, 'reader.md')), existsSync(join(project, 'loader.md'))]).toEqual([true, false])
})

it('Nothing is checked once it is taken away', async () => {
  session('Reader: coder')
  await setCheck('touch checked')
  expect(await setCheck('')).toMatchObject({ code: 0 })
  expect((await run('--mode', 'sequential')).code).toBe(0)
  expect(existsSync(join(project, 'checked'))).toBe(false)
})
