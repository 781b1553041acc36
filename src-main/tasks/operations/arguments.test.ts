import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { address, byteCount, choices, hexBytes, parseRange, ranges, reportAddress, reportRange } from './arguments'

describe('an address', () => {
  it.each([
    ['$2000', 0x2000],
    ['0x2000', 0x2000],
    ['8192', 8192],
    [8192, 8192],
    ['VIC.BORDER', 0xd020],
    ['%1111', 15],
  ])('is taken as %j', (given, meant) => expect(address('').parse(given)).toBe(meant))

  it.each(['', '$', '$10000', -1, 65536, 1.5, null, {}])('is not %j', (given) =>
    expect(address('').safeParse(given).success).toBe(false),
  )

  it('is reported as 0x2000', () =>
    expect([0, 0x2000, 0xd02f].map(reportAddress)).toEqual(['0x0000', '0x2000', '0xD02F']))
})

describe('other arguments', () => {
  it('take numbers as text, as c64bridge writes them', () => {
    expect(byteCount(256, '').parse('16')).toBe(16)
    for (const wrong of ['', 'x', '0', 257, '1.5'])
      expect(byteCount(256, '').safeParse(wrong).success, String(wrong)).toBe(false)
  })

  it('take bytes in every spelling', () => {
    for (const text of ['$A900', 'a9 00', '0xA9,0x00', 'A9_00'])
      expect([...hexBytes('').parse(text)], text).toEqual([0xa9, 0])
    expect(hexBytes('').safeParse('A9 0G').success).toBe(false)
  })

  it('take ranges with both ends, with a length, or of one byte', () => {
    expect(parseRange('$0400-$07E7')).toEqual({ address: 0x400, length: 1000 })
    expect(parseRange('$0400+1000')).toEqual({ address: 0x400, length: 1000 })
    expect(parseRange(' $D020 ')).toEqual({ address: 0xd020, length: 1 })
    expect(ranges('').parse('$D020, $0400-$0401')).toHaveLength(2)
    for (const wrong of ['$0401-$0400', '$FFFF+2', '-5', '$0400-'])
      expect(ranges('').safeParse([wrong]).success, wrong).toBe(false)
    expect(reportRange({ address: 0x400, length: 1000 })).toBe('0x0400-0x07E7')
  })

  it('take some of a few words, also as one text', () => {
    const words = choices(['text', 'png', 'memory'])
    for (const given of [['png', 'text'], 'png, text', 'png text']) expect(words.parse(given)).toEqual(['png', 'text'])
    for (const wrong of ['', 'gif', ['png', 'gif'], []])
      expect(words.safeParse(wrong).success, String(wrong)).toBe(false)
    expect(z.toJSONSchema(z.strictObject({ words: words.optional() }), { io: 'input' })).toMatchObject({
      properties: { words: { type: 'array', items: { enum: ['text', 'png', 'memory'] } } },
    })
  })

  it('say what is wrong in words', () => {
    const { error } = z.strictObject({ range: ranges('') }).safeParse({ range: ['$0401-$0400'] })
    expect(error?.issues[0]?.message).toBe('“$0401-$0400” ends before it starts')
  })
})
