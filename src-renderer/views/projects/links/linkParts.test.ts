import { describe, expect, it } from 'vitest'
import { SEE_LOG } from '@shared/seeLog'
import { linkParts } from './linkParts'

const links = (text: string, place = '/home/me/game') =>
  linkParts(text, place).flatMap((part) =>
    part.kind === 'file' ? [`${part.file}:${part.line}`] : part.kind === 'text' ? [] : [part.text],
  )

describe('texts of a run link', () => {
  it('commits, by seven digits of their hash or more', () => {
    expect(links('Reverted 9f3e1aa, then ["8b2c4dd01"]. See 0123456789abcdef0123456789abcdef01234567.')).toEqual([
      '9f3e1aa',
      '8b2c4dd01',
      '0123456789abcdef0123456789abcdef01234567',
    ])
  })

  it('no word, number, colour, address, UUID or time that only looks like one', () => {
    expect(links('defaced 20261123 #a1b2c3d $d020abc 550e8400-e29b-41d4-a716-446655440000 x9f3e1aa 9F3E1AA')).toEqual(
      [],
    )
  })

  it('files, by their line, in folders, and by a full path in the project', () => {
    expect(links('See src/list.go:12, session.json and “/home/me/game/logs/run.txt”.')).toEqual([
      'src/list.go:12',
      'session.json:1',
      'logs/run.txt:1',
    ])
    expect(links('main.s:3:7: error')).toEqual(['main.s:3'])
  })

  it('the agent’s log, where it is to be seen', () => {
    expect(linkParts(`Done. ${SEE_LOG} Then run a.md again.`, '').map(({ kind }) => kind)).toEqual([
      'text',
      'log',
      'text',
      'file',
      'text',
    ])
  })

  it('nothing outside the project, no address of the web, and no abbreviation', () => {
    expect(links('/etc/passwd.txt ../up.md https://example.com/a.html e.g. i.e. 1.2.3 and/or v1.x ./')).toEqual([])
  })

  it('and leave every character as it was', () => {
    const text = 'a 9f3e1aa: src/a.c:1.\n(b.md) '
    expect(
      linkParts(text, '')
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
    expect(linkParts('', '')).toEqual([])
  })
})
