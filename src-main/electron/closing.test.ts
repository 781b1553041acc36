import { describe, expect, it, vi } from 'vitest'
import { Closing, type ClosingAnswer, type LiveWork } from './closing'

const task = (name: string): LiveWork => ({ kind: 'task', name })
const agent = (name: string): LiveWork => ({ kind: 'agent', name })

function closing(work: LiveWork[] | Error, answer: ClosingAnswer = 'cancel') {
  const done: string[] = []
  const parts = {
    liveWork: () => (work instanceof Error ? Promise.reject(work) : Promise.resolve(work)),
    stopWork: () => Promise.resolve(void done.push('stop')),
    ask: vi.fn(() => Promise.resolve(answer)),
    close: () => void done.push('close'),
    hide: () => void done.push('hide'),
    log: () => undefined,
  }
  return { closing: new Closing(parts), ask: parts.ask, done }
}

describe('a window that is closed', () => {
  it.each([
    ['without tasks', []],
    ['without a bridge', new Error('the bridge has ended')],
  ])('%s closes without a question', async (_what, tasks) => {
    const { closing: asked, ask, done } = closing(tasks)
    expect(asked.allows()).toBe(false)
    await expect.poll(() => done).toEqual(['close'])
    expect(asked.allows()).toBe(true)
    expect(ask).not.toHaveBeenCalled()
  })

  it('with tasks is hidden when they are to go on, and asks again the next time', async () => {
    const { closing: asked, ask, done } = closing([task('0001_read')], 'keepRunning')
    asked.allows()
    await expect.poll(() => done).toEqual(['hide'])
    expect(ask).toHaveBeenCalledWith({
      message: 'A task is running.',
      detail: expect.stringContaining('0001_read') as string,
    })
    expect(asked.allows()).toBe(false)
  })

  it('with tasks closes once they are stopped', async () => {
    const { closing: asked, done } = closing([task('0001_read')], 'stop')
    asked.allows()
    await expect.poll(() => done).toEqual(['stop', 'close'])
  })

  it.each([
    ['An agent is running.', [agent('coder: try it')]],
    ['2 agents are running.', [agent('coder: one'), agent('coder: two')]],
    ['2 tasks and agents are running.', [task('0001_read'), agent('coder: try it')]],
  ])('with agents says so: %s', async (message, work) => {
    const { closing: asked, ask } = closing(work)
    asked.allows()
    await expect.poll(() => ask.mock.calls.length).toBe(1)
    expect(ask).toHaveBeenCalledWith({ message, detail: expect.stringContaining('coder:') as string })
  })

  it('asks once, also when it is closed twice, names five and counts the others', async () => {
    const { closing: asked, ask, done } = closing(Array.from({ length: 8 }, (_, index) => task(`000${index}_read`)))
    asked.allows()
    asked.allows()
    await expect.poll(() => ask.mock.calls.length).toBe(1)
    expect(ask).toHaveBeenCalledWith({
      message: '8 tasks are running.',
      detail: expect.stringMatching(/0004_read\nand 3 more/) as string,
    })
    expect(done).toEqual([])
  })
})
