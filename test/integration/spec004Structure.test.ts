/** Specification 004, State Structure: its interfaces as they stand there, held line by line against what checks a state file. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tuning } from '../../src-main/formats/tuning/format'
import { onlyRun } from '../support/projectFiles'

type Json = Record<string, unknown>

/** One line of an interface. */
interface Field {
  readonly path: string
  readonly type: string
  readonly isOptional: boolean
}

const text = readFileSync(resolve('test/fixtures/spec004/state-structure.txt'), 'utf8').replaceAll(/\/\/.*$/gm, '')
const aliases = new Map(
  [...text.matchAll(/^type (\w+) =([^;]+);/gm)].map(([, name, words]) => [
    name ?? '',
    (words ?? '').replace('|', '').replaceAll(/\s+/g, ' ').trim(),
  ]),
)
const interfaces = new Map(
  [...text.matchAll(/^interface (\w+) \{\n([^]*?)^\}/gm)].map(([, name, body]) => [name ?? '', body ?? '']),
)

/** Those of the state, with those of what it is made of: `issues.0.severity`. */
const fields = fieldsOf('TuningState', '')

function fieldsOf(name: string, within: string): Field[] {
  const parents: string[] = []
  return (interfaces.get(name) ?? '').split('\n').flatMap((line) => {
    if (/^\s*\};?/.test(line)) parents.pop()
    const [, field, mark, opened, written] = /^\s*(\w+)(\??): (?:(\{)|(.+?);)\s*$/.exec(line) ?? []
    if (field === undefined) return []
    const path = [within, ...parents, field].filter(Boolean).join('.')
    if (opened !== undefined) parents.push(field)
    const type = aliases.get(written ?? '') ?? written ?? 'object'
    const own = { path, type, isOptional: mark === '?' }
    const [, part, list] = /^(\w+)(\[\])?/.exec(type) ?? []
    return part !== undefined && interfaces.has(part)
      ? [own, ...fieldsOf(part, list === undefined ? path : `${path}.0`)]
      : [own]
  })
}

const wordsOf = ({ type }: Field): string[] => [...type.matchAll(/'([^']+)'/g)].map(([, word]) => word ?? '')

const time = '2026-02-10T08:00:03.120Z'
const diagnosis = {
  status: 'completed',
  issues_found: 1,
  severity: 'low',
  execution_time_ms: 1,
  details: {
    patterns_checked: ['a'],
    patterns_matched: ['a'],
    recommendations: ['b'],
    evidence: [{ file: 'a.md', line: 1, pattern: 'a', context: 'c', severity: 'low' }],
  },
}

/** A state with all fields and one entry in each list. */
const whole: Json = {
  status: 'running',
  started_at: time,
  updated_at: time,
  target_skill: {
    name: 'notes',
    path: 'skill',
    execution_mode: 'sequential',
    phases: ['phases/1.md'],
    specs: ['specs/1.md'],
  },
  user_issue_description: 'It grows',
  focus_areas: ['context'],
  diagnosis: { context: diagnosis, memory: diagnosis, dataflow: diagnosis, agent: diagnosis },
  issues: [
    {
      id: 'CTX-1',
      type: 'context_explosion',
      severity: 'low',
      priority: 1,
      location: { file: 'a.md', line_start: 1, line_end: 2, phase: 'one' },
      description: 'd',
      evidence: ['e'],
      root_cause: 'r',
      impact: 'i',
      suggested_fix: 's',
      related_issues: [],
    },
  ],
  issues_by_severity: { critical: 0, high: 0, medium: 0, low: 1 },
  proposed_fixes: [
    {
      id: 'FIX-1',
      issue_ids: ['CTX-1'],
      strategy: 'custom',
      description: 'd',
      rationale: 'r',
      changes: [{ file: 'a.md', action: 'modify', old_content: 'a', new_content: 'b', diff: '@@ -1 +1 @@\n-a\n+b\n' }],
      risk: 'low',
      estimated_impact: 'i',
      verification_steps: ['v'],
    },
  ],
  applied_fixes: [
    {
      fix_id: 'FIX-1',
      applied_at: time,
      success: true,
      backup_path: 'backup',
      verification_result: 'pass',
      rollback_available: false,
    },
  ],
  pending_fixes: ['FIX-1'],
  iteration_count: 1,
  max_iterations: 5,
  quality_score: 99,
  quality_gate: 'pass',
  completed_actions: ['action-init'],
  current_action: 'action-verify',
  action_history: [
    { action: 'action-init', started_at: time, completed_at: time, result: 'success', output_files: ['a'] },
  ],
  errors: [{ action: 'action-init', message: 'm', timestamp: time, recoverable: true }],
  error_count: 1,
  max_errors: 3,
  work_dir: '.workflow/.scratchpad/skill-tuning-20260210080000',
  backup_dir: 'b',
}

/** The state with another value at a path; undefined takes it away. */
function withValue(path: string, value: unknown): string {
  const copy = JSON.parse(JSON.stringify(whole)) as Json
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const parent = steps.reduce<Json>((node, step) => node[step] as Json, copy)
  if (value === undefined) Reflect.deleteProperty(parent, last)
  else parent[last] = value
  return JSON.stringify(copy)
}

/** What is said against the form of a state: what contradicts what in it is not asked here. */
const problemsOf = (state: string): string[] =>
  onlyRun(tuning, { '.workflow/.scratchpad/skill-tuning-20260210080000/state.json': state })
    .problems.filter(({ rule }) => /\/(?:required|type|enum|form|range|unknown-field|json)$/.test(rule))
    .map(({ rule }) => rule)

/** A value that no field of a type may have. */
const wrong = ({ type }: Field): unknown => (/^string\b|^'/.test(type) ? 7 : 'seven')

describe('State Structure', () => {
  it('has all its fields in the state of this test, which is valid', () => {
    expect(fields.length).toBeGreaterThan(100)
    for (const { path } of fields)
      expect([path, path.split('.').reduce<unknown>((node, step) => (node as Json)[step], whole)]).not.toContain(
        undefined,
      )
    expect(problemsOf(JSON.stringify(whole))).toEqual([])
  })

  it.each(fields)('$path: $type', (field) => {
    const { path, type, isOptional } = field
    expect(problemsOf(withValue(path, undefined))).toEqual(isOptional ? [] : ['tuning/required'])
    expect(problemsOf(withValue(path, wrong(field)))).toEqual([expect.stringMatching(/^tuning\/(?:type|enum)$/)])
    expect(problemsOf(withValue(path, null))).toHaveLength(type.endsWith('| null') ? 0 : 1)
    if (type.startsWith('number')) expect(problemsOf(withValue(path, -1))).toEqual(['tuning/range'])
  })

  it.each(fields.filter((field) => wordsOf(field).length > 0))('$path takes $type alone', (field) => {
    for (const word of wordsOf(field)) expect([word, problemsOf(withValue(field.path, word))]).toEqual([word, []])
    expect(problemsOf(withValue(field.path, 'another'))).toEqual(['tuning/enum'])
  })

  it('knows no other field', () => {
    for (const path of new Set(fields.map((field) => field.path.replace(/\w+$/, 'another'))))
      expect([path, problemsOf(withValue(path, 1))]).toEqual([path, ['tuning/unknown-field']])
  })
})
