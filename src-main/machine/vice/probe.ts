import type { HostAndPort } from '@shared/contract/machineName'
import type { ProbeAnswer } from '../driver'
import { MonitorClient } from './client'
import { exit, readVersion } from './commands'
import { versionText } from './versionText'

/** Leaves VICE running. */
export async function probeVice(address: HostAndPort, signal: AbortSignal): Promise<ProbeAnswer> {
  const client = await MonitorClient.connect(address, signal)
  try {
    if (client.api === 1) return { title: null, about: 'VICE 3.5' }
    const version = await client.trap((send) => {
      const answer = send(readVersion())
      void send(exit())
      return answer
    }, signal)
    return { title: null, about: versionText(version) }
  } finally {
    client.close()
  }
}
