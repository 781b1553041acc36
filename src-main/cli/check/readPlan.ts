import type { z } from 'zod'
import { AppError } from '@shared/contract/errors'
import { counted } from '@shared/countedText'
import { quote } from '../../formats/finding'
import { at, childPointer, type Located } from '../../formats/text/located'
import { parseLocatedYaml } from '../../formats/text/locatedYaml'
import { StateText } from '../../formats/text/stateFile'
import { didYouMean } from '../nearestName'
import { planSchema, type Case, type Expectation, type Step } from './planSchema'

export interface Plan {
  readonly machines: readonly string[]
  readonly cases: readonly Case[]
}

const DEFAULT_MACHINE = 'builtin'
const MAX_SHOWN_PROBLEMS = 20

type Path = readonly PropertyKey[]

/**
 * @param file its name in messages
 * @throws AppError INVALID with `file:line:column: what to do` for each problem
 */
export function readPlan(file: string, source: string): Plan {
  const text = new StateText(file, source)
  const { root, findings } = parseLocatedYaml(text)
  const problems = findings.map(({ line, column, rule, expected }) => {
    const unindented = rule === 'file/yaml' ? unindentedLine(source, line) : null
    if (unindented !== null)
      return {
        line: unindented,
        column: 1,
        text: 'this line of the block is indented less than its first: begin the block at the left, with a label or a comment.',
      }
    const isTwice = rule === 'file/duplicate-key'
    return { line, column, text: isTwice ? 'the key is here twice: leave one out.' : `expected ${expected}.` }
  })
  if (problems.length > 0) throw refused(file, problems)
  if (!root) throw refused(file, [{ line: 1, column: 1, text: 'the file is empty: expected cases.' }])
  const place = (path: Path) => text.lines.place(nearest(root, path).start)
  const read = planSchema.safeParse(plainTexts(root))
  if (!read.success)
    throw refused(
      file,
      withoutConsequences(read.error.issues).flatMap((issue) => problemsOf(issue, root, text)),
    )
  const { machines = [DEFAULT_MACHINE], timeout, cases } = read.data
  const placed = <Value extends object>(value: Value, path: Path) => ({ ...value, line: place(path).line })
  const expectations = (list: readonly Omit<Expectation, 'line'>[] = [], path: Path): Expectation[] =>
    list.map((each, index) => placed(each, [...path, index]))
  return {
    machines: [...new Set(machines)],
    cases: cases.map(({ steps = [], expect, ...each }, index) => {
      const path = ['cases', index]
      const sourceKey = each.assembly === undefined ? 'basic' : 'assembly'
      return {
        ...placed(each, path),
        timeout: each.timeout ?? timeout,
        sourceLine: place([...path, sourceKey]).line,
        steps: steps.map(({ expect: checks, ...step }, at): Step => {
          const here = [...path, 'steps', at]
          return { ...placed(step, here), ...(checks ? { expect: expectations(checks, [...here, 'expect']) } : {}) }
        }),
        expect: expectations(expect, [...path, 'expect']),
      }
    }),
  }
}

/**
 * Labels of source stand left of its instructions, and so often end a block (`|`) too early. Null where none does.
 * @param until the line at which the YAML makes no sense any more
 */
function unindentedLine(source: string, until: number): number | null {
  const lines = source.split('\n').slice(0, until)
  const key = lines.findLastIndex((line) => /:\s*\|[-+]?\s*(#.*)?$/.test(line))
  const first = lines.findIndex((line, index) => index > key && line.trim() !== '')
  if (key < 0 || first < 0) return null
  const [outer, inner] = [indentOf(lines[key] ?? ''), indentOf(lines[first] ?? '')]
  const found = lines.findIndex(
    (line, index) => index > first && line.trim() !== '' && indentOf(line) > outer && indentOf(line) < inner,
  )
  return found < 0 ? null : found + 1
}

const indentOf = (line: string): number => line.length - line.trimStart().length

function plainTexts(node: Located): unknown {
  if (node.kind === 'scalar') return typeof node.value === 'string' || node.value === null ? node.value : written(node)
  if (node.kind === 'list') return node.items.map(plainTexts)
  // A key such as __proto__ is one like any other.
  return Object.fromEntries([...node.fields].map(([key, { value }]) => [key, plainTexts(value)]))
}

const written = (node: Extract<Located, { kind: 'scalar' }>): string =>
  node.written.startsWith('*') ? String(node.value) : node.written

function nearest(root: Located, path: Path): Located {
  let here = root
  for (const step of path) {
    if (typeof step === 'symbol') break
    const next = at(here, step)
    if (!next && here.kind === 'list') break
    here = next ?? here
  }
  return here
}

interface Problem {
  readonly line: number
  readonly column: number
  readonly text: string
}

type Issue = z.core.$ZodIssue

/** A misspelt key also makes the right one missing, which need not be said. */
function withoutConsequences(issues: readonly Issue[]): readonly Issue[] {
  const misspelt = new Set(issues.flatMap(({ code, path }) => (code === 'unrecognized_keys' ? [pointerOf(path)] : [])))
  return issues.filter(({ code, path }) => code !== 'custom' || !misspelt.has(pointerOf(path)))
}

function problemsOf(issue: Issue, root: Located, text: StateText): Problem[] {
  if (issue.code === 'invalid_union') {
    const [branch] = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)
    const inner = branch ?? []
    return withoutConsequences(inner).flatMap((each) =>
      problemsOf({ ...each, path: [...issue.path, ...each.path] }, root, text),
    )
  }
  const node = nearest(root, issue.path)
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split(', ')
    return issue.keys.map((key) => {
      const span = node.kind === 'map' ? node.fields.get(key)?.key : undefined
      const hint = didYouMean(key.slice(0, 60), known) || ` Known here: ${known.join(', ')}.`
      return { ...text.lines.place((span ?? node).start), text: `there is no ${quote(key)} here.${hint}` }
    })
  }
  const name = issue.path.map(String).at(-1) ?? ''
  const isMissing = node.pointer !== pointerOf(issue.path) && issue.code === 'invalid_type'
  const found = node.kind === 'scalar' ? `, not ${quote(node.value)}` : ''
  const label = issue.path.length === 0 || typeof issue.path.at(-1) === 'number' ? '' : `${name}: `
  return [
    {
      ...text.lines.place(node.start),
      text: isMissing ? `${name} is missing: ${issue.message}.` : `${label}expected ${issue.message}${found}.`,
    },
  ]
}

const depthOf = (issues: readonly Issue[]): number =>
  issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0)
    ? -1
    : Math.max(0, ...issues.map(({ path }) => path.length))

const pointerOf = (path: Path): string =>
  path.reduce((pointer: string, step) => childPointer(pointer, typeof step === 'number' ? step : String(step)), '')

function refused(file: string, problems: readonly Problem[]): AppError {
  const shown = problems
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .slice(0, MAX_SHOWN_PROBLEMS)
    .map(({ line, column, text }) => `${file}:${line}:${column}: ${text}`)
  const left = problems.length - shown.length
  return new AppError('INVALID', [...shown, ...(left > 0 ? [`… ${counted(left, 'more problem')}`] : [])].join('\n'))
}
