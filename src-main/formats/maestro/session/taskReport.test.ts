import { describe, expect, it } from 'vitest'
import { parseTaskReport } from './taskReport'

const report = (status: string, more = '') =>
  `I did it.\n\n## Task Report\n- **Status**: ${status}\n- **Files Created**: none\n${more}\n## Downstream Context\n- **Warnings**: none\n`

describe('the report of an agent', () => {
  it('is read with all that it hands over', () => {
    const answer = [
      '# Task Report',
      '- **Status**: success',
      '- **Objective Achieved**: The worker retries.',
      '- **Files Created**: `src/retry.ts` - the worker, `src/backoff.ts`',
      '- **Files Modified**:',
      '  - src/index.ts: exports both',
      '  - `src/worker.ts` — calls it',
      '- **Files Deleted**: None',
      '- **Validation**: pass',
      '- **Errors**: none',
      '',
      '# Downstream Context',
      '- **Key Interfaces Introduced**: retry(job): Promise<void>',
      '- **Patterns Established**: N/A',
      '- **Integration Points**:',
      '  - called by worker.ts',
      '  - reads the queue',
      '- **Assumptions**: none.',
      '- **Warnings**: attempts count from 1',
    ].join('\n')
    expect(parseTaskReport(answer)).toEqual({
      status: 'success',
      files: {
        created: ['src/retry.ts', 'src/backoff.ts'],
        modified: ['src/index.ts', 'src/worker.ts'],
        deleted: [],
      },
      validation: 'pass',
      errors: [],
      blockers: [],
      context: {
        key_interfaces_introduced: ['retry(job): Promise<void>'],
        patterns_established: [],
        integration_points: ['called by worker.ts', 'reads the queue'],
        assumptions: [],
        warnings: ['attempts count from 1'],
      },
    })
  })

  it.each(['success', 'partial', 'failure'])('may say %s', (status) => {
    expect(parseTaskReport(report(status))?.status).toBe(status)
  })

  it('counts as the last of several, as some agents repeat their task first', () => {
    expect(parseTaskReport(`${report('failure')}\n${report('success')}`)?.status).toBe('success')
  })

  it('has the blockers of later versions', () => {
    expect(parseTaskReport(report('partial', '- **Blockers**:\n  - Which key signs it?\n'))?.blockers).toEqual([
      'Which key signs it?',
    ])
  })

  it.each([
    ['no heading', 'Status: success'],
    ['no downstream context', '## Task Report\n- **Status**: success\n'],
    ['another status', report('fine')],
    ['its headings in a fence', `\`\`\`\n${report('success')}\`\`\`\n`],
  ])('is none with %s', (_what, answer) => {
    expect(parseTaskReport(answer)).toBeUndefined()
  })
})
