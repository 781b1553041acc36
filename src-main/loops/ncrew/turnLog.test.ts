import { describe, expect, it } from 'vitest'
import { logLine, logName } from './turnLog'

const at = new Date(2026, 0, 28, 14, 35, 22).getTime()

describe('a log of a turn', () => {
  it('is named by its time', () => {
    expect(logName(at)).toBe('2026-01-28-143522')
  })

  it('has lines as the specification writes them', () => {
    expect(logLine(at, 'INFO', 'Starting iteration 1/100')).toBe('[2026-01-28 14:35:22] INFO: Starting iteration 1/100')
  })

  it('has one line for what was said, without passwords and without what a terminal obeys', () => {
    expect(logLine(at, 'WARN', 'a\u001b[31m\nb password=secret')).toBe(
      '[2026-01-28 14:35:22] WARN: a\uFFFD[31m b password=[hidden]',
    )
  })
})
