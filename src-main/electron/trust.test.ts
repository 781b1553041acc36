import { describe, expect, it } from 'vitest'
import { isTrustedSender, isWebAddress } from './trust'

describe('a sender', () => {
  it('is trusted only as the top frame of our own page', () => {
    expect(isTrustedSender({ parent: null, origin: 'app://bridgedeck' })).toBe(true)
  })

  it.each([
    ['a frame that has gone', null],
    ['a frame inside ours', { parent: {}, origin: 'app://bridgedeck' }],
    ['another host', { parent: null, origin: 'app://other' }],
    ['a host that begins like ours', { parent: null, origin: 'app://bridgedeck.evil' }],
    ['about:blank', { parent: null, origin: 'null' }],
    ['a file', { parent: null, origin: 'file://' }],
    ['a web page', { parent: null, origin: 'https://bridgedeck' }],
  ])('is not %s', (_what, frame) => {
    expect(isTrustedSender(frame)).toBe(false)
  })
})

describe('an address for the browser', () => {
  it.each(['https://example.org/', 'http://example.org/a?b=c#d', 'https://例え.jp/'])('may be %s', (address) => {
    expect(isWebAddress(address)).toBe(true)
  })

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'smb://host/share',
    'ms-msdt:/id',
    'vscode://file/x',
    'mailto:a@example.org',
    'data:text/html,x',
    'app://bridgedeck/index.html',
    ' https://example.org/',
    'https://example.org/a b',
    'https://example.org/\u0000',
    'https://example.org/\u2028',
    'https://user:password@example.org/',
    'https://',
    '//example.org',
    'example.org',
    '',
    `https://example.org/${'a'.repeat(3000)}`,
  ])('may not be %s', (address) => {
    expect(isWebAddress(address)).toBe(false)
  })
})
