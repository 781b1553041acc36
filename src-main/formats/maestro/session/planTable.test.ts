import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plannedText, readPlannedPhases } from './planTable'

const phase = (
  id: string,
  name: string,
  agent: string,
  blockedBy: readonly string[] = [],
  files: readonly string[] = [],
) => ({
  id,
  name,
  agents: [agent],
  blockedBy,
  files,
})

describe('the phases of a plan', () => {
  it('are the rows of its table', () => {
    const plan = readFileSync(
      resolve('resources/sample-project/.gemini/plans/2026-11-17-scroller-impl-plan.md'),
      'utf8',
    )
    expect(readPlannedPhases(plan)).toEqual([
      phase('1', 'Font', 'coder'),
      phase('2', 'Colour bars', 'coder', ['1']),
      phase('3', 'Music', 'debugger', ['1']),
      phase('4', 'Disk image', 'devops_engineer', ['2', '3']),
      phase('5', 'Notes for the disk', 'technical_writer', ['4']),
    ])
  })

  it('have the files of their sections', () => {
    const plan = [
      '| # | Name | Agent | Blocked by |',
      '|---|------|-------|------------|',
      '| 1 | Schema | `data-engineer` | none |',
      '| 2 | Worker | coder | Phase 1 |',
      '',
      '## Phase 1: Schema',
      'Make the table.',
      '### Files to create',
      '- `db/014.sql` — the table',
      '### Validation',
      '- run it',
      '## Phase 2: Worker',
    ].join('\n')
    expect(readPlannedPhases(plan)).toEqual([
      phase('1', 'Schema', 'data_engineer', [], ['db/014.sql']),
      phase('2', 'Worker', 'coder', ['1']),
    ])
    expect(plannedText(plan, '1')).toMatch(/^Make the table\.\n[^]*- run it$/)
    expect(plannedText(plan, '3')).toBe('')
  })

  it.each([
    ['nothing', ''],
    ['another table', '| a | b |\n|---|---|\n| 1 | 2 |\n'],
    ['one in a fence', '```\n| Phase | Agent |\n|---|---|\n| 1 | coder |\n```\n'],
  ])('are none in %s', (_what, plan) => {
    expect(readPlannedPhases(plan)).toEqual([])
  })
})
