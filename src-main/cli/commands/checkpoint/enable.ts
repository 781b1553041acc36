import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { checkpointNumber, checkpointGroup as group } from './group'

const enabling = (name: 'enable' | 'disable', verb: 'Enable' | 'Disable', enabled: boolean) =>
  defineCommand({
    group,
    name,
    summary: `${verb} a checkpoint.`,
    positionals: { number: checkpointNumber },
    options: { machine: machine('The machine.') },
    data: {
      machine: 'the machine’s name',
      number: 'of the checkpoint',
      enabled: 'true or false',
      unbound: 'why it stands nowhere, so that this counts once it stands again',
    },
    examples: [`checkpoint ${name} 1 --machine vice:6502`],
    run: async ({ output, signal, openSession }, { number, machine }) => {
      const session = await openSession()
      await session.connectLasting(machine, signal)
      const { unbound } = await session.client.call('machine.enableCheckpoint', { machine, number, enabled }, signal)
      const text =
        unbound === null
          ? `${verb}d checkpoint ${number}.`
          : `Checkpoint ${number} will be ${name}d when its line is back (unbound: ${unbound}).`
      output.result({ machine, number, enabled, unbound }, text)
      return EXIT_OK
    },
  })

export const checkpointEnable = enabling('enable', 'Enable', true)
export const checkpointDisable = enabling('disable', 'Disable', false)
