import { describe, expect, it } from 'vitest'
import { standings, type Standing } from '@shared/contract/orchestration'
import { firstToShow, LEGIBLE_SCALE, openingView } from './opening'
import { agentOf, cardTitle, durationOf, hasRunningTime, isCounting, planOf, withTimes } from './plan'
import { layOutPlan } from './planLayout'

/** A lane `P` with tasks in these states, one after the other. */
function chain(...states: Standing[]) {
  const keys = ['P', ...states.map((_, at) => `P/${at + 1}`)]
  const shape = {
    phases: keys.map((_, node) => (node === 0 ? -1 : 0)),
    edges: states.slice(1).flatMap((_, at) => [at + 1, at + 2]),
  }
  const plan = planOf({
    ...shape,
    revision: 1,
    keys,
    titles: keys.map((key) => (key === 'P' ? 'Music' : `Title of ${key}`)),
    standings: (['active', ...states] as const).map((state) => standings.indexOf(state)),
    workers: [
      { node: 0, agent: 'coder', started: null, completed: null },
      { node: 1, agent: '', started: 1_000, completed: 3_000 },
      { node: 2, agent: 'tester', started: 3_000, completed: null },
    ],
    critical: [],
    rows: keys.length,
    more: { nodes: 0, edges: 0 },
  })
  return { plan, layout: layOutPlan({ ...shape, shut: [] }) }
}

const window = { width: 800, height: 400 }

describe('what a graph shows first', () => {
  it('is what is at work, then what can begin, then what needs somebody; never a lane', () => {
    const first = (...states: Standing[]) => {
      const { plan, layout } = chain(...states)
      return firstToShow(plan, layout)
    }
    expect(first('done', 'ready', 'active')).toBe(3)
    expect(first('done', 'blocked', 'ready')).toBe(3)
    expect(first('done', 'failed', 'dead')).toBe(2)
    expect(first('done', 'done')).toBe(1)
  })

  it('is all of a plan where that is legible, and a legible part around that node otherwise', () => {
    const small = chain('done', 'active')
    expect(openingView(small.layout, window, 2).scale).toBe(1)
    const { layout } = chain(...Array<Standing>(30).fill('ready'))
    const view = openingView(layout, window, 15)
    expect(view.scale).toBe(LEGIBLE_SCALE)
    const x = layout.x[15] ?? 0
    expect(view.left).toBeLessThan(x)
    expect(view.left + window.width / view.scale).toBeGreaterThan(x + 200)
    expect(openingView(layout, window, 1).left).toBeCloseTo(-16 / LEGIBLE_SCALE)
  })
})

describe('what a box says', () => {
  const { plan } = chain('done', 'active', 'ready')

  it('has the agent of the task, or of its phase', () => {
    expect([1, 2, 3].map((node) => agentOf(plan, node))).toEqual(['coder', 'tester', 'coder'])
  })

  it('has how long it took or has taken, and nothing where no file says', () => {
    expect([1, 2, 3].map((node) => durationOf(plan, node, 10_000))).toEqual([2_000, 7_000, null])
    expect(hasRunningTime(plan)).toBe(true)
    expect(hasRunningTime(chain('done', 'failed').plan)).toBe(false)
  })

  it('has what Bridgedeck measured where no file has a time', () => {
    const span = { from: 5_000, to: 6_000 }
    const times = new Map(['P', 'P/1', 'P/3'].map((key) => [key, [span, { from: 9_000, to: null }]]))
    const measured = withTimes(plan, times)
    expect([...measured.measured.keys()]).toEqual([3])
    expect([0, 1, 2, 3].map((node) => durationOf(measured, node, 10_000))).toEqual([null, 2_000, 7_000, 2_000])
    expect([1, 2, 3].map((node) => isCounting(measured, node))).toEqual([false, true, true])
    expect(hasRunningTime(withTimes(chain('done', 'failed', 'ready').plan, times))).toBe(true)
  })

  it('has a number before the title, without the name of its phase', () => {
    expect(cardTitle(plan, 2)).toBe('Title of P/2')
    expect(cardTitle({ ...plan, titles: ['', 'Draw', ''] }, 1)).toBe('1  Draw')
    expect(cardTitle({ ...plan, titles: ['', 'Draw', ''] }, 2)).toBe('2')
    expect(cardTitle(plan, 0)).toBe('Music')
  })
})
