import { assert, property, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { broadcastOf, parseIdent } from './discovery'

const answer = (text: string) => parseIdent(Buffer.from(text), 'ours', '10.0.0.64')

describe('an answer of the ident service', () => {
  it('tells the device', () => {
    expect(
      answer(
        '{"product":"Ultimate 64 Elite","firmware_version":"3.14","fpga_version":"122","hostname":"Ultimate-64-Elite","menu_header":"x","your_string":"ours","password_protected":true,"unique_id":"8D927F"}',
      ),
    ).toEqual({
      host: '10.0.0.64',
      product: 'Ultimate 64 Elite',
      firmware: '3.14',
      hostname: 'Ultimate-64-Elite',
      uniqueId: '8D927F',
      needsPassword: true,
    })
  })

  it('is open where it says nothing of a password', () => {
    expect(answer('{"product":"Ultimate II+","your_string":"ours"}')).toMatchObject({
      needsPassword: false,
      firmware: null,
      uniqueId: null,
    })
  })

  it('to somebody else’s question, or of somebody else, is none', () => {
    expect(answer('{"product":"Ultimate II+","your_string":"theirs"}')).toBeUndefined()
    expect(answer('jsonours,host,title')).toBeUndefined()
    assert(
      property(uint8Array({ maxLength: 100 }), (bytes) => {
        expect(parseIdent(bytes, 'ours', 'x')).toBeUndefined()
      }),
    )
  })
})

it.each([
  ['192.168.1.10', '255.255.255.0', '192.168.1.255'],
  ['10.1.2.3', '255.0.0.0', '10.255.255.255'],
  ['172.16.5.6', '255.255.252.0', '172.16.7.255'],
])('%s with %s is reached by %s', (address, mask, broadcast) => {
  expect(broadcastOf(address, mask)).toBe(broadcast)
})
