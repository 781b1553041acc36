import { describe, expect, it } from 'vitest'
import { isDropped, mergedChange, signatureOf, takenBack } from './fieldChanges'

const json = (values: object) => JSON.stringify(values, null, 2)
const planOf = (file: string, before: string | null, after: string | null) =>
  signatureOf({ summary: '', warnings: [], changes: [{ file, before, after }] })

describe('two plans', () => {
  it('are the same when they change the same value, whatever stands beside it and wherever it stands in its list', () => {
    const one = planOf(
      's.json',
      json({ tasks: [{ id: 1, status: 'failed' }] }),
      json({ tasks: [{ id: 1, status: 'todo' }] }),
    )
    const other = planOf(
      's.json',
      json({
        note: 'new',
        tasks: [
          { id: 0, status: 'done' },
          { id: 1, status: 'failed' },
        ],
      }),
      json({
        note: 'new',
        tasks: [
          { id: 0, status: 'done' },
          { id: 1, status: 'todo' },
        ],
      }),
    )
    expect(other).toBe(one)
  })

  it('are the same when only the moment differs that they write', () => {
    const at = (before: string, after: string) =>
      planOf('s.json', json({ a: 1, updated_at: before }), json({ a: 2, updated_at: after }))
    expect(at('2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z')).toBe(at('2026-01-01T10:30:00Z', '2026-01-01T11:00:05Z'))
    const line = (before: string, after: string) =>
      planOf('t.md', `# T\nUpdated: ${before}\n- [ ] a\n`, `# T\nUpdated: ${after}\n- [x] a\n`)
    expect(line('2026-01-01', '2026-01-02')).toBe(line('2026-01-03', '2026-01-04'))
  })

  it('differ when the value was another one before, or becomes another', () => {
    const plan = (from: string, to: string) => planOf('s.json', json({ status: from }), json({ status: to }))
    expect(plan('failed', 'todo')).not.toBe(plan('done', 'todo'))
    expect(plan('failed', 'todo')).not.toBe(plan('failed', 'done'))
    expect(planOf('a.md', null, 'x')).not.toBe(planOf('a.md', 'x', null))
  })

  it('differ when a file with secrets is another one, whatever is in it', () => {
    expect(planOf('.env', 'A=1\nB=1', 'A=1\nB=2')).not.toBe(planOf('.env', 'A=2\nB=1', 'A=2\nB=2'))
  })
})

const question = (answer: string, note = '') =>
  `---\nstatus: ${answer === '___' ? 'pending' : 'resolved'}\n---\n# Q\n${note}\n**Decision:** ${answer}\n**Reason:** ___\n`
const answered = { file: 'q.md', before: question('___'), after: question('A') }

describe('an edit', () => {
  it('is dropped by a version that has again what stood there before', () => {
    expect(isDropped(answered, question('___', 'their note'))).toBe(true)
    expect(isDropped(answered, question('A', 'their note'))).toBe(false)
    expect(isDropped(answered, question('B'))).toBe(false)
    expect(isDropped(answered, null)).toBe(false)
    expect(isDropped({ file: 'new.md', before: null, after: 'x' }, null)).toBe(true)
    expect(isDropped({ file: 'old.md', before: 'x', after: null }, 'x')).toBe(true)
    expect(
      isDropped({ file: 's.json', before: json({ a: 1, b: 1 }), after: json({ a: 2, b: 1 }) }, json({ a: 1, b: 5 })),
    ).toBe(true)
    expect(
      isDropped({ file: 's.json', before: json({ a: 1 }), after: json({ a: 1, new: 'x' }) }, json({ a: 1, b: 5 })),
    ).toBe(true)
  })

  it('is made again on a file that moved on, where it still is the same change', () => {
    expect(mergedChange(answered, question('___', 'their note'))?.after).toBe(question('A', 'their note'))
    expect(mergedChange(answered, question('B'))).toBeUndefined()
    expect(mergedChange(answered, question('A', 'their note'))).toMatchObject({ before: question('___', 'their note') })
    const one = { file: 's.json', before: '{"status":"failed","beat":1}', after: '{"status":"todo","beat":1}' }
    expect(mergedChange(one, '{"status":"failed","beat":2}')?.after).toBe('{"status":"todo","beat":2}')
    expect(mergedChange(one, '{"status":"done","beat":2}')).toBeUndefined()
    expect(mergedChange({ file: '.env', before: 'A=1\nB=1\n', after: 'A=2\nB=1\n' }, 'A=1\nB=2\n')).toBeUndefined()
  })

  it('is compared in bounded time, however much it changes', () => {
    const lines = (sign: string) => Array.from({ length: 30_000 }, (_, index) => `${sign}${index}\n`).join('')
    const change = { file: 'big.md', before: lines('a'), after: lines('b') }
    const isMerged = mergedChange(change, `${lines('a')}\nmore`)?.after === `${lines('b')}\nmore`
    const isTakenBack = takenBack(change, `${lines('b')}\nmore`)?.after === `${lines('a')}\nmore`
    expect([isMerged, isTakenBack]).toEqual([true, true])
    expect(isDropped(change, lines('a'))).toBe(true)
  })

  it('is taken back alone, and what came since stays', () => {
    expect(takenBack(answered, question('A'))).toEqual({ after: question('___') })
    expect(takenBack(answered, `${question('A')}\nA line of an agent\n`)).toEqual({
      after: `${question('___')}\nA line of an agent\n`,
    })
    const state = { file: 's.json', before: json({ a: 1, b: 1, c: 1 }), after: json({ a: 1, b: 2, c: 1 }) }
    expect(takenBack(state, json({ a: 7, b: 2, c: 8 }))).toEqual({ after: json({ a: 7, b: 1, c: 8 }) })
  })

  it('is not taken back where its values are not there any more, or where another place would be changed', () => {
    expect(takenBack(answered, question('B'))).toBeUndefined()
    expect(takenBack(answered, null)).toBeUndefined()
    const tasks = (...states: string[]) => json({ tasks: states.map((status) => ({ status })) })
    expect(
      takenBack({ file: 's.json', before: tasks('a', 'a', 'a'), after: tasks('a', 'b', 'a') }, tasks('a', 'a', 'b')),
    ).toBeUndefined()
  })
})
