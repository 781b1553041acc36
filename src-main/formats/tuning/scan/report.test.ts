import { describe, expect, it } from 'vitest'
import { diagnosisAreas } from '../schema'
import { compositeScore, healthScore } from '../scores'
import { countSeverities, issuesOf } from './issues'
import { tuningReport } from './report'
import { scanSkill } from './scan'

function reportOf(texts: Readonly<Record<string, string>>, problem = ''): string {
  const scans = scanSkill(
    Object.entries(texts).map(([path, text]) => ({ path, text })),
    diagnosisAreas,
    () => 0,
  )
  const issues = issuesOf(scans, [], [])
  const counts = countSeverities(issues)
  return tuningReport({
    skill: 'review',
    problem,
    ...healthScore(counts),
    issuesBySeverity: counts,
    composite: compositeScore(counts, 4, { applied: 0, passed: 0 }, 0),
    diagnosis: Object.fromEntries(scans.map(({ area, diagnosis }) => [area, diagnosis])),
    issues,
  })
}

describe('The tuning report', () => {
  it('has both scores, the counts, each diagnosis, high issues with their evidence, and the order of fixes', () => {
    const report = reportOf({ 'phases/1.md': '```js\nhistory.push(reply)\nconst a = JSON.parse(text)\n```\n' })
    expect(report).toContain('| Health (written to quality_score) | 80 | pass |')
    expect(report).toMatch(/\| Composite \| \d+ \| pass \|/)
    expect(report).toContain('| context | medium | 1 | history_accumulation |')
    expect(report).toContain('### CTX-1 (high)')
    expect(report).toContain('- `phases/1.md:2: history.push(reply)`')
    expect(report).not.toContain('### DF-1')
    expect(report).toMatch(/1\. CTX-1 .*\n2\. DF-1 /)
  })

  it('lists at most ten issues in the order of fixes, and says when there are none', () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`phases/${at}.md`, '```js\nhistory.push(a)\n```\n']),
    )
    expect(reportOf(many).match(/^\d+\. /gm)).toHaveLength(10)
    expect(reportOf({ 'SKILL.md': '# Skill' })).toContain('Nothing to fix.')
  })

  it('takes texts of files for text', () => {
    const report = reportOf({ 'phases/1.md': '```js\nhistory.push(`<b>${a}</b>`)\n```\n' }, '# Not a\nheading <script>')
    expect(report).toContain('`` phases/1.md:2: history.push(`<b>${a}</b>`) ``')
    expect(report).toContain('\\# Not a heading \\<script\\>')
  })
})
