/** What real skills say that looks like a fault, and how sure a finding is. The texts are our own. */
import { describe, expect, it } from 'vitest'
import { scanSkill, type Area } from './scan'

const fenced = (code: string, language = 'js'): string => `\`\`\`${language}\n${code}\n\`\`\`\n`

/** `pattern`, with a question mark where the finding is of low confidence. */
function found(area: Area, texts: Readonly<Record<string, string>>): string[] {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }))
  return scanSkill(files, [area], () => 0).flatMap((scan) =>
    scan.found.map(({ pattern, confidence }) => `${pattern}${confidence === 'low' ? '?' : ''}`),
  )
}

const inPhase = (area: Area, text: string): string[] => found(area, { 'phases/1.md': text })

describe('A return that carries content', () => {
  it.each([
    ['a yes or no about the content', 'return { hasContent: content.length > 100, isContent: false }'],
    ['a text about it', "const issue = { cause: 'The agent must return the full output of its run' }"],
    ['a title made from a template', 'return { ...step, content: `✓ ${step.name} done` }'],
    ['one of two titles', "return { content: skipped ? 'skipped' : `took ${seconds} s` }"],
  ])('is not %s', (_, code) => {
    expect(inPhase('context', fenced(code))).toEqual([])
  })

  it('is not a file in a tree or a list of what is written where', () => {
    expect(inPhase('context', fenced('├── run.log   # Full test output\n└── a.md   # complete report', ''))).toEqual([])
    expect(inPhase('context', '**Output**: notes.md (the complete report)')).toEqual([])
    expect(inPhase('context', '- **Output stored**: full analysis in notes.md')).toEqual([])
  })

  it('is unsure for a function that may be a parser, and sure for one that says that it returns all', () => {
    expect(inPhase('context', fenced('return { content, tags }'))).toEqual(['agent_return_bloat?'])
    expect(inPhase('context', fenced('return { full_output: text }'))).toEqual(['agent_return_bloat'])
  })

  it('is sure where a prompt asks for it', () => {
    const prompt = 'Review the file. Return the complete report.'
    expect(inPhase('context', fenced(`Task({ prompt: '${prompt}' })`))).toEqual(['agent_return_bloat'])
    expect(inPhase('context', prompt)).toEqual(['agent_return_bloat'])
  })
})

describe('A history that grows', () => {
  it('is not one that is cut where it grows', () => {
    expect(inPhase('context', fenced('update({ history: [...state.history, { reply }].slice(-10) })'))).toEqual([])
  })

  it('is sure for replies and messages, and unsure for a record of what was done', () => {
    expect(inPhase('context', fenced('history.push(reply)'))).toEqual(['history_accumulation'])
    expect(inPhase('context', fenced('messages.push(x)'))).toEqual(['history_accumulation'])
    expect(inPhase('context', fenced('config.iteration_history.push({ iteration, score })'))).toEqual([
      'history_accumulation?',
    ])
  })

  it('is sure for a record that goes into a prompt', () => {
    const code = 'state.action_history.push({ action })\nTask({ prompt: `Done so far: ${state.action_history}` })'
    expect(inPhase('context', fenced(code))).toContain('history_accumulation')
  })
})

describe('An agent that is called without error handling', () => {
  const calls = (form: (index: number) => string) => fenced([1, 2, 3].map(form).join('\n'))
  const used = calls((index) => `const result${index} = await Task({ prompt: 'Draw sprite ${index}.' })`)

  it('is sure where the result is used in a step', () => {
    expect(found('agent', { 'phases/1.md': used })).toContain('error_handling')
  })

  it('is unsure for a call that a model makes: nothing there can be caught', () => {
    const template = calls((index) => `Task({ prompt: 'Draw sprite ${index}.' })`)
    expect(found('agent', { 'phases/1.md': template })).toEqual(['error_handling?', 'result_validation?'])
  })

  it('is unsure where the skill says what happens after a failure', () => {
    const section = '## Error Handling\n\n| An agent fails | Retry once |\n'
    expect(found('agent', { 'phases/1.md': `${used}\n${section}` })).toContain('error_handling?')
    expect(found('agent', { 'SKILL.md': section, 'phases/1.md': used })).toContain('error_handling?')
    expect(found('agent', { 'SKILL.md': '## 错误处理\n', 'phases/1.md': used })).toContain('error_handling?')
  })

  it('is unsure for an example under specs, templates or references', () => {
    for (const folder of ['specs', 'templates', 'references/deep'])
      expect(found('agent', { [`${folder}/a.md`]: used })).toEqual(['error_handling?', 'result_validation?'])
  })

  it('is unsure for an agent in the background, whose result is read later', () => {
    const code = calls((index) => `const id${index} = Task({ prompt: 'Draw.', run_in_background: true })`)
    expect(found('agent', { 'phases/1.md': code })).toEqual(['error_handling?', 'result_validation?'])
  })

  it('is not made good by an error that is swallowed', () => {
    const swallowed = 'try { const a = await Task({ prompt: "Draw." }); use(check(a)) } catch (error) {}'
    expect(found('agent', { 'a.md': fenced(swallowed) })).toEqual(['error_handling'])
    const chained = 'const a = check(await Task({ prompt: "Draw." }).catch(() => {}))'
    expect(found('agent', { 'a.md': fenced(chained) })).toEqual(['error_handling'])
    const handled = 'try { const a = await Task({ prompt: "Draw." }); use(check(a)) } catch (error) { stop(error) }'
    expect(found('agent', { 'a.md': fenced(handled) })).toEqual([])
  })
})

