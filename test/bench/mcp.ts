/** What an agent's call takes beside the bare command on the bridge's socket, and what it costs its model. */
import { join } from 'node:path'
import { Session } from '../../src-main/cli/session'
import { CommandLine } from '../support/commandLine'
import { ask, startAgentProcess } from '../support/mcpClient'
import { toolListTokens, walkRights, walkWithAnswers, walkWithHex } from '../support/mcpTokens'
import { startVice } from '../vice/support'
import { median, percentile, type Row } from './row'

const CALLS = 400
/** Until the programs of both ends are compiled. */
const WARM_UP_CALLS = 100
const never = (): Promise<undefined> => Promise.resolve(undefined)

export default async function mcp(): Promise<Row[]> {
  const calls = new CommandLine({ inProcesses: true })
  const vice = await startVice('x64sc', [])
  try {
    await calls.data('bridge', 'start')
    const agent = await startAgentProcess(calls, ...walkRights)
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
      const [bare = [], asked = []] = await timesOf(
        () => session.client.call('memory.read', read),
        () => ask(agent, 'memory', given),
      )
      const over = percentile(asked, 0.95) - percentile(bare, 0.95)
      rows.push({
        name: `reading 256 bytes of ${name}, p95`,
        value: percentile(asked, 0.95),
        unit: 'ms',
        bare: percentile(bare, 0.95),
        target: `at most ${limit} ms over the bare command`,
        met: over <= limit,
        note: `${over.toFixed(2)} ms over; median ${median(asked).toFixed(2)} ms, bare ${median(bare).toFixed(2)} ms`,
      })
    }
    const [seen = []] = await timesOf(() => ask(agent, 'see', { op: 'screen' }))
    rows.push(below('seeing the screen as text, median', median(seen), 'ms', 10))
    rows.push(below('the list of tools', await toolListTokens(agent), 'tokens', 6_000))
    const answers = await walkWithAnswers(agent)
    const hex = await walkWithHex(agent)
    rows.push({
      name: 'finding the wild write of the practice programs',
      value: answers.tokens,
      unit: 'tokens',
      bare: hex.tokens,
      target: 'at most half of those with bytes in hex',
      met: answers.tokens <= hex.tokens / 2,
      note: `${answers.calls} calls, and ${hex.calls}`,
    })
    session.client.close()
    await agent.close()
    return rows
  } finally {
    await calls.remove()
    await vice.stop()
  }
}

const below = (name: string, value: number, unit: string, limit: number): Row => ({
  name,
  value,
  unit,
  target: `under ${limit} ${unit}`,
  met: value < limit,
})

/** In turn, so that what else the computer does meets them alike. */
async function timesOf(...asked: readonly (() => Promise<unknown>)[]): Promise<number[][]> {
  const times = asked.map((): number[] => [])
  for (let count = -WARM_UP_CALLS; count < CALLS; count++) {
    for (const [index, call] of asked.entries()) {
      const started = performance.now()
      await call()
      if (count >= 0) times[index]?.push(performance.now() - started)
    }
  }
  return times
}
