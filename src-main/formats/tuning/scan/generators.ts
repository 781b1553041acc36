import { applyEdits, type TextEdit } from '../../finding'
import { newlineOf } from '../../text/splice'
import { agentCalls, wholeExpression } from './agentCalls'
import type { Code } from './code'
import { growing } from './context'
import { renamingsIn } from './dataflow'
import type { Place } from './finding'
import { constraintsIn, phasesOf } from './memory'
import { isHistory } from './names'
import type { Pattern } from './patterns'
import type { SkillText } from './skillText'
import { isCall, isDot, pathStart } from './usage'

interface Generation {
  readonly skill: readonly SkillText[]
  readonly file: SkillText
  readonly places: readonly Place[]
}

export type Generator = (generation: Generation) => string | undefined

const KEPT_ENTRIES = 20
const KEPT_CHARACTERS = 8_000

export const generators: Readonly<Partial<Record<Pattern, Generator>>> = {
  history_accumulation: limitHistory,
  missing_summarization: ({ file }) =>
    withSection(file, 'Summarise', [
      'Before results are passed on, summarise them in at most 200 words. Pass on the summary and the paths of the details.',
    ]),
  constraint_propagation: ({ skill, file }) => {
    const constraints = constraintsOf(skill)
    return constraints.length === 0 ? undefined : withSection(file, 'Constraints', [listOf(constraints)])
  },
  goal_drift: constrainTask,
  checkpoint_mechanism: ({ file }) =>
    withSection(file, 'Checkpoint', [
      'Save a checkpoint of the state before the next phase starts, and resume from it after a failure.',
    ]),
  state_schema_constraints: addConstraintFields,
  missing_verification: ({ file }) =>
    withSection(file, 'Quality gate', [
      'Before finishing, check the result against every constraint and requirement of the original request. Correct what does not meet them.',
    ]),
  inconsistent_naming: useOneName,
  missing_validation: validateParsed,
  unchecked_schema: addValidator,
  error_handling: catchFailures,
  result_validation: checkResults,
  missing_allowed_tool: allowTask,
}

export const newFiles: Readonly<Partial<Record<Pattern, { readonly path: string; readonly text: string }>>> = {
  missing_state_schema: {
    path: 'phases/state-schema.md',
    text: [
      '# State schema',
      '```typescript\ninterface State {\n  original_request: string\n  constraints: string[]\n  status: string\n  updated_at: string\n}\n```',
      '## Validation',
      'Check the state before every write.',
      validator('State', ['original_request', 'constraints', 'status', 'updated_at']),
      '',
    ]
      .join('\n\n')
      .trimEnd()
      .concat('\n'),
  },
}

const edited = (file: SkillText, edits: readonly TextEdit[]): string | undefined =>
  edits.length === 0 ? undefined : applyEdits(file.text, edits)

const insertion = (offset: number, text: string): TextEdit => ({ offset, length: 0, text })

function withSection(file: SkillText, title: string, paragraphs: readonly string[]): string {
  const newline = newlineOf(file.text)
  const section = [`## ${title}`, ...paragraphs].join('\n\n').replaceAll('\n', newline)
  return `${file.text.trimEnd()}${newline}${newline}${section}${newline}`
}

const listOf = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

const constraintsOf = (skill: readonly SkillText[]): string[] => {
  const [first] = phasesOf(skill)
  return first ? constraintsIn(first).slice(0, 20) : []
}

function linesBelow(file: SkillText, offset: number, lines: readonly string[]): TextEdit {
  const { start, end } = file.span(file.line(offset))
  const indentation = /^[ \t]*/.exec(file.text.slice(start, end))?.[0] ?? ''
  const newline = newlineOf(file.text)
  return insertion(end, lines.map((line) => `${newline}${indentation}${line}`).join(''))
}

const lineNumbers = (places: readonly Place[], { path }: SkillText): Set<number> =>
  new Set(places.flatMap(({ file, line }) => (file === path && line !== undefined ? [line] : [])))

