import { describe, expect, it } from 'vitest'
import { endingWith } from './endingWith'

describe('a run that ends with its signal', () => {
  const never = () => new Promise<never>(() => undefined)

  it('gives what it came to, also when it ends after the signal', async () => {
    const controller = new AbortController()
    let finish = (_result: string): void => undefined
    const run = new Promise<string>((resolve) => (finish = resolve))
    controller.abort(new Error('stop'))
    const ending = endingWith(run, controller.signal, 10_000)
    finish('done')
    expect(await ending).toBe('done')
  })

  it('is given up with the signal’s reason when it does not heed it', async () => {
    const controller = new AbortController()
    const ending = endingWith(never(), controller.signal, 1)
    controller.abort(new Error('stop'))
    await expect(ending).rejects.toThrow('stop')
    await expect(endingWith(never(), controller.signal, 1)).rejects.toThrow('stop')
  })

  it('fails as its run does', async () => {
    await expect(endingWith(Promise.reject(new Error('no disk')), new AbortController().signal, 1)).rejects.toThrow(
      'no disk',
    )
  })
})
