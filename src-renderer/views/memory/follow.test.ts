import { expect, it } from 'vitest'
import { newestChange, programCounter } from './follow'

const all = { start: 0, end: 0x10000 }

it('the newest change is found among the dirty pages only', () => {
  const changedAt = new Float64Array(0x10000).fill(-Infinity)
  const dirty = new Uint8Array(256)
  changedAt[0x0405] = 100
  changedAt[0xd020] = 300
  changedAt[0x0801] = 900
  dirty[0x04] = 1
  dirty[0xd0] = 1
  expect(newestChange(changedAt, dirty, all, null)).toBe(0xd020)
  expect(newestChange(changedAt, dirty, { start: 0, end: 0xd000 }, null)).toBe(0x0405)
})

it('a change where nothing answers is no change', () => {
  const changedAt = new Float64Array(0x10000).fill(-Infinity)
  changedAt[0xde05] = 300
  changedAt[0x0405] = 100
  const dirty = new Uint8Array(256).fill(1)
  expect(newestChange(changedAt, dirty, all, null)).toBe(0xde05)
  expect(newestChange(changedAt, dirty, all, { start: 0xde00, end: 0xe000 })).toBe(0x0405)
})

it('there is no newest change when no page is dirty, or all is as it came first', () => {
  expect(newestChange(new Float64Array(0x10000).fill(5), new Uint8Array(256), all, null)).toBeNull()
  expect(newestChange(new Float64Array(0x10000).fill(-Infinity), new Uint8Array(256).fill(1), all, null)).toBeNull()
})

it('the program counter is unknown until registers have come', () => {
  expect(programCounter([])).toBeNull()
  expect(programCounter([{ name: 'PC', value: 0xe5cd, bits: 16 }])).toBe(0xe5cd)
})
