/** Agents of Maestro that work at once, each in a worktree of its own, with real git and a stand-in for Gemini. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { newSession, readPhaseLines } from '../../src-main/formats/maestro/session/newSession'
import { GeminiProject } from '../support/geminiProject'
import { GitShim } from '../support/gitShim'

let gemini: GeminiProject
let project: string
let more: NodeJS.ProcessEnv
beforeEach(() => {
  gemini = new GeminiProject()
  ;({ project } = gemini)
  more = { MAESTRO_STAGGER_DELAY: '0', MAESTRO_STAND_IN_FOLDER: project, MAESTRO_MAX_RETRIES: '0' }
  mkdirSync(join(project, '.gemini/state'), { recursive: true })
  writeFileSync(join(project, '.gitignore'), '.gemini/\ngemini.json\ngemini-calls.jsonl\nhold\n')
  writeFileSync(join(project, 'old.md'), 'as it was\n')
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'Begin')
})
afterEach(() => gemini.remove())

const git = (...args: string[]) =>
  execFileSync('git', ['-C', project, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args])
    .toString()
    .trim()
/** To be killed. */
const start = (...words: string[]) => gemini.startProcess(words, more)
const call = (...words: string[]) => gemini.run(words, more)
const said = async (...words: string[]) => {
  const { stdout, stderr } = await call(...words)
  return stdout + stderr
}
const runWords = ['maestro', 'run', '--trust', '--mode', 'parallel', '--worktree-per-agent']
const run = () => call(...runWords)
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
const sessionText = () => readFileSync(join(project, '.gemini/state/active-session.md'), 'utf8')
const started = () =>
  gemini
    .notes('start')
    .map(({ agent }) => agent)
    .sort()
const branches = () => git('branch', '--list', '--format=%(refname:short)', 'bridgedeck/*').split('\n').filter(Boolean)
const worktrees = () => git('worktree', 'list', '--porcelain').split('\n\n').filter(Boolean).length
const files = (commit = 'HEAD') => git('ls-tree', '--name-only', commit).split('\n')

