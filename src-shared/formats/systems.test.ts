import { describe, expect, it } from 'vitest'
import { loopPlace } from './systems'

describe('the place of a loop', () => {
  it.each([
    ['metashell', 'apps/shop', 'metashell:apps/shop/.meta/context.md', 'apps/shop'],
    ['metashell', 'apps/shop', 'metashell:apps/shop/.meta/session.json', 'apps/shop'],
    ['ncrew', '', 'ncrew:.noodlecrew', ''],
    ['maestro', '', 'maestro:.gemini/state/active-session.md', '.gemini/state/active-session.md'],
    ['tuning', 'skills', 'tuning:skills/skill-tuning-1', 'skills/skill-tuning-1'],
    ['tuning', 'skills', 'tuning:skills/skill-tuning-2', 'skills/skill-tuning-2'],
  ] as const)('of a %s run in “%s” given away by %s is “%s”', (system, folder, key, place) => {
    expect(loopPlace({ system, folder, key })).toBe(place)
  })
})
