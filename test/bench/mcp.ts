/** What an agent's call takes beside the bare command on the bridge's socket. */
import { join } from 'node:path'
import { Session } from '../../src-main/cli/session'
import { CommandLine } from '../support/commandLine'
import { ask, startAgent } from '../support/mcpClient'
import { startVice } from '../vice/support'
import { median, percentile, type Row } from './row'

const CALLS = 200
const never = (): Promise<undefined> => Promise.resolve(undefined)

export default async function mcp(): Promise<Row[]> {
  const calls = new CommandLine()
  const vice = await startVice('x64sc', [])
  try {
    await calls.data('bridge', 'start')
    const agent = await startAgent(calls)
    const session = await Session.find(join(calls.folder, 'data'), { given: never, ask: never })
    if (!session) throw new Error('No bridge runs.')
    const rows: Row[] = []
    for (const [machine, name, limit] of [
      ['builtin', 'the built-in C64', 3],
      [`vice:127.0.0.1:${vice.port}`, 'VICE', 8],
    ] as const) {
      const given = { op: 'read', address: '$0400', length: 256, machine }
      await ask(agent, 'memory', given)
      const read = { machine, space: 'ram' as const, address: 0x0400, length: 256 }
      const bare = await timesOf(() => session.client.call('memory.read', read))
      const asked = await timesOf(() => ask(agent, 'memory', given))
      const over = percentile(asked, 0.95) - percentile(bare, 0.95)
      rows.push({
        name: `reading 256 bytes of ${name}, p95`,
        ...{ value: percentile(asked, 0.95), unit: 'ms', bare: percentile(bare, 0.95) },
        ...{ target: `at most ${limit} ms over the bare command`, met: over <= limit },
        note: `${over.toFixed(2)} ms over; median ${median(asked).toFixed(2)} ms`,
      })
    }
    const seen = await timesOf(() => ask(agent, 'see', { op: 'screen' }))
    const { tools } = await agent.listTools()
    rows.push(...[row('seeing the screen as text, median', median(seen), 'ms', 10)], {
      name: 'the list of tools',
      value: JSON.stringify(tools).length / 1000,
      unit: 'k characters',
    })
    session.client.close()
    await agent.close()
    return rows
  } finally {
    await calls.remove()
    await vice.stop()
  }
}

const row = (name: string, value: number, unit: string, limit: number): Row => ({
  name,
  ...{ value, unit, target: `under ${limit} ${unit}`, met: value < limit },
})

async function timesOf(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < CALLS; count++) {
    const started = performance.now()
    await call()
    times.push(performance.now() - started)
  }
  return times
}
