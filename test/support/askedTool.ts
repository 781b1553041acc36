/** A call of a tool by an agent, before a bridge that answers nothing. */
import { AppError } from '@shared/contract/errors'
import { grantableRights, type Right } from '@shared/contract/steering'
import type { CommandContext } from '../../src-main/cli/command'
import { Answers } from '../../src-main/cli/mcp/answers'
import { agentFolders } from '../../src-main/files/agentFolders'
import { runTool } from '../../src-main/cli/mcp/runTool'
import { SteeredCalls } from '../../src-main/cli/mcp/steeredCalls'
import type { Tool } from '../../src-main/cli/mcp/tool'
import type { Session } from '../../src-main/cli/session'

export type Given = Readonly<Record<string, unknown>>

interface Bridge {
  readonly session: Session
  /** The commands that reached it. */
  readonly calls: string[]
}

/** Refuses what is not allowed, and answers nothing else until the call is cancelled. */
function bridge(allowed: readonly Right[]): Bridge {
  const calls: string[] = []
  const call = (name: string, input: { rights?: readonly Right[] }, signal?: AbortSignal): Promise<unknown> => {
    calls.push(name)
    const missing = input.rights?.find((right) => right !== 'look' && !allowed.includes(right))
    if (missing !== undefined) return Promise.reject(new AppError('FORBIDDEN', `You may not: ${missing}.`))
    if (name.startsWith('agentLine.')) return Promise.resolve({})
    return new Promise((_, reject) => {
      const end = (): void => reject(asError(signal?.reason))
      if (signal?.aborted) end()
      else signal?.addEventListener('abort', end)
    })
  }
  const connect = (_: string, signal: AbortSignal) => call('machine.connect', {}, signal)
  const session = {
    client: { call, onEvent: () => () => undefined },
    connect,
    connectLasting: connect,
    giveSetPassword: connect,
    status: () => call('status', {}),
    endsWithCall: () => false,
    requirePausable: () => undefined,
    requireLastingConnection: () => undefined,
  }
  return { session: session as unknown as Session, calls }
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))

interface Asked {
  readonly allowed?: readonly Right[]
  readonly signal?: AbortSignal
  /** The working folder, in which it may use files. */
  readonly folder: string
}

/** One call of a tool, with an agent that may do this. */
export async function ask(tool: Tool, given: Given, { allowed = grantableRights, signal, folder }: Asked) {
  const { session, calls } = bridge(allowed)
  const openSession = () => Promise.resolve(session)
  const context: Omit<CommandContext, 'output'> = {
    folder,
    environment: {},
    streams: process,
    commands: [],
    resources: folder,
    signal: signal ?? new AbortController().signal,
    openSession,
    findSession: openSession,
    ownSessions: () => ({ find: openSession, open: openSession, close: () => Promise.resolve() }),
  }
  const answer = await runTool({
    tool,
    given,
    context,
    answers: new Answers(),
    allowed: { folders: agentFolders([folder]), granted: [], command: 'bridgedeck mcp' },
    steered: new SteeredCalls(openSession, () => ({ name: 'test', granted: [], folders: [], waits: false })),
    onProgress: () => undefined,
  })
  return { answer, calls: calls.filter((name) => !name.startsWith('agentLine.')) }
}
