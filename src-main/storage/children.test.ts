import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { childIsAlive, ownStart } from './children'

describe.runIf(process.platform === 'linux')('a process', () => {
  it('is no longer alive once it has ended, though its parent never asks for it', async () => {
    const startedAt = Date.now()
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    await expect.poll(() => childIsAlive({ pid, startedAt })).toBe(false)
    // The system still has its number.
    expect(process.kill(pid, 0)).toBe(true)
    parent.kill()
    await once(parent, 'exit')
  })

  it('is alive though the clock was set back since it started, and another one where its number is used again', () => {
    expect(childIsAlive({ pid: process.pid, startedAt: ownStart() + 3_600_000 })).toBe(true)
    expect(childIsAlive({ pid: process.pid, startedAt: ownStart() - 3_600_000 })).toBe(false)
  })
})
