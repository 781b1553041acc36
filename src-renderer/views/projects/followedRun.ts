import type { Run } from '@shared/contract/orchestration'

type Named = Pick<Run, 'key' | 'system' | 'folder' | 'archived' | 'id'>

/**
 * The key that a run has now if its old one is gone: its session was archived, or its first start gave it a state file.
 * Null when none is that run.
 */
export function followedRun(gone: Named, now: readonly Named[]): string | null {
  const others = now.filter(({ system, folder }) => system === gone.system && folder === gone.folder)
  const next =
    gone.id.value === null
      ? others.find(({ archived }) => !archived)
      : others.find(({ id }) => id.value === gone.id.value)
  return next?.key ?? null
}
