import { describe, expect, it } from 'vitest'
import { LabelTable } from '@shared/c64/labels/labelTable'
import { namesOf } from '@shared/c64/labels/names'
import { argumentsOf, draftOf, argumentFieldsOf, missingIn, understoodIn } from './argumentForm'

const draw = { name: 'draw', address: 0x0819, scope: null, size: null, kind: 'label' as const }
const names = namesOf(new LabelTable([draw]))

const schema = {
  type: 'object',
  properties: {
    address: { type: 'string', description: 'The first byte.', format: 'address', default: '$2000' },
    length: { type: 'integer', minimum: 1, description: 'Bytes.', default: 16 },
    bytes: { type: 'string', description: 'Bytes in hex.', format: 'bytes' },
    verify: { type: 'boolean', default: false },
    space: { type: 'string', enum: ['ram', 'cpu'] },
    formats: { type: 'array', items: { type: 'string', enum: ['text', 'png'] } },
    ignore: { type: 'array', items: { type: 'string' }, format: 'ranges', default: [] },
    text: { type: 'string', format: 'multiline' },
    program: { type: 'string', format: 'path' },
    timeoutMs: { type: 'integer', default: 10_000 },
  },
  required: ['bytes'],
  additionalProperties: false,
}
const fields = argumentFieldsOf(schema)

describe('the form of an operation', () => {
  it('has a field for each argument, the required ones first', () => {
    expect(fields.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      'bytes: text',
      'address: text',
      'length: number',
      'verify: flag',
      'space: choice',
      'formats: choices',
      'ignore: text',
      'text: lines',
      'program: file',
      'timeoutMs: number',
    ])
    expect(fields.find(({ name }) => name === 'length')).toMatchObject({
      fallback: '16',
      required: false,
      description: 'Bytes.',
    })
    expect(fields.find(({ name }) => name === 'space')?.options).toEqual(['ram', 'cpu'])
  })

  it('is empty for what is no schema', () => {
    for (const wrong of [null, 'text', { properties: { a: { type: 'object' } } }])
      expect(argumentFieldsOf(wrong)).toEqual([])
  })

  it('gives what was typed and is not the default anyway', () => {
    expect(argumentsOf(fields, {})).toEqual({})
    const draft = {
      address: ' $0400 ',
      length: '16',
      bytes: 'a9 00',
      verify: 'true',
      formats: 'text, png',
      ignore: '$D020 $0400-$07E7',
      text: 'run\n',
      space: '',
    }
    expect(argumentsOf(fields, draft)).toEqual({
      address: '$0400',
      bytes: 'a9 00',
      verify: true,
      formats: ['text', 'png'],
      ignore: ['$D020', '$0400-$07E7'],
      text: 'run\n',
    })
    expect(argumentsOf(fields, { length: 'many' })).toEqual({ length: 'many' })
    expect(argumentsOf(fields, { length: '32' })).toEqual({ length: 32 })
  })

  it('takes times in seconds, and gives whole milliseconds', () => {
    expect(fields.find(({ name }) => name === 'timeoutMs')).toMatchObject({ label: 'Timeout (s)', fallback: '10' })
    expect(argumentsOf(fields, { timeoutMs: '0.4' })).toEqual({ timeoutMs: 400 })
    expect(argumentsOf(fields, { timeoutMs: '10' })).toEqual({})
    expect(argumentsOf(fields, { timeoutMs: 'soon' })).toEqual({ timeoutMs: 'soon' })
    expect(draftOf(fields, { timeoutMs: 1_500 })).toEqual({ timeoutMs: '1.5' })
  })

  it('gives no path: a file is chosen', () => {
    expect(argumentsOf(fields, { program: '/etc/passwd' })).toEqual({})
  })

  it('says what is still missing', () => {
    expect(missingIn(fields, {}).map(({ name }) => name)).toEqual(['bytes'])
    expect(missingIn(fields, { bytes: '00' })).toEqual([])
  })

  it('reads typed addresses as hexadecimal, and sends what a task reads the same', () => {
    expect(argumentsOf(fields, { address: '0427', ignore: '0400-07e7, d020 53280 +160 nonsense' })).toEqual({
      address: '$0427',
      ignore: ['$0400-$07E7', 'd020', '53280', '+160', 'nonsense'],
    })
    expect(argumentsOf(fields, { length: '0427', bytes: '0427' })).toEqual({ length: 427, bytes: '0427' })
  })

  it('sends the address of a label', () => {
    expect(argumentsOf(fields, { address: 'draw', ignore: 'draw+12 $D020' }, names)).toEqual({
      address: '$0819',
      ignore: ['$0819-$0824', '$D020'],
    })
  })

  it('says what it understands of typed addresses', () => {
    const named = (name: string) => fields.filter((field) => field.name === name)
    const [address] = named('address')
    const [ignore] = named('ignore')
    const [bytes] = named('bytes')
    if (!address || !ignore || !bytes) throw new Error('no such fields')
    expect(understoodIn(address, 'draw', names)).toContain('$0819')
    expect(understoodIn(address, '0427')).toContain('$0427 = 1063')
    expect(understoodIn(ignore, 'border 0400+8')).toContain('$0400-$0407')
    expect(understoodIn(ignore, 'border nowhere')).toBe('')
    expect(understoodIn(bytes, '0427')).toBe('')
  })

  it('shows the decimal address of an earlier task as the hexadecimal one that it is', () => {
    expect(draftOf(fields, { address: 1024, ignore: ['1024-2023', '$D020'] })).toEqual({
      address: '$0400',
      ignore: '$0400-$07E7, $D020',
    })
    expect(draftOf(fields, { address: '1024' })).toEqual({ address: '$0400' })
  })

  it('takes the arguments of an earlier task', () => {
    const args = { bytes: 'a9', length: 32, verify: true, ignore: ['$D020', '$D021'] }
    expect(argumentsOf(fields, draftOf(fields, args))).toEqual(args)
  })
})
