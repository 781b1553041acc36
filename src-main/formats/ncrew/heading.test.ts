import { describe, expect, it } from 'vitest'
import { crewState } from '../../../test/support/crewState'
import { readHeading } from './heading'

describe('a heading of tasks.md', () => {
  it.each([
    ['Discovery Phase ✅ COMPLETE', 'Discovery', 'COMPLETE'],
    ['Discovery Phase - PENDING', 'Discovery', 'PENDING'],
    ['Discovery Phase', 'Discovery', undefined],
    ['Discovery ✅ COMPLETE', 'Discovery', 'COMPLETE'],
    ['✅ Phase 1: Discovery (COMPLETE)', 'Discovery', 'COMPLETE'],
    ['Phase 2: Architecture [IN PROGRESS]', 'Architecture', 'IN PROGRESS'],
    ['🔄 Phase 2 - Architecture — in_progress (2/3)', 'Architecture', 'IN PROGRESS'],
    ['**Phase 3 – Implementation** ⏳ *Pending*', 'Implementation', 'PENDING'],
    ['Phase II: Build', 'Build', undefined],
    ['Phase 4', 'Phase 4', undefined],
    ['Phase 4 ⏳ PENDING', 'Phase 4', 'PENDING'],
    ['1. Discovery Phase ✅ COMPLETE', 'Discovery', 'COMPLETE'],
    ['✅ Discovery Phase', 'Discovery', undefined],
    ['Discovery Phase (COMPLETED ✅)', 'Discovery', 'COMPLETE'],
    ['Discovery Phase (3/3) COMPLETE', 'Discovery', 'COMPLETE'],
    ['Discovery Phase: COMPLETE', 'Discovery', 'COMPLETE'],
    ['Discovery Phase âœ… COMPLETE', 'Discovery', 'COMPLETE'],
    ['âœ… Phase 1: Discovery (COMPLETE)', 'Discovery', 'COMPLETE'],
    ['Architecture Phase ğŸ”„ IN PROGRESS', 'Architecture', 'IN PROGRESS'],
    ['User Research Phase ⏳ PENDING', 'User Research', 'PENDING'],
    ['Incomplete Work', 'Incomplete Work', undefined],
    ['发现 Phase ✅ COMPLETE', '发现', 'COMPLETE'],
    ['COMPLETE', 'COMPLETE', 'COMPLETE'],
    ['✅', '✅', undefined],
  ])('“%s” is the phase %s, %s', (text, name, claimed) => {
    expect(readHeading(text)).toEqual({ name, claimed })
  })

  it.each(['#', '##', '###'])('begins a phase with %s where the file writes its phases so', (marks) => {
    const tasks = `# Tasks\n\n${marks} Discovery Phase\n- [x] a\n#### Notes\n- [ ] b\n${marks} Build Phase\n- [ ] c\n`
    const { phases, outside } = crewState({ 'INDEX.md': '---\ntype: project\n---\n', 'tasks.md': tasks })
    expect(phases.map(({ key, tasks }) => [key, tasks.length])).toEqual([
      ['discovery', 2],
      ['build', 1],
    ])
    expect(outside.flatMap(({ boxes }) => boxes)).toEqual([])
  })
})
