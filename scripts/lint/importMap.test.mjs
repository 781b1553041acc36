import { describe, expect, it } from 'vitest'
import { findCircles, formatMap, mapIn, readImports, readPage } from './importMap.mjs'

describe('the imports of the sources', () => {
  const imports = readImports()

  it('form no circle, type imports included', () => {
    expect(findCircles(imports)).toEqual([])
  })

  it('are those of importMap.md', () => {
    expect(mapIn(readPage()), 'run `npm run map` and commit importMap.md').toBe(formatMap(imports).trim())
  })
})

describe('finding circles', () => {
  const circlesOf = (imports) => findCircles(new Map(Object.entries(imports)))

  it('finds two files that import each other', () => {
    expect(circlesOf({ a: ['b'], b: ['a'] })).toEqual([['a', 'b']])
  })

  it('finds a circle that does not begin at the first file', () => {
    expect(circlesOf({ a: ['b'], b: ['c'], c: ['d'], d: ['b'] })).toEqual([['b', 'c', 'd']])
  })

  it('lets two ways to the same file pass', () => {
    expect(circlesOf({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toEqual([])
  })
})