describe('agents of a session', () => {
  it('work apart, and what completes a phase is merged, committed or not', async () => {
    session('Reader: coder\nLoader: debugger\nTest: tester\nNotes: technical_writer, after 1, 2')
    gemini.behave({
      coder: { writes: { 'reader.md': 'x\n' }, commits: 'silent' },
      debugger: { writes: { 'loader.md': 'x\n' } },
    })
    const { code, stderr } = await run()
    expect([code, stderr]).toEqual([0, expect.stringContaining('Archived the session')])
    expect(stderr).toContain('Committed what debugger left in 1 file.')
    expect(files()).toEqual(['.gitignore', 'loader.md', 'old.md', 'reader.md'])
    expect([branches(), worktrees(), git('status', '--porcelain')]).toEqual([[], 1, ''])
    const prompts = gemini.notes('start').map(({ stdin }) => /PROJECT ROOT: (.*)/.exec(stdin ?? '')?.[1] ?? '')
    expect(new Set(prompts.slice(0, 3)).size).toBe(3)
    expect(prompts.slice(0, 3).every((root) => root.includes('/lanes/'))).toBe(true)
    const hash = gemini.notes('commit')[0]?.hash ?? ''
    expect(git('log', '--format=%H').split('\n')).toContain(hash)
  })

  it('that change the same lines are a need, which names the file and keeps the branch', async () => {
    session('Reader: coder\nLoader: debugger')
    gemini.behave({ coder: { writes: { 'old.md': 'one\n' } }, debugger: { writes: { 'old.md': 'two\n' } } })
    // It is not tried again, however many retries it has.
    more['MAESTRO_MAX_RETRIES'] = '2'
    const { code, stderr } = await run()
    expect([code, stderr]).toEqual([10, expect.stringContaining('needs your decision: file_conflict')])
    expect(git('show', 'HEAD:old.md')).toBe('one')
    const [branch = '', ...others] = branches()
    expect([others, git('show', `${branch}:old.md`), worktrees()]).toEqual([[], 'two', 2])
    expect(sessionText()).toContain(`changed the same lines in old.md`)
    const needs = await said('project', 'needs', '.')
    expect(needs).toContain(`Merge what debugger did on ${branch}, or throw it away`)
    expect(await said('project', 'needs', '.', '--json')).toContain('changed the same lines in old.md')
    expect(await said('project', 'worktrees', '.')).toContain(branch)
    expect((await call('project', 'worktrees', '.', '--remove', branch, '--yes')).code).toBe(6)
    const act = (...words: string[]) => call('project', 'act', '.', '--target', branch, ...words)
    expect((await act('--action', 'merge-lane', '--yes')).code).toBe(6)
    // By hand, as the message says.
    execFileSync('git', ['-C', project, 'merge', '--quiet', '-X', 'theirs', branch], {
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: 'A',
        GIT_AUTHOR_EMAIL: 'a@b',
        GIT_COMMITTER_NAME: 'A',
        GIT_COMMITTER_EMAIL: 'a@b',
      },
    })
    expect(await act('--action', 'merge-lane', '--yes')).toMatchObject({ code: 0 })
    expect([branches(), worktrees(), git('show', 'HEAD:old.md')]).toEqual([[], 1, 'two'])
    expect(await said('project', 'needs', '.')).not.toContain('or throw it away')
  })

  it('that fail leave their work on a branch, which the person throws away', async () => {
    session('Reader: coder\nLoader: debugger')
    gemini.behave({ coder: { writes: { 'reader.md': 'x\n' } }, debugger: { writes: { 'half.md': 'x\n' }, exit: 2 } })
    expect((await run()).code).toBe(10)
    const [branch = ''] = branches()
    expect([files(), files(branch)]).toEqual([
      ['.gitignore', 'old.md', 'reader.md'],
      ['.gitignore', 'half.md', 'old.md'],
    ])
    const { code, stdout } = await call(
      'project',
      'act',
      '.',
      '--target',
      branch,
      '--action',
      'throw-away-lane',
      '--yes',
    )
    expect([code, stdout]).toEqual([0, expect.any(String)])
    expect([branches(), worktrees()]).toEqual([[], 1])
    expect(git('show', `refs/bridgedeck/kept/${branch}:half.md`)).toBe('x')
  })

  it('in a run that has a worktree itself are merged there', async () => {
    session('Reader: coder\nLoader: debugger')
    gemini.behave({ coder: { writes: { 'reader.md': 'x\n' } }, debugger: { writes: { 'loader.md': 'x\n' } } })
    const { stderr } = await call(...runWords, '--worktree')
    expect(stderr).toContain('All phases are done, in the worktree.')
    const [own = '', ...others] = branches()
    expect([others, own]).toEqual([[], expect.stringMatching(/^bridgedeck\/maestro-/)])
    expect([files(own), files('main')]).toEqual([
      ['.gitignore', 'loader.md', 'old.md', 'reader.md'],
      ['.gitignore', 'old.md'],
    ])
  })

  it('outlive their host wherever it is killed, and nothing is done twice or lost', async () => {
    session('Reader: coder\nLoader: debugger')
    gemini.behave({
      coder: { writes: { 'reader.md': 'x\n' }, commits: 'told', holds: true },
      debugger: { writes: { 'loader.md': 'x\n' }, holds: true },
    })
    writeFileSync(join(project, 'hold'), '')
    const shim = new GitShim()
    const path = [join(gemini.top, 'bin'), join(process.execPath, '..')].join(delimiter)
    const killedAt = async (...[when, command]: [when: 'before' | 'after', command: string]) => {
      const script = 'kill -9 $PPID'
      shim.at(when, command, when === 'before' ? `${script}; exit 1` : script)
      const own = { ...more, PATH: [path, shim.path].join(delimiter) }
      expect([when, command, (await gemini.startProcess(runWords, own).ended).code]).toEqual([when, command, null])
    }
    try {
      await killedAt('before', 'worktree add')
      await killedAt('after', 'worktree add')
      const { child, ended } = start(...runWords)
      await vi.waitFor(() => expect(started()).toEqual(['coder', 'debugger']), 60_000)
      child.kill('SIGKILL')
      await ended
      rmSync(join(project, 'hold'))
      await killedAt('before', 'merge')
      await killedAt('after', 'merge')
      await killedAt('before', 'worktree remove')
      const { code, stderr } = await run()
      expect([code, stderr]).toEqual([0, expect.stringContaining('Archived the session')])
    } finally {
      shim.remove()
    }
    expect(started().filter((agent) => agent !== 'code_reviewer')).toEqual(['coder', 'debugger'])
    expect(files()).toEqual(['.gitignore', 'loader.md', 'old.md', 'reader.md'])
    expect([branches(), worktrees(), git('status', '--porcelain')]).toEqual([[], 1, ''])
  })

  it('work one after the other where there is no repository, and the log says why', async () => {
    rmSync(join(project, '.git'), { recursive: true })
    session('Reader: coder\nLoader: debugger')
    const { code, stderr } = await run()
    expect([code, stderr]).toEqual([0, expect.stringContaining('the folder is in no git repository')])
    expect(stderr).toContain('Running the phases one after the other.')
  })
})

