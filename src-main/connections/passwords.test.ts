import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/contract/errors'
import { Passwords } from './passwords'

const machine = 'ultimate:c64u'
const signal = new AbortController().signal

function passwords(answers: { uniqueId?: string | null; configured?: string | null } = {}) {
  const asked: string[] = []
  return {
    asked,
    passwords: new Passwords({
      identify: (name) => {
        asked.push(name)
        return Promise.resolve(answers.uniqueId ?? null)
      },
      configured: () => Promise.resolve(answers.configured ?? null),
    }),
  }
}

describe('a password', () => {
  it('that was typed goes to whatever answers, without asking who it is', async () => {
    const { passwords: known, asked } = passwords()
    known.use(machine, { password: 'typed', onlyFor: null })
    expect(await known.passwordFor(machine, signal)).toBe('typed')
    expect(asked).toEqual([])
  })

  it('that was saved goes to its own device alone', async () => {
    const { passwords: known, asked } = passwords({ uniqueId: 'A1' })
    known.use(machine, { password: 'saved', onlyFor: 'A1' })
    expect(await known.passwordFor(machine, signal)).toBe('saved')
    expect(asked).toEqual([machine])
    known.use(machine, { password: 'saved', onlyFor: 'B2' })
    expect(await known.passwordFor(machine, signal)).toBeUndefined()
  })

  it('that was saved is withheld from a device that does not tell who it is, and that is said when the device asks', async () => {
    const { passwords: known } = passwords({ uniqueId: null })
    known.use(machine, { password: 'saved', onlyFor: 'A1' })
    expect(await known.passwordFor(machine, signal)).toBeUndefined()
    const refused = new AppError('FORBIDDEN', 'The Ultimate wants a password.')
    expect(known.explain(machine, refused)).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(/was not sent/) as string,
    })
    const unreachable = new AppError('UNREACHABLE', 'Nothing answers.')
    expect(known.explain(machine, unreachable)).toBe(unreachable)
    known.forget(machine)
    expect(known.explain(machine, refused)).toBe(refused)
  })

  it('is not used any more once it is forgotten', async () => {
    const { passwords: known } = passwords()
    known.use(machine, { password: 'typed', onlyFor: null })
    known.forget(machine)
    expect(await known.passwordFor(machine, signal)).toBeUndefined()
  })

  it('of the configuration serves where none was handed over, and never replaces one that was', async () => {
    const { passwords: known } = passwords({ configured: 'of the file', uniqueId: 'other' })
    expect(await known.passwordFor(machine, signal)).toBe('of the file')
    known.use(machine, { password: 'saved', onlyFor: 'A1' })
    expect(await known.passwordFor(machine, signal)).toBeUndefined()
  })

  it('goes to no machine that takes none', async () => {
    const { passwords: known } = passwords({ configured: 'x' })
    known.use('vice:6502', { password: 'typed', onlyFor: null })
    expect(await known.passwordFor('vice:6502', signal)).toBeUndefined()
  })
})
