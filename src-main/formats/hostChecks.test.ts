import { describe, expect, it } from 'vitest'
import { checkNeeds, checkOffers, decideChecks, decisionsOf, undecidedChecks } from './hostChecks'
import { Values } from './edit/offer'

const source = { file: 'plan.json', line: 3 }
const commands = [
  { task: '01', command: 'npm test', source },
  { task: '02', command: 'npm test', source },
  { task: '03', command: 'npm run lint', source },
]
const none = new Map<string, string>()
const approved = new Map(Object.entries(decideChecks(none, 'approved', ['npm test'])))

describe('check commands', () => {
  it('are asked about once each, and never those of which not all can be seen', () => {
    expect(undecidedChecks(none, commands).map(({ task }) => task)).toEqual(['01', '03'])
    expect(undecidedChecks(approved, commands).map(({ task }) => task)).toEqual(['03'])
    for (const command of ['a\nb', 'a\u200bb', 'x'.repeat(501), ' '])
      expect(undecidedChecks(none, [{ task: '01', command, source }])).toEqual([])
  })

  it('are asked about again when they differ in a blank', () => {
    expect(undecidedChecks(approved, [{ task: '01', command: 'npm  test', source }])).toHaveLength(1)
  })

  it('hold the run up only when others are approved', () => {
    expect(checkNeeds(none, commands)[0]?.unblocks).toEqual([])
    expect(checkNeeds(approved, commands)[0]).toMatchObject({ unblocks: ['03'], source })
    expect(checkNeeds(approved, commands.slice(0, 2))).toEqual([])
  })

  it('are approved or declined by their exact texts', () => {
    const [approve, decline] = checkOffers(none, commands)
    const chosen = new Values({ commands: ['npm run lint'] }, 1)
    const after = new Map(Object.entries(approve?.plan(chosen).remember ?? {}) as [string, string][])
    expect(decisionsOf(after)).toEqual({ approved: ['npm run lint'], declined: [] })
    const changed = new Map(
      Object.entries(decline?.plan(new Values({ commands: ['npm test'] }, 1)).remember ?? {}) as [string, string][],
    )
    expect(decisionsOf(changed)).toEqual({ approved: [], declined: ['npm test'] })
  })
})
