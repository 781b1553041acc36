import { join } from 'node:path'
import { homedir } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { agentPrograms, notInstalled, programCache, variableOf, versionUsed } from './agentPrograms.mjs'

describe('the cache of agents’ programs', () => {
  it('is where the system keeps caches of the person, never in the tree', () => {
    expect(programCache({ XDG_CACHE_HOME: '/caches' }, 'linux')).toBe(join('/caches', 'bridgedeck', 'agents'))
    expect(programCache({ XDG_CACHE_HOME: 'relative' }, 'linux')).toBe(
      join(homedir(), '.cache', 'bridgedeck', 'agents'),
    )
    expect(programCache({}, 'darwin')).toBe(join(homedir(), 'Library/Caches', 'bridgedeck', 'agents'))
    expect(programCache({ LOCALAPPDATA: '/local' }, 'win32')).toBe(join('/local', 'bridgedeck', 'agents'))
  })
})

describe('a version of an agent’s program', () => {
  it('is pinned exactly', () => {
    for (const { version } of Object.values(agentPrograms)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('is the newest one where that was chosen, and named where it is not installed', () => {
    vi.stubEnv(variableOf('codex'), '9.9.9')
    expect(versionUsed('codex')).toBe('9.9.9')
    expect(notInstalled('codex')).toContain('Codex CLI 9.9.9 is not installed.')
    vi.unstubAllEnvs()
    expect(versionUsed('codex')).toBe(agentPrograms.codex.version)
  })
})
