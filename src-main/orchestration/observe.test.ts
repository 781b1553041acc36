import { describe, expect, it } from 'vitest'
import { differences } from './observe'
import { decodeStateFile } from './text/stateFile'

const differ = (path: string, before: string, after: string) => {
  const file = (text: string) => decodeStateFile(path, new TextEncoder().encode(text), 0)
  return differences(file(before), file(after))
}

describe('what changed in a state file', () => {
  it('is told by the value’s place in JSON, whatever the order and the spaces', () => {
    const before = '{"status":"executing","plan":{"tasks":[{"id":"T1","commits":[]}]}}'
    const after = '{ "plan": { "tasks": [ { "id": "T1", "commits": ["ab12"] } ] }, "status": "halted" }\n'
    expect(differ('session.json', before, after)).toEqual([
      { field: '/plan/tasks/0/commits/0', from: null, to: '"ab12"' },
      { field: '/status', from: '"executing"', to: '"halted"' },
      { field: '/plan/tasks/0/commits', from: '[]', to: null },
    ])
    expect(differ('session.json', before, JSON.stringify(JSON.parse(before), null, 2))).toEqual([])
  })

  it('is told of front matter by place and of the text below by line', () => {
    const before = '---\nstatus: pending\n---\n# Tasks\n- [ ] one\n- [ ] two\n'
    expect(differ('tasks.md', before, before.replace('pending', 'resolved').replace('[ ] one', '[x] one'))).toEqual([
      { field: '/status', from: 'pending', to: 'resolved' },
      { field: 'line 5', from: '- [ ] one', to: '- [x] one' },
    ])
    expect(differ('tasks.md', before, `${before}- [ ] three\n`)).toEqual([{ field: 'line 7', from: null, to: '- [ ] three' }])
    expect(differ('tasks.md', before, before.replace('- [ ] one\n', ''))).toEqual([{ field: 'line 5', from: '- [ ] one', to: null }])
  })

  it('is bounded, and says how much more there was', () => {
    const values = (value: number) => JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, value])))
    const found = differ('big.json', values(1), values(2))
    expect(found).toHaveLength(201)
    expect(found.at(-1)).toEqual({ field: null, from: null, to: '800 more values' })
  })

  it('is the file as a whole where it holds secrets', () => {
    expect(differ('app/.env', 'TOKEN=one', 'TOKEN=two')).toEqual([{ field: null, from: null, to: null }])
    expect(differ('.env.local', 'TOKEN=one', 'TOKEN=two')).toEqual([{ field: null, from: null, to: null }])
  })

  it('is the file as a whole where it is no text', () => {
    expect(differ('session.json', '{}', '\0')).toEqual([{ field: null, from: null, to: null }])
  })
})
