import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AgentResult } from '../agents/agent'
import { askForJson, findJson } from './askForJson'

const schema = z.looseObject({ task_id: z.string().optional(), status: z.enum(['complete', 'failed']) })
const summary = { task_id: '01', status: 'complete', commits: ['a1b2c3d'], extra: { kept: true } }

const ended = (data: string, status: AgentResult['status'] = 'success'): AgentResult => ({
  status,
  data,
  reason: '',
  tokens: null,
  cost: null,
  duration: 1,
  exitCode: 0,
  stillAlive: [],
  log: '',
})

describe('JSON in an agent’s answer', () => {
  it.each([
    ['alone', (json: string) => json],
    ['in a fence', (json: string) => `Here it is:\n\`\`\`json\n${json}\n\`\`\`\nThat is all.`],
    ['between sentences', (json: string) => `I ran {cargo test} and "it {worked". Now:\n${json}\nDone }`],
    ['behind an example', (json: string) => `It looks like {"status": "failed"}, so: ${json}`],
    ['behind an open brace', (json: string) => `fn main() { ${json}`],
    ['with line ends of Windows', (json: string) => `\r\n${json.replaceAll('\n', '\r\n')}\r\n`],
  ])('is found %s, with all that it says', (_where, wrap) => {
    expect(findJson(wrap(JSON.stringify(summary, null, 2)), schema)?.json).toEqual(summary)
  })

  it('is the last that fits', () => {
    expect(findJson('{"status":"failed"} and then {"status":"complete"} and {"other":1}', schema)?.value.status).toBe(
      'complete',
    )
  })

  it.each(['', 'I am done.', '{"status":"finished"}', '{"status":"complete"', '[1]', '{'.repeat(10_000)])(
    'that holds nothing that fits is none: %.20s',
    (text) => {
      expect(findJson(text, schema)).toBeUndefined()
    },
  )

  it('may be of any size, and any text at all', () => {
    expect(
      findJson(`${'x{'.repeat(3_000_000)}\n${JSON.stringify(summary)}`, schema)?.value.task_id ?? 'gave up',
    ).toMatch(/01|gave up/)
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', '[', ']', ':', ',', '\n', 'a', '1'), maxLength: 200 }),
        (text) => void findJson(text, schema),
      ),
    )
  })
})

describe('asking for JSON', () => {
  const ask = async (first: AgentResult, repaired: AgentResult = ended('')) => {
    const repairs: string[] = []
    const answer = await askForJson(
      () => Promise.resolve(first),
      schema,
      (raw) => {
        repairs.push(raw)
        return Promise.resolve(repaired)
      },
    )
    return { answer, repairs }
  }

  it('needs no repair where the answer fits', async () => {
    const { answer, repairs } = await ask(ended('{"status":"complete","more":1}'))
    expect(answer).toMatchObject({ kind: 'found', json: { more: 1 } })
    expect(repairs).toEqual([])
  })

  it('has an answer that does not fit repaired once', async () => {
    const { answer, repairs } = await ask(ended('All done.'), ended('{"status":"failed"}'))
    expect(answer).toMatchObject({ kind: 'found', value: { status: 'failed' } })
    expect(repairs).toEqual(['All done.'])
    expect((await ask(ended('All done.'), ended('Sorry.'))).answer).toMatchObject({ kind: 'none' })
    expect((await ask(ended('All done.'), ended('{"status":"failed"}', 'error'))).answer.kind).toBe('none')
  })

  it('repairs neither an empty answer nor that of an agent that failed', async () => {
    expect((await ask(ended(' \n'))).repairs).toEqual([])
    expect(await ask(ended('{"status":"complete"}', 'timeout'))).toMatchObject({
      answer: { kind: 'none', result: { status: 'timeout' } },
      repairs: [],
    })
  })
})
