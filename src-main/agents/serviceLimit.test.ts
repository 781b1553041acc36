import { describe, expect, it } from 'vitest'
import type { PresetName } from '@shared/agentPresets'
import { retryAt, serviceProblem } from './serviceLimit'

/** In the computer's time zone. */
const NOW = new Date(2026, 10, 23, 13, 20, 30).getTime()
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()
const problem = (preset: PresetName, text: string) => serviceProblem(preset, text, NOW)

describe('an agent that failed at a usage limit', () => {
  it.each([
    ['claude', `Claude AI usage limit reached|${NOW / 1000 + 3_600}.`, NOW + 3_600_000],
    ['claude', '5-hour limit reached ∙ resets 3pm', at(23, 15)],
    ['claude', 'Session limit reached ∙ resets at 10:30am', at(24, 10, 30)],
    ['claude', "You've hit your limit · resets 13:45", at(23, 13, 45)],
    ['claude', 'Weekly limit reached ∙ resets Nov 26, 5pm', at(26, 17)],
    ['codex', "You've hit your usage limit. Try again in 1 day 4 hours 12 minutes.", NOW + (28 * 60 + 12) * 60_000],
    ['codex', "You've hit your usage limit. Try again at Nov 25th, 2026 3:45 PM.", at(25, 15, 45)],
    [
      'gemini',
      'You have exhausted your capacity on this model. Your quota will reset after 3h12m5s.',
      NOW + 11_525_000,
    ],
    ['gemini', 'Quota exceeded. Please retry in 34.5s.', NOW + 34_500],
    ['opencode', 'Error 429: rate limit', null],
    ['claude', 'Usage limit reached, resets Nov 22, 2031 5pm', null],
  ] as const)('%s: %s', (preset, text, resetsAt) => {
    expect(problem(preset, `It ended with exit code 1: ${text}`)).toEqual({ kind: 'usage-limit', resetsAt })
  })

  it('names a time of its own zone', () => {
    const noon = Date.UTC(2026, 10, 23, 12)
    expect(serviceProblem('claude', 'limit reached, resets 3pm (Asia/Tokyo)', noon)?.resetsAt).toBe(
      Date.UTC(2026, 10, 24, 6),
    )
    expect(serviceProblem('claude', 'limit reached, resets 3pm (No/Where)', noon)?.resetsAt).toBeGreaterThan(noon)
  })

  it('is recognised by its preset alone', () => {
    expect(problem('custom', 'usage limit reached, resets 3pm')).toBeUndefined()
    expect(problem('claude', 'The test of the limit failed.')).toBeUndefined()
  })
})

describe('an agent whose service is out of reach', () => {
  it.each(['fetch failed', 'getaddrinfo ENOTFOUND api.example.org', 'API Error: 529 overloaded_error'])(
    '%s',
    (text) => {
      expect(problem('claude', text)).toEqual({ kind: 'unreachable', resetsAt: null })
    },
  )
})

describe('a turn is tried again', () => {
  const usage = { kind: 'usage-limit', resetsAt: NOW + 3_600_000 } as const

  it('a minute after the limit resets, and every quarter of an hour when that was not so', () => {
    expect(retryAt(usage, 1, NOW)).toBe(NOW + 3_660_000)
    expect(retryAt(usage, 3, NOW)).toBe(NOW + 900_000)
    expect(retryAt({ ...usage, resetsAt: null }, 1, NOW)).toBe(NOW + 900_000)
  })

  it('ever later while the service is out of reach, and at last not any more', () => {
    const waits = [1, 2, 3, 10].map(
      (tries) => (retryAt({ kind: 'unreachable', resetsAt: null }, tries, NOW) ?? 0) - NOW,
    )
    expect(waits).toEqual([30_000, 60_000, 120_000, 900_000])
    expect(retryAt(usage, 29, NOW)).toBeUndefined()
  })
})
