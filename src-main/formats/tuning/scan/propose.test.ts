import { describe, expect, it } from 'vitest'
import { diagnosisAreas, fixSchema } from '../schema'
import { modified } from '../fix'
import { generators, newFiles } from './generators'
import { issuesOf } from './issues'
import { leftReasons } from './leftIssues'
import { patternTexts } from './patterns'
import { proposeFixes, type ProposedFix } from './propose'
import { scanSkill } from './scan'

type Texts = Readonly<Record<string, string>>

const fenced = (code: string, language = 'js'): string => `\`\`\`${language}\n${code}\n\`\`\`\n`

const issuesIn = (texts: Texts) =>
  issuesOf(
    scanSkill(
      Object.entries(texts).map(([path, text]) => ({ path, text })),
      diagnosisAreas,
      () => 0,
    ),
    [],
    [],
  )

function propose(texts: Texts): ProposedFix[] {
  const issues = issuesIn(texts)
  return proposeFixes(new Map(Object.entries(texts)), issues, new Set(issues.map(({ id }) => id)), 1)
}

/** The texts with all fixes, one after the other. */
function applied(texts: Texts, fixes: readonly ProposedFix[]): Texts {
  const result = new Map(Object.entries(texts))
  for (const { changes } of fixes) {
    for (const { file, action, diff, new_content } of changes) {
      const change = { relative: file, path: file, action, diff, before: undefined, after: new_content }
      result.set(file, action === 'create' ? (new_content ?? '') : modified(result.get(file) ?? '', change))
    }
  }
  return Object.fromEntries(result)
}

const phases = {
  'phases/1.md': '# One\n',
  'phases/2.md': '# Two\n',
  'phases/3.md': '# Three\n',
  'phases/4.md': '# Four\n',
}
const constrained = '[CONSTRAINTS]\n- Never change the colours of the picture\n'
const call = "Task({ subagent_type: 'writer', prompt: 'Write it.' })"

