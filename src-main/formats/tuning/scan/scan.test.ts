import { describe, expect, it } from 'vitest'
import { diagnosisAreas } from '../schema'
import { scanSkill, type Area } from './scan'
import type { SkillFile } from './skillText'

const fenced = (code: string, language = 'js'): string => `\`\`\`${language}\n${code}\n\`\`\`\n`

/** `pattern file:line` of what the scanner of an area finds. */
function found(area: Area, texts: Readonly<Record<string, string>>): string[] {
  const files = Object.entries(texts).map(([path, text]): SkillFile => ({ path, text }))
  return scanSkill(files, [area], () => 0).flatMap(({ diagnosis }) =>
    diagnosis.details.evidence.map(
      ({ pattern, file, line }) => `${pattern} ${file}${line === undefined ? '' : `:${line}`}`,
    ),
  )
}

const inPhase = (area: Area, text: string): string[] =>
  found(area, { 'phases/1.md': text }).map((place) => place.replace(' phases/1.md', ''))

describe('The context scanner', () => {
  it.each([
    ['push', 'history.push(reply)'],
    ['concat', 'state.messages = state.messages.concat(reply)'],
    ['append', 'conversation.append(reply)'],
    ['spread', 'const next = { messages: [...messages, reply] }'],
    ['+=', 'conversation += reply'],
  ])('finds a history that grows by %s', (_, code) => {
    expect(inPhase('context', fenced(code))).toEqual(['history_accumulation:2'])
  })

  it.each([
    ['a list of something else', 'files.push(path)'],
    ['one that is kept short', 'history.push(reply)\nhistory = history.slice(-5)'],
    ['navigation', "history.push('/home')"],
    ['a comment', '// history.push(reply)'],
    ['a pattern’s own text', 'const pattern = /history\\.push\\(/\nconst name = "history.push("'],
    ['an example of what not to do', '// Bad\nhistory.push(reply)\n\n// Good\nsave(reply)'],
  ])('does not take %s for a history that grows', (_, code) => {
    expect(inPhase('context', fenced(code))).toEqual([])
  })

  it('tells an instruction from a warning and from what happens to be called so', () => {
    expect(inPhase('context', '1. Append each reply to the conversation history.')).toEqual(['history_accumulation:1'])
    expect(inPhase('context', 'Never append replies to the conversation history.')).toEqual([])
    expect(inPhase('context', 'Append the entry to the version history of the page.')).toEqual([])
    expect(inPhase('context', 'Append each reply to the history and keep the last 5 only.')).toEqual([])
  })

  it('leaves out a section and a fence that show what not to do', () => {
    const bad = fenced('history.push(reply)')
    expect(inPhase('context', `## Anti-patterns\n\n${bad}\n## Steps\n`)).toEqual([])
    expect(inPhase('context', `❌ Bad:\n${bad}`)).toEqual([])
    expect(inPhase('context', `## Anti-patterns\n\n## Steps\n\n${bad}`)).toEqual(['history_accumulation:6'])
  })

  it.each([
    ['the state', 'Task({ prompt: `Go on: ${JSON.stringify(state)}` })'],
    ['a file that is read', 'Task({ prompt: "Review: " + Read(path) })'],
    ['files that are joined', 'const prompt = files.map((file) => Read(file)).join("\\n")'],
    ['a slot named content', 'const prompt = `Review this: ${fileContent}`'],
  ])('finds %s in a prompt', (_, code) => {
    expect(inPhase('context', fenced(code))).toEqual(['full_content_passing:2'])
  })

  it.each([
    ['state that is saved', 'Write(`${dir}/state.json`, JSON.stringify(state, null, 2))'],
    ['a path', 'Task({ prompt: `Read ${contentPath} and review it` })'],
    ['a part', 'Task({ prompt: `Go on: ${JSON.stringify(state.goal)}` })'],
    ['a file that is parsed', 'const state = JSON.parse(Read(path))'],
    ['a summary', 'Task({ prompt: `Review: ${summary.content}` })'],
  ])('does not take %s for whole content', (_, code) => {
    expect(inPhase('context', fenced(code))).toEqual([])
  })

  it('finds returns that carry the content, in code and in prose', () => {
    expect(inPhase('context', fenced('return { path, content: text }'))).toEqual(['agent_return_bloat:2'])
    expect(inPhase('context', fenced('return full_output', 'python'))).toEqual(['agent_return_bloat:2'])
    expect(inPhase('context', 'Return the complete report.')).toEqual(['agent_return_bloat:1'])
    expect(inPhase('context', fenced('return { path, contentType }'))).toEqual([])
    expect(inPhase('context', 'Return only the path of the complete report.')).toEqual([])
  })

  it('wants a long phase to summarise', () => {
    const long = 'Ask for the next sprite. '.repeat(201)
    expect(inPhase('context', long)).toEqual(['missing_summarization'])
    expect(inPhase('context', `${long} Summarise the answers.`)).toEqual([])
    expect(found('context', { 'notes/1.md': long })).toEqual([])
  })
})

