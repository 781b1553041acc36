import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { docChapters, headingId, unlistedDocs } from './docPages'

const listed = docChapters.flatMap(({ pages }) => pages)
const pathsOf = (pattern: string): readonly string[] => globSync(pattern).map((file) => file.replaceAll('\\', '/'))
const files = pathsOf('docs/*.md')
const decisions = pathsOf('docs/decisions/*.md')
const textOf = (file: string): string => readFileSync(resolve(file), 'utf8')
const withoutCode = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```/gm, '').replaceAll(/`[^`\n]*`/g, '')

const idsOf = (file: string): readonly string[] =>
  [
    ...textOf(file)
      .replaceAll(/^ *```[^]*?^ *```/gm, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, title = '']) => headingId(title))

describe('The list of pages', () => {
  it('has each page of docs/ once, or a reason why not', () => {
    const names = [...listed.map(({ name }) => name), ...Object.keys(unlistedDocs)]
    expect(names.toSorted()).toEqual(files.map((file) => basename(file, '.md')).toSorted())
  })
})

it('The index of decisions has each page of docs/decisions once', () => {
  const index = 'docs/decisions/index.md'
  const linked = [...textOf(index).matchAll(/^- \[[^\]]+\]\(([a-z0-9-]+\.md)\)/gm)].map(([, name]) => name)
  const others = decisions.filter((file) => file !== index)
  expect(linked.toSorted()).toEqual(others.map((file) => basename(file)).toSorted())
})

describe.each([...files, ...decisions])('%s', (file) => {
  it('has headings that a link can tell apart', () => {
    expect(new Set(idsOf(file)).size).toBe(idsOf(file).length)
  })

  it('links to pages, headings, files and pictures that are there', () => {
    for (const [, link = ''] of withoutCode(textOf(file)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue
      const [path = '', id] = link.split('#')
      const target = path === '' ? file : join(dirname(file), path).replaceAll('\\', '/')
      expect([link, existsSync(resolve(target))]).toEqual([link, true])
      if (id !== undefined) expect([link, idsOf(target)]).toEqual([link, expect.arrayContaining([id])])
    }
  })
})
