import { describe, expect, it } from 'vitest'
import type { PresetName } from '@shared/agentPresets'
import { ownErrorLine } from './failureKind'
import { afterRefusal, retryAt, serviceRefusal, type RefusedTries } from './serviceLimit'

/** In the computer's time zone. */
const NOW = new Date(2026, 10, 23, 13, 20, 30).getTime()
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()
const problem = (preset: PresetName, words: string) => serviceRefusal(preset, { words }, NOW)

const THEN = Date.UTC(2026, 10, 23, 13, 20, 30)
/** As the programs print them, with the report where it was found. Claude Code: anthropics/claude-code, and so on. */
const printed = [
  // #2087, v1.0.24
  ['claude', 'Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5).', Date.UTC(2026, 10, 23, 18)],
  ['claude', 'Claude AI usage limit reached|1795500000', 1_795_500_000_000],
  // #2490, v1.0.31
  ['claude', 'Claude usage limit reached. Your limit will reset at 3pm (America/Bogota).', Date.UTC(2026, 10, 23, 20)],
  // #12789, v2.0.55
  [
    'claude',
    'Weekly limit reached · resets 10am (Asia/Seoul) · /upgrade to Max or turn on /extra-usage',
    Date.UTC(2026, 10, 24, 1),
  ],
  // #79136, v2.1.215
  ['claude', "You've hit your session limit · resets 5:40pm (Europe/Berlin)", Date.UTC(2026, 10, 23, 16, 40)],
  // #54698, v2.1.123
  ['claude', "You've hit your limit · resets 1:30am (Asia/Dhaka)", Date.UTC(2026, 10, 23, 19, 30)],
  // #92834, v2.1.263; with a zone as #16618 prints it
  ['claude', "You've hit your weekly limit · resets Nov 28 at 7pm", at(28, 19)],
  [
    'claude',
    "You've hit your weekly limit · resets Nov 28, 10:59am (America/New_York)",
    Date.UTC(2026, 10, 28, 15, 59),
  ],
  [
    'claude',
    "429 rate_limit_error: This request would exceed your account's rate limit. Please try again later.",
    null,
  ],
  // openai/codex #3899, v0.39.0: broken into lines by the terminal
  [
    'codex',
    "You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again in 5 days 22 hours 11\nminutes.",
    THEN + ((5 * 24 + 22) * 60 + 11) * 60_000,
  ],
  // #4104, v0.40.0
  ['codex', "You've hit your usage limit. Upgrade to Pro (…) or try again in 8 hours 30 minutes.", THEN + 510 * 60_000],
  // #26668
  [
    'codex',
    "You've hit your usage limit. Upgrade to Plus to continue using Codex (…), or try again at Nov 25th, 2026 8:19 PM.",
    at(25, 20, 19),
  ],
  // #2669, v0.23.0
  [
    'codex',
    "You've hit your usage limit. Upgrade to Pro (…), or wait for limits to reset (every 5h and every week.).",
    null,
  ],
  // google-gemini/gemini-cli #13004, v0.8.1
  [
    'gemini',
    '[API Error: You have exhausted your capacity on this model. Your quota will reset after 8h44m7s.]',
    THEN + 31_447_000,
  ],
  // #22107
  ['gemini', 'Attempt 1 failed: No capacity available for model gemini-3. Retrying after 6173ms...', THEN + 6_173],
  // #15576, v0.22.2
  ['gemini', '[API Error: You have exhausted your daily quota on this model.]', null],
  // #6962
  ['gemini', 'You exceeded your current quota, please check your plan. "status": "RESOURCE_EXHAUSTED"', null],
  // anomalyco/opencode #39790, v1.18.9
  [
    'opencode',
    'You have exceeded the 5-hour usage quota. It will reset at 2026-11-23 16:11:46 +0800 CST.',
    Math.max(THEN, Date.UTC(2026, 10, 23, 8, 11, 46)),
  ],
  // #47239, #42215, #40014
  ['opencode', 'The usage limit has been reached', null],
  ['opencode', 'Free Usage Exceeded, Subscribe To Go', null],
  ['opencode', 'Too Many Requests, retrying in 59 minutes 12 seconds', THEN + 3_552_000],
] as const

describe('what an agent prints at a usage limit', () => {
  it.each(printed)('%s: %s', (preset, text, resetsAt) => {
    expect(serviceRefusal(preset, { words: text }, THEN)).toEqual({ kind: 'usage-limit', resetsAt })
  })

  it('is tried at once where it resets at a time that has just been', () => {
    expect(problem('claude', "You've hit your session limit · resets 1pm")?.resetsAt).toBe(NOW)
    expect(problem('claude', 'Weekly limit reached · resets 1pm')?.resetsAt).toBe(NOW)
    expect(problem('claude', 'Weekly limit reached · resets 10am')?.resetsAt).toBe(at(24, 10))
  })
})

