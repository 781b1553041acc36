/** `maestro session` as a program, from a new session to its archive. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { callHere } from '../support/callHere'
import { startProcess } from '../support/callProcess'
import { CommandLine } from '../support/commandLine'

const calls = new CommandLine()
const file = join(calls.folder, '.gemini/state/active-session.md')
afterAll(() => calls.remove())

const session = (...words: readonly string[]) => calls.run('maestro', 'session', ...words)

const update = ['maestro', 'session', 'update', '--phase', '1']

it('leads a session from its plan to its archive', async () => {
  execFileSync('git', ['init', '--quiet', calls.folder])
  mkdirSync(join(calls.folder, '.gemini/plans'), { recursive: true })
  const plan = join(calls.folder, '.gemini/plans/2026-03-02-tapes-impl-plan.md')
  writeFileSync(plan, '| Phase | Agent | Waits for |\n|---|---|---|\n| 1 Reader | coder | - |\n')
  chmodSync(plan, 0o644)
  utimesSync(plan, 1_770_000_000, 1_770_000_000)
  const created = await session('create', '--task', 'Tapes', '--plan', plan)
  expect([created.code, created.stderr]).toEqual([0, ''])
  expect(created.stdout).toMatch(/^Created the session \d{4}-\d\d-\d\d-tapes: /)
  expect(await session('create', '--task', 'Tapes', '--plan', plan)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^ERROR: There is an active session already/) as string,
  })
  expect(await session('update', '--phase', '1', '--status', 'completed')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot go from pending to completed') as string,
  })
  for (const path of ['../x', '/etc/passwd'])
    expect(await session('update', '--phase', '1', '--created', path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${path} is not in the project.`) as string,
    })
  expect((await session('update', '--phase', '1', '--status', 'in_progress')).code).toBe(0)
  expect((await session('resume')).stdout).toMatch(
    /phase 1 \(Reader\) was started and not finished\.\n[^]*Next: phase 1/,
  )
  const answer = `## Task Report\n- **Status**: success\n- **Files Created**: \`${calls.folder}/a.md\`\n## Downstream Context\n- **Warnings**: none\n`
  const completed = [...update, '--status', 'completed', '--input-tokens', '7', '--report', '-']
  expect(await callHere(completed, { environment: calls.environment, input: answer })).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toMatch(/files_created: \["a\.md"\][^]*## Phase 1: Reader \(completed\)/)
  const preview = await session('archive')
  expect(preview.stderr).toContain('--yes')
  expect(preview.stdout).toMatch(/rename from \.gemini\/state\/active-session\.md\n[^]*-status: "in_progress"/)
  expect(preview.stdout.split('\n').length).toBeLessThan(50)
  expect(existsSync(file)).toBe(true)
  expect((await session('archive', '--yes')).code).toBe(0)
  expect(existsSync(file)).toBe(false)
  const archived = join(calls.folder, '.gemini/plans/archive/2026-03-02-tapes-impl-plan.md')
  if (process.platform !== 'win32') expect(statSync(archived).mode & 0o777).toBe(0o644)
  expect(statSync(archived).mtimeMs).toBe(1_770_000_000_000)
})

it.skipIf(process.platform === 'win32')('ends with 130 at Ctrl+C while it reads a report', async () => {
  const { child, ended } = startProcess([...update, '--report', '-'], {
    environment: calls.environment,
    input: 'open',
  })
  // More than the pipe holds: once it is written, the command is reading.
  await new Promise((done) => child.stdin.write(Buffer.alloc(4 << 20, 'x'), done))
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
})

it('writes to no state folder outside the project', async () => {
  calls.environment['MAESTRO_STATE_DIR'] = join(calls.folder, 'elsewhere')
  const { code, stderr } = await session('resume')
  delete calls.environment['MAESTRO_STATE_DIR']
  expect(code).toBe(1)
  expect(stderr).toContain('Path must be relative')
})
