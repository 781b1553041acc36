import { describe, expect, it } from 'vitest'
import { crewState } from '../../../test/support/crewState'
import { agentFor, llmOf, resolve } from './resolve'

const manifest =
  'crew:\n  default_llm: claude\n  experts:\n    - role: product-owner\n      phase: discovery\n    - role: architect\n    - role: developer\n      phase: User Tests\n      llm: gemini-2.5-pro\n'
const architect = '---\nrole: architect\nphase: architecture\nllm_override: codex\n---\n# Architect\n'
const files = { '.noodlecrew/manifest.yml': manifest, '.noodlecrew/experts/architect/EXPERT.md': architect }
const turn = (tasks: string, more: Readonly<Record<string, string>> = files) => {
  const resolution = resolve(crewState({ ...more, 'tasks.md': tasks }))
  return 'code' in resolution ? resolution.code : [resolution.turn.expert.role, resolution.turn.task]
}

describe('the next turn', () => {
  it('is that of the first phase with an open task, by the order of tasks.md', () => {
    expect(
      turn(
        '## Discovery Phase\n- [x] a\n## Architecture Phase\n- [x] b\n- [ ] c\n- [ ] d\n## User Tests Phase\n- [ ] e\n',
      ),
    ).toEqual(['architect', 'c'])
    expect(turn('## Architecture Phase - COMPLETE\n- [ ] b\n## Discovery Phase\n- [ ] a\n')).toEqual(['architect', 'b'])
  })

  it('finds the expert by the phase’s slug, in the manifest or in its EXPERT.md', () => {
    expect(turn('## User Tests Phase ⏳ PENDING\n- [ ] a\n')).toEqual(['developer', 'a'])
    expect(turn('## DISCOVERY phase\n- [ ] a\n')).toEqual(['product-owner', 'a'])
  })

  it('takes the list that counts, and no checkbox in a fence or above the first phase', () => {
    expect(
      turn('- [ ] stray\n## Discovery Phase\n```\n- [ ] no task\n```\n- [ ] a\n', {
        ...files,
        'TODO.md': '## Discovery Phase\n- [ ] old\n',
      }),
    ).toEqual(['product-owner', 'a'])
    expect(
      turn('## Discovery Phase\n- [ ] a\n', { ...files, '.noodlecrew/tasks.md': '## Architecture Phase\n- [ ] b\n' }),
    ).toEqual(['architect', 'b'])
  })

  it('with everything checked is the last phase’s, to say that the crew is done', () => {
    expect(turn('## Discovery Phase\n- [x] a\n## Architecture Phase\n- [x] b\n')).toEqual(['architect', undefined])
  })

  it('is nobody’s without tasks, 5, or without an expert for the phase, 3', () => {
    expect(turn('# Tasks\n')).toBe(5)
    expect(turn('## Marketing Phase\n- [ ] a\n')).toBe(3)
  })
})

describe('the agent of an expert', () => {
  const state = crewState(files)
  const llms = state.experts.map((expert) => llmOf(state, expert))

  it('is the manifest’s, the expert’s own or the default', () => {
    expect(llms).toEqual(['claude', 'codex', 'gemini-2.5-pro'])
    expect(state.experts.map((expert) => llmOf(state, expert, 'mine'))).toEqual(['mine', 'codex', 'gemini-2.5-pro'])
  })

  it('is the one of that name, else the one that the model’s name starts with', () => {
    const names = ['Claude', 'gemini', 'mine']
    expect(agentFor('claude', names)).toEqual({ agent: 'Claude' })
    expect(agentFor('claude-opus-4.5', names)).toEqual({ agent: 'Claude', model: 'claude-opus-4.5' })
    expect(agentFor('gemini-2.5-flash', names)).toEqual({ agent: 'gemini', model: 'gemini-2.5-flash' })
    expect(agentFor('codex', names)).toBeUndefined()
  })

  it('is none for a name that could be more than a name', () => {
    for (const name of ['gemini --yolo', 'gemini;rm', '--model', 'gemini\n', ''])
      expect(agentFor(name, ['gemini', 'claude'])).toBeUndefined()
  })
})
