/** The command line's `ncrew …` as a program, with a stand-in for the person's agent. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src-main/storage/database'
import { SettingsStore } from '../../src-main/storage/settings'
import { callHere } from '../support/callHere'
import { agentLike } from '../support/agentBench'

let top: string
let crew: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-ncrew-')))
  crew = join(top, 'tapes')
  mkdirSync(join(top, 'data'))
  mkdirSync(crew)
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const program = resolve('out/main/cli.cjs')
const environment = () => ({
  ...process.env,
  PATH: [join(process.execPath, '..'), process.env['PATH']].join(delimiter),
  BRIDGEDECK_DATA: join(top, 'data'),
  INIT_CWD: crew,
  HOME: top,
})

const ncrew = (words: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  callHere(['ncrew', ...words], { environment: { ...environment(), ...more } })

const read = (path: string) => readFileSync(join(crew, path), 'utf8')
const replace = (path: string, from: string | RegExp, to: string) =>
  writeFileSync(join(crew, path), read(path).replace(from, to))

/** An agent of the person's that acts as an expert. @param words see test/peers/agents/crewExpert.ts */
function setUpAgent(name: string, words = ''): void {
  const script = join(top, 'script')
  writeFileSync(script, words)
  const expert = join(top, 'expert')
  writeFileSync(
    expert,
    `#!/bin/sh\nexec "${process.execPath}" "${resolve('test/peers/agents/crewExpert.ts')}" "${script}" 0.25\n`,
  )
  chmodSync(expert, 0o755)
  const database = openDatabase(join(top, 'data/bridgedeck.sqlite'))
  new SettingsStore(database).change({ agents: [agentLike({}, { name, command: expert, args: [], preset: 'claude' })] })
  database.close()
}

async function prepare(words = ''): Promise<void> {
  writeFileSync(join(top, '.gitconfig'), '[user]\n\tname = Tester\n\temail = tester@example.org\n')
  expect(await ncrew(['init', '--name', 'tapes', '--idea', '# Tapes', '--trust'])).toMatchObject({ code: 0 })
  replace('.noodlecrew/manifest.yml', /human_gates:[^]*?\n\n/, 'human_gates: [architecture]\n\n')
  writeFileSync(
    join(crew, 'tasks.md'),
    '# Tasks\n\n## Discovery Phase ⏳ PENDING\n- [ ] Vision\n\n## Architecture Phase ⏳ PENDING\n- [ ] ADR-001\n\n## Implementation Phase ⏳ PENDING\n- [ ] Steps\n',
  )
  execFileSync('git', ['commit', '-q', '-am', 'chore: own tasks'], { cwd: crew, env: environment() })
  setUpAgent('claude', words)
}

describe('ncrew init', () => {
  it('makes a crew in which every rule is kept, overwrites nothing, and says what it left', async () => {
    writeFileSync(join(crew, 'IDEA.md'), 'Mine.\n')
    mkdirSync(join(crew, '.noodlecrew'))
    writeFileSync(join(crew, '.noodlecrew/WORKFLOW.md'), 'My workflow.\n')
    const { code, stdout } = await ncrew(['init'])
    expect(code).toBe(0)
    expect(stdout).toContain('Left unchanged: .noodlecrew/WORKFLOW.md')
    expect(read('.noodlecrew/WORKFLOW.md')).toBe('My workflow.\n')
    expect(read('IDEA.md')).toBe('Mine.\n')
    expect(existsSync(join(crew, 'questions'))).toBe(true)
    expect(existsSync(join(crew, '.git'))).toBe(false)
    expect(await callHere(['project', 'validate', crew], { environment: environment() })).toMatchObject({
      stdout: '1 run: 0 errors, 0 warnings, 0 notes.\n',
    })
    expect(await ncrew(['init'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('already has a crew') as string,
    })
  })

  it('wants an idea, and knows one crew', async () => {
    expect(await ncrew(['init'])).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('No IDEA.md') as string,
    })
    expect(await ncrew(['init', '--idea', 'x', '--crew', 'saas'])).toMatchObject({ code: 2 })
  })

  it('with --trust makes the repository and its first commit, and says when git cannot', async () => {
    expect(await ncrew(['init', '--idea', 'x', '--trust'])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('git could not commit the files') as string,
    })
    rmSync(crew, { recursive: true })
    mkdirSync(crew)
    await prepare()
    expect(execFileSync('git', ['log', '--format=%s'], { cwd: crew, env: environment(), encoding: 'utf8' })).toContain(
      'chore: begin',
    )
  })
})

