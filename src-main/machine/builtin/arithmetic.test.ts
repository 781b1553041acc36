import { describe, expect, test } from 'vitest'
import { RecordingBus } from '../../../test/support/recordingBus'
import { adc, arr, sbc } from './arithmetic'
import { Processor } from './processor'

interface Sum {
  readonly a: number
  /** N, V, Z and C. */
  readonly flags: string
}

type Formula = (a: number, value: number, carry: number) => Sum

const flagsOf = (n: boolean, v: boolean, z: boolean, c: boolean): string =>
  `${n ? 'N' : '-'}${v ? 'V' : '-'}${z ? 'Z' : '-'}${c ? 'C' : '-'}`

/** As a number from -128 to 127. */
const signed = (byte: number): number => (byte < 0x80 ? byte : byte - 0x100)
const outside = (number: number): boolean => number < -128 || number > 127

const binarySum: Formula = (a, value, carry) => {
  const sum = a + value + carry
  const byte = sum % 256
  return { a: byte, flags: flagsOf(byte >= 128, outside(signed(a) + signed(value) + carry), byte === 0, sum > 255) }
}

const binaryDifference: Formula = (a, value, carry) => binarySum(a, 255 - value, carry)

/** The steps that Bruce Clark found for the NMOS chip (“Decimal Mode”, appendix A), digit by digit. */
const decimalSum: Formula = (a, value, carry) => {
  let low = (a % 16) + (value % 16) + carry
  const carried = low >= 10
  if (carried) low = (low + 6) % 16
  const highs = Math.floor(a / 16) + Math.floor(value / 16) + (carried ? 1 : 0)
  const signedHighs = signed(a - (a % 16)) + signed(value - (value % 16)) + (carried ? 16 : 0)
  const c = highs >= 10
  const high = c ? (highs + 6) % 16 : highs
  const n = highs % 16 >= 8
  return { a: high * 16 + low, flags: flagsOf(n, outside(signedHighs + low), binarySum(a, value, carry).a === 0, c) }
}

const decimalDifference: Formula = (a, value, carry) => {
  let low = (a % 16) - (value % 16) - (1 - carry)
  const borrowed = low < 0
  if (borrowed) low += 10
  let high = Math.floor(a / 16) - Math.floor(value / 16) - (borrowed ? 1 : 0)
  if (high < 0) high += 10
  return { a: ((high + 16) % 16) * 16 + ((low + 16) % 16), flags: binaryDifference(a, value, carry).flags }
}

const CARRY = 0x01
const DECIMAL = 0x08
const OTHERS = 0x34

function check(operation: typeof adc, mode: number, formula: Formula): void {
  const cpu = new Processor(new RecordingBus())
  const wrong: string[] = []
  for (let a = 0; a < 256; a++)
    for (let value = 0; value < 256; value++)
      for (let carry = 0; carry < 2; carry++) {
        cpu.a = a
        cpu.flags = OTHERS | mode | (carry * CARRY)
        operation(cpu, value)
        const { flags } = cpu
        const found = flagsOf((flags & 0x80) !== 0, (flags & 0x40) !== 0, (flags & 2) !== 0, (flags & 1) !== 0)
        const expected = formula(a, value, carry)
        if (cpu.a !== expected.a || found !== expected.flags || (flags & (OTHERS | DECIMAL)) !== (OTHERS | mode))
          wrong.push(`${a}, ${value}, ${carry}: ${cpu.a} ${found}, not ${expected.a} ${expected.flags}`)
      }
  expect(wrong.slice(0, 5)).toEqual([])
}

describe('All 131,072 sums and differences', () => {
  test('of ADC', () => check(adc, 0, binarySum))
  test('of SBC', () => check(sbc, 0, binaryDifference))
  test('of ADC in decimal mode, invalid digits included', () => check(adc, DECIMAL, decimalSum))
  test('of SBC in decimal mode, invalid digits included', () => check(sbc, DECIMAL, decimalDifference))
})

describe('ARR', () => {
  test('rotates what AND leaves, and takes C and V from bits 6 and 5', () =>
    check(arr, 0, (a, value, carry) => {
      const result = Math.floor((a & value) / 2) + 128 * carry
      const bit = (number: number): boolean => Math.floor(result / 2 ** number) % 2 === 1
      return { a: result, flags: flagsOf(carry === 1, bit(6) !== bit(5), result === 0, bit(6)) }
    }))

  test('corrects both digits in decimal mode', () =>
    check(arr, DECIMAL, (a, value, carry) => {
      const and = a & value
      const digits = [and % 16, Math.floor(and / 16)] as const
      // A digit from 5 on is corrected; an odd one counts as one more.
      const [correctLow, correctHigh] = digits.map((digit) => digit + (digit % 2) >= 6)
      const rotated = Math.floor(and / 2) + 128 * carry
      const low = ((rotated % 16) + (correctLow === true ? 6 : 0)) % 16
      const high = (Math.floor(rotated / 16) + (correctHigh === true ? 6 : 0)) % 16
      const v = Math.floor(rotated / 64) % 2 !== Math.floor(and / 64) % 2
      return { a: high * 16 + low, flags: flagsOf(carry === 1, v, rotated === 0, correctHigh === true) }
    }))
})
