import { agentSchema, machineRights, type Agent } from '@shared/contract/agents'
import { commands } from '@shared/contract/contract'
import { describeIssues } from '@shared/contract/describeIssues'
import { AppError } from '@shared/contract/errors'
import { presetNames, presets } from '@shared/agentPresets'
import { DEFAULT_TIME_LIMIT_S } from '@shared/suggestedAgent'
import { askAtTerminal } from '../../askAtTerminal'
import { defineCommand, type Values } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choice, dollars, flag, number, program, required, text, texts, withDefault } from '../../parameters'
import { UsageError } from '../../usageError'
import { agentGroup as group } from './group'

const positionals = { name: required(text('NAME', 'The agent’s name; projects refer to it by this name only.')) }
const options = {
  preset: required(choice('PRESET', 'How the program is called.', presetNames)),
  command: program('The program, on the PATH or as a path. Default: that of the preset.'),
  model: text('MODEL', 'The model to ask for.'),
  argument: texts('TEXT', 'An argument to pass on; repeat it for several. Default: those that the preset suggests.'),
  environment: texts('NAME', 'A variable to pass on, beside PATH and HOME. Default: those that the preset suggests.'),
  'time-limit': withDefault(
    number('SECONDS', 'How long one run may take.', { min: 1, max: 86_400 }),
    DEFAULT_TIME_LIMIT_S,
  ),
  'max-turns': number('N', 'How many turns one run may take.', { min: 1, max: 10_000 }),
  'max-cost': dollars('What one run may cost.'),
  machines: withDefault(
    choice('RIGHTS', 'What it may do at the machines without asking.', machineRights),
    'look' as const,
  ),
  yes: flag('Do not ask.'),
}

export const agentAdd = defineCommand({
  group,
  name: 'add',
  summary: 'Set up an agent, or replace one of this name.',
  positionals,
  options,
  data: { agent: '{ name, preset, command, model, args, environment, … }' },
  examples: ['agent add claude --preset claude', 'agent add mine --preset custom --command ./agent.sh --yes'],
  run: async (context, values) => {
    const { output, signal, openSession } = context
    const agent = agentOf(values)
    const { message, detail } = commands['agents.save'].confirm?.(agent) ?? { message: agent.name, detail: '' }
    if (
      !values.yes &&
      !(await askAtTerminal({ message, detail, action: 'allow this command', withoutTerminal }, context))
    )
      throw new AppError('CANCELLED', `${agent.name} is not set up.`)
    const { client } = await openSession()
    await client.call('agents.save', agent, signal)
    output.result({ agent }, `${agent.name} is set up.`)
    return EXIT_OK
  },
})

const withoutTerminal = {
  message: 'Only a person at a terminal can allow the command of an agent.',
  hint: 'Call from a terminal, or add --yes if you know what it runs.',
}

function agentOf({ name, preset, ...values }: Values<typeof positionals> & Values<typeof options>): Agent {
  const { command: usual, suggested } = presets[preset]
  const command = values.command ?? usual
  if (command === '')
    throw new UsageError(`--command is missing: preset ${preset} has no program of its own.`, 'agent add')
  const { data, error } = agentSchema.safeParse({
    name,
    preset,
    command,
    model: values.model ?? null,
    args: values.argument.length > 0 ? values.argument : suggested.args,
    environment: values.environment.length > 0 ? values.environment : suggested.environment,
    timeLimit: values['time-limit'],
    maxTurns: values['max-turns'] ?? null,
    maxCost: values['max-cost'] ?? null,
    machines: values.machines,
  })
  if (data) return data
  throw new UsageError(`The agent cannot be set up: ${describeIssues(error.issues)}.`, 'agent add')
}
