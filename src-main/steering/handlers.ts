import { commandTable, type OwnedBy } from '@shared/contract/contract'
import { AppError } from '@shared/contract/errors'
import { agentFolders, withinFolders, type AgentFolders } from '../files/agentFolders'
import type { AreaHandlers } from '../rpc/commands'
import type { AgentAtMachine, AgentRequest } from './agentAtMachine'
import { clientCommand, currentAgent } from './currentAgent'
import type { CarriedOut } from './leftBehind'
import type { Steering } from './steering'

export const createSteeringHandlers = ({ steering }: { readonly steering: Steering }): AreaHandlers<'steering'> => ({
  'steering.state': () => steering.state,
  'steering.calls': (input) => steering.calls(input),
  'steering.answer': (input) => {
    steering.answer(input)
    return {}
  },
  'steering.grant': (input) => {
    steering.grant(input)
    return {}
  },
  'steering.revoke': (input) => {
    steering.revoke(input)
    return {}
  },
  'steering.pause': ({ agent }) => {
    steering.pause(agent)
    return {}
  },
  'steering.resume': ({ agent }) => {
    steering.resume(agent)
    return {}
  },
  'steering.takeOver': ({ machine }) => {
    steering.takeOver(machine)
    return {}
  },
  'steering.handBack': ({ machine }) => {
    steering.handBack(machine)
    return {}
  },
  'steering.clearLeft': ({ machine }, signal) => steering.clearLeft(machine, signal),
  'steering.undo': ({ call }, signal) => steering.undo(call, signal),
})

const notJoined = (): never => {
  throw new AppError('CONFLICT', 'No agent has joined on this line.')
}

export const noAgentHandlers: AreaHandlers<'agentLine'> = {
  'agentLine.join': notJoined,
  'agentLine.allow': notJoined,
  'agentLine.begin': notJoined,
  'agentLine.end': notJoined,
  'agentLine.undo': notJoined,
}

export const isAgentLineCommand = (command: OwnedBy<'bridge'>): command is keyof AreaHandlers<'agentLine'> =>
  Object.hasOwn(noAgentHandlers, command)

export interface SteeredLine {
  readonly handlers: AreaHandlers<'agentLine'>
  /** @throws AppError where the client may not call the command, or its agent not now */
  readonly before: (request: AgentRequest, signal: AbortSignal) => Promise<void> | undefined
  readonly after: (done: CarriedOut) => void
  within<T>(run: () => T): T
  close(): void
}

export function openSteeredLine(steering: Steering): SteeredLine {
  let agent: AgentAtMachine | undefined
  let folders: AgentFolders | undefined
  return {
    handlers: {
      'agentLine.join': (input) => {
        if (agent) throw new AppError('CONFLICT', 'This line is an agent’s already.')
        agent = steering.join(input)
        folders = agentFolders(input.folders)
        return { agent: agent.shown.agent }
      },
      'agentLine.allow': ({ right }) => {
        steering.allow(agent ?? notJoined(), right)
        return {}
      },
      'agentLine.begin': async (input, signal) => {
        await (agent ?? notJoined()).begin(input, signal)
        return {}
      },
      'agentLine.end': (input) => {
        ;(agent ?? notJoined()).finish(input)
        return {}
      },
      'agentLine.undo': async (_, signal) => steering.undoLast(agent ?? notJoined(), signal),
    },
    before: (request, signal) => {
      const { command } = request
      if (command.startsWith('steering.') && commandTable[command].effect === 'governs')
        throw new AppError('FORBIDDEN', 'Only the person in the Bridgedeck window may do this.')
      return agent?.before(request, signal)
    },
    after: (done) => {
      if (agent) steering.carriedOut(agent, done)
    },
    within: (run) =>
      clientCommand.run(true, () => (agent && folders ? currentAgent.run(agent, withinFolders, folders, run) : run())),
    close() {
      if (agent) steering.leave(agent)
      agent = undefined
    },
  }
}