function limitHistory({ file, places }: Generation): string | undefined {
  const { code } = file
  const lines = lineNumbers(places, file)
  const edits: TextEdit[] = []
  for (let at = 0; at < code.length; at++) {
    if (!code.isWord(at) || !isHistory(code.text(at))) continue
    const line = file.line(code.start(at))
    if (!lines.has(line)) continue
    const list = file.text.slice(code.start(pathStart(code, at)), code.end(at))
    const isCalled = isDot(code, at + 1) && growing.has(code.text(at + 2)) && code.partner(at + 3) > 0
    if (isCalled) edits.push(linesBelow(file, code.end(code.partner(at + 3)), [cutList(file, list, code.start(at))]))
    else if (code.is(at + 1, '+='))
      edits.push(linesBelow(file, code.end(at), [`${list} = ${list}.slice(-${KEPT_CHARACTERS})`]))
    else continue
    lines.delete(line)
  }
  for (const line of lines) {
    const { start, end } = file.span(line)
    if (file.regions.some((region) => region.kind === 'prose' && region.start <= start && start < region.end))
      edits.push(insertion(end, ' Keep only the last 5 entries of the history.'))
  }
  return edited(file, edits)
}

function cutList({ regions }: SkillText, list: string, offset: number): string {
  const language = regions.find(({ start, end }) => start <= offset && offset < end)?.language
  return language === 'python' || language === 'py'
    ? `del ${list}[:-${KEPT_ENTRIES}]`
    : `if (${list}.length > ${KEPT_ENTRIES}) ${list}.splice(0, ${list}.length - ${KEPT_ENTRIES})`
}

