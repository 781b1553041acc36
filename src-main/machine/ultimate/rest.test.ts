import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathPart } from './rest'

/** As the firmware does: one decoding, the split at `/`, another decoding. `+` is a space each time. */
const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))
const asDeviceReads = (part: string): string[] => decode(part).split('/').map(decode)

describe('a name in a path', () => {
  it.each([
    ['Drive A Settings', 'Drive%20A%20Settings'],
    ['UltiDOS: Allow SetDate', 'UltiDOS%3A%20Allow%20SetDate'],
    ['50%', '50%2525'],
    ['C+', 'C%252B'],
    ['a/b', 'a%252Fb'],
  ])('%s goes out as %s', (name, sent) => {
    expect(pathPart(name)).toBe(sent)
  })

  it('arrives whole after the two decodings of the device', () => {
    assert(
      property(string({ unit: 'binary' }), (name) => {
        expect(asDeviceReads(pathPart(name))).toEqual([name])
      }),
    )
  })

  it('has nothing in it that would end the path', () => {
    assert(
      property(string({ unit: 'binary' }), (name) => {
        expect(pathPart(name)).not.toMatch(/[/:?+ ]/)
      }),
    )
  })
})
