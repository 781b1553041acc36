import { describe, expect, it } from 'vitest'
import { estimateStart, estimateText, spread, type EarlierTurn } from './estimate'

const turn = (
  role: string,
  task: string | null,
  { project = 1, agent = 'coder', ...changes }: Partial<EarlierTurn> & { readonly project?: number } = {},
): EarlierTurn => ({
  agent,
  turn: { project, system: 'metashell', place: '', folder: 'one', role, task },
  state: 'ended',
  status: 'success',
  startedAt: 0,
  endedAt: 60_000,
  tokens: 1_000,
  cost: 0.1,
  ...changes,
})
const start = { project: 1, system: 'metashell', roles: [{ role: 'executor', agent: 'coder' }], openTasks: 4 }

describe('the estimate of a start', () => {
  it('is the median of earlier turns of the same loop, role and agent, for each open task', () => {
    const turns = [1, 2, 3].map((task) => turn('executor', String(task), { tokens: task * 1_000, cost: task }))
    const others = [turn('executor', '9', { agent: 'other' }), turn('planner', null)]
    const elsewhere = turn('executor', '8', { tokens: 99_000 })
    const ncrew = { ...elsewhere, turn: elsewhere.turn && { ...elsewhere.turn, system: 'ncrew' as const } }
    expect(estimateStart({ ...start, turns: [...turns, ncrew] })).toEqual({
      basedOn: 3,
      priced: 3,
      isOfProject: true,
      turns: 4,
      newRoles: [],
      perTurn: {
        tokens: { low: 1_500, middle: 2_000, high: 2_500 },
        cost: { low: 1.5, middle: 2, high: 2.5 },
        time: { low: 60_000, middle: 60_000, high: 60_000 },
      },
      total: {
        tokens: { low: 6_000, middle: 8_000, high: 10_000 },
        cost: { low: 6, middle: 8, high: 10 },
        time: { low: 240_000, middle: 240_000, high: 240_000 },
      },
    })
    expect(estimateStart({ ...start, turns: [...turns, ...others] })).toMatchObject({ basedOn: 3 })
  })

  it('takes the turns that a task took before, of each role', () => {
    const turns = [1, 2].flatMap((task) => [1, 2].map(() => turn('executor', String(task))))
    const roles = [...start.roles, { role: 'planner', agent: 'coder' }]
    const planned = estimateStart({ ...start, roles, turns: [...turns, turn('planner', null)] })
    expect(planned).toMatchObject({ turns: 10, total: { cost: { middle: expect.closeTo(1) as number } } })
  })

  it('goes by the same project where that has three turns, else by all', () => {
    const own = (count: number) => Array.from({ length: count }, (_, task) => turn('executor', `${task}`))
    const other = turn('executor', '7', { project: 2 })
    expect(estimateStart({ ...start, turns: [...own(3), other] })).toMatchObject({ basedOn: 3, isOfProject: true })
    expect(estimateStart({ ...start, turns: [...own(2), other] })).toMatchObject({ basedOn: 3, isOfProject: false })
  })

  it('is of no more turns than the start may have', () => {
    const turns = [turn('executor', '1')]
    expect(estimateStart({ ...start, turns, maxTurns: 2 })).toMatchObject({
      turns: 2,
      total: { tokens: { middle: 2_000 } },
    })
  })

  it('does not count turns that were stopped, that run, or that are checks of ours', () => {
    const turns = [
      turn('executor', '1', { status: 'stopped' }),
      turn('executor', '1', { state: 'running', status: null }),
    ]
    expect(estimateStart({ ...start, turns })).toBeUndefined()
  })

  it('leaves out what is unknown, and never takes it for 0', () => {
    const unpriced = [turn('executor', '1', { cost: null, tokens: null }), turn('executor', '2', { cost: null })]
    const found = estimateStart({ ...start, turns: unpriced })
    expect(found).toMatchObject({ priced: 0, total: { cost: null, tokens: { middle: 4_000 } } })
    const roles = [...start.roles, { role: 'verifier', agent: 'coder' }]
    expect(estimateStart({ ...start, roles, turns: unpriced })?.newRoles).toEqual(['verifier'])
  })

  it('is of each turn where nobody knows how many tasks are open', () => {
    const found = estimateStart({ ...start, openTasks: null, turns: [turn('executor', null)] })
    expect(found).toMatchObject({ total: null, turns: null, perTurn: { cost: { middle: 0.1 } } })
  })

  it('says what it is based on', () => {
    const turns = [1, 2, 3].map((task) => turn('executor', String(task), { cost: task === 1 ? null : task }))
    const found = estimateStart({ ...start, turns })
    expect(found && estimateText(found)).toBe(
      'about 4 turns: 4,000 tokens, $10.00 ($9.00 to $11.00), 4:00 of work. From 3 earlier turns in this project, 2 of them with a known cost.',
    )
  })
})

it('A spread is the median with its quartiles', () => {
  expect(spread([5, 1, 3, 2, 4])).toEqual({ low: 2, middle: 3, high: 4 })
  expect([spread([7]), spread([])]).toEqual([{ low: 7, middle: 7, high: 7 }, null])
})
