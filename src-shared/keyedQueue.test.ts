import { describe, expect, it } from 'vitest'
import { KeyedQueue } from './keyedQueue'

describe('a queue by keys', () => {
  it('does the work of one key in order, and that of others meanwhile', async () => {
    const queue = new KeyedQueue()
    const order: string[] = []
    let finish: () => void = () => undefined
    const first = queue.run('a', async () => {
      await new Promise<void>((resolve) => (finish = resolve))
      order.push('a1')
    })
    const second = queue.run('a', async () => void order.push('a2'))
    await queue.run('b', async () => void order.push('b1'))
    finish()
    await Promise.all([first, second])
    expect(order).toEqual(['b1', 'a1', 'a2'])
  })

  it('goes on after work that failed, and tells its caller alone', async () => {
    const queue = new KeyedQueue()
    const failed = queue.run('a', () => Promise.reject(new Error('no disk')))
    const next = queue.run('a', async () => 'done')
    await expect(failed).rejects.toThrow('no disk')
    expect(await next).toBe('done')
    await queue.drained()
  })
})
