/** Agents of each loop that print while their host is killed, and go on for the next one. */
import { rmSync, writeFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { LoopHome, madeUpAgent } from '../support/loopHome'
import { nightLoops } from '../support/nightLoops'
import { untilSaid } from '../support/untilSaid'

const TASKS = 2
const WAIT = { timeout: 240_000, interval: 100 }

/** And the analyst of a skill, which is asked before any fixer. */
const loops = nightLoops.flatMap((loop) =>
  loop.name === 'tuning' ? [loop, { ...loop, name: 'tuning, analysed', start: [...loop.start, '--analyse'] }] : [loop],
)

/** Those of its whole lines. */
const numbersIn = (text: string): number[] =>
  [...text.matchAll(/^\{"type":"progress","number":(\d+),"text":"one of many"\}$/gm)].map(([, number]) =>
    Number(number),
  )

it.each(loops)(
  'What an agent of $name prints is kept whole over a kill of its host, and what it answers is used by the next one',
  async (loop) => {
    const home = new LoopHome(loop, {
      tasks: TASKS,
      agent: madeUpAgent(TASKS, { odd: 0, turnTime: 0, timeLimit: 600 }),
    })
    try {
      const folder = await home.create('project')
      writeFileSync(home.hold, '')
      const host = home.start(folder)
      await vi.waitFor(() => expect(printed(home)).toBeGreaterThan(20), WAIT)
      host.child.kill('SIGKILL')
      await host.ended
      const atWork = home.agentsAtWork().map(({ run }) => run)
      const before = new Map(atWork.map((run) => [run, numbersIn(home.textOf(run)).length]))
      await vi.waitFor(() => expect(printed(home)).toBeGreaterThan(Math.max(...before.values()) + 20), WAIT)

      const next = home.startHere(folder)
      await untilSaid(next, 'that an earlier Bridgedeck started')
      rmSync(home.hold)
      const { code } = await next.ended
      expect(loop.isDone(folder, code)).toBe(true)

      const { runs, problems } = await home.outcome(folder)
      expect(problems).toEqual([])
      expect(atWork).not.toEqual([])
      for (const id of atWork) {
        const text = home.textOf(id)
        const numbers = numbersIn(text)
        expect(numbers).toEqual(numbers.map((_, index) => index + 1))
        expect(numbers.length).toBeGreaterThan(before.get(id) ?? Infinity)
        expect(text.split('\n')).toHaveLength(numbers.length + 2)
        const run = runs.find((known) => known.run === id)
        expect(run).toMatchObject({
          status: 'success',
          state: 'ended',
          output: { bytes: text.length, lines: numbers.length + 1 },
        })
        const asked = runs.filter(({ turn }) => turn?.role === run?.turn?.role && turn?.task === run?.turn?.task)
        // Each expert of a crew takes its next task.
        if (loop.name !== 'ncrew') expect(asked).toHaveLength(1)
      }
    } finally {
      await home.remove()
    }
  },
  580_000,
)

/** Lines of the agent that printed the fewest; 0 without one. */
function printed(home: LoopHome): number {
  const counts = home.agentsAtWork().map(({ run }) => numbersIn(home.textOf(run)).length)
  return counts.length === 0 ? 0 : Math.min(...counts)
}
