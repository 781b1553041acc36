/** The command line's `tuning …` as a program, on skills of its own. */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine } from '../support/commandLine'

const growing = '```js\nhistory.push(reply)\n```\n'

let calls: CommandLine
beforeAll(() => {
  calls = new CommandLine()
  put('plain/SKILL.md', '# Plain\n')
  put('plain/phases/1.md', growing)
  put('plain/phases/2.md', '```js\nconst a = JSON.parse(text)\n```\n')
})
afterAll(() => calls.remove())

function put(file: string, text: string): void {
  const path = join(calls.folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

describe('tuning diagnose', () => {
  it('lists the issues of a skill by severity, with file and line, and changes nothing', async () => {
    const { code, stdout } = await calls.run('tuning', 'diagnose', 'plain')
    expect([code, stdout.split('\n').filter((line) => /^\w+ [A-Z]+-\d/.test(line))]).toEqual([
      0,
      [expect.stringMatching(/^high CTX-1: /), expect.stringMatching(/^medium DF-1: /)],
    ])
    expect(stdout).toContain('phases/1.md:2: history.push(reply)')
    expect(stdout).toMatch(/Score 80, gate: pass/)
    expect(readdirSync(join(calls.folder, 'plain')).sort()).toEqual(['SKILL.md', 'phases'])
  })

  it('marks what may be no fault, and leaves it out of the gate', async () => {
    put('unsure/SKILL.md', '# Unsure\n')
    for (const name of ['1', '2', '3']) put(`unsure/phases/${name}.md`, '```js\nreturn { content, tags }\n```\n')
    const { code, stdout } = await calls.run('tuning', 'diagnose', 'unsure')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^low confidence, high CTX-1: /m)
    expect(stdout).toMatch(/3 issues \(3 of low confidence\).* Score 100, gate: pass/)
  })

  it('scans for the wanted areas only', async () => {
    const data = await calls.data('tuning', 'diagnose', 'plain', '--area', 'dataflow')
    expect(data).toMatchObject({
      skill: 'plain',
      run: null,
      files: 3,
      issues: [{ id: 'DF-1' }],
      score: 95,
      gate: 'pass',
    })
    expect(Object.keys((data as { diagnosis: object }).diagnosis)).toEqual(['dataflow'])
  })

  it('exits with 1 when the skill fails the gate', async () => {
    put('bad/SKILL.md', '# Bad\n')
    for (const name of ['1', '2', '3', '4', '5']) put(`bad/phases/${name}.md`, growing)
    const { code, stdout } = await calls.run('tuning', 'diagnose', 'bad')
    expect([code, /gate: fail/.test(stdout)]).toEqual([1, true])
  })

  it('names what it did not scan: links, and files that are too large or no text', async () => {
    put('odd/SKILL.md', '# Odd\n')
    put('odd/large.md', 'a '.repeat(500_001))
    put('odd/zero.md', 'a\0b')
    symlinkSync('SKILL.md', join(calls.folder, 'odd/link.md'))
    const data = (await calls.data('tuning', 'diagnose', 'odd')) as { files: number; skipped: { file: string }[] }
    expect([data.files, data.skipped.map(({ file }) => file)]).toEqual([1, ['large.md', 'link.md', 'zero.md']])
  })

  it('takes a project’s tuning run, and goes on with its ids', async () => {
    cpSync(resolve('resources/sample-project'), join(calls.folder, 'sample'), { recursive: true })
    const data = (await calls.data('tuning', 'diagnose', 'sample')) as {
      skill: string
      run: string
      issues: { id: string }[]
    }
    expect([data.skill, data.run]).toEqual([
      'skills/sprite-sheets',
      '.workflow/.scratchpad/skill-tuning-20261118090000',
    ])
    // CTX-1 has the same evidence; CTX-2 had other.
    const ids = data.issues.map(({ id }) => id)
    expect([ids.includes('CTX-1'), ids.includes('CTX-2')]).toEqual([true, false])
  })

  it('says which skills there are where it cannot tell, and where there is none', async () => {
    put('none/README.md', '# None\n')
    const none = await calls.run('tuning', 'diagnose', 'none', '--json')
    put('several/a/SKILL.md', '# A\n')
    put('several/b/SKILL.md', '# B\n')
    const several = await calls.run('tuning', 'diagnose', 'several', '--json')
    const absent = await calls.run('tuning', 'diagnose', 'absent')
    expect([none.code, several.code, absent.code]).toEqual([7, 6, 7])
    expect(several.stderr).toContain('several')
    expect(JSON.parse(none.stderr)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
  })
})

it('tuning report prints Markdown with the score, and exits as diagnose does', async () => {
  put('reported/SKILL.md', '# Reported\n')
  for (const name of ['1', '2', '3', '4', '5']) put(`reported/phases/${name}.md`, growing)
  const { code, stdout } = await calls.run('tuning', 'report', 'reported')
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^# Tuning report: reported\n[^]*\| Health [^|]*\| \d+ \| fail \|/),
  ])
  const data = await calls.data('tuning', 'report', 'plain')
  expect(data).toMatchObject({
    skill: 'plain',
    score: 80,
    gate: 'pass',
    report: expect.stringContaining('CTX-1') as string,
  })
})

