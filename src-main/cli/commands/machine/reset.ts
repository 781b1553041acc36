import { BOOT_SECONDS } from '@shared/outcomeProblem'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { dataOf, outcomeData, outcomeLines, outcomeOf } from '../../outcomes'
import { choice, machine, withDefault } from '../../parameters'
import { machineGroup as group } from './group'

export const machineReset = defineCommand({
  group,
  name: 'reset',
  summary: 'Reset a machine.',
  options: {
    kind: withDefault(choice('KIND', 'A power cycle also clears memory.', ['soft', 'power'] as const), 'soft'),
    machine: machine('The machine to reset.'),
  },
  data: {
    machine: 'the machine’s name',
    kind: 'soft or power',
    prompt: 'whether it shows its prompt',
    ...outcomeData,
  },
  examples: ['reset', 'reset --kind power'],
  run: async ({ output, signal, openSession }, { kind, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    await session.client.call('machine.reset', { machine, kind }, signal)
    const outcome = await outcomeOf(session, machine, { awaits: 'prompt', seconds: BOOT_SECONDS }, signal)
    const prompt = outcome.ended === 'come'
    const shown = prompt ? `${machine} was reset, and shows READY.` : `${machine} was reset.`
    output.result({ machine, kind, prompt, ...dataOf(outcome) }, [shown, ...(prompt ? [] : outcomeLines(outcome))])
    return EXIT_OK
  },
})
