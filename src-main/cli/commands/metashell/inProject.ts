import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { LoopName } from '@shared/contract/loops'
import type { CommandContext } from '../../command'
import type { Session } from '../../session'

export async function inProject<Result>(
  { signal, openSession }: CommandContext,
  path: string,
  work: (session: Session, loop: LoopName) => Promise<Result>,
): Promise<Result> {
  const session = await openSession()
  const { client } = session
  const { projects } = await client.call('projects.list', {}, signal)
  const wasOpen = projects.some(({ place, state }) => place === path && state !== 'closed')
  const { project } = await client.call('projects.open', { path }, signal)
  try {
    if (!existsSync(join(path, '.meta/context.md')) && !existsSync(join(path, '.meta/session.json'))) {
      throw new AppError('NOT_FOUND', `Project not initialized: there is no .meta/context.md in ${path}.`, {
        hint: 'metashell init creates it.',
      })
    }
    return await work(session, { project, system: 'metashell', place: '' })
  } finally {
    if (!wasOpen) await client.call('projects.close', { project }).catch(() => undefined)
  }
}