describe('ncrew run and resume', () => {
  it('run a crew to its end: a blocker pauses with 10, a gate with 11, and CREW_COMPLETE ends with 0', async () => {
    await prepare('task ask')
    const first = await ncrew(['run'])
    expect(first).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('A question needs an answer: Which tapes') as string,
    })
    expect(first.stdout).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] INFO: Starting iteration 1\/100$/m)
    expect(await ncrew(['resume'])).toMatchObject({ code: 10 })

    const question = 'questions/product-owner-001-tapes.md'
    replace(question, 'Decision:** ___', 'Decision:** The good ones')
    replace(question, 'status: pending', 'status: resolved')
    expect(await ncrew(['resume'])).toMatchObject({
      code: 11,
      stderr: expect.stringMatching(/Architecture.*needs approval/) as string,
    })
    expect(readFileSync(join(top, 'script.prompt'), 'utf8')).toContain('**Answer:** The good ones')
    expect(await ncrew(['resume'])).toMatchObject({ code: 11 })

    const database = openDatabase(join(top, 'data/bridgedeck.sqlite'))
    database.prepare("UPDATE sidecar SET value = 'approved' WHERE name = 'gate:architecture'").run()
    database.close()
    expect(await ncrew(['run', '--dry-run'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Would launch') as string,
    })
    expect(await ncrew(['resume'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The crew is done: CREW_COMPLETE exists.') as string,
      stderr: '',
    })
    expect(read('INDEX.md')).toMatch(/current_iteration: 4\ncost_so_far: 1\.00\n/)
  })

  it('stop at limits with 20 and 21: a flag before a variable, a variable before the manifest', async () => {
    await prepare()
    expect(await ncrew(['run', '--max-iterations', '0'], { NOODLECREW_MAX_ITERATIONS: '5' })).toMatchObject({
      code: 20,
    })
    expect(await ncrew(['run'], { NOODLECREW_MAX_COST: '0' })).toMatchObject({ code: 21 })
    expect(await ncrew(['run', '--max-cost', '0.2'])).toMatchObject({
      code: 21,
      stderr: expect.stringMatching(/Cost limit.*\$0\.25 of \$0\.20/) as string,
    })
  })

  it('do one turn with --single, and tell all of it as objects with --json', async () => {
    await prepare()
    const { code, stdout } = await ncrew(['run', '--single', '--json'])
    expect(code).toBe(100)
    const objects = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { schema: string; data: { code?: number; text?: string } })
    expect(objects.at(-1)).toMatchObject({ schema: 'bridgedeck.ncrew.run/1', data: { code: 100 } })
    expect(objects.map(({ data }) => data.text)).toContain('Checked: discovery: Vision')
  })

  it('run nothing in a folder that is not trusted', async () => {
    writeFileSync(join(crew, 'IDEA.md'), 'Mine.\n')
    await ncrew(['init'])
    setUpAgent('claude')
    expect(await ncrew(['run'])).toMatchObject({
      code: 7,
      stdout: '',
      stderr: expect.stringContaining('is restricted') as string,
    })
    expect(existsSync(join(top, 'script.prompt'))).toBe(false)
  })

  it('show with --dry-run what would be launched, and launch nothing', async () => {
    await prepare()
    const { code, stdout } = await ncrew(['run', '--dry-run'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Would launch product-owner \(claude\) for Discovery: Vision\n\n# ROLE\n/)
    expect(stdout.trimEnd().endsWith('**START NOW.**')).toBe(true)
    expect(existsSync(join(crew, '.noodlecrew/logs'))).toBe(false)
  })

  it('end the expert when they are interrupted, with 130, and go on from there', async () => {
    await prepare('hang')
    const child = spawn(process.execPath, [program, 'ncrew', 'run'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    await expect.poll(() => existsSync(join(top, 'script.prompt'))).toBe(true)
    child.kill('SIGINT')
    await once(child, 'close')
    expect(child.exitCode).toBe(130)
    expect(existsSync(join(crew, '.noodlecrew/.lock'))).toBe(false)
    expect(await ncrew(['run', '--single'])).toMatchObject({ code: 100 })
  })
})

describe('ncrew status, logs and doctor', () => {
  it('tell where the crew stands, in the lines of the specification', async () => {
    await prepare()
    expect((await ncrew(['status'])).stdout).toBe(
      'Project: tapes\nPhase: discovery (1/3)\nProgress: 0/3 tasks\nIteration: 0/100\nCost: $0.00 / $30.00\nStatus: in_progress\n',
    )
    await ncrew(['run', '--single'])
    expect((await ncrew(['status', crew, '--json'])).stdout).toContain(
      '"phase":"architecture","phaseNumber":2,"phases":3,"done":1,"tasks":3,"iterations":1',
    )
  })

  it('show the newest log, all of them, or their last lines', async () => {
    await prepare()
    expect(await ncrew(['logs'])).toMatchObject({ code: 0, stdout: 'There is no log yet.\n' })
    await ncrew(['run', '--max-iterations', '2'])
    expect((await ncrew(['logs'])).stdout).not.toContain('iteration 1/2')
    expect((await ncrew(['logs', '--all'])).stdout).toContain('iteration 1/2')
    expect((await ncrew(['logs', '--tail', '1'])).stdout.trimEnd().split('\n')).toHaveLength(1)
  })

  it('examine files, experts, git and agents: 0 without errors, 2 with some, 3 without a crew', async () => {
    expect(await ncrew(['doctor'])).toMatchObject({ code: 3, stdout: '' })
    await prepare()
    const well = await ncrew(['doctor'])
    expect(well.stdout).toContain('Git:\n  ✓ on branch ')
    expect(well.stdout).toContain(`  ✓ claude: ${join(top, 'expert')}`)
    expect(well.stdout.trimEnd().split('\n').at(-1)).toBe('Summary: 0 errors, 0 warnings')
    expect(well.code).toBe(0)
    replace('tasks.md', '## Discovery Phase ⏳', '## Marketing Phase â³')
    rmSync(join(crew, 'IDEA.md'))
    const ill = await ncrew(['doctor', '--quiet'])
    expect(ill.code).toBe(2)
    expect(ill.stdout).toContain('✗ IDEA.md is missing')
    expect(ill.stdout).toContain('✗ no expert for phase Marketing')
    expect((await ncrew(['doctor'])).stdout).toContain('ncrew/mojibake')
  })

  it('say what is wrong with their words, with 1', async () => {
    expect(await ncrew([])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/needs a command: init, run, /) as string,
    })
    expect(await ncrew(['status', '--wrong'])).toMatchObject({ code: 1 })
    expect(await ncrew(['run', '--max-cost', 'much'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('an amount in USD') as string,
    })
    expect(await ncrew(['status'])).toMatchObject({ code: 5 })
  })
})
