import { defineCommand, type Command } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { machine } from '../../parameters'
import { machineGroup as group } from './group'

interface Switch {
  readonly name: string
  readonly call: 'machine.reboot' | 'machine.powerOff' | 'machine.pressMenuButton'
  readonly summary: string
  readonly details: string
  readonly done: string
}

const define = ({ name, call, summary, details, done }: Switch): Command =>
  defineCommand({
    group,
    name,
    summary,
    details,
    options: { machine: machine('The machine.') },
    data: { machine: 'the machine’s name', did: 'the command' },
    examples: [`${name} --machine ultimate:192.168.1.64`],
    run: async ({ output, signal, openSession }, { machine }) => {
      const session = await openSession()
      await session.connect(machine, signal)
      await session.client.call(call, { machine }, signal)
      output.result({ machine, did: name }, `${machine} ${done}.`)
      return EXIT_OK
    },
  })

export const machineReboot = define({
  name: 'reboot',
  call: 'machine.reboot',
  summary: 'Reboot an Ultimate with its C64.',
  details: 'The program that runs in the C64 is lost.',
  done: 'reboots',
})

export const machinePowerOff = define({
  name: 'power-off',
  call: 'machine.powerOff',
  summary: 'Switch an Ultimate 64 off.',
  details: 'The program that runs in the C64 is lost. You can switch it on again only at the machine itself.',
  done: 'is off',
})

export const machineMenuButton = define({
  name: 'menu-button',
  call: 'machine.pressMenuButton',
  summary: 'Press the menu button of an Ultimate.',
  details: 'Opens its menu, or closes it.',
  done: 'got its menu button pressed',
})
