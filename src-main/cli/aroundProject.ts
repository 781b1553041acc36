import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { Session } from './session'

export interface AroundProject {
  readonly project: number
  readonly place: string
  /** Without symbolic links. */
  readonly real: string
  readonly isOpen: boolean
  readonly isTrusted: boolean
}

/** Prefers a trusted project, then an open one, then the innermost. */
export async function projectAround(
  { client }: Session,
  root: string,
  signal: AbortSignal,
): Promise<AroundProject | undefined> {
  const { projects } = await client.call('projects.list', {}, signal)
  const found = await Promise.all(
    projects.map(async ({ project, place, state, trusted }) => ({
      project,
      place,
      real: await realpath(place).catch(() => ''),
      isOpen: state === 'open' || state === 'reading',
      isTrusted: trusted,
    })),
  )
  const around = found.filter(
    ({ real }) => real !== '' && (root === real || root.startsWith(real.endsWith(sep) ? real : real + sep)),
  )
  return around.sort(
    (a, b) =>
      Number(b.isTrusted) - Number(a.isTrusted) || Number(b.isOpen) - Number(a.isOpen) || b.real.length - a.real.length,
  )[0]
}

export async function inAroundProject(
  session: Session,
  root: string,
  signal: AbortSignal,
  work: (project: number, place: (path: string) => string) => Promise<number>,
): Promise<number> {
  const found = await projectAround(session, root, signal)
  const { project } = found?.isOpen
    ? found
    : await session.client.call('projects.open', { path: found?.place ?? root }, signal)
  const top = found?.real ?? root
  try {
    return await work(project, (path) => relative(top, path).replaceAll('\\', '/'))
  } finally {
    if (!found?.isOpen) await session.client.call('projects.close', { project }).catch(() => undefined)
  }
}
