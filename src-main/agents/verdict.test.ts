import { describe, expect, it } from 'vitest'
import { verdict } from './verdict'

const silent = { data: '', error: null, limit: null, isOver: false }
const ended = { exitCode: 0, signal: null, cause: null }

describe('what became of an agent', () => {
  it('is a success only when it ended by itself with 0 and said no error', () => {
    expect(verdict('claude', ended, silent)).toEqual({ status: 'success', reason: '' })
    expect(verdict('claude', ended, { ...silent, error: 'no credit' })).toEqual({
      status: 'error',
      reason: 'No credit.',
    })
    expect(verdict('claude', { ...ended, exitCode: 1 }, silent)).toEqual({
      status: 'error',
      reason: 'It ended with exit code 1.',
    })
    expect(verdict('claude', { ...ended, exitCode: 1 }, { ...silent, error: 'no credit' })).toEqual({
      status: 'error',
      reason: 'It ended with exit code 1: no credit',
    })
    expect(verdict('claude', { ...ended, exitCode: null, signal: 'SIGKILL' }, silent).reason).toBe(
      'Something ended it with SIGKILL.',
    )
    expect(verdict('claude', { ...ended, exitCode: null }, silent).reason).toBe('Nobody saw how it ended.')
  })

  it('is no success where its whole answer is that its service refused it', () => {
    const now = 1_795_430_000_000
    const answers = (data: string) =>
      verdict('claude', ended, { ...silent, isOver: true, isPlain: true, data }, '', now)
    expect(answers('Claude AI usage limit reached|1795440000')).toEqual({
      status: 'error',
      reason: 'Claude AI usage limit reached|1795440000.',
      refusal: { kind: 'usage-limit', resetsAt: 1_795_440_000_000 },
    })
    expect(answers('API Error: 529 overloaded_error\n').status).toBe('error')
    for (const answer of [
      'I wrote the usage limit into the docs.',
      'API Error: 529 overloaded_error\nNow the loader says so, too.',
      'src/main.asm:429: error: illegal addressing mode',
    ])
      expect(answers(answer).status, answer).toBe('success')
    const event = { ...silent, isOver: true, data: 'API Error: 529 overloaded_error' }
    expect(verdict('claude', ended, event)).toEqual({ status: 'success', reason: '' })
  })

  it('says why its service refused it where only its errors tell', () => {
    const errors = 'API Error: 529 Overloaded\n'
    expect(verdict('claude', { ...ended, exitCode: 1 }, silent, errors)).toEqual({
      status: 'error',
      reason: 'It ended with exit code 1: API Error: 529 Overloaded',
      refusal: { kind: 'unreachable', resetsAt: null },
    })
    const sawSignal = { ...ended, exitCode: null, signal: 'SIGKILL' }
    expect(verdict('claude', sawSignal, silent, errors)).not.toHaveProperty('refusal')
  })

  it('is what it said last where nobody saw its end', () => {
    const unseen = { ...ended, exitCode: null }
    expect(verdict('claude', unseen, { ...silent, isOver: true }).status).toBe('success')
    expect(verdict('claude', unseen, { ...silent, isOver: true, error: 'no credit' })).toEqual({
      status: 'error',
      reason: 'Nobody saw how it ended: no credit',
    })
  })

  it('is what we did to it, whatever it says', () => {
    const cause = { status: 'timeout', reason: 'Too long.' } as const
    expect(verdict('claude', { ...ended, cause }, { ...silent, error: 'x', limit: 'y' })).toEqual(cause)
  })

  it('is a limit where it says so, by its words or by its preset’s exit code', () => {
    expect(verdict('claude', { ...ended, exitCode: 1 }, { ...silent, limit: 'it reached its most turns' })).toEqual({
      status: 'limit',
      reason: 'It reached its most turns.',
    })
    expect(verdict('gemini', { ...ended, exitCode: 53 }, silent).status).toBe('limit')
    expect(verdict('codex', { ...ended, exitCode: 53 }, silent).status).toBe('error')
  })
})
