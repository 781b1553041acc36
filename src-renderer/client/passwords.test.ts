import { beforeEach, describe, expect, it } from 'vitest'
import type { MachineState } from '@shared/contract/machine'
import { askPassword, useQuestions } from './passwords'

const shown = () => useQuestions.getState().questions[0]
const state = (machine: string) => ({ machine }) as MachineState
beforeEach(() => useQuestions.setState({ questions: [] }))

describe('a question for a password', () => {
  it('is answered once for all who wait for that machine, and leaves those for others', async () => {
    const first = askPassword('ultimate:a', 'It wants a password.')
    const second = askPassword('ultimate:b', 'It wants one too.')
    const third = askPassword('ultimate:a', 'It wants a password.')
    expect(shown()?.machine).toBe('ultimate:a')
    shown()?.answered(state('ultimate:a'))
    expect(await first).toEqual({ machine: 'ultimate:a' })
    expect(await third).toEqual({ machine: 'ultimate:a' })
    expect(useQuestions.getState().questions).toHaveLength(1)
    shown()?.dismissed()
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(shown()).toBeUndefined()
  })
})
