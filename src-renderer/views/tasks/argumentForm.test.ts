import { describe, expect, it } from 'vitest'
import { argumentsOf, draftOf, argumentFieldsOf, missingIn } from './argumentForm'

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
  },
  required: ['bytes'],
  additionalProperties: false,
}
const fields = argumentFieldsOf(schema)

describe('the form of an operation', () => {
  it('has a field for each argument, the required ones first', () => {
    expect(fields.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      ...[
        'bytes: text',
        'address: text',
        'length: number',
        'verify: flag',
        'space: choice',
        'formats: choices',
        'ignore: text',
        'text: lines',
        'program: file',
      ],
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

  it('gives no path: a file is chosen', () => {
    expect(argumentsOf(fields, { program: '/etc/passwd' })).toEqual({})
  })

  it('says what is still missing', () => {
    expect(missingIn(fields, {})).toEqual(['bytes'])
    expect(missingIn(fields, { bytes: '00' })).toEqual([])
  })

  it('takes the arguments of an earlier task', () => {
    const args = { bytes: 'a9', length: 32, verify: true, ignore: ['$D020', '$D021'] }
    expect(argumentsOf(fields, draftOf(fields, args))).toEqual(args)
  })
})
