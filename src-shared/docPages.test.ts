import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { docChapters, headingId, unlistedDocs } from './docPages'

const listed = docChapters.flatMap(({ pages }) => pages)
const files = globSync('docs/*.md').map((file) => file.replaceAll('\\', '/'))
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

describe.each(files)('%s', (file) => {
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
