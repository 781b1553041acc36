import { counted } from '@shared/countedText'
import type { Outcome } from '@shared/contract/running'
import { goOnHint, takeSeconds } from '@shared/outcomeProblem'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { dataOf, outcomeData, outcomeLines, outcomeOf } from '../../outcomes'
import { flag, machine, required, text } from '../../parameters'
import { machineGroup as group } from './group'

export const machineType = defineCommand({
  group,
  name: 'type',
  summary: 'Type text on the keyboard of a machine.',
  positionals: { text: required(text('TEXT', 'What to type; small letters are keys without Shift.')) },
  options: { return: flag('Press RETURN after it.'), machine: machine('The machine.') },
  data: {
    machine: 'the machine’s name',
    text: 'what was typed',
    taken: 'whether the machine has read all of it',
    ...outcomeData,
  },
  examples: ["type 'print 2+2' --return"],
  run: async ({ output, signal, openSession }, { text, return: hasReturn, machine }) => {
    const session = await openSession()
    await session.connectLasting(machine, signal)
    const typed = hasReturn ? `${text}\n` : text
    await session.client.call('machine.typeText', { machine, text: typed }, signal)
    const outcome = await outcomeOf(session, machine, { awaits: 'typed', seconds: takeSeconds(typed) }, signal)
    const taken = outcome.ended === 'come'
    output.result({ machine, text: typed, taken, ...dataOf(outcome) }, [
      `Typed ${counted(typed.length, 'character')}.${taken ? '' : whyNotTaken(machine, outcome)}`,
      ...outcomeLines(outcome),
    ])
    return EXIT_OK
  },
})

const whyNotTaken = (machine: string, outcome: Outcome): string =>
  outcome.ended === 'stopped'
    ? ` ${machine} reads it once it runs. ${goOnHint(outcome)}`
    : ` ${machine} has not read all of it yet: its program does not look at the keyboard.`
