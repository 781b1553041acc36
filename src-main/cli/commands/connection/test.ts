import type { SelfTestStep } from '@shared/contract/connections'
import { AppError } from '@shared/contract/errors'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { table, toned } from '../../printed'
import { stepTones } from '../../stateTones'
import { connectionGroup as group, machineName } from './group'

export const connectionTest = defineCommand({
  group,
  name: 'test',
  summary: 'Test a machine step by step; fails when a step fails.',
  positionals: { machine: machineName },
  data: { machine: 'the machine’s name', steps: '[{ title, outcome, text }]' },
  examples: ['connection test ultimate:192.168.1.64'],
  run: async ({ output, signal, openSession }, { machine }) => {
    const session = await openSession()
    await session.giveSetPassword(machine, signal)
    const { steps } = await session.client.call('connections.selfTest', { machine }, signal)
    const failed = steps.find(({ outcome }) => outcome === 'failed')
    if (failed && output.isJson) throw failure(machine, failed)
    output.result(
      { machine, steps },
      table(steps.map(({ outcome, title, text }) => [toned(stepTones[outcome], outcome), title, text])),
    )
    if (failed) throw failure(machine, failed)
    return EXIT_OK
  },
})

const failure = (machine: string, { title, text }: SelfTestStep): AppError =>
  new AppError('UNREACHABLE', `${machine} failed the test “${title}”. ${text}`)
