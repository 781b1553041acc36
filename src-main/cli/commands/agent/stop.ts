import { AppError } from '@shared/contract/errors'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { flag, text } from '../../parameters'
import { UsageError } from '../../usageError'
import { agentGroup as group } from './group'

export const agentStop = defineCommand({
  group,
  name: 'stop',
  summary: 'Stop a run of an agent with all processes that it started.',
  positionals: { run: text('RUN', 'The run; agent runs lists them.') },
  options: { left: flag('Stop all that still run although the Bridgedeck that started them ended.') },
  data: { 'run?': 'the run’s name', 'runs?': 'with --left: the runs’ names' },
  examples: ['agent stop 0001-claude', 'agent stop --left'],
  run: async ({ output, signal, openSession }, { run, left }) => {
    if ((run === undefined) !== left) throw new UsageError('Name a run, or give --left.')
    const { client } = await openSession()
    const stop = async (each: string) => {
      const { stillAlive } = await client.call('agentRuns.stop', { run: each }, signal)
      if (stillAlive.length > 0)
        throw new AppError('BUSY', `Some processes of ${each} did not end: ${stillAlive.join(', ')}.`, {
          hint: 'End them by hand.',
        })
    }
    if (run !== undefined) {
      await stop(run)
      output.result({ run }, `Stopped ${run}.`)
      return EXIT_OK
    }
    const runs = await leftRuns((before) => client.call('agentRuns.list', { before }, signal))
    await Promise.all(runs.map(stop))
    output.result({ runs }, runs.length === 0 ? 'No agent is left.' : `Stopped ${runs.join(', ')}.`)
    return EXIT_OK
  },
})

interface RunPage {
  readonly runs: readonly { readonly run: string; readonly state: string }[]
  readonly next: string | null
}

async function leftRuns(pageBefore: (run: string | null) => Promise<RunPage>): Promise<string[]> {
  const left: string[] = []
  for (let before: string | null = null; ;) {
    const { runs, next }: RunPage = await pageBefore(before)
    left.push(...runs.filter(({ state }) => state === 'left').map(({ run }) => run))
    if (next === null) return left
    before = next
  }
}
