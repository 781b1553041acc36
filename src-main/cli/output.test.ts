import { afterEach, describe, expect, it, vi } from 'vitest'
import { toFailure } from '@shared/contract/errors'
import { exitCode, Output } from './output'
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
    expect(codes).toEqual([3, 4, 5, 6, 130, 1])
  })
})

describe('what is printed', () => {
  afterEach(() => vi.restoreAllMocks())

  it('does not command the terminal, a failure neither', () => {
    const printed: string[] = []
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((text) => {
        printed.push(String(text))
        return true
      })
    const output = new Output('read', false)
    output.result({}, 'a\tb\nc\u001b[31m')
    output.failure({ code: 'INVALID', message: 'x\u0007', hint: 'y\u202e' })
    expect(printed).toEqual(['a\tb\nc\\u001b[31m\n', 'x\\u0007 y\\u202e\n'])
  })
})