describe('Constraints of the first phase', () => {
  const first = '# Collect\n\n[CONSTRAINTS]\n- Never change the colours of the picture\n'

  it('are not lost where SKILL.md has them, which every phase sees', () => {
    const skill = '## Rules\n- Never change the colours of the picture\n'
    expect(found('memory', { 'SKILL.md': skill, 'phases/1.md': first, 'phases/2.md': 'Draw.' })).toEqual([])
  })

  it('may be passed on where a later phase speaks of constraints', () => {
    const later = 'Read notes.md and take the key constraints of it.'
    expect(found('memory', { 'phases/1.md': first, 'phases/2.md': later })).toEqual(['constraint_propagation?'])
    expect(found('memory', { 'phases/1.md': first, 'phases/2.md': 'Draw.' })).toEqual(['constraint_propagation'])
  })

  it('are none where a template only has a place for them', () => {
    const template = fenced('Write(notes, `# Notes\n\n## Constraints\n1. ${userConstraints}\n`)')
    expect(found('memory', { 'phases/1.md': template, 'phases/2.md': 'Draw.' })).toEqual([])
  })
})

describe('JSON that is read without validation', () => {
  it('is not made good by an error that is swallowed', () => {
    const swallowed = 'let a\ntry { a = JSON.parse(text) } catch (error) { }\nuse(a)'
    expect(found('dataflow', { 'phases/1.md': fenced(swallowed) })).toContain('missing_validation')
  })

  it.each([
    'let a = {}\ntry { a = JSON.parse(text) } catch {}\nuse(a)',
    'try { return JSON.parse(text) } catch {}\nreturn {}',
  ])('is none where the code has another value: %j', (code) => {
    expect(found('dataflow', { 'phases/1.md': fenced(code) })).toEqual([])
  })
})

describe('State in several places', () => {
  it('is no copy for a preview, a backup or the result', () => {
    const folders = ['workDir', 'previewDir', 'destDir', 'backupDir']
    const writes = folders.map((folder) => `Write(\`\${${folder}}/team-config.json\`, config)`)
    const read = 'Read(`${workDir}/team-config.json`)'
    expect(found('dataflow', { 'phases/1.md': fenced([...writes, read].join('\n')) })).toEqual([])
  })
})

describe('An orchestrator without a state schema', () => {
  it('is unsure where it keeps no state', () => {
    expect(found('dataflow', { 'phases/orchestrator.md': 'Run the commands one after the other.' })).toEqual([
      'missing_state_schema?',
    ])
    expect(
      found('dataflow', { 'phases/orchestrator.md': 'Read state.json, choose the next action, write state.json.' }),
    ).toEqual(['missing_state_schema'])
  })

  it('is none where the orchestrator defines its state itself', () => {
    const inline = fenced('interface State { step: string }\nfunction validateState(state) {}', 'ts')
    expect(found('dataflow', { 'phases/orchestrator.md': inline })).toEqual([])
  })
})

describe('A diagnosis', () => {
  it('is as severe as its sure findings', () => {
    const unsure = ['1', '2', '3', '4'].map((name) => ({
      path: `phases/${name}.md`,
      text: fenced('return { content, tags }'),
    }))
    const [scan] = scanSkill(unsure, ['context'], () => 0)
    expect(scan?.diagnosis).toMatchObject({ issues_found: 4, severity: 'none' })
    expect(scan?.diagnosis.details.evidence[0]).toMatchObject({ confidence: 'low' })
  })
})
