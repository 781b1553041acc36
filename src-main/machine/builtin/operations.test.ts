import { describe, expect, test } from 'vitest'
import { run, type Start } from '../../../test/support/cpuOnRam'

/** @returns the last cycle of an instruction that starts as {@link run} says */
const lastCycle = (bytes: readonly number[], start: Start): string | undefined => run(bytes, start).cycles.at(-1)

describe('Undocumented instructions', () => {
  test('LAX loads A and X', () => {
    expect(run([0xa7, 0x80], { memory: { 0x80: 0x99 } }).cpu).toMatchObject({ a: 0x99, x: 0x99, flags: 0xa4 })
  })

  test('SAX stores A AND X, and leaves the flags', () => {
    const { bus, cpu } = run([0x87, 0x80], { a: 0x3c, x: 0xf0, flags: 0x63 })
    expect([bus.ram[0x80], cpu.flags]).toEqual([0x30, 0x63])
  })

  test('LAS puts memory AND SP into A, X and SP', () => {
    expect(run([0xbb, 0x00, 0x30], { memory: { 0x3020: 0x9f } }).cpu).toMatchObject({ a: 0x90, x: 0x90, sp: 0x90 })
  })

  test('ANC copies bit 7 of the result into the carry', () => {
    expect(run([0x0b, 0x80], { flags: 0x20 }).cpu).toMatchObject({ a: 0x80, flags: 0xa1 })
    expect(run([0x2b, 0x7f], { flags: 0x21 }).cpu).toMatchObject({ a: 0x25, flags: 0x20 })
  })

  test('ALR shifts what AND leaves', () => {
    expect(run([0x4b, 0x81], { flags: 0x20 }).cpu).toMatchObject({ a: 0x40, flags: 0x21 })
  })

  test('SBX subtracts from A AND X without borrow, and compares', () => {
    expect(run([0xcb, 0x05], { a: 0x1f, x: 0x13, flags: 0x68 }).cpu).toMatchObject({ a: 0x1f, x: 0x0e, flags: 0x69 })
    expect(run([0xcb, 0x14], { a: 0x1f, x: 0x13, flags: 0x21 }).cpu).toMatchObject({ x: 0xff, flags: 0xa0 })
  })

  test('ANE and LXA use the constants of x64sc', () => {
    expect(run([0x8b, 0xff], { a: 0x00, x: 0xff }).cpu.a).toBe(0xef)
    expect(run([0xab, 0xff], { a: 0x00 }).cpu).toMatchObject({ a: 0xee, x: 0xee })
    expect(run([0x8b, 0xf0], { a: 0x10, x: 0x7f }).cpu.a).toBe(0x70)
  })

  test('ANE uses another constant, if its operand had to wait', () => {
    expect(run([0x8b, 0xff], { a: 0x00, x: 0xff, wait: [1, 3] }).cpu.a).toBe(0xee)
    expect(run([0x8b, 0xff], { a: 0x00, x: 0xff, wait: [0, 3] }).cpu.a).toBe(0xef)
  })

  test.each([
    ['SLO', 0x07, 0x81, { a: 0xa7, flags: 0xa1 }, 0x02],
    ['RLA', 0x27, 0x81, { a: 0x01, flags: 0x21 }, 0x03],
    ['SRE', 0x47, 0x81, { a: 0xe5, flags: 0xa1 }, 0x40],
    ['RRA', 0x67, 0x03, { a: 0x27, flags: 0x61 }, 0x81],
    ['DCP', 0xc7, 0xa6, { a: 0xa5, flags: 0x23 }, 0xa5],
    ['ISC', 0xe7, 0x04, { a: 0xa0, flags: 0xa1 }, 0x05],
  ])('%s modifies memory and then uses it', (_name, opcode, before, after, stored) => {
    const { bus, cpu } = run([opcode, 0x80], { flags: 0x21, memory: { 0x80: before } })
    expect(cpu).toMatchObject(after)
    expect(bus.ram[0x80]).toBe(stored)
  })
})

describe('SHA, SHX, SHY and TAS', () => {
  const registers = { a: 0xff, x: 0x1f, y: 0x20 }

  test('store their registers AND the high byte of the address plus one', () => {
    expect(lastCycle([0x9f, 0x00, 0x36], registers)).toBe('w 3620 17')
    expect(lastCycle([0x9e, 0x00, 0x36], registers)).toBe('w 3620 17')
    expect(lastCycle([0x9c, 0x00, 0x24], { ...registers, y: 0xff, x: 0x10 })).toBe('w 2410 25')
    expect(lastCycle([0x93, 0x80], { ...registers, memory: { 0x80: 0x00, 0x81: 0x36 } })).toBe('w 3620 17')
    expect(lastCycle([0x9f, 0x00, 0xff], registers)).toBe('w FF20 00')
  })

  test('TAS also puts A AND X into SP', () => {
    const { cpu, cycles } = run([0x9b, 0x00, 0x36], registers)
    expect([cpu.sp, cycles.at(-1)]).toEqual([0x1f, 'w 3620 17'])
  })

  test('write to the page that they store, where the index crosses a page', () => {
    expect(lastCycle([0x9f, 0xf0, 0x36], registers)).toBe('w 1710 17')
  })

  test('store their registers alone, if the cycle before had to wait, but not to another page', () => {
    const pointer = { 0x80: 0x00, 0x81: 0x36 }
    expect(lastCycle([0x9f, 0x00, 0x36], { ...registers, wait: [3, 2] })).toBe('w 3620 1F')
    expect(lastCycle([0x9f, 0xf0, 0x36], { ...registers, wait: [3, 2] })).toBe('w 1710 1F')
    expect(lastCycle([0x9f, 0x00, 0x36], { ...registers, wait: [2, 2] })).toBe('w 3620 17')
    expect(lastCycle([0x93, 0x80], { ...registers, memory: pointer, wait: [4, 2] })).toBe('w 3620 1F')
  })
})
