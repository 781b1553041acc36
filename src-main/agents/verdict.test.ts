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

  it('is a program that could not be started where a shell says so, and no agent’s own exit code', () => {
    const at = (exitCode: number, preset: 'claude' | 'custom' = 'claude', data = '') =>
      verdict(preset, { ...ended, exitCode }, { ...silent, data }, 'env: ‘node’: No such file or directory\n').refusal
    for (const code of [126, 127]) expect(at(code)).toEqual({ kind: 'program', resetsAt: null })
    expect([at(1), at(127, 'custom'), at(127, 'claude', 'Done.')]).toEqual([undefined, undefined, undefined])
  })

  it('has the last lines of an agent that died early as its reason', () => {
    const at = (exitCode: number, errors: string, preset: 'gemini' | 'custom' = 'gemini', data = '') =>
      verdict(preset, { ...ended, exitCode }, { ...silent, data, isPlain: data !== '' }, errors)
    expect(at(55, 'Loading.\n\u001b[31mThe folder is not trusted.\u001b[0m\n')).toEqual({
      status: 'error',
      reason: 'It ended with exit code 55: it does not trust the folder. Loading. The folder is not trusted.',
      refusal: { kind: 'person', resetsAt: null },
    })
    const stack = 'file:///x.js:3\nError: Cannot find module\n    at load (x.js:1)\n}\n\nNode.js v24.1.0\n'
    expect(at(1, stack, 'custom').reason).toBe('It ended with exit code 1: file:///x.js:3 Error: Cannot find module')
    expect(at(2, '', 'custom', 'one\ntwo\nthree\nfour\n').reason).toBe('It ended with exit code 2: two three four')
    expect(at(2, `${'x'.repeat(5_000)}\n`, 'custom').reason.length).toBeLessThan(700)
    expect(at(41, '').reason).toBe('It ended with exit code 41: it is not signed in.')
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
    expect(verdict('claude', { ...ended, cause }, { ...silent, error: 'x', limit: 'turns' })).toEqual(cause)
  })

  it('is a limit where it says so, by its words or by its preset’s exit code', () => {
    expect(verdict('claude', { ...ended, exitCode: 1 }, { ...silent, limit: 'turns', turns: 1 })).toEqual({
      status: 'limit',
      reason: 'The agent’s own turn limit was reached after 1 turn.',
    })
    const atLimit = (said: object, maxTurns: number | null, maxCost: number | null) =>
      verdict('claude', ended, { ...silent, ...said }, '', 0, { maxTurns, maxCost }).reason
    expect(atLimit({ limit: 'turns', turns: 5 }, 4, null)).toBe('Turn limit reached: at most 4 turns.')
    expect(atLimit({ limit: 'cost', cost: 0.52 }, null, 0.5)).toBe('Cost limit reached: $0.52 of $0.50 spent.')
    expect(atLimit({ limit: 'cost', cost: 0.52 }, null, null)).toBe('The agent’s own cost limit was reached at $0.52.')
    expect(verdict('gemini', { ...ended, exitCode: 53 }, silent).status).toBe('limit')
    expect(verdict('codex', { ...ended, exitCode: 53 }, silent).status).toBe('error')
  })
})
