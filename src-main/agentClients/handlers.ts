import { wordsText } from '@shared/agentPresets'
import type { Input } from '@shared/contract/contract'
import type { AreaHandlers } from '../rpc/commands'
import { ClientConfiguration, type ClientChange } from './clientConfiguration'
import { allowOptions, serverEntry } from './serverEntry'

export interface AgentClientParts {
  readonly out: string
  readonly configuration?: ClientConfiguration
  readonly environment?: NodeJS.ProcessEnv
}

export function createAgentClientHandlers({
  out,
  configuration = new ClientConfiguration(),
  environment = process.env,
}: AgentClientParts): AreaHandlers<'agentClients'> {
  const entryFor = ({ allow }: Pick<Input<'agentClients.preview'>, 'allow'>) =>
    serverEntry({ out, environment }, allowOptions(allow))
  const changeOf = ({ client, action, allow }: Input<'agentClients.preview'>): ClientChange => ({
    client,
    server: action === 'add' ? entryFor({ allow }) : null,
  })
  return {
    'agentClients.preview': async (input) => {
      const { command, args } = entryFor(input)
      return { ...(await configuration.preview(changeOf(input))), command: wordsText([command, ...args]) }
    },
    'agentClients.write': ({ token, ...input }) => configuration.write(changeOf(input), token),
  }
}
