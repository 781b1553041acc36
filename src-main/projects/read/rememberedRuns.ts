import { realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isInside } from '../../files/containedPath'
import { OwnDatabase } from '../../storage/ownDatabase'
import { ProjectStore } from '../../storage/projects'
import { SidecarStore } from '../../storage/sidecar'

export type RememberedRuns = (run: string) => ReadonlyMap<string, string>

/**
 * Uses the folder's own project; where it was never opened, the nearest one around it, or one within it.
 * @param root without symbolic links
 */
export function readRememberedRuns(databasePath: string, root: string): RememberedRuns {
  const database = OwnDatabase.openForReading(databasePath)
  if (!database) return () => new Map()
  try {
    const projects = new ProjectStore(database).all
      .flatMap(({ id, path }) => {
        const real = realOf(path)
        return real === undefined ? [] : [{ id, real }]
      })
      .sort((a, b) => rank(root, a.real) - rank(root, b.real) || b.real.length - a.real.length)
    const byProject = new Map(projects.map(({ id, real }) => [real, new SidecarStore(database).ofProject(id)]))
    return (run) => {
      const colon = run.indexOf(':')
      const marker = join(root, run.slice(colon + 1))
      const found = projects.find(({ real }) => isInside(real, marker))
      if (!found) return new Map()
      const key = `${run.slice(0, colon)}:${relative(found.real, marker).split(sep).join('/')}`
      return byProject.get(found.real)?.get(key) ?? new Map<string, string>()
    }
  } finally {
    database.close()
  }
}

const rank = (root: string, real: string): number => (real === root ? 0 : isInside(real, root) ? 1 : 2)

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