describe('The memory scanner', () => {
  const first = '# Collect\n\n[CONSTRAINTS]\n- Never change the colours of the picture\n- At most 63 bytes a sprite\n'
  const repeated = 'Draw. Never change the colours, as asked. Save a snapshot.'

  it('finds phases that repeat none of the first one’s constraints', () => {
    expect(found('memory', { 'phases/1.md': first, 'phases/2.md': 'Draw.', 'phases/3.md': repeated })).toEqual([
      'constraint_propagation phases/2.md',
    ])
    const byName = 'Apply all constraints of the first phase.'
    expect(found('memory', { 'phases/1.md': first, 'phases/2.md': byName })).toEqual([])
    expect(found('memory', { 'phases/actions/1.md': first, 'phases/actions/2.md': 'Draw.' })).toEqual([
      'constraint_propagation phases/actions/2.md',
    ])
  })

  it('finds a late task without constraints, requirements or rules', () => {
    const task = fenced('[TASK]\nDraw the sprite.', '')
    const [one, two] = ['Ask.', 'Cut.']
    expect(found('memory', { 'phases/1.md': one, 'phases/2.md': two, 'phases/3.md': task })).toEqual([
      'goal_drift phases/3.md:2',
    ])
    const bound = fenced('[TASK]\nDraw.\n[RULES]\n- 63 bytes', '')
    expect(found('memory', { 'phases/1.md': one, 'phases/2.md': task, 'phases/3.md': bound })).toEqual([])
  })

  it('wants checkpoints in the middle and at the end, and a check in SKILL.md, of more than three phases', () => {
    const phases = { 'phases/1.md': 'a', 'phases/2.md': 'b', 'phases/3.md': 'c' }
    expect(found('memory', { 'SKILL.md': '# Skill', ...phases })).toEqual([])
    expect(found('memory', { 'SKILL.md': '# Skill', ...phases, 'phases/4.md': 'Write a checkpoint.' })).toEqual([
      'checkpoint_mechanism phases/3.md',
      'missing_verification SKILL.md',
    ])
    const checked = {
      'SKILL.md': 'Check the result against all requirements.',
      ...phases,
      'phases/3.md': 'A snapshot.',
    }
    expect(found('memory', { ...checked, 'phases/4.md': 'A savepoint.' })).toEqual([])
  })

  it('wants a place for constraints in the state schema', () => {
    const schema = (fields: string) => ({ 'phases/state-schema.md': fenced(`interface State { ${fields} }`, 'ts') })
    expect(found('memory', schema('status: string'))).toEqual(['state_schema_constraints phases/state-schema.md'])
    expect(found('memory', schema('original_request: string'))).toEqual([])
    expect(found('memory', schema('taskConstraints: string[]'))).toEqual([])
  })
})

describe('The data flow scanner', () => {
  it('finds state in more than two places', () => {
    const writes = ['Write("a/state.json", x)', 'Write(`${dir}/state.json`, x)', 'Write("config.json", x)']
    const read = 'for (const name of ["state.json", "config.json"]) Read(name) // reads state.json and config.json'
    expect(found('dataflow', { 'a.md': fenced([...writes, read].join('\n')) })).toEqual([
      'scattered_state a.md:2',
      'scattered_state a.md:3',
      'scattered_state a.md:4',
    ])
    expect(
      found('dataflow', {
        'a.md': fenced([...writes.slice(1), 'Write("tsconfig.json", x)', read, 'Read("tsconfig.json")'].join('\n')),
      }),
    ).toEqual([])
  })

  it('finds one thing under two names, and only of one variable', () => {
    expect(
      found('dataflow', { 'a.md': fenced('use(task.id)\nuse(task.id)'), 'b.md': fenced('use(task.identifier)') }),
    ).toEqual(['inconsistent_naming b.md:2'])
    expect(found('dataflow', { 'a.md': fenced('use(task.id)\nuse(step.identifier)') })).toEqual([])
    expect(found('dataflow', { 'a.md': fenced('const id = task.id ?? task.identifier') })).toEqual([])
  })

  it('finds JSON that is parsed without a default where nothing validates', () => {
    expect(found('dataflow', { 'a.md': fenced('const a = JSON.parse(text)') })).toEqual(['missing_validation a.md:2'])
    for (const code of [
      'JSON.parse(text) ?? {}',
      "JSON.parse(text || '{}')",
      'validate(JSON.parse(text))',
      'try { a = JSON.parse(text) } catch { a = {} }',
    ])
      expect(found('dataflow', { 'a.md': fenced(code) })).toEqual([])
  })

  it('finds a file that is written and never read, unless it is a result', () => {
    expect(found('dataflow', { 'a.md': fenced('Write("cache.json", x)') })).toEqual(['read_write_alignment a.md:2'])
    expect(found('dataflow', { 'a.md': fenced('Write("cache.json", x)'), 'b.md': 'Read `cache.json` first.' })).toEqual(
      [],
    )
    expect(found('dataflow', { 'a.md': fenced('Write("report.md", x)\nWrite(`${output}/a.json`, x)') })).toEqual([])
  })

  it('wants a state schema of an autonomous skill, and a function that checks it', () => {
    const schema = fenced('interface State { a: string }', 'ts')
    const checked = fenced('interface State { a: string }\nfunction validateState(state) {}', 'ts')
    expect(found('dataflow', { 'phases/orchestrator.md': '# Run' })).toEqual([
      'missing_state_schema phases/orchestrator.md',
    ])
    expect(found('dataflow', { 'phases/state-schema.md': schema })).toEqual([
      'unchecked_schema phases/state-schema.md:2',
    ])
    expect(found('dataflow', { 'phases/state-schema.md': checked, 'phases/orchestrator.md': '' })).toEqual([])
  })
})

