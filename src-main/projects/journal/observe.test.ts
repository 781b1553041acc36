import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differences } from './observe'
import { decodeStateFile } from '../../formats/text/stateFile'

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

  it('is the same as when all values of both are compared by their places', () => {
    const written = (values: unknown, pointer = ''): [string, string][] => {
      const entries = Array.isArray(values)
        ? [...values.entries()]
        : typeof values === 'object' && values !== null
          ? Object.entries(values)
          : null
      if (entries === null || entries.length === 0) return [[pointer, JSON.stringify(values)]]
      return entries.flatMap(([key, value]) => written(value, `${pointer}/${key}`))
    }
    const key = fc.constantFrom('a', 'b', 'c')
    const { values } = fc.letrec((tie) => ({
      values: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(1, 'x', null),
        fc.array(tie('values'), { maxLength: 3 }),
        fc.dictionary(key, tie('values'), { noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(fc.record({ top: values }), fc.record({ top: values }), (before, after) => {
        const [old, now] = [new Map(written(before)), new Map(written(after))]
        const expected = [...new Set([...old.keys(), ...now.keys()])].flatMap((field) => {
          const [from = null, to = null] = [old.get(field), now.get(field)]
          return from === to ? [] : [{ field, from, to }]
        })
        const byField = (a: { field: string | null }, b: { field: string | null }) =>
          String(a.field) < String(b.field) ? -1 : 1
        expect(differ('session.json', JSON.stringify(before), JSON.stringify(after)).sort(byField)).toEqual(
          expected.sort(byField),
        )
      }),
    )
  })

  it('is told of front matter by place and of the text below by line', () => {
    const before = '---\nstatus: pending\n---\n# Tasks\n- [ ] one\n- [ ] two\n'
    expect(differ('tasks.md', before, before.replace('pending', 'resolved').replace('[ ] one', '[x] one'))).toEqual([
      { field: '/status', from: 'pending', to: 'resolved' },
      { field: 'line 5', from: '- [ ] one', to: '- [x] one' },
    ])
    expect(differ('tasks.md', before, `${before}- [ ] three\n`)).toEqual([
      { field: 'line 7', from: null, to: '- [ ] three' },
    ])
    expect(differ('tasks.md', before, before.replace('- [ ] one\n', ''))).toEqual([
      { field: 'line 5', from: '- [ ] one', to: null },
    ])
  })

  it('is bounded, and says how much more there was', () => {
    const values = (value: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, value])))
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
