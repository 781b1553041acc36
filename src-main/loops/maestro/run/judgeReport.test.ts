/** The table by which a report completes a phase, or fails it. */
import { describe, expect, it } from 'vitest'
import type { TaskReport } from '../../../formats/maestro/session/taskReport'
import { judgeReport, strictnesses } from './judgeReport'

const report = (more: Partial<TaskReport>): TaskReport => ({
  status: 'success',
  validation: 'pass',
  errors: [],
  blockers: [],
  files: { created: [], modified: [], deleted: [] },
  context: {
    key_interfaces_introduced: [],
    patterns_established: [],
    integration_points: [],
    assumptions: [],
    warnings: [],
  },
  ...more,
})

describe('a report', () => {
  //                                                                          strict          normal          lenient
  it.each([
    ['of success', report({}), [], ['completed', 'completed', 'completed']],
    ['of success without a validation', report({ validation: null }), [], ['validation', 'completed', 'completed']],
    [
      'of success with a validation left out',
      report({ validation: 'skipped' }),
      [],
      ['validation', 'completed', 'completed'],
    ],
    [
      'of success with a failed validation',
      report({ validation: 'fail' }),
      [],
      ['validation', 'validation', 'completed'],
    ],
    ['of files that git does not know', report({}), ['a.ts'], ['validation', 'completed', 'completed']],
    [
      'of a file that is not there',
      report({ files: { created: ['a.ts'], modified: [], deleted: [] } }),
      ['a.ts'],
      ['validation', 'validation', 'completed'],
    ],
    ['of a part', report({ status: 'partial' }), [], ['validation', 'validation', 'completed']],
    ['that cannot be read', undefined, [], ['validation', 'validation', 'completed']],
    ['of a failure', report({ status: 'failure' }), [], ['runtime', 'runtime', 'runtime']],
    ['with a blocker', report({ blockers: ['Which key?'] }), [], ['dependency', 'dependency', 'dependency']],
  ] as const)('%s', (_what, given, unfounded, expected) => {
    expect(
      strictnesses.map((strictness) => {
        const { status, error } = judgeReport(given, { unfounded, absent: given?.files.created ?? [] }, strictness)
        return error?.type ?? status
      }),
    ).toEqual(expected)
  })

  it('says what was accepted all the same', () => {
    expect(judgeReport(report({}), { unfounded: ['a.ts'], absent: [] }, 'normal').warning).toContain('a.ts')
  })
})
