import { describe, expect, it } from 'vitest'
import { agentEnvironment } from './environment'

describe('the environment of an agent', () => {
  const from = {
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C',
    ANTHROPIC_API_KEY: 'key',
    C64U_PASSWORD: 'secret',
    NODE_OPTIONS: '--require x',
    ELECTRON_RUN_AS_NODE: '1',
    SystemRoot: 'C:\\Windows',
  }

  it('holds what every program needs, and nothing else', () => {
    expect(agentEnvironment([], from, 'linux')).toEqual({ PATH: '/bin', HOME: '/home/me', LC_ALL: 'C' })
    expect(agentEnvironment([], from, 'win32')).toHaveProperty('SystemRoot')
  })

  it('holds what the person chose by name, where it is set', () => {
    expect(agentEnvironment(['ANTHROPIC_API_KEY', 'GEMINI_API_KEY'], from, 'linux')).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
      LC_ALL: 'C',
      ANTHROPIC_API_KEY: 'key',
    })
  })
})