describe('agents of a batch', () => {
  const batch = '.gemini/parallel/one'
  const dispatch = (...words: string[]) =>
    call('maestro', 'dispatch', batch, '--trust', '--worktree-per-agent', ...words)
  beforeEach(() => {
    mkdirSync(join(project, batch, 'prompts'), { recursive: true })
    for (const name of ['coder', 'debugger', 'tester'])
      writeFileSync(join(project, batch, `prompts/${name}.md`), 'Work.')
  })

  it('leave what they did to the person, each with its diff', async () => {
    gemini.behave({
      coder: { writes: { 'reader.md': 'x\n' }, commits: 'silent' },
      debugger: { writes: { 'loader.md': 'x\n' } },
    })
    expect((await dispatch()).code).toBe(0)
    expect(files()).toEqual(['.gitignore', 'old.md'])
    const [coder = '', debug = '', ...others] = branches()
    expect(others).toEqual([])
    const needs = await said('project', 'needs', '.')
    expect(needs).toContain(`Merge what coder did on ${coder}, or throw it away`)
    expect(needs).toContain(`Merge what debugger did on ${debug}, or throw it away`)
    const act = async (branch: string, action: string, ...words: string[]) =>
      said('project', 'act', '.', '--target', branch, '--action', action, ...words)
    expect(await act(coder, 'merge-lane')).toContain('reader.md')
    await act(coder, 'merge-lane', '--yes')
    await act(debug, 'throw-away-lane', '--yes')
    expect(files()).toEqual(['.gitignore', 'old.md', 'reader.md'])
    expect([branches(), worktrees()]).toEqual([[], 1])
    expect(await said('project', 'needs', '.')).not.toContain('or throw it away')
  })

  it('are taken over in their worktrees by the next host, and left to the person', async () => {
    gemini.behave({ coder: { writes: { 'reader.md': 'x\n' }, holds: true } })
    writeFileSync(join(project, 'hold'), '')
    const { child, ended } = start('maestro', 'dispatch', batch, '--trust', '--worktree-per-agent')
    await vi.waitFor(() => expect(started()).toContain('coder'), 60_000)
    child.kill('SIGKILL')
    await ended
    rmSync(join(project, 'hold'))
    // As one would who does not remember how it was started.
    expect((await call('maestro', 'dispatch', batch, '--resume')).code).toBe(0)
    const [branch = '', ...others] = branches()
    expect([others, files(branch)]).toEqual([[], ['.gitignore', 'old.md', 'reader.md']])
    expect(started()).toEqual(['coder', 'debugger', 'tester'])
    expect(existsSync(join(project, 'reader.md'))).toBe(false)
  })
})
