import { z } from 'zod'
import type { Input } from '@shared/contract/contract'
import { callText, grantableRights, type GrantableRight, type Right } from '@shared/contract/steering'
import { describeFailure, toFailure } from '@shared/contract/errors'
import { currentAgentCall } from '../../bridge/agentCall'
import type { BridgeClient } from '../../bridge/client'
import type { CommandContext } from '../command'
import type { Session } from '../session'
import { noticesFor, type AgentNotice, type Steered } from './notices'

const grantableRight = z.enum(grantableRights)

export interface AgentIdentity {
  readonly name: string
  readonly granted: readonly GrantableRight[]
  readonly folders: readonly string[]
  readonly waits: boolean
}

interface BegunCall {
  readonly call: number
  readonly end: (message: string | null) => void
}

export interface CallToSteer {
  readonly title: string
  readonly rights: readonly Right[]
  readonly text: string
}

/** @returns whether the person allows it; undefined where the program cannot ask */
export type AskPerson = (right: GrantableRight, text: string) => Promise<boolean | undefined>

export class SteeredCalls {
  readonly #open: CommandContext['openSession']
  readonly #identity: () => AgentIdentity
  readonly #joined = new WeakMap<BridgeClient, Promise<unknown>>()
  onNotice: (notice: AgentNotice) => void = () => undefined
  #calls = 0

  constructor(open: CommandContext['openSession'], identity: () => AgentIdentity) {
    this.#open = open
    this.#identity = identity
  }

  readonly openSession = async (...wanted: Parameters<CommandContext['openSession']>): Promise<Session> => {
    const session = await this.#open(...wanted)
    const { client } = session
    let joined = this.#joined.get(client)
    if (!joined) {
      const { name, granted, folders, waits } = this.#identity()
      joined = this.#join(client, { name, granted: [...granted], folders: [...folders], waits })
      this.#joined.set(client, joined)
    }
    await joined
    return session
  }

  async #join(client: BridgeClient, identity: Input<'agentLine.join'>): Promise<void> {
    const { agent } = await client.call('agentLine.join', identity)
    let known: Steered | undefined
    client.onEvent('steering.changed', (state) => {
      for (const notice of noticesFor(agent, known ?? { agents: [], leases: [] }, state)) this.onNotice(notice)
      known = state
    })
  }

  /**
   * A look starts at once; a change waits for the person where they must allow it.
   * @param failureOf null where the result is no failure
   * @param ask used where no window of Bridgedeck asks the person
   * @throws AppError FORBIDDEN where they refuse, BUSY while they have paused the agent, and what `run` throws
   */
  async during<T>(
    call: CallToSteer,
    signal: AbortSignal,
    run: () => Promise<T>,
    failureOf: (result: T) => string | null = () => null,
    ask?: AskPerson,
  ): Promise<T> {
    const { call: number, end } = await this.#beginAllowed(call, signal, ask)
    try {
      const result = await currentAgentCall.run(number, run)
      end(failureOf(result))
      return result
    } catch (error) {
      end(describeFailure(toFailure(error)))
      throw error
    }
  }

  async #beginAllowed(call: CallToSteer, signal: AbortSignal, ask: AskPerson | undefined): Promise<BegunCall> {
    const refused = new Set<GrantableRight>()
    for (;;) {
      try {
        return await this.#begin(call, signal)
      } catch (error) {
        const { data: right } = grantableRight.safeParse(toFailure(error).details?.['askFor'])
        if (right === undefined || refused.has(right) || !(await ask?.(right, `${call.title} ${call.text}`)))
          throw error
        refused.add(right)
        const { client } = await this.openSession()
        await client.call('agentLine.allow', { right }, signal)
      }
    }
  }

  async #begin({ title, rights, text }: CallToSteer, signal: AbortSignal): Promise<BegunCall> {
    const { client } = await this.openSession()
    const call = ++this.#calls
    const begun = client.call(
      'agentLine.begin',
      { call, title: title.slice(0, 100), rights: [...rights], text: callText(text) },
      signal,
    )
    if (rights.some((right) => right !== 'look')) await begun
    else begun.catch(() => undefined)
    const end = (message: string | null): void => {
      const outcome = message === null ? ('done' as const) : ('failed' as const)
      client
        .call('agentLine.end', {
          call,
          outcome,
          message: message === null ? null : callText(message),
        })
        .catch(() => undefined)
    }
    return { call, end }
  }
}
