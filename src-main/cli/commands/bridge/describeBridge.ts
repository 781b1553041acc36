import type { BridgeStatus } from '@shared/contract/bridge'
import type { Session } from '../../session'

const places = {
  window: 'in the Bridgedeck window',
  background: 'in the background',
  call: 'for one call',
}

export async function describeBridge(session: Session, signal: AbortSignal): Promise<{ data: object; text: string }> {
  const { client } = session
  const status = await session.status(signal)
  const { machines } = await client.call('machine.list', {}, signal)
  const { tasks } = await client.call('tasks.live', {}, signal)
  const connected = machines.filter(({ connection }) => connection !== 'idle')
  const startedAt = new Date(status.startedAt).toISOString()
  return {
    data: {
      running: true,
      ...status,
      startedAt,
      machines: connected.map(({ machine, connection }) => ({ machine, connection })),
      tasks,
    },
    text: [
      `Runs ${places[status.lifetime]} (pid ${status.pid}) since ${startedAt}.${endOf(status)}`,
      ...connected.map(({ machine, connection }) => `machine  ${machine}  ${connection}`),
      ...tasks.map(({ id, type }) => `task  ${id}  ${type}`),
    ].join('\n'),
  }
}

const endOf = ({ lifetime, endsWhenIdle }: BridgeStatus): string =>
  lifetime !== 'background'
    ? ''
    : endsWhenIdle
      ? ' It ends after its last task.'
      : ' It stays until “bridgedeck bridge stop”.'
