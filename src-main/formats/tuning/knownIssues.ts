import type { KnownIssue } from './scan/issues'
import type { TuningState } from './state'

export function knownIssues({ details: { issues, fixes } }: TuningState): {
  readonly known: readonly KnownIssue[]
  readonly usedIds: readonly string[]
} {
  const known = issues.flatMap(({ id, files, description, evidence }) =>
    id.value === null
      ? []
      : [
          {
            id: id.value,
            file: files[0]?.value ?? '',
            description: description.value ?? '',
            evidence: evidence.flatMap(({ value }) => value ?? []),
          },
        ],
  )
  const resolved = fixes.flatMap((fix) => fix.issues.flatMap(({ value }) => value ?? []))
  return { known, usedIds: [...known.map(({ id }) => id), ...resolved] }
}