describe('an agent that failed at a usage limit', () => {
  it.each([
    ['claude', `Claude AI usage limit reached|${NOW / 1000 + 3_600}.`, NOW + 3_600_000],
    ['claude', '5-hour limit reached ∙ resets 3pm', at(23, 15)],
    ['claude', 'Session limit reached ∙ resets at 5:30pm', at(23, 17, 30)],
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
    expect(problem(preset, text)).toEqual({ kind: 'usage-limit', resetsAt })
  })

  it('names a time of its own zone', () => {
    const noon = Date.UTC(2026, 10, 23, 12)
    expect(serviceRefusal('claude', { words: 'limit reached, resets 3pm (Asia/Tokyo)' }, noon)?.resetsAt).toBe(
      Date.UTC(2026, 10, 24, 6),
    )
    expect(serviceRefusal('claude', { words: 'limit reached, resets 3pm (No/Where)' }, noon)?.resetsAt).toBeGreaterThan(
      noon,
    )
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
  const told = { kind: 'usage-limit', resetsAt: NOW + 3_600_000 } as const
  const untold = { kind: 'usage-limit', resetsAt: null } as const
  const outage = { kind: 'unreachable', resetsAt: null } as const
  /** The waits before the next tries, ms, and `asks` where the person is asked. */
  function waitsOf(...refusals: (typeof told | typeof untold | typeof outage)[]): (number | 'asks')[] {
    let tries: RefusedTries | undefined
    return refusals.map((refusal) => {
      tries = afterRefusal(tries, refusal, NOW)
      const until = retryAt(refusal, tries, NOW)
      return until === undefined ? 'asks' : until - NOW
    })
  }

  it('a minute after the limit resets, however often that was told', () => {
    expect(waitsOf(told, told, told, told)).toEqual([3_660_000, 3_660_000, 3_660_000, 3_660_000])
    expect(waitsOf(...Array.from({ length: 29 }, () => told)).at(-1)).toBe('asks')
    const soon = { kind: 'usage-limit', resetsAt: NOW + 2_000 } as const
    let tries = afterRefusal(undefined, soon, NOW)
    for (let count = 1; count < 3; count++) tries = afterRefusal(tries, soon, NOW)
    expect(retryAt(soon, tries, NOW)).toBe(NOW + 900_000)
  })

  it('twice while nobody knows when it would do, and then the person is asked', () => {
    expect(waitsOf(untold, untold, untold)).toEqual([900_000, 900_000, 'asks'])
    expect(waitsOf(outage, outage, outage)).toEqual([120_000, 900_000, 'asks'])
    const past = { kind: 'usage-limit', resetsAt: NOW } as const
    expect(afterRefusal(afterRefusal(afterRefusal(undefined, past, NOW), past, NOW), past, NOW).untold).toBe(3)
  })

  it('anew where another refusal came between', () => {
    expect(waitsOf(outage, outage, untold, outage, outage)).toEqual([120_000, 900_000, 900_000, 120_000, 900_000])
    expect(waitsOf(untold, untold, told, untold)).toEqual([900_000, 900_000, 3_660_000, 900_000])
  })
})

describe('a last line that is not the program’s own error', () => {
  it.each([
    'src/main.asm:429: error: illegal addressing mode',
    'src/main.asm:503: error: label not defined',
    'Error: connect ECONNREFUSED 127.0.0.1:6510',
    'I added a rate limit to the loader.',
  ])('is neither a limit nor an outage: %s', (line) => {
    for (const preset of ['claude', 'codex', 'gemini', 'opencode'] as const)
      expect(problem(preset, ownErrorLine(line))).toBeUndefined()
  })

  it('is told apart from an error of the service', () => {
    expect(problem('claude', ownErrorLine('API Error: 503 Service Unavailable'))?.kind).toBe('unreachable')
    expect(
      problem('codex', ownErrorLine('ERROR: exceeded retry limit, last status: 429 Too Many Requests'))?.kind,
    ).toBe('usage-limit')
    for (const line of ['Error: TypeError: fetch failed', 'getaddrinfo ENOTFOUND api.anthropic.com'])
      expect(problem('gemini', ownErrorLine(line))?.kind, line).toBe('unreachable')
  })

  it('is no limit where a compiler’s line stands in the reason', () => {
    expect(problem('codex', 'src/main.asm:429: error: x')).toBeUndefined()
    expect(problem('gemini', 'src/main.asm:503: error: x')).toBeUndefined()
  })
})
