import { describe, expect, it } from 'vitest'
import { LabelTable } from '@shared/c64/labels/labelTable'
import { namesOf } from '@shared/c64/labels/names'
import {
  fieldProblems,
  fieldsOf,
  operationsText,
  parseChanges,
  parseCheckpoint,
  rangeText,
  type CheckpointForm,
} from './checkpointForm'

const form: CheckpointForm = {
  where: '$c000',
  operations: ['exec'],
  condition: '',
  hits: '',
  log: '',
  temporary: false,
}

describe('a checkpoint', () => {
  it('stands at one address, or over a range', () => {
    expect(parseCheckpoint(form)).toEqual({
      start: 0xc000,
      end: 0xc000,
      operations: ['exec'],
      stop: true,
      enabled: true,
      temporary: false,
      condition: null,
      fromHit: 1,
      log: null,
      label: null,
      line: null,
    })
    expect(parseCheckpoint({ ...form, where: '$c000-$c0ff' })).toMatchObject({ start: 0xc000, end: 0xc0ff })
    expect(parseCheckpoint({ ...form, where: '49152 .. BORDER' })).toMatchObject({ start: 0xc000, end: 0xd020 })
    expect(parseCheckpoint({ ...form, where: '0810-1000' })).toMatchObject({ start: 0x0810, end: 0x1000 })
  })

  it('follows the label that it was given by', () => {
    const label = { name: 'draw', address: 0x0819, scope: null, size: null, kind: 'label' as const }
    const names = namesOf(new LabelTable([label]))
    expect(parseCheckpoint({ ...form, where: 'draw' }, names)).toMatchObject({ start: 0x819, label: 'draw' })
    expect(parseCheckpoint({ ...form, where: 'draw+4' }, names)).toMatchObject({
      start: 0x819,
      end: 0x81c,
      label: 'draw',
    })
    expect(parseCheckpoint({ ...form, where: '0819' }, names)).toMatchObject({ start: 0x819, label: null })
    expect(() => parseCheckpoint({ ...form, where: 'draw' })).toThrow('not an address')
    const condition = '@draw == 0'
    expect(parseCheckpoint({ ...form, condition, log: '{@draw}' }, names)).toMatchObject({ condition, log: '{@draw}' })
    expect(() => parseCheckpoint({ ...form, condition })).toThrow('“draw” is no register')
    expect(() => parseCheckpoint({ ...form, log: '{@draw}' })).toThrow('“draw” is no register')
  })

  it('takes a condition as it is typed', () => {
    expect(parseCheckpoint({ ...form, condition: ' A == $05 ', temporary: true })).toMatchObject({
      condition: 'A == $05',
      temporary: true,
    })
  })

  it('starts at a hit, and logs in place of stopping', () => {
    expect(parseCheckpoint({ ...form, hits: ' 3 ', log: 'X is {X}' })).toMatchObject({
      fromHit: 3,
      log: 'X is {X}',
      stop: false,
    })
  })

  it.each([
    [{ where: '' }, 'There is no address.'],
    [{ where: '$c000-' }, 'There is no address.'],
    [{ where: '$c0ff-$c000' }, '“$c0ff-$c000” ends before it starts.'],
    [{ where: '1-2-3' }, '“1-2-3” is not a range.'],
    [{ operations: [] }, 'No access is chosen that stops the machine.'],
    [{ condition: 'A ==' }, '“A ==”, column 5: Expected a number, a register, a name, @ or (, found the end.'],
    [{ hits: '0' }, '“0” is no number of hits.'],
    [{ hits: '1e12' }, '“1e12” is no number of hits.'],
    [{ log: '{X' }, 'The message has a “{” without its counterpart.'],
  ] satisfies [Partial<CheckpointForm>, string][])('%j is refused with the reason', (changes, message) => {
    expect(() => parseCheckpoint({ ...form, ...changes })).toThrow(
      expect.objectContaining({ code: 'INVALID', message }),
    )
  })

  it('has fields that are changed later, with what is wrong in each', () => {
    const fields = fieldsOf({ condition: 'A == $05', fromHit: 3, log: null })
    expect(fields).toEqual({ condition: 'A == $05', hits: '3', log: '' })
    expect(parseChanges(fields)).toEqual({ condition: 'A == $05', fromHit: 3, log: null })
    expect(parseChanges(fieldsOf({ condition: null, fromHit: 1, log: 'X' }))).toMatchObject({ fromHit: 1, log: 'X' })
    expect(fieldProblems(fields)).toEqual({})
    expect(fieldProblems({ condition: 'A ==', hits: '0', log: 'X' })).toEqual({
      condition: expect.stringContaining('column 5') as string,
      hits: expect.stringContaining('Write 1 to 1000000.') as string,
    })
  })

  it('is listed in words', () => {
    expect([rangeText({ start: 1, end: 1 }), rangeText({ start: 0xc000, end: 0xc0ff })]).toEqual([
      '$0001',
      '$C000-$C0FF',
    ])
    expect(operationsText(['store', 'exec'])).toBe('runs, is written')
  })
})
