import {
  commands,
  commandTable,
  isCommandName,
  type CommandName,
  type Input,
  type OwnedBy,
} from '@shared/contract/contract'
import { describeIssues } from '@shared/contract/describeIssues'
import { AppError } from '@shared/contract/errors'
import type { z } from 'zod'
import type { Handlers } from '../rpc/commands'
import { isAgentLineCommand, type SteeredLine } from '../steering/handlers'
import { Responder } from '../rpc/responder'

type BridgeCommand = OwnedBy<'bridge'>

interface DispatcherOptions {
  readonly line?: SteeredLine | undefined
  /** Whether inputs are taken as valid: only from main, which parsed them on its own border. */
  readonly trustsInputs: boolean
  readonly maxCalls: number
  readonly log: (message: string, error: unknown) => void
}

export class Dispatcher extends Responder {
  constructor(handlers: Handlers, { trustsInputs, maxCalls, line, log }: DispatcherOptions) {
    super({
      maxCalls,
      run: (command, input, signal, agentCall) => {
        if (!isCommandName(command) || !isBridgeCommand(command))
          throw new AppError('NOT_FOUND', `There is no command “${command.slice(0, 100)}”.`)
        if (line && isAgentLineCommand(command)) return runOne(line.handlers, command, input, signal)
        const run = () =>
          trustsInputs ? runParsed(handlers, command, input, signal) : runOne(handlers, command, input, signal)
        if (!line) return run()
        const ready = line.before({ command, input, agentCall }, signal)
        return carryOut(line, { command, input }, ready, run)
      },
      onFault: (command, error) => log(`${command} failed`, error),
    })
  }
}

function isBridgeCommand(name: CommandName): name is BridgeCommand {
  return commands[name].owner === 'bridge'
}

async function carryOut<Output>(
  line: SteeredLine,
  request: { readonly command: BridgeCommand; readonly input: unknown },
  ready: Promise<void> | undefined,
  run: () => Output,
): Promise<Awaited<Output>> {
  if (ready) await ready
  const output = await line.within(run)
  line.after({ ...request, output })
  return output
}

const runOne = <Name extends BridgeCommand>(
  handlers: Pick<Handlers, Name>,
  name: Name,
  input: unknown,
  signal: AbortSignal,
) => handlers[name](parseInput(commandTable[name].input, input), signal)

const runParsed = <Name extends BridgeCommand>(handlers: Handlers, name: Name, input: unknown, signal: AbortSignal) =>
  handlers[name](input as Input<Name>, signal)

/** Does not use zod's message, which may quote the input; that is the error's `cause` for a log. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw new AppError('INVALID', `Not accepted: ${describeIssues(parsed.error.issues)}.`, { cause: parsed.error })
}
