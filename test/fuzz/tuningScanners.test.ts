/** Skills with anything in them: the scanners end, name places that are there, and find the same each time. */
import { array, constantFrom, integer, oneof, record, string, tuple } from 'fast-check'
import { describe, expect } from 'vitest'
import { compareScans } from '../../src-main/formats/tuning/scan/compareScans'
import { countSeverities, issuesOf } from '../../src-main/formats/tuning/scan/issues'
import { scanSkill } from '../../src-main/formats/tuning/scan/scan'
import { diagnosisAreas } from '../../src-main/formats/tuning/schema'
import { fuzz } from './fuzz'

const part = oneof(
  constantFrom(
    '```js\n',
    '```\n',
    '~~~~text\n',
    '\n```\n',
    '---\n',
    '\uFEFF---\nallowed-tools: Read\n---\n',
    '\r\n',
    '\n',
  ),
  constantFrom(
    '# Anti-patterns\n',
    '## Error handling\n',
    '❌ Bad:\n',
    '// Good\n',
    '/*',
    '*/',
    '| a | b |\n',
    '│ ├── a.md\n',
  ),
  constantFrom(
    'Task({',
    'const a = await Task({',
    ' prompt: `',
    '${',
    '})',
    '}',
    'try {',
    '} catch (e) {}',
    '.catch(() => {})',
  ),
  constantFrom(
    'history.push({',
    '[...history, ',
    '].slice(-5)',
    'JSON.parse(',
    'Write("a/state.json", ',
    'return { content',
  ),
  constantFrom(
    '"',
    "'",
    '`',
    '"""',
    '\\',
    '{{content}}',
    '[TASK]\n',
    '[CONSTRAINTS]\n- keep it\n',
    'Return the full report. ',
  ),
  string({ maxLength: 6 }),
)
const text = oneof(
  array(part, { maxLength: 60 }).map((parts) => parts.join('')),
  // One part, very often: what takes more time than its length shows here.
  tuple(part, constantFrom('', '```js\n'), integer({ min: 1_000, max: 20_000 })).map(
    ([repeated, before, size]) => `${before}${repeated.repeat(Math.ceil(size / Math.max(1, repeated.length)))}`,
  ),
)
const path = constantFrom('SKILL.md', 'phases/1.md', 'phases/2.md', 'phases/orchestrator.md', 'phases/state-schema.md')
const skill = array(record({ path, text }), { minLength: 1, maxLength: 4 }).map(
  (files) => new Map<string, string>(files.map((file) => [file.path, file.text])),
)

const filesOf = (texts: ReadonlyMap<string, string>) =>
  [...texts].map(([file, content]) => ({ path: file, text: content }))

describe('a skill', () => {
  fuzz(
    'of anything is scanned to its end, with places that are in it',
    skill,
    (texts) => {
      const scan = () => scanSkill(filesOf(texts), diagnosisAreas, () => 0)
      const scans = scan()
      expect(scan()).toEqual(scans)
      for (const { file, line } of scans.flatMap(({ diagnosis }) => diagnosis.details.evidence)) {
        const lines = texts.get(file)?.split('\n').length ?? 0
        expect(lines).toBeGreaterThanOrEqual(line ?? 1)
      }
      const issues = issuesOf(scans, [], [])
      const counted = Object.values(countSeverities(issues)).reduce((sum, count) => sum + count, 0)
      expect(counted).toBe(issues.filter(({ confidence }) => confidence !== 'low').length)
      const ids = issues.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      // What nobody changed is no fix.
      if (ids.length > 0) expect(compareScans(issues, issues, ids, new Set(texts.keys()), texts).verdict).toBe('fail')
    },
    4,
  )
})