describe('The agent scanner', () => {
  const call = (rest = '') => `Task({ subagent_type: 'writer', prompt: 'Write the report.'${rest} })`

  it('finds calls without error handling and without a check of the result', () => {
    expect(found('agent', { 'a.md': fenced(`const result = await ${call()}\nsave(result)`) })).toEqual([
      'error_handling a.md:2',
      'result_validation a.md:2',
    ])
    expect(
      found('agent', {
        'a.md': fenced(`try {\n  const result = await ${call()}\n  if (!result) stop()\n} catch { stop() }`),
      }),
    ).toEqual([])
    expect(found('agent', { 'a.md': fenced(`const data = JSON.parse(await ${call()}.catch(stop))`) })).toEqual([])
    expect(found('agent', { 'a.md': 'The Task tool calls agents: `Task({…})`.' })).toEqual([])
  })

  it('takes more than two unhandled calls in a file for a high issue', () => {
    const files = [{ path: 'a.md', text: fenced(Array.from({ length: 3 }, () => `await ${call()}`).join('\n')) }]
    const [scan] = scanSkill(files, ['agent'], () => 0)
    expect(scan?.found.find(({ pattern }) => pattern === 'error_handling')?.severity).toBe('high')
  })

  it('finds more than three types of agents in an autonomous skill', () => {
    const types = ['a', 'b', 'c', 'd'].map(
      (type) => `try { use(check(await Task({ subagent_type: '${type}' }))) } catch { stop() }`,
    )
    const calls = fenced(types.join('\n'))
    expect(found('agent', { 'phases/orchestrator.md': calls })).toContain(
      'agent_type_consistency phases/orchestrator.md:5',
    )
    expect(found('agent', { 'phases/1.md': calls })).toEqual([])
  })

  it('finds a call inside the prompt of another', () => {
    const nested = 'try { check(await Task({ prompt: `Plan, then call Task({ prompt: "build" })` })) } catch { stop() }'
    expect(found('agent', { 'a.md': fenced(nested) })).toEqual(['nested_calls a.md:2'])
    const forbidden = 'try { check(await Task({ prompt: `Do not call Task() yourself.` })) } catch { stop() }'
    expect(found('agent', { 'a.md': fenced(forbidden) })).toEqual([])
  })

  it('finds agents that are to return in more than two formats', () => {
    const asking = (...formats: string[]) =>
      fenced(
        formats
          .map((format) => `try { check(await Task({ prompt: 'Return ${format}.' })) } catch { stop() }`)
          .join('\n'),
      )
    expect(found('agent', { 'a.md': asking('JSON', 'a summary', 'the file path') })).toContain(
      'return_format_consistency a.md:2',
    )
    expect(found('agent', { 'a.md': asking('JSON', 'a JSON object', 'the file path') })).toEqual([])
  })

  it('finds allowed-tools that lack the tool which is called', () => {
    const skill = (tools: string) => ({
      'SKILL.md': `---\nname: a\nallowed-tools: ${tools}\n---\n`,
      'a.md': fenced(`try { check(await ${call()}) } catch { stop() }`),
    })
    expect(found('agent', skill('Read, Write'))).toEqual(['missing_allowed_tool SKILL.md:3'])
    expect(found('agent', skill('Read, Task'))).toEqual([])
    expect(found('agent', skill('\n  - Read\n  - Agent(*)'))).toEqual([])
  })
})

describe('A diagnosis', () => {
  it('names what was checked and what was found, and is as severe as its issues', () => {
    const text = fenced('history.push(reply)')
    const skill = ['1', '2', '3'].map((name) => ({ path: `phases/${name}.md`, text }))
    const severities = [0, 1, 2, 3].map(
      (count) => scanSkill(skill.slice(0, count), ['context'], () => 0)[0]?.diagnosis.severity,
    )
    expect(severities).toEqual(['none', 'medium', 'medium', 'high'])
    const [scan] = scanSkill(skill, ['context'], () => 0)
    expect(scan?.diagnosis).toMatchObject({ status: 'completed', issues_found: 3, execution_time_ms: 0 })
    expect(scan?.diagnosis.details.patterns_matched).toEqual(['history_accumulation'])
  })

  it('has the number of patterns of the specification', () => {
    const checked = scanSkill([], diagnosisAreas, () => 0).map(
      ({ diagnosis }) => diagnosis.details.patterns_checked.length,
    )
    expect(checked).toEqual([4, 4, 4, 5])
  })
})
