import { describe, expect, it } from 'vitest'
import { errorCodes, toFailure } from '@shared/contract/errors'
import { exitCode, exitCodes, loopExitCode } from './exitCodes'
import { UsageError } from './usageError'

describe('exit codes', () => {
  it('tell wrong words from bad files', () => {
    expect(exitCode(toFailure(new UsageError('no')))).toBe(2)
    expect(exitCode({ code: 'INVALID', message: 'demo.prg is empty.' })).toBe(1)
  })

  it('tell unreachable, not on this machine, deadline, conflict and interruption apart', () => {
    const codes = (['UNREACHABLE', 'UNSUPPORTED', 'TIMEOUT', 'CONFLICT', 'CANCELLED', 'INTERNAL'] as const).map(
      (code) => exitCode({ code, message: '' }),
    )
    expect(codes).toEqual([3, 4, 5, 6, 130, 70])
  })

  it('are one for each error of the contract, and differ', () => {
    const mapped = exitCodes.flatMap(({ errors }) => errors)
    expect([...mapped].sort()).toEqual([...errorCodes].sort())
    expect(new Set(exitCodes.map(({ code }) => code)).size).toBe(exitCodes.length)
  })

  it.each([
    ['ended', 'done', 0],
    ['ended', 'failed', 1],
    ['failed', null, 1],
    ['ended', 'waiting', 10],
    ['ended', 'gate', 11],
    ['ended', 'limit', 20],
    ['ended', 'breaker', 22],
    ['paused', null, 100],
    ['stopped', null, 130],
  ] as const)('tell how a loop ended: %s, %s is %i', (state, outcome, code) => {
    expect(loopExitCode({ state, outcome })).toBe(code)
    expect(loopExitCode({ state, outcome, code: 21 })).toBe(21)
  })
})
