/** Many of our processes in one state home, also such as are killed. */
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { damageOf, killOneWriter, writerProgram, type Acknowledged } from '../support/killedWriters'
import { runTypescript } from '../support/runTypescript'
import { TaskHome } from '../support/taskHome'

let home: TaskHome
beforeEach(() => {
  home = new TaskHome()
})
afterEach(() => home.close())

describe('several processes at once', () => {
  it('twenty that make a hundred tasks each make 2,000 different ids, and none is lost', async () => {
    const said = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const child = runTypescript(writerProgram, [home.path, '100'])
        let text = ''
        child.stdout.on('data', (part: string) => (text += part))
        const [code] = (await once(child, 'close')) as [number | null]
        expect(code).toBe(0)
        return text
          .trim()
          .split('\n')
          .map((line) => line.replace('made ', ''))
      }),
    )
    const ids = said.flat().sort()
    expect(ids).toEqual(Array.from({ length: 2000 }, (_, index) => `${String(index + 1).padStart(4, '0')}_write`))
    expect(home.entries.map(({ id }) => id).sort()).toEqual(ids)
    expect(home.list('tasks/background')).toEqual(ids)
  }, 300_000)

  it('that are killed while they write leave a registry that parses, all that they acknowledged, and no half task', async () => {
    const acknowledged: Acknowledged = new Map()
    // `npm run bench -- tasks` kills five hundred.
    for (let round = 0; round < 5; round++)
      await Promise.all([1, 2].map(() => killOneWriter(home.path, acknowledged, Math.random)))
    expect(acknowledged.size).toBeGreaterThanOrEqual(10)
    expect(await damageOf(home.path, acknowledged)).toEqual([])
  })
})
