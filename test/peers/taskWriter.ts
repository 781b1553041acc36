/**
 * One of our processes at work in a state home: `node … taskWriter.ts HOME COUNT [ROUNDS]` makes COUNT tasks, changes each
 * ROUNDS times, and says on its standard output what is acknowledged, a line each: `made ID`, `changed ID ITERATIONS`.
 */
import { writeSync } from 'node:fs'
import { thisProcess } from '../../src-main/tasks/entry'
import { TaskStore } from '../../src-main/tasks/store'

const [, , home = '', count = '1', rounds = '0'] = process.argv
// Written at once: what was said must not be lost with the process.
const say = (line: string) => void writeSync(1, `${line}\n`)

const store = new TaskStore({
  home,
  self: thisProcess(),
  log: () => undefined,
  onChange: () => undefined,
  onProblems: () => undefined,
})
const ids: string[] = []
for (let made = 0; made < Number(count); made++) {
  const id = await store.create(
    { name: 'write', type: 'background', operation: 'read', args: {}, intervalMs: 1, startedAt: Date.now() },
    'builtin',
  )
  ids.push(id)
  say(`made ${id}`)
}
for (let round = 1; round <= Number(rounds); round++) {
  for (const id of ids) {
    await store.change(id, { iterations: round, updatedAt: Date.now() })
    say(`changed ${id} ${round}`)
  }
}
await store.close()
