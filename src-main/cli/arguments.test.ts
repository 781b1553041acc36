import { describe, expect, it } from 'vitest'
import { AppError, toFailure } from '@shared/contract/errors'
import { Arguments } from './arguments'
import { exitCode } from './output'
import { hexDump } from './hexDump'
import { UsageError } from './usage'

const parse = (line: string): Arguments => {
  const words = Arguments.parse(line.split(' '))
  if (!words) throw new Error('help')
  return words
}

describe('the command line’s words', () => {
  it('name a command, a machine, an address in any form, and a bank', () => {
    for (const address of ['$0400', '0x400', '1024']) {
      const words = parse(`read --machine vice:6502 --address ${address} --length 1000 --bank cpu --json`)
      expect(words.machine).toBe('vice:6502')
      expect(words.address).toBe(0x0400)
      expect(words.space).toBe('cpu')
      expect(words.number('length', { min: 1, max: 0x10000, fallback: 256 })).toBe(1000)
      expect(words.json).toBe(true)
    }
  })

  it('mean the built-in C64 and its RAM when they say nothing else', () => {
    const words = parse('read --address VIC.BORDER')
    expect(words.machine).toBe('builtin')
    expect(words.space).toBe('ram')
    expect(words.address).toBe(0xd020)
  })

  it('tell a recording’s time from its start or from the calendar', () => {
    const words = parse('recording query one image --at +12.5 --from 2026-11-21T12:00:00Z --to yesterday')
    expect(words.positionals(2)).toEqual(['one', 'image'])
    expect(words.time('at', 1_000)).toBe(13_500)
    expect(words.time('from', 1_000)).toBe(Date.UTC(2026, 10, 21, 12))
    expect(() => words.time('to', 1_000)).toThrow(/not “yesterday”/)
    expect(parse('recording query one changes').time('from', 1_000)).toBeUndefined()
  })

  it('ask for help', () => {
    expect(Arguments.parse([])).toBeUndefined()
    expect(Arguments.parse(['read', '--help'])).toBeUndefined()
  })

  it.each([
    ['peek', /no command/],
    ['read --adress 1', /--adress/],
    ['read', /--address is missing/],
    ['read --address $10000', /past the end/],
    ['read --address 1 --bank cart', /--bank is one of/],
    ['read --address 1 --length 0', /--length is a whole number/],
    ['read --address 1 --length 1.5', /--length is a whole number/],
    ['run', /exactly one file/],
    ['run a.prg b.prg', /exactly one file/],
    ['recording', /no command “recording”/],
    ['recording erase', /no command “recording”/],
    ['recording query one', /takes a recording and a question/],
    ['recording list one', /one/],
  ])('“%s” is a usage error that says what is wrong', (line, message) => {
    const attempt = () => {
      const words = parse(line)
      if (words.command === 'run') return words.subject
      if (words.command === 'recording query') return words.positionals(2)
      return [words.address, words.space, words.number('length', { min: 1, max: 100, fallback: 1 })]
    }
    expect(attempt).toThrow(message)
    expect(attempt).toThrow(AppError)
  })
})

describe('exit codes', () => {
  it('tell wrong words from bad files', () => {
    expect(exitCode(toFailure(new UsageError('no')))).toBe(2)
    expect(exitCode({ code: 'INVALID', message: 'demo.prg is empty.' })).toBe(1)
  })

  it('tell unreachable, not on this machine, deadline, conflict and interruption apart', () => {
    const codes = (['UNREACHABLE', 'UNSUPPORTED', 'TIMEOUT', 'CONFLICT', 'CANCELLED', 'INTERNAL'] as const).map(
      (code) => exitCode({ code, message: '' }),
    )
    expect(codes).toEqual([3, 4, 5, 6, 130, 1])
  })
})

describe('a hex dump', () => {
  it('has sixteen bytes a row, and the last row stays in its columns', () => {
    const bytes = Uint8Array.from({ length: 18 }, (_, index) => index + 0x40)
    expect(hexDump(0xc000, bytes, (byte) => String.fromCharCode(byte))).toBe(
      'C000  40 41 42 43 44 45 46 47 48 49 4A 4B 4C 4D 4E 4F  @ABCDEFGHIJKLMNO\nC010  50 51                                            PQ',
    )
  })
})