function constrainTask({ skill, file, places }: Generation): string | undefined {
  const [line] = lineNumbers(places, file)
  if (line === undefined) return undefined
  const { start, end } = file.span(line)
  // The mark alone: text before it, such as a quote of code, cannot be split.
  const indentation = /^([ \t]*)(?:\[|TASK:)/i.exec(file.text.slice(start, end))?.[1]
  if (indentation === undefined) return undefined
  const own = constraintsOf(skill)
  const constraints = own.length > 0 ? own : ['Do what the original request asks for, and nothing else']
  const lines = ['[CONSTRAINTS]', ...constraints.map((constraint) => `- ${constraint}`), '']
  const newline = newlineOf(file.text)
  return edited(file, [
    insertion(start, lines.map((text) => `${text === '' ? '' : indentation}${text}${newline}`).join('')),
  ])
}

const typeOpening =
  /^[ \t]*(?:export[ \t]+)?(?:interface[ \t]+(\w{1,60})[^{\n]{0,60}|type[ \t]+(\w{1,60})[ \t]*=[ \t]*)\{[ \t]*$/m

function addConstraintFields({ file }: Generation): string | undefined {
  const opening = typeOpening.exec(file.text)
  if (!opening)
    return withSection(file, 'Fields', [
      '- `original_request`: what the user asked for, unchanged\n- `constraints`: what every phase has to keep to',
    ])
  return edited(file, [linesBelow(file, opening.index, ['  original_request: string', '  constraints: string[]'])])
}

const parsing =
  /^[ \t]*(?:const|let|var)[ \t]+(\w{1,60})[^=\n]{0,60}=[ \t]*(?:await[ \t]+)?JSON\.parse\([^\n]{0,300}\)[ \t]*;?[ \t]*$/

function validateParsed({ file, places }: Generation): string | undefined {
  const edits = [...lineNumbers(places, file)].flatMap((line) => {
    const { start, end } = file.span(line)
    const name = parsing.exec(file.text.slice(start, end))?.[1]
    if (name === undefined) return []
    return [
      linesBelow(file, start, [
        `if (typeof ${name} !== 'object' || ${name} === null) throw new Error('Invalid ${name}')`,
      ]),
    ]
  })
  return edited(file, edits)
}

function addValidator({ file }: Generation): string | undefined {
  const opening = typeOpening.exec(file.text)
  const name = opening?.[1] ?? opening?.[2]
  if (!opening || name === undefined) return undefined
  const body = file.text.slice(opening.index + opening[0].length)
  const close = body.search(/^[ \t]*\}/m)
  const lines = body.slice(0, Math.max(0, close)).split(/\r?\n/)
  const [indentation] = lines.flatMap((line) => /^[ \t]+(?=\w)/.exec(line)?.[0] ?? [])
  const fields = lines.flatMap((line) => {
    const [, space, field] = /^([ \t]+)(\w{1,60}):/.exec(line) ?? []
    return field !== undefined && space === indentation ? [field] : []
  })
  if (fields.length === 0) return undefined
  return withSection(file, 'Validation', ['Check the state before every write.', validator(name, fields)])
}

function validator(name: string, fields: readonly string[]): string {
  const names = fields.map((field) => `'${field}'`).join(', ')
  return [
    '```javascript',
    `function validate${name}(state) {`,
    `  const missing = [${names}].filter((name) => !(name in state))`,
    "  if (missing.length > 0) throw new Error(`The state lacks ${missing.join(', ')}`)",
    '}',
    '```',
  ].join('\n')
}

function catchFailures({ file, places }: Generation): string | undefined {
  const lines = lineNumbers(places, file)
  const edits = agentCalls(file).flatMap(({ code, at, close }) => {
    if (!lines.has(file.line(code.start(at))) || !code.is(at + 2, '{') || !code.is(close, ')')) return []
    return [insertion(code.end(close), '.catch((error) => ({ error: String(error) }))')]
  })
  return edited(file, edits)
}

function checkResults({ file, places }: Generation): string | undefined {
  const lines = lineNumbers(places, file)
  const edits = agentCalls(file).flatMap((call) => {
    const { code, at } = call
    const { first, last } = wholeExpression(call)
    const start = code.is(first - 1, 'await') ? first - 1 : first
    if (!lines.has(file.line(code.start(at))) || !code.is(start - 1, '=') || !code.isWord(start - 2)) return []
    const name = code.text(start - 2)
    const end = code.end(chainEnd(code, last))
    const statement = file.span(file.line(code.start(start)))
    const lineEnd = file.span(file.line(end)).end
    if (!/^[ \t]*;?[ \t]*$/.test(file.text.slice(end, lineEnd))) return []
    const indentation = /^[ \t]*/.exec(file.text.slice(statement.start, statement.end))?.[0] ?? ''
    const check = `if (!${name} || ${name}.error) throw new Error('No result: ${name}')`
    return [insertion(lineEnd, `${newlineOf(file.text)}${indentation}${check}`)]
  })
  return edited(file, edits)
}

function chainEnd(code: Code, last: number): number {
  let end = last
  for (let steps = 0; steps < 8 && isDot(code, end + 1) && isCall(code, end + 2); steps++) {
    const close = code.partner(end + 3)
    if (close < 0) break
    end = close
  }
  return end
}

function useOneName({ skill, file }: Generation): string | undefined {
  const renamings = renamingsIn(skill, file) ?? []
  return edited(
    file,
    renamings.map(({ offset, from, to }) => ({ offset, length: from.length, text: to })),
  )
}

function allowTask({ file, places }: Generation): string | undefined {
  const [line] = lineNumbers(places, file)
  if (line === undefined) return undefined
  const { start, end } = file.span(line)
  const text = file.text.slice(start, end)
  const list = /:[ \t]*\[[^\]]*(?=\])/.exec(text)
  if (list) return edited(file, [insertion(start + list.index + list[0].length, ', Task')])
  if (/:[ \t]*\S/.test(text)) return edited(file, [insertion(start + text.trimEnd().length, ', Task')])
  const item = /^[ \t]*-[ \t]+/.exec(file.text.slice(file.span(line + 1).start, file.span(line + 1).end))?.[0]
  return item === undefined ? undefined : edited(file, [insertion(end, `${newlineOf(file.text)}${item}Task`)])
}
