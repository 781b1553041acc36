import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { diagnosisAreas, issueSchema } from '../schema'
import { issuesOf, type KnownIssue, type ScannedIssue } from './issues'
import { scanSkill } from './scan'

const fenced = (code: string): string => `\`\`\`js\n${code}\n\`\`\`\n`

const scan = (
  texts: Readonly<Record<string, string>>,
  known: readonly KnownIssue[] = [],
  used: readonly string[] = [],
) =>
  issuesOf(
    scanSkill(
      Object.entries(texts).map(([path, text]) => ({ path, text })),
      diagnosisAreas,
      () => 0,
    ),
    known,
    used,
  )

const asKnown = (issues: readonly ScannedIssue[]): KnownIssue[] =>
  issues.map(({ id, description, evidence, location: { file } }) => ({ id, description, evidence, file }))

const skill = {
  'phases/1.md': fenced('history.push(reply)\nconst a = JSON.parse(text)'),
  'phases/2.md': fenced('return { full_output: text }'),
}

describe('Issues of a scan', () => {
  it('have every field of the specification, ranked by severity and then by type', () => {
    const issues = scan(skill)
    expect(z.array(issueSchema).parse(issues)).toEqual(issues)
    expect(issues.map(({ id, priority, location }) => [id, priority, location.file, location.line_start])).toEqual([
      ['CTX-1', 1, 'phases/1.md', 2],
      ['CTX-2', 2, 'phases/2.md', 2],
      ['DF-1', 3, 'phases/1.md', 3],
    ])
    expect(issues[0]?.related_issues).toEqual(['DF-1'])
    expect(issues[0]?.evidence).toEqual(['phases/1.md:2: history.push(reply)'])
  })

  it('keep their ids over iterations, though their lines move', () => {
    const known = asKnown(scan(skill))
    const moved = {
      ...skill,
      'phases/1.md': `# One\n\n${skill['phases/1.md']}`,
      'phases/0.md': fenced('messages.push(reply)'),
    }
    const ids = new Map(scan(moved, known).map(({ id, location }) => [`${id} ${location.file}`, location.line_start]))
    expect([...ids.keys()].sort()).toEqual([
      'CTX-1 phases/1.md',
      'CTX-2 phases/2.md',
      'CTX-3 phases/0.md',
      'DF-1 phases/1.md',
    ])
    expect(ids.get('CTX-1 phases/1.md')).toBe(4)
  })

  it('never get an id that another issue had', () => {
    expect(scan(skill, [], ['CTX-7', 'DF-2']).map(({ id }) => id)).toEqual(['CTX-8', 'CTX-9', 'DF-3'])
  })

  it('take over the id of the same evidence that another program described in its own words', () => {
    const theirs = { id: 'CTX-4', file: 'phases/1.md', description: 'It grows', evidence: ['history.push(reply)'] }
    expect(scan(skill, [theirs]).map(({ id }) => id)).toEqual(['CTX-4', 'CTX-5', 'DF-1'])
  })
})
