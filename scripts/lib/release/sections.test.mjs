import { describe, expect, it } from 'vitest'
import { section } from './sections.mjs'

const changelog =
  '# Changelog\n\n## 0.2.0 (2026-12-01)\n\nNew.\n\n### More\n\nText.\n\n## 0.2.0-beta\n\nOld.\n\n## 0.1.0\n'

describe('a section', () => {
  it('is what stands below its heading, with smaller headings', () => {
    expect(section(changelog, '0.2.0')).toBe('New.\n\n### More\n\nText.')
  })

  it('is not that of a heading which only begins like it', () => {
    expect(section(changelog, '0.2')).toBeUndefined()
    expect(section(changelog, '0.2.0-beta')).toBe('Old.')
  })

  it('is missing when nothing stands below its heading', () => {
    expect(section(changelog, '0.1.0')).toBeUndefined()
  })
})
