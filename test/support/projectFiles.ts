/** A project's files in memory, given to a format's readers as the project's reader gives them. */
import fc from 'fast-check'
import { sortFindings, type Finding } from '../../src-main/formats/finding'
import type { Candidate, Format, Reading, RunFiles } from '../../src-main/formats/format'
import { Listing } from '../../src-main/formats/listing'
import { decodeStateFile, type StateFile } from '../../src-main/formats/text/stateFile'

export type ProjectFiles = Readonly<Record<string, string | Uint8Array>>

/** When the files of such a project were last written, unless told otherwise. */
export const MODIFIED_AT = Date.parse('2026-03-01T00:00:00Z')

export interface FoundRun<Details> {
  readonly candidate: Candidate
  readonly reading: Reading<Details>
  readonly problems: readonly Finding[]
}

/** All runs of one format in the project, read and checked. */
export function runsIn<Details>(
  format: Format<Details>,
  project: ProjectFiles,
  modified: Readonly<Record<string, number>> = {},
): FoundRun<Details>[] {
  const listing = new Listing(Object.keys(project))
  return format.detect(listing).flatMap((candidate) => {
    const files = new Map<string, StateFile>()
    const add = (paths: readonly string[]): void => {
      for (const path of paths) {
        const content = project[path]
        if (content !== undefined)
          files.set(
            path,
            decodeStateFile(
              path,
              typeof content === 'string' ? new TextEncoder().encode(content) : content,
              modified[path] ?? MODIFIED_AT,
            ),
          )
      }
    }
    add(candidate.files)
    const run: RunFiles = { candidate, listing, files, remembered: new Map() }
    add(format.named?.(run) ?? [])
    const reading = format.read(run)
    return reading ? [{ candidate, reading, problems: format.validate(run) }] : []
  })
}

export function onlyRun<Details>(
  format: Format<Details>,
  project: ProjectFiles,
  modified?: Readonly<Record<string, number>>,
): FoundRun<Details> {
  const [run, ...others] = runsIn(format, project, modified)
  if (!run || others.length > 0) throw new Error(`${others.length + (run ? 1 : 0)} runs were found, not one.`)
  return run
}

/** `12:7 warning tuning/score: 80, not 65`: one line a finding, without its file. */
export const told = (findings: readonly Finding[]): string[] =>
  findings.map(
    ({ line, column, severity, rule, found, expected }) =>
      `${line}:${column} ${severity} ${rule}: ${found}, not ${expected}`,
  )

/** What validation says of all runs in the project: `file:line:column severity rule: found; expected`, a line each. */
export const validated = <Details>(format: Format<Details>, project: ProjectFiles): string[] =>
  sortFindings(runsIn(format, project).flatMap(({ problems }) => problems)).map(
    ({ file, line, column, severity, rule, found, expected }) =>
      `${file}:${line}:${column} ${severity} ${rule}: ${found}; ${expected}`,
  )

/** A file damaged at random: cut short, with a part replaced, with bytes that no text has, or nothing but such bytes. */
export const damaged = (original: string): fc.Arbitrary<Uint8Array> => {
  const bytes = new TextEncoder().encode(original)
  return fc.oneof(
    fc.nat(bytes.length).map((length) => bytes.slice(0, length)),
    fc
      .tuple(fc.nat(bytes.length), fc.nat(40), fc.uint8Array({ maxLength: 40 }))
      .map(([at, removed, added]) => Uint8Array.from([...bytes.slice(0, at), ...added, ...bytes.slice(at + removed)])),
    fc
      .tuple(fc.nat(bytes.length), fc.string({ unit: 'binary', maxLength: 20 }))
      .map(([at, added]) =>
        Uint8Array.from([...bytes.slice(0, at), ...new TextEncoder().encode(added), ...bytes.slice(at)]),
      ),
    fc.uint8Array({ maxLength: 200 }),
  )
}

/** The values of a JSON file, one of them replaced by any other. */
export const altered = (original: string): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(1000), fc.jsonValue({ maxDepth: 2 })).map(([which, value]) => {
    let count = 0
    const all = original.match(/"(?:[^"\\]|\\.)*"(?!\s*:)|\b\d+\b|\bnull\b|\btrue\b|\bfalse\b/g)?.length ?? 1
    return original.replace(/"(?:[^"\\]|\\.)*"(?!\s*:)|\b\d+\b|\bnull\b|\btrue\b|\bfalse\b/g, (found) =>
      count++ === which % all ? JSON.stringify(value) : found,
    )
  })

/** For a folder of which Bridgedeck remembers nothing. */
export const nothingRemembered = () => () => new Map<string, string>()
