import { expect, it } from 'vitest'
import { SerialQueue } from './serialQueue'

it('runs one task at a time in order, also after one that failed', async () => {
  const queue = new SerialQueue()
  const events: string[] = []
  const task = (name: string, fails = false) =>
    queue.run(async () => {
      events.push(`${name} starts`)
      await Promise.resolve()
      events.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const results = Promise.allSettled([task('a'), task('b', true), task('c')])
  await queue.settled()
  expect(events).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