describe('tuning init, run and status', () => {
  it('make a run, work on it until there is a choice, and tell where it stands', async () => {
    put('own/skills/notes/SKILL.md', '# Notes\n')
    put('own/skills/notes/phases/1.md', growing)
    const { run } = (await calls.data('tuning', 'init', 'own', '--problem', 'It grows')) as { run: string }
    expect(readdirSync(join(calls.folder, 'own', run)).sort()).toEqual(['backups', 'state.json'])
    const { code, stdout } = await calls.run('tuning', 'run', 'own', '--trust')
    expect([code, stdout]).toEqual([11, expect.stringContaining('Choose the fixes to apply.')])
    expect(await calls.data('tuning', 'status', 'own')).toMatchObject({
      runs: [{ run, status: 'running', issues: 1, next: expect.stringContaining('Choose the fixes') as string }],
    })
    expect((await calls.run('tuning', 'run', 'own', '--auto')).code).toBe(0)
    expect(await calls.data('tuning', 'status', 'own')).toMatchObject({ runs: [{ status: 'completed', issues: 0 }] })
  })

  it('let an agent propose what cannot be generated, and the person place what another program left open', async () => {
    put('asked/skill/SKILL.md', '# Notes\n')
    put('asked/skill/phases/1.md', '```js\nconst prompt = `Sum up ${JSON.stringify(state)}`\nask(prompt)\n```\n')
    const change = {
      file: 'phases/1.md',
      action: 'modify',
      old_content: '${JSON.stringify(state)}',
      new_content: 'state.json',
    }
    put('answer.json', JSON.stringify({ description: 'Pass the path', changes: [change] }))
    put('agent.sh', `#!/bin/sh\ncat > /dev/null\ncat '${join(calls.folder, 'answer.json')}'\n`)
    chmodSync(join(calls.folder, 'agent.sh'), 0o755)
    await calls.data('agent', 'add', 'helper', '--preset', 'custom', '--command', './agent.sh', '--yes')
    const { run } = (await calls.data('tuning', 'init', 'asked', '--problem', 'It grows')) as { run: string }
    const { code, stdout } = await calls.run('tuning', 'run', 'asked', '--trust', '--agent', 'helper')
    expect([code, stdout]).toEqual([11, expect.stringContaining('from an agent')])
    const file = join(calls.folder, 'asked', run, 'state.json')
    const state = JSON.parse(readFileSync(file, 'utf8')) as { proposed_fixes: { changes: object[] }[] }
    const [fix] = state.proposed_fixes
    expect(fix?.changes).toMatchObject([
      { file: 'phases/1.md', diff: expect.stringContaining('+const prompt') as string },
    ])
    const foreign = { ...fix, changes: [{ file: 'phases/*.md', action: 'modify', diff: '+ // Paths only.' }] }
    writeFileSync(file, JSON.stringify({ ...state, proposed_fixes: [foreign], pending_fixes: ['FIX-1'] }, undefined, 2))
    expect((await calls.run('tuning', 'run', 'asked')).code).toBe(10)
    const place = ['project', 'act', 'asked', '--action', 'place-fix', '--target', 'FIX-1', '--set', 'how=append']
    expect((await calls.run(...place, '--yes')).stderr).toBe('')
    await calls.run('tuning', 'run', 'asked', '--max-steps', '1')
    expect(readFileSync(join(calls.folder, 'asked/skill/phases/1.md'), 'utf8')).toContain('// Paths only.')
  })

  it('want one skill, and one run', async () => {
    put('two/a/SKILL.md', '# A\n')
    put('two/b/SKILL.md', '# B\n')
    expect((await calls.run('tuning', 'init', 'two', '--problem', 'x')).code).toBe(6)
    expect((await calls.run('tuning', 'run', 'two')).code).toBe(7)
    for (const skill of ['a', 'b']) await calls.data('tuning', 'init', 'two', '--problem', 'x', '--skill', skill)
    const { code, stderr } = await calls.run('tuning', 'run', 'two')
    expect([code, stderr]).toEqual([6, expect.stringContaining('--run')])
  })
})
