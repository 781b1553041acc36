import { describe, expect, it } from 'vitest'
import { afterTurn, atState, trippedBreaker, type TurnHistory } from './breakers'

type Turn = Parameters<typeof afterTurn>[1] & { readonly tasks?: string }
const idle: Turn = { hasChanged: false, error: null }
const worked: Turn = { hasChanged: true, error: null }
const failed = (error: string): Turn => ({ hasChanged: true, error })

/** Each turn with the tasks as they are after it. */
function after(...turns: readonly Turn[]) {
  let history: TurnHistory = atState(undefined, 'a')
  let state = 'a'
  for (const { tasks, ...turn } of turns) {
    state = tasks ?? state
    history = atState(afterTurn(history, turn), state)
  }
  return trippedBreaker(history)?.kind
}

describe('a run', () => {
  it('repeats itself after three turns without a changed file, task or commit', () => {
    expect(after(idle, idle)).toBeUndefined()
    expect(after(idle, idle, idle)).toBe('no-progress')
  })

  it('has got on when a turn changed a file or a commit, or the tasks changed', () => {
    expect(after(idle, idle, worked, idle, idle)).toBeUndefined()
    expect(after(idle, idle, { ...idle, tasks: 'b' }, idle, idle)).toBeUndefined()
  })

  it('is not known to be idle where nobody can tell', () => {
    const unknown = { hasChanged: null, error: null }
    expect(after(unknown, unknown, unknown, unknown)).toBeUndefined()
    expect(after(idle, unknown, idle, unknown, idle)).toBe('no-progress')
  })

  it('repeats an error that comes three times, whatever numbers are in it', () => {
    expect(after(failed('Timed out after 6 s.'), failed('Timed out after 7 s.'))).toBeUndefined()
    expect(
      after(failed('Timed out after 6 s.'), worked, failed('Timed out after 7.5 s.'), failed('Timed out after 9 s.')),
    ).toBe('same-error')
    expect(after(failed('a'), failed('b'), failed('a'))).toBeUndefined()
    expect(after(failed('a'), failed('a'), { ...worked, tasks: 'b' }, failed('a'))).toBeUndefined()
  })
})
