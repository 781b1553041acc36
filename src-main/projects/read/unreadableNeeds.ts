/** An unreadable file is a need of its own: what it says may be what everything waits for. */
import type { Run, RunNeed } from '@shared/contract/orchestration'
import type { Finding } from '../../formats/finding'
import { unknown, type RunView } from '../../formats/run'
import { isUnreadable } from '../../formats/text/stateFile'
import { withUnblockedWork } from './unblockedWork'

interface ReadRun {
  readonly view: Pick<RunView, 'archived' | 'needs' | 'phases'>
  readonly findings: readonly Finding[]
  readonly stale: Run['stale']
}

export function needsOf(run: ReadRun): readonly RunNeed[] {
  const { archived } = run.view
  const needs = withUnblockedWork(run.view)
  const torn = archived ? [] : unreadableNeeds(run)
  const files = new Set(torn.map(({ source }) => source.file))
  return [
    ...torn,
    ...needs.filter(({ kind, source }) => kind !== 'unreadable' || !(archived || files.has(source.file))),
  ]
}

function unreadableNeeds({ findings, stale }: Pick<ReadRun, 'findings' | 'stale'>): RunNeed[] {
  const told = new Set<string>()
  const needs: RunNeed[] = []
  const add = (file: string, line: number | undefined, detail: string): void => {
    if (told.has(file)) return
    told.add(file)
    needs.push({
      kind: 'unreadable',
      title: `${file} cannot be read`,
      detail: `${detail}\nFix the file in an editor, or restore a version that can be read.`,
      options: [],
      source: { file, ...(line === undefined ? {} : { line }) },
      since: stale?.file === file ? { value: stale.since, source: null } : unknown(),
      unblocks: [],
    })
  }
  for (const { file, line, found, expected } of findings.filter(isUnreadable))
    add(file, line, `Line ${line}: found ${found}; expected ${expected}.`)
  if (stale) add(stale.file, undefined, stale.message)
  return needs
}
