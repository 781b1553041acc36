import type { Run } from '@shared/contract/orchestration'

type Named = Pick<Run, 'key' | 'system' | 'folder' | 'archived' | 'id'>

/**
 * The key that a run of a project which is gone has now, so that whoever looks at it keeps doing so: of a session in its archive, or of a
 * run whose first start gave it a state file. Null when none is this run.
 */
export function followedRun(gone: Named, now: readonly Named[]): string | null {
  const others = now.filter(({ system, folder }) => system === gone.system && folder === gone.folder)
  const next =
    gone.id.value === null
      ? others.find(({ archived }) => !archived)
      : others.find(({ id }) => id.value === gone.id.value)
  return next?.key ?? null
}
