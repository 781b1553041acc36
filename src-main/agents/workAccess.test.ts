import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { presetNames } from '@shared/agentPresets'
import type { Agent } from '@shared/contract/agents'
import { TestRepository } from '../../test/support/repository'
import type { AgentRequest } from './agent'
import { suggestedAgent } from './agentSetups'
import { giveWork } from './workAccess'

let repository: TestRepository
beforeEach(() => {
  repository = new TestRepository()
})
afterEach(() => repository.remove())

const give = (
  agent: Partial<Agent> & Pick<Agent, 'preset'>,
  identity?: AgentRequest['identity'],
  cwd = repository.root,
) => giveWork({ ...suggestedAgent(agent.preset), ...agent }, { cwd, ...(identity ? { identity } : {}) })

describe('an agent that works in a trusted folder', () => {
  it('is trusted there as Gemini CLI too, unless the person passes the variable', async () => {
    const trust = 'GEMINI_CLI_TRUST_WORKSPACE'
    expect(await give({ preset: 'gemini' })).toEqual({ args: [], environment: { [trust]: 'true' } })
    expect(await give({ preset: 'gemini', environment: [trust] })).toEqual({ args: [], environment: {} })
  })

  it('commits as the person as Gemini CLI too, which hides their settings of git', async () => {
    const ada = { name: 'Ada', email: 'ada@example.org' }
    const { environment } = await give({ preset: 'gemini' }, () => Promise.resolve(ada))
    expect(environment).toMatchObject({
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'user.name',
      GIT_CONFIG_VALUE_0: 'Ada',
      GIT_CONFIG_KEY_1: 'user.email',
      GIT_CONFIG_VALUE_1: 'ada@example.org',
    })
    for (const identity of [() => Promise.resolve(null), () => Promise.reject(new Error('There is no git.'))])
      expect((await give({ preset: 'gemini' }, identity)).environment).not.toHaveProperty('GIT_CONFIG_COUNT')
  })

  it('as Codex CLI may write where a commit is written', async () => {
    expect((await give({ preset: 'codex' })).args).toEqual(['--add-dir', join(repository.root, '.git')])
  })

  it('as Codex CLI starts outside of a repository, too', async () => {
    const beside = mkdtempSync(join(tmpdir(), 'bridgedeck-beside-'))
    const flag = '--skip-git-repo-check'
    try {
      expect((await give({ preset: 'codex' }, undefined, beside)).args).toEqual([flag])
      expect((await give({ preset: 'codex', args: [flag] }, undefined, beside)).args).toEqual([])
    } finally {
      rmSync(beside, { recursive: true })
    }
  })

  it('gets nothing else', async () => {
    for (const preset of presetNames.filter((name) => name !== 'gemini' && name !== 'codex'))
      expect(await give({ preset })).toEqual({ args: [], environment: {} })
  })
})
