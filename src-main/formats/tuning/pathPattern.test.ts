import { describe, expect, it } from 'vitest'
import { isPattern, pathMatcher } from './pathPattern'

describe('A pattern of files', () => {
  it.each<[string, string[], string[]]>([
    ['phases/*.md', ['phases/1.md', 'phases/.md'], ['phases/actions/1.md', 'phases/1.mdx', 'xphases/1.md']],
    ['**/*.md', ['SKILL.md', 'phases/1.md', 'phases/actions/1.md'], ['SKILL.txt']],
    ['phases/**', ['phases/1.md', 'phases/actions/1.md'], ['specs/1.md']],
    ['phases/**/a.md', ['phases/a.md', 'phases/x/y/a.md'], ['phases/xa.md']],
    ['phases/?.md', ['phases/1.md'], ['phases/12.md', 'phases//.md']],
    ['./phases/(1).md*', ['phases/(1).md'], ['phases/1.md']],
  ])('%s', (pattern, those, others) => {
    const matches = pathMatcher(pattern)
    expect([those.filter(matches), others.filter(matches)]).toEqual([those, []])
  })

  it('is told from a file by its wildcards', () => {
    expect(['phases/*.md', 'a?.md', 'phases/1.md'].map(isPattern)).toEqual([true, true, false])
  })

  it('that would make others slow takes no longer', () => {
    const matches = pathMatcher(`${'*a'.repeat(90)}b`)
    const path = 'a'.repeat(20_000)
    expect(matches(path)).toBe(false)
    expect(pathMatcher('*'.repeat(201))('a')).toBe(false)
  })
})
