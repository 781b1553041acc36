import { describe, expect, it } from 'vitest'
import { crewState } from '../../../test/support/crewState'
import { buildPrompt, type PromptParts } from './prompt'

const file = (path: string, text: string | null) => ({ path, text })
const parts: PromptParts = {
  role: 'product-owner',
  phase: 'discovery',
  task: 'Write the "vision" for $5',
  expert: file('.noodlecrew/experts/product-owner/EXPERT.md', '---\nrole: product-owner\n---\n# Owner\n'),
  workflow: file('.noodlecrew/WORKFLOW.md', 'feat({{phase}}): {{task}} by {{role}}, {{ number }}\n'),
  idea: file('IDEA.md', '\uFEFFAn idea with {{phase}}.\n'),
  index: file('INDEX.md', 'The index.\n'),
  tasks: file('.noodlecrew/tasks.md', 'The tasks.\n'),
  questions: [],
  artefacts: [file('docs/a.md', 'A\n'), file('docs/discovery/b.md', null)],
  templates: [file('vision.md', 'Look:\n````js\n````\n')],
  openBoxes: [],
  questionsFolder: 'questions',
}
const none = {
  expert: undefined,
  workflow: undefined,
  idea: undefined,
  index: undefined,
  tasks: undefined,
  artefacts: [],
  templates: [],
}
const headings = (prompt: string) => [...prompt.matchAll(/^# (\S.*)$/gm)].map(([, heading]) => heading)

describe('the prompt of a turn', () => {
  it('has its eight parts in their order, and ends with START NOW', () => {
    const prompt = buildPrompt({ ...parts, expert: file('EXPERT.md', 'Owner') })
    expect(headings(prompt)).toEqual([
      'ROLE',
      'WORKFLOW',
      'INPUT: IDEA.md',
      'STATE: INDEX.md',
      'TASKS: tasks.md',
      'CONTEXT: Previous Artifacts',
      'TEMPLATES',
      'INSTRUCTION',
    ])
    expect(prompt.split('\n\n---\n\n')).toHaveLength(8)
    expect(prompt.trimEnd().endsWith('**START NOW.**')).toBe(true)
    expect(prompt.match(/^\d\. /gm)).toHaveLength(8)
  })

  it('says of each part that is missing that it was not found', () => {
    const prompt = buildPrompt({ ...parts, ...none })
    for (const name of [
      'EXPERT.md',
      'WORKFLOW.md',
      'IDEA.md',
      'INDEX.md',
      'tasks.md',
      'previous artifacts',
      'templates',
    ])
      expect(prompt).toContain(`_No ${name} found_`)
  })

  it('names the phase and the task in the crew’s own texts, and leaves the person’s as they are', () => {
    const prompt = buildPrompt(parts)
    expect(prompt).toContain('feat(discovery): Write the "vision" for $5 by product-owner, {{ number }}')
    expect(prompt).toContain('An idea with {{phase}}.')
  })

  it('has everything that was made, each under its path', () => {
    expect(buildPrompt(parts)).toContain('## docs/a.md\n\nA\n\n## docs/discovery/b.md\n\n_This file could not be read_')
  })

  it('has templates in fences that nothing in them closes', () => {
    expect(buildPrompt(parts)).toContain('## vision.md\n\n`````markdown\nLook:\n````js\n````\n`````')
  })

  it('names the files where they are, and a commit message that a shell takes as it stands', () => {
    const prompt = buildPrompt(parts)
    expect(prompt).toContain('Read `.noodlecrew/tasks.md` again')
    expect(prompt).toContain('`docs/discovery/`')
    expect(prompt).toContain('git commit -m "feat(discovery): Write the vision for 5"')
  })

  it('has every resolved answer each time, and no question that waits or has none', () => {
    const question = (title: string, status: string, answer: string) =>
      `---\nstatus: ${status}\ncreated: "2026-01-28"\n---\n# BLOCKER: ${title}\n## Context\nc\n## Question\nSAML or\nOIDC?\n\n## Options\n- A\n\n---\n\n## Your Answer\n${answer}`
    const { questions } = crewState({
      'tasks.md': '',
      '.noodlecrew/CREW.md': '',
      'questions/a-001-x.md': question('Sign-on', 'resolved', '**Decision:** SAML\n**Reason:** asked for\n'),
      'questions/a-002-y.md': question(
        'Region',
        'resolved',
        '**Decision**: EU\n**Reason**: ___\n**Date**: 2026-02-01\n',
      ),
      'questions/a-003-z.md': question('Price', 'pending', '**Decision:** ___\n'),
      'questions/a-004-z.md': question('Name', 'resolved', '**Decision:** ___\n'),
    })
    const prompt = buildPrompt({ ...parts, questions })
    expect(/## Previously Resolved Questions[^]*?(?=\n\n---\n)/.exec(prompt)?.[0]).toBe(
      '## Previously Resolved Questions\n\n### BLOCKER: Sign-on\n\n**Question:** SAML or\nOIDC?\n\n**Answer:** SAML - asked for\n\n**Date:** 2026-01-28\n\n### BLOCKER: Region\n\n**Question:** SAML or\nOIDC?\n\n**Answer:** EU\n\n**Date:** 2026-02-01',
    )
    expect(buildPrompt(parts)).not.toContain('Previously Resolved')
  })

  it('with everything checked asks whether the crew is done', () => {
    const prompt = buildPrompt({ ...parts, task: undefined })
    expect(prompt).toContain('there is no `CREW_COMPLETE`')
    expect(prompt).not.toContain('undefined')
    expect(prompt).not.toContain('boxes')
  })

  it('names open boxes outside the phases in the turn without a task', () => {
    const openBoxes = ['Success criteria: It is fast']
    expect(buildPrompt({ ...parts, task: undefined, openBoxes })).toContain('\n- Success criteria: It is fast\n')
    expect(buildPrompt({ ...parts, openBoxes })).not.toContain('It is fast')
  })
})
