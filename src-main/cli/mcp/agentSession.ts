import { MAX_NAME_LENGTH } from '@shared/contract/steering'
import type { CommandContext, SessionSource } from '../command'
import type { Allowed } from './allowed'
import { SteeredCalls } from './steeredCalls'

/** No other code may make an agent or a script a client of the bridge: each has its own connection. */
export class AgentSession {
  readonly context: Omit<CommandContext, 'output' | 'signal'>
  readonly steered: SteeredCalls
  readonly #sessions: SessionSource
  readonly #name: () => string

  /**
   * @param name called when the bridge is first reached: an agent tells its name only when it introduces itself
   * @param waits whether it waits for a machine that another one has
   */
  constructor(
    context: Omit<CommandContext, 'output' | 'signal'>,
    { granted, folders }: Allowed,
    name: () => string,
    waits = false,
  ) {
    const sessions = context.ownSessions()
    this.#sessions = sessions
    this.#name = name
    // A bridge in the background stays when this process ends, so that what an agent began goes on.
    this.steered = new SteeredCalls(
      (taskHome) => sessions.open(taskHome, 'untilIdle'),
      () => ({ name: this.name, granted, folders: folders.names, waits }),
    )
    this.context = {
      ...context,
      openSession: this.steered.openSession,
      findSession: () => sessions.find(),
    }
  }

  get name(): string {
    return shownName(this.#name())
  }

  close(): Promise<void> {
    return this.#sessions.close()
  }
}

export const shownName = (given: string): string =>
  given
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH) || 'agent'
