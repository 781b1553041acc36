import { isCommitName } from '@shared/commitName'
import { quote, type Finding } from '../../formats/finding'
import type { RunView } from '../../formats/run'

export type CommitStates = ReadonlyMap<string, 'found' | 'missing'>

export const commitNames = ({ phases }: RunView): ReadonlySet<string> =>
  new Set(phases.flatMap(({ tasks }) => tasks.flatMap(({ commits }) => commits?.value?.filter(isCommitName) ?? [])))

export function commitFindings({ system, phases }: RunView, states: CommitStates): Finding[] {
  if (![...states.values()].includes('missing')) return []
  return phases.flatMap(({ tasks }) =>
    tasks.flatMap(({ key, state, commits }) =>
      (commits?.value ?? [])
        .filter((name) => states.get(name) === 'missing')
        .map((name): Finding => ({
          file: commits?.source?.file ?? '',
          line: commits?.source?.line ?? 1,
          column: 1,
          rule: `${system}/commit-exists`,
          severity: 'warning',
          found: `commit ${quote(name)}, which does not exist`,
          expected:
            state.value === 'done'
              ? `a commit of the repository, as task ${quote(key)} says that it is done`
              : 'a commit of the repository',
        })),
    ),
  )
}