describe('Proposed fixes', () => {
  it.each<[string, Texts, RegExp]>([
    [
      'cut a list that grows',
      { 'phases/1.md': fenced('  history.push({\n    reply,\n  })\n  next()') },
      /\}\)\n {2}if \(history\.length > 20\) history\.splice\(0, history\.length - 20\)\n {2}next/,
    ],
    [
      'cut a text that grows',
      { 'phases/1.md': fenced('conversation += reply') },
      /conversation = conversation\.slice\(-8000\)/,
    ],
    ['cut a list of Python', { 'phases/1.md': fenced('history.append(reply)', 'python') }, /del history\[:-20\]/],
    [
      'tell to keep a history short',
      { 'phases/1.md': '1. Append each reply to the history.\n2. Go on.\n' },
      /history\. Keep only the last 5 entries of the history\.\n2\./,
    ],
    ['add a step that summarises', { 'phases/1.md': 'Ask for the next sprite.\n'.repeat(220) }, /## Summarise\n/],
    [
      'repeat constraints',
      { 'phases/1.md': constrained, 'phases/2.md': '# Two\n' },
      /## Constraints\n\n- Never change the colours of the picture\n/,
    ],
    [
      'constrain a task',
      { 'phases/1.md': 'a', 'phases/2.md': 'b', 'phases/3.md': '[TASK]\nDraw.\n' },
      /\[CONSTRAINTS\]\n- Do what .*\n\n\[TASK\]/,
    ],
    [
      'add a place for constraints',
      { 'phases/state-schema.md': fenced('interface State {\n  status: string\n}\nfunction validateState() {}', 'ts') },
      /\{\n {2}original_request: string\n {2}constraints: string\[\]\n {2}status/,
    ],
    [
      'check what was parsed',
      { 'a.md': fenced('  const data = JSON.parse(text)\n  use(data)') },
      /\n {2}if \(typeof data !== 'object' \|\| data === null\) throw/,
    ],
    [
      'add a function that checks the state',
      { 'phases/state-schema.md': fenced('interface State {\n  constraints: string[]\n  status: string\n}', 'ts') },
      /missing = \['constraints', 'status'\]/,
    ],
    [
      'use one name',
      {
        'a.md': fenced(
          "show(task.name, task.name)\nsave(task.title, task['title'], task.get('title'))\nlog(task.name, task.name)",
        ),
      },
      /save\(task\.name, task\['name'\], task\.get\('name'\)\)/,
    ],
    ['create a state schema', { 'phases/orchestrator.md': '# Run\n' }, /interface State/],
    [
      'catch failures',
      { 'a.md': fenced(`const result = await ${call}\nif (!result) stop()`) },
      /' \}\)\.catch\(\(error\) => \(\{ error: String\(error\) \}\)\)\n/,
    ],
    [
      'check results',
      { 'a.md': fenced(`try {\n  const text = await ${call}\n  save(text)\n} catch { stop() }`) },
      /\n {2}if \(!text \|\| text\.error\) throw/,
    ],
    [
      'allow the tool',
      {
        'SKILL.md': '---\nallowed-tools: Read, Write\n---\n',
        'a.md': fenced(`try { check(await ${call}) } catch { stop() }`),
      },
      /allowed-tools: Read, Write, Task\n/,
    ],
  ])('%s, which removes the issue', (_, texts, expected) => {
    const fixes = propose(texts)
    expect(fixes).toHaveLength(1)
    const after = applied(texts, fixes)
    expect(Object.values(after).join('\n')).toMatch(expected)
    expect(issuesIn(after)).toEqual([])
  })

  it('give phases checkpoints and the skill a quality gate', () => {
    const skill = { 'SKILL.md': '# Skill\n', ...phases }
    const fixes = propose(skill)
    expect(fixes.map(({ id, strategy }) => [id, strategy])).toEqual([
      ['FIX-1', 'custom'],
      ['FIX-2', 'checkpoint_restore'],
      ['FIX-3', 'checkpoint_restore'],
    ])
    expect(issuesIn(applied(skill, fixes))).toEqual([])
  })

  it('have every field of the specification, and a diff of one file', () => {
    const [fix] = propose({ 'phases/1.md': fenced('history.push(reply)') })
    expect(fixSchema.parse(fix)).toEqual(fix)
    expect(fix?.changes).toEqual([
      {
        file: 'phases/1.md',
        action: 'modify',
        diff: expect.stringMatching(/^--- a\/phases\/1\.md\n\+\+\+ b\/phases\/1\.md\n@@ /) as string,
      },
    ])
  })

  it('of one file can be applied one after the other; what cannot waits for the next iteration', () => {
    const skill = {
      'phases/1.md': `${fenced('history.push(reply)')}\nGo on.\n\nAnd on.\n\nUntil all is done.\n\n${fenced('const data = JSON.parse(text)')}`,
    }
    expect(issuesIn(applied(skill, propose(skill)))).toEqual([])
    const touching = { 'a.md': fenced(`const text = await ${call}\nsave(text)`) }
    const first = applied(touching, propose(touching))
    expect(issuesIn(first).map(({ description }) => description)).not.toContain(
      'An agent is called without error handling',
    )
    expect(issuesIn(applied(first, propose(first)))).toEqual([])
  })

  it('keep the line ends of a file', () => {
    const skill = { 'phases/1.md': fenced('history.push(reply)').replaceAll('\n', '\r\n') }
    const after = applied(skill, propose(skill))
    expect(after['phases/1.md']?.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it.each([
    ['a key', 'const task = { name, title: text }'],
    ['a field of a type', 'interface Task {\n  title?: string\n}'],
    ['shorthand', 'make({ id, title })'],
    ['quoted', 'check("title")'],
  ])('leave two names where one is %s elsewhere', (_, code) => {
    expect(propose({ 'a.md': fenced('show(task.name, task.name)\nsave(task.title)'), 'b.md': fenced(code) })).toEqual(
      [],
    )
  })

  it('and each pattern without a generated fix has its reason', () => {
    const without = Object.keys(patternTexts).filter((pattern) => !(pattern in generators) && !(pattern in newFiles))
    const fallbacks = ['inconsistent_naming']
    expect([...without, ...fallbacks].toSorted()).toEqual(Object.keys(leftReasons).toSorted())
  })

  it('are none where nothing can be generated', () => {
    expect(
      propose({ 'phases/1.md': fenced('Task({ prompt: `${JSON.stringify(state)}` })') }).map(({ issue_ids }) =>
        issue_ids[0]?.slice(0, 3),
      ),
    ).not.toContain('CTX')
    expect(propose({ 'SKILL.md': '# Skill\n' })).toEqual([])
  })
})
