import { identifyFolder } from '../projects/trust'
import type { Session } from './session'

/** As `--trust` asks: agents and git may run in the folder from then on. */
export async function trustFolder({ client }: Session, path: string, signal: AbortSignal): Promise<void> {
  const { identity } = identifyFolder(path)
  await client.call('projects.setTrusted', { path, identity }, signal)
}
