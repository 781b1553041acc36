/**
 * The labelled set for the tuning scanners: pieces of skills with the issues that a careful reviewer would raise in them.
 * test/samples/tuning/README.md has the format.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../samples/tuning')

export const samplePatterns = {
  context: ['history_accumulation', 'full_content_passing', 'missing_summarization', 'agent_return_bloat'],
  memory: [
    'constraint_propagation',
    'goal_drift',
    'checkpoint_mechanism',
    'state_schema_constraints',
    'missing_verification',
  ],
  dataflow: [
    'scattered_state',
    'inconsistent_naming',
    'missing_validation',
    'read_write_alignment',
    'unchecked_schema',
    'missing_state_schema',
  ],
  agent: [
    'error_handling',
    'result_validation',
    'agent_type_consistency',
    'nested_calls',
    'return_format_consistency',
    'missing_allowed_tool',
  ],
} as const

export type SampleArea = keyof typeof samplePatterns
export type SamplePattern = (typeof samplePatterns)[SampleArea][number]

/** An issue that is in a sample. */
export interface ExpectedIssue {
  readonly pattern: SamplePattern
  /** Undefined: of the whole skill, in whichever file it is reported. */
  readonly file?: string
  /** Counted from 1; it is reported at one of these. None: of the whole file. */
  readonly lines: readonly number[]
}

export interface Sample {
  readonly title: string
  /** Where it stands, as `file:line` of the set. */
  readonly source: string
  /** Texts by path, relative to the skill. */
  readonly files: ReadonlyMap<string, string>
  readonly expected: readonly ExpectedIssue[]
}

/** One piece of evidence that a scanner found. */
export interface FoundPlace {
  readonly pattern: string
  readonly file: string
  readonly line?: number
}

export interface Score {
  /** Expected issues that were found. */
  readonly hits: number
  readonly missed: readonly ExpectedIssue[]
  /** One for each pattern and file in which nothing of it was expected, or none of its places was. */
  readonly wrong: readonly FoundPlace[]
}

export function tuningSamples(area: SampleArea): Sample[] {
  const filler = readFileSync(resolve(folder, 'filler.txt'), 'utf8')
  return readdirSync(resolve(folder, area))
    .sort()
    .flatMap((name) => {
      const text = readFileSync(resolve(folder, area, name), 'utf8')
      return parseSamples(text, { name: `${area}/${name}`, patterns: samplePatterns[area], filler })
    })
}

interface SetFile {
  readonly name: string
  readonly patterns: readonly SamplePattern[]
  readonly filler: string
}

/** @throws Error with file and line where the set is not in its format */
export function parseSamples(text: string, { name, patterns, filler }: SetFile): Sample[] {
  const samples: { title: string; source: string; files: Map<string, string[]>; expected: ExpectedIssue[] }[] = []
  let path: string | undefined
  for (const [index, marked] of text.split('\n').entries()) {
    const source = `${name}:${index + 1}`
    const { line, found } = readMarks(marked, patterns, source)
    const sample = samples.at(-1)
    if (line.startsWith('=== ')) {
      path = undefined
      const expected = found.map((pattern) => ({ pattern, lines: [] }))
      samples.push({ title: line.slice('=== '.length), source, files: new Map(), expected })
    } else if (sample && line.startsWith('>>> ')) {
      const file = line.slice('>>> '.length)
      if (sample.files.has(file)) throw new Error(`${source}: ${file} is there twice`)
      sample.files.set(file, [])
      sample.expected.push(...found.map((pattern) => ({ pattern, file, lines: [] })))
      path = file
    } else if (sample && path !== undefined) {
      const lines = sample.files.get(path) ?? []
      for (const pattern of found) markLine(sample.expected, { pattern, file: path, line: lines.length + 1 })
      lines.push(...filled(line, lines, filler))
    } else if (line !== '') throw new Error(`${source}: text before the first === or >>> line`)
  }
  return samples.map(({ files, ...sample }) => ({
    ...sample,
    files: new Map([...files].map(([path, lines]) => [path, `${lines.join('\n').trimEnd()}\n`])),
  }))
}

function readMarks(marked: string, patterns: readonly SamplePattern[], source: string) {
  const [line = '', ...marks] = marked.split(/\s*«(?=[a-z_]+»)/u)
  const found = marks.map((mark) => {
    const pattern = patterns.find((known) => `${known}»` === mark)
    if (!pattern) throw new Error(`${source}: unknown pattern «${mark}`)
    return pattern
  })
  return { line, found }
}

function markLine(
  expected: ExpectedIssue[],
  { pattern, file, line }: { pattern: SamplePattern; file: string; line: number },
) {
  const at = expected.findIndex((issue) => issue.pattern === pattern && issue.file === file)
  expected.splice(at < 0 ? expected.length : at, 1, { pattern, file, lines: [...(expected[at]?.lines ?? []), line] })
}

/** The line itself, or for `«fill to N»` as much prose as brings the file to N characters. */
function filled(line: string, before: readonly string[], filler: string): string[] {
  const target = /^«fill to (\d+)»$/u.exec(line)?.[1]
  if (target === undefined) return [line]
  const missing = Number(target) - before.join('\n').length
  return missing > 0
    ? filler
        .repeat(Math.ceil(missing / filler.length))
        .slice(0, missing)
        .split('\n')
    : []
}

/** Holds what a scanner found in a sample against what is in it. An issue counts once, however many places it has. */
export function scoreSample({ expected }: Pick<Sample, 'expected'>, found: readonly FoundPlace[]): Score {
  const missed = expected.filter((issue) => !found.some((place) => fits(place, issue)))
  const sameIssue = (a: FoundPlace, b: FoundPlace) => a.pattern === b.pattern && a.file === b.file
  const right = found.filter((place) => expected.some((issue) => fits(place, issue)))
  const wrong = found.filter(
    (place, at) => ![...right, ...found.slice(0, at)].some((earlier) => sameIssue(place, earlier)),
  )
  return { hits: expected.length - missed.length, missed, wrong }
}

function fits(place: FoundPlace, { pattern, file, lines }: ExpectedIssue): boolean {
  if (place.pattern !== pattern || (file !== undefined && place.file !== file)) return false
  return lines.length === 0 || (place.line !== undefined && lines.includes(place.line))
}
